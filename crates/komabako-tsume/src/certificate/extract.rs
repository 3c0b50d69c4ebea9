//! Writes certificates: walks the results in the table, and searches again where they are gone.
//!
//! ```text
//! mate(n plies):    play the check of the shortest known mate; for each legal reply:
//!     a finished node with this board, at most this hand, and a mate in time: refer to it
//!     otherwise a new node, of the hand that its proof needs: the rest goes to the defender
//! refute(n plies):  for each check, a reply that leads
//!     to a node with this board, at least this hand, and as many plies excluded: refer to it
//!     otherwise to a refuted position: a new node, of the largest hand that it is refuted for
//! ```
//!
//! By free lengths a refutation also answers, after a drop, the captures of the dropped piece, which goes back. `tsume.rs` writes mates by
//! tsume lengths.
//!
//! Lengths and bounds fall from node to node, or stay where a captured piece goes back, and with the same bound no position is shown twice, so
//! both end. A node of a smaller proof hand serves for every kind of an interposed piece: the captured piece goes back to the defender.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use komabako_board::{Color, Hand, color};
use komabako_rules::{Move16, MoveSet};

use super::player::{Played, Player, Role};
use super::{
    Certificate, CertificateFault, CertificateRule, CertifyError, Checked, Claim, FORBIDDEN, Fault, Header,
    KINDS, MOST_BYTES, MOST_PLIES, NODE, NODE_OF_OTHER_HAND, REFERENCE, TSUME_RULES, write_varint,
};
use crate::counting::Counting;
use crate::outcome::{Convention, Limits};
use crate::problem::{Problem, Root};
use crate::runner::Runner;
use crate::search::{Answer, Question, TsumeState, after_drop, distance_to_king, position_key};
use crate::session::any_mate;
use crate::solver::{Solver, with_parity};
use crate::table::{Known, Query, Table, UNBOUNDED};

impl Solver {
    /// A certificate of a claim, and what the checker reads in it. Directly after the search that decided it, most of the work is
    /// done already: on 14 mates no more nodes were searched, on refutations a tenth more. A certificate takes about 6 bytes for
    /// each of its nodes, a mate one node for 100 to 500 of the search's.
    ///
    /// By [`Convention::Tsume`] "no mate within n" is shown by [free lengths](CertificateRule::Free), which are at most as long, and a
    /// mate within n by tsume lengths, or strictly if that is found in as many nodes as were searched before.
    ///
    /// Mates have odd lengths, so an even number of plies is taken as the odd one below; the largest one is 65,533.
    ///
    /// The limit of nodes is of each search, the limit of a report's nodes of all searches for the certificate.
    ///
    /// # Errors
    /// See [`CertifyError`].
    pub fn certify(
        &mut self,
        problem: &Problem,
        claim: Claim,
        convention: Convention,
        limits: &Limits<'_>,
    ) -> Result<(Certificate, Checked), CertifyError> {
        let odd = |plies| with_parity(plies, true).clamp(1, MOST_PLIES);
        let claim = match claim {
            Claim::MateWithin(0) => return Err(CertifyError::False),
            Claim::MateWithin(plies) => Claim::MateWithin(odd(plies)),
            Claim::NoMateWithin(plies) => Claim::NoMateWithin(odd(plies)),
            Claim::Mate | Claim::NoMate => claim,
        };
        let mut runner = runner_of(self, problem, limits)?;
        let rule = match claim {
            Claim::NoMateWithin(_) if convention == Convention::Tsume => CertificateRule::Free,
            Claim::MateWithin(plies) if convention == Convention::Tsume => {
                runner.rule_of_mate(&problem.state, plies)?
            }
            _ => CertificateRule::Strict,
        };
        let mut extractor = Extractor::new(&mut runner, &problem.state, problem.attacker());
        extractor.rule = rule;
        let bound = claim.plies().unwrap_or(UNBOUNDED);
        let shown = if rule == CertificateRule::Tsume {
            extractor.tsume_mate(bound)?
        } else {
            let found = extractor.ask(extractor.counting(), true, bound)?.found;
            if (found.pn == 0) != claim.is_mate() {
                return Err(CertifyError::False);
            }
            if claim.is_mate() { extractor.mate(found.length)? } else { extractor.refute(bound)? }
        };
        let bound = match claim {
            Claim::MateWithin(plies) | Claim::NoMateWithin(plies) => plies,
            Claim::Mate => shown,
            Claim::NoMate => 0,
        };
        let header = Header { claim, rule, setup: problem.setup(), first: None, forbidden: Vec::new() };
        extractor.finish(&header, bound)
    }

