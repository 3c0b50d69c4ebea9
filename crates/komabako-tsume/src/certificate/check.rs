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
//! The walks keep a stack of their own. A node takes 72 bytes of memory and at least 2 of the certificate.

use alloc::vec::Vec;

use komabako_board::{Color, Hand, color};
use komabako_rules::{Move16, MoveSet};

use super::player::{Board, Player};
use super::reader::Reader;
use super::{
    Certificate, CertificateFault, CertificateStep, Checked, Claim, FORBIDDEN, Fault, Header, KINDS, NODE,
    NODE_OF_OTHER_HAND, REFERENCE,
};

type Undo = komabako_rules::Undo<u128>;

/// A position with the attacker to move.
struct Node {
    board: Board,
    hand: Hand,
    /// Of a mate: its length when it is finished. Of a refutation: the plies that it excludes.
    plies: Option<u16>,
}

/// A node on the way to the one being read.
struct Level {
    number: usize,
    /// The attacker's hand before pieces changed hands.
    hand: Hand,
    /// Of a mate the replies, of a refutation the checks.
    moves: Vec<Move16>,
    next: usize,
    /// The moves played from this node.
    played: Vec<Undo>,
    longest: u16,
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
        let mut checker =
            Checker { player, reader, nodes: Vec::new(), forbidden: Vec::new(), path: Vec::new(), visit };
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
    player: Player,
    reader: Reader<'a>,
    nodes: Vec<Node>,
    forbidden: Vec<(Board, Hand)>,
    path: Vec<Move16>,
    visit: V,
}

