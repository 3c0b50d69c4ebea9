//! Variations: other replies of the defender and the moves after them, the author's own or those that [`Solver::variations`] found.

use alloc::vec::Vec;

use komabako_rules::Move16;

use super::main_line::{Counted, Known, Node};
use super::side::variant;
use super::{Finding, FindingKind, other_checks};
use crate::outcome::{Convention, Limits, Reason};
use crate::problem::{Problem, Root};
use crate::runner::Runner;
use crate::search::position_key;
use crate::solver::Solver;
use crate::study::Variation;

/// A line of a record beside the main line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AuthorVariation {
    /// Its first ply, from 1.
    pub ply: u16,
    /// All moves from the position of the problem.
    pub line: Vec<Move16>,
    /// The length that the author states, counted from the problem or from the variation's first move.
    pub stated: Option<u16>,
}

impl Solver {
    /// Compares an author's variations with the shortest mates: does each mate, in as many plies as it has? Directly after
    /// [`Solver::check`] most positions are in the table. A length that the author states is compared too. The findings are notes.
    pub fn check_variations(
        &mut self,
        problem: &Problem,
        variations: &[AuthorVariation],
        limits: &Limits<'_>,
    ) -> Vec<Finding> {
        let mut runner = Runner::on_table(self.engine(), problem, limits);
        let mut findings = Vec::new();
        for variation in variations {
            let Some((nodes, is_playable)) = nodes_of(problem, variation) else { continue };
            let first = &nodes[0];
            match compared(&mut runner, first, &nodes, is_playable, variation.stated) {
                Ok(found) => findings.extend(found),
                Err(reason) => {
                    let open = note(FindingKind::Undecided, first, Vec::new());
                    findings.push(Finding { reason: Some(reason), ..open });
                }
            }
        }
        findings
    }

    /// The other checks in variations of a line that mate (変化別詰): before the last ply of the variation, and without its positions.
    /// The findings are notes; the line of each begins with the variation.
    ///
    /// Each variation is searched with an empty table, since its positions count as no mate.
    pub fn variation_duals(
        &mut self,
        problem: &Problem,
        line: &[Move16],
        variations: &[Variation],
        limits: &Limits<'_>,
    ) -> Vec<Finding> {
        let mut findings = Vec::new();
        let mut open: Vec<(Vec<Move16>, &Variation)> =
            variations.iter().rev().map(|variation| (line.to_vec(), variation)).collect();
        let mut spent = 0;
        while let Some((line, variation)) = open.pop() {
            let before = usize::from(variation.ply) - 1;
            let line = [&line[..before], &variation.line].concat();
            open.extend(variation.variations.iter().rev().map(|inner| (line.clone(), inner)));
            let whole = AuthorVariation { ply: variation.ply, line, stated: None };
            let Some((nodes, _)) = nodes_of(problem, &whole) else { continue };
            let limits = Limits {
                report_nodes: limits.report_nodes.map(|nodes| nodes.saturating_sub(spent)),
                ..*limits
            };
            let mut runner = Runner::new(self.engine(), problem, &limits);
            findings.extend(duals_of(&mut runner, &nodes));
            spent += self.nodes();
        }
        findings
    }
}

/// The positions of a variation from its first ply on, and whether all its moves are legal, the attacker's checks. `None` if the
/// moves before it are not.
fn nodes_of(problem: &Problem, variation: &AuthorVariation) -> Option<(Vec<Node>, bool)> {
    let mut state = problem.state.clone();
    let mut attacks = problem.root() == Root::Attack;
    let mut nodes = Vec::new();
    for (&mv, ply) in variation.line.iter().zip(1..) {
        let is_variation = ply >= variation.ply;
        if is_variation {
            nodes.push(Node { state: state.clone(), attacks, mv, ply });
        }
        if !state.is_legal(mv) || attacks && !state.gives_check(mv) {
            return is_variation.then_some((nodes, false));
        }
        state.do_move(mv);
        attacks = !attacks;
    }
    if nodes.is_empty() { None } else { Some((nodes, true)) }
}

