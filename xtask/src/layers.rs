//! The dependencies inside a crate (`cargo xtask dag`): between its top modules they run downward, and only few files use each other
//! in a cycle.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::arrows::{Arrows, arrows};
use crate::failure::Failure;

/// The top modules of a crate, bottom up, and the lower modules that each may use.
type Layers = &'static [(&'static str, &'static [&'static str])];

/// The crates with layers, and the most files that a cycle may have in each: 3, or the number of today, which must not grow.
const CRATES: &[(&str, usize, Layers)] = &[
    (
        "crates/komabako-record",
        9,
        &[
            ("result", &[]),
            ("spec", &[]),
            ("random", &[]),
            ("permutation", &["random"]),
            ("shuffle", &[]),
            ("hash", &[]),
            ("move16", &[]),
            ("fault", &["move16"]),
            ("record", &["result", "move16", "fault"]),
            ("codec", &["fault"]),
            ("block", &["move16", "fault"]),
            ("binary", &["fault", "record", "codec"]),
            ("text", &["result", "move16", "fault", "record", "block"]),
            ("format", &["move16", "record", "codec", "binary", "text"]),
            ("single", &["fault", "record", "codec", "format"]),
            ("games", &["result", "move16", "fault", "record", "block", "format"]),
            ("boundaries", &["fault", "block", "binary", "format", "games"]),
            ("batch", &["fault", "record", "codec", "block", "binary", "format", "single", "games"]),
            ("legality", &["move16", "fault", "record", "block", "format", "batch"]),
            ("sense", &["record", "codec", "format", "single", "legality"]),
            ("detect", &["fault", "codec", "block", "format", "boundaries", "batch", "sense"]),
            ("reservoir", &["random", "block", "format"]),
            (
                "stats",
                &["result", "random", "move16", "fault", "record", "codec", "block", "format", "batch"],
            ),
            (
                "findings",
                &[
                    "result", "move16", "fault", "record", "codec", "block", "format", "single", "games",
                    "batch", "legality", "sense",
                ],
            ),
        ],
    ),
    (
        "crates/komabako-dataset",
        10,
        &[
            ("io", &[]),
            ("engine", &["io"]),
            ("job", &["io", "engine"]),
            ("kifu", &["io", "engine"]),
            ("select", &["io", "engine", "job"]),
            ("validate", &["io", "engine", "job"]),
            ("repair", &["io", "engine", "job", "validate"]),
            ("sample_check", &["io", "engine", "job", "validate", "repair"]),
            ("convert", &["io", "engine", "job", "select", "sample_check"]),
            ("split", &["io", "engine", "job", "select", "sample_check", "convert"]),
            ("mix", &["io", "engine", "job", "sample_check"]),
            ("scores", &["io", "engine", "job", "sample_check"]),
            ("stats", &["io", "engine", "job", "sample_check"]),
            ("diff", &["io", "engine", "job", "select", "sample_check", "convert"]),
            ("leftovers", &["io", "engine"]),
            ("large", &["io", "engine", "job", "sample_check", "leftovers"]),
        ],
    ),
    (
        "crates/komabako-cli",
        3,
        &[
            ("style", &[]),
            ("table", &[]),
            ("hex", &[]),
            ("fault", &["hex"]),
            ("word", &["hex", "fault"]),
            ("survey", &[]),
            ("standard", &[]),
            ("completed", &[]),
            ("message", &["hex", "fault", "survey", "standard"]),
            ("interrupt", &["standard"]),
            ("outcome", &["standard", "message", "interrupt"]),
            ("route", &[]),
            ("context", &["style", "message", "outcome"]),
            ("json", &["message", "route", "context"]),
            ("progress", &["message", "interrupt", "context"]),
            ("lines", &["fault", "message", "outcome", "context"]),
            (
                "command",
                &[
                    "style",
                    "table",
                    "hex",
                    "fault",
                    "word",
                    "survey",
                    "standard",
                    "message",
                    "interrupt",
                    "outcome",
                    "route",
                    "context",
                    "json",
                    "progress",
                    "lines",
                ],
            ),
            ("cli", &["standard", "completed", "message", "outcome", "context", "json", "command"]),
            ("lib", &[]),
            ("main", &[]),
        ],
    ),
];

/// The faults of the arrows inside the crates with layers.
pub fn faults(root: &Path) -> Result<Vec<String>, Failure> {
    let mut faults = Vec::new();
    for &(directory, largest_cycle, layers) in CRATES {
        let mut files = Vec::new();
        let source = root.join(directory).join("src");
        collect(&source, &source, &mut files)?;
        let arrows = arrows(&files);
        faults.extend(arrow_faults(directory, layers, &files, &arrows));
        faults.extend(cycle_faults(directory, largest_cycle, &arrows));
    }
    Ok(faults)
}

