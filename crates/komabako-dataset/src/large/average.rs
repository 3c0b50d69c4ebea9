//! [`Tally`]: what the records of each key say together, and [`Mean`], the record that is written for them.
//!
//! ```text
//! first pass          each record: key, vote (score, move, result; in hcpe3 the candidates)   into the file of the key's part
//! for each part       each key: the sums and counts of its votes
//!                     each key: its mean, with the number of its first record                 into a list, by that number
//! last pass           the first record of each key, with the score, move and result of the mean
//! ```
//!
//! Memory holds the keys of a part and their different moves, so a position that occurs a billion times takes no more than another.

use komabako_record::GameResult;
use komabako_record::move16::{Move16, MoveEncoding, MoveFault};
use komabako_record::record::{Labels, MoveBits};

use super::find_duplicates::REFERENCE;
use super::key_set::KeySet;
use crate::convert::Rescale;
use crate::engine::temporary::Shape;
use crate::io::score_column::UNKNOWN;
use crate::{FileFormat, Record, RecordFault, games};

/// A candidate of hcpe3: two bytes of a move and two of its visits.
pub(super) type Candidate = [u8; 4];

/// What a record says of its position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Vote {
    score: Option<i16>,
    /// The bits of the move, in the encoding of the output.
    mv: Option<u16>,
    result: Option<GameResult>,
}

/// The code of a vote without a result.
const NO_RESULT: u8 = u8::MAX;

impl Vote {
    /// Its size in bytes.
    pub const BYTES: usize = 5;

    /// The vote of a record.
    ///
    /// # Errors
    /// If the encoding cannot hold the move.
    pub fn new(labels: &Labels, encoding: MoveEncoding) -> Result<Vote, MoveFault> {
        let mv = match labels.best_move {
            Some(best_move) if best_move.decode()? != Move16::NONE => Some(best_move.encode(encoding)?),
            _ => None,
        };
        // Both mean no score.
        let score = labels.score.filter(|score| !matches!(*score, UNKNOWN | i16::MIN));
        Ok(Vote { score, mv, result: labels.result })
    }

    /// Appends it.
    pub fn append(self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.score.unwrap_or(UNKNOWN).to_le_bytes());
        out.extend_from_slice(&self.mv.unwrap_or(0).to_le_bytes());
        out.push(self.result.map_or(NO_RESULT, GameResult::to_absolute));
    }

    /// Reads it from its bytes.
    fn read(&[low, high, first, second, result]: &[u8; Vote::BYTES]) -> Vote {
        let score = i16::from_le_bytes([low, high]);
        let mv = u16::from_le_bytes([first, second]);
        Vote {
            score: (score != UNKNOWN).then_some(score),
            mv: (mv != 0).then_some(mv),
            result: GameResult::from_absolute(result),
        }
    }
}

/// The votes of the records of a part, by key.
pub(super) struct Tally {
    keys: KeySet,
    groups: Vec<Group>,
    moves: Counts,
    visits: Counts,
}

/// The votes for a key.
#[derive(Clone, Copy)]
struct Group {
    /// The number of its first record; [`REFERENCE`] if a reference has the key.
    first: u64,
    records: u32,
    scores: u32,
    sum: i64,
    /// The results, in the order in which they first occur.
    results: [Option<GameResult>; 3],
    result_counts: [u32; 3],
    /// The most frequent move so far, when moves are compared.
    mv: u16,
    mv_count: u64,
}

/// Counts by key and move.
struct Counts {
    keys: KeySet,
    counts: Vec<u64>,
}

/// The number of a key and the bits of a move.
const PAIR: usize = 6;

impl Counts {
    fn with_capacity(count: u64) -> Counts {
        let keys = KeySet::with_capacity(Shape::Fixed(PAIR), count, PAIR as u64 * count);
        Counts { keys, counts: Vec::with_capacity(count as usize) }
    }

    fn clear(&mut self) {
        self.keys.clear();
        self.counts.clear();
    }

    fn add(&mut self, group: usize, mv: u16, count: u64) {
        let mut pair = [0; PAIR];
        pair[..4].copy_from_slice(&(group as u32).to_le_bytes());
        pair[4..].copy_from_slice(&mv.to_le_bytes());
        let number = self.keys.number_of(KeySet::hash_of(&pair), &pair);
        if number == self.counts.len() {
            self.counts.push(count);
        } else {
            self.counts[number] += count;
        }
    }

