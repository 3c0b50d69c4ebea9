//! Layer-stack buckets of networks, by hands, kings and progress (`spec/features.md` §8).

mod progress;

use core::fmt::{Display, Formatter};
use core::str::FromStr;

use komabako_board::{BaseKind, Hand, Setup, Square, color, square};

use crate::nnue::square_seen_by;

pub use progress::{PROGRESS_WEIGHTS, ProgressTable};

/// How positions are put in buckets, as a name says: `k3k3`, or up to three parts in any order, such as
/// `hand64z_k3k3_progress8`.
///
/// ```
/// use komabako_board::Setup;
/// use komabako_features::bucket::Buckets;
/// let buckets: Buckets = "k3k3_hand64z".parse()?;
/// assert_eq!((buckets.to_string(), buckets.count()), ("hand64z_k3k3".to_owned(), 576));
/// assert_eq!(buckets.indexer(None)?.index(&Setup::START), Some(8));
/// # Ok::<(), komabako_features::bucket::BucketError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Buckets {
    hands: Option<HandBuckets>,
    kings: Option<KingBuckets>,
    /// The number of buckets.
    progress: Option<u8>,
}

impl Buckets {
    /// The number of buckets, at most 1024 · 841 · 32.
    pub const fn count(self) -> usize {
        let hands = match self.hands {
            Some(hands) => hands.of_one() * hands.of_one(),
            None => 1,
        };
        hands * self.king_count() * self.progress_count()
    }

    const fn king_count(self) -> usize {
        match self.kings {
            Some(kings) => kings.of_one() * kings.of_one(),
            None => 1,
        }
    }

    const fn progress_count(self) -> usize {
        match self.progress {
            Some(count) => count as usize,
            None => 1,
        }
    }

    /// Whether the progress of a game counts, so that a [`ProgressTable`] is needed.
    pub const fn needs_table(self) -> bool {
        self.progress.is_some()
    }

    /// The function from positions to buckets. The table is ignored if it is not needed.
    ///
    /// # Errors
    /// [`BucketError::TableMissing`] if it is needed.
    pub fn indexer(self, table: Option<ProgressTable<'_>>) -> Result<Indexer<'_>, BucketError> {
        if self.needs_table() && table.is_none() {
            return Err(BucketError::TableMissing);
        }
        let mut singles = [0; square::COUNT];
        if let Some(kings) = self.kings {
            for (square, single) in singles.iter_mut().enumerate() {
                *single = kings.single(square) as u8;
            }
        }
        Ok(Indexer { buckets: self, singles, table })
    }
}

/// Puts positions in buckets.
#[derive(Clone, Copy, Debug)]
pub struct Indexer<'t> {
    buckets: Buckets,
    /// The bucket of one king by its square.
    singles: [u8; square::COUNT],
    table: Option<ProgressTable<'t>>,
}

impl Indexer<'_> {
    /// The bucket of a position: (hands · king buckets + kings) · progress buckets + progress. None if a king is missing on
    /// which it depends.
    pub fn index(&self, setup: &Setup) -> Option<usize> {
        let Buckets { hands, kings, progress } = self.buckets;
        let side = setup.side_to_move();
        let other = color::opponent(side);
        let mut index = 0;
        if let Some(hands) = hands {
            index = hands.single(setup.hand(side)) * hands.of_one() + hands.single(setup.hand(other));
        }
        if let Some(kings) = kings {
            let single = |king: Square, color| self.singles[square_seen_by(king.array_index(), color)];
            let own = usize::from(single(setup.king(side)?, side));
            let enemy = usize::from(single(setup.king(other)?, other));
            index = index * self.buckets.king_count() + own * kings.of_one() + enemy;
        }
        if let (Some(count), Some(table)) = (progress, self.table) {
            let value = table.value(setup)?;
            // 255 · 32 / 256 is below 32, so no limit is needed.
            index = index * usize::from(count) + usize::from(value) * usize::from(count) / 256;
        }
        Some(index)
    }

    /// Writes the bucket of each position, 0 where [`index`](Self::index) has none.
    ///
    /// # Panics
    /// If there are fewer numbers than positions.
    pub fn write(&self, setups: &[Setup], buckets: &mut [i32]) {
        for (setup, bucket) in setups.iter().zip(&mut buckets[..setups.len()]) {
            *bucket = self.index(setup).unwrap_or(0) as i32;
        }
    }
}

/// Buckets by both hands, the own one first. Those of one hand are numbered by [`single`](Self::single).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum HandBuckets {
    Hand4,
    Hand16,
    Hand64,
    Hand64z,
    Hand256,
    Hand1024,
}

