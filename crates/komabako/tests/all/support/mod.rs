//! Runs the built program and checks its results.

pub mod schema;

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// The result of a run of the program.
pub struct Ran {
    /// The exit code.
    pub code: i32,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl Ran {
    /// Standard output of a run that must have gone well and silently.
    #[track_caller]
    pub fn ok(self) -> String {
        assert_eq!((self.code, self.stderr.as_str()), (0, ""), "standard output: {}", self.stdout);
        self.stdout
    }

    /// The report of a run with `--json`, however it ended. It must match the schema.
    #[track_caller]
    pub fn report(&self) -> serde_json::Value {
        // Reports are on the stream without records, and precede the text for people.
        let text = if self.stdout.starts_with("{\n") { &self.stdout } else { &self.stderr };
        let report = serde_json::Deserializer::from_str(text).into_iter().next();
        let report = report.expect("a report").expect(text);
        let violations = schema::violations(&report);
        assert!(violations.is_empty(), "{violations:#?} in {text}");
        report
    }

    /// The kind of the error that a run with `--json` reports.
    #[track_caller]
    pub fn error_kind(&self, code: i32) -> String {
        assert_eq!(self.code, code, "standard error: {}", self.stderr);
        self.report()["error"]["kind"].as_str().expect("an error").to_owned()
    }

    /// Checks exit code and error kind of a run with `--json`, and that standard error contains each of these names: files,
    /// options, commands, which are the same in every wording.
    #[track_caller]
    pub fn refused(&self, code: i32, kind: &str, names: &[&str]) {
        assert_eq!(self.error_kind(code), kind, "{}", self.stderr);
        self.fails(code, names);
    }

    /// Checks the exit code and that standard error contains each of the texts.
    #[track_caller]
    pub fn fails(&self, code: i32, texts: &[&str]) {
        assert_eq!(self.code, code, "standard error: {}", self.stderr);
        for text in texts {
            assert!(self.stderr.contains(text), "no {text:?} in: {}", self.stderr);
        }
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Ran {
        Ran {
            code: output.status.code().expect("the program was not killed"),
            stdout: String::from_utf8(output.stdout).expect("standard output is UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("standard error is UTF-8"),
        }
    }
}

/// A temporary directory for one test.
pub struct Place(TempDir);

impl Place {
    /// An empty one.
    pub fn new() -> Self {
        Place(tempfile::tempdir().unwrap())
    }

    /// A path in it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// A file in it.
    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, content).unwrap();
        path
    }

    /// The names of the directory's entries.
    pub fn names(&self) -> Vec<String> {
        names(self.0.path())
    }
}

/// The names of a directory's entries.
pub fn names(directory: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(directory).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// The program with a fixed environment.
pub fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_komabako"));
    for variable in ["LC_MESSAGES", "LANG", "NO_COLOR", "CLICOLOR_FORCE", "KOMABAKO_BACKEND"] {
        command.env_remove(variable);
    }
    command.env("LC_ALL", "C");
    command
}

/// Runs the program without input.
pub fn run<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Ran {
    program().args(arguments).stdin(Stdio::null()).output().expect("the program starts").into()
}

/// Runs the program on an input.
pub fn run_on<S: AsRef<OsStr>>(input: impl AsRef<[u8]>, arguments: impl IntoIterator<Item = S>) -> Ran {
    feed(program().args(arguments), input.as_ref()).into()
}

/// Runs a command on an input and returns what it wrote.
pub fn feed(command: &mut Command, input: &[u8]) -> Output {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("piped");
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        // A program that stops early closes its input, which is not an error of the test.
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("the writer ends");
    output
}

/// The engine of `examples/scripted_engine.rs`. `cargo test` builds it, unless one of its targets is named.
///
/// # Panics
/// If it was not built.
pub fn scripted_engine() -> PathBuf {
    let mut path = PathBuf::from(env!("CARGO_BIN_EXE_komabako"));
    path.pop();
    let path = path.join("examples").join(format!("scripted_engine{}", std::env::consts::EXE_SUFFIX));
    assert!(path.exists(), "run `cargo build -p komabako --examples` first");
    path
}

/// A file of the sample data.
pub fn sample(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../data").join(name)
}
