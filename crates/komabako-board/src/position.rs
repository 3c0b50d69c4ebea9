//! [`Position`]: a setup that a game can be played from.

use alloc::vec::Vec;
use core::fmt;
use core::ops::Deref;
use core::str::FromStr;

use komabako_messages::{Lang, Message, messages, say};

use crate::{BaseKind, Bitboard, Color, File, Piece, PieceKind, Rank, Setup, SfenError, Square};

/// A [`Setup`] that a game can be played from: the input of the rules.
///
/// Every setup has at most the pieces of one set and at most one king per colour. A position also has its kings, no two
/// unpromoted pawns of a colour on a file (nifu), and no piece that could never move again (an unpromoted pawn or lance on
/// the last rank, a knight on the last two). Removed pieces are allowed, as in handicap games.
///
/// A position may leave the side that is not to move in check: only the rules, which know how pieces move, can refuse it.
///
/// ```
/// use komabako_board::{Position, Setup};
/// assert_eq!(*Position::new(Setup::START)?, Setup::START);
/// let setup: Setup = "4k4/9/9/9/9/9/4P4/4P4/9 b -".parse()?;
/// let error = Position::new(setup).unwrap_err();
/// assert_eq!(error.to_string(), "Black's king is missing; Black has unpromoted pawns on 5g and 5h of one file");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position(Setup);

/// Everything that keeps a [`Setup`] from being a [`Position`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct PositionError {
    faults: Vec<PositionFault>,
}

/// One reason why a [`Setup`] is not a [`Position`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PositionFault {
    /// The colour has no king.
    KingMissing(Color),
    /// The colour has several unpromoted pawns on one file, on these squares.
    Nifu(Color, Bitboard),
    /// The piece could never move from this square.
    DeadEnd(Square, Piece),
}

impl Position {
    /// The start of an even game (平手).
    pub const START: Position = Position(Setup::START);

    /// The position of a game: both kings are needed.
    ///
    /// # Errors
    /// Every fault of the setup, missing kings first, then nifu, then dead ends.
    #[inline]
    pub fn new(setup: Setup) -> Result<Position, PositionError> {
        Self::with_kings(setup, 2)
    }

    /// The position of a tsume problem: one king is needed, of either colour.
    ///
    /// # Errors
    /// As [`Position::new`], but one king may be missing.
    #[inline]
    pub fn new_tsume(setup: Setup) -> Result<Position, PositionError> {
        Self::with_kings(setup, 1)
    }

    /// A position of which only a part is drawn, as in books: no king is needed.
    ///
    /// # Errors
    /// As [`Position::new`], but the kings may be missing.
    #[inline]
    pub fn new_partial(setup: Setup) -> Result<Position, PositionError> {
        Self::with_kings(setup, 0)
    }

    /// The setup.
    #[inline(always)]
    pub const fn setup(&self) -> &Setup {
        &self.0
    }

    // Kernels call it.
    #[inline(always)]
    fn with_kings(setup: Setup, needed: u32) -> Result<Position, PositionError> {
        if is_sound(&setup, needed) {
            Ok(Position(setup))
        } else {
            Err(PositionError::from_faulty(&setup, needed))
        }
    }
}

impl PositionError {
    /// The faults of a setup that has some.
    #[cold]
    fn from_faulty(setup: &Setup, needed: u32) -> PositionError {
        let mut faults = Vec::new();
        if setup.kind(BaseKind::King).len() < needed {
            let missing =
                [Color::Black, Color::White].into_iter().filter(|&color| setup.king(color).is_none());
            faults.extend(missing.map(PositionFault::KingMissing));
        }
        for color in [Color::Black, Color::White] {
            let pawns = unpromoted(setup, BaseKind::Pawn, color);
            let doubled =
                File::all().map(|file| pawns & Bitboard::file(file)).filter(|pawns| pawns.len() > 1);
            faults.extend(doubled.map(|pawns| PositionFault::Nifu(color, pawns)));
        }
        for (kind, last_ranks) in [(BaseKind::Pawn, 1), (BaseKind::Lance, 1), (BaseKind::Knight, 2)] {
            for color in [Color::Black, Color::White] {
                let dead = unpromoted(setup, kind, color) & farthest_ranks(color, last_ranks);
                let piece = Piece::new(kind.unpromoted(), color);
                faults.extend(dead.into_iter().map(|square| PositionFault::DeadEnd(square, piece)));
            }
        }
        PositionError { faults }
    }
}

/// Whether a setup has no fault, without finding out which: the fast path, without loops over files and squares.
#[inline(always)]
fn is_sound(setup: &Setup, kings: u32) -> bool {
    setup.kind(BaseKind::King).len() >= kings
        && has_sound_pieces(setup, Color::Black)
        && has_sound_pieces(setup, Color::White)
}