impl HandBuckets {
    const ALL: [HandBuckets; 6] = {
        use HandBuckets::*;
        [Hand4, Hand16, Hand64, Hand64z, Hand256, Hand1024]
    };

    const fn name(self) -> &'static str {
        match self {
            HandBuckets::Hand4 => "hand4",
            HandBuckets::Hand16 => "hand16",
            HandBuckets::Hand64 => "hand64",
            HandBuckets::Hand64z => "hand64z",
            HandBuckets::Hand256 => "hand256",
            HandBuckets::Hand1024 => "hand1024",
        }
    }

    /// The number of buckets of one hand.
    const fn of_one(self) -> usize {
        match self {
            HandBuckets::Hand4 => 2,
            HandBuckets::Hand16 => 4,
            HandBuckets::Hand64 | HandBuckets::Hand64z => 8,
            HandBuckets::Hand256 => 16,
            HandBuckets::Hand1024 => 32,
        }
    }

    /// The bucket of one hand.
    const fn single(self, hand: Hand) -> usize {
        let p = hand.count(BaseKind::Pawn) as usize;
        let ln = hand.count(BaseKind::Lance) as usize + hand.count(BaseKind::Knight) as usize;
        let sg = hand.count(BaseKind::Silver) as usize + hand.count(BaseKind::Gold) as usize;
        let b = hand.count(BaseKind::Bishop) as usize;
        let r = hand.count(BaseKind::Rook) as usize;
        match self {
            HandBuckets::Hand4 => bits([b, 0, 0, 0, 0]),
            HandBuckets::Hand16 => bits([p, b, 0, 0, 0]),
            HandBuckets::Hand64 => bits([p + ln, sg + r, b, 0, 0]),
            HandBuckets::Hand64z => {
                let points = p + 2 * ln + 3 * sg + 5 * (b + r);
                let quarter = points.div_ceil(4);
                if quarter < 7 { quarter } else { 7 }
            }
            HandBuckets::Hand256 => bits([p + ln, sg, b, r, 0]),
            HandBuckets::Hand1024 => bits([p, ln, sg, b, r]),
        }
    }
}

/// A bit for each number above 0, the lowest first.
const fn bits(numbers: [usize; 5]) -> usize {
    let [a, b, c, d, e] = numbers;
    (a > 0) as usize
        | ((b > 0) as usize) << 1
        | ((c > 0) as usize) << 2
        | ((d > 0) as usize) << 3
        | ((e > 0) as usize) << 4
}

/// Buckets by both kings' squares, each as seen by its colour, the own one first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum KingBuckets {
    K3k3,
    K9k9,
    K9k9z,
    K13k13z,
    K21k21,
    K29k29,
}

impl KingBuckets {
    const ALL: [KingBuckets; 6] = {
        use KingBuckets::*;
        [K3k3, K9k9, K9k9z, K13k13z, K21k21, K29k29]
    };

    const fn name(self) -> &'static str {
        match self {
            KingBuckets::K3k3 => "k3k3",
            KingBuckets::K9k9 => "k9k9",
            KingBuckets::K9k9z => "k9k9z",
            KingBuckets::K13k13z => "k13k13z",
            KingBuckets::K21k21 => "k21k21",
            KingBuckets::K29k29 => "k29k29",
        }
    }

    /// The number of buckets of one king.
    const fn of_one(self) -> usize {
        match self {
            KingBuckets::K3k3 => 3,
            KingBuckets::K9k9 | KingBuckets::K9k9z => 9,
            KingBuckets::K13k13z => 13,
            KingBuckets::K21k21 => 21,
            KingBuckets::K29k29 => 29,
        }
    }

    /// The bucket of one king. Ranks are counted from the far end.
    const fn single(self, square: usize) -> usize {
        let rank = square % 9;
        let file = square / 9;
        match self {
            KingBuckets::K3k3 => rank / 3,
            KingBuckets::K9k9 => rank,
            KingBuckets::K9k9z => match rank {
                0..3 => 0,
                3..6 => 1,
                6 => 2,
                _ => 3 + 3 * (rank - 7) + file / 3,
            },
            KingBuckets::K13k13z => match rank {
                0..7 => rank,
                _ => 7 + 3 * (rank - 7) + file / 3,
            },
            KingBuckets::K21k21 => match rank {
                0..3 => 0,
                3..6 => 1,
                6 => 2,
                _ => 3 + 9 * (rank - 7) + file,
            },
            KingBuckets::K29k29 => match rank {
                0..3 => 0,
                3..6 => 1,
                _ => 2 + 9 * (rank - 6) + file,
            },
        }
    }
}

/// The numbers of buckets by progress.
const PROGRESS: [u8; 6] = [2, 3, 4, 8, 16, 32];