/// What is wrong with a variation.
fn compared(
    runner: &mut Runner<'_>,
    first: &Node,
    nodes: &[Node],
    is_playable: bool,
    stated: Option<u16>,
) -> Result<Option<Finding>, Reason> {
    let moves: Vec<Move16> = nodes.iter().map(|node| node.mv).collect();
    let escapes = || Some(note(FindingKind::VariationEscapes, first, moves.clone()));
    if !is_playable {
        return Ok(escapes());
    }
    let mut state = first.state.clone();
    state.do_move(first.mv);
    if !runner.mates(&state, !first.attacks, false)? {
        return Ok(escapes());
    }
    let Some(last) = nodes.last() else { return Ok(None) };
    let mut end = last.state.clone();
    end.do_move(last.mv);
    let Some(rest) = runner.length(&end, !last.attacks, Convention::Tsume)? else { return Ok(escapes()) };
    if rest > 0 && stated.is_none() {
        // It stops before the mate.
        return Ok(None);
    }
    let Some(mate) = runner.shortest(&state, !first.attacks, Convention::Tsume)? else { return Ok(None) };
    let mate = mate.after(first.mv);
    let length = mate.length;
    let mut plies = nodes.len();
    if rest == 0 && plies != usize::from(length) {
        // Useless drops do not count, but for the first move: it is the reply that is examined.
        let start = Node { state, attacks: !first.attacks, mv: Move16::default(), ply: first.ply + 1 };
        let counted = Counted::new(runner, &start, &moves[1..], Known::Nothing);
        for (_, drop) in counted.drops {
            drop?;
        }
        plies = 1 + counted.nodes.len();
    }
    let is_stated = stated.is_none_or(|stated| stated == length || stated == first.ply - 1 + length);
    if is_stated && (rest > 0 || plies == usize::from(length)) {
        return Ok(None);
    }
    Ok(Some(Finding {
        length: Some(length),
        leaves_pieces: !mate.left.is_empty(),
        ..note(FindingKind::VariationLength, first, mate.line)
    }))
}

/// The duals in a variation.
fn duals_of(runner: &mut Runner<'_>, nodes: &[Node]) -> Vec<Finding> {
    let attacker = runner.problem.attacker();
    let attacks: Vec<&Node> = nodes.iter().filter(|node| node.attacks).collect();
    let positions: Vec<_> = attacks.iter().map(|node| position_key(&node.state, attacker, 0, true)).collect();
    runner.engine.search.forbid(&positions);
    let mut findings = Vec::new();
    let Some((_, before_last)) = attacks.split_last() else { return findings };
    for node in before_last {
        let mut others = other_checks(&node.state, node.mv);
        others.retain(|&mv| variant(&node.state, node.mv, mv).is_none());
        for mv in others {
            let mut state = node.state.clone();
            state.do_move(mv);
            let mates = runner
                .mates(&state, false, false)
                .and_then(|mates| if mates { runner.mates(&state, false, true) } else { Ok(false) });
            let before = usize::from(node.ply - nodes[0].ply);
            let mut line: Vec<Move16> = nodes[..before].iter().map(|node| node.mv).collect();
            line.push(mv);
            match mates {
                Ok(false) => {}
                Ok(true) => {
                    let rest = runner.shortest(&state, false, Convention::Tsume).ok().flatten();
                    let length = rest.as_ref().map(|rest| line.len() as u16 + rest.length);
                    line.extend(rest.into_iter().flat_map(|rest| rest.line));
                    let dual = note(FindingKind::VariationDual, &nodes[0], line);
                    findings.push(Finding { length, ..dual });
                }
                Err(reason) => {
                    let open = note(FindingKind::Undecided, &nodes[0], line);
                    findings.push(Finding { reason: Some(reason), ..open });
                }
            }
        }
    }
    findings
}

/// A note about a variation, at its first ply.
fn note(kind: FindingKind, first: &Node, line: Vec<Move16>) -> Finding {
    let ply = first.ply;
    let mv = Some(first.mv);
    let length = None;
    Finding { kind, ply, mv, length, line, class: None, leaves_pieces: false, is_defect: false, reason: None }
}
