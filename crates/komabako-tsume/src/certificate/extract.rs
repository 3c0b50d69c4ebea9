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
//! Lengths and bounds fall from node to node, and without a bound no position is shown twice, so both end. A node of a smaller
//! proof hand serves for every kind of an interposed piece: the captured piece goes back to the defender.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use komabako_board::{Color, Hand, color};
use komabako_messages::messages;
use komabako_rules::{Move16, MoveSet, Undo};

use super::player::Player;
use super::{
    Certificate, CertificateFault, Checked, Claim, FORBIDDEN, Header, KINDS, NODE, NODE_OF_OTHER_HAND,
    REFERENCE, write_varint,
};
use crate::check::LineError;
use crate::counting::Counting;
use crate::outcome::{Convention, Limits, Reason};
use crate::problem::{Problem, Root};
use crate::runner::Runner;
use crate::search::{Answer, Question, TsumeState, position_key};
use crate::session::any_mate;
use crate::solver::{Solver, with_parity};
use crate::table::{Known, Query, Table, UNBOUNDED};

/// The largest certificate in bytes. That of Microcosmos takes 0.3 MB.
const MOST_BYTES: usize = 256 << 20;

/// Why there is no certificate.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum CertifyError {
    /// A limit ended a search.
    Stopped(Reason),
    /// The claim is false.
    False,
    /// The line is not one of the problem.
    Line(LineError),
    /// Certificates are of positions with the attacker to move.
    DefenderToMove,
    /// It would be larger than 256 MiB.
    Size,
    /// The checker refuses what was written: the solver is wrong.
    Refused(CertificateFault),
}

messages! {
    CertifyError {
        Stopped(reason) => "{reason}", "{reason}";
        False => "the claim is false", "主張が誤りです";
        Line(error) => "{error}", "{error}";
        DefenderToMove => "certificates are of positions with the attacker to move", "証明書は攻方の手番の局面についてのものです";
        Size => "it would be larger than 256 MiB", "256 MiB を超えます";
        Refused(fault) => "the solver is wrong, please report this: {fault}", "ソルバーの誤りです。ご報告ください: {fault}";
    }
}

impl core::error::Error for CertifyError {}

impl From<LineError> for CertifyError {
    fn from(error: LineError) -> CertifyError {
        CertifyError::Line(error)
    }
}

impl From<Reason> for CertifyError {
    fn from(reason: Reason) -> CertifyError {
        CertifyError::Stopped(reason)
    }
}

impl Solver {
    /// A certificate of a claim, and what the checker reads in it. Directly after the search that decided it, most of the work is
    /// done already: on 14 mates no more nodes were searched, on refutations a tenth more. A certificate takes about 6 bytes for
    /// each of its nodes, a mate one node for 100 to 500 of the search's.
    ///
    /// Mates have odd lengths, so an even number of plies is taken as the odd one below.
    ///
    /// The limit of nodes is of each search, the limit of a report's nodes of all searches for the certificate.
    ///
    /// # Errors
    /// See [`CertifyError`].
    pub fn certify(
        &mut self,
        problem: &Problem,
        claim: Claim,
        limits: &Limits<'_>,
    ) -> Result<(Certificate, Checked), CertifyError> {
        let odd = |plies| with_parity(plies, true).max(1);
        let claim = match claim {
            Claim::MateWithin(0) => return Err(CertifyError::False),
            Claim::MateWithin(plies) => Claim::MateWithin(odd(plies)),
            Claim::NoMateWithin(plies) => Claim::NoMateWithin(odd(plies)),
            Claim::Mate | Claim::NoMate => claim,
        };
        let mut runner = runner_of(self, problem, limits)?;
        let mut extractor = Extractor::new(&mut runner, &problem.state, problem.attacker());
        let bound = match claim {
            Claim::MateWithin(plies) | Claim::NoMateWithin(plies) => plies,
            Claim::Mate | Claim::NoMate => UNBOUNDED,
        };
        let found = extractor.ask(true, bound)?.found;
        if (found.pn == 0) != claim.is_mate() {
            return Err(CertifyError::False);
        }
        let bound = if claim.is_mate() { extractor.mate(found.length)? } else { extractor.refute(bound)? };
        let bound = match claim {
            Claim::MateWithin(plies) | Claim::NoMateWithin(plies) => plies,
            Claim::Mate => bound,
            Claim::NoMate => 0,
        };
        let header = Header { claim, setup: problem.setup(), first: None, forbidden: Vec::new() };
        extractor.finish(&header, bound)
    }