    /// The length of the shortest mate, with a certificate that it is no longer and, unless it is 1, one that it is no shorter.
    ///
    /// By [`Convention::Tsume`] both are strict if the first one is: then the strict length is the same, so that it is certified, and that the
    /// tsume length is no longer. Otherwise the second one is of free lengths; where these are shorter, which is rare, it names fewer plies.
    /// If they do not even show that an interposition is useless, length and certificates are strict.
    ///
    /// # Errors
    /// See [`CertifyError`]; [`CertifyError::False`] if there is no mate.
    pub fn certify_length(
        &mut self,
        problem: &Problem,
        convention: Convention,
        limits: &Limits<'_>,
    ) -> Result<(u16, Vec<(Certificate, Checked)>), CertifyError> {
        let length = runner_of(self, problem, limits)?.length(&problem.state, true, convention)?;
        let length = length.ok_or(CertifyError::False)?;
        let mate = match self.certify(problem, Claim::MateWithin(length), convention, limits) {
            Err(CertifyError::Uncertain) => return self.certify_length(problem, Convention::Strict, limits),
            made => made?,
        };
        let is_strict = mate.1.header.rule == CertificateRule::Strict;
        let convention = if is_strict { Convention::Strict } else { convention };
        let mut certificates = Vec::from([mate]);
        let mut excluded = length;
        while excluded > 1 {
            excluded -= 2;
            match self.certify(problem, Claim::NoMateWithin(excluded), convention, limits) {
                Err(CertifyError::False) if !is_strict => {}
                made => {
                    certificates.push(made?);
                    break;
                }
            }
        }
        Ok((length, certificates))
    }
}

/// A node that is written.
#[derive(Clone, Copy)]
pub(super) struct Shown {
    pub hand: Hand,
    pub number: usize,
    /// The length of the mate, or one more than the plies excluded.
    pub plies: u16,
    pub is_finished: bool,
    /// Of a mate: whether it holds for larger hands too.
    pub is_plain: bool,
}

/// A node on the way to the one being written.
pub(super) struct Level {
    number: usize,
    board: u128,
    /// The attacker's hand before pieces changed hands.
    hand: Hand,
    /// Of a mate the replies, of a refutation the checks and the captures after which the piece goes back.
    moves: Vec<Move16>,
    next: usize,
    /// Of a refutation: the number of its moves that are checks.
    checks: usize,
    /// The moves to the node below; of a mate, the node's check comes first.
    played: Vec<Played>,
    /// Of a mate: the plies left after the check. Of a refutation: one more than the plies excluded.
    bound: u16,
    /// Of a mate: the plies after the check that the replies so far last.
    longest: u16,
}

/// Where an extractor finds what is proven.
pub(super) trait Results {
    fn look_up(&self, query: &Query) -> Known;
    fn ask(&mut self, state: &TsumeState, question: Question) -> Result<Answer, CertifyError>;
}

/// The table, and searches where a result is gone.
impl Results for &mut Runner<'_> {
    fn look_up(&self, query: &Query) -> Known {
        self.engine.shared.table.look_up(query)
    }

    fn ask(&mut self, state: &TsumeState, question: Question) -> Result<Answer, CertifyError> {
        Ok(self.run(|prover| prover.ask(state, question))?)
    }
}

/// The table alone.
impl Results for &Table {
    fn look_up(&self, query: &Query) -> Known {
        Table::look_up(self, query)
    }

    fn ask(&mut self, _: &TsumeState, _: Question) -> Result<Answer, CertifyError> {
        Err(CertifyError::False)
    }
}

