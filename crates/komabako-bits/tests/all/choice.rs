//! The choice of a backend, and its explanation.

use komabako_bits::{Backend, UnknownBackend, Verdict};

#[test]
fn chosen_backend_is_the_first_available_candidate() {
    let chosen = Backend::detect();
    assert!(Backend::available().any(|backend| backend == chosen));
    assert_eq!(Backend::detect(), chosen, "the choice does not change");
    let mut taken = Backend::candidates().filter(|candidate| candidate.verdict.is_chosen());
    assert_eq!(taken.next().map(|candidate| candidate.name), Some(chosen.name()));
    assert_eq!(taken.next(), None);
    if forced().is_none() {
        let first = Backend::candidates()
            .find(|candidate| candidate.verdict.is_available() && candidate.verdict != Verdict::SlowPext);
        assert_eq!(first.map(|candidate| candidate.name), Some(chosen.name()));
    }
}

#[test]
fn a_build_that_forces_a_backend_gets_it() {
    assert_eq!(cfg!(komabako_backend = "soft"), forced() == Some("soft"));
    if let Some(name) = forced() {
        assert_eq!(Backend::detect().name(), name);
        assert!(Backend::candidates().any(|candidate| candidate.verdict == Verdict::Forced));
    } else {
        println!("skipped: this build forces no backend; try RUSTFLAGS='--cfg komabako_backend=\"soft\"'");
    }
}

#[test]
fn backend_names_round_trip() {
    assert_eq!(Backend::NAMES[0], "soft");
    for backend in Backend::available() {
        assert_eq!(backend.name().parse(), Ok(backend));
        assert_eq!(backend.to_string(), backend.name());
    }
    assert!(Backend::candidates().map(|candidate| candidate.name).eq(Backend::NAMES.iter().rev().copied()));
}

#[test]
fn unknown_name_error_lists_the_known_names() {
    let error = "sofft".parse::<Backend>().unwrap_err();
    assert_eq!(error, UnknownBackend::Name);
    for name in Backend::NAMES {
        assert!(error.to_string().contains(name), "{error}");
    }
}

/// The backend named by the build's flags, passed on by the build script.
fn forced() -> Option<&'static str> {
    option_env!("KOMABAKO_FORCED_BACKEND")
}
