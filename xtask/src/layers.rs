//! The dependencies (arrows) between the modules of a crate, from their `use` of their own crate (`cargo xtask dag`).

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// The top modules of a crate, bottom up, and the lower modules that each may use.
type Layers = &'static [(&'static str, &'static [&'static str])];

const CRATES: &[(&str, Layers)] = &[
    (
        "crates/komabako-record",
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
            ("large", &["io", "engine", "job", "sample_check"]),
        ],
    ),
    (
        "crates/komabako-cli",
        &[
            ("style", &[]),
            ("table", &[]),
            ("hex", &[]),
            ("fault", &["hex"]),
            ("word", &["hex", "fault"]),
            ("survey", &[]),
            ("standard", &[]),
            ("message", &["hex", "fault", "survey", "standard"]),
            ("interrupt", &["standard"]),
            ("outcome", &["message", "interrupt"]),
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
            ("cli", &["standard", "message", "outcome", "context", "json", "command"]),
            ("lib", &[]),
            ("main", &[]),
        ],
    ),
];

/// The most modules of a crate that may form a cycle.
const LARGEST_CYCLE: usize = 3;

/// The faults of the arrows inside the crates with layers.
pub fn faults(root: &Path) -> Result<Vec<String>, Failure> {
    let mut faults = Vec::new();
    for &(directory, layers) in CRATES {
        let mut files = Vec::new();
        let source = root.join(directory).join("src");
        collect(&source, &source, &mut files)?;
        let library = files.iter().find(|(path, _)| path == Path::new("lib.rs"));
        let exports = exports(library.map_or("", |(_, text)| text), layers);
        faults.extend(arrow_faults(directory, layers, &files, &exports));
        faults.extend(cycle_faults(directory, &files, &exports));
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

/// The re-exports in the root of a crate from its modules: each name, and its original path.
fn exports(library: &str, layers: Layers) -> BTreeMap<String, Vec<String>> {
    let mut exports = BTreeMap::new();
    for statement in library.split(';').filter_map(|text| text.rsplit_once("use ")).map(|(_, path)| path) {
        for path in expand(statement) {
            let is_own = path.first().is_some_and(|first| layers.iter().any(|(module, _)| module == first));
            if let Some(name) = path.last().filter(|_| is_own) {
                exports.insert(name.clone(), path.clone());
            }
        }
    }
    exports
}

/// The paths of a `use` with its groups expanded: `a::{b, c::{d, self}}` is `a::b`, `a::c::d`, `a::c`.
fn expand(path: &str) -> Vec<Vec<String>> {
    let path = path.trim();
    let Some((head, group)) = path.split_once('{') else {
        let path = path.split(" as ").next().unwrap_or(path);
        return vec![
            path.split("::").map(str::trim).filter(|name| *name != "self").map(str::to_owned).collect(),
        ];
    };
    let head: Vec<String> =
        head.split("::").map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect();
    let group = group.rsplit_once('}').map_or(group, |(inner, _)| inner);
    let mut paths = Vec::new();
    let mut depth = 0;
    let mut start = 0;
    for (at, letter) in group.char_indices().chain([(group.len(), ',')]) {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                let item = &group[start..at];
                if !item.trim().is_empty() {
                    paths.extend(expand(item).into_iter().map(|tail| [head.clone(), tail].concat()));
                }
                start = at + 1;
            }
            _ => {}
        }
    }
    paths
}

/// The paths that a file uses from its own crate, from the crate root on. Comments and tests are ignored.
fn used(text: &str, exports: &BTreeMap<String, Vec<String>>) -> Vec<Vec<String>> {
    let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let code: String = code
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .flat_map(|line| [line, "\n"])
        .collect();
    let paths = code.split("crate::").skip(1).flat_map(|rest| {
        let is_group = rest.starts_with('{')
            || rest
                .find(['{', ';', ' ', ')', '(', ','])
                .is_some_and(|at| rest[at..].starts_with('{') && rest[..at].ends_with("::"));
        let end = if is_group {
            rest.find(';')
        } else {
            rest.find(|c: char| !c.is_alphanumeric() && c != '_' && c != ':')
        };
        expand(&rest[..end.unwrap_or(rest.len())])
    });
    let resolve = |path: Vec<String>| match path.first().and_then(|name| exports.get(name)) {
        Some(known) => known.clone(),
        None => path,
    };
    paths.map(resolve).collect()
}

/// The module of a file: its top module, and the module one level below.
fn module(file: &Path) -> Vec<String> {
    let name = |part: &std::ffi::OsStr| part.to_string_lossy().trim_end_matches(".rs").to_owned();
    file.iter().map(name).filter(|name| name != "mod").take(2).collect()
}

