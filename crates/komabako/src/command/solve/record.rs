//! The answer to one problem, and its forms as JSON and as a row.

use komabako::board::{Color, File, Hand, Rank};
use komabako::rules::{Move16, State};
use komabako::tsume::{
    AuthorLine, CheckReport, Convention, DualClass, Finding, FindingKind, FirstCheck, Length, Needless,
    Outcome, PlacedPiece, Problem, Reason, Refutation, Root, Soundness, Variation, Verdict,
};

use super::arguments::Solve;
use super::certificate::Proofs;
use super::destination::Form;
use super::input::Task;
use crate::json::{Value, object};
use crate::message::Lang;

/// The line that is shown, with its length and what it leaves: the determined one, the author's, or the one found.
#[derive(Default)]
pub struct ShownLine {
    /// The number of its plies that count; `None` if it may have fewer than the mate takes.
    pub plies: Option<u16>,
    pub line: Vec<Move16>,
    /// Whether it ends in the mate.
    pub is_complete: bool,
    pub left: Hand,
}

impl ShownLine {
    /// The line of a verdict.
    pub fn of_verdict(verdict: &Verdict) -> Self {
        let Verdict::Mate(mate) = verdict else { return Self::default() };
        let line = mate.line.clone();
        Self { plies: verdict.exact_length(), line, is_complete: mate.line_complete, left: mate.left }
    }

    pub fn of_author(author: AuthorLine) -> Self {
        let plies = u16::try_from(author.line.len()).ok();
        Self { plies, line: author.line, is_complete: true, left: author.left }
    }

    /// The main line of a report.
    pub fn of_report(report: &CheckReport) -> Self {
        let &CheckReport { plies, line_complete: is_complete, left, .. } = report;
        Self { plies: Some(plies), line: report.line.clone(), is_complete, left }
    }
}

/// The results for a problem.
pub struct Answer<'a> {
    /// What was asked for.
    pub solve: &'a Solve,
    pub task: Task,
    pub problem: Problem,
    /// That of the length.
    pub convention: Convention,
    pub outcome: Outcome,
    /// The length by the strict convention, if both were asked for.
    pub strict_length: Option<u16>,
    pub shown: ShownLine,
    /// The length of the author's line, if it was asked for.
    pub author_length: Option<u16>,
    /// The defender's other replies, if they were asked for.
    pub variations: Vec<Variation>,
    /// Why some of them are missing.
    pub variations_stopped: Option<Reason>,
    pub first_checks: Vec<FirstCheck>,
    pub report: Option<CheckReport>,
    /// The pieces that the problem does not need, if they were asked for.
    pub needless: Option<Needless>,
    /// The certificates, if they were asked for.
    pub proofs: Proofs,
    pub milliseconds: u64,
}

