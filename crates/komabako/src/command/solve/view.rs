//! The forms of an answer.

use std::io::{self, IsTerminal, Write};

use komabako::board::diagram;
use komabako::tsume::{Finding, FindingKind, Refutation, Variation, Verdict};

use super::arguments::Solve;
use super::destination::Form;
use super::record::{Answer, placed_texts, texts};
use crate::context::Context;
use crate::escape;
use crate::message::Lang;

/// Writes one answer that is not a game record; `several`: it is one of many.
pub fn show(
    solve: &Solve,
    context: &Context,
    answer: &Answer,
    several: bool,
    out: &mut impl Write,
) -> io::Result<()> {
    match solve.output.form {
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
            if !several && solve.output.path.is_none() && io::stdout().is_terminal() {
                writeln!(out, "{}", diagram::kanji(&answer.problem.setup()))?;
            }
            text(context.lang, answer, several, out)
        }
    }
}

fn text(lang: Lang, answer: &Answer, several: bool, out: &mut impl Write) -> io::Result<()> {
    let spent = lang.solve_spent(lang.nodes(answer.outcome.nodes), answer.milliseconds);
    let prefix = if several { format!("{}\t", answer.sfen) } else { String::new() };
    match &answer.outcome.verdict {
        Verdict::Mate(mate) => {
            let length = answer.length().unwrap_or(mate.length);
            let length = lang.mate_length(length, answer.convention, answer.strict_length);
            let left = answer.left_in_words(lang);
            let japanese = answer.japanese().join(" ");
            let usi = answer.usi();
            writeln!(out, "{prefix}{length}  {japanese}    {usi}    {left}  ({spent})")?;
            if let Some(plies) = answer.fewer_plies() {
                writeln!(out, "  {}", lang.line_has_plies(plies))?;
            }
            if let Some(longest) = answer.longest() {
                writeln!(out, "  {}", lang.longest_defence(longest))?;
            }
            if let Some(stated) = answer.other_stated() {
                writeln!(out, "  {}", lang.another_length_is_stated(stated))?;
            }
        }
        Verdict::NoMate(refutation) => {
            writeln!(out, "{prefix}{}  ({spent})", lang.refuted(answer.no_mate_within()))?;
            match refutation {
                Refutation::NoCheck => writeln!(out, "  {}", lang.no_check())?,
                Refutation::Escape(reply) => writeln!(out, "  {}", lang.escapes_by(reply))?,
                Refutation::Replies(replies) if !several => {
                    for (check, reply) in replies {
                        writeln!(out, "  {}", lang.refuted_by(check, reply))?;
                    }
                }
                _ => {}
            }
        }
        Verdict::Unknown { reason, excluded } => {
            writeln!(out, "{prefix}{}  ({spent})", lang.no_verdict(*reason, *excluded))?;
        }
    }
    if answer.problem.is_changed() {
        writeln!(out, "  {}", lang.hands_are_completed())?;
    }
    show_variations(lang, &answer.variations, 1, out)?;
    if let Some(reason) = answer.variations_stopped {
        writeln!(out, "  {}", lang.variations_stopped(lang.no_verdict(reason, None)))?;
    }
    for check in &answer.first_checks {
        let length = lang.first_check(check);
        writeln!(out, "  {}  {length}  {}", check.mv, texts(&check.line).join(" "))?;
    }
    let certificates = &answer.proofs.certificates;
    // Those of a report, one for each check beside the main line, are many.
    if certificates.len() > 2 {
        let bytes: usize = certificates.iter().map(|(certificate, _)| certificate.as_bytes().len()).sum();
        let nodes: usize = certificates.iter().map(|(_, checked)| checked.nodes).sum();
        let written =
            lang.certificates_written(certificates.len(), lang.nodes(nodes as u64), lang.size(bytes as u64));
        writeln!(out, "  {written}")?;
    } else {
        for (certificate, checked) in certificates {
            let size = lang.size(certificate.as_bytes().len() as u64);
            let nodes = lang.nodes(checked.nodes as u64);
            writeln!(out, "  {}", lang.certificate_written(lang.say(checked), nodes, size))?;
        }
    }
    if let Some(error) = &answer.proofs.missing {
        writeln!(out, "  {}", lang.certificate_missing(lang.say(error)))?;
    }
    if let Some(report) = &answer.report {
        writeln!(out, "  {}", lang.soundness(report.soundness))?;
        let shown = |finding: &&Finding| finding.kind != FindingKind::EqualDefence || !finding.leaves_pieces;
        for finding in report.findings.iter().filter(shown) {
            let length = finding.length.map_or_else(String::new, |length| lang.mate_plies(length));
            let mv = finding.mv.map_or_else(String::new, |mv| mv.to_string());
            let line = texts(&finding.line).join(" ");
            writeln!(
                out,
                "  {} {mv}  {}  {length}  {line}",
                lang.at_ply(finding.ply),
                lang.solve_finding(finding, answer.node_limits)
            )?;
        }
    }
    if answer.needless.is_some() && answer.examined_needless().is_none() {
        writeln!(out, "  {}", lang.needless_not_examined())?;
    }
    if let Some(needless) = answer.examined_needless() {
        if !needless.pieces.is_empty() {
            writeln!(out, "  {}", lang.needless_pieces(placed_texts(&needless.pieces).join(" ")))?;
        } else if needless.is_complete {
            writeln!(out, "  {}", lang.no_needless_piece())?;
        }
        if !needless.is_complete {
            writeln!(out, "  {}", lang.needless_pieces_are_open())?;
        }
    }
    Ok(())
}

/// The variations; nested ones are indented.
fn show_variations(
    lang: Lang,
    variations: &[Variation],
    level: usize,
    out: &mut impl Write,
) -> io::Result<()> {
    for variation in variations {
        let length = usize::from(variation.ply) - 1 + variation.line.len();
        let ply = lang.at_ply(variation.ply);
        let line = texts(&variation.line).join(" ");
        writeln!(out, "{:indent$}{ply}  {}  {line}", "", lang.mate_plies(length), indent = 2 * level)?;
        show_variations(lang, &variation.variations, level + 1, out)?;
    }
    Ok(())
}
