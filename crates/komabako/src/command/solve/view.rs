//! The forms of an answer.

use std::io::{self, IsTerminal, Write};

use komabako::board::diagram;
use komabako::tsume::{Finding, FindingKind, Refutation, Variation, Verdict};

use super::certificate::Proofs;
use super::destination::Form;
use super::record::{Answer, placed_texts, texts};
use crate::context::Context;
use crate::escape;
use crate::message::Lang;

/// Writes one answer that is not a game record; `several`: it is one of many.
pub fn show(context: &Context, answer: &Answer<'_>, several: bool, out: &mut impl Write) -> io::Result<()> {
    let output = &answer.solve.output;
    match output.form {
        Form::Json => {
            writeln!(out, "{}", escape::json(answer.form().to_string()))
        }
        Form::Tsv => writeln!(out, "{}", answer.row()),
        Form::Usi => writeln!(out, "{}", texts(&answer.shown.line).join(" ")),
        Form::Sfen => {
            let sfen = answer.problem.setup();
            let moves = texts(&answer.shown.line);
            let moves = if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
            writeln!(out, "position sfen {sfen} 1{moves}")
        }
        Form::Text | Form::Game(_) => {
            if !several && output.path.is_none() && io::stdout().is_terminal() {
                writeln!(out, "{}", diagram::kanji(&answer.problem.setup()))?;
            }
            text(context.lang, answer, several, out)
        }
    }
}

fn text(lang: Lang, answer: &Answer<'_>, several: bool, out: &mut impl Write) -> io::Result<()> {
    let spent = lang.solve_spent(lang.nodes(answer.outcome.nodes), answer.milliseconds);
    let prefix = if several { format!("{}\t", answer.task.sfen) } else { String::new() };
    let verdict = verdict(lang, answer);
    writeln!(out, "{prefix}{verdict}  ({spent})")?;
    for line in lines(lang, answer, several) {
        writeln!(out, "  {line}")?;
    }
    Ok(())
}

fn verdict(lang: Lang, answer: &Answer<'_>) -> String {
    match &answer.outcome.verdict {
        Verdict::Mate(mate) => {
            let length = answer.length().unwrap_or(mate.length);
            let length = lang.mate_length(length, answer.convention, answer.strict_length);
            let left = answer.left_in_words(lang);
            format!("{length}  {}    {}    {left}", answer.japanese().join(" "), answer.usi())
        }
        Verdict::NoMate(_) => lang.refuted(answer.no_mate_within()),
        Verdict::Unknown { reason, excluded } => lang.no_verdict(*reason, *excluded),
    }
}

/// The lines below the verdict.
fn lines(lang: Lang, answer: &Answer<'_>, several: bool) -> Vec<String> {
    let mut lines = answer.remarks(lang);
    match &answer.outcome.verdict {
        Verdict::NoMate(Refutation::NoCheck) => lines.push(lang.no_check()),
        Verdict::NoMate(Refutation::Escape(reply)) => lines.push(lang.escapes_by(reply)),
        Verdict::NoMate(Refutation::Replies(replies)) if !several => {
            lines.extend(replies.iter().map(|(check, reply)| lang.refuted_by(check, reply)));
        }
        _ => {}
    }
    if answer.problem.is_changed() {
        lines.push(lang.hands_are_completed());
    }
    add_variations(lang, &answer.variations, "", &mut lines);
    if let Some(reason) = answer.variations_stopped {
        lines.push(lang.variations_stopped(lang.no_verdict(reason, None)));
    }
    for check in &answer.first_checks {
        lines.push(format!("{}  {}  {}", check.mv, lang.first_check(check), texts(&check.line).join(" ")));
    }
    add_proofs(lang, &answer.proofs, &mut lines);
    if let Some(report) = &answer.report {
        lines.push(lang.soundness(report.soundness));
        let shown = |finding: &&Finding| finding.kind != FindingKind::EqualDefence || !finding.leaves_pieces;
        for finding in report.findings.iter().filter(shown) {
            let ply = lang.at_ply(finding.ply);
            let mv = finding.mv.map_or_else(String::new, |mv| mv.to_string());
            let what = lang.solve_finding(finding, answer.solve.node_limits());
            let length = finding.length.map_or_else(String::new, |length| lang.mate_plies(length));
            let line = texts(&finding.line).join(" ");
            lines.push(format!("{ply} {mv}  {what}  {length}  {line}"));
        }
    }
    if answer.needless.is_some() && answer.examined_needless().is_none() {
        lines.push(lang.needless_not_examined());
    }
    if let Some(needless) = answer.examined_needless() {
        if !needless.pieces.is_empty() {
            lines.push(lang.needless_pieces(placed_texts(&needless.pieces).join(" ")));
        } else if needless.is_complete {
            lines.push(lang.no_needless_piece());
        }
        if !needless.is_complete {
            lines.push(lang.needless_pieces_are_open());
        }
    }
    lines
}

/// The variations; nested ones are indented.
fn add_variations(lang: Lang, variations: &[Variation], indent: &str, lines: &mut Vec<String>) {
    for variation in variations {
        let ply = lang.at_ply(variation.ply);
        let length = lang.mate_plies(usize::from(variation.ply) - 1 + variation.line.len());
        lines.push(format!("{indent}{ply}  {length}  {}", texts(&variation.line).join(" ")));
        add_variations(lang, &variation.variations, &format!("{indent}  "), lines);
    }
}

fn add_proofs(lang: Lang, proofs: &Proofs, lines: &mut Vec<String>) {
    let certificates = &proofs.certificates;
    // Those of a report, one for each check beside the main line, are many.
    if certificates.len() > 2 {
        let bytes: usize = certificates.iter().map(|(certificate, _)| certificate.as_bytes().len()).sum();
        let nodes: usize = certificates.iter().map(|(_, checked)| checked.nodes).sum();
        let nodes = lang.nodes(nodes as u64);
        lines.push(lang.certificates_written(certificates.len(), nodes, lang.size(bytes as u64)));
    } else {
        for (certificate, checked) in certificates {
            let nodes = lang.nodes(checked.nodes as u64);
            let size = lang.size(certificate.as_bytes().len() as u64);
            lines.push(lang.certificate_written(lang.say(checked), nodes, size));
        }
    }
    lines.extend(proofs.missing.as_ref().map(|error| lang.certificate_missing(lang.say(error))));
}