impl Answer<'_> {
    /// The length of the mate by the line shown.
    pub fn length(&self) -> Option<Length> {
        match (&self.outcome.verdict, self.shown.plies) {
            (Verdict::Mate(mate), Some(plies)) if mate.length.is_exact() => Some(Length::Exact(plies)),
            (Verdict::Mate(mate), _) => Some(mate.length),
            _ => None,
        }
    }

    /// The number of plies within which there is no mate, if a longer one may exist.
    pub fn no_mate_within(&self) -> Option<u16> {
        match self.outcome.verdict {
            Verdict::NoMate(Refutation::Longer) => self.solve.mate_in,
            _ => None,
        }
    }

    /// The number of plies that the longest defence lasts, if the line shown ends sooner.
    pub fn longest(&self) -> Option<u16> {
        let longest = self.outcome.verdict.exact_length()?;
        (self.shown.plies? < longest).then_some(longest)
    }

    /// The number of plies of the line shown, if they are fewer than the mate may take.
    pub fn fewer_plies(&self) -> Option<usize> {
        let plies = self.shown.line.len();
        (self.shown.is_complete && plies < self.length()?.plies().into()).then_some(plies)
    }

    /// The pieces that the problem does not need, if they were asked for and the problem is not unsound.
    pub fn examined_needless(&self) -> Option<&Needless> {
        match &self.report {
            Some(report) if report.soundness == Soundness::Defective => None,
            _ => self.needless.as_ref(),
        }
    }

    /// The length that the author states, if the mate has another one.
    pub fn other_stated(&self) -> Option<u16> {
        let length = self.length().filter(|length| length.is_exact())?;
        self.task.stated.filter(|&stated| stated != length.plies())
    }

    /// Whether the exit code is 0 for this problem.
    pub fn is_good(&self) -> bool {
        if self.proofs.missing.is_some() {
            return false;
        }
        match &self.report {
            Some(report) => report.soundness == Soundness::Sound,
            None => matches!(self.outcome.verdict, Verdict::Mate(_)),
        }
    }

    /// Whether there is a mate whose line is only the beginning of one.
    pub fn is_unfinished(&self) -> bool {
        matches!(self.outcome.verdict, Verdict::Mate(_)) && !self.shown.is_complete
    }

    /// The pieces left over as SFEN writes hands, `-` for none; `None` if the end of the line is unknown.
    pub fn left(&self) -> Option<String> {
        if self.is_unfinished() { None } else { Some(hand_text(self.shown.left, self.problem.attacker())) }
    }

    /// The pieces left over, in words.
    pub fn left_in_words(&self, lang: Lang) -> String {
        match self.left() {
            Some(left) => lang.pieces_left(self.shown.left, left),
            None => lang.line_is_unfinished(),
        }
    }

    /// Remarks on the length of a mate.
    pub fn remarks(&self, lang: Lang) -> Vec<String> {
        let remarks = [
            self.fewer_plies().map(|plies| lang.line_has_plies(plies)),
            self.longest().map(|longest| lang.longest_defence(longest)),
            self.other_stated().map(|stated| lang.another_length_is_stated(stated)),
        ];
        remarks.into_iter().flatten().collect()
    }

    /// The line in USI; [`UNFINISHED`] follows if it is only the beginning of one.
    pub fn usi(&self) -> String {
        let mut words = texts(&self.shown.line);
        words.extend(self.is_unfinished().then(|| UNFINISHED.to_owned()));
        words.join(" ")
    }

    /// The JSON of the problem: a line of `--output json`, and an element of the list of `--json`. The names are part of the
    /// program's interface.
    pub fn form(&self) -> Value {
        let length = self.length();
        let reason = match self.outcome.verdict {
            Verdict::Unknown { reason, .. } => Some(reason_name(reason)),
            _ => self.no_mate_within().map(|_| "longer"),
        };
        let checks = self.first_checks.iter().map(|check| -> Value {
            let verdict = match check.length {
                Ok(Some(_)) => "mate",
                Ok(None) => "no-mate",
                Err(_) => "unknown",
            };
            let length = check.length.ok().flatten();
            object! { r#move: check.mv.to_string(), verdict: verdict, length: length, line: texts(&check.line) }
        });
        // A list that was asked for is present even if it is empty.
        let checks = self.solve.all.then(|| checks.collect::<Vec<Value>>());
        let variations = self.variations.iter().map(variation_form);
        let variations = (self.solve.variations > 0).then(|| variations.collect::<Vec<Value>>());
        let findings = self.report.as_ref().map(|report| report.findings.iter().map(finding_form).collect());
        let needless = self.examined_needless();
        object! {
            sfen: self.task.sfen,
            verdict: self.outcome.verdict.name(),
            within[optional]: self.no_mate_within(),
            length: length.map(Length::plies),
            exact: length.is_some_and(Length::is_exact),
            convention: convention_name(self.convention),
            hands: hands_name(&self.problem),
            hands_changed: self.problem.is_changed(),
            root: root_name(self.problem.root()),
            strict_length: self.strict_length,
            author_length: self.author_length,
            longest[optional]: self.longest(),
            stated_length[optional]: self.task.stated,
            line: texts(&self.shown.line),
            line_ja: self.japanese(),
            line_complete: self.shown.is_complete,
            left: self.left(),
            reason: reason,
            variations[optional]: variations,
            variations_stopped[optional]: self.variations_stopped.map(reason_name),
            checks[optional]: checks,
            sound[optional]: self.report.as_ref().map(|report| report.soundness.name()),
            findings[optional]: findings.map(Value::Array),
            needless[optional]: needless.map(|needless| placed_texts(&needless.pieces)),
            needless_complete[optional]: needless.map(|needless| needless.is_complete),
            proofs[optional]: if_any(self.proofs.forms()),
            nodes: self.outcome.nodes,
            ms: self.milliseconds,
            table_full: self.outcome.collections > 0,
        }
    }

    /// The line in Japanese.
    pub fn japanese(&self) -> Vec<String> {
        let Ok(position) = komabako::board::Position::new_tsume(self.problem.setup()) else {
            return Vec::new();
        };
        let Ok(mut state) = State::<()>::new(&position) else { return Vec::new() };
        let mut previous = None;
        let mut texts = Vec::new();
        for &mv in &self.shown.line {
            texts.push(state.japanese(mv, previous).map_or_else(|| mv.to_string(), |text| text.to_string()));
            previous = mv.to();
            state.do_move(mv);
        }
        texts
    }

    /// What a form other than a game record does not show of what was asked for, each with its number.
    pub fn lost(&self, form: Form, lang: Lang) -> Vec<(String, u64)> {
        if matches!(form, Form::Text | Form::Json | Form::Game(_)) {
            return Vec::new();
        }
        let checks: usize = self.first_checks.iter().map(|check| check.line.len().max(1)).sum();
        let moves = checks + self.variations.iter().map(variation_moves).sum::<usize>();
        let findings = self.report.iter().flat_map(|report| &report.findings);
        let has_column = |finding: &&Finding| CHECKS.iter().any(|(kind, ..)| *kind == finding.kind);
        let findings = findings.filter(|finding| form != Form::Tsv || !has_column(finding)).count();
        let moves = (lang.kifu_loss("variation_nodes"), moves as u64);
        Vec::from([moves, (lang.findings_label(), findings as u64)])
    }

    /// The columns of a row: the position, the verdict, the lengths (`<=9` if at most 9, `>9` if there is no mate within 9), the pieces left over, the line, the checker's findings, the
    /// length of the longest defence if that is another, nodes and time, the convention of the length, the defender's hand and the side
    /// to move.
    pub fn row(&self) -> String {
        let number = |number: Option<u16>| number.map_or_else(|| "-".to_owned(), |number| number.to_string());
        let or_none = |text: String| if text.is_empty() { "-".to_owned() } else { text };
        let length = match (self.length(), self.no_mate_within()) {
            (Some(Length::AtMost(length)), _) => format!("<={length}"),
            (_, Some(within)) => format!(">{within}"),
            (length, _) => number(length.map(Length::plies)),
        };
        let strict = match self.convention {
            // What is known of the length is known of the strict one.
            Convention::Strict if self.strict_length.is_none() => length.clone(),
            _ => number(self.strict_length),
        };
        let mut columns = vec![
            self.task.sfen.clone(),
            self.outcome.verdict.name().to_owned(),
            length,
            strict,
            number(self.author_length),
            if self.is_unfinished() { "-".to_owned() } else { self.shown.left.len().to_string() },
            or_none(self.usi()),
        ];
        if let Some(report) = &self.report {
            columns.push(report.soundness.name().to_owned());
            for (kind, _, has_ply) in CHECKS {
                let found = report.findings.iter().filter(|finding| finding.kind == kind);
                let text = |finding: &Finding| {
                    let mv = finding.mv.map_or_else(String::new, |mv| mv.to_string());
                    let left =
                        if finding.leaves_pieces && kind == FindingKind::EqualDefence { "/left" } else { "" };
                    if has_ply { format!("{}:{mv}{left}", finding.ply) } else { mv }
                };
                let list: Vec<String> = found.map(text).collect();
                columns.push(or_none(list.join(" ")));
            }
        }
        if let Some(needless) = &self.needless {
            let mut pieces = placed_texts(&needless.pieces);
            pieces.extend((!needless.is_complete).then(|| UNFINISHED.to_owned()));
            columns.push(or_none(pieces.join(" ")));
        }
        columns.extend([
            number(self.longest()),
            self.outcome.nodes.to_string(),
            self.milliseconds.to_string(),
            convention_name(self.convention).to_owned(),
            hands_name(&self.problem).to_owned(),
            root_name(self.problem.root()).to_owned(),
        ]);
        columns.join("\t") + &self.task.rest
    }
}

