//! `cargo xtask vectors`: the only writer of the test vectors.
//!
//! A published line never changes: other projects may have copied it, and a codec that no longer satisfies it has a bug.
//! `MANIFEST.tsv` contains, for each file, the number of published lines and the SHA-256 of those lines (the same as
//! `sha256sum FILE`). `import` accepts a new version of a file only if it begins with the published lines.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Subcommand;

use crate::failure::Failure;
use crate::workspace::sha256;

const DIRECTORY: &str = "crates/komabako-testkit/vectors";
const MANIFEST: &str = "MANIFEST.tsv";
const MANIFEST_HEADER: &str = "file\tlines\tsha256";
const README: &str = "README.md";

/// The action on the vectors.
#[derive(Subcommand)]
pub enum Verb {
    /// Copy the .tsv files of a directory into the testkit; new files and appended lines only
    Import {
        /// The directory of the published files
        directory: PathBuf,
    },
    /// Check that every published line is unchanged, and that the provenance of each file is documented
    Check,
}

/// Runs the verb on the workspace at `root`.
pub fn run(root: &Path, verb: &Verb) -> Result<(), Failure> {
    let vectors = root.join(DIRECTORY);
    match verb {
        Verb::Import { directory } => import(directory, &vectors),
        Verb::Check => check(&vectors),
    }
}

/// The published lines of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Published {
    lines: usize,
    sha256: String,
}

impl Published {
    fn new(text: &str) -> Self {
        Self { lines: text.lines().count(), sha256: sha256(text) }
    }

    /// Whether `text` begins with the published lines.
    fn is_prefix_of(&self, text: &str) -> bool {
        let prefix: usize = text.split_inclusive('\n').take(self.lines).map(str::len).sum();
        sha256(&text[..prefix]) == self.sha256
    }
}

type Manifest = BTreeMap<String, Published>;

fn parse_manifest(text: &str) -> Result<Manifest, Failure> {
    let mut rows = text.lines();
    if rows.next() != Some(MANIFEST_HEADER) {
        return Err(Failure::fault(format!("{MANIFEST}: line 1 is not `{MANIFEST_HEADER}`")));
    }
    rows.enumerate()
        .map(|(row, line)| {
            let mut cells = line.split('\t');
            match (cells.next(), cells.next().and_then(|n| n.parse().ok()), cells.next(), cells.next()) {
                (Some(file), Some(lines), Some(sha256), None) => {
                    Ok((file.to_owned(), Published { lines, sha256: sha256.to_owned() }))
                }
                _ => Err(Failure::fault(format!("{MANIFEST}: line {} is malformed: {line}", row + 2))),
            }
        })
        .collect()
}

fn print_manifest(manifest: &Manifest) -> String {
    manifest.iter().fold(format!("{MANIFEST_HEADER}\n"), |mut text, (file, published)| {
        let _ = writeln!(text, "{file}\t{}\t{}", published.lines, published.sha256);
        text
    })
}

fn read(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(Failure::io(path))
}

/// The vector files of a directory, by name.
fn tables(directory: &Path) -> Result<BTreeMap<String, String>, Failure> {
    let mut tables = BTreeMap::new();
    for entry in fs::read_dir(directory).map_err(Failure::io(directory))? {
        let path = entry.map_err(Failure::io(directory))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.extension().is_some_and(|extension| extension == "tsv") && name != MANIFEST {
            tables.insert(name, read(&path)?);
        }
    }
    Ok(tables)
}

fn import(from: &Path, vectors: &Path) -> Result<(), Failure> {
    let manifest_path = vectors.join(MANIFEST);
    let mut manifest =
        if manifest_path.exists() { parse_manifest(&read(&manifest_path)?)? } else { Manifest::new() };

    let tables = tables(from)?;
    if tables.is_empty() {
        return Err(Failure::fault(format!("{}: no .tsv file to import", from.display())));
    }
    let mut faults = Vec::new();
    for (name, text) in &tables {
        faults.extend(shape_faults(name, text));
        if manifest.get(name).is_some_and(|published| !published.is_prefix_of(text)) {
            faults.push(format!(
                "{name}: its beginning is not what was published; append lines, or publish under a new name"
            ));
        }
    }
    Failure::unless_empty(faults)?;

    for (name, text) in &tables {
        let path = vectors.join(name);
        fs::write(&path, text).map_err(Failure::io(&path))?;
        let now = Published::new(text);
        println!("{name}: {} lines", now.lines);
        manifest.insert(name.clone(), now);
    }
    fs::write(&manifest_path, print_manifest(&manifest)).map_err(Failure::io(&manifest_path))
}

/// Checks a directory of vectors against its manifest.
fn check(vectors: &Path) -> Result<(), Failure> {
    let manifest = parse_manifest(&read(&vectors.join(MANIFEST))?)?;
    let readme = read(&vectors.join(README))?;
    Failure::unless_empty(faults(&manifest, &tables(vectors)?, &readme))
}

