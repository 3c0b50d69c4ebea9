//! [`Level`]: one check of a record; [`Levels`]: a set of checks.

use core::fmt;
use core::str::FromStr;

use alloc::string::String;

use crate::{Field, FileFormat};

/// One check of a record or of a file (`spec/formats.md` §10). The checks are independent: a record can fail several.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Level {
    /// Whether the file consists of whole records.
    Size,
    /// Whether the position decodes.
    Codec,
    /// Whether no kind has more pieces than a set has.
    Inventory,
    /// Whether the position's bytes equal its re-encoding.
    Canonical,
    /// Whether a game can be played from the position: kings, nifu, dead ends, the opponent not in check.
    Rules,
    /// Whether the move is well-formed and legal.
    Move,
    /// Whether the score is a possible value.
    Score,
    /// Whether the result is a value of the format, and the padding beside it is zero.
    Result,
    /// Whether the ply is plausible and fits the side to move.
    Ply,
    /// Whether games can be replayed to the end that they declare.
    Stream,
    /// Whether the move mates if a mate in one exists. Missing it is no error of the file, so this level is not in
    /// [`Levels::DEFAULT`].
    Mate,
}

impl Level {
    /// Every level, in the order of the checks.
    pub const ALL: &[Level] = &[
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

    /// The name of the level in options and reports.
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

    /// Whether the level applies to records of a format.
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
        let known = Level::ALL.iter().copied().find(|level| level.name() == name);
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

    /// Every level that finds errors of a file: all but [`Level::Mate`].
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
        for &level in Level::ALL {
            assert_eq!(level.name().parse(), Ok(level));
            assert!(Levels::ALL.contains(level));
            let alone: Levels = [level].into_iter().collect();
            assert!(Level::ALL.iter().all(|&other| alone.contains(other) == (other == level)));
        }
        let error = "moves".parse::<Level>().unwrap_err();
        assert!(error.to_string().ends_with("move score result ply stream mate"), "{error}");
    }
}