/// The number of moves of a variation and of those in it.
fn variation_moves(variation: &Variation) -> usize {
    variation.line.len() + variation.variations.iter().map(variation_moves).sum::<usize>()
}

fn variation_form(variation: &Variation) -> Value {
    let variations: Vec<Value> = variation.variations.iter().map(variation_form).collect();
    object! { ply: variation.ply, line: texts(&variation.line), variations: variations }
}

/// Pieces as `P5e`, of the attacker's hand as `P*`.
pub fn placed_texts(pieces: &[PlacedPiece]) -> Vec<String> {
    let text = |&(square, kind): &PlacedPiece| match square {
        Some(square) => {
            format!("{}{}{}", kind.letter(), File::of(square).to_usi(), Rank::of(square).to_usi())
        }
        None => format!("{}*", kind.letter()),
    };
    pieces.iter().map(text).collect()
}

fn finding_form(finding: &Finding) -> Value {
    object! {
        kind: finding.kind.name(),
        ply: finding.ply,
        r#move: finding.mv.map(|mv| mv.to_string()),
        length: finding.length,
        line: texts(&finding.line),
        class[optional]: finding.class.map(class_name),
        defect: finding.is_defect,
        reason[optional]: finding.reason.map(reason_name),
    }
}

/// A list, or `None` if it is empty.
fn if_any(items: impl Iterator<Item = Value>) -> Option<Vec<Value>> {
    let items: Vec<Value> = items.collect();
    if items.is_empty() { None } else { Some(items) }
}

