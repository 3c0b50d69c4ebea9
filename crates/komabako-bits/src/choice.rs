//! [`Backend::detect`]: the fastest backend of this CPU, and the reasons for the choice.

use core::fmt;

#[cfg(target_arch = "aarch64")]
use crate::arch::aarch64::Neon;
use crate::arch::generic::Soft;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use crate::arch::wasm32::Simd128;
#[cfg(target_arch = "x86_64")]
use crate::arch::x86_64::{Avx2, Avx512, Bmi2, Sse41, slow_pext};
use crate::{Backend, UnknownBackend};

/// The name in `--cfg komabako_backend="NAME"`, if the build was given one.
const FORCED: Option<&str> = option_env!("KOMABAKO_FORCED_BACKEND");

/// One of the known backends, with the reason for or against it on this CPU.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Candidate {
    /// The name that [`Backend`]'s `FromStr` reads.
    pub name: &'static str,
    /// Whether [`Backend::detect`] chooses it, with the reason.
    pub verdict: Verdict,
}

/// The reason why [`Backend::detect`] chooses or rejects a backend.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Chosen: the fastest that the CPU supports.
    Fastest,
    /// Chosen: the build forces it with `--cfg komabako_backend`.
    Forced,
    /// Rejected: the CPU supports a faster one.
    Slower,
    /// Rejected: the CPU supports it, but runs `PEXT` and `PDEP` as microcode.
    SlowPext,
    /// Rejected: the CPU does not support it.
    Unavailable(UnknownBackend),
}

impl Verdict {
    /// Whether the CPU supports the backend.
    pub const fn is_available(self) -> bool {
        !matches!(self, Verdict::Unavailable(_))
    }

    /// Whether [`Backend::detect`] returns the backend.
    pub const fn is_chosen(self) -> bool {
        matches!(self, Verdict::Fastest | Verdict::Forced)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Fastest => f.write_str("the fastest on this CPU"),
            Verdict::Forced => f.write_str("forced by the build (--cfg komabako_backend)"),
            Verdict::Slower => f.write_str("slower than the chosen one"),
            Verdict::SlowPext => {
                f.write_str("avoided: PEXT and PDEP are microcode on this CPU (AMD before Zen 3)")
            }
            Verdict::Unavailable(why) => why.fmt(f),
        }
    }
}

impl Backend {
    /// The fastest backend of this CPU.
    ///
    /// Detection runs once; afterwards the result is a load, under 1 ns. It is a constant if the build's flags or the kind of
    /// CPU leave no choice, and always without the feature `std`, when only the flags count.
    /// A build with `--cfg komabako_backend="NAME"` always gets the backend with that name. Never reads the environment.
    ///
    /// # Panics
    /// If the build forces a backend that this CPU lacks or that does not exist.
    #[inline(always)]
    pub fn detect() -> Backend {
        cfg_if::cfg_if! {
            if #[cfg(all(feature = "std", target_arch = "x86_64", not(target_feature = "avx512vbmi2")))] {
                static CHOICE: std::sync::OnceLock<Backend> = std::sync::OnceLock::new();
                *CHOICE.get_or_init(choose)
            } else {
                choose()
            }
        }
    }

    /// Every known backend, from the fastest to the slowest, with the reason why [`Backend::detect`] chooses or rejects
    /// it.
    ///
    /// # Panics
    /// As [`Backend::detect`].
    pub fn candidates() -> impl Iterator<Item = Candidate> {
        let chosen = Backend::detect();
        Backend::NAMES.iter().rev().map(move |&name| {
            let verdict = match name.parse::<Backend>() {
                Err(why) => Verdict::Unavailable(why),
                Ok(backend) if backend == chosen && FORCED.is_some() => Verdict::Forced,
                Ok(backend) if backend == chosen => Verdict::Fastest,
                Ok(backend) if backend.is_slow_here() => Verdict::SlowPext,
                Ok(_) => Verdict::Slower,
            };
            Candidate { name, verdict }
        })
    }

    /// Whether the CPU runs the backend's instructions as microcode.
    fn is_slow_here(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            Backend::Bmi2(_) => slow_pext(),
            _ => false,
        }
    }
}

#[inline(always)]
fn choose() -> Backend {
    match FORCED {
        Some(name) => forced(name),
        None => fastest(),
    }
}

/// The first backend that the CPU supports and runs well, in the reverse order of [`Backend::NAMES`]. Without `std` it is
/// known at compile time.
#[inline(always)]
fn fastest() -> Backend {
    #[cfg(target_arch = "x86_64")]
    {
        if let Ok(ops) = Avx512::new() {
            return Backend::Avx512(ops); // no such CPU has a slow PEXT
        }
        if let Ok(ops) = Bmi2::new()
            && (cfg!(not(feature = "std")) || !slow_pext())
        {
            return Backend::Bmi2(ops);
        }
        if let Ok(ops) = Avx2::new() {
            return Backend::Avx2(ops);
        }
        if let Ok(ops) = Sse41::new() {
            return Backend::Sse41(ops);
        }
    }
    #[cfg(target_arch = "aarch64")]
    if let Ok(ops) = Neon::new() {
        return Backend::Neon(ops);
    }
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    if let Ok(ops) = Simd128::new() {
        return Backend::Simd128(ops);
    }
    Backend::Soft(Soft)
}

fn forced(name: &str) -> Backend {
    match name.parse() {
        Ok(backend) => backend,
        Err(why) => panic!("this build forces the backend {name:?} (--cfg komabako_backend): {why}"),
    }
}
