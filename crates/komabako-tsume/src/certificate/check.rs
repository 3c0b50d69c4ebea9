//! The checker. It plays, asks the rules for moves, and never searches.
//!
//! ```text
//! mate(node):       the move must be a legal check; play it; for each legal reply, by their numbers: play it, read a token
//!     a node          mate(it), perhaps after pieces went from the attacker to the defender
//!     a reference     that node is finished, its board is the same, and the attacker holds at least as much
//!     length          1 + the longest of (1 + length after a reply); 1 if there is no reply
//! refute(node, n):  for each legal check: n = 1: some reply exists. Otherwise play it and the reply given, read a token
//!     a node          refute(it, n - 2), perhaps after pieces went from the defender to the attacker
//!     a reference     same board, the attacker holds at most as much, and it excludes at least n - 2 plies
//!     forbidden       one of the header's positions, with a hand at most as large
//! ```
//!
//! A mate refers to finished nodes only, so no mate leans on itself. Without a bound, refutations refer to any node, finished or
//! not: the nodes are a set of positions that the defender never has to leave. With a bound, each step lowers it.
//!
//! The other rules let the attacker capture a piece that the defender dropped between, give it back, and count neither ply:
//!
//! ```text
//! t: mate(node):        after a drop the certificate may name a capture of it that checks; the piece goes back, and a token follows
//!         a node            the defender's: for each legal reply as above; its length is the longest of (1 + length after a reply)
//!         length v > 0      then: defend(v - 2), with no drop as far from the king as this one or farther
//!                           from there up to the first position, nodes hold for the same hand only
//! f: refute(node, n):   after a drop also, after all checks, for each capture of it that checks: the piece goes back, defend(n + 1)
//!    defend(n):         the reply and the token above, to a node for n - 1; n = 0: a move of a piece, or a drop and its node
//! ```
//!
//! The walks keep a stack of their own. A node takes 72 bytes of memory and at least 3 of the certificate.

use alloc::vec::Vec;

use komabako_board::{Color, Hand, color};
use komabako_rules::{Move16, MoveSet};

use super::player::{Board, Played, Player, Role};
use super::reader::Reader;
use super::{
    Certificate, CertificateFault, CertificateRule, CertificateStep, Checked, Claim, FORBIDDEN, Fault,
    Header, KINDS, MOST_PLIES, NODE, NODE_OF_OTHER_HAND, REFERENCE, RETURNED, TSUME_RULES,
};
use crate::search::distance_to_king;

/// A position that is shown to be a mate or none.
struct Node {
    board: Board,
    hand: Hand,
    /// Of a mate: its length when it is finished. Of a refutation: one more than the plies that it excludes.
    plies: Option<u16>,
    /// Whether a mate holds for larger hands of the attacker too: no drop in it is useless only because the defender lasts as long
    /// without it.
    is_plain: bool,
}

/// A node on the way to the one being read.
#[derive(Default)]
struct Level {
    number: usize,
    /// The attacker's hand before pieces changed hands.
    hand: Hand,
    /// Of a mate the replies, of a refutation the checks and the captures after which the piece goes back.
    moves: Vec<Move16>,
    next: usize,
    /// The moves played from this node.
    played: Vec<Played>,
    /// Of a refutation: the number of its moves that are checks.
    checks: usize,
    /// Of a mate: its check, or the capture before it.
    check: Move16,
    /// The plies of that check: none after a capture with the piece given back.
    own: u16,
    longest: u16,
    is_plain: bool,
    /// The length of the mate after the last reply, if that is a drop which is useless only if the defender lasts as long without it.
    useless: u16,
}

impl Level {
    /// Notes the mate after a reply.
    fn accept(&mut self, length: u16, is_plain: bool, is_returned: bool) {
        self.is_plain &= is_plain;
        if TSUME_RULES && is_returned {
            self.is_plain &= length == 0;
            self.useless = length;
        } else {
            self.longest = self.longest.max(length + 1);
        }
    }
}

/// The bound of a claim without one.
const UNBOUNDED: u16 = u16::MAX;

impl Certificate {
    /// Checks the claim by playing: about 2 µs a node and legal reply.
    ///
    /// # Errors
    /// Why it does not show its claim, with the node and the moves to it.
    pub fn check(&self) -> Result<Checked, CertificateFault> {
        self.walk(|_| {})
    }