/// The length of a mate over the whole of its proof in the table, which is often shorter than the one that the search has noted: it
/// did not come back to every node when a shorter mate was found below. `None` if a part of the proof is gone.
pub(crate) fn length_in_table(
    table: &Table,
    state: &TsumeState,
    attacker: Color,
    within: u16,
) -> Option<u16> {
    Extractor::new(table, state, attacker).mate(within).ok()
}

pub(super) struct Extractor<R> {
    pub results: R,
    pub rule: CertificateRule,
    pub player: Player,
    pub body: Vec<u8>,
    /// The only check of the first position that is written about.
    pub first: Option<Move16>,
    /// The attacker's positions that count as no mate, by board and hand.
    pub forbidden: Vec<(u128, Hand)>,
    /// Lines to those that the refutation needs, by their places.
    pub forbidden_lines: BTreeMap<usize, Vec<Move16>>,
    /// The nodes by their boards and roles.
    pub shown: BTreeMap<(u128, u64), Vec<Shown>>,
    nodes: usize,
}

/// What searches again where results are gone.
pub(super) fn runner_of<'a>(
    solver: &'a mut Solver,
    problem: &'a Problem,
    limits: &'a Limits<'a>,
) -> Result<Runner<'a>, CertifyError> {
    if problem.root() != Root::Attack {
        return Err(CertifyError::DefenderToMove);
    }
    Ok(Runner::on_table(solver.engine(), problem, limits))
}

impl<R: Results> Extractor<R> {
    pub fn new(results: R, state: &TsumeState, attacker: Color) -> Self {
        let player = Player { state: state.clone(), attacker };
        Self {
            results,
            rule: CertificateRule::Strict,
            player,
            body: Vec::new(),
            first: None,
            forbidden: Vec::new(),
            forbidden_lines: BTreeMap::new(),
            shown: BTreeMap::new(),
            nodes: 0,
        }
    }

    /// The certificate of what was written, which the checker has read.
    pub fn finish(&self, header: &Header, bound: u16) -> Result<(Certificate, Checked), CertifyError> {
        let certificate = Certificate::write(header, bound, &self.body);
        match certificate.check() {
            Ok(checked) => Ok((certificate, checked)),
            Err(CertificateFault::Node { fault: Fault::Limit, .. }) => Err(CertifyError::Size),
            Err(fault) => Err(CertifyError::Refused(fault)),
        }
    }

    /// Writes a mate within a number of plies. Returns its length.
    pub fn mate(&mut self, within: u16) -> Result<u16, CertifyError> {
        let mut levels: Vec<Level> = Vec::new();
        self.open_mate(within, self.player.hand(), &mut levels)?;
        while let Some(level) = levels.last_mut() {
            let Some(&reply) = level.moves.get(level.next) else {
                let length = level.longest + 1;
                self.close_mate(&mut levels, length);
                let Some(above) = levels.last_mut() else { return Ok(length) };
                above.longest = above.longest.max(length + 1);
                continue;
            };
            level.next += 1;
            let left = level.bound;
            let played = self.player.play(reply, false);
            if let Some(shown) = self.shown_mate(Role::Mate, left.saturating_sub(1)) {
                level.longest = level.longest.max(shown.plies + 1);
                self.write_reference(shown.number);
                self.player.undo(played);
                continue;
            }
            level.played.push(played);
            let (length, hand) = self.proof(left.saturating_sub(1))?;
            self.open_mate(length, hand, &mut levels)?;
        }
        Err(CertifyError::False)
    }

    fn open_mate(&mut self, within: u16, hand: Hand, levels: &mut Vec<Level>) -> Result<(), CertifyError> {
        let own = self.player.hand();
        let is_root = levels.is_empty();
        let number = self.write_node(is_root, Role::Mate, own, hand, within)?;
        let (check, left) = match self.first {
            Some(first) if is_root => (first, within - 1),
            _ => self.shortest_check(within)?,
        };
        self.body.extend_from_slice(&check.bits().to_le_bytes());
        let board = self.player.state.board_key();
        let played = Vec::from([self.player.play(check, false)]);
        let moves = self.player.moves(MoveSet::Legal);
        levels.push(Level {
            number,
            board,
            hand: own,
            moves,
            next: 0,
            checks: 0,
            played,
            bound: left,
            longest: 0,
        });
        Ok(())
    }

