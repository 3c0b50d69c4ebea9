//! The legal moves of a setup, found in the slow and obvious way: every piece to every square, every promotion, every drop.
//! Each is made on a board of 81 squares and is legal if the king cannot be taken afterwards.
//!
//! It shares no code with `komabako-rules`, for which it is the oracle.

use std::collections::BTreeSet;

use komabako_board::{
    BaseKind, Color, File, Move, Piece, PieceKind, Rank, Setup, Square, color, kind, square,
};

/// The legal moves.
pub fn legal_moves(setup: &Setup) -> BTreeSet<Move> {
    let board = Board::of(setup);
    let is_allowed = |mv: &Move| {
        let after = board.after(*mv);
        !(after.can_take_king(board.side) || is_pawn_drop(*mv) && after.is_mated())
    };
    board.pseudo_legal_moves().filter(is_allowed).collect()
}

/// The moves that the pieces can make, even if they leave the king in check.
pub fn pseudo_legal_moves(setup: &Setup) -> BTreeSet<Move> {
    Board::of(setup).pseudo_legal_moves().collect()
}

/// The setup after a pseudo-legal move.
///
/// # Panics
/// If the move captures a king.
pub fn after(setup: &Setup, mv: Move) -> Setup {
    let board = Board::of(setup).after(mv);
    let mut setup = Setup::EMPTY;
    for square in square::all() {
        if let Some(piece) = board.squares[square.array_index()] {
            setup.place(square, piece).expect("a move adds no piece");
        }
    }
    for side in [Color::Black, Color::White] {
        for kind in BaseKind::IN_HAND {
            let count = board.hands[side.array_index()][kind as usize];
            setup.set_hand_count(side, kind, count).expect("a move adds no piece");
        }
    }
    setup.set_side_to_move(board.side);
    setup
}

/// Whether a colour's king could be taken if the other side were to move.
pub fn is_in_check(setup: &Setup, king: Color) -> bool {
    Board::of(setup).can_take_king(king)
}

/// What a legal move wins by the captures on its square, as `komabako_rules::Keyless::exchange` defines it: each capture by the attacker
/// of least value, found by trying all pieces on a board from which those that took are gone.
pub fn exchange(setup: &Setup, mv: Move) -> i32 {
    let board = Board::of(setup);
    let (Move::Normal { to, .. } | Move::Drop { to, .. }) = mv;
    let after = board.after(mv);
    let won = board.material_of(board.side) - board.material_of(color::opponent(board.side));
    let won_after = after.material_of(board.side) - after.material_of(color::opponent(board.side));
    let dropped = if let Move::Drop { piece, .. } = mv { material(piece) } else { 0 };
    won_after - won - dropped - after.best_on(to)
}

/// The greatest [`exchange`] of the legal moves that capture or promote.
pub fn best_capture(setup: &Setup) -> Option<i32> {
    let takes = |mv: &Move| match *mv {
        Move::Normal { to, promote, .. } => promote || setup.piece_at(to).is_some(),
        Move::Drop { .. } => false,
    };
    legal_moves(setup).into_iter().filter(takes).map(|mv| exchange(setup, mv)).max()
}

/// Whether a position with a recorded move is quiet: no check, no capture or promotion that wins 100 or more, and a legal move that
/// neither captures nor promotes nor gives check.
pub fn is_quiet(setup: &Setup, mv: Move) -> bool {
    let side = setup.side_to_move();
    let quiet_kind = match mv {
        Move::Normal { to, promote, .. } => !promote && setup.piece_at(to).is_none(),
        Move::Drop { .. } => true,
    };
    quiet_kind
        && legal_moves(setup).contains(&mv)
        && !is_in_check(setup, side)
        && !is_in_check(&after(setup, mv), color::opponent(side))
        && best_capture(setup).is_none_or(|won| won < 100)
}

fn material(piece: Piece) -> i32 {
    match piece.to_parts().0 {
        PieceKind::Pawn => 90,
        PieceKind::Lance => 315,
        PieceKind::Knight => 405,
        PieceKind::Silver => 495,
        PieceKind::Bishop => 855,
        PieceKind::Rook => 990,
        PieceKind::ProBishop => 945,
        PieceKind::ProRook => 1395,
        PieceKind::King => 0,
        _ => 540,
    }
}