    /// The length of the shortest mate where every legal move counts, with a certificate that it is no longer and, unless it is 1,
    /// one that it is no shorter.
    ///
    /// # Errors
    /// See [`CertifyError`]; [`CertifyError::False`] if there is no mate.
    pub fn certify_length(
        &mut self,
        problem: &Problem,
        limits: &Limits<'_>,
    ) -> Result<(u16, Vec<(Certificate, Checked)>), CertifyError> {
        let length = runner_of(self, problem, limits)?.length(&problem.state, true, Convention::Strict)?;
        let length = length.ok_or(CertifyError::False)?;
        let mut certificates = Vec::from([self.certify(problem, Claim::MateWithin(length), limits)?]);
        if length > 1 {
            certificates.push(self.certify(problem, Claim::NoMateWithin(length - 2), limits)?);
        }
        Ok((length, certificates))
    }
}

/// A node that is written.
#[derive(Clone, Copy)]
struct Shown {
    hand: Hand,
    number: usize,
    /// The length of the mate, or the plies excluded.
    plies: u16,
    is_finished: bool,
}

/// A node on the way to the one being written.
struct Level {
    number: usize,
    board: u128,
    /// The attacker's hand before pieces changed hands.
    hand: Hand,
    /// Of a mate the replies, of a refutation the checks.
    moves: Vec<Move16>,
    next: usize,
    /// The moves to the node below; of a mate, the node's check comes first.
    played: Vec<Undo<u128>>,
    /// Of a mate: the plies left after the check. Of a refutation: the plies excluded.
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
    player: Player,
    body: Vec<u8>,
    /// The only check of the first position that is written about.
    pub first: Option<Move16>,
    /// The attacker's positions that count as no mate, by board and hand.
    pub forbidden: Vec<(u128, Hand)>,
    /// Lines to those that the refutation needs, by their places.
    pub forbidden_lines: BTreeMap<usize, Vec<Move16>>,
    /// The nodes by their boards.
    shown: BTreeMap<u128, Vec<Shown>>,
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
            let undo = self.player.state.do_move(reply);
            let hand = self.player.hand();
            let board = self.player.state.board_key();
            let serves =
                |shown: &&Shown| shown.is_finished && shown.plies < left && hand.is_at_least(shown.hand);
            if let Some(shown) = self.shown.get(&board).and_then(|known| known.iter().find(serves)) {
                level.longest = level.longest.max(shown.plies + 1);
                self.write_reference(shown.number);
                self.player.state.undo_move(undo);
                continue;
            }
            level.played.push(undo);
            let (length, hand) = self.proof(left.saturating_sub(1))?;
            self.open_mate(length, hand, &mut levels)?;
        }
        Err(CertifyError::False)
    }

    fn open_mate(&mut self, within: u16, hand: Hand, levels: &mut Vec<Level>) -> Result<(), CertifyError> {
        let own = self.player.hand();
        let is_root = levels.is_empty();
        let number = self.write_node(is_root, own, hand, within)?;
        let (check, left) = match self.first {
            Some(first) if is_root => (first, within - 1),
            _ => self.shortest_check(within)?,
        };
        self.body.extend_from_slice(&check.bits().to_le_bytes());
        let board = self.player.state.board_key();
        let played = Vec::from([self.player.state.do_move(check)]);
        let moves = self.player.moves(MoveSet::Legal);
        levels.push(Level { number, board, hand: own, moves, next: 0, played, bound: left, longest: 0 });
        Ok(())
    }

    /// Goes back to the node above.
    fn close_mate(&mut self, levels: &mut Vec<Level>, length: u16) {
        let Some(level) = levels.pop() else { return };
        self.player.take_back(level.played);
        for shown in self.shown.get_mut(&level.board).into_iter().flatten() {
            if shown.number == level.number {
                shown.is_finished = true;
                shown.plies = length;
            }
        }
        self.player.set_hand(level.hand);
        if let Some(undo) = levels.last_mut().and_then(|above| above.played.pop()) {
            self.player.state.undo_move(undo);
        }
    }

    /// Writes a refutation of mates within a number of plies, or of any mate.
    pub fn refute(&mut self, bound: u16) -> Result<u16, CertifyError> {
        let mut levels: Vec<Level> = Vec::new();
        self.open_refutation(bound, self.player.hand(), &mut levels)?;
        while let Some(level) = levels.last_mut() {
            let Some(&check) = level.moves.get(level.next) else {
                if let Some(level) = levels.pop() {
                    self.player.set_hand(level.hand);
                }
                if let Some(above) = levels.last_mut() {
                    self.player.take_back(core::mem::take(&mut above.played));
                }
                continue;
            };
            level.next += 1;
            let below = if level.bound == UNBOUNDED { UNBOUNDED } else { level.bound - 2 };
            let undo = self.player.state.do_move(check);
            match self.refuting_reply(below)? {
                Reply::Shown(reply, number) => {
                    self.body.extend_from_slice(&reply.bits().to_le_bytes());
                    self.write_reference(number);
                    self.player.state.undo_move(undo);
                }
                Reply::Forbidden(reply, place) => {
                    self.body.extend_from_slice(&reply.bits().to_le_bytes());
                    write_varint(&mut self.body, FORBIDDEN);
                    self.player.state.undo_move(undo);
                    let played = levels.iter().flat_map(|level| &level.played).map(|undo| undo.mv());
                    let line = played.chain([check, reply]).collect();
                    self.forbidden_lines.entry(place).or_insert(line);
                }
                Reply::Refuted(reply, hand) => {
                    self.body.extend_from_slice(&reply.bits().to_le_bytes());
                    let back = self.player.state.do_move(reply);
                    level.played.extend([undo, back]);
                    self.open_refutation(below, hand, &mut levels)?;
                }
            }
        }
        Ok(bound)
    }

    fn open_refutation(
        &mut self,
        bound: u16,
        hand: Hand,
        levels: &mut Vec<Level>,
    ) -> Result<(), CertifyError> {
        let own = self.player.hand();
        let is_root = levels.is_empty();
        let number = self.write_node(is_root, own, hand, bound)?;
        let board = self.player.state.board_key();
        // That a check is no mate at once needs no reply.
        let moves = match self.first {
            _ if bound <= 1 => Vec::new(),
            Some(first) if is_root => Vec::from([first]),
            _ => self.player.moves(MoveSet::Checks),
        };
        levels.push(Level {
            number,
            board,
            hand: own,
            moves,
            next: 0,
            played: Vec::new(),
            bound,
            longest: 0,
        });
        Ok(())
    }

    /// The length and the hand of a known proof of the position within a bound.
    fn proof(&mut self, within: u16) -> Result<(u16, Hand), CertifyError> {
        if let Known::Mate { hand, length, .. } = self.known(within) {
            return Ok((length, hand));
        }
        let found = self.ask(true, within)?.found;
        if found.pn > 0 { Err(CertifyError::False) } else { Ok((found.length, found.hand)) }
    }

    /// The check of the shortest known mate within a bound, and the plies after it.
    fn shortest_check(&mut self, within: u16) -> Result<(Move16, u16), CertifyError> {
        let mut best: Option<(u16, Move16)> = None;
        for check in self.player.moves(MoveSet::Checks) {
            if self.player.state.is_mate_after(check) {
                return Ok((check, 0));
            }
            let undo = self.player.state.do_move(check);
            if let Known::Mate { length, .. } = self.known(within - 1)
                && best.is_none_or(|best| length < best.0)
            {
                best = Some((length, check));
            }
            self.player.state.undo_move(undo);
        }
        if let Some((length, check)) = best {
            return Ok((check, length));
        }
        let check = self.ask(true, within)?.best.ok_or(CertifyError::False)?;
        let undo = self.player.state.do_move(check);
        let answer = self.ask(false, within - 1);
        self.player.state.undo_move(undo);
        Ok((check, answer?.found.length))
    }

    /// A reply after which no mate within a bound is left: to a node that is written, or to a position known to be refuted.
    fn refuting_reply(&mut self, bound: u16) -> Result<Reply, CertifyError> {
        let mut refuted = None;
        for reply in self.player.moves(MoveSet::Legal) {
            let undo = self.player.state.do_move(reply);
            let own = self.player.hand();
            let board = self.player.state.board_key();
            let serves = |shown: &&Shown| shown.plies >= bound && shown.hand.is_at_least(own);
            let shown = self.shown.get(&board).and_then(|known| known.iter().find(serves)).copied();
            if let Some(place) = self.forbidden.iter().position(|&forbidden| forbidden == (board, own)) {
                self.player.state.undo_move(undo);
                return Ok(Reply::Forbidden(reply, place));
            }
            if refuted.is_none()
                && let Known::NoMate { hand, .. } = self.known(bound)
            {
                refuted = Some(Reply::Refuted(reply, self.largest(hand)));
            }
            self.player.state.undo_move(undo);
            if let Some(shown) = shown {
                return Ok(Reply::Shown(reply, shown.number));
            }
        }
        if let Some(refuted) = refuted {
            return Ok(refuted);
        }
        let above = if bound == UNBOUNDED { UNBOUNDED } else { bound + 1 };
        let answer = self.ask(false, above)?;
        let reply = answer.best.ok_or(CertifyError::False)?;
        let undo = self.player.state.do_move(reply);
        let hand = match self.known(bound) {
            Known::NoMate { hand, .. } => self.largest(hand),
            _ => self.player.hand(),
        };
        self.player.state.undo_move(undo);
        if answer.mates() { Err(CertifyError::False) } else { Ok(Reply::Refuted(reply, hand)) }
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

    fn ask(&mut self, attacks: bool, bound: u16) -> Result<Answer, CertifyError> {
        let question = Question { bound, forbidding: self.is_forbidding(), ..any_mate(attacks) };
        self.results.ask(&self.player.state, question)
    }

    fn known(&self, bound: u16) -> Known {
        let key = position_key(&self.player.state, self.player.attacker, 0, self.is_forbidding());
        let query = Query { key, hand: self.player.hand(), counting: Counting::Strict, bound };
        self.results.look_up(&query)
    }

    /// Begins a node for another hand of the attacker. Returns its number.
    fn write_node(
        &mut self,
        is_root: bool,
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
        let shown = Shown { hand, number, plies, is_finished: false };
        self.shown.entry(self.player.state.board_key()).or_default().push(shown);
        Ok(number)
    }

    fn write_reference(&mut self, number: usize) {
        write_varint(&mut self.body, (self.nodes - 1 - number) as u64 + REFERENCE);
    }
}

/// A reply to a check that refutes it.
enum Reply {
    /// It leads to a node that is written already.
    Shown(Move16, usize),
    /// It leads to a forbidden position, given by its place among them.
    Forbidden(Move16, usize),
    /// It leads to a position that is refuted for this hand.
    Refuted(Move16, Hand),
}