    /// Goes back to the node above.
    fn close_mate(&mut self, levels: &mut Vec<Level>, length: u16) {
        let Some(level) = levels.pop() else { return };
        self.player.take_back(level.played);
        self.finish_mate((level.board, Role::Mate.number()), level.number, length, true);
        self.player.set_hand(level.hand);
        if let Some(played) = levels.last_mut().and_then(|above| above.played.pop()) {
            self.player.undo(played);
        }
    }

    /// A finished node that shows that the present position is a mate within a bound.
    pub fn shown_mate(&self, role: Role, within: u16) -> Option<Shown> {
        let hand = self.player.hand();
        let serves = |shown: &&Shown| {
            let holds =
                hand.is_at_least(shown.hand) && (!TSUME_RULES || shown.is_plain || hand == shown.hand);
            shown.is_finished && shown.plies <= within && holds
        };
        let known = self.shown.get(&(self.player.state.board_key(), role.number()))?;
        known.iter().find(serves).copied()
    }

    /// Notes that a node of a mate is written whole.
    pub fn finish_mate(&mut self, key: (u128, u64), number: usize, length: u16, is_plain: bool) {
        for shown in self.shown.get_mut(&key).into_iter().flatten() {
            if shown.number == number {
                *shown = Shown { is_finished: true, plies: length, is_plain, ..*shown };
            }
        }
    }

    /// Writes a refutation of mates within a number of plies, or of any mate.
    pub fn refute(&mut self, bound: u16) -> Result<u16, CertifyError> {
        let root = self.open_refutation(Role::Refuted, bound.saturating_add(1), self.player.hand(), true)?;
        self.refute_all(Vec::from([root]))?;
        Ok(bound)
    }

    /// Writes the rest of a refutation.
    pub(super) fn refute_all(&mut self, mut levels: Vec<Level>) -> Result<(), CertifyError> {
        while let Some(level) = levels.last_mut() {
            self.player.take_back(core::mem::take(&mut level.played));
            let Some(&check) = level.moves.get(level.next) else {
                self.player.set_hand(level.hand);
                levels.pop();
                continue;
            };
            let returns = level.next >= level.checks;
            level.next += 1;
            let after = if returns { level.bound } else { less_two(level.bound) };
            level.played.push(self.player.play(check, returns));
            let (reply, below) = self.defend(&levels, after, 0)?;
            if let Some(level) = levels.last_mut() {
                level.played.extend(reply);
            }
            levels.extend(below);
        }
        Ok(())
    }

    /// Writes the reply to a check, no drop at distance `drops_below` or farther, after which a mate takes more than `bound` plies. Returns the
    /// reply and the node that it opens.
    pub(super) fn defend(
        &mut self,
        levels: &[Level],
        bound: u16,
        drops_below: u8,
    ) -> Result<(Option<Played>, Option<Level>), CertifyError> {
        let Some((reply, refutation)) = self.refuting_reply(bound, drops_below)? else {
            return Ok((None, None));
        };
        self.body.extend_from_slice(&reply.bits().to_le_bytes());
        let role = self.role_after(reply);
        match refutation {
            Refutation::Shown(number) => self.write_reference(number),
            Refutation::Forbidden(place) => {
                write_varint(&mut self.body, FORBIDDEN);
                let played = levels.iter().flat_map(|level| &level.played).map(Played::mv);
                let line = played.chain([reply]).collect();
                self.forbidden_lines.entry(place).or_insert(line);
            }
            Refutation::Hand(hand) => {
                let played = self.player.play(reply, false);
                return Ok((Some(played), Some(self.open_refutation(role, bound, hand, false)?)));
            }
        }
        Ok((None, None))
    }

