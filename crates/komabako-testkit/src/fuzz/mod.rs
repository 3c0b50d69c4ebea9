//! Fuzz targets as plain functions: the programs of `fuzz/` call them, and `cargo test` runs them on the kept inputs. The
//! targets of the codecs and of SFEN text are here; the targets of the rules and of files are in the tests of their crates.
//!
//! An execution must be cheap, so that millions of inputs are tried: a target checks the code as users run it, on the
//! detected backend. More expensive checks, such as every backend against the reference, are its
//! [comparison](Target::with_comparison): `cargo test` always runs it, fuzzing only with the feature `compare`.

mod setup;
mod text;
mod word;

use std::fs;
use std::path::Path;

pub use setup::SETUP_PACK;
pub use text::{SFEN_GAME, SFEN_PARSE};
pub use word::{
    C250_UNPACK, HCP_UNPACK, NSHOGI_UNPACK, PSV_LENIENT, PSV_UNPACK, R238_UNRANK, SSPF_EXT_LENIENT,
    SSPF_EXT_UNPACK, SSPF_UNPACK, WORD_EXPLAIN,
};

/// The targets of the codecs and of SFEN text.
pub const TARGETS: &[Target] = &[
    C250_UNPACK,
    HCP_UNPACK,
    NSHOGI_UNPACK,
    PSV_LENIENT,
    PSV_UNPACK,
    R238_UNRANK,
    SETUP_PACK,
    SFEN_GAME,
    SFEN_PARSE,
    SSPF_EXT_LENIENT,
    SSPF_EXT_UNPACK,
    SSPF_UNPACK,
    WORD_EXPLAIN,
];

/// A check of arbitrary bytes, which panics if they reveal a bug.
pub type Check = fn(&[u8]);

/// A fuzz target.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The name of its program in `fuzz/fuzz_targets`, and of its directories in `fuzz/corpus` and `fuzz/regressions`.
    pub name: &'static str,
    check: Check,
    comparison: Option<Check>,
}

impl Target {
    /// A target. An instrumented check must take at most 50 µs on the inputs that libFuzzer generates.
    pub const fn new(name: &'static str, check: Check) -> Self {
        Target { name, check, comparison: None }
    }

    /// The target with a check that may be slow.
    pub const fn with_comparison(self, comparison: Check) -> Self {
        Target { comparison: Some(comparison), ..self }
    }

    /// The entry point of the program in `fuzz/`: runs the check and, with the feature `compare`, the comparison.
    ///
    /// Inlined, so that an unused comparison is not in the program: after each execution libFuzzer reads the counters of all
    /// code in it, which took two thirds of the time of a target that compares whole conversions.
    ///
    /// # Panics
    /// If the input reveals a bug.
    #[inline(always)]
    pub fn fuzz(&self, input: &[u8]) {
        (self.check)(input);
        if cfg!(feature = "compare")
            && let Some(comparison) = self.comparison
        {
            comparison(input);
        }
    }

    /// Runs the check and the comparison.
    ///
    /// # Panics
    /// If the input reveals a bug.
    pub fn test(&self, input: &[u8]) {
        (self.check)(input);
        if let Some(comparison) = self.comparison {
            comparison(input);
        }
    }
}

/// Runs targets on their kept inputs, `fuzz/corpus/NAME/*` and `fuzz/regressions/NAME/*`, after printing the path of each.
///
/// # Panics
/// If an input reveals a bug, or if a target has no program or no inputs.
pub fn replay_kept_inputs(targets: &[Target]) {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz");
    for target in targets {
        let name = target.name;
        let program = fuzz.join("fuzz_targets").join(name).with_extension("rs");
        assert!(program.is_file(), "{name} has no program in fuzz/fuzz_targets");
        let mut inputs = 0;
        for directory in ["corpus", "regressions"] {
            let Ok(entries) = fs::read_dir(fuzz.join(directory).join(name)) else { continue };
            for entry in entries {
                let path = entry.unwrap().path();
                println!("{}", path.display());
                target.test(&fs::read(&path).unwrap());
                inputs += 1;
            }
        }
        assert!(inputs > 0, "{name} has no inputs in fuzz/corpus");
    }
}
