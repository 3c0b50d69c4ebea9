//! The specification: sources, quirks, decisions.
#![doc = include_str!("../spec/kifu.md")]
