//! KIF text: `７六歩(77)`, `同　歩(33)`, `２二角成(88)`, `４五角打`.

use core::fmt;

use komabako_board::{BaseKind, File, PieceKind, Rank, Square};

use super::MoveTextError;
use super::words::{self, Reader};
use crate::Move16;
use crate::state::State;
use crate::zobrist::Key;

/// A move in the notation of KIF files, see [`State::kif`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kif {
    to: Square,
    /// Whether the move before went to the same square.
    is_same: bool,
    /// The piece before the move.
    kind: PieceKind,
    promotes: bool,
    from: Option<Square>,
}

impl<K: Key> State<K> {
    /// A pseudo-legal move in KIF notation; `previous` is the target of the move before it, for 同. `None` if the bits name no
    /// move or its origin is empty.
    ///
    /// ```
    /// use komabako_rules::State;
    /// let state: State = State::start();
    /// let mv = "7g7f".parse().unwrap();
    /// assert_eq!(state.kif(mv, None).unwrap().to_string(), "７六歩(77)");
    /// assert_eq!(state.parse_kif("７六歩(77)", None), Ok(mv));
    /// ```
    pub fn kif(&self, mv: Move16, previous: Option<Square>) -> Option<Kif> {
        let to = mv.to()?;
        let is_same = previous == Some(to);
        if let Some(base) = mv.dropped() {
            return Some(Kif { to, is_same, kind: base.unpromoted(), promotes: false, from: None });
        }
        let from = mv.from()?;
        let (kind, _) = self.piece_at(from)?.to_parts();
        Some(Kif { to, is_same, kind, promotes: mv.is_promotion(), from: Some(from) })
    }

    /// The legal move named by KIF text; `previous` is the target of the move before it, for 同.
    ///
    /// Accepts both kinds of digits, a mark of the side, blanks after 同 and after the piece, 不成, all names of pieces, and words
    /// like 右 or 引 before and after 成, which the source makes needless.
    ///
    /// # Errors
    /// [`MoveTextError`]; never [`Ambiguous`](MoveTextError::Ambiguous).
    pub fn parse_kif(&self, text: &str, previous: Option<Square>) -> Result<Move16, MoveTextError> {
        match self.read_kif(text, previous)? {
            (mv, length) if length == text.len() => Ok(mv),
            (_, length) => Err(MoveTextError::Syntax(length)),
        }
    }

    /// The legal move at the start of a text, in KIF notation, and the number of bytes that name it.
    ///
    /// # Errors
    /// As [`parse_kif`](State::parse_kif).
    pub fn read_kif(&self, text: &str, previous: Option<Square>) -> Result<(Move16, usize), MoveTextError> {
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
        reader.blanks();
        // The source decides, so the words that tell pieces apart say nothing new, whether right or wrong.
        reader.directions();
        // 不成 means the same as a missing 成: it is skipped.
        let promotes = !reader.word("不成") && reader.word("成");
        reader.directions();
        reader.blanks();
        let mv = if reader.word("打") {
            let base = BaseKind::of(kind);
            if base.unpromoted() == kind && !promotes { Move16::drop(base, to) } else { None }
        } else {
            let from = reader.source().ok_or(MoveTextError::Syntax(reader.at))?;
            // If a different piece is on the origin, the text belongs to another position, even if the squares make a legal
            // move.
            let stands_there = self.piece_at(from).is_some_and(|piece| piece.to_parts().0 == kind);
            stands_there.then(|| Move16::board(from, to, promotes))
        };
        let mv = mv.filter(|&mv| self.is_legal(mv)).ok_or(MoveTextError::NoSuchMove)?;
        Ok((mv, reader.at))
    }
}

impl fmt::Display for Kif {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_same {
            f.write_str("同　")?;
        } else {
            write!(f, "{}{}", words::wide_digit(File::of(self.to)), words::rank(Rank::of(self.to)))?;
        }
        f.write_str(words::japanese_name(self.kind))?;
        f.write_str(if self.promotes { "成" } else { "" })?;
        match self.from {
            Some(from) => write!(f, "({}{})", File::of(from).number(), Rank::of(from).number()),
            None => f.write_str("打"),
        }
    }
}
