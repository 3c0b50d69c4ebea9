//! Komabako for browsers: one object that answers calls in JSON, and the buffer through which a page calls it.
//!
//! [`Module::call`] takes a request, `{"position": {"sfen": "…"}}`, and answers `{"ok": …}` or `{"error": {"name": …}}`;
//! large data is transferred as raw bytes beside the JSON. `web/src/module.ts` is the contract: every call with its
//! types. [`abi`] exports the functions that a page calls.
//!
//! ```
//! use komabako_web::Module;
//! let answer = Module::default().call(br#"{"position": {"sfen": "9/9/9/9/9/9/9/9/9 b -"}}"#, b"");
//! let json: serde_json::Value = serde_json::from_slice(&answer.json)?;
//! assert_eq!(json["ok"]["box"]["K"], 2);
//! # Ok::<(), serde_json::Error>(())
//! ```
//!
//! The module is downloaded, and the standard library's sort is 5 kB of code for each type that is sorted. Lists are therefore
//! made in their order, and maps filled one by one instead of collected, which sorts.
//!
//! The module needs no clock, threads or files, so it runs as `wasm32-unknown-unknown`. The same code also runs natively,
//! where its tests run.

// Denied, not forbidden as in all crates except komabako-bits: the attribute that names an export for JavaScript counts
// as unsafe code. Only `abi` uses it, and `cargo xtask tidy` checks that it contains no other unsafe code.
#![deny(unsafe_code)]
// A module of wasm: nobody else has its types.
#![allow(missing_debug_implementations)]
#![expect(
    clippy::result_large_err,
    reason = "a failure ends its call and becomes JSON at once: it is moved a few times"
)]

pub mod abi;
mod certificate;
mod check;
mod failure;
mod game;
mod job;
mod module;
mod moves;
mod perft;
mod position;
mod record;
mod solve;
mod stream;
mod text;
mod validation;
mod vocabulary;
mod word;

pub use module::{Answer, Module};
