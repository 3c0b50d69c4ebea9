//! The rules of shogi: legal moves, game state and the end of a game.
//!
//! A [`State`] is a position in which moves are made and taken back; it lists its legal moves into a [`MoveList`], judges
//! single [`Move16`]s, and keeps a Zobrist key ([`zobrist`]). A [`Game`] adds the history, for repetition and perpetual
//! check. [`mod@perft`] counts. Handicap positions and tsume positions with one king are positions like any other.
//!
//! ```
//! use komabako_rules::{MoveList, Position, State, sfen};
//! let sfen = sfen::parse("4k4/9/4P4/9/9/9/9/9/4K4 b G 1")?;
//! let state = State::<u64>::new(&Position::new(sfen.setup)?)?;
//! let mate = "G*5b".parse()?;
//! assert!(state.is_legal(mate) && state.gives_check(mate));
//!
//! let mut after = state.clone();
//! after.do_move(mate);
//! let mut moves = MoveList::new();
//! after.legal_moves(&mut moves);
//! assert!(moves.is_empty());
//! assert_eq!(state.japanese(mate, None).unwrap().to_string(), "▲5二金");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Every query of a state detects the CPU's instruction set; a search detects it once, with a [`Generator`].
//!
//! Generating, judging and making moves does not allocate. The crate is `no_std` with `alloc`.

#![cfg_attr(not(feature = "std"), no_std)]
#![forbid(unsafe_code)]

extern crate alloc;

mod army;
pub mod attacks;
mod checks;
mod code;
mod declaration;
#[cfg(any(feature = "alternatives", test))]
pub mod double;
mod exchange;
mod game;
mod generate;
mod generator;
pub mod hands;
mod illegality;
mod legality;
mod list;
mod mates;
pub mod move16;
mod notation;
pub mod perft;
mod ranks;
mod state;
pub mod vector;
pub mod zobrist;

pub use checks::is_in_check;
pub use declaration::{Declaration, DeclarationRule};
pub use exchange::material;
pub use game::{Game, IllegalMove, Repetition};
pub use generate::{EvasionClass, MoveSet};
pub use generator::Generator;
pub use illegality::{Illegality, first_illegal};
/// The board types of the interface, so that a first program needs no other crate.
pub use komabako_board::{Position, Setup, sfen};
pub use list::MoveList;
pub use move16::Move16;
pub use notation::{Csa, Japanese, Kif, MoveTextError, csa_name, japanese_name, kind_of_csa};
pub use perft::{Leaves, perft};
pub use state::{Keyless, OpponentInCheck, State, Undo};

/// The README's code, which runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
