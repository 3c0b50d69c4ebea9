//! [`Player`]: the position that a certificate is at.

use alloc::vec::Vec;

use komabako_board::{BaseKind, Color, Hand, Square, color};
use komabako_rules::{Move16, MoveList, MoveSet, Undo};

use super::{KINDS, TSUME_RULES};
use crate::search::TsumeState;

/// The squares of a position, 5 bits each, and above them its role.
pub(super) type Board = [u64; 7];

/// What is shown of a position: only nodes of the same role stand for each other.
#[derive(Clone, Copy)]
pub(super) enum Role {
    /// The attacker, who is to move, mates.
    Mate,
    /// The defender, who is to move, is mated: a piece that he had dropped was captured and given back.
    Returned,
    /// The attacker, who is to move, does not mate in time.
    Refuted,
    /// The same, though he may also capture the piece just dropped on this square and give it back.
    RefutedDrop(Square),
}

impl Role {
    pub fn number(self) -> u64 {
        match self {
            Role::Mate => 0,
            Role::Returned => 1,
            Role::Refuted => 2,
            Role::RefutedDrop(square) => 3 + square.array_index() as u64,
        }
    }

    /// That of the position after a reply in a refutation.
    #[inline]
    pub fn after_reply(reply: Move16, is_strict: bool) -> Role {
        match reply.to() {
            Some(square) if reply.is_drop() && !is_strict => Role::RefutedDrop(square),
            _ => Role::Refuted,
        }
    }

    /// The square of the piece that was just dropped and may be captured and given back.
    pub fn dropped(self) -> Option<Square> {
        if let Role::RefutedDrop(square) = self { Some(square) } else { None }
    }
}

/// A move that was played, and the kind of the captured piece that went back to the defender.
pub(super) struct Played {
    undo: Undo<u128>,
    returned: Option<BaseKind>,
}

impl Played {
    pub fn mv(&self) -> Move16 {
        self.undo.mv()
    }
}

/// The position that a certificate is at.
pub(super) struct Player {
    pub state: TsumeState,
    pub attacker: Color,
}

impl Player {
    /// The attacker's hand.
    pub fn hand(&self) -> Hand {
        self.state.hand(self.attacker)
    }

    /// The board, exactly: a hash would have to be trusted.
    pub fn board(&self, role: Role) -> Board {
        let mut board = Board::default();
        for (place, square) in Square::all().enumerate() {
            let code = self.state.piece_at(square).map_or(0, |piece| u64::from(piece.as_u8()));
            board[place / 12] |= code << (5 * (place % 12));
        }
        board[6] |= role.number() << 48;
        board
    }

    /// The moves of a set, in the order of their numbers.
    pub fn moves(&self, set: MoveSet) -> Vec<Move16> {
        let mut list = MoveList::new();
        self.state.generate(set, &mut list);
        let mut moves = list.to_vec();
        moves.sort_unstable();
        moves
    }

    /// Exchanges pieces between the hands until the attacker holds this hand.
    pub fn set_hand(&mut self, hand: Hand) {
        let defender = color::opponent(self.attacker);
        for kind in KINDS {
            while self.hand().count(kind) < hand.count(kind) && self.state.give(kind, defender) {}
            while self.hand().count(kind) > hand.count(kind) && self.state.give(kind, self.attacker) {}
        }
    }

    /// The attacker's checks, and if the defender has just dropped a piece on a square, those that capture it.
    pub fn checks(&self, dropped: Option<Square>) -> (Vec<Move16>, Vec<Move16>) {
        let checks = self.moves(MoveSet::Checks);
        if dropped.is_none() {
            return (checks, Vec::new());
        }
        let captures = checks.iter().copied().filter(|mv| !mv.is_drop() && mv.to() == dropped);
        let captures = captures.collect();
        (checks, captures)
    }

    /// Plays a move. With `returns` the piece that it captures goes back to the defender.
    #[inline]
    pub fn play(&mut self, mv: Move16, returns: bool) -> Played {
        let captured = if returns { mv.to().and_then(|to| self.state.piece_at(to)) } else { None };
        let undo = self.state.do_move(mv);
        let returned = captured.map(|piece| BaseKind::of(piece.to_parts().0));
        Played { undo, returned: returned.filter(|&kind| self.state.give(kind, self.attacker)) }
    }

    /// Takes a move back.
    pub fn undo(&mut self, played: Played) {
        if TSUME_RULES && let Some(kind) = played.returned {
            self.state.give(kind, color::opponent(self.attacker));
        }
        self.state.undo_move(played.undo);
    }

    /// Takes moves back, the last one first.
    pub fn take_back(&mut self, played: Vec<Played>) {
        for played in played.into_iter().rev() {
            self.undo(played);
        }
    }
}