/// Stands for the missing rest of a line, or of the pieces that are not needed.
pub const UNFINISHED: &str = "...";

/// The kinds of findings that have a column, its name, and whether it has their plies.
const CHECKS: [(FindingKind, &str, bool); 5] = [
    (FindingKind::Dual, "duals", true),
    (FindingKind::Unspecified, "unspecified", true),
    (FindingKind::Rejoin, "rejoins", true),
    (FindingKind::LastMove, "last_move_alternatives", false),
    (FindingKind::EqualDefence, "equal_defences", true),
];

/// The header over [`Answer::row`], without the columns of the input.
pub fn header(checks: bool, needless: bool) -> String {
    let mut names = vec!["sfen", "verdict", "length", "strict", "author", "left", "line"];
    if checks {
        names.push("sound");
        names.extend(CHECKS.map(|(_, name, _)| name));
    }
    if needless {
        names.push("needless");
    }
    names.extend(["longest", "nodes", "ms", "convention", "hands", "root"]);
    names.join("\t")
}

/// The header over rows that keep columns of the input, with these names. A column is named by its number if it has no name, or one
/// that a column of answers can have: an answer is read back by the names.
pub fn whole_header(checks: bool, needless: bool, kept: &[String]) -> String {
    let mut whole = header(checks, needless);
    for (name, number) in kept.iter().zip(2..) {
        let is_taken = name.is_empty() || header(true, true).split('\t').any(|own| own == name);
        let name = if is_taken { format!("input_{number}") } else { name.clone() };
        whole = format!("{whole}\t{name}");
    }
    whole
}