    fn open_refutation(
        &mut self,
        role: Role,
        bound: u16,
        hand: Hand,
        is_root: bool,
    ) -> Result<Level, CertifyError> {
        let own = self.player.hand();
        let number = self.write_node(is_root, role, own, hand, bound)?;
        let board = self.player.state.board_key();
        let (mut moves, captures) = self.player.checks(role.dropped());
        if is_root && let Some(first) = self.first {
            moves = Vec::from([first]);
        }
        // That a check is no mate at once needs no reply, unless every reply is a drop by free lengths.
        let state = &self.player.state;
        match bound {
            0 => moves.clear(),
            2 if self.is_strict() => moves.clear(),
            2 => moves.retain(|&check| state.check_without_moves(&[check]).is_some()),
            _ => {}
        }
        let checks = moves.len();
        moves.extend(captures);
        let played = Vec::new();
        Ok(Level { number, board, hand: own, moves, next: 0, checks, played, bound, longest: 0 })
    }

    /// The length and the hand of a known proof of the position within a bound.
    pub fn proof(&mut self, within: u16) -> Result<(u16, Hand), CertifyError> {
        if let Known::Mate { hand, length, .. } = self.known(Counting::Strict, within) {
            return Ok((length, hand));
        }
        let found = self.ask(Counting::Strict, true, within)?.found;
        if found.pn > 0 { Err(CertifyError::False) } else { Ok((found.length, found.hand)) }
    }

    /// The check of the shortest known mate within a bound, and the plies after it.
    pub fn shortest_check(&mut self, within: u16) -> Result<(Move16, u16), CertifyError> {
        let mut best: Option<(u16, Move16)> = None;
        for check in self.player.moves(MoveSet::Checks) {
            if self.player.state.is_mate_after(check) {
                return Ok((check, 0));
            }
            let undo = self.player.state.do_move(check);
            if let Known::Mate { length, .. } = self.known(Counting::Strict, within - 1)
                && best.is_none_or(|best| length < best.0)
            {
                best = Some((length, check));
            }
            self.player.state.undo_move(undo);
        }
        if let Some((length, check)) = best {
            return Ok((check, length));
        }
        let check = self.ask(Counting::Strict, true, within)?.best.ok_or(CertifyError::False)?;
        let undo = self.player.state.do_move(check);
        let answer = self.ask(Counting::Strict, false, within - 1);
        self.player.state.undo_move(undo);
        Ok((check, answer?.found.length))
    }

    /// A reply after which a mate takes more than `bound` plies: to a node that is written, or to a position known to be refuted. `None` if
    /// that needs no reply.
    fn refuting_reply(
        &mut self,
        bound: u16,
        drops_below: u8,
    ) -> Result<Option<(Move16, Refutation)>, CertifyError> {
        let mut replies = self.player.moves(MoveSet::Legal);
        if bound == 0 && replies.iter().any(|reply| !reply.is_drop()) {
            return Ok(None);
        }
        if drops_below > 0 {
            let state = &self.player.state;
            replies.retain(|&mv| !mv.is_drop() || distance_to_king(state, mv) < drops_below);
        }
        let mut refuted = None;
        for reply in replies {
            let role = self.role_after(reply);
            let played = self.player.play(reply, false);
            let own = self.player.hand();
            let board = self.player.state.board_key();
            let serves = |shown: &&Shown| shown.plies >= bound && shown.hand.is_at_least(own);
            let known = self.shown.get(&(board, role.number()));
            let shown = known.and_then(|known| known.iter().find(serves)).map(|shown| shown.number);
            let forbidden = self.forbidden.iter().position(|&forbidden| forbidden == (board, own));
            if refuted.is_none() {
                refuted = self.known_refutation(reply, bound).map(|hand| (reply, hand));
            }
            self.player.undo(played);
            if let Some(place) = forbidden {
                return Ok(Some((reply, Refutation::Forbidden(place))));
            }
            if let Some(number) = shown {
                return Ok(Some((reply, Refutation::Shown(number))));
            }
        }
        if let Some((reply, hand)) = refuted {
            return Ok(Some((reply, Refutation::Hand(hand))));
        }
        let question = Question { counting: self.counting(), bound, drops_below, ..self.any_mate(false) };
        let answer = self.results.ask(&self.player.state, question)?;
        if answer.mates() {
            return Err(CertifyError::False);
        }
        let reply = answer.best.ok_or(CertifyError::False)?;
        let played = self.player.play(reply, false);
        let hand = self.known_refutation(reply, bound).unwrap_or(self.player.hand());
        self.player.undo(played);
        Ok(Some((reply, Refutation::Hand(hand))))
    }

