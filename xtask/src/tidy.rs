//! `cargo xtask tidy`: checks that neither the compiler nor clippy makes.

use std::fs;
use std::path::{Path, PathBuf};

use crate::citations::Specifications;
use crate::failure::Failure;
use crate::vectors;
use crate::workspace::{self, Metadata, Package};

/// The length above which a file often has more than one subject: `tidy` prints such files, as advice.
const LONG: usize = 650;

const LICENSE: &str = "MIT OR Apache-2.0";

/// The licence of the crate with outlines of a font.
const LICENSE_WITH_FONT: (&str, &str) = ("komabako-picture", "(MIT OR Apache-2.0) AND OFL-1.1");

/// Top directories of paths that exist only on the machine of their author.
const MACHINE_ROOTS: &[&str] = &["home", "root", "tmp", "work", "Users"];

/// Checks the workspace at `root`.
pub fn run(root: &Path, metadata: &Metadata) -> Result<(), Failure> {
    let mut faults = Vec::new();
    let mut texts = Vec::new();
    let mut specifications = Specifications::default();
    for file in workspace::files(root)? {
        let path = root.join(&file);
        let bytes = fs::read(&path).map_err(Failure::io(&path))?;
        if let Ok(text) = String::from_utf8(bytes) {
            specifications.add(&file, &text);
            texts.push((file, text));
        }
    }
    for (file, text) in &texts {
        let count = text.lines().count();
        if is_rust(file) && count > LONG {
            println!("tidy: {} has {count} lines; does it hold one thing?", file.display());
        }
        faults.extend(text_faults(file, text));
        if file != Path::new("xtask/src/citations.rs") {
            faults.extend(specifications.faults(file, text));
        }
    }

    faults.extend(c_interface_faults(&texts));

    let path = root.join("ARCHITECTURE.md");
    let architecture = fs::read_to_string(&path).map_err(Failure::io(&path))?;
    for package in metadata.members() {
        let path = &package.manifest_path;
        let manifest = fs::read_to_string(path).map_err(Failure::io(path))?;
        faults.extend(manifest_faults(package, &manifest));
        faults.extend(reason_faults(package, &architecture));
        for target in &package.targets {
            if target.kind.iter().any(|kind| ["lib", "bin", "custom-build"].contains(&kind.as_str())) {
                let path = &target.src_path;
                let text = fs::read_to_string(path).map_err(Failure::io(path))?;
                faults.extend(crate_root_fault(package, path.strip_prefix(root).unwrap_or(path), &text));
            }
        }
    }
    faults.extend(metadata.packages.iter().filter_map(copyleft_fault));

    match vectors::run(root, &vectors::Verb::Check) {
        Err(Failure::Faults(more)) => faults.extend(more),
        other => other?,
    }
    Failure::unless_empty(faults)
}

fn is_rust(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "rs")
}

/// Faults of one file of the repository, given its path in it.
fn text_faults(file: &Path, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let is_rust = is_rust(file);
    for (row, line) in text.lines().enumerate() {
        let place = format!("{}:{}", file.display(), row + 1);
        if let Some(path) = machine_path(line) {
            faults.push(format!(
                "{place}: {path}… is a path of one machine; write one relative to the repository"
            ));
        }
        if is_rust && allows_unsafe(line) && !may_be_unsafe(file) && file != Path::new(EXPORTS) {
            faults
                .push(format!("{place}: unsafe code lives in komabako-bits and the libraries' ffi.rs alone"));
        }
    }
    faults.extend(export_faults(file, text));
    faults
}

/// The first absolute path of one machine in a line, if any: a path under [`MACHINE_ROOTS`] without a name before it, as a URL
/// has.
fn machine_path(line: &str) -> Option<&str> {
    line.match_indices('/').find_map(|(at, _)| {
        let rest = &line[at + 1..];
        let root = MACHINE_ROOTS.iter().find(|root| {
            rest.strip_prefix(**root)
                .and_then(|rest| rest.strip_prefix('/'))
                .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphanumeric()))
        })?;
        let before = line[..at].chars().next_back();
        let absolute = before.is_none_or(|c| !c.is_alphanumeric() && !".-_~}/".contains(c));
        absolute.then(|| &line[at..at + root.len() + 3])
    })
}

/// Whether a line is an attribute that disables the workspace's lint `unsafe_code = "deny"`. Without such a line the compiler
/// finds unsafe code itself, in tests and examples too.
fn allows_unsafe(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with('#')
        && line.contains("unsafe_code")
        && ["allow(", "expect(", "warn("].iter().any(|level| line.contains(level))
}

fn may_be_unsafe(file: &Path) -> bool {
    file.starts_with("crates/komabako-bits") || is_c_interface(file)
}

