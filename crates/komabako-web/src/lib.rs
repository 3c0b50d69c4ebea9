//! Komabako for browsers: one object that answers calls in JSON, and the buffer through which a page makes them.
//!
//! [`Module::call`] takes a request, `{"position": {"sfen": "…"}}`, and answers `{"ok": …}` or `{"error": {"name": …}}`;
//! large data travels as raw bytes beside the JSON. `web/src/module.ts` is the contract: every call with its types. [`abi`]
//! exports the functions that a page calls.
//!
//! ```
//! use komabako_web::Module;
//! let answer = Module::default().call(br#"{"position": {"sfen": "9/9/9/9/9/9/9/9/9 b -"}}"#, b"");
//! let json: serde_json::Value = serde_json::from_slice(&answer.json)?;
//! assert_eq!(json["ok"]["box"]["K"], 2);
//! # Ok::<(), serde_json::Error>(())
//! ```
//!
//! The module needs no clock, no threads and no files, so that it runs as `wasm32-unknown-unknown`; natively it is the same
//! code, and its tests run there.

// Denied rather than forbidden, as everywhere else but in komabako-bits: the attribute that names an export for JavaScript
// counts as unsafe code. `abi` has it, and `cargo xtask tidy` sees to it that it has nothing else.
#![deny(unsafe_code)]
#![expect(
    clippy::result_large_err,
    reason = "a failure ends its call and becomes JSON at once: it is moved a few times"
)]

pub mod abi;
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
