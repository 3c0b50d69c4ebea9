//! The number of cases that a test runs: a part on a developer's machine, all of them in CI.

/// The divisor of the number of cases: 8, or 1 if the environment has `KOMABAKO_CASES=all`, as in `.ci/run`.
///
/// # Panics
/// If the variable has another value.
#[must_use]
pub fn one_in() -> usize {
    match std::env::var("KOMABAKO_CASES").as_deref() {
        Ok("all") => 1,
        Ok(other) => panic!("KOMABAKO_CASES is {other:?}; the only value is \"all\""),
        Err(_) => 8,
    }
}

/// `all` divided by [`one_in`], at least one: a number of cases, or the number of results expected from them.
///
/// # Panics
/// As [`one_in`] does.
#[must_use]
pub fn scaled(all: usize) -> usize {
    all.div_ceil(one_in())
}
