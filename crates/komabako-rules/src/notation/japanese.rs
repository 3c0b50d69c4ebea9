//! Japanese text as in KI2 files: `▲7六歩`, `△同金右`, `▲5五角打`.
//!
//! Words that tell the move from those of other pieces of the same kind follow the rules of the Japan Shogi Association:
//! first the direction (上 forward, 寄 sideways, 引 back) if only this piece moves so; then 直 for a step straight
//! forward, 右 or 左 by where the piece comes from; then side and direction together. Dragons, horses, bishops and rooks
//! (and lances) have no 直; of two of them the one straight behind is 右 or 左 of the other. A drop is marked 打 only if a piece of
//! the board could go there. A piece that could promote and does not is marked 不成.

use core::fmt;

use komabako_board::{BaseKind, Bitboard, Color, File, PieceKind, Rank, Square, kind, square};

use super::MoveTextError;
use crate::list::MoveList;
use crate::state::State;
use crate::zobrist::Key;
use crate::{Move16, MoveSet};

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

/// Where a piece comes from, as its player sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    Right,
    Left,
    Straight,
}

/// Which way a piece goes, as its player sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Direction {
    Forward,
    Sideways,
    Back,
}

const KINDS: [(PieceKind, &str); 14] = [
    (PieceKind::Pawn, "歩"),
    (PieceKind::Lance, "香"),
    (PieceKind::Knight, "桂"),
    (PieceKind::Silver, "銀"),
    (PieceKind::Gold, "金"),
    (PieceKind::Bishop, "角"),
    (PieceKind::Rook, "飛"),
    (PieceKind::King, "玉"),
    (PieceKind::ProPawn, "と"),
    (PieceKind::ProLance, "成香"),
    (PieceKind::ProKnight, "成桂"),
    (PieceKind::ProSilver, "成銀"),
    (PieceKind::ProBishop, "馬"),
    (PieceKind::ProRook, "龍"),
];
/// Other names, read only.
const OTHER_KINDS: [(PieceKind, &str); 5] = [
    (PieceKind::King, "王"),
    (PieceKind::ProLance, "杏"),
    (PieceKind::ProKnight, "圭"),
    (PieceKind::ProSilver, "全"),
    (PieceKind::ProRook, "竜"),
];
const RANKS: [&str; 9] = ["一", "二", "三", "四", "五", "六", "七", "八", "九"];
const WIDE_DIGITS: [&str; 9] = ["１", "２", "３", "４", "５", "６", "７", "８", "９"];
const DIGITS: [&str; 9] = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];

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
    /// A legal move in Japanese notation; `previous` is where the move before it went, for 同. `None` if the move is not
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
        let (side, to) = (self.side_to_move(), mv.to()?);
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

    /// The legal move that Japanese text names; `previous` is where the move before it went, for 同.
    ///
    /// Read are both kinds of digits, the text without its mark of the side (▲△ ☗☖), spaces after 同, 行 for 上, 生 for 不成,
    /// 竜 王 杏 圭 全, and words that say more than is needed.
    ///
    /// # Errors
    /// [`MoveTextError`].
    pub fn parse_japanese(&self, text: &str, previous: Option<Square>) -> Result<Move16, MoveTextError> {
        let mut reader = Reader { text, at: 0 };
        let side = reader.one_of([
            ("▲", Color::Black),
            ("☗", Color::Black),
            ("△", Color::White),
            ("☖", Color::White),
        ]);
        if side.is_some_and(|side| side != self.side_to_move()) {
            return Err(MoveTextError::Side);
        }
        let to = if reader.one_of([("同", ())]).is_some() {
            while reader.one_of([("　", ()), (" ", ())]).is_some() {}
            previous.ok_or(MoveTextError::NoSuchMove)?
        } else {
            reader.square().ok_or(MoveTextError::Syntax(reader.at))?
        };
        let kinds = KINDS.into_iter().chain(OTHER_KINDS).map(|(kind, name)| (name, kind));
        let kind = reader.one_of(kinds).ok_or(MoveTextError::Syntax(reader.at))?;
        let from_side =
            reader.one_of([Side::Right, Side::Left, Side::Straight].map(|side| (side.text(), side)));
        let direction = reader.one_of([
            ("上", Direction::Forward),
            ("行", Direction::Forward),
            ("寄", Direction::Sideways),
            ("引", Direction::Back),
        ]);
        let is_drop = reader.one_of([("打", ())]).is_some();
        let promotes = reader.one_of([("不成", false), ("生", false), ("成", true)]).unwrap_or(false);
        if reader.at < text.len() {
            return Err(MoveTextError::Syntax(reader.at));
        }

        let mut legal = MoveList::new();
        self.generate(MoveSet::Legal, &mut legal);
        let describes = |mv: Move16| {
            if mv.to() != Some(to) || mv.is_promotion() != promotes {
                return false;
            }
            if let Some(base) = mv.dropped() {
                // Without 打 a drop is meant only if no piece of the board could go there.
                let is_meant = is_drop || self.movers(kind, to).is_empty();
                return base.unpromoted() == kind && is_meant && from_side.is_none() && direction.is_none();
            }
            let Some(from) = mv.from() else { return false };
            !is_drop
                && self.movers(kind, to).contains(from)
                && from_side.is_none_or(|side| self.side_of(kind, from, to) == side)
                && direction.is_none_or(|direction| Direction::of(from, to, self.side_to_move()) == direction)
        };
        let mut described = legal.iter().copied().filter(|&mv| describes(mv));
        match (described.next(), described.next()) {
            (Some(mv), None) => Ok(mv),
            (Some(a), Some(b)) => Err(MoveTextError::Ambiguous(a, b)),
            (None, _) => Err(MoveTextError::NoSuchMove),
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

    /// The words that tell a piece's move from those of others of its kind.
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
        if others.into_iter().all(|other| self.side_of(kind, other, to) != side) {
            (Some(side), None)
        } else {
            (Some(side), Some(direction))
        }
    }

    /// The side that a piece is said to come from. A slider is never 直: it is on the side that the other one is not.
    fn side_of(&self, kind: PieceKind, from: Square, to: Square) -> Side {
        let player = self.side_to_move();
        let side = Side::of(from, to, player);
        let is_slider =
            matches!(BaseKind::of(kind), BaseKind::Bishop | BaseKind::Rook) || kind == PieceKind::Lance;
        if side != Side::Straight || !is_slider {
            return side;
        }
        let others = self.movers(kind, to).without(Bitboard::of(from));
        match others.first().map(|other| Side::of(other, to, player)) {
            Some(Side::Right) => Side::Left,
            Some(Side::Left) => Side::Right,
            Some(Side::Straight) | None => Side::Straight,
        }
    }
}

