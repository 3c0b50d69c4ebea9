//! The main line, which is the author's if there is one: its counted plies, without useless drops.

use alloc::vec::Vec;

use komabako_board::{Hand, color};
use komabako_rules::Move16;

use super::{Checker, FindingKind};
use crate::outcome::{Reason, Verdict};
use crate::problem::Root;
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
pub(super) struct Node {
    pub state: TsumeState,
    pub attacks: bool,
    pub mv: Move16,
    pub ply: u16,
}

impl Checker<'_> {
    /// The counted plies of a line and the position after it.
    ///
    /// A useless drop of the author's line and its capture are noted and left out, and the piece goes back to the defender:
    /// otherwise the attacker would hold one piece more, to mate with or to be left over. If a later move needs the piece,
    /// it stays with the attacker.
    pub(super) fn main_line(&mut self, line: &[Move16], is_author: bool) -> (Vec<Node>, TsumeState) {
        let mut state = self.runner.problem.state.clone();
        let mut attacks = self.runner.problem.root() == Root::Attack;
        let mut nodes = Vec::new();
        let mut index = 0;
        while let Some(&mv) = line.get(index) {
            let node = Node { state: state.clone(), attacks, mv, ply: index as u16 + 1 };
            let capture = line.get(index + 1).filter(|next| !next.is_drop() && next.to() == mv.to());
            if is_author
                && !attacks
                && let (Some(&capture), Some(kind)) = (capture, mv.dropped())
            {
                match self.is_useless(&node) {
                    Ok(true) => {
                        let drop_and_capture = Vec::from([mv, capture]);
                        self.add_without_mate(
                            FindingKind::UselessInterposition,
                            &node,
                            Some(mv),
                            drop_and_capture,
                        );
                        state.do_move(mv);
                        state.do_move(capture);
                        let mut returned = state.clone();
                        returned.give(kind, self.runner.problem.attacker());
                        if replays(&returned, &line[index + 2..]) {
                            state = returned;
                        }
                        index += 2;
                        continue;
                    }
                    Ok(false) => {}
                    Err(reason) => {
                        self.undecided(&node, Some(mv), reason);
                        self.open_drop = Some(node.ply);
                    }
                }
            }
            nodes.push(node);
            state.do_move(mv);
            attacks = !attacks;
            index += 1;
        }
        (nodes, state)
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

    /// Whether a drop of the main line is useless. That is open if no mate is known.
    fn is_useless(&mut self, node: &Node) -> Result<bool, Reason> {
        let mut state = node.state.clone();
        let Some(length) = self.runner.bounds(&state).shortest else {
            let escapes = self.runner.run(|prover| Ok(prover.is_refuted(&state, any_mate(false))))?;
            return if escapes { Ok(false) } else { Err(self.runner.stopped.unwrap_or(Reason::Nodes)) };
        };
        self.runner.run(|prover| prover.is_useless(&mut state, node.mv, length))
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