fn faults(manifest: &Manifest, tables: &BTreeMap<String, String>, readme: &str) -> Vec<String> {
    let mut faults = Vec::new();
    for (name, published) in manifest {
        match tables.get(name) {
            None => faults.push(format!("{name}: published, but gone; restore it")),
            Some(text) if !published.is_prefix_of(text) => {
                faults.push(format!("{name}: a published line changed; restore it"));
            }
            Some(text) if *published != Published::new(text) => faults.push(format!(
                "{name}: more than the {} published lines; write it by `cargo xtask vectors import`",
                published.lines
            )),
            Some(_) => {}
        }
    }
    for (name, text) in tables {
        if !manifest.contains_key(name) {
            faults.push(format!("{name}: not in {MANIFEST}; write it by `cargo xtask vectors import`"));
        }
        if !readme.contains(&format!("`{name}`")) {
            faults.push(format!("{name}: {README} does not say where it comes from"));
        }
        faults.extend(shape_faults(name, text));
    }
    faults
}

/// Faults in the form of a vector file: a header and at least one row with the same number of tab-separated cells, none empty,
/// in complete lines.
fn shape_faults(name: &str, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    if !text.ends_with('\n') || text.contains('\r') {
        faults.push(format!("{name}: lines must end in a line feed, the last one too, and none in CR LF"));
    }
    let columns = text.lines().next().unwrap_or_default().split('\t').count();
    if text.lines().count() < 2 {
        faults.push(format!("{name}: a header and no rows"));
    }
    for (row, line) in text.lines().enumerate() {
        let cells = line.split('\t').count();
        if cells != columns {
            faults.push(format!("{name}:{}: {cells} cells under {columns} columns", row + 1));
        } else if line.split('\t').any(str::is_empty) {
            faults.push(format!("{name}:{}: an empty cell; write `-` for nothing", row + 1));
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    const README_TEXT: &str = "`a.tsv` is made up";
    const PUBLISHED: &str = "x\ty\n1\t2\n";

    fn faults_of(text: &str) -> Vec<String> {
        let manifest = Manifest::from([("a.tsv".to_owned(), Published::new(PUBLISHED))]);
        faults(&manifest, &BTreeMap::from([("a.tsv".to_owned(), text.to_owned())]), README_TEXT)
    }

    fn import_all(files: &[(&str, &str)], vectors: &Path) -> Result<(), Failure> {
        let from = tempfile::tempdir().expect("a temporary directory");
        for (name, text) in files {
            fs::write(from.path().join(name), text).expect("a file in it");
        }
        import(from.path(), vectors)
    }

    #[test]
    fn sums_equal_sha256sum() {
        assert_eq!(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }

    #[test]
    fn manifests_round_trip() {
        let manifest = Manifest::from([("a.tsv".to_owned(), Published::new(PUBLISHED))]);
        assert_eq!(parse_manifest(&print_manifest(&manifest)).expect("a manifest"), manifest);
        assert!(parse_manifest("file\tlines\n").is_err());
        assert!(parse_manifest("file\tlines\tsha256\na.tsv\tmany\t00\n").is_err());
    }

    #[test]
    fn an_untouched_file_passes() {
        assert_eq!(faults_of(PUBLISHED), [""; 0]);
    }

    #[test]
    fn a_changed_removed_or_reordered_line_fails() {
        for text in ["x\ty\n1\t3\n", "x\ty\n", "1\t2\nx\ty\n", "x\ty\n0\t0\n1\t2\n"] {
            assert!(faults_of(text)[0].contains("a published line changed"), "{text}");
        }
    }

    #[test]
    fn a_line_appended_by_hand_fails() {
        assert!(faults_of("x\ty\n1\t2\n3\t4\n")[0].contains("vectors import"));
    }

    #[test]
    fn a_missing_unlisted_or_unexplained_file_fails() {
        let manifest = Manifest::from([("a.tsv".to_owned(), Published::new(PUBLISHED))]);
        assert!(faults(&manifest, &BTreeMap::new(), README_TEXT)[0].contains("gone"));
        let found = BTreeMap::from([("a.tsv".to_owned(), PUBLISHED.to_owned())]);
        assert!(faults(&Manifest::new(), &found, README_TEXT)[0].contains("not in MANIFEST.tsv"));
        assert!(faults(&manifest, &found, "")[0].contains("does not say where"));
    }

    #[test]
    fn a_misshapen_table_fails() {
        for text in ["x\ty\n1\n", "x\ty\n1\t\n", "x\ty\n1\t2", "x\ty\r\n1\t2\r\n", "x\ty\n"] {
            assert_eq!(shape_faults("a.tsv", text).len(), 1, "{text:?}");
        }
    }

    #[test]
    fn import_takes_appended_lines_and_refuses_altered_ones() {
        let vectors = tempfile::tempdir().expect("a temporary directory");
        fs::write(vectors.path().join(README), README_TEXT).expect("a file in it");
        import_all(&[("a.tsv", PUBLISHED)], vectors.path()).expect("a new file");
        import_all(&[("a.tsv", "x\ty\n1\t2\n3\t4\n")], vectors.path()).expect("an appended line");
        check(vectors.path()).expect("a consistent directory");

        assert!(import_all(&[("a.tsv", PUBLISHED)], vectors.path()).is_err(), "a removed line");
        assert!(import_all(&[("a.tsv", "x\ty\n1\t2\n3\t5\n")], vectors.path()).is_err(), "an altered line");
        assert!(import_all(&[], vectors.path()).is_err(), "nothing to import");
        check(vectors.path()).expect("a refused import writes nothing");
    }
}