#[derive(Clone)]
struct Board {
    squares: [Option<Piece>; square::COUNT],
    hands: [[u8; 8]; 2],
    side: Color,
}

fn is_pawn_drop(mv: Move) -> bool {
    matches!(mv, Move::Drop { piece, .. } if piece.to_parts().0 == PieceKind::Pawn)
}

impl Board {
    fn of(setup: &Setup) -> Self {
        let mut squares = [None; square::COUNT];
        square::all().for_each(|square| squares[square.array_index()] = setup.piece_at(square));
        let hands =
            [Color::Black, Color::White].map(|side| BaseKind::ALL.map(|kind| setup.hand(side).count(kind)));
        Self { squares, hands, side: setup.side_to_move() }
    }

    fn pseudo_legal_moves(&self) -> impl Iterator<Item = Move> + '_ {
        let board_moves = self.pieces(self.side).flat_map(move |(from, piece)| {
            square::all()
                .filter(move |&to| self.reaches(from, to))
                .flat_map(move |to| [false, true].map(|promote| (to, promote)))
                .filter(move |&(to, promote)| may_promote(piece, from, to, promote))
                .map(move |(to, promote)| Move::Normal { from, to, promote })
        });
        let drops = BaseKind::IN_HAND.into_iter().flat_map(move |kind| {
            let piece = Piece::new(kind.unpromoted(), self.side);
            let in_hand = self.hands[self.side.array_index()][kind as usize] > 0;
            square::all()
                .filter(move |&to| in_hand && self.squares[to.array_index()].is_none())
                .filter(move |&to| !is_dead_end(piece, to))
                .filter(move |&to| kind != BaseKind::Pawn || !self.has_pawn_on(File::of(to)))
                .map(move |to| Move::Drop { piece, to })
        });
        board_moves.chain(drops)
    }

    fn pieces(&self, side: Color) -> impl Iterator<Item = (Square, Piece)> + '_ {
        square::all()
            .filter_map(|square| Some((square, self.squares[square.array_index()]?)))
            .filter(move |(_, piece)| piece.to_parts().1 == side)
    }

    fn has_pawn_on(&self, file: File) -> bool {
        let pawn = Piece::new(PieceKind::Pawn, self.side);
        self.pieces(self.side).any(|(square, piece)| piece == pawn && File::of(square) == file)
    }

    /// Whether the piece on a square can go to another square that has no piece of its own side.
    fn reaches(&self, from: Square, to: Square) -> bool {
        let Some(piece) = self.squares[from.array_index()] else { return false };
        let (kind, side) = piece.to_parts();
        if from == to || self.squares[to.array_index()].is_some_and(|other| other.to_parts().1 == side) {
            return false;
        }
        let (file, rank) = difference(from, to, side);
        let step = file.abs().max(rank.abs()) == 1;
        let straight = file == 0 || rank == 0;
        let diagonal = file.abs() == rank.abs();
        let free = || self.is_free_between(from, to);
        match kind {
            PieceKind::Pawn => (file, rank) == (0, 1),
            PieceKind::Lance => file == 0 && rank > 0 && free(),
            PieceKind::Knight => file.abs() == 1 && rank == 2,
            PieceKind::Silver => step && (rank == 1 || diagonal),
            PieceKind::Bishop => diagonal && free(),
            PieceKind::Rook => straight && free(),
            PieceKind::King => step,
            PieceKind::ProBishop => step || diagonal && free(),
            PieceKind::ProRook => step || straight && free(),
            PieceKind::Gold
            | PieceKind::ProPawn
            | PieceKind::ProLance
            | PieceKind::ProKnight
            | PieceKind::ProSilver => step && (rank == 1 || straight),
        }
    }

    /// Whether no piece is between two squares of a rank, a file or a diagonal.
    fn is_free_between(&self, from: Square, to: Square) -> bool {
        let (file, rank) = difference(from, to, Color::White);
        let distance = file.abs().max(rank.abs());
        (1..distance).all(|step| {
            let index = from.array_index() as i32 + (file.signum() * 9 + rank.signum()) * step;
            self.squares[index as usize].is_none()
        })
    }

    fn after(&self, mv: Move) -> Board {
        let mut board = self.clone();
        let hand = &mut board.hands[self.side.array_index()];
        match mv {
            Move::Normal { from, to, promote } => {
                let moved = board.squares[from.array_index()].take();
                if let Some(captured) = board.squares[to.array_index()] {
                    hand[BaseKind::of(captured.to_parts().0) as usize] += 1;
                }
                board.squares[to.array_index()] = if promote { moved.map(promoted) } else { moved };
            }
            Move::Drop { piece, to } => {
                hand[BaseKind::of(piece.to_parts().0) as usize] -= 1;
                board.squares[to.array_index()] = Some(piece);
            }
        }
        board.side = color::opponent(self.side);
        board
    }

    /// The value of a side's pieces on the board.
    fn material_of(&self, side: Color) -> i32 {
        self.pieces(side).map(|(_, piece)| material(piece)).sum()
    }

    /// What the side to move wins by captures on a square.
    fn best_on(&self, to: Square) -> i32 {
        let takers = self.pieces(self.side).filter(|&(from, _)| self.reaches(from, to));
        let order = |&(from, piece): &(Square, Piece)| {
            let is_king = piece.to_parts().0 == PieceKind::King;
            (is_king, material(piece), from.array_index())
        };
        let Some((from, piece)) = takers.min_by_key(order) else { return 0 };
        let after = self.after(Move::Normal { from, to, promote: may_promote(piece, from, to, true) });
        let is_king = piece.to_parts().0 == PieceKind::King;
        if is_king && after.pieces(after.side).any(|(other, _)| after.reaches(other, to)) {
            return 0;
        }
        let opponent = color::opponent(self.side);
        let taken = self.material_of(opponent) - after.material_of(opponent);
        let promotion = after.material_of(self.side) - self.material_of(self.side);
        (taken + promotion - after.best_on(to)).max(0)
    }

    /// Whether a piece attacks this side's king.
    fn can_take_king(&self, owner: Color) -> bool {
        let taker = color::opponent(owner);
        let king = Piece::new(PieceKind::King, owner);
        square::all()
            .filter(|square| self.squares[square.array_index()] == Some(king))
            .any(|king| self.pieces(taker).any(|(from, _)| self.reaches(from, king)))
    }

    /// Whether the side to move is in check and has no move out of it. A pawn drop cannot answer a pawn's check, so that
    /// drops need not be tested for mate themselves.
    fn is_mated(&self) -> bool {
        self.can_take_king(self.side)
            && self.pseudo_legal_moves().all(|mv| self.after(mv).can_take_king(self.side))
    }
}

