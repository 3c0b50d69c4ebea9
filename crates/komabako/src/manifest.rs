//! [`Manifest`]: a file that says where the outputs of a command come from.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use clap::ArgMatches;
use komabako::dataset::{Collection, DatasetError, Input, Name, OnBadRecord, Output, reserve_output};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::message::{Lang, Report};
use crate::outcome::Failure;
use crate::standard::is_dash;
use crate::{completed, escape, interrupt};

/// The version of the form of manifests.
const VERSION: u32 = 1;

/// A manifest to write once the command is done.
pub struct Manifest {
    path: PathBuf,
    force: bool,
    /// The words of the command line.
    arguments: Vec<String>,
    /// Every path on the command line, except those of what is collected.
    paths: Vec<PathBuf>,
    /// The files of bad records.
    collected: Vec<PathBuf>,
}

/// The content of a manifest.
#[derive(Serialize, Deserialize)]
pub struct Content {
    /// The version of this form.
    pub manifest: u32,
    /// The name and the version of the program.
    pub program: String,
    /// The words of the command line, the program's name first.
    pub arguments: Vec<String>,
    /// The files that were read, and the files that were written.
    pub inputs: Vec<Listed>,
    pub outputs: Vec<Listed>,
    /// The report of `--json`.
    pub report: Value,
}

/// A file; what is no regular file has a name only.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listed {
    pub name: String,
    pub bytes: Option<u64>,
    pub sha256: Option<String>,
}

impl Manifest {
    /// The manifest that the arguments of a command ask for.
    pub fn asked_for(matches: &ArgMatches, arguments: &[std::ffi::OsString]) -> Option<Manifest> {
        // Not every command has every option, as in `cli::reporting`.
        let path = matches.try_get_one::<PathBuf>("manifest").ok().flatten()?.clone();
        let force = matches.try_get_one::<bool>("force").ok().flatten().is_some_and(|&set| set);
        let mut paths = Vec::new();
        for id in matches.ids().filter(|id| *id != "manifest") {
            paths.extend(matches.try_get_many::<PathBuf>(id.as_str()).ok().flatten().into_iter().flatten());
        }
        let collected =
            matches.try_get_one::<OnBadRecord>("on_error").ok().flatten().and_then(OnBadRecord::collected);
        // Where the program is installed concerns nobody.
        let words = arguments.iter().skip(1).map(|word| Name::from(word).to_string());
        Some(Manifest {
            path,
            force,
            arguments: ["komabako".to_owned()].into_iter().chain(words).collect(),
            paths: paths.into_iter().cloned().collect(),
            collected: collected.map(Collection::paths).into_iter().flatten().collect(),
        })
    }

    /// The file of the manifest.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Checks, before the command, that the manifest replaces neither a file of the command nor, without `--force`, another. Until it
    /// is written, no output can have its name.
    pub fn check(&self) -> Result<(), DatasetError> {
        // Standard input is not read here.
        let stdin = || Input::Stream("-".to_owned(), Box::new(std::io::empty()));
        let input = |path: &PathBuf| if is_dash(path) { stdin() } else { Input::path(path) };
        let paths: Vec<Input> = self.paths.iter().map(input).collect();
        Output::path(&self.path).check(&paths, self.force)?;
        reserve_output(Some(&self.path));
        Ok(())
    }

    /// Writes the manifest of a command with this report, if it wrote anything.
    pub fn write(&self, report: Value, lang: Lang) -> Result<(), Failure> {
        let (_, completed) = completed::so_far();
        let named = |file: &Value| file["name"].as_str().map(str::to_owned);
        let of = |member: &str| report[member].as_array().into_iter().flatten().filter_map(named);
        let written = named(&report["output"]).into_iter().chain(of("outputs")).chain(completed);
        let written = without_repetition(written);
        // A manifest of nothing would only stand in the way of the next try.
        if written.is_empty() {
            reserve_output(None);
            return Ok(());
        }
        let paths = self.paths.iter().filter(|path| path.is_file() && !is_dash(path));
        let paths = paths.map(|path| Name::from(path).to_string());
        let mut read = without_repetition(of("inputs").chain(paths));
        read.retain(|name| is_dash(name.as_ref()) || !written.contains(name));
        let content = Content {
            manifest: VERSION,
            program: concat!("komabako ", env!("CARGO_PKG_VERSION")).to_owned(),
            arguments: self.arguments.clone(),
            inputs: self.list(read, lang)?,
            outputs: self.list(written, lang)?,
            report,
        };
        let mut json = escape::json(serde_json::to_string_pretty(&content).unwrap_or_default());
        json.push('\n');
        reserve_output(None);
        let written = Output::path(&self.path).write(json.as_bytes(), self.force);
        written.map_err(|error| {
            // Only the whole job, of hours perhaps, would make it again.
            let help = format!("{}\n{}", lang.manifest_help(), json.trim_end());
            Failure::with_help(&error.after_check(), help, lang)
        })
    }

    /// The sizes and hashes of files. Only the command line has the path of one whose name is no Unicode.
    fn list(&self, names: Vec<String>, lang: Lang) -> Result<Vec<Listed>, Failure> {
        let given = self.paths.iter().chain(&self.collected).filter(|path| path.to_str().is_none());
        let given: Vec<(String, &Path)> = given.map(|path| (Name::from(path).to_string(), &**path)).collect();
        let mut files = Vec::with_capacity(names.len());
        for name in names {
            let known = given.iter().find(|(shown, _)| *shown == name);
            let path = known.map_or(Path::new(&name), |(_, path)| *path);
            // A file called `-` has the path `./-`.
            if is_dash(path) || !path.is_file() {
                files.push(Listed { name, bytes: None, sha256: None });
                continue;
            }
            let (bytes, sha256) = measured(path, lang)?;
            files.push(Listed { name, bytes: Some(bytes), sha256: Some(sha256) });
        }
        Ok(files)
    }
}

impl Content {
    /// Reads a manifest; `None` if it has another version, or is no manifest.
    pub fn read(bytes: &[u8]) -> Option<Content> {
        let content: Content = serde_json::from_slice(bytes).ok()?;
        (content.manifest == VERSION).then_some(content)
    }
}

fn without_repetition(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut seen = std::collections::HashSet::new();
    names.filter(|name| seen.insert(name.clone())).collect()
}

/// The size of a file and its hash in hexadecimal digits.
fn measured(path: &Path, lang: Lang) -> Result<(u64, String), Failure> {
    let failed = |error| DatasetError::Read { input: Name::from(path), offset: 0, error };
    let mut file = File::open(path).map_err(failed)?;
    let mut hasher = Sha256::new();
    let mut chunk = vec![0; 1 << 20];
    let mut bytes = 0;
    loop {
        if interrupt::requested() {
            let report = Report::plain(lang.say(&DatasetError::Cancelled));
            return Err(Failure::Interrupted(report.of_kind("interrupted")));
        }
        match file.read(&mut chunk) {
            Ok(0) => break,
            Ok(read) => {
                hasher.update(&chunk[..read]);
                bytes += read as u64;
            }
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(failed(error).into()),
        }
    }
    let digits = hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    Ok((bytes, digits))
}