/// Where pointers of C become slices: `bindings/c/*/src/ffi.rs`.
fn is_c_interface(file: &Path) -> bool {
    file.starts_with("bindings/c") && file.ends_with("src/ffi.rs")
}

/// The number of lines of these files together that a reader can still check at once.
const C_INTERFACE: usize = 400;

fn c_interface_faults(texts: &[(PathBuf, String)]) -> Option<String> {
    let files = texts.iter().filter(|(file, _)| is_c_interface(file));
    let lines: usize = files.map(|(_, text)| text.lines().count()).sum();
    (lines > C_INTERFACE).then(|| {
        format!("bindings/c/*/src/ffi.rs have {lines} lines, more than {C_INTERFACE}: move what is safe to other modules")
    })
}

/// The only file besides komabako-bits that disables the lint, and the only attribute with which it may: a name for JavaScript.
/// `forbid(unsafe_code)` for the whole crate would forbid that attribute too.
const EXPORTS: &str = "crates/komabako-web/src/abi.rs";
const EXPORT: &str = "#[cfg_attr(target_family = \"wasm\", expect(unsafe_code, reason = \"a name for JavaScript\"), unsafe(no_mangle))]";

/// Unsafe code in the file of exports. The attribute disables the lint for the whole function, so this must be checked here.
fn export_faults(file: &Path, text: &str) -> Option<String> {
    let code = text.lines().filter(|line| *line != EXPORT && !line.trim_start().starts_with("//"));
    let is_unsafe = file == Path::new(EXPORTS) && code.into_iter().any(|line| line.contains("unsafe"));
    is_unsafe.then(|| format!("{EXPORTS}: nothing here may be unsafe but the attribute `{EXPORT}`"))
}

/// The attribute required in the crate roots of a package.
fn unsafe_attribute(package: &str) -> Option<&'static str> {
    match package {
        "komabako-bits" => None,
        "komabako-web" => Some("#![deny(unsafe_code)]"),
        _ => Some("#![forbid(unsafe_code)]"),
    }
}

fn crate_root_fault(package: &Package, file: &Path, text: &str) -> Option<String> {
    let attribute = unsafe_attribute(&package.name)?;
    let missing = !text.lines().any(|line| line == attribute);
    missing.then(|| format!("{}: the root of a crate bears {attribute}", file.display()))
}

fn manifest_faults(package: &Package, manifest: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let license = package.license.as_deref().unwrap_or_default();
    if license != LICENSE && (package.name.as_str(), license) != LICENSE_WITH_FONT {
        faults.push(format!("{}: write `license.workspace = true` ({LICENSE})", package.name));
    }
    if !manifest.contains("[lints]\nworkspace = true\n") {
        faults.push(format!("{}: end the manifest with `[lints]`, `workspace = true`", package.name));
    }
    faults
}

/// External dependencies without a reason in the table of ARCHITECTURE.md.
fn reason_faults(package: &Package, architecture: &str) -> Vec<String> {
    let without_reason = package.dependencies.iter().filter(|dependency| {
        dependency.source.is_some() && !architecture.contains(&format!("| `{}` |", dependency.name))
    });
    without_reason
        .map(|dependency| {
            format!("{}: ARCHITECTURE.md does not say why it needs `{}`", package.name, dependency.name)
        })
        .collect()
}

