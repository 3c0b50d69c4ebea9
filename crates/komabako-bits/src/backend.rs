//! [`Backend`]: the instructions to use, and [`dispatch`], the only place that enables them.

use core::fmt;
use core::str::FromStr;

#[cfg(target_arch = "aarch64")]
use crate::arch::aarch64::Neon;
use crate::arch::generic::Soft;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use crate::arch::wasm32::Simd128;
#[cfg(target_arch = "x86_64")]
use crate::arch::x86_64::{Avx2, Avx512, Bmi2, Sse41};
use crate::ops::BitOps;

/// A set of instructions for the primitives. A value proves that the CPU supports it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Backend {
    /// Portable code, for every CPU.
    Soft(Soft),
    /// x86-64 with SSSE3, SSE4.1 and POPCNT.
    #[cfg(target_arch = "x86_64")]
    Sse41(Sse41),
    /// The same CPUs as `Bmi2`, without use of `PEXT` and `PDEP`.
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    /// x86-64 with AVX2, BMI1, BMI2, LZCNT and POPCNT.
    #[cfg(target_arch = "x86_64")]
    Bmi2(Bmi2),
    /// x86-64 with AVX-512 up to VBMI2, and all of `Bmi2`.
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
    /// AArch64 with NEON.
    #[cfg(target_arch = "aarch64")]
    Neon(Neon),
    /// WebAssembly with 128-bit vectors; only in builds with that feature.
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128(Simd128),
}

/// Code written once for every backend.
///
/// Mark `run` and everything it calls `#[inline(always)]`: a function that is not inlined is compiled without the backend's
/// instructions.
pub trait Kernel {
    /// The result of the code.
    type Output;

    /// The code.
    fn run<B: BitOps>(self, ops: B) -> Self::Output;
}

/// A [`BitOps`] that can run a kernel, even from code that was not compiled for its backend.
pub trait Witness: BitOps + Send + Sync + 'static {
    /// Runs a kernel, compiled with the backend's instructions.
    fn run<K: Kernel>(self, kernel: K) -> K::Output;
}

/// A visitor of a backend's [`Witness`]: for a type that stores its backend and runs kernels on it later.
pub trait WitnessVisitor {
    /// The result of the visit.
    type Output;

    /// Called by [`Backend::visit`]. Compiled without the backend's instructions.
    fn visit<W: Witness>(self, witness: W) -> Self::Output;
}

/// Runs a kernel on a backend.
///
/// Costs one predicted branch and one call that is not inlined: about 2 ns. In builds whose flags guarantee the
/// backend's instructions, the compiler may inline the call. A build that forces `simd128` has no other backend and runs
/// everything on it.
#[inline(always)]
pub fn dispatch<K: Kernel>(backend: Backend, kernel: K) -> K::Output {
    struct Run<K>(K);
    impl<K: Kernel> WitnessVisitor for Run<K> {
        type Output = K::Output;
        #[inline(always)]
        fn visit<W: Witness>(self, witness: W) -> K::Output {
            witness.run(self.0)
        }
    }
    backend.visit(Run(kernel))
}

