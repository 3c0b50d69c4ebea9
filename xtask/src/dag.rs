//! `cargo xtask dag`: checks the dependencies in the manifests against the layers of ARCHITECTURE.md.

use crate::failure::Failure;
use crate::workspace::{Dependency, Kind, Metadata, Package};

/// Each crate of the workspace, and the workspace crates that it may depend on, separated by spaces; all without `komabako-`. A row
/// may only name crates of earlier rows.
const LAYERS: &[(&str, &str)] = &[
    ("xtask", ""),
    ("bits", ""),
    ("messages", ""),
    ("board", "messages"),
    ("picture", "board"),
    ("codec", "bits board messages"),
    ("rules", "bits board messages"),
    ("variants", "bits board codec messages"),
    ("testkit", "bits board codec variants"),
    ("kifu", "board rules messages"),
    ("tsume", "bits board rules messages"),
    ("features", "bits board codec rules"),
    ("record", "board codec rules variants messages"),
    ("archive", "bits board codec rules variants record messages"),
    ("dataset", "archive bits board codec rules variants record kifu tsume messages"),
    ("loader", "board codec rules variants features record dataset messages"),
    (
        "core",
        "archive bits board codec rules variants tsume features kifu picture record dataset loader messages",
    ),
    ("web", "core"),
    ("komabako", "core"),
    ("benches", "core bits"),
];

/// The name of a crate of ours as [`LAYERS`] has it.
fn short(name: &str) -> &str {
    name.strip_prefix("komabako-").unwrap_or(name)
}

const TESTKIT: &str = "komabako-testkit";
const MESSAGES: &str = "komabako-messages";

/// External crates that only certain crates may depend on, with the reason.
const HOMES: &[(&str, &[&str], &str)] = &[
    ("cfg-if", &["komabako-bits"], "only bits chooses by target"),
    ("bitintr", &["komabako-bits"], "it is an oracle of bits"),
    ("shogi_core", &[MESSAGES, "komabako-board"], "others use the re-exports of komabako-board"),
    ("criterion", &["komabako-benches"], "tests do not measure, benchmarks do"),
];

/// External crates for tests only: as a dev-dependency, behind a feature, or in the testkit.
const TEST_ONLY: &[&str] = &["proptest", "rsshogi", "shogi_usi_parser"];

/// Checks the workspace.
pub fn run(metadata: &Metadata) -> Result<(), Failure> {
    Failure::unless_empty(metadata.members().flat_map(faults).collect())
}

fn faults(package: &Package) -> Vec<String> {
    let name = &package.name;
    let Some((_, allowed)) = LAYERS.iter().find(|(layer, _)| *layer == short(name)) else {
        return vec![format!("{name}: a crate without a layer; give it one in xtask/src/dag.rs")];
    };
    let faults = package.dependencies.iter().filter_map(|dependency| fault(name, allowed, dependency));
    faults.map(|fault| format!("{name}: {fault}")).collect()
}

