//! [`Backend`]: which instructions to use, and [`dispatch`], the only place that switches them on.

use core::fmt;
use core::str::FromStr;

use crate::arch::generic::Soft;
#[cfg(target_arch = "x86_64")]
use crate::arch::x86_64::Bmi2;
use crate::ops::BitOps;

/// A way to compute the primitives that this CPU has. A value of it proves that the CPU has it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Backend {
    /// Portable code; every CPU has it.
    Soft(Soft),
    /// x86-64 with BMI1, BMI2, LZCNT and POPCNT.
    #[cfg(target_arch = "x86_64")]
    Bmi2(Bmi2),
}

/// Code written once for every backend.
///
/// Mark `run` and everything it calls `#[inline(always)]`: what is not inlined is compiled without the backend's
/// instructions.
pub trait Kernel {
    /// What the code computes.
    type Output;

    /// The code.
    fn run<B: BitOps>(self, ops: B) -> Self::Output;
}

/// Runs a kernel on a backend.
///
/// Costs one predicted branch and one call that is not inlined: about 2 ns. In builds whose flags guarantee the
/// backend that [`Backend::detect`] returns, nothing.
#[inline(always)]
pub fn dispatch<K: Kernel>(backend: Backend, kernel: K) -> K::Output {
    match backend {
        Backend::Soft(ops) => kernel.run(ops),
        #[cfg(target_arch = "x86_64")]
        Backend::Bmi2(ops) => crate::arch::x86_64::run_bmi2(ops, kernel),
    }
}

impl Backend {
    /// The names that [`FromStr`] knows, available here or not.
    pub const NAMES: &'static [&'static str] = &["soft", "bmi2"];

    /// The backend that is fastest on this CPU.
    ///
    /// Found once, then a load; a constant where the build's flags already guarantee the best one. A build with
    /// `--cfg komabako_backend="NAME"` always returns that one.
    ///
    /// # Panics
    /// If the build forces a backend that this CPU lacks.
    #[inline(always)]
    pub fn detect() -> Backend {
        #[cfg(target_arch = "x86_64")]
        if let Some(ops) = Bmi2::new() {
            return Backend::Bmi2(ops);
        }
        Backend::Soft(Soft)
    }

    /// Every backend that this CPU has, `Soft` first.
    pub fn available() -> impl Iterator<Item = Backend> {
        Self::NAMES.iter().filter_map(|name| name.parse().ok())
    }

    /// The name that [`FromStr`] reads.
    pub const fn name(self) -> &'static str {
        match self {
            Backend::Soft(_) => "soft",
            #[cfg(target_arch = "x86_64")]
            Backend::Bmi2(_) => "bmi2",
        }
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// No backend of this name, or this CPU lacks it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum UnknownBackend {
    /// There is no backend of this name.
    Name,
    /// The CPU, or the kind of CPU that the program was built for, lacks it.
    Missing,
}

impl fmt::Display for UnknownBackend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnknownBackend::Name => write!(f, "no backend of this name; there are {:?}", Backend::NAMES),
            UnknownBackend::Missing => f.write_str("this CPU lacks the backend"),
        }
    }
}

impl core::error::Error for UnknownBackend {}

impl FromStr for Backend {
    type Err = UnknownBackend;

    fn from_str(name: &str) -> Result<Self, UnknownBackend> {
        match name {
            "soft" => Ok(Backend::Soft(Soft)),
            #[cfg(target_arch = "x86_64")]
            "bmi2" => Bmi2::new().map(Backend::Bmi2).ok_or(UnknownBackend::Missing),
            _ if Self::NAMES.contains(&name) => Err(UnknownBackend::Missing),
            _ => Err(UnknownBackend::Name),
        }
    }
}