    /// The group, the move and the count of a pair.
    fn pair(&self, number: usize) -> (usize, u16, u64) {
        let pair = self.keys.numbered(number);
        let group = u32::from_le_bytes([pair[0], pair[1], pair[2], pair[3]]);
        (group as usize, u16::from_le_bytes([pair[4], pair[5]]), self.counts[number])
    }
}

impl Tally {
    /// The bytes of memory per key besides the key and its slot: a group, and a move with its slot and count.
    pub const BYTES: u64 = size_of::<Group>() as u64 + KeySet::TABLE_BYTES + PAIR as u64 + 8;

    /// The bytes of memory for each candidate of hcpe3: a move with its slot and count, and its place in the order of keys.
    pub const CANDIDATE: u64 = KeySet::TABLE_BYTES + PAIR as u64 + 8 + 4;

    /// A tally with capacity for `count` keys of `key` bytes. `visits`: candidates are added up too.
    pub fn with_capacity(key: usize, count: u64, visits: bool) -> Tally {
        Tally {
            keys: KeySet::with_capacity(Shape::Fixed(key), count, key as u64 * count),
            groups: Vec::with_capacity(count as usize),
            moves: Counts::with_capacity(count),
            visits: Counts::with_capacity(if visits { count } else { 0 }),
        }
    }

    /// Empties the tally and keeps its capacity.
    pub fn clear(&mut self) {
        self.keys.clear();
        self.groups.clear();
        self.moves.clear();
        self.visits.clear();
    }

    /// Fetches the slot of a key that will be added.
    pub fn fetch(&mut self, hash: u64) {
        self.keys.fetch(hash);
    }

    /// Adds the vote of a record; returns whether it is the first of its key.
    pub fn add(&mut self, number: u64, hash: u64, key: &[u8], vote: &[u8]) -> bool {
        let at = self.keys.number_of(hash, key);
        let is_first = at == self.groups.len();
        if is_first {
            self.groups.push(Group::new(number));
        }
        let group = &mut self.groups[at];
        if group.first == REFERENCE {
            return is_first;
        }
        let Some((vote, candidates)) = vote.split_first_chunk() else { return is_first };
        let Vote { score, mv, result } = Vote::read(vote);
        group.add(score, result);
        if let Some(mv) = mv {
            self.moves.add(at, mv, 1);
        }
        for &[low, high, first, second] in candidates.as_chunks().0 {
            let visits = u16::from_le_bytes([first, second]);
            self.visits.add(at, u16::from_le_bytes([low, high]), visits.into());
        }
        is_first
    }

    /// Passes the mean of each key that no reference has, with the number of its first record; the numbers ascend.
    pub fn means<E>(&mut self, mut each: impl FnMut(u64, &Mean) -> Result<(), E>) -> Result<(), E> {
        // In the order in which the moves of a key first occur: of moves that are equally frequent the first stays.
        for number in 0..self.moves.keys.len() {
            let (group, mv, count) = self.moves.pair(number);
            let group = &mut self.groups[group];
            if count > group.mv_count {
                group.mv = mv;
                group.mv_count = count;
            }
        }
        let mut visited: Vec<u32> = (0..self.visits.keys.len() as u32).collect();
        visited.sort_by_key(|&number| self.visits.pair(number as usize).0);
        let mut visited = visited.into_iter().peekable();
        let mut mean = Mean::default();
        let mut candidates = Vec::new();
        for (at, group) in self.groups.iter().enumerate() {
            candidates.clear();
            while let Some(number) = visited.next_if(|&number| self.visits.pair(number as usize).0 == at) {
                let (_, mv, visits) = self.visits.pair(number as usize);
                candidates.push((mv, visits));
            }
            if group.first != REFERENCE {
                let is_white = self.keys.numbered(at)[0] & 1 == 1;
                group.write_mean(is_white, &candidates, &mut mean);
                each(group.first, &mean)?;
            }
        }
        Ok(())
    }
}

