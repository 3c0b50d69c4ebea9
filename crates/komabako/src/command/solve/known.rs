//! [`Known`]: what an earlier answer says about the lengths of a problem's mates.

use komabako::tsume::{Convention, Goal};
use serde_json::Value;

use super::arguments::{ConventionArg, Solve};
use super::record::convention_name;

/// The verdict that no mate is as short as asked; a longer one may exist.
const NO_MATE_WITHIN: &str = "no-mate-within";

/// The lengths by each convention.
#[derive(Clone, Copy, Default)]
pub struct Known {
    /// Whether there is no mate at all.
    no_mate: bool,
    tsume: Plies,
    strict: Plies,
}

/// What is known of a length.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Plies {
    /// No mate is shorter.
    least: u16,
    /// There is a mate of this length; `None` if there may be none.
    most: Option<u16>,
}

/// A row of an earlier output, under its header.
#[derive(Clone, Copy)]
pub struct Row<'a> {
    pub header: &'a [&'a str],
    pub cells: &'a [&'a str],
}

impl<'a> Row<'a> {
    /// The cell in the column of this name.
    pub fn cell(&self, name: &str) -> Option<&'a str> {
        let place = self.header.iter().position(|&column| column == name)?;
        self.cells.get(place).copied()
    }
}

impl Plies {
    fn exactly(plies: u16) -> Self {
        Plies { least: plies, most: Some(plies) }
    }

    /// A length in a row: `9`, `<=9`, `>9`, or `-`.
    fn of_cell(cell: &str) -> Self {
        let number = |text: &str| text.parse().ok();
        if let Some(most) = cell.strip_prefix("<=") {
            return Plies { least: 0, most: number(most) };
        }
        if let Some(excluded) = cell.strip_prefix('>').and_then(number) {
            return Plies::longer_than(excluded);
        }
        number(cell).map(Plies::exactly).unwrap_or_default()
    }

    fn longer_than(excluded: u16) -> Self {
        Plies { least: excluded.saturating_add(1), most: None }
    }

    fn is_exact(self) -> bool {
        self.most == Some(self.least)
    }
}

impl Known {
    /// What a problem's JSON object says; `None` for another one.
    pub fn of_json(problem: &Value) -> Option<Self> {
        let plies = |name: &str| problem[name].as_u64().and_then(|plies| u16::try_from(plies).ok());
        let length = match problem["verdict"].as_str()? {
            "no-mate" => return Some(Known { no_mate: true, ..Known::default() }),
            NO_MATE_WITHIN => Plies::longer_than(plies("within")?),
            "mate" if problem["exact"] == false => Plies { least: 0, most: plies("length") },
            "mate" => {
                // An author's line may be shorter than the longest defence.
                plies("longest").or_else(|| plies("length")).map(Plies::exactly).unwrap_or_default()
            }
            _ => Plies::default(),
        };
        let strict = plies("strict_length").map(Plies::exactly).unwrap_or_default();
        let is_strict = problem["convention"] == convention_name(Convention::Strict);
        Some(if is_strict { Known::new(Plies::default(), length) } else { Known::new(length, strict) })
    }

    /// What a problem's row says; `None` for another line. A row without its convention that may be strict says nothing of the
    /// length of a problem, unless it is that of the author's line too, which is never longer.
    pub fn of_row(row: Row<'_>) -> Option<Self> {
        let [_, verdict, length, ref more @ ..] = *row.cells else { return None };
        let strict = more.first().map(|&cell| Plies::of_cell(cell)).unwrap_or_default();
        match verdict {
            "no-mate" => return Some(Known { no_mate: true, ..Known::default() }),
            "mate" | NO_MATE_WITHIN => {}
            "unknown" => return Some(Known::default()),
            _ => return None,
        }
        let mut tsume = Plies::of_cell(length);
        let is_same = more.first() == Some(&length);
        let is_strict = match row.cell("convention") {
            Some(name) => name == convention_name(Convention::Strict),
            None => is_same && !(tsume.is_exact() && more.get(1) == Some(&length)),
        };
        if is_strict {
            tsume = Plies::default();
        } else if let Some(longest) = row.cell("longest").and_then(|cell| cell.parse().ok()) {
            tsume = Plies::exactly(longest);
        }
        Some(Known::new(tsume, strict))
    }

    /// Of two lengths, each says something about the other: that of a problem is never longer than the strict one.
    fn new(mut tsume: Plies, mut strict: Plies) -> Self {
        strict.least = strict.least.max(tsume.least);
        tsume.most = tsume.most.into_iter().chain(strict.most).min();
        Known { no_mate: false, tsume, strict }
    }

