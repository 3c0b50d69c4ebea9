//! Code shared by the benchmarks: their positions and their backends.
//!
//! `cargo bench -p komabako-benches -F criterion` measures the primitives (`--bench bits`), the codecs (`--bench codecs`) and the
//! rules (`--bench rules`) on every backend that the CPU has; `KOMABAKO_BACKEND=NAME` restricts them to one.

#![forbid(unsafe_code)]

pub mod corpus;
pub mod mailbox;

use komabako_bits::Backend;

/// The backends to measure: all that this CPU supports, or the one named by the environment variable `KOMABAKO_BACKEND`.
///
/// # Panics
/// If the variable names a backend that does not exist or that this CPU lacks.
pub fn backends() -> Vec<Backend> {
    match std::env::var("KOMABAKO_BACKEND") {
        Ok(name) => match name.parse() {
            Ok(backend) => vec![backend],
            Err(why) => panic!("KOMABAKO_BACKEND={name}: {why}"),
        },
        Err(_) => Backend::available().collect(),
    }
}
