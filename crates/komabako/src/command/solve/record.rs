//! The answer to one problem, and its forms as JSON and as a row.

use komabako::board::{Color, Hand};
use komabako::rules::{Move16, State};
use komabako::tsume::{
    CheckReport, Convention, FindingKind, FirstCheck, Outcome, Problem, Reason, Soundness, Variation, Verdict,
};
use serde::Serialize;

use super::certificate::{ProofForm, Proofs};
use crate::message::NodeLimits;

/// The results for a problem.
pub struct Answer {
    /// The place of the problem in the input, from 1.
    pub number: u64,
    pub sfen: String,
    pub rest: String,
    pub problem: Problem,
    pub convention: Convention,
    /// Whether the exact length was asked for.
    pub wants_shortest: bool,
    pub outcome: Outcome,
    /// The length by the strict convention, if both were asked for.
    pub strict_length: Option<u16>,
    /// The line shown: the determined one, the author's, or the one found.
    pub line: Vec<Move16>,
    /// Whether the line ends in the mate.
    pub line_complete: bool,
    pub left: Hand,
    /// The length of the author's line, if it was asked for.
    pub author_length: Option<u16>,
    /// The defender's other replies, if they were asked for.
    pub variations: Vec<Variation>,
    /// Why some of them are missing.
    pub variations_stopped: Option<Reason>,
    pub first_checks: Vec<FirstCheck>,
    pub report: Option<CheckReport>,
    /// The certificates, if they were asked for.
    pub proofs: Proofs,
    pub node_limits: NodeLimits,
    pub milliseconds: u64,
}

/// The JSON of a problem: a line of `--output json`, and an element of the list of `--json`. The names are part of the
/// program's interface.
#[derive(Serialize)]
pub struct Form {
    sfen: String,
    verdict: &'static str,
    length: Option<u16>,
    exact: bool,
    convention: &'static str,
    strict_length: Option<u16>,
    author_length: Option<u16>,
    line: Vec<String>,
    line_ja: Vec<String>,
    line_complete: bool,
    left: Option<String>,
    reason: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    variations: Vec<VariationForm>,
    #[serde(skip_serializing_if = "Option::is_none")]
    variations_stopped: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    checks: Vec<CheckForm>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sound: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    findings: Option<Vec<FindingForm>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    proofs: Vec<ProofForm>,
    nodes: u64,
    ms: u64,
    table_full: bool,
}

#[derive(Serialize)]
struct VariationForm {
    ply: u16,
    line: Vec<String>,
    variations: Vec<VariationForm>,
}

impl VariationForm {
    fn new(variation: &Variation) -> Self {
        let variations = variation.variations.iter().map(VariationForm::new).collect();
        VariationForm { ply: variation.ply, line: texts(&variation.line), variations }
    }
}

#[derive(Serialize)]
struct CheckForm {
    #[serde(rename = "move")]
    mv: String,
    verdict: &'static str,
    length: Option<u16>,
    line: Vec<String>,
}

#[derive(Serialize)]
struct FindingForm {
    kind: &'static str,
    ply: u16,
    #[serde(rename = "move")]
    mv: Option<String>,
    length: Option<u16>,
    line: Vec<String>,
    defect: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
}

impl Answer {
    /// The length and whether it is exact.
    pub fn length(&self) -> Option<(u16, bool)> {
        match &self.outcome.verdict {
            Verdict::Mate(mate) => Some((mate.length.plies(), mate.length.is_exact())),
            _ => None,
        }
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
        matches!(self.outcome.verdict, Verdict::Mate(_)) && !self.line_complete
    }

    /// The pieces left over as SFEN writes hands, `-` for none; `None` if the end of the line is unknown.
    pub fn left(&self) -> Option<String> {
        if self.is_unfinished() { None } else { Some(hand_text(self.left, self.problem.attacker())) }
    }

    /// The line in USI; [`UNFINISHED`] follows if it is only the beginning of one.
    pub fn usi(&self) -> String {
        let mut words = texts(&self.line);
        words.extend(self.is_unfinished().then(|| UNFINISHED.to_owned()));
        words.join(" ")
    }

