//! The positions of the main line, solved from its end backwards: the proof of each is in the table when the one before it is searched.
//!
//! ```text
//! from the end: is there any mate? and one within the rest of the line?      until a limit ends the search for any
//! from the end: how long is the shortest?                                   until a limit ends the search
//! ```

use alloc::vec::Vec;

use komabako_rules::Move16;

use super::Checker;
use super::main_line::Node;
use crate::outcome::{Convention, Reason};
use crate::problem::Root;

/// The plies of a main line that are decided: all from these indices on.
pub(super) struct Decided {
    /// Whether there is a mate.
    pub mates_from: usize,
    /// How long the shortest is.
    pub lengths_from: usize,
    /// The last limit that left a ply open.
    pub reason: Reason,
}

impl Decided {
    /// The index of the last ply where it is open whether there is a mate, and of the last one where it is open how long the shortest is.
    pub fn open_plies(&self) -> impl Iterator<Item = usize> + use<> {
        let mates = self.mates_from.checked_sub(1);
        let lengths = self.lengths_from.checked_sub(1).filter(|&index| Some(index) != mates);
        mates.into_iter().chain(lengths)
    }
}

impl Checker<'_> {
    /// Solves the positions of an author's line, as it was written. Returns the plies that are decided.
    pub(super) fn solve_record(&mut self, line: &[Move16]) -> Decided {
        let mut state = self.runner.problem.state.clone();
        let mut attacks = self.runner.problem.root() == Root::Attack;
        let mut nodes = Vec::new();
        for (&mv, ply) in line.iter().zip(1..) {
            nodes.push(Node { state: state.clone(), attacks, mv, ply });
            state.do_move(mv);
            attacks = !attacks;
        }
        // A line that the defender could prolong by useless interpositions has ended.
        let ends_in_mate = self.runner.length(&state, attacks, Convention::Tsume) == Ok(Some(0));
        self.solve_backwards(&nodes, ends_in_mate, true)
    }

    /// Solves the positions of the main line. The first pass may take a third of the report's remaining nodes, the second half of
    /// the rest. `stops`: whether the passes end at the first position that a limit leaves open, since those before it are harder;
    /// otherwise every position is tried.
    pub(super) fn solve_backwards(&mut self, nodes: &[Node], ends_in_mate: bool, stops: bool) -> Decided {
        let mut decided = Decided { mates_from: 0, lengths_from: 0, reason: Reason::Nodes };
        let mut asks_within = ends_in_mate;
        self.allow_part(3);
        for (index, node) in nodes.iter().enumerate().rev() {
            match self.runner.mates(&node.state, node.attacks, false) {
                Err(reason) if stops => {
                    decided.mates_from = index + 1;
                    decided.reason = reason;
                    break;
                }
                Ok(true) if asks_within => {
                    let rest = (nodes.len() - index) as u16;
                    let is_longer =
                        self.runner.bounds(&node.state).shortest.is_some_and(|found| found > rest);
                    asks_within =
                        !is_longer || self.runner.mates_freely(&node.state, node.attacks, rest).is_ok();
                }
                _ => {}
            }
        }
        self.allow_part(2);
        for (index, node) in nodes.iter().enumerate().skip(decided.mates_from).rev() {
            if let Err(reason) = self.runner.length(&node.state, node.attacks, Convention::Tsume)
                && stops
            {
                decided.lengths_from = index + 1;
                decided.reason = reason;
                break;
            }
        }
        decided.lengths_from = decided.lengths_from.max(decided.mates_from);
        self.allow_part(1);
        decided
    }

    /// Limits the nodes from here on to a part of the report's remaining ones.
    pub(super) fn allow_part(&mut self, part: u64) {
        let share = self.runner.left().map(|left| left / part);
        self.runner.allow(share);
    }
}