/// The fault of one dependency of the crate `name`, which may depend on the `allowed` workspace crates.
fn fault(name: &str, allowed: &str, dependency: &Dependency) -> Option<String> {
    let needed = dependency.name.as_str();
    let for_tests = dependency.kind == Kind::Dev;
    if dependency.source.is_none() {
        return match needed {
            TESTKIT if name == "xtask" => Some("xtask depends on none of our crates".to_owned()),
            TESTKIT if for_tests => None,
            TESTKIT => Some(format!("{TESTKIT} is a dev-dependency only")),
            _ if allowed.split(' ').any(|name| name == short(needed)) => None,
            _ => Some(format!("may not depend on {needed}; dependencies run downward (ARCHITECTURE.md)")),
        };
    }
    if let Some((_, homes, reason)) = HOMES.iter().find(|(crate_name, ..)| *crate_name == needed) {
        return (!homes.contains(&name))
            .then(|| format!("{needed} belongs in {} alone: {reason}", homes.join(", ")));
    }
    let test_only = TEST_ONLY.contains(&needed) && !for_tests && !dependency.optional && name != TESTKIT;
    test_only.then(|| format!("{needed} serves tests: make it a dev-dependency or put it behind a feature"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(name: &str, dependencies: &[Dependency]) -> Package {
        Package {
            name: name.to_owned(),
            license: None,
            source: None,
            manifest_path: "Cargo.toml".into(),
            dependencies: dependencies.to_vec(),
            targets: Vec::new(),
        }
    }

    fn ours(name: &str, kind: Kind) -> Dependency {
        Dependency { name: name.to_owned(), kind, optional: false, source: None }
    }

    fn theirs(name: &str, kind: Kind) -> Dependency {
        Dependency { source: Some("registry".to_owned()), ..ours(name, kind) }
    }

    #[track_caller]
    fn assert_fault(name: &str, dependency: Dependency, needle: &str) {
        let faults = faults(&package(name, &[dependency]));
        assert!(faults.len() == 1 && faults[0].contains(needle), "{faults:?}");
    }

    #[test]
    fn a_crate_without_a_layer_fails() {
        assert!(faults(&package("komabako-new", &[]))[0].contains("without a layer"));
    }

    #[test]
    fn dependencies_run_downward() {
        assert_fault("komabako-bits", ours("komabako-board", Kind::Normal), "may not depend on");
        assert_fault("komabako-board", ours("komabako-codec", Kind::Normal), "may not depend on");
        assert_fault("komabako-codec", ours("komabako-dataset", Kind::Dev), "may not depend on");
        assert_fault("komabako", ours("komabako-codec", Kind::Normal), "may not depend on");
        assert_fault("komabako-codec", ours("komabako-unheard-of", Kind::Normal), "may not depend on");
        assert_eq!(faults(&package("komabako-codec", &[ours("komabako-bits", Kind::Normal)])), [""; 0]);
    }

    #[test]
    fn layers_are_listed_bottom_up() {
        for (row, (name, allowed)) in LAYERS.iter().enumerate() {
            for below in allowed.split_whitespace() {
                assert!(LAYERS[..row].iter().any(|(name, _)| *name == below), "{name} -> {below}");
            }
        }
    }

    #[test]
    fn the_testkit_serves_tests_only() {
        assert_fault("komabako-codec", ours(TESTKIT, Kind::Normal), "dev-dependency only");
        assert_fault("komabako-codec", ours(TESTKIT, Kind::Build), "dev-dependency only");
        assert_eq!(faults(&package("komabako-codec", &[ours(TESTKIT, Kind::Dev)])), [""; 0]);
    }

    #[test]
    fn xtask_depends_on_no_workspace_crate() {
        assert_fault("xtask", ours(TESTKIT, Kind::Dev), "none of our crates");
        assert_fault("xtask", ours("komabako-board", Kind::Dev), "may not depend on");
    }

    #[test]
    fn dependencies_are_confined_to_their_crates() {
        assert_fault("komabako-codec", theirs("cfg-if", Kind::Normal), "belongs in komabako-bits");
        assert_fault("komabako-codec", theirs("bitintr", Kind::Dev), "belongs in komabako-bits");
        assert_fault(
            TESTKIT,
            theirs("shogi_core", Kind::Dev),
            "belongs in komabako-messages, komabako-board",
        );
        assert_fault("komabako-codec", theirs("criterion", Kind::Dev), "belongs in komabako-benches");
        assert_eq!(faults(&package("komabako-bits", &[theirs("bitintr", Kind::Dev)])), [""; 0]);
    }

    #[test]
    fn test_dependencies_are_refused_in_builds() {
        assert_fault("komabako-board", theirs("proptest", Kind::Normal), "serves tests");
        assert_fault("komabako-dataset", theirs("rsshogi", Kind::Normal), "serves tests");
        let behind_a_feature = Dependency { optional: true, ..theirs("proptest", Kind::Normal) };
        assert_eq!(faults(&package("komabako-board", &[behind_a_feature])), [""; 0]);
        assert_eq!(faults(&package("komabako-board", &[theirs("proptest", Kind::Dev)])), [""; 0]);
        assert_eq!(faults(&package(TESTKIT, &[theirs("proptest", Kind::Normal)])), [""; 0]);
    }
}
