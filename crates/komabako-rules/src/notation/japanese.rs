//! Japanese text as in KI2 files: `▲7六歩`, `△同金右`, `▲5五角打`.
//!
//! Words that distinguish the move from moves of other pieces of the same kind follow the rules of the Japan Shogi Association:
//! first the direction (上 forward, 寄 sideways, 引 back) if only this piece moves that way; then 直 for a step straight
//! forward, 右 or 左 by the side that the piece comes from; then side and direction together. Dragons, horses, bishops and rooks
//! (and lances) have no 直; if one of two is straight behind, it is 右 or 左 relative to the other. A drop is marked 打 only if a
//! piece on the board could go there. A piece that could promote and does not is marked 不成.

use core::fmt;

use komabako_board::{BaseKind, Bitboard, Color, File, PieceKind, Rank, Square, kind};

use super::MoveTextError;
use super::words::{self, Reader};
use crate::Move16;
use crate::state::State;
use crate::zobrist::Key;

/// A move in Japanese notation, see [`State::japanese`].
///
/// Its `Display` writes the file as an ASCII digit (`▲7六歩`), the alternate form `{:#}` as a full-width one (`▲７六歩`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Japanese {
    side: Color,
    to: Square,
    /// Whether the move before went to the same square.
    is_same: bool,
    /// The piece before the move.
    kind: PieceKind,
    is_drop: bool,
    from_side: Option<Side>,
    direction: Option<Direction>,
    /// Whether it promotes, if it might.
    promotes: Option<bool>,
}

/// The side that a piece comes from, as its player sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    Right,
    Left,
    Straight,
}

/// The direction in which a piece moves, as its player sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Direction {
    Forward,
    Sideways,
    Back,
}

impl Side {
    /// The side of `from` as seen from `to`.
    fn of(from: Square, to: Square, player: Color) -> Self {
        let files = i32::from(File::of(from).number()) - i32::from(File::of(to).number());
        // Files are numbered from Black's right.
        match if player == Color::Black { files } else { -files } {
            0 => Side::Straight,
            ..0 => Side::Right,
            _ => Side::Left,
        }
    }

    const fn text(self) -> &'static str {
        match self {
            Side::Right => "右",
            Side::Left => "左",
            Side::Straight => "直",
        }
    }
}

impl Direction {
    fn of(from: Square, to: Square, player: Color) -> Self {
        let ranks = i32::from(Rank::of(to).number()) - i32::from(Rank::of(from).number());
        match if player == Color::Black { ranks } else { -ranks } {
            0 => Direction::Sideways,
            ..0 => Direction::Forward,
            _ => Direction::Back,
        }
    }

    const fn text(self) -> &'static str {
        match self {
            Direction::Forward => "上",
            Direction::Sideways => "寄",
            Direction::Back => "引",
        }
    }
}

impl<K: Key> State<K> {
    /// A legal move in Japanese notation; `previous` is the target of the move before it, for 同. `None` if the move is not
    /// legal.
    ///
    /// ```
    /// use komabako_rules::State;
    /// let state: State = State::start();
    /// let mv = "4i5h".parse().unwrap();
    /// assert_eq!(state.japanese(mv, None).unwrap().to_string(), "▲5八金右");
    /// assert_eq!(state.parse_japanese("▲５八金右", None), Ok(mv));
    /// ```
    pub fn japanese(&self, mv: Move16, previous: Option<Square>) -> Option<Japanese> {
        if !self.is_legal(mv) {
            return None;
        }
        let side = self.side_to_move();
        let to = mv.to()?;
        let is_same = previous == Some(to);
        let plain = Japanese {
            side,
            to,
            is_same,
            kind: PieceKind::Pawn,
            is_drop: false,
            from_side: None,
            direction: None,
            promotes: None,
        };
        if let Some(base) = mv.dropped() {
            let kind = base.unpromoted();
            let is_drop = !self.movers(kind, to).is_empty();
            return Some(Japanese { kind, is_drop, ..plain });
        }
        let from = mv.from()?;
        let (kind, _) = self.piece_at(from)?.to_parts();
        let (from_side, direction) = self.distinction(kind, from, to);
        let might_promote = self.is_pseudo_legal(Move16::board(from, to, true));
        let promotes = might_promote.then_some(mv.is_promotion());
        Some(Japanese { kind, from_side, direction, promotes, ..plain })
    }