fn arrow_faults(
    directory: &str,
    layers: Layers,
    files: &[(PathBuf, String)],
    exports: &BTreeMap<String, Vec<String>>,
) -> Vec<String> {
    let mut faults = BTreeSet::new();
    for (path, text) in files.iter().filter(|(path, _)| path != Path::new("lib.rs")) {
        let place = format!("{directory}/src/{}", path.display());
        let own = &module(path)[0];
        let Some((_, allowed)) = layers.iter().find(|(name, _)| name == own) else {
            faults.insert(format!("{place}: a module without a layer; give it one in xtask/src/layers.rs"));
            continue;
        };
        for used in used(text, exports).iter().filter_map(|path| path.first()) {
            let is_module = layers.iter().any(|(name, _)| name == used);
            if is_module && used != own && !allowed.contains(&used.as_str()) {
                faults.insert(format!("{place}: uses {used}; arrows run downward (xtask/src/layers.rs)"));
            }
        }
    }
    faults.into_iter().collect()
}

fn cycle_faults(
    directory: &str,
    files: &[(PathBuf, String)],
    exports: &BTreeMap<String, Vec<String>>,
) -> Vec<String> {
    let nodes: BTreeSet<Vec<String>> = files.iter().map(|(path, _)| module(path)).collect();
    let mut arrows: BTreeMap<&[String], BTreeSet<&[String]>> = BTreeMap::new();
    for (path, text) in files.iter().filter(|(path, _)| path != Path::new("lib.rs")) {
        let own = module(path);
        for used in used(text, exports) {
            let target = (1..=2).rev().find_map(|length| nodes.get(used.get(..length)?));
            if let (Some(own), Some(target)) = (nodes.get(&own), target) {
                arrows.entry(own).or_default().insert(target);
            }
        }
    }
    let reached = |from: &[String]| {
        let mut seen: BTreeSet<&[String]> = BTreeSet::new();
        let mut next: Vec<&[String]> = arrows.get(from).into_iter().flatten().copied().collect();
        while let Some(node) = next.pop() {
            if seen.insert(node) {
                next.extend(arrows.get(node).into_iter().flatten());
            }
        }
        seen
    };
    let reached: BTreeMap<&[String], BTreeSet<&[String]>> =
        nodes.iter().map(|node| (node.as_slice(), reached(node))).collect();
    let cycle = |node: &[String]| -> Vec<String> {
        let both_ways = |other: &&&[String]| reached[**other].contains(node);
        reached[node].iter().filter(both_ways).map(|other| other.join("::")).collect()
    };
    let cycles: BTreeSet<Vec<String>> = nodes.iter().map(|node| cycle(node)).collect();
    let large = cycles.iter().filter(|cycle| cycle.len() > LARGEST_CYCLE);
    large
        .map(|cycle| format!("{directory}: {} modules in a cycle: {}", cycle.len(), cycle.join(", ")))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAYERS: Layers = &[("low", &[]), ("high", &["low"])];

    fn file(path: &str, text: &str) -> (PathBuf, String) {
        (path.into(), text.to_owned())
    }

    fn exported() -> BTreeMap<String, Vec<String>> {
        exports("mod low;\npub use high::Job;\npub use low::{Input, sub::Output};\n", LAYERS)
    }

    #[test]
    fn groups_are_expanded() {
        let paths: Vec<String> =
            expand("a::{self, b, c::{d, e as f}}").iter().map(|path| path.join("::")).collect();
        assert_eq!(paths, ["a", "a::b", "a::c::d", "a::c::e"]);
    }

    #[test]
    fn upward_arrows_are_found_through_groups_and_reexports() {
        let faults = |text: &str| arrow_faults("x", LAYERS, &[file("low/a.rs", text)], &exported()).len();
        assert_eq!(faults("use crate::low::b;\nuse crate::{Input, other::Thing};"), 0);
        assert_eq!(faults("use crate::high;"), 1);
        assert_eq!(faults("use crate::{Input, high::x};"), 1);
        assert_eq!(faults("fn f() -> crate::Job {}"), 1);
        assert_eq!(faults("// use crate::high;"), 0);
    }

    #[test]
    fn modules_without_a_layer_are_refused() {
        assert_eq!(arrow_faults("x", LAYERS, &[file("new.rs", "")], &exported()).len(), 1);
    }

    #[test]
    fn only_large_cycles_are_refused() {
        let ring = |count: usize| -> Vec<(PathBuf, String)> {
            let next = |index| format!("use crate::low::m{};", (index + 1) % count);
            (0..count).map(|index| file(&format!("low/m{index}.rs"), &next(index))).collect()
        };
        assert_eq!(cycle_faults("x", &ring(3), &exported()).len(), 0);
        assert_eq!(cycle_faults("x", &ring(4), &exported()).len(), 1);
    }
}