/// The fault of a package that we may use only under the GPL, or whose manifest names no licence.
fn copyleft_fault(package: &Package) -> Option<String> {
    let Some(license) = &package.license else {
        return Some(format!("{}: its manifest names no licence; do without it", package.name));
    };
    let free =
        license.split(" OR ").flat_map(|choice| choice.split('/')).any(|choice| !choice.contains("GPL"));
    (!free).then(|| format!("{}: {license}; do without it, its terms would bind our users", package.name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::{Dependency, Kind};

    fn package(name: &str, license: Option<&str>) -> Package {
        Package {
            name: name.to_owned(),
            license: license.map(str::to_owned),
            source: None,
            manifest_path: "Cargo.toml".into(),
            dependencies: Vec::new(),
            targets: Vec::new(),
        }
    }

    #[track_caller]
    fn assert_fault(file: &str, text: &str, needle: &str) {
        let faults = text_faults(Path::new(file), text);
        assert!(faults.len() == 1 && faults[0].contains(needle), "{faults:?}");
    }

    #[test]
    fn a_path_of_one_machine_fails() {
        for root in MACHINE_ROOTS {
            assert_fault("a.md", &format!("see `/{root}/me/data`"), "path of one machine");
            assert_fault("a.toml", &format!("/{root}/x"), "path of one machine");
        }
    }

    #[test]
    fn other_paths_pass() {
        for line in
            ["https://example.org/home/page", "../work/x", "target/tmp/x", "{dir}/tmp/x", "a /home/ b"]
        {
            assert_eq!(machine_path(line), None, "{line}");
        }
    }

    #[test]
    fn unsafe_code_outside_allowed_files_fails() {
        for level in ["allow", "expect", "warn"] {
            let attribute = format!("    #[{level}(unsafe_code)]");
            assert_fault("crates/komabako-codec/tests/a.rs", &attribute, "alone");
            assert_fault("crates/komabako-board/src/lib.rs", &attribute, "alone");
            assert_eq!(text_faults(Path::new("crates/komabako-bits/src/ops.rs"), &attribute), [""; 0]);
            assert_eq!(text_faults(Path::new("bindings/c/a/src/ffi.rs"), &attribute), [""; 0]);
            assert_fault("bindings/c/a/src/lib.rs", &attribute, "alone");
        }
    }

    #[test]
    fn the_interface_of_c_stays_small() {
        let file = |name: &str, lines: usize| (PathBuf::from(name), "\n".repeat(lines));
        let two = |lines| [file("bindings/c/a/src/ffi.rs", 200), file("bindings/c/b/src/ffi.rs", lines)];
        assert_eq!(c_interface_faults(&two(200)), None);
        assert!(c_interface_faults(&two(201)).is_some());
        assert_eq!(c_interface_faults(&[file("crates/a/src/ffi.rs", 500)]), None);
    }

    #[test]
    fn javascript_exports_may_be_unsafe() {
        let export = format!("{EXPORT}\npub extern \"C\" fn call() {{}}\n");
        assert_eq!(text_faults(Path::new(EXPORTS), &export), [""; 0]);
        assert_fault("crates/komabako-web/src/lib.rs", EXPORT, "alone");
        assert_fault(EXPORTS, "#[expect(unsafe_code)]\n#[unsafe(no_mangle)]\nfn f() {}\n", "nothing here");
        assert_fault(EXPORTS, &format!("{export}fn f() {{ unsafe {{ g() }} }}\n"), "nothing here");
    }

    #[test]
    fn a_crate_root_without_its_attribute_fails() {
        let file = Path::new("src/lib.rs");
        let root = |name, text| crate_root_fault(&package(name, None), file, text);
        assert!(root("komabako-codec", "//! Codecs.\n").is_some());
        assert!(root("komabako-codec", "#![deny(unsafe_code)]\n").is_some());
        assert!(root("komabako-board", "//! Boards.\n").is_some());
        assert_eq!(root("komabako-codec", "#![forbid(unsafe_code)]\n"), None);
        assert!(root("komabako-board", "#![deny(unsafe_code)]\n").is_some());
        assert_eq!(root("komabako-bits", "//! Bits.\n"), None);
    }

    #[test]
    fn a_manifest_without_licence_or_lints_fails() {
        let lints = "[lints]\nworkspace = true\n";
        assert_eq!(manifest_faults(&package("a", Some(LICENSE)), lints), [""; 0]);
        assert!(manifest_faults(&package("a", Some("MIT")), lints)[0].contains("license"));
        assert!(manifest_faults(&package("a", None), lints)[0].contains("license"));
        let (name, license) = LICENSE_WITH_FONT;
        assert_eq!(manifest_faults(&package(name, Some(license)), lints), [""; 0]);
        assert!(manifest_faults(&package("a", Some(license)), lints)[0].contains("license"));
        assert!(manifest_faults(&package("a", Some(LICENSE)), "[lints.rust]\n")[0].contains("[lints]"));
    }

    #[test]
    fn a_dependency_without_a_reason_fails() {
        let needed = Dependency {
            name: "clap".to_owned(),
            kind: Kind::Normal,
            optional: false,
            source: Some("registry".to_owned()),
        };
        let user = Package { dependencies: vec![needed], ..package("a", None) };
        assert!(reason_faults(&user, "| `clap_complete` | cli |\n")[0].contains("`clap`"));
        assert_eq!(reason_faults(&user, "| `clap` | cli |\n"), [""; 0]);
    }

    #[test]
    fn a_copyleft_licence_fails() {
        for license in [Some("GPL-3.0-only"), Some("AGPL-3.0 OR GPL-2.0"), Some("MIT AND LGPL-2.1"), None] {
            assert!(copyleft_fault(&package("a", license)).is_some(), "{license:?}");
        }
        for license in ["MIT", "MIT OR Apache-2.0 OR LGPL-2.1-or-later", "Unlicense/MIT", "GPL-2.0/MIT"] {
            assert_eq!(copyleft_fault(&package("a", Some(license))), None, "{license}");
        }
    }
}