/// Whether a colour has no two pawns on a file, and no piece that could never move.
#[inline(always)]
fn has_sound_pieces(setup: &Setup, color: Color) -> bool {
    let pawns = unpromoted(setup, BaseKind::Pawn, color);
    let to_the_end = pawns | unpromoted(setup, BaseKind::Lance, color);
    let knights = unpromoted(setup, BaseKind::Knight, color);
    !pawns.intersects(below(pawns))
        && !to_the_end.intersects(farthest_ranks(color, 1))
        && !knights.intersects(farthest_ranks(color, 2))
}

/// The squares below the squares of a set, on the same files.
#[inline(always)]
fn below(set: Bitboard) -> Bitboard {
    let below = down(set, 1);
    let below = below | down(below, 1);
    let below = below | down(below, 2);
    below | down(below, 4)
}

/// The set moved down by up to four ranks.
#[inline(always)]
fn down(set: Bitboard, ranks: usize) -> Bitboard {
    let [low, high] = set.lanes();
    Bitboard::from_lanes([low << ranks, high << ranks]).without(farthest_ranks(Color::Black, ranks))
}

#[inline(always)]
fn unpromoted(setup: &Setup, kind: BaseKind, color: Color) -> Bitboard {
    (setup.kind(kind) & setup.color(color)).without(setup.promoted())
}

/// The ranks that are farthest from a colour's side of the board: at most four.
#[inline(always)]
fn farthest_ranks(color: Color, count: usize) -> Bitboard {
    const FARTHEST: [[Bitboard; 5]; 2] = {
        let mut sets = [[Bitboard::EMPTY; 5]; 2];
        let mut count = 1;
        while count < 5 {
            let (Some(top), Some(bottom)) = (Rank::new(count), Rank::new(10 - count)) else { unreachable!() };
            let index = count as usize;
            sets[0][index] = union(sets[0][index - 1], Bitboard::rank(top));
            sets[1][index] = union(sets[1][index - 1], Bitboard::rank(bottom));
            count += 1;
        }
        sets
    };
    FARTHEST[color.array_index()][count]
}

const fn union(a: Bitboard, b: Bitboard) -> Bitboard {
    Bitboard::from_u128(a.to_u128() | b.to_u128())
}

impl Deref for Position {
    type Target = Setup;

    #[inline(always)]
    fn deref(&self) -> &Setup {
        &self.0
    }
}

impl FromStr for Position {
    type Err = PositionTextError;

    /// Reads an SFEN, of a game or of a tsume problem, and drops its ply: one king is enough, as for
    /// [`new_tsume`](Self::new_tsume).
    ///
    /// ```
    /// use komabako_board::{Position, PositionTextError};
    /// assert_eq!("startpos".parse(), Ok(Position::START));
    /// assert!(matches!("9/9/9".parse::<Position>(), Err(PositionTextError::Sfen(_))));
    /// assert!(matches!("9/9/9/9/9/9/9/9/9 b -".parse::<Position>(), Err(PositionTextError::Position(_))));
    /// ```
    fn from_str(text: &str) -> Result<Position, PositionTextError> {
        let setup = text.parse().map_err(PositionTextError::Sfen)?;
        Position::new_tsume(setup).map_err(PositionTextError::Position)
    }
}

/// The reason why a text is not a [`Position`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum PositionTextError {
    /// It is not an SFEN.
    Sfen(SfenError),
    /// It is the SFEN of a setup that no game can be played from.
    Position(PositionError),
}

messages! {
    PositionTextError {
        Sfen(error) => "{error}", "{error}";
        Position(error) => "{error}", "{error}";
    }
}

impl core::error::Error for PositionTextError {}

impl From<Position> for Setup {
    fn from(position: Position) -> Setup {
        position.0
    }
}

impl TryFrom<Setup> for Position {
    type Error = PositionError;

    /// As [`new`](Self::new): the position of a game, with both kings.
    fn try_from(setup: Setup) -> Result<Position, PositionError> {
        Position::new(setup)
    }
}

impl fmt::Display for Position {
    /// The canonical SFEN without a ply.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl PositionError {
    /// The faults; at least one.
    pub fn faults(&self) -> &[PositionFault] {
        &self.faults
    }
}

impl Message for PositionError {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, fault) in self.faults.iter().enumerate() {
            if place > 0 {
                say!(f, lang, "; ", "。")?;
            }
            fault.write(lang, f)?;
        }
        Ok(())
    }
}

komabako_messages::english!(PositionError);

impl core::error::Error for PositionError {}

