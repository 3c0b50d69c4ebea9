//! One folder per kind of CPU; `generic` runs on all of them.

#[macro_use]
pub mod generic;
#[cfg(target_arch = "x86_64")]
pub mod x86_64;