    /// Whether it is the answer to the question of a run.
    pub fn answers(&self, solve: &Solve) -> bool {
        let plies = match solve.convention() {
            Convention::Tsume => self.tsume,
            Convention::Strict => self.strict,
        };
        let is_answered = match solve.goal() {
            Goal::Any => plies.most.is_some() || self.tsume.most.is_some(),
            Goal::Within(within, _) => plies.most.is_some_and(|most| most <= within) || plies.least > within,
            _ => plies.is_exact() && (solve.convention != ConventionArg::Both || self.strict.is_exact()),
        };
        self.no_mate || is_answered
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::command::solve::parsed;

    const QUESTIONS: [&[&str]; 7] = [
        &["--any"],
        &["--mate-in", "3"],
        &["--mate-in", "5"],
        &["--mate-in", "5", "--convention", "strict"],
        &[],
        &["--convention", "strict"],
        &["--convention", "both"],
    ];

    /// The places of the questions that are answered.
    fn answered(known: Known) -> Vec<usize> {
        (0..QUESTIONS.len()).filter(|&place| known.answers(&parsed(QUESTIONS[place]))).collect()
    }

    #[test]
    fn rows_answer_what_they_decide() {
        let header = ["sfen", "verdict", "length", "strict", "longest", "convention"];
        let row = |cells: &[&str]| {
            let cells = [&["position"], cells].concat();
            Known::of_row(Row { header: &header, cells: &cells }).map(answered)
        };
        let all = Some(vec![0, 1, 2, 3, 4, 5, 6]);
        assert_eq!(row(&["no-mate", "-", "-", "-", "tsume"]), all);
        assert_eq!(row(&["mate", "3", "3", "-", "tsume"]), all);
        assert_eq!(row(&["mate", "3", "7", "-", "tsume"]), all);
        assert_eq!(row(&["mate", "3", "-", "-", "tsume"]), Some(vec![0, 1, 2, 4]));
        // The author's line has three plies, the longest defence five.
        assert_eq!(row(&["mate", "3", "5", "5", "tsume"]), all);
        assert_eq!(row(&["mate", "3", "-", "5", "tsume"]), Some(vec![0, 1, 2, 4]));
        assert_eq!(row(&["mate", "<=5", "-", "-", "tsume"]), Some(vec![0, 2]));
        assert_eq!(row(&["mate", "3", "3", "-", "strict"]), Some(vec![0, 1, 2, 3, 5]));
        // Of `--any`: a strict mate.
        assert_eq!(row(&["mate", "<=5", "<=5", "-", "strict"]), Some(vec![0, 2, 3]));
        assert_eq!(row(&["mate", "<=9", "<=9", "-", "strict"]), Some(vec![0]));
        assert_eq!(row(&[NO_MATE_WITHIN, ">3", "-", "-", "tsume"]), Some(vec![1]));
        assert_eq!(row(&[NO_MATE_WITHIN, ">5", "-", "-", "tsume"]), Some(vec![1, 2, 3]));
        assert_eq!(row(&[NO_MATE_WITHIN, ">5", ">5", "-", "strict"]), Some(vec![3]), "no strict mate");
        assert_eq!(row(&["unknown", "-", "-", "-", "tsume"]), Some(vec![]));
        assert_eq!(row(&["a comment"]), None);
    }

    #[test]
    fn rows_without_their_convention_answer_what_is_certain() {
        let header = ["sfen", "verdict", "length", "strict", "author", "longest"];
        let row = |cells: &[&str]| {
            let cells = [&["position"], cells].concat();
            Known::of_row(Row { header: &header, cells: &cells }).map(answered)
        };
        let all = Some(vec![0, 1, 2, 3, 4, 5, 6]);
        assert_eq!(row(&["mate", "3", "3", "3", "-"]), all);
        assert_eq!(row(&["mate", "3", "5", "3", "-"]), all);
        assert_eq!(row(&["mate", "3", "-", "3", "-"]), Some(vec![0, 1, 2, 4]));
        // A mate in one by the convention of problems, perhaps.
        assert_eq!(row(&["mate", "3", "3", "1", "-"]), Some(vec![0, 1, 2, 3, 5]));
        assert_eq!(row(&["mate", "3", "3", "-", "-"]), Some(vec![0, 1, 2, 3, 5]));
        assert_eq!(row(&["mate", "<=5", "<=5", "-", "-"]), Some(vec![0, 2, 3]));
    }

    #[test]
    fn objects_answer_what_they_decide() {
        let object = |value: Value| Known::of_json(&value).map(answered);
        let all = Some(vec![0, 1, 2, 3, 4, 5, 6]);
        let tsume = json!({"verdict": "mate", "length": 3, "exact": true, "convention": "tsume"});
        assert_eq!(object(json!({"verdict": "no-mate"})), all);
        assert_eq!(object(tsume.clone()), Some(vec![0, 1, 2, 4]));
        let with = |more: Value| {
            let mut changed = tsume.clone();
            changed.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            object(changed)
        };
        assert_eq!(with(json!({"strict_length": 5})), all);
        assert_eq!(with(json!({"convention": "strict"})), Some(vec![0, 1, 2, 3, 5]));
        assert_eq!(with(json!({"longest": 7})), Some(vec![0, 1, 2, 3, 4]));
        assert_eq!(with(json!({"exact": false, "length": 5})), Some(vec![0, 2]));
        let longer = json!({"verdict": NO_MATE_WITHIN, "length": null, "within": 3});
        assert_eq!(with(longer), Some(vec![1]));
        assert_eq!(with(json!({"verdict": "unknown", "length": null, "exact": false})), Some(vec![]));
        assert_eq!(object(json!({"kind": "summary"})), None);
    }
}