impl fmt::Display for Japanese {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { side, to, is_same, kind, is_drop, from_side, direction, promotes } = *self;
        f.write_str(if side == Color::Black { "▲" } else { "△" })?;
        if is_same {
            f.write_str("同")?;
        } else {
            let digits = if f.alternate() { WIDE_DIGITS } else { DIGITS };
            f.write_str(digits[usize::from(File::of(to).number() - 1)])?;
            f.write_str(RANKS[usize::from(Rank::of(to).number() - 1)])?;
        }
        f.write_str(KINDS.iter().find(|&&(named, _)| named == kind).map_or("", |(_, name)| name))?;
        f.write_str(from_side.map_or("", Side::text))?;
        f.write_str(direction.map_or("", Direction::text))?;
        f.write_str(if is_drop { "打" } else { "" })?;
        f.write_str(promotes.map_or("", |promotes| if promotes { "成" } else { "不成" }))
    }
}

/// Reads text word by word.
struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    /// Takes the first of these words that comes next.
    fn one_of<T>(&mut self, words: impl IntoIterator<Item = (&'static str, T)>) -> Option<T> {
        let rest = &self.text[self.at..];
        let (word, meaning) = words.into_iter().find(|(word, _)| rest.starts_with(word))?;
        self.at += word.len();
        Some(meaning)
    }

    fn square(&mut self) -> Option<Square> {
        let numbered = |words: [&'static str; 9]| words.into_iter().zip(1..);
        let file = self.one_of(numbered(DIGITS).chain(numbered(WIDE_DIGITS)))?;
        let rank = self.one_of(numbered(RANKS))?;
        Some(square::at(File::new(file)?, Rank::new(rank)?))
    }
}
