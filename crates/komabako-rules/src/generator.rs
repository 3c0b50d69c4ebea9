//! [`Generator`]: the queries of a search, with the backend chosen once.

use alloc::boxed::Box;
use core::fmt;

use komabako_bits::{Backend, Witness, WitnessVisitor};

use crate::generate::{CountEvasions, CountLegal, Evasions, Generate};
use crate::mates::{FirstMate, HasEvasion, IsMateAfter};
use crate::state::Keyless;
use crate::{EvasionClass, Move16, MoveList, MoveSet};

/// The queries of a [`Keyless`] state without choosing the instructions at each call.
///
/// Every method of a state that generates moves detects the CPU's [`Backend`] and branches to its code. A search keeps this
/// handle, two machine words and `Copy`, and calls that code directly. The results are the same.
///
/// ```
/// use komabako_bits::Backend;
/// use komabako_rules::{Generator, MoveList, State};
///
/// /// The number of games of `depth` moves.
/// fn count(generator: Generator, state: &mut State<()>, depth: u32) -> usize {
///     if depth == 1 {
///         return generator.count_legal_moves(state);
///     }
///     let mut moves = MoveList::new();
///     generator.legal_moves(state, &mut moves);
///     let mut games = 0;
///     for &mv in &moves {
///         let undo = state.do_move(mv);
///         games += count(generator, state, depth - 1);
///         state.undo_move(undo);
///     }
///     games
/// }
///
/// assert_eq!(count(Generator::new(Backend::detect()), &mut State::start(), 3), 25_470);
/// ```
#[derive(Clone, Copy)]
pub struct Generator(&'static dyn Queries);

impl Generator {
    /// The generator on a backend; [`Backend::detect`] gives the fastest that the CPU supports.
    pub fn new(backend: Backend) -> Self {
        struct Handle;
        impl WitnessVisitor for Handle {
            type Output = &'static dyn Queries;
            fn visit<W: Witness>(self, witness: W) -> Self::Output {
                // A witness is zero-sized: nothing is allocated, and nothing leaks.
                Box::leak(Box::new(witness))
            }
        }
        Self(backend.scalar().visit(Handle))
    }

    /// [`Keyless::legal_moves`].
    #[inline]
    pub fn legal_moves(self, state: &Keyless, moves: &mut MoveList) {
        self.generate(state, MoveSet::Legal, moves);
    }

    /// [`Keyless::generate`].
    #[inline]
    pub fn generate(self, state: &Keyless, set: MoveSet, moves: &mut MoveList) {
        self.0.generate(state, set, moves);
    }

    /// [`Keyless::evasions`].
    #[inline]
    pub fn evasions(self, state: &Keyless, moves: &mut MoveList) {
        self.0.evasions(state, None, moves);
    }

    /// [`Keyless::evasions_of`].
    #[inline]
    pub fn evasions_of(self, state: &Keyless, class: EvasionClass, moves: &mut MoveList) {
        self.0.evasions(state, Some(class), moves);
    }

    /// [`Keyless::count_legal_moves`].
    #[inline]
    pub fn count_legal_moves(self, state: &Keyless) -> usize {
        self.0.count_legal_moves(state)
    }

    /// [`Keyless::count_legal_moves_up_to`].
    #[inline]
    pub fn count_legal_moves_up_to(self, state: &Keyless, most: u32) -> usize {
        if state.checkers().is_empty() {
            self.count_legal_moves(state).min(most as usize)
        } else {
            self.0.count_evasions(state, most)
        }
    }

    /// [`Keyless::has_legal_move`].
    #[inline]
    pub fn has_legal_move(self, state: &Keyless) -> bool {
        // Without a check a legal move nearly always exists.
        if state.checkers().is_empty() {
            self.count_legal_moves(state) > 0
        } else {
            self.0.has_evasion(state)
        }
    }

    /// [`Keyless::is_mate_after`].
    #[inline]
    pub fn is_mate_after(self, state: &Keyless, check: Move16) -> bool {
        self.0.is_mate_after(state, check)
    }

    /// [`Keyless::mate_in_one_or_checks`].
    #[inline]
    pub fn mate_in_one_or_checks(self, state: &Keyless, checks: &mut MoveList) -> Option<Move16> {
        self.generate(state, MoveSet::Checks, checks);
        self.0.first_mate(state, checks, true)
    }

    /// [`Keyless::check_without_moves`].
    #[inline]
    pub fn check_without_moves(self, state: &Keyless, checks: &[Move16]) -> Option<Move16> {
        self.0.first_mate(state, checks, false)
    }
}

impl fmt::Debug for Generator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Generator({:?})", self.0)
    }
}

/// The kernels behind a [`Generator`], compiled here once for every backend.
trait Queries: fmt::Debug + Send + Sync {
    fn generate(&self, state: &Keyless, set: MoveSet, moves: &mut MoveList);
    fn evasions(&self, state: &Keyless, class: Option<EvasionClass>, moves: &mut MoveList);
    fn count_legal_moves(&self, state: &Keyless) -> usize;
    fn count_evasions(&self, state: &Keyless, most: u32) -> usize;
    fn has_evasion(&self, state: &Keyless) -> bool;
    fn is_mate_after(&self, state: &Keyless, check: Move16) -> bool;
    fn first_mate(&self, state: &Keyless, checks: &[Move16], drops: bool) -> Option<Move16>;
}

impl<W: Witness> Queries for W {
    fn generate(&self, state: &Keyless, set: MoveSet, moves: &mut MoveList) {
        self.run(Generate { state, set, moves });
    }

    fn evasions(&self, state: &Keyless, class: Option<EvasionClass>, moves: &mut MoveList) {
        self.run(Evasions { state, class, moves });
    }

    fn count_legal_moves(&self, state: &Keyless) -> usize {
        self.run(CountLegal(state))
    }

    fn count_evasions(&self, state: &Keyless, most: u32) -> usize {
        self.run(CountEvasions { state, most })
    }

    fn has_evasion(&self, state: &Keyless) -> bool {
        self.run(HasEvasion(state))
    }

    fn is_mate_after(&self, state: &Keyless, check: Move16) -> bool {
        self.run(IsMateAfter { state, check })
    }

    fn first_mate(&self, state: &Keyless, checks: &[Move16], drops: bool) -> Option<Move16> {
        self.run(FirstMate { state, checks, drops })
    }
}