impl<V: FnMut(CertificateStep)> Checker<'_, V> {
    fn run(&mut self, header: &Header) -> Result<Option<u16>, Fault> {
        for line in &header.forbidden {
            let played = line.iter().map(|&mv| self.play_reply(mv)).collect::<Result<Vec<_>, Fault>>()?;
            self.forbidden.push((self.player.board(), self.player.hand()));
            self.take_back(played);
        }
        match header.claim {
            Claim::Mate | Claim::MateWithin(_) if !header.forbidden.is_empty() => Err(Fault::MateForbids),
            Claim::Mate | Claim::MateWithin(_) => self.mate(header.first).map(Some),
            Claim::NoMateWithin(plies) => self.refute(plies, header.first).map(|()| None),
            Claim::NoMate => self.refute(UNBOUNDED, header.first).map(|()| None),
        }
    }

    fn mate(&mut self, first: Option<Move16>) -> Result<u16, Fault> {
        let mut levels: Vec<Level> = Vec::new();
        self.open_mate(NODE, &mut levels)?;
        if first.is_some_and(|first| self.path != [first]) {
            return Err(Fault::OtherCheck(self.path[0]));
        }
        loop {
            let Some(level) = levels.last_mut() else { return Err(Fault::End) };
            self.take_back(level.played.split_off(1));
            let check = level.played[0].mv();
            let node = level.number;
            let Some(&reply) = level.moves.get(level.next) else {
                let length = level.longest + 1;
                if level.moves.is_empty() {
                    (self.visit)(CertificateStep { node, check, reply: None, to: None });
                }
                self.nodes[node].plies = Some(length);
                self.close(&mut levels);
                let Some(above) = levels.last_mut() else { return Ok(length) };
                above.longest = above.longest.max(length.saturating_add(1)).min(UNBOUNDED - 1);
                continue;
            };
            level.next += 1;
            level.played.push(self.play(reply));
            let token = self.reader.varint()?;
            let to = if token < REFERENCE { self.nodes.len() } else { self.referred(token)? };
            (self.visit)(CertificateStep { node, check, reply: Some(reply), to: Some(to) });
            match token {
                FORBIDDEN => return Err(Fault::Token),
                NODE | NODE_OF_OTHER_HAND => self.open_mate(token, &mut levels)?,
                _ if !self.player.hand().is_at_least(self.nodes[to].hand) => return Err(Fault::Hand(to)),
                _ => {
                    let length = self.nodes[to].plies.ok_or(Fault::Unfinished(to))?;
                    level.longest = level.longest.max(length.saturating_add(1)).min(UNBOUNDED - 1);
                }
            }
        }
    }

    /// Reads the check of a node and plays it.
    fn open_mate(&mut self, token: u64, levels: &mut Vec<Level>) -> Result<(), Fault> {
        let mut level = self.open(token, self.player.attacker, None)?;
        let check = self.reader.mv()?;
        if !self.player.state.is_legal(check) || !self.player.state.gives_check(check) {
            return Err(Fault::NoCheck(check));
        }
        level.played.push(self.play(check));
        level.moves = self.player.moves(MoveSet::Legal);
        levels.push(level);
        Ok(())
    }

    fn refute(&mut self, bound: u16, first: Option<Move16>) -> Result<(), Fault> {
        let defender = color::opponent(self.player.attacker);
        let mut level = self.open(NODE, defender, Some(bound))?;
        level.moves = self.player.moves(MoveSet::Checks);
        if let Some(first) = first {
            if !level.moves.contains(&first) {
                return Err(Fault::NoCheck(first));
            }
            level.moves = Vec::from([first]);
        }
        let mut levels = Vec::from([level]);
        while let Some(level) = levels.last_mut() {
            self.take_back(core::mem::take(&mut level.played));
            let node = level.number;
            let Some(&check) = level.moves.get(level.next) else {
                self.close(&mut levels);
                continue;
            };
            level.next += 1;
            level.played.push(self.play(check));
            let bound = self.nodes[node].plies.unwrap_or(UNBOUNDED);
            if bound <= 1 {
                if !self.player.state.has_legal_move() {
                    return Err(Fault::IsMate);
                }
                (self.visit)(CertificateStep { node, check, reply: None, to: None });
                continue;
            }
            let reply = self.reader.mv()?;
            level.played.push(self.play_reply(reply)?);
            let below = if bound == UNBOUNDED { UNBOUNDED } else { bound - 2 };
            let token = self.reader.varint()?;
            let to = match token {
                FORBIDDEN => None,
                NODE | NODE_OF_OTHER_HAND => Some(self.nodes.len()),
                _ => Some(self.referred(token)?),
            };
            (self.visit)(CertificateStep { node, check, reply: Some(reply), to });
            match to {
                None => self.check_forbidden()?,
                Some(to) if to < self.nodes.len() => self.check_reference(to, below)?,
                Some(_) => {
                    let mut level = self.open(token, defender, Some(below))?;
                    level.moves = self.player.moves(MoveSet::Checks);
                    levels.push(level);
                }
            }
        }
        Ok(())
    }

    fn check_forbidden(&self) -> Result<(), Fault> {
        let board = self.player.board();
        let hand = self.player.hand();
        let is_forbidden = self.forbidden.iter().any(|known| known.0 == board && known.1.is_at_least(hand));
        if is_forbidden { Ok(()) } else { Err(Fault::NotForbidden) }
    }

    fn check_reference(&self, node: usize, needed: u16) -> Result<(), Fault> {
        if !self.nodes[node].hand.is_at_least(self.player.hand()) {
            return Err(Fault::Hand(node));
        }
        let excluded = self.nodes[node].plies.unwrap_or(0);
        if excluded < needed { Err(Fault::Bound { node, excluded, needed }) } else { Ok(()) }
    }

    /// The node that a token refers to, whose board must be the present one.
    fn referred(&self, token: u64) -> Result<usize, Fault> {
        let back = usize::try_from(token - REFERENCE).map_err(|_| Fault::NoNode(token))?;
        let node = (self.nodes.len() - 1).checked_sub(back).ok_or(Fault::NoNode(token))?;
        if self.nodes[node].board == self.player.board() { Ok(node) } else { Err(Fault::Board(node)) }
    }

    /// Begins a node, after the pieces that a side gives to the other.
    fn open(&mut self, token: u64, giver: Color, plies: Option<u16>) -> Result<Level, Fault> {
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
        self.nodes.push(Node { board: self.player.board(), hand: self.player.hand(), plies });
        Ok(Level { number, hand, moves: Vec::new(), next: 0, played: Vec::new(), longest: 0 })
    }

    /// Leaves a node.
    fn close(&mut self, levels: &mut Vec<Level>) {
        if let Some(level) = levels.pop() {
            self.take_back(level.played);
            self.player.set_hand(level.hand);
        }
    }

    fn play_reply(&mut self, mv: Move16) -> Result<Undo, Fault> {
        if self.player.state.is_legal(mv) { Ok(self.play(mv)) } else { Err(Fault::Illegal(mv)) }
    }

    fn play(&mut self, mv: Move16) -> Undo {
        self.path.push(mv);
        self.player.state.do_move(mv)
    }

    fn take_back(&mut self, played: Vec<Undo>) {
        self.path.truncate(self.path.len() - played.len());
        self.player.take_back(played);
    }
}
