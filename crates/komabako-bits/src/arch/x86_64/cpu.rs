//! CPUID for the speed of instructions rather than for features.

use core::arch::x86_64::__cpuid;

/// The vendors and families whose `PEXT` and `PDEP` are microcode, tens to hundreds of cycles long: AMD Zen, Zen+ and
/// Zen 2, and Hygon's Zen.
const MICROCODED_PEXT: [(&[u8; 12], u32); 2] = [(b"AuthenticAMD", 0x17), (b"HygonGenuine", 0x18)];

/// Whether this CPU's `PEXT` is slower than portable code.
pub fn slow_pext() -> bool {
    is_slow(vendor(), family(__cpuid(1).eax))
}

fn is_slow(vendor: [u8; 12], family: u32) -> bool {
    MICROCODED_PEXT.contains(&(&vendor, family))
}

/// The vendor's name, from CPUID leaf 0.
fn vendor() -> [u8; 12] {
    let leaf = __cpuid(0);
    let mut name = [0; 12];
    for (part, register) in name.chunks_exact_mut(4).zip([leaf.ebx, leaf.edx, leaf.ecx]) {
        part.copy_from_slice(&register.to_le_bytes());
    }
    name
}

/// The family in a signature (EAX of CPUID leaf 1), with the extended family where the base family is full.
fn family(signature: u32) -> u32 {
    match signature >> 8 & 0xf {
        0xf => 0xf + (signature >> 20 & 0xff),
        base => base,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_amd_before_zen_3_is_slow() {
        for (vendor, signature, slow) in [
            (b"AuthenticAMD", 0x0080_0f12, true),  // EPYC (Zen)
            (b"AuthenticAMD", 0x0083_0f10, true),  // EPYC-Rome (Zen 2)
            (b"HygonGenuine", 0x0090_0f01, true),  // Dhyana (Zen)
            (b"AuthenticAMD", 0x00a0_0f11, false), // EPYC-Milan (Zen 3)
            (b"AuthenticAMD", 0x00b0_0f21, false), // EPYC-Turin (Zen 5)
            (b"GenuineIntel", 0x0003_06c3, false), // Haswell
        ] {
            assert_eq!(is_slow(*vendor, family(signature)), slow, "signature {signature:#x}");
        }
    }
}
