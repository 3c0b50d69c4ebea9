//! The exact length of the shortest mate, given that of one.
//!
//! ```text
//! n = the length of the first mate over its whole proof
//! strict: a mate within n − 2? until the answer is no           that is the strict length
//! tsume:  ℓ = n; freely: a mate within ℓ − 2? until the answer is no
//!         ℓ = n                                                 exact: a free length is at most a tsume one
//!         otherwise within ℓ, ℓ + 2, … by tsume lengths: the first that mates
//! ```
//!
//! Searches by tsume lengths take many times the nodes of the others (`interposition.rs`), and most problems need none: a free
//! proof usually holds for tsume lengths too (`verify.rs`). Before a free question that takes long the proof so far is verified, so that
//! its length is known if a limit ends the search there. Strict questions before the free ones took more nodes in all: those that are
//! not answered leave numbers in the table that mislead the free ones.

use crate::certificate::length_in_table;
use crate::counting::Counting;
use crate::outcome::Convention;
use crate::search::{Question, Stopped, TsumeState};
use crate::session::{Prover, any_mate};

impl Prover<'_> {
    /// The length of a state's shortest mate, given that of one. What is proven on the way is noted in its [bounds](Self::bounds).
    pub fn exact_length(
        &mut self,
        state: &TsumeState,
        attacks: bool,
        convention: Convention,
        length: u16,
    ) -> Result<u16, Stopped> {
        let nodes = self.engine.nodes();
        let mut length = length;
        if attacks {
            let known = self.bounds(state, convention).proof_length;
            let shown =
                known.or_else(|| length_in_table(&self.engine.shared.table, state, self.attacker, length));
            let shown = shown.unwrap_or(length);
            self.bounds_mut(state, convention).proof_length = Some(shown);
            length = length.min(shown);
        }
        let bounds = self.bounds_mut(state, convention);
        bounds.add_mate(length);
        let mate_nodes = *bounds.mate_nodes.get_or_insert(nodes);
        if convention == Convention::Strict {
            return self.shortest_strict(state, attacks, length);
        }
        let mut free = self.shortest_free(state, attacks, length, mate_nodes)?;
        let mut length = self.bounds(state, convention).shortest.unwrap_or(length);
        while free < length {
            if self.mates(state, attacks, Counting::Tsume, free)? {
                length = free;
                self.bounds_mut(state, convention).add_mate(length);
            } else {
                self.bounds_mut(state, convention).exclude(free);
                free += 2;
            }
        }
        Ok(length)
    }

    /// The strict length of the shortest mate, given that of one.
    fn shortest_strict(&mut self, state: &TsumeState, attacks: bool, length: u16) -> Result<u16, Stopped> {
        let mut length = length;
        while length >= 2 + u16::from(attacks) {
            let question = Question { bound: length - 2, ..any_mate(attacks) };
            let answer = self.ask(state, question)?;
            let bounds = self.bounds_mut(state, Convention::Strict);
            if !answer.mates() {
                bounds.exclude(length - 2);
                break;
            }
            length = answer.found.length;
            bounds.add_mate(length);
        }
        Ok(length)
    }

    /// The free length of the shortest mate, given the length of a mate that was found after `mate_nodes`.
    fn shortest_free(
        &mut self,
        state: &TsumeState,
        attacks: bool,
        length: u16,
        mate_nodes: u64,
    ) -> Result<u16, Stopped> {
        let mut length = length;
        while length >= 2 + u16::from(attacks) {
            let question = Question { bound: length - 2, counting: Counting::Free, ..any_mate(attacks) };
            let answer = match self.ask_within(state, question, mate_nodes / 8)? {
                Some(answer) => answer,
                None => {
                    self.verify_free(state, Question { bound: length, ..question }, mate_nodes)?;
                    self.ask(state, question)?
                }
            };
            if !answer.mates() {
                self.bounds_mut(state, Convention::Tsume).exclude(length - 2);
                break;
            }
            length = answer.found.length;
        }
        Ok(length)
    }

    /// Notes the length of a free mate as one of a tsume mate, if that can be verified within a number of nodes.
    fn verify_free(&mut self, state: &TsumeState, question: Question, nodes: u64) -> Result<(), Stopped> {
        if self.bounds(state, Convention::Tsume).shortest.is_some_and(|known| known <= question.bound) {
            return Ok(());
        }
        let tsume = Question { counting: Counting::Tsume, ..question };
        let holds = self.limited(state, tsume, nodes, |prover| prover.holds_for_tsume(state, question))?;
        if holds == Some(true) {
            self.bounds_mut(state, Convention::Tsume).add_mate(question.bound);
        }
        Ok(())
    }
}