pub fn texts(moves: &[Move16]) -> Vec<String> {
    moves.iter().map(ToString::to_string).collect()
}

fn hand_text(hand: Hand, owner: Color) -> String {
    let text: String = hand
        .counts()
        .map(|(kind, count)| {
            let letter = kind.letter();
            let letter = if owner == Color::White { letter.to_ascii_lowercase() } else { letter };
            if count > 1 { format!("{count}{letter}") } else { letter.to_string() }
        })
        .collect();
    if text.is_empty() { "-".to_owned() } else { text }
}

pub fn convention_name(convention: Convention) -> &'static str {
    match convention {
        Convention::Strict => "strict",
        Convention::Tsume => "tsume",
    }
}

/// The name of the defender's hand, in JSON and rows.
pub fn hands_name(problem: &Problem) -> &'static str {
    if problem.is_complement() { "complement" } else { "as-given" }
}

/// The name of the side to move, in JSON and rows.
pub fn root_name(root: Root) -> &'static str {
    match root {
        Root::Attack => "attack",
        Root::Defend => "defend",
    }
}

fn reason_name(reason: Reason) -> &'static str {
    match reason {
        Reason::Nodes => "nodes",
        Reason::ReportNodes => "report-nodes",
        Reason::Time => "time",
        Reason::Depth => "depth",
        Reason::Memory => "memory",
        Reason::Cancelled => "cancelled",
    }
}

fn class_name(class: DualClass) -> &'static str {
    match class {
        DualClass::FirstMove => "first-move",
        DualClass::LaterMove => "later-move",
        DualClass::Order => "order",
        DualClass::Promotion => "promotion",
        DualClass::Distance => "distance",
        DualClass::Detour => "detour",
    }
}

#[cfg(test)]
mod tests {
    use komabako::board::sfen;
    use komabako::tsume::{Goal, Limits, Memory, Rules, Solver};

    use super::*;
    use crate::command::solve::refused::Origin;
    use crate::command::solve::{parsed, tree};

    #[test]
    fn unfinished_line_is_marked() {
        let sfen = "3sks3/9/4S4/9/9/B8/9/9/9 b S2rb4g4n4l18p 1";
        let setup = sfen::parse(sfen).unwrap().setup;
        let problem = Problem::new(&setup, Rules::default()).unwrap();
        let mut solver = Solver::new(Memory::mebibytes(1));
        let outcome = solver.solve(&problem, Goal::Shortest(Convention::Tsume), &Limits::default());
        let Verdict::Mate(mate) = &outcome.verdict else { panic!("no mate") };
        let solve = parsed(&[]);
        let mut answer = Answer {
            solve: &solve,
            task: Task::new(sfen.to_owned(), setup, Origin::default()),
            problem,
            convention: mate.convention,
            strict_length: None,
            shown: ShownLine::of_verdict(&outcome.verdict),
            author_length: None,
            variations: Vec::new(),
            variations_stopped: None,
            first_checks: Vec::new(),
            report: None,
            needless: None,
            proofs: Proofs::default(),
            milliseconds: 0,
            outcome,
        };
        let json = |answer: &Answer| answer.form();
        let is_mate = |answer: &Answer| tree::record(answer, Lang::En).unwrap().ending().is_some();
        assert_eq!((&json(&answer)["line_complete"], &json(&answer)["left"]), (&true.into(), &"-".into()));
        assert!(is_mate(&answer) && answer.row().contains("\t3\t-\t-\t0\t9f5b+ 4a5b S*4b\t-\t"));
        answer.shown.is_complete = false;
        answer.shown.line.truncate(1);
        let unfinished = json(&answer);
        assert_eq!((&unfinished["line_complete"], &unfinished["line"][0]), (&false.into(), &"9f5b+".into()));
        assert!(unfinished["left"].is_null() && !is_mate(&answer));
        assert!(answer.row().contains("\t3\t-\t-\t-\t9f5b+ ...\t-\t"), "{}", answer.row());
    }
}
