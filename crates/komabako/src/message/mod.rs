//! Every text of the program, in English and Japanese side by side.
//!
//! A text is a method of [`Lang`], so a command calls `lang.clean_nothing()` and need not know the language. Errors of the
//! libraries have their texts in `komabako-messages`; what is said here is their context and the advice.

#[macro_use]
mod macros;

mod backends;
mod card;
mod certificate;
mod clean;
mod common;
mod convert;
mod dataset;
mod diff;
mod fault;
mod formats;
mod game;
pub mod help;
mod info;
mod inspect;
mod kifu;
mod lang;
mod large;
mod manual;
pub mod mismatch;
mod mix;
mod reason;
mod record;
mod repair;
mod report;
mod rescore;
mod scores;
mod select;
pub mod shell;
mod solve;
mod stats;
mod text_lines;
mod usage;
mod validate;

pub use common::{counted, grouped};
pub use lang::Lang;
pub use reason::Reason;
pub use report::Report;
pub use solve::NodeLimits;
pub use usage::Wanted;