impl Group {
    fn new(first: u64) -> Group {
        Group {
            first,
            records: 0,
            scores: 0,
            sum: 0,
            results: [None; 3],
            result_counts: [0; 3],
            mv: 0,
            mv_count: 0,
        }
    }

    fn add(&mut self, score: Option<i16>, result: Option<GameResult>) {
        self.records = self.records.saturating_add(1);
        if let Some(score) = score {
            let largest = i64::from(Rescale::LARGEST);
            self.scores = self.scores.saturating_add(1);
            self.sum += i64::from(score).clamp(-largest, largest);
        }
        if result.is_some() {
            for (known, count) in self.results.iter_mut().zip(&mut self.result_counts) {
                if known.is_none() || *known == result {
                    *known = result;
                    *count = count.saturating_add(1);
                    break;
                }
            }
        }
    }

    /// Writes its mean over another. `is_white`: White is to move.
    fn write_mean(&self, is_white: bool, candidates: &[(u16, u64)], mean: &mut Mean) {
        mean.records = self.records;
        // The bits of 0 / 0 depend on the processor.
        mean.score = if self.scores == 0 { f64::NAN } else { self.sum as f64 / f64::from(self.scores) };
        mean.mv = self.mv;
        mean.result = None;
        let mut most = 0;
        let mut sum = 0;
        for (&result, &count) in self.results.iter().zip(&self.result_counts) {
            if count > most {
                most = count;
                mean.result = result;
            }
            sum += match result {
                Some(GameResult::BlackWin) => i64::from(count),
                Some(GameResult::WhiteWin) => -i64::from(count),
                Some(GameResult::Draw) | None => 0,
            };
        }
        let results: i64 = self.result_counts.iter().map(|&count| i64::from(count)).sum();
        let sum = if is_white { -sum } else { sum };
        mean.mean_result = if results == 0 { f32::NAN } else { (sum as f64 / results as f64) as f32 };
        mean.candidates.clear();
        let largest = candidates.iter().map(|&(_, visits)| visits).max().unwrap_or(0);
        for &(mv, visits) in candidates {
            let visits = scaled(visits, largest);
            let [low, high] = mv.to_le_bytes();
            let [first, second] = visits.to_le_bytes();
            mean.candidates.push([low, high, first, second]);
        }
    }
}

/// Visits that fit in 16 bits: in proportion, and at least one, if the largest sum does not fit.
fn scaled(visits: u64, largest: u64) -> u16 {
    let most = u64::from(u16::MAX);
    if largest <= most {
        return visits as u16;
    }
    let scaled = (u128::from(visits) * u128::from(most) + u128::from(largest) / 2) / u128::from(largest);
    (scaled as u16).max(u16::from(visits > 0))
}

/// The mean of the records of a key.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Mean {
    /// The number of the records.
    pub records: u32,
    /// The mean score; NaN if none has a score.
    pub score: f64,
    /// The mean result from the side to move: 1 win, 0 draw, -1 loss; NaN if none has a result.
    pub mean_result: f32,
    /// The most frequent move, in the encoding of the output; 0 if none has a move.
    mv: u16,
    /// The most frequent result.
    result: Option<GameResult>,
    /// The moves that were visited, and their visits.
    candidates: Vec<Candidate>,
}

impl Mean {
    /// The bytes without candidates.
    const BYTES: usize = 19;
    /// The bytes in a list, without candidates: a number, a length and the mean.
    pub const LISTED_BYTES: u64 = 12 + Mean::BYTES as u64;

