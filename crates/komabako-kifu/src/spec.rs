//! The specification: sources, quirks, decisions.
#![doc = include_str!("../spec/kifu.md")]
#![doc = "\n"]
#![doc = include_str!("../spec/programs.md")]
