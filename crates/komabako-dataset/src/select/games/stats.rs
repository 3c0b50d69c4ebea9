//! [`GameStats`]: the statistics of whole games, over every field that [`GameExpression`](super::GameExpression) knows.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::GameFields;
use super::expression::Games;
use crate::select::expression::vocabulary::{Value, Vocabulary};

/// The memory for the different texts of a field, in bytes.
const TEXTS_BYTES: usize = 16 << 20;
/// What a text takes besides its own bytes.
const TEXT_OVERHEAD: usize = 64;
/// The number of texts of a field in the figures.
const MOST: usize = 10;

/// The statistics of games.
///
/// ```
/// use komabako_dataset::stats::{GameFields, GameStats};
/// let text = "N+elmo\n'black_rate:elmo+1:3012.5\nPI\n+\n+7776FU\n%TORYO\n";
/// let game = &komabako_kifu::read(text.as_bytes(), None)?[0];
/// let mut stats = GameStats::default();
/// stats.add(&GameFields::from_record(&game.record));
/// let figures = stats.figures();
/// assert_eq!(figures.games, 1);
/// assert_eq!(figures.numbers["black_rating"].mean, Some(3013.0));
/// assert_eq!(figures.texts["ending"].most[0].text, "TORYO");
/// # Ok::<(), komabako_kifu::KifuError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct GameStats {
    games: u64,
    numbers: BTreeMap<Cow<'static, str>, Numbers>,
    texts: BTreeMap<Cow<'static, str>, Texts>,
    /// The number of games for which it is true.
    truths: BTreeMap<Cow<'static, str>, u64>,
}

/// Whole numbers, and the number of games with each.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
struct Numbers(BTreeMap<i64, u64>);

/// Texts, and the number of games with each.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
struct Texts {
    counts: BTreeMap<String, u64>,
    /// The memory of the texts.
    bytes: usize,
    /// The number of games with another text, for which there was no memory.
    others: u64,
}

impl GameStats {
    /// The number of games.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Adds a game. Ratings are rounded.
    pub fn add(&mut self, fields: &GameFields) {
        self.games += 1;
        for name in Games::NAMES {
            match name.value {
                Value::Number(number) => {
                    let numbers = self.numbers.entry(Cow::Borrowed(name.text)).or_default();
                    if let Some(value) = number.value(fields) {
                        numbers.add(value.round() as i64, 1);
                    }
                }
                Value::Text(text) => {
                    let texts = self.texts.entry(Cow::Borrowed(name.text)).or_default();
                    if let Some(text) = text.value(fields) {
                        texts.add(text, 1);
                    }
                }
                Value::Truth(truth) => {
                    let truths = self.truths.entry(Cow::Borrowed(name.text)).or_default();
                    *truths += u64::from(truth.value(fields));
                }
                Value::Constant(_) => {}
            }
        }
    }

    /// Adds the games of other statistics. Sums saturate: a file may hold any number.
    pub fn merge(&mut self, other: &GameStats) {
        self.games = self.games.saturating_add(other.games);
        for (name, numbers) in &other.numbers {
            let sums = self.numbers.entry(name.clone()).or_default();
            for (&number, &count) in &numbers.0 {
                sums.add(number, count);
            }
        }
        for (name, texts) in &other.texts {
            let sums = self.texts.entry(name.clone()).or_default();
            for (text, &count) in &texts.counts {
                sums.add(text, count);
            }
            sums.others = sums.others.saturating_add(texts.others);
        }
        for (name, &count) in &other.truths {
            let sum = self.truths.entry(name.clone()).or_default();
            *sum = sum.saturating_add(count);
        }
    }

    /// The figures.
    pub fn figures(&self) -> GameFigures {
        let width = |name: &str| if name.contains("rating") { 100 } else { 10 };
        GameFigures {
            games: self.games,
            numbers: self
                .numbers
                .iter()
                .map(|(name, one)| (name.clone(), one.figures(width(name))))
                .collect(),
            texts: self.texts.iter().map(|(name, one)| (name.clone(), one.figures())).collect(),
            truths: self.truths.clone(),
        }
    }
}