    /// Appends it.
    pub fn append(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.records.to_le_bytes());
        out.extend_from_slice(&self.score.to_le_bytes());
        out.extend_from_slice(&self.mean_result.to_le_bytes());
        out.extend_from_slice(&self.mv.to_le_bytes());
        out.push(self.result.map_or(NO_RESULT, GameResult::to_absolute));
        out.extend_from_slice(self.candidates.as_flattened());
    }

    /// Reads it; `None` if there are too few bytes.
    pub fn read(bytes: &[u8]) -> Option<Mean> {
        let (&records, bytes) = bytes.split_first_chunk()?;
        let (&score, bytes) = bytes.split_first_chunk()?;
        let (&mean_result, bytes) = bytes.split_first_chunk()?;
        let (&mv, bytes) = bytes.split_first_chunk()?;
        let (&result, candidates) = bytes.split_first()?;
        Some(Mean {
            records: u32::from_le_bytes(records),
            score: f64::from_le_bytes(score),
            mean_result: f32::from_le_bytes(mean_result),
            mv: u16::from_le_bytes(mv),
            result: GameResult::from_absolute(result),
            candidates: candidates.as_chunks().0.to_vec(),
        })
    }

    /// The score as it is written: rounded, half away from zero.
    fn rounded(&self) -> Option<i16> {
        if self.score.is_nan() { None } else { Some(self.score.round() as i16) }
    }

    /// Appends a record of the key, in the output's format, with the labels of the mean. A record that is alone keeps its bytes.
    ///
    /// # Errors
    /// None if the record and the votes are of that format.
    pub fn write(&self, to: FileFormat, record: &[u8], out: &mut Vec<u8>) -> Result<(), RecordFault> {
        if self.records == 1 {
            out.extend_from_slice(record);
            return Ok(());
        }
        let encoding = vote_encoding(to);
        let relabel = |labels: &mut Labels| {
            labels.score = self.rounded().or(labels.score);
            labels.result = self.result.or(labels.result);
            if self.mv != 0 {
                labels.best_move = Some(MoveBits { bits: self.mv, encoding });
            }
        };
        if to != FileFormat::Hcpe3 {
            return to.relabel(record, out, relabel);
        }
        let first = games::records(to, record).next().and_then(Result::ok);
        let (Some(Record { mut labels, .. }), Some(word)) = (first, record.first_chunk()) else {
            out.extend_from_slice(record);
            return Ok(());
        };
        relabel(&mut labels);
        games::write_position(word, &labels, &self.candidates, out)
    }
}

/// The encoding of the moves of votes for an output in a format.
pub(super) fn vote_encoding(to: FileFormat) -> MoveEncoding {
    to.move_encoding().unwrap_or(MoveEncoding::YaneuraOu)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn visits_are_scaled_only_if_they_do_not_fit() {
        assert_eq!([0, 7, 65_535].map(|visits| scaled(visits, 65_535)), [0, 7, 65_535]);
        assert_eq!([0, 1, 65_535, 131_070].map(|visits| scaled(visits, 131_070)), [0, 1, 32_768, 65_535]);
    }

    #[test]
    fn the_first_of_equally_frequent_moves_and_results_wins() {
        let mut tally = Tally::with_capacity(1, 4, true);
        let vote = |score, mv, result| {
            let mut bytes = Vec::new();
            Vote { score, mv, result }.append(&mut bytes);
            bytes
        };
        let white = Some(GameResult::WhiteWin);
        let black = Some(GameResult::BlackWin);
        let votes = [
            (b"0", vote(Some(1), Some(7), white)),
            (b"1", vote(Some(-32_000), None, None)),
            (b"0", vote(Some(2), Some(9), black)),
            (b"0", vote(None, Some(9), black)),
            (b"0", vote(Some(2), Some(7), white)),
        ];
        for (number, (key, vote)) in (0..).zip(&votes) {
            assert_eq!(tally.add(number, KeySet::hash_of(*key), *key, vote), number < 2);
        }
        tally.add(REFERENCE, KeySet::hash_of(b"2"), b"2", b"");
        assert!(!tally.add(5, KeySet::hash_of(b"2"), b"2", &votes[0].1));
        let mut means = Vec::new();
        tally
            .means(|first, mean| {
                let mut bytes = Vec::new();
                mean.append(&mut bytes);
                assert_eq!(bytes.len(), Mean::BYTES);
                means.push((first, Mean::read(&bytes).unwrap()));
                Ok::<_, ()>(())
            })
            .unwrap();
        let [(0, first), (1, second)] = &means[..] else { panic!("{means:?}") };
        assert_eq!((first.records, first.mv, first.result, first.mean_result), (4, 7, white, 0.0));
        assert_eq!((first.rounded(), second.rounded()), (Some(2), Some(-29_999)));
        assert!(second.mean_result.is_nan() && second.mv == 0 && second.result.is_none());
    }
}
