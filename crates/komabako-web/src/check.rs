//! The check of a problem: whether it is sound, and the findings with lines that show them.

use komabako::tsume::{CheckReport, Finding, FindingKind, Limits, Problem, Solver, Soundness};
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::moves::PlayedMove;
use crate::solve::{played_after, problem_state, reason_name};

#[derive(Deserialize)]
pub struct Check {
    /// The most nodes of one question, and of the whole report.
    nodes: u64,
    report_nodes: u64,
}

#[derive(Serialize)]
pub struct Report {
    soundness: &'static str,
    length: Option<u16>,
    line: Vec<PlayedMove>,
    findings: Vec<FindingText>,
    nodes: u64,
}

/// A finding; its line follows the first `ply - 1` moves of the main line.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FindingText {
    kind: &'static str,
    ply: u16,
    length: Option<u16>,
    line: Vec<PlayedMove>,
    is_defect: bool,
    reason: Option<&'static str>,
}

/// Checks a problem, without an author's line.
pub fn check(solver: &mut Solver, problem: &Problem, request: &Check) -> Result<Report, Failure> {
    let limits =
        Limits { nodes: Some(request.nodes), report_nodes: Some(request.report_nodes), ..Limits::default() };
    let report = solver.check(problem, None, &limits).map_err(|error| Failure::new("LINE", &error))?;
    let CheckReport { soundness, length, line, findings, nodes, .. } = report;
    let state = problem_state(problem)?;
    let text = |finding: &Finding| {
        let before = &line[..usize::from(finding.ply).saturating_sub(1).min(line.len())];
        let shown = if finding.line.is_empty() { finding.mv.as_slice() } else { &finding.line };
        FindingText {
            kind: kind_name(finding.kind),
            ply: finding.ply,
            length: finding.length,
            line: played_after(&state, before, shown),
            is_defect: finding.is_defect,
            reason: finding.reason.map(reason_name),
        }
    };
    Ok(Report {
        soundness: match soundness {
            Soundness::Sound => "sound",
            Soundness::Defective => "defective",
            Soundness::Undecided => "undecided",
        },
        length,
        findings: findings.iter().map(text).collect(),
        line: played_after(&state, &[], &line),
        nodes,
    })
}

const fn kind_name(kind: FindingKind) -> &'static str {
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
