//! [`Encodings`]: a set of encodings of moves.

use core::fmt;

use komabako_messages::{Lang, Message, say};

use super::MoveEncoding;

/// A set of encodings of moves.
///
/// ```
/// use komabako_rules::move16::{Encodings, MoveEncoding};
/// let both: Encodings = [MoveEncoding::Apery, MoveEncoding::YaneuraOu].into_iter().collect();
/// assert!(both.contains(MoveEncoding::Apery) && !both.contains(MoveEncoding::LegacyRshogi));
/// assert_eq!(both.to_string(), "A, C");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Encodings(u8);

impl Encodings {
    /// The number of sets.
    pub const COUNT: usize = 1 << MoveEncoding::ALL.len();

    /// All three.
    pub const ALL: Encodings = Encodings(Self::COUNT as u8 - 1);

    /// The set's number, below [`Encodings::COUNT`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Every set with its number.
    pub fn indexed() -> impl Iterator<Item = (usize, Encodings)> {
        (0..Self::COUNT).map(|index| (index, Encodings(index as u8)))
    }

    /// Whether an encoding is in the set.
    pub const fn contains(self, encoding: MoveEncoding) -> bool {
        self.0 >> encoding as u8 & 1 != 0
    }

    /// Whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The encodings in both sets.
    pub const fn and(self, other: Encodings) -> Encodings {
        Encodings(self.0 & other.0)
    }

    /// The encodings of the set, in the order A, B, C.
    pub fn iter(self) -> impl Iterator<Item = MoveEncoding> {
        MoveEncoding::ALL.into_iter().filter(move |&encoding| self.contains(encoding))
    }
}

impl FromIterator<MoveEncoding> for Encodings {
    fn from_iter<I: IntoIterator<Item = MoveEncoding>>(encodings: I) -> Encodings {
        Encodings(encodings.into_iter().fold(0, |set, encoding| set | 1 << encoding as u8))
    }
}

/// The letters, e.g. `A, C`.
impl Message for Encodings {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, encoding) in self.iter().enumerate() {
            if index > 0 {
                say!(f, lang, ", ", "、")?;
            }
            encoding.write(lang, f)?;
        }
        Ok(())
    }
}

komabako_messages::english!(Encodings);
