//! Game records of shogi as trees: KIF, KI2, CSA, JKF and USI text, read and written.
//!
//! | format | variations | bookmarks | times | comments | several games |
//! |---|---|---|---|---|---|
//! | [KIF](Format::Kif) | ● | ● | seconds | ● | read |
//! | [KI2](Format::Ki2) | ● | ● | – | ● | read |
//! | [CSA 2.2](Format::Csa) | – | – | seconds | ● | ● |
//! | [CSA 3.0](Format::Csa3) | – | – | milliseconds | ● | ● |
//! | [JKF](Format::Jkf) | ● | as comments | seconds | ● | – |
//! | [USI](Format::Usi) | – | – | – | – | ● |
//!
//! A [`Record`] is a tree of moves with times, comments and endings; every move in it is legal. Reading is total: any
//! bytes give records or a [`KifuError`] that names line and column, and tolerated deviations are reported as
//! [`Notice`]s. Writing reports what the format cannot hold ([`Losses`]); reading the written text gives
//! [`Format::project`].
//!
//! ```
//! let text = "手合割：平手\n   1 ７六歩(77)   ( 0:16/00:00:16)\n   2 ３四歩(33)   ( 0:00/00:00:00)\n   3 投了\n";
//! let games = komabako_kifu::read(text.as_bytes(), Some("kifu"))?;
//! let (csa, losses) = komabako_kifu::Format::Csa.write(&games[0].record);
//! assert_eq!(csa, "V2.2\nPI\n+\n+7776FU\nT16\n-3334FU\nT0\n%TORYO\n");
//! assert!(losses.is_empty());
//! # Ok::<(), komabako_kifu::KifuError>(())
//! ```
//!
//! [`spec`] holds the specification. The crate does no input or output and is `no_std` with `alloc`.

#![cfg_attr(not(feature = "std"), no_std)]
#![forbid(unsafe_code)]

extern crate alloc;

mod builder;
mod clock;
mod csa;
pub mod encoding;
mod ending;
mod error;
mod format;
mod games;
pub mod handicap;
mod jkf;
mod kakinoki;
mod ki2;
mod kif;
mod lines;
mod open;
mod project;
mod record;
mod score;
mod search;
pub mod spec;
mod text;
mod usi;

pub use clock::Millis;
pub use encoding::{Encoding, MAX_BYTES};
#[cfg(feature = "cp932")]
pub use encoding::{LineEnd, Replacement, Unmappable};
pub use ending::{Ending, Outcome};
pub use error::{Fault, KifuError, Notice, NoticeKind};
pub use format::{Format, Holds, Losses, Times};
pub use games::{Game, Games, Place, ReadOptions, file_notice, unknown};
pub use open::Opened;
#[cfg(feature = "cp932")]
pub use open::{open, read};
pub use record::{AppendError, MAX_NODES, Node, NodeId, Positions, Record, Step, UnplayableSetup, Walk};
pub use score::{About, MAX_SCORE, Score, ScoreValue, ScoreView};
pub use search::Candidate;
pub use text::{Notation, Text, moves};

/// The README's code, which runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