    /// The legal move named by Japanese text; `previous` is the target of the move before it, for 同.
    ///
    /// Accepts both kinds of digits, text with any mark of the side (▲△ ▼▽ ☗☖) or without one, blanks after 同, 行 for
    /// 上, 生 for 不成, 竜 王 杏 圭 全, and more words than necessary. A source at the end, `(77)`, must agree with
    /// the piece, and overrides the words. A drop may lack 打 if no piece on the board can legally go there: programs differ
    /// on pinned pieces.
    ///
    /// # Errors
    /// [`MoveTextError`].
    pub fn parse_japanese(&self, text: &str, previous: Option<Square>) -> Result<Move16, MoveTextError> {
        match self.read_japanese(text, previous)? {
            (mv, length) if length == text.len() => Ok(mv),
            (_, length) => Err(MoveTextError::Syntax(length)),
        }
    }

    /// The legal move at the start of a text, in Japanese notation, and the number of bytes that name it.
    ///
    /// # Errors
    /// As [`parse_japanese`](State::parse_japanese).
    pub fn read_japanese(
        &self,
        text: &str,
        previous: Option<Square>,
    ) -> Result<(Move16, usize), MoveTextError> {
        let mut reader = Reader::new(text);
        if reader.side().is_some_and(|side| side != self.side_to_move()) {
            return Err(MoveTextError::Side);
        }
        let to = if reader.word("同") {
            reader.blanks();
            previous.ok_or(MoveTextError::NoSuchMove)?
        } else {
            reader.square().ok_or(MoveTextError::Syntax(reader.at))?
        };
        let kind = reader.kind().ok_or(MoveTextError::Syntax(reader.at))?;
        let from_side =
            reader.one_of([Side::Right, Side::Left, Side::Straight].map(|side| (side.text(), side)));
        let direction = reader.one_of([
            ("上", Direction::Forward),
            ("行", Direction::Forward),
            ("寄", Direction::Sideways),
            ("引", Direction::Back),
        ]);
        let is_drop = reader.word("打");
        let promotes = reader.one_of([("不成", false), ("生", false), ("成", true)]).unwrap_or(false);
        let source = reader.source();

        let is_from = |from: Square| match source {
            Some(source) => source == from,
            None => {
                from_side.is_none_or(|side| self.is_on_side(kind, from, to, side))
                    && direction.is_none_or(|words| Direction::of(from, to, self.side_to_move()) == words)
            }
        };
        let movers = if is_drop { Bitboard::EMPTY } else { self.movers(kind, to) };
        let mut described = movers
            .into_iter()
            .filter(|&from| is_from(from))
            .map(|from| Move16::board(from, to, promotes))
            .filter(|&mv| self.is_legal(mv));
        // Two moves are enough to know that the text is ambiguous.
        match (described.next(), described.next()) {
            (Some(mv), None) => return Ok((mv, reader.at)),
            (Some(a), Some(b)) => return Err(MoveTextError::Ambiguous(a, b)),
            (None, _) => {}
        }
        let base = BaseKind::of(kind);
        // A drop has no origin: any word about an origin means a move on the board.
        let is_bare = source.is_none() && from_side.is_none() && direction.is_none() && !promotes;
        if is_bare
            && base.unpromoted() == kind
            && let Some(mv) = Move16::drop(base, to)
            && self.is_legal(mv)
        {
            Ok((mv, reader.at))
        } else {
            Err(MoveTextError::NoSuchMove)
        }
    }

    /// The pieces of a kind of the side to move that can go to a square, pinned ones included.
    fn movers(&self, piece: PieceKind, to: Square) -> Bitboard {
        let base = BaseKind::of(piece);
        let mut movers = self.kinds[base as usize] & self.colors[self.side_to_move().array_index()];
        movers =
            if kind::is_promoted(piece) { movers & self.promoted } else { movers.without(self.promoted) };
        // A piece that can go there at all can go there promoting or not.
        let can = |from| {
            [false, true].into_iter().any(|promotes| self.is_pseudo_legal(Move16::board(from, to, promotes)))
        };
        movers.into_iter().filter(|&from| can(from)).collect()
    }

