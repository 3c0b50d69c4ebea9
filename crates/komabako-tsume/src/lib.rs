//! Tsume shogi: is this a mate, how long is it, and is the problem sound?
//!
//! [`Problem`] is a position in which one side is to be mated by checks; [`Solver`] proves or disproves it by df-pn,
//! finds exact lengths in both [`Convention`]s and the determined line. The crate's `spec/tsume.md` defines the terms.
//!
//! ```
//! use komabako_tsume::{Goal, Limits, Memory, Problem, Rules, Solver, Verdict, sfen};
//! let setup = sfen::parse("8k/9/9/9/9/9/9/9/9 b Rr2b4g4s4n4l18p 1")?.setup;
//! let problem = Problem::new(&setup, Rules::default())?;
//! let outcome = Solver::new(Memory::mebibytes(1)).solve(&problem, Goal::Any, &Limits::default());
//! assert!(matches!(outcome.verdict, Verdict::NoMate(_)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The crate is `no_std` with `alloc`. It reads no clock (the feature `std` adds a limit of time), uses no recursion and
//! no `unsafe`: the depth of a search is bounded by the heap, not by the stack of the thread. Its tables are shared by threads, so
//! the target needs atomics of 64 bits, which some processors of 32 bits lack.

#![cfg_attr(not(feature = "std"), no_std)]
#![forbid(unsafe_code)]

extern crate alloc;

#[cfg(not(target_has_atomic = "64"))]
compile_error!("komabako-tsume needs a target with atomics of 64 bits");

mod certificate;
mod check;
mod counting;
mod engine;
mod line;
mod outcome;
mod problem;
mod runner;
mod search;
mod session;
mod shared;
mod shortest;
mod solver;
mod study;
mod table;
mod verify;
mod walk;

pub use certificate::{
    Certificate, CertificateFault, CertificateRule, CertificateStep, CertifyError, Checked, Claim, Fault,
    Header,
};
pub use check::{
    AuthorVariation, CheckReport, DualClass, Finding, FindingKind, LineError, Needless, PlacedPiece,
    Soundness,
};
/// The board types of the interface, so that a first program needs no other crate.
pub use komabako_board::{Color, Setup, sfen};
pub use outcome::{Convention, Goal, Length, Limits, Mate, Outcome, Progress, Reason, Refutation, Verdict};
pub use problem::{Hands, Problem, ProblemError, Root, Rules};
pub use solver::{Memory, Paused, Solver, Solving, Step};
pub use study::{AuthorLine, FirstCheck, Variation};

/// The README's example is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