impl Numbers {
    fn add(&mut self, number: i64, count: u64) {
        let sum = self.0.entry(number).or_default();
        *sum = sum.saturating_add(count);
    }

    /// The figures, with bins of this width.
    fn figures(&self, width: i64) -> NumberFigures {
        let known = sum(self.0.values());
        let weighed = |term: &dyn Fn(f64) -> f64| -> f64 {
            self.0.iter().map(|(&number, &count)| term(number as f64) * count as f64).sum()
        };
        let mean = (known > 0).then(|| weighed(&|number| number) / known as f64);
        let deviation = mean.map(|mean| (weighed(&|number| (number - mean).powi(2)) / known as f64).sqrt());
        let mut bins: Vec<NumberBin> = Vec::new();
        let mut below = 0;
        let mut median = None;
        for (&number, &count) in &self.0 {
            below = count.saturating_add(below);
            if median.is_none() && below >= known.div_ceil(2) {
                median = Some(number);
            }
            let from = number.div_euclid(width).saturating_mul(width);
            match bins.last_mut() {
                Some(bin) if bin.from == from => bin.count = bin.count.saturating_add(count),
                _ => bins.push(NumberBin { from, to: from.saturating_add(width - 1), count }),
            }
        }
        NumberFigures {
            known,
            mean,
            deviation,
            median,
            min: self.0.keys().next().copied(),
            max: self.0.keys().next_back().copied(),
            bins,
        }
    }
}

impl Texts {
    fn add(&mut self, text: &str, count: u64) {
        if let Some(known) = self.counts.get_mut(text) {
            *known = known.saturating_add(count);
            return;
        }
        let bytes = self.bytes + text.len() + TEXT_OVERHEAD;
        if bytes > TEXTS_BYTES {
            self.others = self.others.saturating_add(count);
        } else {
            self.bytes = bytes;
            self.counts.insert(text.to_owned(), count);
        }
    }

    fn figures(&self) -> TextFigures {
        let mut most: Vec<TextCount> =
            self.counts.iter().map(|(text, &count)| TextCount { text: text.clone(), count }).collect();
        // The order of texts with the same count stays that of the texts.
        most.sort_by_key(|known| core::cmp::Reverse(known.count));
        most.truncate(MOST);
        TextFigures {
            known: sum(self.counts.values().chain([&self.others])),
            different: self.counts.len() as u64,
            others: self.others,
            first: self.counts.keys().next().cloned(),
            last: self.counts.keys().next_back().cloned(),
            most,
        }
    }
}

fn sum<'a>(counts: impl Iterator<Item = &'a u64>) -> u64 {
    counts.fold(0, |sum, &count| sum.saturating_add(count))
}

/// The figures of games, by the names that expressions use.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct GameFigures {
    /// The number of games.
    pub games: u64,
    /// Of the fields that are numbers. Ratings are rounded.
    pub numbers: BTreeMap<Cow<'static, str>, NumberFigures>,
    /// Of the fields that are texts.
    pub texts: BTreeMap<Cow<'static, str>, TextFigures>,
    /// The number of games for which a field is true.
    pub truths: BTreeMap<Cow<'static, str>, u64>,
}

/// The figures of a field that is a number. All but the counts are `None` if no game has it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct NumberFigures {
    /// The number of games in which it is known.
    pub known: u64,
    /// The mean.
    pub mean: Option<f64>,
    /// The standard deviation.
    pub deviation: Option<f64>,
    /// The least number that half of the games do not exceed.
    pub median: Option<i64>,
    /// The least number.
    pub min: Option<i64>,
    /// The greatest number.
    pub max: Option<i64>,
    /// The games by tens, or for ratings by hundreds: those with a game.
    pub bins: Vec<NumberBin>,
}

/// The games whose number is in a range.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct NumberBin {
    /// The least number of the range.
    pub from: i64,
    /// The greatest number of the range.
    pub to: i64,
    /// The number of games.
    pub count: u64,
}

