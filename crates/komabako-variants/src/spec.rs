//! The specifications that the crate implements. Their examples run as tests.

/// SSPFv1's extension: every word of the base form, and words for all other positions.
pub mod ext {
    #![doc = include_str!("../spec/ext.md")]
}

/// C250: the compact form.
pub mod c250 {
    #![doc = include_str!("../spec/c250.md")]
}

/// R238: the ranking.
pub mod r238 {
    #![doc = include_str!("../spec/r238.md")]
}

/// The size of every format compared with the limit.
pub mod limits {
    #![doc = include_str!("../spec/limits.md")]
}