impl PositionFault {
    /// The name of the fault, which is stable between releases: `NIFU`.
    pub const fn name(&self) -> &'static str {
        match self {
            PositionFault::KingMissing(_) => "KING_MISSING",
            PositionFault::Nifu(..) => "NIFU",
            PositionFault::DeadEnd(..) => "DEAD_END",
        }
    }
}

impl Message for PositionFault {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PositionFault::KingMissing(color) => {
                say!(f, lang, "{color}'s king is missing", "{color}の玉がない", color)
            }
            PositionFault::Nifu(color, pawns) => say!(
                f,
                lang,
                "{color} has unpromoted pawns on {pawns} of one file",
                "{color}が {file} 筋で二歩",
                color,
                pawns,
                file = pawns.first().map_or(0, |pawn| File::of(pawn).number())
            ),
            PositionFault::DeadEnd(square, piece) => {
                let (kind, color) = piece.to_parts();
                let name = match kind {
                    PieceKind::Pawn => "pawn",
                    PieceKind::Lance => "lance",
                    _ => "knight",
                };
                say!(
                    f,
                    lang,
                    "{color}'s {name} on {square} could never move",
                    "{color}の{square}は行き所のない{kind}",
                    color,
                    name,
                    square,
                    kind = BaseKind::of(kind)
                )
            }
        }
    }
}

komabako_messages::english!(PositionFault);

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    fn faults(sfen: &str) -> Vec<PositionFault> {
        let setup = sfen.parse().unwrap();
        Position::new(setup).map_or_else(|error| error.faults, |_| Vec::new())
    }

    #[test]
    fn all_faults_are_reported_together() {
        let sfen = "LP2N4/4N1k2/9/9/+pp7/1p2P4/1p2P4/9/+N+L+PnK3p b -";
        let expected = [
            PositionFault::Nifu(
                Color::White,
                [Square::SQ_8E, Square::SQ_8F, Square::SQ_8G].into_iter().collect(),
            ),
            PositionFault::DeadEnd(Square::SQ_8A, Piece::B_P),
            PositionFault::DeadEnd(Square::SQ_1I, Piece::W_P),
            PositionFault::DeadEnd(Square::SQ_9A, Piece::B_L),
            PositionFault::DeadEnd(Square::SQ_5A, Piece::B_N),
            PositionFault::DeadEnd(Square::SQ_5B, Piece::B_N),
            PositionFault::DeadEnd(Square::SQ_6I, Piece::W_N),
        ];
        let nifu_of_black = [Square::SQ_5F, Square::SQ_5G].into_iter().collect();
        let mut all = faults(sfen);
        assert_eq!(all.remove(0), PositionFault::Nifu(Color::Black, nifu_of_black));
        assert_eq!(all, expected);
    }

    #[test]
    fn every_square_has_its_dead_ends() {
        for color in [Color::Black, Color::White] {
            for (kind, last) in [(PieceKind::Pawn, 1), (PieceKind::Lance, 1), (PieceKind::Knight, 2)] {
                for square in crate::square::all() {
                    let mut setup = Setup::EMPTY;
                    setup.place(square, Piece::new(kind, color)).unwrap();
                    let rank = Rank::of(square).number();
                    let ranks_ahead = if color == Color::Black { rank - 1 } else { 9 - rank };
                    let fault = PositionFault::DeadEnd(square, Piece::new(kind, color));
                    let error = Position::new(setup).unwrap_err();
                    assert_eq!(error.faults().contains(&fault), ranks_ahead < last);
                    assert_eq!(error.faults().len(), 2 + usize::from(ranks_ahead < last));
                }
            }
        }
    }

    #[test]
    fn a_tsume_problem_needs_one_king() {
        for (sfen, faults, tsume_faults) in [
            ("4k4/9/9/9/9/9/9/9/4K4 b -", "", ""),
            ("4k4/9/9/9/9/9/9/9/9 b -", "Black's king is missing", ""),
            ("9/9/9/9/9/9/9/9/4K4 b -", "White's king is missing", ""),
            (
                "4k4/9/9/9/9/9/9/9/p8 b -",
                "Black's king is missing; White's pawn on 9i could never move",
                "White's pawn on 9i could never move",
            ),
            (
                "9/9/9/9/9/9/9/9/9 b -",
                "Black's king is missing; White's king is missing",
                "Black's king is missing; White's king is missing",
            ),
        ] {
            let setup: Setup = sfen.parse().unwrap();
            let message = |result: Result<Position, PositionError>| match result {
                Ok(position) => {
                    assert_eq!(Setup::from(position), setup);
                    "".to_string()
                }
                Err(error) => error.to_string(),
            };
            assert_eq!(message(Position::new(setup)), faults, "{sfen}");
            assert_eq!(message(Position::new_tsume(setup)), tsume_faults, "{sfen}");
        }
    }
}
