//! [`Generator`]: the questions of a search, for code that runs on a backend already.

use komabako_bits::{BitOps, Kernel};

use crate::generate::{CountLegal, Evasions, Generate};
use crate::mates::{FirstMate, HasEvasion, IsMateAfter};
use crate::state::Keyless;
use crate::{EvasionClass, Move16, MoveList, MoveSet};

/// What a [`Keyless`] state answers, without a dispatch at each question.
///
/// Every method of a state that generates moves chooses the CPU's instructions anew: a branch and a call that is not inlined, 15
/// instructions. A search that runs as a [`Kernel`] makes that choice once, around its loop, and asks this handle. Its answers are
/// the same.
///
/// The price is code: the generator is inlined wherever it is asked, and compiled once for every backend. So call each
/// method in one place of a kernel, in a loop and not in a function that calls itself, which cannot be inlined.
///
/// ```
/// use komabako_bits::{Backend, BitOps, Kernel, dispatch};
/// use komabako_rules::{Generator, MoveList, State};
///
/// /// How many replies there are to all moves.
/// struct Replies(State);
///
/// impl Kernel for Replies {
///     type Output = usize;
///     #[inline(always)]
///     fn run<B: BitOps>(mut self, ops: B) -> usize {
///         let (generator, mut moves, mut replies) = (Generator::new(ops), MoveList::new(), 0);
///         generator.legal_moves(&self.0, &mut moves);
///         for &mv in &moves {
///             let undo = self.0.do_move(mv);
///             replies += generator.count_legal_moves(&self.0);
///             self.0.undo_move(undo);
///         }
///         replies
///     }
/// }
///
/// assert_eq!(dispatch(Backend::detect(), Replies(State::start())), 900);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Generator<B>(B);

impl<B: BitOps> Generator<B> {
    /// The generator on a backend.
    #[inline(always)]
    pub fn new(ops: B) -> Self {
        Self(ops)
    }

    /// [`Keyless::legal_moves`].
    #[inline(always)]
    pub fn legal_moves(self, state: &Keyless, moves: &mut MoveList) {
        Generate { state, set: MoveSet::Legal, moves }.run(self.0);
    }

    /// [`Keyless::generate`].
    #[inline(always)]
    pub fn generate(self, state: &Keyless, set: MoveSet, moves: &mut MoveList) {
        Generate { state, set, moves }.run(self.0);
    }

    /// [`Keyless::evasions`].
    #[inline(always)]
    pub fn evasions(self, state: &Keyless, moves: &mut MoveList) {
        Evasions { state, class: None, moves }.run(self.0);
    }

    /// [`Keyless::evasions_of`].
    #[inline(always)]
    pub fn evasions_of(self, state: &Keyless, class: EvasionClass, moves: &mut MoveList) {
        Evasions { state, class: Some(class), moves }.run(self.0);
    }

    /// [`Keyless::count_legal_moves`].
    #[inline(always)]
    pub fn count_legal_moves(self, state: &Keyless) -> usize {
        CountLegal(state).run(self.0)
    }

    /// [`Keyless::has_legal_move`].
    #[inline(always)]
    pub fn has_legal_move(self, state: &Keyless) -> bool {
        if state.checkers().is_empty() {
            return self.count_legal_moves(state) > 0;
        }
        HasEvasion(state).run(self.0)
    }

    /// [`Keyless::is_mate_after`].
    #[inline(always)]
    pub fn is_mate_after(self, state: &Keyless, check: Move16) -> bool {
        IsMateAfter { state, check }.run(self.0)
    }

    /// [`Keyless::mate_in_one_or_checks`].
    #[inline(always)]
    pub fn mate_in_one_or_checks(self, state: &Keyless, checks: &mut MoveList) -> Option<Move16> {
        self.generate(state, MoveSet::Checks, checks);
        FirstMate { state, checks }.run(self.0)
    }
}
