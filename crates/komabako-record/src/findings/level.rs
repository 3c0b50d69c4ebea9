//! [`Level`]: one question to a record; [`Levels`]: those that are asked.

use core::fmt;
use core::str::FromStr;

use alloc::string::String;

use crate::{Field, FileFormat};

/// One question to a record, or to a file (`spec/formats.md` §10). Each is answered by itself: a record can fail several.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Level {
    /// Whether the file consists of whole records.
    Size,
    /// Whether the position decodes.
    Codec,
    /// Whether there are no more pieces of a kind than a set has.
    Inventory,
    /// Whether the position has the bytes that encoding it gives.
    Canonical,
    /// Whether a game can be played from the position: kings, nifu, dead ends, the opponent not in check.
    Rules,
    /// Whether the move is well-formed and legal.
    Move,
    /// Whether the score is one.
    Score,
    /// Whether the result is one of the format's, and the padding beside it zero.
    Result,
    /// Whether the ply is plausible and fits the side to move.
    Ply,
    /// Whether games can be replayed to the end that they declare.
    Stream,
    /// Whether the move is a mate where there is a mate in one. Missing it is no error of the file, so that it is not among
    /// the [default](Levels::DEFAULT).
    Mate,
}

impl Level {
    /// Every level, in the order of the questions.
    pub const ALL: [Level; 11] = [
        Level::Size,
        Level::Codec,
        Level::Inventory,
        Level::Canonical,
        Level::Rules,
        Level::Move,
        Level::Score,
        Level::Result,
        Level::Ply,
        Level::Stream,
        Level::Mate,
    ];

    /// The name by which options and reports know the level.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Size => "size",
            Level::Codec => "codec",
            Level::Inventory => "inventory",
            Level::Canonical => "canonical",
            Level::Rules => "rules",
            Level::Move => "move",
            Level::Score => "score",
            Level::Result => "result",
            Level::Ply => "ply",
            Level::Stream => "stream",
            Level::Mate => "mate",
        }
    }

    /// Whether records of a format have what the level asks for.
    pub const fn applies_to(self, format: FileFormat) -> bool {
        match self {
            Level::Size | Level::Codec | Level::Inventory | Level::Rules => true,
            Level::Canonical => !format.is_text() && !format.holds_games(),
            Level::Move | Level::Mate => format.holds(Field::Move),
            Level::Score => format.holds(Field::Score),
            Level::Result => format.holds(Field::Result),
            Level::Ply => format.holds(Field::Ply),
            Level::Stream => format.holds_games(),
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that no level has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownLevel(pub String);

impl fmt::Display for UnknownLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown level `{}`; known levels:", self.0)?;
        Level::ALL.iter().try_for_each(|level| write!(f, " {level}"))
    }
}

impl core::error::Error for UnknownLevel {}

impl FromStr for Level {
    type Err = UnknownLevel;

    fn from_str(name: &str) -> Result<Level, UnknownLevel> {
        let known = Level::ALL.into_iter().find(|level| level.name() == name);
        known.ok_or_else(|| UnknownLevel(name.to_owned()))
    }
}

/// A set of levels.
///
/// ```
/// use komabako_record::findings::{Level, Levels};
/// let levels: Levels = [Level::Codec, Level::Move].into_iter().collect();
/// assert!(levels.contains(Level::Move) && !levels.contains(Level::Ply));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Levels(u16);

impl Levels {
    /// Every level.
    pub const ALL: Levels = Levels((1 << Level::ALL.len()) - 1);

    /// Every level at which something may be wrong: all but [`Level::Mate`].
    pub const DEFAULT: Levels = Levels(Levels::ALL.0 & !(1 << Level::Mate as u16));

    /// Whether a level is in the set.
    pub const fn contains(self, level: Level) -> bool {
        self.0 >> level as u16 & 1 != 0
    }
}

impl FromIterator<Level> for Levels {
    fn from_iter<I: IntoIterator<Item = Level>>(levels: I) -> Levels {
        Levels(levels.into_iter().fold(0, |set, level| set | 1 << level as u16))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn level_sets_contain_their_levels() {
        for level in Level::ALL {
            assert_eq!(level.name().parse(), Ok(level));
            assert!(Levels::ALL.contains(level));
            let alone: Levels = [level].into_iter().collect();
            assert!(Level::ALL.into_iter().all(|other| alone.contains(other) == (other == level)));
        }
        let error = "moves".parse::<Level>().unwrap_err();
        assert!(error.to_string().ends_with("move score result ply stream mate"), "{error}");
    }
}