    /// [`check`](Self::check), with each step as it is read.
    ///
    /// # Errors
    /// As there.
    pub fn walk(&self, visit: impl FnMut(CertificateStep)) -> Result<Checked, CertificateFault> {
        let (header, problem, reader) = self.read()?;
        let player = Player { attacker: problem.attacker(), state: problem.state };
        let mut checker = Checker {
            rule: header.rule,
            player,
            reader,
            nodes: Vec::new(),
            forbidden: Vec::new(),
            path: Vec::new(),
            visit,
        };
        let length = match checker.run(&header) {
            Ok(length) => length,
            Err(fault) => {
                let number = checker.nodes.len().saturating_sub(1);
                return Err(CertificateFault::Node { number, path: checker.path, fault });
            }
        };
        match (header.claim, length, checker.reader.left()) {
            (Claim::MateWithin(claimed), Some(shown), _) if shown > claimed => {
                Err(CertificateFault::Longer { shown, claimed })
            }
            (_, _, 0) => Ok(Checked { header, length, nodes: checker.nodes.len() }),
            (_, _, left) => Err(CertificateFault::LeftOver(left)),
        }
    }
}

struct Checker<'a, V> {
    rule: CertificateRule,
    player: Player,
    reader: Reader<'a>,
    nodes: Vec<Node>,
    forbidden: Vec<(Board, Hand)>,
    path: Vec<Move16>,
    visit: V,
}

