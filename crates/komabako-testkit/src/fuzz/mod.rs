//! Fuzz targets as plain functions: the programs of `fuzz/` call them, and `cargo test` runs them on the inputs that are
//! kept. Those of the codecs and of SFEN text are here; those of the rules and of files are in the tests of their crates.
//!
//! An execution must be cheap, so that millions of inputs are tried: a target checks the code as users run it, on the
//! backend that is detected. What costs more, such as every backend against the reference, is its
//! [comparison](Target::with_comparison), which fuzzing leaves out unless the feature `compare` is on, and `cargo test`
//! never does.

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

/// Checks any bytes: it panics if they show a fault.
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
    /// A target. A check takes at most 50 µs on the inputs that libFuzzer makes, instrumented.
    pub const fn new(name: &'static str, check: Check) -> Self {
        Target { name, check, comparison: None }
    }

    /// The target with a check that may be slow.
    pub const fn with_comparison(self, comparison: Check) -> Self {
        Target { comparison: Some(comparison), ..self }
    }

    /// What the program in `fuzz/` runs: the check, and the comparison with the feature `compare`.
    ///
    /// Inlined, so that a comparison that is left out is not in the program: after each execution libFuzzer looks at the
    /// counters of all code that is, which took two thirds of the time of a target that compares whole conversions.
    ///
    /// # Panics
    /// If the input shows a fault.
    #[inline(always)]
    pub fn fuzz(&self, input: &[u8]) {
        (self.check)(input);
        if cfg!(feature = "compare")
            && let Some(comparison) = self.comparison
        {
            comparison(input);
        }
    }

    /// The check and the comparison.
    ///
    /// # Panics
    /// If the input shows a fault.
    pub fn test(&self, input: &[u8]) {
        (self.check)(input);
        if let Some(comparison) = self.comparison {
            comparison(input);
        }
    }
}

/// Runs targets on their kept inputs, `fuzz/corpus/NAME/*` and `fuzz/regressions/NAME/*`, and prints the path of each
/// before it does.
///
/// # Panics
/// If an input shows a fault, or if a target has no program or no inputs.
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