    /// The JSON form.
    pub fn form(&self) -> Form {
        let length = self.length();
        let reason = match self.outcome.verdict {
            Verdict::Unknown { reason, .. } => Some(reason_name(reason)),
            _ => None,
        };
        let checks = self.first_checks.iter().map(|check| CheckForm {
            mv: check.mv.to_string(),
            verdict: match check.length {
                Ok(Some(_)) => "mate",
                Ok(None) => "no-mate",
                Err(_) => "unknown",
            },
            length: check.length.ok().flatten(),
            line: texts(&check.line),
        });
        let findings = |report: &CheckReport| {
            let form = |finding: &komabako::tsume::Finding| FindingForm {
                kind: kind_name(finding.kind),
                ply: finding.ply,
                mv: finding.mv.map(|mv| mv.to_string()),
                length: finding.length,
                line: texts(&finding.line),
                defect: finding.is_defect,
                reason: finding.reason.map(reason_name),
            };
            report.findings.iter().map(form).collect()
        };
        Form {
            sfen: self.sfen.clone(),
            verdict: self.outcome.verdict.name(),
            length: length.map(|(length, _)| length),
            exact: length.is_some_and(|(_, exact)| exact),
            convention: convention_name(self.convention),
            strict_length: self.strict_length,
            author_length: self.author_length,
            line: texts(&self.line),
            line_ja: self.japanese(),
            line_complete: self.line_complete,
            left: self.left(),
            reason,
            variations: self.variations.iter().map(VariationForm::new).collect(),
            variations_stopped: self.variations_stopped.map(reason_name),
            checks: checks.collect(),
            sound: self.report.as_ref().map(|report| soundness_name(report.soundness)),
            findings: self.report.as_ref().map(findings),
            proofs: self.proofs.forms(),
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
        for &mv in &self.line {
            texts.push(state.japanese(mv, previous).map_or_else(|| mv.to_string(), |text| text.to_string()));
            previous = mv.to();
            state.do_move(mv);
        }
        texts
    }

    /// The columns of a row: the position, the verdict, the lengths, the pieces left over, the line, the checker's findings.
    pub fn row(&self) -> String {
        let number = |number: Option<u16>| number.map_or_else(|| "-".to_owned(), |number| number.to_string());
        let or_none = |text: String| if text.is_empty() { "-".to_owned() } else { text };
        let mut columns = vec![
            self.sfen.clone(),
            self.outcome.verdict.name().to_owned(),
            match self.length() {
                // A limit ended the search for a shorter one.
                Some((length, false)) if self.wants_shortest => format!("<={length}"),
                length => number(length.map(|(length, _)| length)),
            },
            number(self.strict_length),
            number(self.author_length),
            if self.is_unfinished() { "-".to_owned() } else { self.left.len().to_string() },
            or_none(self.usi()),
        ];
        if let Some(report) = &self.report {
            let of = |kind: FindingKind, with_ply: bool| {
                let found = report.findings.iter().filter(|finding| finding.kind == kind);
                let text = |finding: &komabako::tsume::Finding| {
                    let mv = finding.mv.map_or_else(String::new, |mv| mv.to_string());
                    let left =
                        if finding.leaves_pieces && kind == FindingKind::EqualDefence { "/left" } else { "" };
                    if with_ply { format!("{}:{mv}{left}", finding.ply) } else { mv }
                };
                let list: Vec<String> = found.map(text).collect();
                or_none(list.join(" "))
            };
            columns.extend([
                soundness_name(report.soundness).to_owned(),
                of(FindingKind::Dual, true),
                of(FindingKind::Unspecified, true),
                of(FindingKind::Rejoin, true),
                of(FindingKind::LastMove, false),
                of(FindingKind::EqualDefence, true),
            ]);
        }
        columns.join("\t") + &self.rest
    }
}

/// Stands for the missing rest of a line.
const UNFINISHED: &str = "...";

/// The header over [`Answer::row`].
pub fn header(checks: bool) -> String {
    let names = "sfen\tverdict\tlength\tstrict\tauthor\tleft\tline";
    let more = "\tsound\tduals\tunspecified\trejoins\tlast_move_alternatives\tequal_defences";
    if checks { format!("{names}{more}") } else { names.to_owned() }
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

fn soundness_name(soundness: Soundness) -> &'static str {
    match soundness {
        Soundness::Sound => "sound",
        Soundness::Defective => "defective",
        Soundness::Undecided => "undecided",
    }
}

fn kind_name(kind: FindingKind) -> &'static str {
    match kind {
        FindingKind::NoMate => "no-mate",
        FindingKind::Sooner => "sooner",
        FindingKind::Dual => "dual",
        FindingKind::Rejoin => "rejoin",
        FindingKind::Unspecified => "unspecified",
        FindingKind::LastMove => "last-move",
        FindingKind::EqualDefence => "equal-defence",
        FindingKind::LongerDefence => "longer-defence",
        FindingKind::LeftOver => "left-over",
        FindingKind::UselessInterposition => "useless-interposition",
        FindingKind::Undecided => "undecided",
    }
}

#[cfg(test)]
mod tests {
    use komabako::board::sfen;
    use komabako::tsume::{Goal, Limits, Memory, Rules, Solver};

    use super::*;
    use crate::command::solve::tree;
    use crate::message::Lang;

    #[test]
    fn unfinished_line_is_marked() {
        let sfen = "3sks3/9/4S4/9/9/B8/9/9/9 b S2rb4g4n4l18p 1";
        let problem = Problem::new(&sfen::parse(sfen).unwrap().setup, Rules::default()).unwrap();
        let mut solver = Solver::new(Memory::mebibytes(1));
        let outcome = solver.solve(&problem, Goal::Shortest(Convention::Tsume), &Limits::default());
        let Verdict::Mate(mate) = &outcome.verdict else { panic!("no mate") };
        let mut answer = Answer {
            number: 1,
            sfen: sfen.to_owned(),
            rest: String::new(),
            problem,
            convention: mate.convention,
            wants_shortest: true,
            strict_length: None,
            line: mate.line.clone(),
            line_complete: mate.line_complete,
            left: mate.left,
            author_length: None,
            variations: Vec::new(),
            variations_stopped: None,
            first_checks: Vec::new(),
            report: None,
            proofs: Proofs::default(),
            node_limits: NodeLimits { search: None, report: None },
            milliseconds: 0,
            outcome,
        };
        let json = |answer: &Answer| serde_json::to_value(answer.form()).unwrap();
        let is_mate = |answer: &Answer| tree::record(answer, Lang::En).unwrap().ending().is_some();
        assert_eq!((&json(&answer)["line_complete"], &json(&answer)["left"]), (&true.into(), &"-".into()));
        assert!(is_mate(&answer) && answer.row().ends_with("\t3\t-\t-\t0\t9f5b+ 4a5b S*4b"));
        (answer.line_complete, answer.line) = (false, answer.line[..1].to_vec());
        let unfinished = json(&answer);
        assert_eq!((&unfinished["line_complete"], &unfinished["line"][0]), (&false.into(), &"9f5b+".into()));
        assert!(unfinished["left"].is_null() && !is_mate(&answer));
        assert!(answer.row().ends_with("\t3\t-\t-\t-\t9f5b+ ..."), "{}", answer.row());
    }
}
