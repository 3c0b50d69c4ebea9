//! The specification: sources, quirks, decisions.
#![doc = include_str!("../spec/kifu.md")]
#![doc = include_str!("../spec/programs.md")]