impl Backend {
    /// The names that [`FromStr`] recognises, available here or not, from the slowest to the fastest.
    pub const NAMES: &'static [&'static str] =
        &["soft", "sse41", "avx2", "bmi2", "avx512", "neon", "simd128"];

    /// Calls a visitor with the backend's witness. Costs a predicted branch.
    #[inline(always)]
    pub fn visit<V: WitnessVisitor>(self, visitor: V) -> V::Output {
        // A module that forces the vectors is loaded over a network, and an unused portable copy of every kernel would be a
        // third of it. With the backend known at compile time, that copy is not generated.
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128", komabako_backend = "simd128"))]
        let this = Simd128::new().map_or(self, Backend::Simd128);
        #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128", komabako_backend = "simd128")))]
        let this = self;
        match this {
            Backend::Soft(witness) => visitor.visit(witness),
            #[cfg(target_arch = "x86_64")]
            Backend::Sse41(witness) => visitor.visit(witness),
            #[cfg(target_arch = "x86_64")]
            Backend::Avx2(witness) => visitor.visit(witness),
            #[cfg(target_arch = "x86_64")]
            Backend::Bmi2(witness) => visitor.visit(witness),
            #[cfg(target_arch = "x86_64")]
            Backend::Avx512(witness) => visitor.visit(witness),
            #[cfg(target_arch = "aarch64")]
            Backend::Neon(witness) => visitor.visit(witness),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Backend::Simd128(witness) => visitor.visit(witness),
        }
    }

    /// `Bmi2` in place of `Avx2` and `Avx512`, any other unchanged: for kernels that compute in general registers and use neither
    /// `PEXT` nor `PDEP`. Vectors gain them nothing, and the program need not contain them twice more.
    #[inline(always)]
    pub fn scalar(self) -> Backend {
        match self {
            #[cfg(target_arch = "x86_64")]
            Backend::Avx2(witness) => Backend::Bmi2(witness.into()),
            other => other.narrow(),
        }
    }

    /// `Bmi2` in place of `Avx512`, any other unchanged: for kernels in which wider vectors lose.
    #[inline(always)]
    pub fn narrow(self) -> Backend {
        match self {
            #[cfg(target_arch = "x86_64")]
            Backend::Avx512(witness) => Backend::Bmi2(witness.into()),
            other => other,
        }
    }

    /// Every backend that this CPU supports, `Soft` first.
    pub fn available() -> impl Iterator<Item = Backend> {
        Self::NAMES.iter().filter_map(|name| name.parse().ok())
    }

    /// The name that [`FromStr`] reads.
    pub const fn name(self) -> &'static str {
        match self {
            Backend::Soft(_) => "soft",
            #[cfg(target_arch = "x86_64")]
            Backend::Sse41(_) => "sse41",
            #[cfg(target_arch = "x86_64")]
            Backend::Avx2(_) => "avx2",
            #[cfg(target_arch = "x86_64")]
            Backend::Bmi2(_) => "bmi2",
            #[cfg(target_arch = "x86_64")]
            Backend::Avx512(_) => "avx512",
            #[cfg(target_arch = "aarch64")]
            Backend::Neon(_) => "neon",
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Backend::Simd128(_) => "simd128",
        }
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The reason why a name gives no backend on this CPU.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnknownBackend {
    /// No backend has this name.
    Name,
    /// The CPU (without `std`: the CPU that the build's flags specify) lacks this feature.
    Lacks(&'static str),
    /// The backend is for this kind of CPU, and the program was built for another.
    Foreign(&'static str),
}

impl fmt::Display for UnknownBackend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnknownBackend::Name => {
                f.write_str("no backend has this name; the names are")?;
                for (index, name) in Backend::NAMES.iter().enumerate() {
                    write!(f, "{}{name}", if index == 0 { " " } else { ", " })?;
                }
                Ok(())
            }
            UnknownBackend::Lacks(feature) if cfg!(feature = "std") => write!(f, "this CPU lacks {feature}"),
            UnknownBackend::Lacks(feature) => write!(f, "the build's flags do not promise {feature}"),
            UnknownBackend::Foreign(arch) => write!(f, "it is for {arch}"),
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
            "sse41" => Sse41::new().map(Backend::Sse41).map_err(UnknownBackend::Lacks),
            #[cfg(target_arch = "x86_64")]
            "avx2" => Avx2::new().map(Backend::Avx2).map_err(UnknownBackend::Lacks),
            #[cfg(target_arch = "x86_64")]
            "bmi2" => Bmi2::new().map(Backend::Bmi2).map_err(UnknownBackend::Lacks),
            #[cfg(target_arch = "x86_64")]
            "avx512" => Avx512::new().map(Backend::Avx512).map_err(UnknownBackend::Lacks),
            #[cfg(not(target_arch = "x86_64"))]
            "sse41" | "avx2" | "bmi2" | "avx512" => Err(UnknownBackend::Foreign("x86-64")),
            #[cfg(target_arch = "aarch64")]
            "neon" => Neon::new().map(Backend::Neon).map_err(UnknownBackend::Lacks),
            #[cfg(not(target_arch = "aarch64"))]
            "neon" => Err(UnknownBackend::Foreign("AArch64")),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            "simd128" => Simd128::new().map(Backend::Simd128).map_err(UnknownBackend::Lacks),
            #[cfg(all(target_arch = "wasm32", not(target_feature = "simd128")))]
            "simd128" => Err(UnknownBackend::Lacks("simd128")),
            #[cfg(not(target_arch = "wasm32"))]
            "simd128" => Err(UnknownBackend::Foreign("WebAssembly")),
            _ => Err(UnknownBackend::Name),
        }
    }
}
