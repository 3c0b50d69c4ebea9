//! An answer as a game record: the line, with the other results as variations.

use komabako::kifu::{Ending, NodeId, Record, Step, UnplayableSetup};
use komabako::rules::Move16;
use komabako::tsume::{Finding, FindingKind, Variation, Verdict};

use super::record::{Answer, texts};
use crate::message::{Lang, NodeLimits};

/// The record: comments name the lengths, and a mate ends each line that has one.
pub fn record(answer: &Answer<'_>, lang: Lang) -> Result<Record, UnplayableSetup> {
    let record = Record::new(answer.problem.setup())?;
    let start = record.start();
    let mut tree = Tree { record, lang };
    for line in summary(answer, lang) {
        tree.record.push_comment(start, &line);
    }
    let ending = match &answer.outcome.verdict {
        Verdict::Mate(_) if answer.shown.is_complete => Some(Ending::Mate),
        Verdict::NoMate(_) if answer.no_mate_within().is_some() => None,
        Verdict::NoMate(_) if answer.shown.line.is_empty() => Some(Ending::NoMate),
        _ => None,
    };
    let mut main = vec![start];
    main.extend(tree.attach(start, &answer.shown.line, ending));
    for variation in &answer.variations {
        tree.attach_variation(&main, variation);
    }
    for check in &answer.first_checks {
        let what = lang.first_check(check);
        let line = if check.line.is_empty() { &[check.mv][..] } else { &check.line };
        let ending = matches!(check.length, Ok(Some(_))).then_some(Ending::Mate);
        tree.attach_commented(start, line, ending, &what);
    }
    for finding in answer.report.iter().flat_map(|report| &report.findings) {
        tree.attach_finding(&main, finding, answer.solve.node_limits());
    }
    Ok(tree.record)
}

/// The comments at the start position.
fn summary(answer: &Answer<'_>, lang: Lang) -> Vec<String> {
    let mut lines = Vec::new();
    match &answer.outcome.verdict {
        Verdict::Mate(mate) => {
            let length = answer.length().unwrap_or(mate.length);
            lines.push(lang.mate_length(length, answer.convention, answer.strict_length));
            lines.push(answer.left_in_words(lang));
            lines.extend(answer.remarks(lang));
        }
        Verdict::NoMate(_) => lines.push(lang.refuted(answer.no_mate_within())),
        Verdict::Unknown { reason, excluded } => lines.push(lang.no_verdict(*reason, *excluded)),
    }
    lines.extend(answer.report.as_ref().map(|report| lang.soundness(report.soundness)));
    if let Some(reason) = answer.variations_stopped {
        lines.push(lang.variations_stopped(lang.no_verdict(reason, None)));
    }
    lines
}

struct Tree {
    record: Record,
    lang: Lang,
}

impl Tree {
    /// Appends moves after a node, reusing existing nodes, up to the first move that cannot be made. Returns the nodes of the
    /// moves.
    fn attach(&mut self, parent: NodeId, line: &[Move16], ending: Option<Ending>) -> Vec<NodeId> {
        let mut nodes = Vec::new();
        let mut at = parent;
        for &mv in line {
            let known = self.record.children(at).find(|&id| self.record.node(id).as_move() == Some(mv));
            let Some(id) = known.or_else(|| self.record.append(at, Step::Move(mv)).ok()) else {
                return nodes;
            };
            nodes.push(id);
            at = id;
        }
        if let Some(ending) = ending
            && self.record.node(at).first_child().is_none()
        {
            // Only a full record refuses an end, and its moves matter more.
            let _ = self.record.append(at, Step::End(ending));
        }
        nodes
    }

    /// The same, with a comment at the first move, or at the parent if the moves cannot be made.
    fn attach_commented(
        &mut self,
        parent: NodeId,
        line: &[Move16],
        ending: Option<Ending>,
        comment: &str,
    ) -> Vec<NodeId> {
        let nodes = self.attach(parent, line, ending);
        match nodes.first() {
            Some(&first) if nodes.len() == line.len() => self.record.push_comment(first, comment),
            _ => self.record.push_comment(parent, &format!("{comment}: {}", texts(line).join(" "))),
        }
        nodes
    }

    /// `path`: the nodes before each ply of the line that the variation leaves.
    fn attach_variation(&mut self, path: &[NodeId], variation: &Variation) {
        let before = usize::from(variation.ply) - 1;
        let Some(&parent) = path.get(before) else { return };
        let length = before + variation.line.len();
        let comment = self.lang.mate_plies(length);
        let nodes = self.attach_commented(parent, &variation.line, Some(Ending::Mate), &comment);
        let path: Vec<NodeId> = path[..=before].iter().copied().chain(nodes).collect();
        for inner in &variation.variations {
            self.attach_variation(&path, inner);
        }
    }

    fn attach_finding(&mut self, main: &[NodeId], finding: &Finding, limits: NodeLimits) {
        let before = usize::from(finding.ply).saturating_sub(1);
        let Some(&parent) = main.get(before) else { return };
        let mut comment = self.lang.solve_finding(finding, limits);
        if let Some(length) = finding.length {
            comment = format!("{comment} ({})", self.lang.mate_plies(length));
        }
        let line = match (&finding.line[..], finding.mv) {
            ([], Some(mv)) => vec![mv],
            (line, _) => line.to_vec(),
        };
        let mates = finding.length.is_some() && finding.kind != FindingKind::NoMate;
        let is_main = main.get(before + 1).is_some_and(|&id| self.record.node(id).as_move() == finding.mv);
        match main.get(before + 1) {
            Some(&node) if line.is_empty() || is_main && line.len() == 1 => {
                self.record.push_comment(node, &comment);
            }
            _ => {
                self.attach_commented(parent, &line, mates.then_some(Ending::Mate), &comment);
            }
        }
    }
}