    /// The words that distinguish a piece's move from the moves of other pieces of its kind.
    fn distinction(&self, kind: PieceKind, from: Square, to: Square) -> (Option<Side>, Option<Direction>) {
        let player = self.side_to_move();
        let others = self.movers(kind, to).without(Bitboard::of(from));
        if others.is_empty() {
            return (None, None);
        }
        let direction = Direction::of(from, to, player);
        if others.into_iter().all(|other| Direction::of(other, to, player) != direction) {
            return (None, Some(direction));
        }
        let side = self.side_of(kind, from, to);
        // 直 already means forward, so that no direction is needed.
        let is_enough = |side| others.into_iter().all(|other| self.side_of(kind, other, to) != side);
        if side == Side::Straight || is_enough(side) {
            (Some(side), None)
        } else {
            (Some(side), Some(direction))
        }
    }

    /// Whether a piece comes from a side in the sense of the notation: 直 is a step straight forward.
    fn is_on_side(&self, kind: PieceKind, from: Square, to: Square, side: Side) -> bool {
        self.side_of(kind, from, to) == side
            && (side != Side::Straight || Direction::of(from, to, self.side_to_move()) == Direction::Forward)
    }

    /// The side in the sense of the notation. A slider is never 直: it is on the side opposite to the other piece.
    fn side_of(&self, kind: PieceKind, from: Square, to: Square) -> Side {
        let player = self.side_to_move();
        let side = Side::of(from, to, player);
        let is_slider =
            matches!(BaseKind::of(kind), BaseKind::Bishop | BaseKind::Rook) || kind == PieceKind::Lance;
        if side != Side::Straight || !is_slider {
            return side;
        }
        let others = self.movers(kind, to).without(Bitboard::of(from));
        // At most one other piece exists: a set has two of each, and only the nearest lance on a file can get there.
        match others.first().map(|other| Side::of(other, to, player)) {
            Some(Side::Right) => Side::Left,
            Some(Side::Left) => Side::Right,
            Some(Side::Straight) | None => Side::Straight,
        }
    }
}

impl Japanese {
    /// The move in the form of KI2 files: full-width digits, and a full-width blank after 同 (`▲同　歩`).
    pub fn ki2(self) -> impl fmt::Display {
        Ki2(self)
    }

    /// The words that distinguish the move from moves of other pieces, as the letters of JKF's `relative`: L C R for 左 直 右, U M D
    /// for 上 寄 引, H for 打.
    pub fn relative(self) -> impl Iterator<Item = char> {
        let side = self.from_side.map(|side| match side {
            Side::Left => 'L',
            Side::Straight => 'C',
            Side::Right => 'R',
        });
        let direction = self.direction.map(|direction| match direction {
            Direction::Forward => 'U',
            Direction::Sideways => 'M',
            Direction::Back => 'D',
        });
        side.into_iter().chain(direction).chain(self.is_drop.then_some('H'))
    }

    /// The piece and the words after it.
    fn write_piece(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(words::japanese_name(self.kind))?;
        f.write_str(self.from_side.map_or("", Side::text))?;
        f.write_str(self.direction.map_or("", Direction::text))?;
        f.write_str(if self.is_drop { "打" } else { "" })?;
        f.write_str(self.promotes.map_or("", |promotes| if promotes { "成" } else { "不成" }))
    }

    const fn mark(&self) -> &'static str {
        match self.side {
            Color::Black => "▲",
            Color::White => "△",
        }
    }
}

struct Ki2(Japanese);

impl fmt::Display for Ki2 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Ki2(mv) = self;
        if mv.is_same {
            write!(f, "{}同　", mv.mark())?;
            mv.write_piece(f)
        } else {
            write!(f, "{mv:#}")
        }
    }
}

impl fmt::Display for Japanese {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.mark())?;
        let file = File::of(self.to);
        let rank = words::rank(Rank::of(self.to));
        if self.is_same {
            f.write_str("同")?;
        } else if f.alternate() {
            write!(f, "{}{rank}", words::wide_digit(file))?;
        } else {
            write!(f, "{}{rank}", file.number())?;
        }
        self.write_piece(f)
    }
}