impl FromStr for Buckets {
    type Err = BucketError;

    fn from_str(text: &str) -> Result<Buckets, BucketError> {
        let mut buckets = Buckets { hands: None, kings: None, progress: None };
        for (place, name) in text.split('_').enumerate() {
            let part = place + 1;
            let is_new = if let Some(hands) = HandBuckets::ALL.into_iter().find(|hands| hands.name() == name)
            {
                buckets.hands.replace(hands).is_none()
            } else if let Some(kings) = KingBuckets::ALL.into_iter().find(|kings| kings.name() == name) {
                buckets.kings.replace(kings).is_none()
            } else {
                let count = name.strip_prefix("progress").and_then(progress_count);
                let count = count.ok_or(BucketError::Unknown { part })?;
                buckets.progress.replace(count).is_none()
            };
            if !is_new {
                return Err(BucketError::Twice { part });
            }
        }
        Ok(buckets)
    }
}

/// One of [`PROGRESS`], written without leading zeros or a sign.
fn progress_count(text: &str) -> Option<u8> {
    let count = text.parse().ok()?;
    let is_plain = text.starts_with(|first: char| matches!(first, '1'..='9'));
    (is_plain && PROGRESS.contains(&count)).then_some(count)
}

impl Display for Buckets {
    fn fmt(&self, f: &mut Formatter<'_>) -> core::fmt::Result {
        let names = [self.hands.map(HandBuckets::name), self.kings.map(KingBuckets::name)];
        let mut separator = "";
        for name in names.into_iter().flatten() {
            write!(f, "{separator}{name}")?;
            separator = "_";
        }
        if let Some(count) = self.progress {
            write!(f, "{separator}progress{count}")?;
        }
        Ok(())
    }
}

/// Why positions cannot be put in these buckets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum BucketError {
    /// A part of the name is unknown.
    Unknown {
        /// The number of the part, from 1.
        part: usize,
    },
    /// Two parts of the name are of the same kind: hands, kings, progress.
    Twice {
        /// The number of the second of them, from 1.
        part: usize,
    },
    /// The buckets need a table of progress.
    TableMissing,
    /// A table of progress has this number of weights, not [`PROGRESS_WEIGHTS`].
    TableSize(usize),
}

impl Display for BucketError {
    fn fmt(&self, f: &mut Formatter<'_>) -> core::fmt::Result {
        match self {
            BucketError::Unknown { part } => {
                write!(f, "part {part} of the name is not a kind of buckets; there are")?;
                for hands in HandBuckets::ALL {
                    write!(f, " {}", hands.name())?;
                }
                for kings in KingBuckets::ALL {
                    write!(f, " {}", kings.name())?;
                }
                for count in PROGRESS {
                    write!(f, " progress{count}")?;
                }
                f.write_str(", joined by _")
            }
            BucketError::Twice { part } => {
                write!(
                    f,
                    "part {part} of the name is a second one of its kind; hands, kings and progress are at most one each"
                )
            }
            BucketError::TableMissing => f.write_str("buckets by progress need the table of its weights"),
            BucketError::TableSize(count) => {
                write!(f, "a table of progress has 81 × 1548 = {PROGRESS_WEIGHTS} weights, not {count}")
            }
        }
    }
}

impl core::error::Error for BucketError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_parsed_in_any_order_and_printed_in_one() {
        let name = "hand64z_k3k3_progress8";
        for text in [name, "progress8_hand64z_k3k3", "k3k3_progress8_hand64z"] {
            let buckets: Buckets = text.parse().unwrap();
            assert_eq!((buckets.to_string().as_str(), buckets.count()), (name, 64 * 9 * 8));
        }
    }

    #[test]
    fn wrong_names_are_refused() {
        let parse = |text: &str| text.parse::<Buckets>().unwrap_err();
        for text in
            ["", "k3", "hand64Z", "progress", "progress5", "progress08", "progress+8", "progress256", "_k3k3"]
        {
            assert_eq!(parse(text), BucketError::Unknown { part: 1 }, "{text}");
        }
        assert_eq!(parse("k3k3_"), BucketError::Unknown { part: 2 });
        assert_eq!(parse("k3k3_k9k9"), BucketError::Twice { part: 2 });
        assert_eq!(parse("progress2_hand4_progress2"), BucketError::Twice { part: 3 });
        assert!(parse("k4k4").to_string().contains("k29k29 progress2"));
    }

    #[test]
    fn buckets_by_progress_need_a_table() {
        let buckets: Buckets = "progress3".parse().unwrap();
        assert_eq!(buckets.indexer(None).unwrap_err(), BucketError::TableMissing);
    }
}
