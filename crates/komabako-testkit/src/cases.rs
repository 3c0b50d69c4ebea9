//! How much a test tries: a part at a developer's desk, everything in the gate.

/// One case in this many is tried: in eight, or in one where the environment has `KOMABAKO_CASES=all`, as in `.ci/run`.
///
/// # Panics
/// If the variable has another value.
#[must_use]
pub fn one_in() -> usize {
    match std::env::var("KOMABAKO_CASES").as_deref() {
        Ok("all") => 1,
        Ok(other) => panic!("KOMABAKO_CASES is {other:?}; \"all\" is the one value that it has"),
        Err(_) => 8,
    }
}

/// That part of `all` cases, or of what `all` of them should find; at least one.
///
/// # Panics
/// As [`one_in`] does.
#[must_use]
pub fn scaled(all: usize) -> usize {
    all.div_ceil(one_in())
}
