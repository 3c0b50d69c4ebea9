//! The check of a problem: whether it is sound, and the findings with lines that show them.

use komabako::tsume::{CheckReport, Finding, Limits, Problem, Solver};
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::moves::PlayedMove;
use crate::solve::{played_after, problem_state, reason_name};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
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
    let length = report.length();
    let CheckReport { soundness, line, findings, outcome, .. } = report;
    let state = problem_state(problem)?;
    let text = |finding: &Finding| {
        let before = &line[..usize::from(finding.ply).saturating_sub(1).min(line.len())];
        let shown = if finding.line.is_empty() { finding.mv.as_slice() } else { &finding.line };
        FindingText {
            kind: finding.kind.name(),
            ply: finding.ply,
            length: finding.length,
            line: played_after(&state, before, shown),
            is_defect: finding.is_defect,
            reason: finding.reason.map(reason_name),
        }
    };
    Ok(Report {
        soundness: soundness.name(),
        length,
        findings: findings.iter().map(text).collect(),
        line: played_after(&state, &[], &line),
        nodes: outcome.nodes,
    })
}