/// The figures of a field that is a text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct TextFigures {
    /// The number of games in which it is known.
    pub known: u64,
    /// The number of different texts, without the others.
    pub different: u64,
    /// The number of games with a text that came when 16 MiB of different ones were known, and was not counted by itself.
    pub others: u64,
    /// The first text in the order of Unicode: of dates the earliest.
    pub first: Option<String>,
    /// The last text in that order.
    pub last: Option<String>,
    /// The ten texts that most games have, by their number.
    pub most: Vec<TextCount>,
}

/// A text and its number of games.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct TextCount {
    /// The text.
    pub text: String,
    /// The number of games.
    pub count: u64,
}

#[cfg(test)]
mod tests {
    use super::super::GameExpression;
    use super::*;

    fn game(black: &str, rating: f64, plies: u64) -> GameFields<'_> {
        GameFields { black: Some(black), black_rating: Some(rating), plies, ..GameFields::default() }
    }

    #[test]
    fn every_name_of_an_expression_has_figures() {
        let mut stats = GameStats::default();
        stats.add(&GameFields::default());
        let figures = serde_json::to_value(stats.figures()).unwrap();
        let missing: Vec<&str> = GameExpression::names()
            .filter(|&name| {
                ["numbers", "texts", "truths"].iter().all(|kind| figures[kind].get(name).is_none())
            })
            .collect();
        assert!(missing.is_empty(), "{missing:?}");
    }

    #[test]
    fn numbers_are_described() {
        let mut stats = GameStats::default();
        for (rating, plies) in [(2999.6, 9), (3001.0, 10), (-0.2, 19), (3098.9, 120)] {
            stats.add(&game("a", rating, plies));
        }
        let figures = stats.figures();
        let plies = &figures.numbers["plies"];
        assert_eq!((plies.known, plies.min, plies.max, plies.median), (4, Some(9), Some(120), Some(10)));
        assert_eq!((plies.mean, plies.deviation.map(f64::round)), (Some(39.5), Some(47.0)));
        let bins = |name: &str| -> Vec<(i64, i64, u64)> {
            figures.numbers[name].bins.iter().map(|bin| (bin.from, bin.to, bin.count)).collect()
        };
        assert_eq!(bins("plies"), [(0, 9, 1), (10, 19, 2), (120, 129, 1)]);
        assert_eq!(bins("black_rating"), [(0, 99, 1), (3000, 3099, 3)]);
        let unknown = &figures.numbers["rating_min"];
        assert_eq!((unknown.known, unknown.mean, unknown.bins.len()), (0, None, 0));
    }

    #[test]
    fn texts_are_ranked_and_their_memory_is_bounded() {
        let mut stats = GameStats::default();
        let long = "x".repeat(TEXTS_BYTES);
        for name in ["b", "a", "c", "c", &long, "a"] {
            stats.add(&game(name, 1.0, 1));
        }
        let black = &stats.figures().texts["black"];
        let most: Vec<(&str, u64)> = black.most.iter().map(|known| (&*known.text, known.count)).collect();
        assert_eq!(most, [("a", 2), ("c", 2), ("b", 1)]);
        assert_eq!((black.known, black.different, black.others), (6, 3, 1));
        assert_eq!((black.first.as_deref(), black.last.as_deref()), (Some("a"), Some("c")));
        assert_eq!(stats.figures().texts["white"].known, 0);
    }

    #[test]
    fn merged_parts_equal_the_whole_and_survive_json() {
        let games = [game("a", 1.0, 3), game("b", 2.0, 4), game("a", 700.0, 5)];
        let count = |games: &[GameFields]| {
            let mut stats = GameStats::default();
            games.iter().for_each(|game| stats.add(game));
            stats
        };
        let mut merged = count(&games[..1]);
        let saved = serde_json::to_vec(&count(&games[1..])).unwrap();
        merged.merge(&serde_json::from_slice(&saved).unwrap());
        assert_eq!(merged, count(&games));
    }
}