/// The distance from `from` to `to`: files to the left, ranks forward, as the side sees them.
fn difference(from: Square, to: Square, side: Color) -> (i32, i32) {
    let number = |square| (i32::from(File::of(square).number()), i32::from(Rank::of(square).number()));
    let (from_file, from_rank) = number(from);
    let (to_file, to_rank) = number(to);
    let down = to_rank - from_rank;
    (to_file - from_file, if side == Color::White { down } else { -down })
}

/// The ranks from a square to the far edge.
fn ranks_ahead(square: Square, side: Color) -> u8 {
    let rank = Rank::of(square).number();
    if side == Color::Black { rank - 1 } else { 9 - rank }
}

fn is_dead_end(piece: Piece, square: Square) -> bool {
    let (kind, side) = piece.to_parts();
    let needed = match kind {
        PieceKind::Pawn | PieceKind::Lance => 1,
        PieceKind::Knight => 2,
        _ => 0,
    };
    ranks_ahead(square, side) < needed
}

fn may_promote(piece: Piece, from: Square, to: Square, promote: bool) -> bool {
    let (piece_kind, side) = piece.to_parts();
    if !promote {
        return !is_dead_end(piece, to);
    }
    let can = BaseKind::of(piece_kind).can_promote() && !kind::is_promoted(piece_kind);
    can && [from, to].into_iter().any(|square| ranks_ahead(square, side) < 3)
}

fn promoted(piece: Piece) -> Piece {
    let (kind, side) = piece.to_parts();
    BaseKind::of(kind).promoted().map_or(piece, |kind| Piece::new(kind, side))
}
