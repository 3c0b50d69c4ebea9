//! The main line, which is the author's if there is one: its counted plies, without useless drops.

use alloc::vec::Vec;

use komabako_board::{Hand, color};
use komabako_rules::Move16;

use super::{Checker, FindingKind};
use crate::outcome::{Convention, Reason, Verdict};
use crate::runner::Runner;
use crate::search::TsumeState;
use crate::session::any_mate;

/// The main line of a report, and the verdict about the problem.
pub(super) struct MainLine {
    pub verdict: Verdict,
    pub line: Vec<Move16>,
    /// The number of its plies that count.
    pub plies: u16,
    pub is_complete: bool,
    pub left: Hand,
}

impl MainLine {
    /// An author's line, or none, that there is no reason to examine.
    pub fn unexamined(verdict: Verdict, author: &[Move16]) -> Self {
        let plies = author.len() as u16;
        Self { verdict, line: author.to_vec(), plies, is_complete: false, left: Hand::EMPTY }
    }
}

/// A position of the main line and the move that follows.
#[derive(Clone)]
pub(super) struct Node {
    pub state: TsumeState,
    pub attacks: bool,
    pub mv: Move16,
    pub ply: u16,
}

/// What is known of a line before its useless drops are looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Known {
    /// That it has none, since the solver determined it.
    Determined,
    /// The lengths of its positions, as far as the limits allow.
    Solved,
    Nothing,
}

/// A line without the defender's useless drops.
pub(super) struct Counted {
    /// The plies that count.
    pub nodes: Vec<Node>,
    /// The position after them, and whether the attacker is to move there.
    pub end: TsumeState,
    pub attacks: bool,
    /// The number of moves up to that position. A useless drop that ends the line, or follows the mate, is after it.
    pub len: usize,
    /// The useless drops, each with its capture if that follows, and those of which it is open whether they are useless.
    pub drops: Vec<(Node, Result<Vec<Move16>, Reason>)>,
}

impl Counted {
    /// Leaves out the useless drops of a line and their captures.
    ///
    /// The captured piece goes back to the defender: otherwise the attacker would hold one piece more, to mate with or to be left
    /// over. If a later move needs the piece, it stays with the attacker.
    pub fn new(runner: &mut Runner<'_>, start: &Node, line: &[Move16], mut known: Known) -> Self {
        let mut state = start.state.clone();
        let mut attacks = start.attacks;
        let mut nodes = Vec::new();
        let mut drops = Vec::new();
        let mut index = 0;
        while let Some(&mv) = line.get(index) {
            let node = Node { state: state.clone(), attacks, mv, ply: start.ply + index as u16 };
            if known != Known::Determined
                && !attacks
                && let Some(kind) = mv.dropped()
            {
                if known == Known::Nothing {
                    // What a limit leaves open is open below.
                    let _ = runner.length(&state, false, Convention::Tsume);
                }
                let next = line.get(index + 1);
                let capture = next.filter(|next| !next.is_drop() && next.to() == mv.to());
                let is_mate = runner.bounds(&state).shortest == Some(0);
                let useless = if capture.is_some() || next.is_none() || is_mate {
                    is_useless(runner, &node)
                } else {
                    Ok(false)
                };
                match (useless, capture) {
                    (Ok(true), Some(&capture)) => {
                        state.do_move(mv);
                        state.do_move(capture);
                        let mut returned = state.clone();
                        returned.give(kind, runner.problem.attacker());
                        if replays(&returned, &line[index + 2..]) {
                            state = returned;
                            known = Known::Nothing;
                        }
                        drops.push((node, Ok(Vec::from([mv, capture]))));
                        index += 2;
                        continue;
                    }
                    (Ok(true), None) => {
                        drops.push((node, Ok(Vec::from([mv]))));
                        break;
                    }
                    (Ok(false), _) => {}
                    (Err(reason), _) => drops.push((node.clone(), Err(reason))),
                }
            }
            nodes.push(node);
            state.do_move(mv);
            attacks = !attacks;
            index += 1;
        }
        Self { nodes, end: state, attacks, len: index, drops }
    }
}

/// Whether a drop is useless. That is open if no mate is known.
fn is_useless(runner: &mut Runner<'_>, node: &Node) -> Result<bool, Reason> {
    let mut state = node.state.clone();
    let Some(length) = runner.bounds(&state).shortest else {
        let escapes = runner.run(|prover| Ok(prover.is_refuted(&state, any_mate(false))))?;
        return if escapes { Ok(false) } else { Err(runner.stopped.unwrap_or(Reason::Nodes)) };
    };
    runner.run(|prover| prover.is_useless(&mut state, node.mv, length))
}

impl Checker<'_> {
    /// The counted plies of the main line. The useless drops of an author's are noted.
    pub(super) fn main_line(&mut self, start: &Node, line: &[Move16], is_author: bool) -> Counted {
        let known = if is_author { Known::Solved } else { Known::Determined };
        let mut counted = Counted::new(&mut self.runner, start, line, known);
        for (node, drop) in counted.drops.drain(..) {
            match drop {
                Ok(line) => {
                    self.add_without_mate(FindingKind::UselessInterposition, &node, Some(node.mv), line);
                }
                Err(reason) => {
                    self.undecided(&node, Some(node.mv), reason);
                    self.open_drop = Some(node.ply);
                }
            }
        }
        counted
    }

    /// Notes the drops of the main line after whose capture the position comes back: they only prolong the mate by the way back.
    // Once for each problem; inlined it makes the page's module larger.
    #[cold]
    pub(super) fn note_returns(&mut self, nodes: &[Node]) {
        let defender = color::opponent(self.runner.problem.attacker());
        for (index, node) in nodes.iter().enumerate() {
            let Some(kind) = node.mv.dropped() else { continue };
            if node.attacks {
                continue;
            }
            let mut returned = node.state.clone();
            returned.give(kind, defender);
            let rest = &nodes[index..];
            if let Some(plies) = rest.iter().position(|later| later.state.key() == returned.key()) {
                let line = rest[..plies].iter().map(|node| node.mv).collect();
                self.add_without_mate(FindingKind::ReturningInterposition, node, Some(node.mv), line);
            }
        }
    }
}

/// Whether a line can be played from a state with the defender to move.
fn replays(start: &TsumeState, line: &[Move16]) -> bool {
    let mut state = start.clone();
    for (index, &mv) in line.iter().enumerate() {
        let attacks = index % 2 == 1;
        if !state.is_legal(mv) || attacks && !state.gives_check(mv) {
            return false;
        }
        state.do_move(mv);
    }
    true
}
