//! [`Reply`]: what an engine says of a position.

use komabako_rules::Move16;

use crate::convert::Rescale;
use crate::io::score_column::MATE;

/// The score of a mate at once; a mate in n plies is this less n.
const AT_ONCE: i64 = 32_000;

/// A score and a move, as an engine gives them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Reply {
    /// From the side to move's view.
    pub score: i16,
    pub kind: ScoreKind,
    /// `None` if the engine resigns or declares a win.
    pub mv: Option<Move16>,
}

/// How sure and how large a score is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ScoreKind {
    /// An exact evaluation.
    Exact,
    /// An exact evaluation beyond ±29999, which was clamped.
    Clamped,
    /// A mate.
    Mate,
    /// A bound: the engine gave nothing exact.
    Bound,
}

/// The scores of the `info` lines so far, of which the last exact one counts.
#[derive(Clone, Copy, Default)]
pub(super) struct Scores {
    exact: Option<(i16, ScoreKind)>,
    bound: Option<i16>,
}

impl Scores {
    /// Reads an `info` line. Lines without a score, and other lines of play than the first, are passed over.
    pub fn add_info(&mut self, line: &str) {
        let mut words = line.split_ascii_whitespace().skip(1);
        let mut found = None;
        let mut is_bound = false;
        while let Some(word) = words.next() {
            match word {
                // The rest is free text.
                "string" => break,
                "multipv" if words.next() != Some("1") => return,
                "score" => found = score(words.next(), words.next()),
                "lowerbound" | "upperbound" => is_bound = true,
                // The rest are moves.
                "pv" => break,
                _ => {}
            }
        }
        match found {
            Some((score, _)) if is_bound => self.bound = Some(score),
            Some(exact) => self.exact = Some(exact),
            None => {}
        }
    }

    /// The reply with the move of `bestmove`; `None` without a score or if the word is no move.
    pub fn into_reply(self, best_move: &str) -> Option<Reply> {
        // Engines that resign or declare a win often do not search before.
        let (mv, otherwise) = match best_move {
            "resign" => (None, Some((-AT_ONCE as i16, ScoreKind::Mate))),
            "win" => (None, Some((AT_ONCE as i16, ScoreKind::Mate))),
            text => (Some(text.parse::<Move16>().ok()?), None),
        };
        let bound = self.bound.map(|score| (score, ScoreKind::Bound));
        let (score, kind) = self.exact.or(bound).or(otherwise)?;
        Some(Reply { score, kind, mv })
    }
}

/// The score of the words after `score`.
fn score(unit: Option<&str>, value: Option<&str>) -> Option<(i16, ScoreKind)> {
    let value = value?;
    match unit? {
        "cp" => {
            let largest = i64::from(Rescale::LARGEST);
            let score: i64 = value.parse().ok()?;
            let kind = if score.abs() > largest { ScoreKind::Clamped } else { ScoreKind::Exact };
            Some((score.clamp(-largest, largest) as i16, kind))
        }
        "mate" => {
            // `+` and `-` alone are mates of unknown length.
            let digits = value.trim_start_matches(['+', '-']);
            let plies: i64 = digits.parse().unwrap_or(0);
            let size = (AT_ONCE - plies.min(AT_ONCE)).max(MATE.into());
            // `mate 0` and `mate -0` say that the side to move is mated already: its score is never a win.
            let is_mated = value.starts_with('-') || (value == digits && plies == 0);
            let score = if is_mated { -size } else { size };
            let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
            is_number.then_some((score as i16, ScoreKind::Mate))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn reply(infos: &[&str], best_move: &str) -> Option<(i16, ScoreKind)> {
        let mut scores = Scores::default();
        for info in infos {
            scores.add_info(info);
        }
        scores.into_reply(best_move).map(|reply| (reply.score, reply.kind))
    }

    #[test]
    fn the_last_exact_score_of_the_first_line_of_play_counts() {
        let infos = [
            "info depth 1 score cp 10 pv 7g7f",
            "info depth 2 score cp 35 multipv 1 pv 2g2f",
            "info depth 3 score cp 90 lowerbound nodes 5",
            "info depth 3 multipv 2 score cp -400 pv 1g1f",
            "info string score cp 7",
            "info depth 3 currmove 7g7f",
        ];
        assert_eq!(reply(&infos, "7g7f"), Some((35, ScoreKind::Exact)));
        assert_eq!(reply(&infos[2..], "7g7f"), Some((90, ScoreKind::Bound)));
        assert_eq!(reply(&infos[3..], "7g7f"), None);
    }

    #[test]
    fn mates_have_the_scores_of_records() {
        for (value, score) in [
            ("5", 31_995),
            ("+3", 31_997),
            ("-4", -31_996),
            ("0", -32_000),
            ("-0", -32_000),
            ("+0", 32_000),
            ("+", 32_000),
            ("-", -32_000),
        ] {
            let info = format!("info score mate {value} pv 7g7f");
            assert_eq!(reply(&[&info], "7g7f"), Some((score, ScoreKind::Mate)), "{value}");
        }
        assert_eq!(reply(&["info score mate 9999"], "7g7f"), Some((30_000, ScoreKind::Mate)));
        assert_eq!(reply(&["info score mate soon"], "7g7f"), None);
    }

    #[test]
    fn evaluations_never_become_mates() {
        assert_eq!(reply(&["info score cp 31000"], "7g7f"), Some((29_999, ScoreKind::Clamped)));
        assert_eq!(reply(&["info score cp -99999999"], "7g7f"), Some((-29_999, ScoreKind::Clamped)));
        assert_eq!(reply(&["info score cp -29999"], "7g7f"), Some((-29_999, ScoreKind::Exact)));
        assert_eq!(reply(&["info score cp x", "info score cp", "info score"], "7g7f"), None);
    }

    #[test]
    fn without_a_move_the_game_is_over() {
        assert_eq!(reply(&[], "resign"), Some((-32_000, ScoreKind::Mate)));
        assert_eq!(reply(&[], "win"), Some((32_000, ScoreKind::Mate)));
        assert_eq!(reply(&["info depth 0 score mate 0"], "resign"), Some((-32_000, ScoreKind::Mate)));
        assert_eq!(reply(&["info score cp -900"], "resign"), Some((-900, ScoreKind::Exact)));
        assert_eq!(reply(&["info score cp 1"], "none"), None);
    }
}