    /// The role of a position after a reply in a refutation.
    fn role_after(&self, reply: Move16) -> Role {
        Role::after_reply(reply, self.is_strict())
    }

    /// The largest hand for which the position after a reply is known to be no mate within `bound` plies from before it.
    fn known_refutation(&self, reply: Move16, bound: u16) -> Option<Hand> {
        let plain = if bound == UNBOUNDED { bound } else { bound.saturating_sub(1) };
        let known = match self.role_after(reply) {
            Role::RefutedDrop(_) => {
                let state = &self.player.state;
                let key = after_drop(position_key(state, self.player.attacker, 0, false), reply);
                let query = Query { key, hand: self.player.hand(), counting: Counting::Free, bound };
                match self.results.look_up(&query) {
                    known @ Known::NoMate { .. } => known,
                    _ => self.known(Counting::Free, UNBOUNDED),
                }
            }
            _ => self.known(self.counting(), plain),
        };
        if let Known::NoMate { hand, .. } = known { Some(self.largest(hand)) } else { None }
    }

    /// The part of a hand that the attacker could hold here, but no less than he holds. With forbidden positions that is what he holds: with
    /// more he might come by a larger hand to one of them.
    fn largest(&self, hand: Hand) -> Hand {
        let own = self.player.hand();
        if self.is_forbidding() {
            return own;
        }
        let both = own.saturating_add(self.player.state.hand(color::opponent(self.player.attacker)));
        hand.kindwise_min(both).kindwise_max(own)
    }

    fn is_forbidding(&self) -> bool {
        !self.forbidden.is_empty()
    }

    fn is_strict(&self) -> bool {
        self.rule == CertificateRule::Strict
    }

    /// The counting of refutations.
    fn counting(&self) -> Counting {
        if self.is_strict() { Counting::Strict } else { Counting::Free }
    }

    fn any_mate(&self, attacks: bool) -> Question {
        Question { forbidding: self.is_forbidding(), ..any_mate(attacks) }
    }

    fn ask(&mut self, counting: Counting, attacks: bool, bound: u16) -> Result<Answer, CertifyError> {
        let question = Question { counting, bound, ..self.any_mate(attacks) };
        self.results.ask(&self.player.state, question)
    }

    pub fn known(&self, counting: Counting, bound: u16) -> Known {
        let key = position_key(&self.player.state, self.player.attacker, 0, self.is_forbidding());
        self.results.look_up(&Query { key, hand: self.player.hand(), counting, bound })
    }

    /// Begins a node for another hand of the attacker. Returns its number.
    pub fn write_node(
        &mut self,
        is_root: bool,
        role: Role,
        own: Hand,
        hand: Hand,
        plies: u16,
    ) -> Result<usize, CertifyError> {
        if self.body.len() > MOST_BYTES {
            return Err(CertifyError::Size);
        }
        let number = self.nodes;
        self.nodes += 1;
        let hand = if is_root { own } else { hand };
        if hand != own {
            write_varint(&mut self.body, NODE_OF_OTHER_HAND);
            for kind in KINDS {
                self.body.push(own.count(kind).abs_diff(hand.count(kind)));
            }
            self.player.set_hand(hand);
        } else if !is_root {
            write_varint(&mut self.body, NODE);
        }
        // A node of one check only stands for no position.
        if !is_root || self.first.is_none() {
            let shown = Shown { hand, number, plies, is_finished: false, is_plain: true };
            self.shown.entry((self.player.state.board_key(), role.number())).or_default().push(shown);
        }
        Ok(number)
    }

    pub fn write_reference(&mut self, number: usize) {
        write_varint(&mut self.body, (self.nodes - 1 - number) as u64 + REFERENCE);
    }
}

/// Why there is no mate after a reply to a check.
enum Refutation {
    /// It leads to the node of this number, which is written already.
    Shown(usize),
    /// It leads to a forbidden position, given by its place among them.
    Forbidden(usize),
    /// It leads to a position that is refuted for this hand.
    Hand(Hand),
}

/// The bound of a refutation two plies later.
fn less_two(bound: u16) -> u16 {
    if bound == UNBOUNDED { bound } else { bound - 2 }
}
