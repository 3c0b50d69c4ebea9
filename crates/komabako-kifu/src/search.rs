//! The results of searches that `AobaZero` writes into comments: `v=0.545,800,6978KI,500,2726FU,300`.

use alloc::vec::Vec;

use komabako_board::Color;
use komabako_rules::{Move16, State};

/// A move that a search considered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Candidate {
    /// The move, legal in the position that was searched.
    pub mv: Move16,
    /// How often the search visited it.
    pub visits: u32,
}

/// A comment with the result of a search: `v=` and the win rate of the side to move, `r=` and the network's own, both
/// optional; the number of all visits; and moves with their visits, which may end in a letter for the prior probability.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Search<'a> {
    /// The win rate of the side to move, from 0 to 1.
    pub win_rate: Option<f64>,
    moves: &'a str,
}

/// The score of an even chance against one in e is 600: the unit in which Ponanza and its successors give win rates.
const UNIT: f64 = 600.0;

impl<'a> Search<'a> {
    /// Reads a comment of this form, and no other: people also write numbers.
    pub fn read(comment: &'a str) -> Option<Self> {
        if !comment.starts_with(|c: char| c == 'v' || c == 'r' || c.is_ascii_digit()) {
            return None;
        }
        let mut rest = comment.trim_end();
        let mut win_rate = None;
        for name in ["v=", "r="] {
            let Some(value) = rest.strip_prefix(name) else { continue };
            let (rate, after) = value.split_once(',')?;
            let rate = decimal(rate).filter(|rate| *rate <= 1.0)?;
            if name == "v=" {
                win_rate = Some(rate);
            }
            rest = after;
        }
        let (visits, moves) = rest.split_once(',').unwrap_or((rest, ""));
        visits.parse::<u32>().ok()?;
        let search = Self { win_rate, moves };
        let is_empty = win_rate.is_none() && moves.is_empty();
        (!is_empty && search.words().all(|word| word.is_some())).then_some(search)
    }

    /// The win rate as a score, of the side to move.
    pub fn score(&self) -> Option<i32> {
        let rate = self.win_rate?;
        Some(if rate <= 0.0 {
            i32::MIN + 1
        } else if rate >= 1.0 {
            i32::MAX
        } else {
            let score = UNIT * logarithm(rate / (1.0 - rate));
            (if score < 0.0 { score - 0.5 } else { score + 0.5 }) as i32
        })
    }

    /// The legal moves and their visits, each move once, in the order of the comment.
    pub fn candidates(&self, state: &State<()>) -> Vec<Candidate> {
        let sign = if state.side_to_move() == Color::Black { b'+' } else { b'-' };
        let mut candidates = Vec::new();
        for (name, visits) in self.words().flatten() {
            let mut text = [sign; 7];
            text[1..].copy_from_slice(name);
            if let Some(mv) = state.move_of_csa(&text)
                && !candidates.iter().any(|known: &Candidate| known.mv == mv)
            {
                candidates.push(Candidate { mv, visits });
            }
        }
        candidates
    }

    /// The moves and their visits; `None` for text of another form.
    fn words(&self) -> impl Iterator<Item = Option<(&'a [u8; 6], u32)>> + use<'a> {
        let mut words = self.moves.split(',');
        core::iter::from_fn(move || {
            let name = words.next().filter(|name| !name.is_empty())?;
            let Some(visits) = words.next() else { return Some(None) };
            let visits = visits.strip_suffix(|c: char| c.is_ascii_alphabetic()).unwrap_or(visits).parse();
            Some(name.as_bytes().try_into().ok().zip(visits.ok()))
        })
    }
}

/// Reads digits with or without a point. The tables of the standard library's `parse` would take 10 kB of the web page's module.
fn decimal(text: &str) -> Option<f64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let mut digits = 0;
    let mut number = 0_u64;
    for byte in whole.bytes().chain(fraction.bytes()) {
        let digit = char::from(byte).to_digit(10)?;
        number = number.checked_mul(10)?.checked_add(digit.into())?;
        digits += 1;
    }
    let scale = 10_u64.checked_pow(fraction.len() as u32)?;
    (digits > 0).then_some(number as f64 / scale as f64)
}

/// The natural logarithm of a positive number, for which `core` has no function.
fn logarithm(number: f64) -> f64 {
    // number = mantissa · 2^power, and ln m = 2 artanh((m − 1) / (m + 1)).
    let mut mantissa = number;
    let mut power = 0.0;
    while mantissa >= 2.0 {
        mantissa /= 2.0;
        power += 1.0;
    }
    while mantissa < 1.0 {
        mantissa *= 2.0;
        power -= 1.0;
    }
    let ratio = (mantissa - 1.0) / (mantissa + 1.0);
    // The ratio is at most 1/3, so these terms are exact to 10^-12.
    let series: f64 = (0..12).rev().fold(0.0, |sum, k| sum * ratio * ratio + 1.0 / f64::from(2 * k + 1));
    power * core::f64::consts::LN_2 + 2.0 * ratio * series
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn searches_are_read_strictly() {
        let state: State<()> = State::start();
        let found = |text| {
            let search = Search::read(text)?;
            let moves = search.candidates(&state);
            let moves: Vec<_> =
                moves.iter().map(|found| alloc::format!("{} {}", found.mv, found.visits)).collect();
            Some((search.score(), moves.join(", ")))
        };
        let both = "6i7h 500, 2g2f 300".into();
        assert_eq!(found("v=0.545,800,6978KI,500,2726FU,300"), Some((Some(108), both)));
        assert_eq!(found("v=0.455,r=0.4,800,6978KI,500a"), Some((Some(-108), "6i7h 500".into())));
        assert_eq!(found("800,2726FU,300Z"), Some((None, "2g2f 300".into())));
        assert_eq!(found("v=0.5,1"), Some((Some(0), "".into())));
        assert_eq!(found("v=1.000,9"), Some((Some(i32::MAX), "".into())));
        // A move that is not legal here is left out.
        assert_eq!(found("v=0.9,9,3334FU,4"), Some((Some(1318), "".into())));
        for text in [
            "",
            "800",
            "v=",
            "v=0.5",
            "v=1.5,8",
            "v=x,8",
            "v=.,8",
            "v=-0.5,8",
            "v=0.5,8,2726FU",
            "v=0.5,8,2726,1",
            "victory",
            "1,2",
        ] {
            assert_eq!(found(text), None, "{text}");
        }
    }

    #[test]
    fn decimals_and_logarithms_agree_with_the_standard_library() {
        for thousandth in 1..1000 {
            let rate = f64::from(thousandth) / 1000.0;
            assert_eq!(decimal(&rate.to_string()), Some(rate));
            let odds = rate / (1.0 - rate);
            assert!((logarithm(odds) - odds.ln()).abs() < 1e-9, "{odds}");
        }
    }
}
