//! [`PartChooser`]: chooses the part of each record.

use komabako_record::order::Random;

use super::Rule;

/// Assigns each record to its part.
pub(super) enum PartChooser {
    /// Consecutive parts.
    InOrder {
        limit: Limit,
        part: u64,
        /// The records so far, of all parts.
        records: u64,
        /// The records of the part so far.
        part_records: u64,
        /// The bytes of the part so far, those of its header included.
        part_bytes: u64,
        /// The bytes of a part's header.
        header: u64,
    },
    /// Random parts.
    Random {
        weights: Vec<u64>,
        total: u64,
        random: Random,
        part: u64,
        /// The number of draws so far.
        draws: u64,
    },
}

/// The end of a part.
pub(super) enum Limit {
    /// After this number of records.
    Records(u64),
    /// Before it would exceed this number of bytes.
    Bytes(u64),
    /// At this number of bytes, or just above.
    BytesOfGames(u64),
    /// At equal shares of all records.
    Share { records: u64, parts: u64 },
}

impl PartChooser {
    /// The chooser of a rule; `records` is the number of all records, if the rule needs it, and `header` the size of the header
    /// that each part begins with.
    pub fn new(rule: Rule, by_game: bool, records: u64, header: u64) -> PartChooser {
        let limit = match rule {
            Rule::Ratio { weights, seed } => {
                let total = weights.iter().sum();
                return PartChooser::Random { weights, total, random: Random::new(seed), part: 0, draws: 0 };
            }
            Rule::Records(limit) => Limit::Records(limit.get()),
            Rule::Bytes(limit) if by_game => Limit::BytesOfGames(limit.get()),
            Rule::Bytes(limit) => Limit::Bytes(limit.get()),
            Rule::Parts(parts) => Limit::Share { records, parts: parts.get() },
        };
        PartChooser::InOrder { limit, part: 0, records: 0, part_records: 0, part_bytes: header, header }
    }

    /// The part of the next `count` records, of `size` bytes. Unless `may_change`, it is the part of the previous
    /// records.
    pub fn next(&mut self, count: u64, size: u64, may_change: bool) -> u64 {
        match self {
            PartChooser::InOrder { limit, part, records, part_records, part_bytes, header } => {
                let next = match limit {
                    Limit::Records(limit) => *part + u64::from(*part_records >= *limit),
                    // A record that is longer than the limit gets a part of its own: the first record is always accepted.
                    Limit::Bytes(limit) => {
                        *part + u64::from(*part_records > 0 && *part_bytes + size > *limit)
                    }
                    Limit::BytesOfGames(limit) => *part + u64::from(*part_bytes >= *limit),
                    Limit::Share { records: all, parts } => {
                        let begins = |next: &u64| *records >= share(*all, *parts, *next);
                        (*part + 1..*parts).take_while(begins).last().unwrap_or(*part)
                    }
                };
                if may_change && next > *part {
                    *part = next;
                    *part_records = 0;
                    *part_bytes = *header;
                }
                *records += count;
                *part_records += count;
                *part_bytes += size;
                *part
            }
            PartChooser::Random { weights, total, random, part, draws } => {
                if may_change {
                    // Depends on the number of the draw rather than on a state: the same records go to the same part, for any
                    // number of threads.
                    let drawn = random.below(*total, *draws);
                    *draws += 1;
                    let mut sum = 0;
                    let is_it = |weight: &u64| {
                        sum += weight;
                        drawn < sum
                    };
                    *part = weights.iter().position(is_it).expect("it is below the total") as u64;
                }
                *part
            }
        }
    }
}

/// The first record of a part, when `records` are divided into `parts`.
fn share(records: u64, parts: u64, part: u64) -> u64 {
    // In 128 bits, since the product may not fit in 64; rounding down distributes the remainder evenly.
    (u128::from(records) * u128::from(part) / u128::from(parts)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The parts of records of these sizes, where every `game`-th record begins a game.
    fn parts(rule: Rule, sizes: &[u64], game: usize) -> Vec<u64> {
        parts_with_header(rule, sizes, game, 0)
    }

    fn parts_with_header(rule: Rule, sizes: &[u64], game: usize, header: u64) -> Vec<u64> {
        let mut chooser = PartChooser::new(rule, game > 1, sizes.len() as u64, header);
        sizes.iter().enumerate().map(|(index, &size)| chooser.next(1, size, index % game == 0)).collect()
    }

    fn number(number: u64) -> std::num::NonZeroU64 {
        number.try_into().unwrap()
    }

    #[test]
    fn parts_end_at_their_size() {
        assert_eq!(parts(Rule::Records(number(2)), &[1; 5], 1), [0, 0, 1, 1, 2]);
        assert_eq!(parts(Rule::Bytes(number(5)), &[2, 2, 2, 9, 1, 5], 1), [0, 0, 1, 2, 3, 4]);
        assert_eq!(parts(Rule::Parts(number(3)), &[1; 7], 1), [0, 0, 1, 1, 2, 2, 2]);
        assert_eq!(parts(Rule::Parts(number(4)), &[1; 2], 1), [1, 3]);
    }

    #[test]
    fn headers_count_as_bytes_of_their_parts() {
        let five = Rule::Bytes(number(5));
        assert_eq!(parts_with_header(five.clone(), &[2; 5], 1, 1), [0, 0, 1, 1, 2]);
        assert_eq!(parts_with_header(five.clone(), &[2; 3], 1, 2), [0, 1, 2]);
        // A header as long as a part leaves no room, but each part has a record.
        assert_eq!(parts_with_header(five.clone(), &[2; 3], 1, 6), [0, 1, 2]);
        assert_eq!(parts_with_header(five, &[2; 4], 2, 1), [0, 0, 1, 1]);
    }

    #[test]
    fn parts_end_with_games() {
        assert_eq!(parts(Rule::Records(number(2)), &[1; 9], 3), [0, 0, 0, 1, 1, 1, 2, 2, 2]);
        assert_eq!(parts(Rule::Bytes(number(4)), &[1; 9], 3), [0, 0, 0, 0, 0, 0, 1, 1, 1]);
        assert_eq!(parts(Rule::Parts(number(2)), &[1; 9], 3), [0, 0, 0, 0, 0, 0, 1, 1, 1]);
        let drawn = parts(Rule::Ratio { weights: vec![1, 1], seed: 1 }, &[1; 30], 3);
        assert!(drawn.chunks(3).all(|game| game.iter().all(|part| *part == game[0])));
        assert!(drawn.contains(&0) && drawn.contains(&1));
    }
}