/// The Rust files under a directory with their paths from the source directory, except tests, which may use upper modules.
fn collect(source: &Path, directory: &Path, files: &mut Vec<(PathBuf, String)>) -> Result<(), Failure> {
    for entry in fs::read_dir(directory).map_err(Failure::io(directory))? {
        let path = entry.map_err(Failure::io(directory))?.path();
        if path.is_dir() {
            collect(source, &path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") && !path.ends_with("tests.rs") {
            let text = fs::read_to_string(&path).map_err(Failure::io(&path))?;
            files.push((path.strip_prefix(source).unwrap_or(&path).to_owned(), text));
        }
    }
    Ok(())
}

/// The top module of a file.
fn top(file: &Path) -> String {
    let name = file.iter().next().unwrap_or_default().to_string_lossy();
    name.trim_end_matches(".rs").to_owned()
}

fn arrow_faults(
    directory: &str,
    layers: Layers,
    files: &[(PathBuf, String)],
    arrows: &Arrows,
) -> Vec<String> {
    let mut faults = BTreeSet::new();
    for (path, _) in files.iter().filter(|(path, _)| path != Path::new("lib.rs")) {
        let place = format!("{directory}/src/{}", path.display());
        let own = top(path);
        let Some((_, allowed)) = layers.iter().find(|(name, _)| *name == own) else {
            faults.insert(format!("{place}: a module without a layer; give it one in xtask/src/layers.rs"));
            continue;
        };
        for used in arrows.get(path).into_iter().flatten().map(|path| top(path)) {
            let is_module = layers.iter().any(|(name, _)| *name == used);
            if is_module && used != own && !allowed.contains(&used.as_str()) {
                faults.insert(format!("{place}: uses {used}; arrows run downward (xtask/src/layers.rs)"));
            }
        }
    }
    faults.into_iter().collect()
}

fn cycle_faults(directory: &str, largest: usize, arrows: &Arrows) -> Vec<String> {
    let reached = |from: &PathBuf| {
        let mut seen: BTreeSet<&PathBuf> = BTreeSet::new();
        let mut next: Vec<&PathBuf> = arrows.get(from).into_iter().flatten().collect();
        while let Some(file) = next.pop() {
            if seen.insert(file) {
                next.extend(arrows.get(file).into_iter().flatten());
            }
        }
        seen
    };
    let reached: BTreeMap<&PathBuf, BTreeSet<&PathBuf>> =
        arrows.keys().map(|file| (file, reached(file))).collect();
    let cycle = |file: &PathBuf| -> Vec<String> {
        let both_ways =
            |other: &&&PathBuf| reached.get(**other).is_some_and(|reached| reached.contains(file));
        reached[file].iter().filter(both_ways).map(|other| other.display().to_string()).collect()
    };
    let cycles: BTreeSet<Vec<String>> = arrows.keys().map(cycle).collect();
    let large = cycles.iter().filter(|cycle| cycle.len() > largest);
    large
        .map(|cycle| format!("{directory}/src: {} files in a cycle: {}", cycle.len(), cycle.join(", ")))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAYERS: Layers = &[("low", &[]), ("high", &["low"])];

    fn file(path: &str, text: &str) -> (PathBuf, String) {
        (path.into(), text.to_owned())
    }

    #[test]
    fn layers_are_listed_bottom_up() {
        for (_, _, layers) in CRATES {
            for (row, (name, allowed)) in layers.iter().enumerate() {
                for below in *allowed {
                    assert!(layers[..row].iter().any(|(name, _)| name == below), "{name} -> {below}");
                }
            }
        }
    }

    #[test]
    fn upward_arrows_are_refused() {
        let faults = |text: &str| {
            let library = file("lib.rs", "mod low; mod high; pub use high::Job; pub use low::Input;");
            let files = [library, file("low/mod.rs", ""), file("high.rs", ""), file("low/a.rs", text)];
            arrow_faults("x", LAYERS, &files, &arrows(&files)).len()
        };
        assert_eq!(faults("use crate::low::b;\nuse crate::{Input, other::Thing};"), 0);
        assert_eq!(faults("use crate::high;"), 1);
        assert_eq!(faults("use crate::{Input, high::x};"), 1);
        assert_eq!(faults("use super::super::high::x;"), 1);
        assert_eq!(faults("fn f() -> crate::Job {}"), 1);
        assert_eq!(faults("// use crate::high;"), 0);
    }

    #[test]
    fn modules_without_a_layer_are_refused() {
        assert_eq!(arrow_faults("x", LAYERS, &[file("new.rs", "")], &Arrows::new()).len(), 1);
    }

    #[test]
    fn only_large_cycles_are_refused() {
        let ring = |count: usize| {
            let next = |index| format!("use super::m{};", (index + 1) % count);
            let files: Vec<_> =
                (0..count).map(|index| file(&format!("low/m{index}.rs"), &next(index))).collect();
            cycle_faults("x", 3, &arrows(&files))
        };
        assert_eq!(ring(3), [""; 0]);
        assert_eq!(ring(4), ["x/src: 4 files in a cycle: low/m0.rs, low/m1.rs, low/m2.rs, low/m3.rs"]);
    }
}