impl<V: FnMut(CertificateStep)> Checker<'_, V> {
    fn run(&mut self, header: &Header) -> Result<Option<u16>, Fault> {
        let may_forbid = !header.claim.is_mate() && self.is_strict();
        for line in &header.forbidden {
            if !may_forbid || line.len() % 2 == 1 {
                return Err(Fault::Forbids);
            }
            let played = line.iter().map(|&mv| self.play_reply(mv)).collect::<Result<Vec<_>, Fault>>()?;
            self.forbidden.push((self.player.board(Role::Refuted), self.player.hand()));
            self.take_back(played);
        }
        match header.claim {
            Claim::Mate | Claim::MateWithin(_) => self.mate(header.first).map(Some),
            Claim::NoMateWithin(plies) => self.refute(plies.div_ceil(2) * 2, header.first).map(|()| None),
            Claim::NoMate => self.refute(UNBOUNDED, header.first).map(|()| None),
        }
    }

    fn is_strict(&self) -> bool {
        !TSUME_RULES || self.rule == CertificateRule::Strict
    }

    fn is_tsume(&self) -> bool {
        TSUME_RULES && self.rule == CertificateRule::Tsume
    }

    fn mate(&mut self, first: Option<Move16>) -> Result<u16, Fault> {
        let mut levels: Vec<Level> = Vec::new();
        self.open_mate(NODE, None, &mut levels)?;
        if first.is_some_and(|first| self.path != [first]) {
            return Err(Fault::OtherCheck(self.path[0]));
        }
        loop {
            let Some(level) = levels.last_mut() else { return Err(Fault::End) };
            self.take_back(level.played.split_off(usize::from(level.own)));
            let check = level.check;
            let node = level.number;
            if TSUME_RULES && level.useless > 0 {
                let useless = core::mem::take(&mut level.useless);
                self.lasts_without_drop(node, check, level.moves[level.next - 1], useless)?;
            }
            let Some(&reply) = level.moves.get(level.next) else {
                if level.moves.is_empty() {
                    (self.visit)(CertificateStep { node, check, reply: None, to: None });
                }
                let shown = &mut self.nodes[node];
                let length = level.longest + level.own;
                if length > MOST_PLIES {
                    return Err(Fault::Limit);
                }
                shown.plies = Some(length);
                shown.is_plain = level.is_plain;
                if TSUME_RULES && !level.is_plain && level.hand != shown.hand {
                    return Err(Fault::Hand(node));
                }
                let is_plain = level.is_plain;
                let is_returned = level.own == 0;
                self.close(&mut levels);
                let Some(above) = levels.last_mut() else { return Ok(length) };
                above.accept(length, is_plain, is_returned);
                continue;
            };
            level.next += 1;
            level.played.push(self.play(reply, false));
            let mut token = self.reader.varint()?;
            let mut capture = None;
            if token == RETURNED && reply.is_drop() && self.is_tsume() {
                let taken = self.reader.mv()?;
                if taken.is_drop() || taken.to() != reply.to() || !self.is_check(taken) {
                    return Err(Fault::NoCheck(taken));
                }
                capture = Some(taken);
                level.played.push(self.play(taken, true));
                token = self.reader.varint()?;
            }
            let role = if capture.is_some() { Role::Returned } else { Role::Mate };
            let to = if token < REFERENCE { self.nodes.len() } else { self.referred(token, role)? };
            (self.visit)(CertificateStep { node, check, reply: Some(reply), to: Some(to) });
            match token {
                FORBIDDEN => return Err(Fault::Token),
                NODE | NODE_OF_OTHER_HAND => self.open_mate(token, capture, &mut levels)?,
                _ => {
                    let shown = &self.nodes[to];
                    let hand = self.player.hand();
                    if !hand.is_at_least(shown.hand) || TSUME_RULES && !shown.is_plain && hand != shown.hand {
                        return Err(Fault::Hand(to));
                    }
                    let length = shown.plies.ok_or(Fault::Unfinished(to))?;
                    level.accept(length, shown.is_plain, capture.is_some());
                }
            }
        }
    }

    /// Reads the check of a node and plays it; after a `capture` with the piece given back the defender is to move.
    fn open_mate(
        &mut self,
        token: u64,
        capture: Option<Move16>,
        levels: &mut Vec<Level>,
    ) -> Result<(), Fault> {
        let role = if capture.is_some() { Role::Returned } else { Role::Mate };
        let mut level = self.open(token, role, self.player.attacker, None)?;
        level.check = match capture {
            Some(capture) => capture,
            None => {
                let check = self.reader.mv()?;
                if !self.is_check(check) {
                    return Err(Fault::NoCheck(check));
                }
                level.own = 1;
                level.played.push(self.play(check, false));
                check
            }
        };
        level.moves = self.player.moves(MoveSet::Legal);
        levels.push(level);
        Ok(())
    }

    /// Reads that the defender lasts at least `plies` plies without this drop and those as far from his king or farther.
    fn lasts_without_drop(
        &mut self,
        node: usize,
        check: Move16,
        drop: Move16,
        plies: u16,
    ) -> Result<(), Fault> {
        let distance = distance_to_king(&self.player.state, drop);
        let (reply, below) = self.defend(node, check, plies - 2, distance)?;
        self.refute_all(below.into_iter().collect())?;
        self.take_back(reply.into_iter().collect());
        Ok(())
    }

    fn refute(&mut self, bound: u16, first: Option<Move16>) -> Result<(), Fault> {
        let mut level = self.open_refutation(NODE, Role::Refuted, bound)?;
        if let Some(first) = first {
            if !level.moves.contains(&first) {
                return Err(Fault::NoCheck(first));
            }
            level.moves = Vec::from([first]);
            level.checks = 1;
            // Of the position's other checks the node says nothing, so it stands for no position.
            self.nodes[0].board = Board::default();
        }
        self.refute_all(Vec::from([level]))
    }

    /// Reads the rest of a refutation.
    fn refute_all(&mut self, mut levels: Vec<Level>) -> Result<(), Fault> {
        while let Some(level) = levels.last_mut() {
            self.take_back(core::mem::take(&mut level.played));
            let node = level.number;
            let Some(&check) = level.moves.get(level.next) else {
                self.close(&mut levels);
                continue;
            };
            let returns = TSUME_RULES && level.next >= level.checks;
            level.next += 1;
            level.played.push(self.play(check, returns));
            let bound = self.nodes[node].plies.unwrap_or(UNBOUNDED);
            let after = if returns || bound == UNBOUNDED { bound } else { bound - 2 };
            let (reply, below) = self.defend(node, check, after, u8::MAX)?;
            level.played.extend(reply);
            levels.extend(below);
        }
        Ok(())
    }

    /// Begins a node of a refutation.
    fn open_refutation(&mut self, token: u64, role: Role, bound: u16) -> Result<Level, Fault> {
        let mut level = self.open(token, role, color::opponent(self.player.attacker), Some(bound))?;
        let (checks, captures) = self.player.checks(if self.is_strict() { None } else { role.dropped() });
        // Within no ply there is no check but the captures that do not count.
        level.moves = if bound == 0 { Vec::new() } else { checks };
        level.checks = level.moves.len();
        level.moves.extend(captures);
        Ok(level)
    }

    /// Reads the reply after which a mate takes more than `bound` plies; with 0 only if no move of a piece does. A drop has to be nearer to
    /// the king than this distance. Returns the reply and the node that it opens.
    fn defend(
        &mut self,
        node: usize,
        check: Move16,
        bound: u16,
        distance: u8,
    ) -> Result<(Option<Played>, Option<Level>), Fault> {
        if bound == 0 {
            if !self.player.state.has_legal_move() {
                return Err(Fault::IsMate);
            }
            if self.is_strict() || self.player.moves(MoveSet::Legal).iter().any(|mv| !mv.is_drop()) {
                (self.visit)(CertificateStep { node, check, reply: None, to: None });
                return Ok((None, None));
            }
        }
        let reply = self.reader.mv()?;
        if reply.is_drop() && distance_to_king(&self.player.state, reply) >= distance {
            return Err(Fault::Illegal(reply));
        }
        let played = self.play_reply(reply)?;
        let role = Role::after_reply(reply, self.is_strict());
        let token = self.reader.varint()?;
        let to = match token {
            FORBIDDEN => None,
            NODE | NODE_OF_OTHER_HAND => Some(self.nodes.len()),
            _ => Some(self.referred(token, role)?),
        };
        (self.visit)(CertificateStep { node, check, reply: Some(reply), to });
        let mut below = None;
        match to {
            None => self.check_forbidden()?,
            Some(to) if to < self.nodes.len() => self.check_reference(to, bound)?,
            Some(_) => below = Some(self.open_refutation(token, role, bound)?),
        }
        Ok((Some(played), below))
    }

    fn check_forbidden(&self) -> Result<(), Fault> {
        let board = self.player.board(Role::Refuted);
        let hand = self.player.hand();
        let is_forbidden = self.forbidden.iter().any(|known| known.0 == board && known.1.is_at_least(hand));
        if is_forbidden { Ok(()) } else { Err(Fault::NotForbidden) }
    }

    fn check_reference(&self, node: usize, bound: u16) -> Result<(), Fault> {
        if !self.nodes[node].hand.is_at_least(self.player.hand()) {
            return Err(Fault::Hand(node));
        }
        let excluded = self.nodes[node].plies.unwrap_or(0);
        if excluded < bound {
            return Err(Fault::Bound { node, excluded: excluded.saturating_sub(1), needed: bound - 1 });
        }
        Ok(())
    }

    /// The node that a token refers to, whose board and role must be the present ones.
    fn referred(&self, token: u64, role: Role) -> Result<usize, Fault> {
        let back = usize::try_from(token - REFERENCE).map_err(|_| Fault::NoNode(token))?;
        let node = (self.nodes.len() - 1).checked_sub(back).ok_or(Fault::NoNode(token))?;
        if self.nodes[node].board == self.player.board(role) { Ok(node) } else { Err(Fault::Board(node)) }
    }

    /// Begins a node, after the pieces that a side gives to the other.
    fn open(&mut self, token: u64, role: Role, giver: Color, plies: Option<u16>) -> Result<Level, Fault> {
        if self.path.len() > usize::from(MOST_PLIES) {
            return Err(Fault::Limit);
        }
        let hand = self.player.hand();
        if token == NODE_OF_OTHER_HAND {
            for (kind, &count) in KINDS.into_iter().zip(self.reader.bytes(KINDS.len())?) {
                for _ in 0..count {
                    if !self.player.state.give(kind, giver) {
                        return Err(Fault::Hands(kind));
                    }
                }
            }
        }
        let number = self.nodes.len();
        self.nodes.push(Node {
            board: self.player.board(role),
            hand: self.player.hand(),
            plies,
            is_plain: true,
        });
        Ok(Level { number, hand, is_plain: true, ..Level::default() })
    }

    /// Leaves a node.
    fn close(&mut self, levels: &mut Vec<Level>) {
        if let Some(level) = levels.pop() {
            self.take_back(level.played);
            self.player.set_hand(level.hand);
        }
    }

    fn is_check(&self, mv: Move16) -> bool {
        self.player.state.is_legal(mv) && self.player.state.gives_check(mv)
    }

    fn play_reply(&mut self, mv: Move16) -> Result<Played, Fault> {
        if self.player.state.is_legal(mv) { Ok(self.play(mv, false)) } else { Err(Fault::Illegal(mv)) }
    }

    fn play(&mut self, mv: Move16, returns: bool) -> Played {
        self.path.push(mv);
        self.player.play(mv, returns)
    }

    fn take_back(&mut self, played: Vec<Played>) {
        self.path.truncate(self.path.len() - played.len());
        self.player.take_back(played);
    }
}
