//! The specifications that the crate implements. Their examples run as tests.

/// The formats made of codes: PSV, HCP and nshogi.
pub mod formats {
    #![doc = include_str!("../spec/formats.md")]
}

/// SSPFv1, the format of fixed fields.
pub mod sspf_family {
    #![doc = include_str!("../spec/sspf-family.md")]
}
