//! The decoders of `docs/decode`, which the page shows, read ten positions of every format as our codecs do. They are compiled
//! and run as their readers would; a language whose compiler is missing is skipped, which the test prints.

use std::path::{Path, PathBuf};
use std::process::Command;

use komabako_board::Setup;
use komabako_testkit::vectors;
use komabako_variants::WordFormat;

/// The name of the decoder of a format in `docs/decode`.
const fn decoder(format: WordFormat) -> &'static str {
    match format {
        WordFormat::PackedSfen | WordFormat::Hcp | WordFormat::Nshogi => "huffman",
        WordFormat::C250 => "c250",
        WordFormat::R238 => "r238",
        _ => "sspf",
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/decode")
}

/// Ten published positions that the format holds, spread over all of them.
fn positions(format: WordFormat) -> Vec<Setup> {
    let published = vectors::in_all_formats()
        .chain(vectors::named().map(|(_, row)| row))
        .chain(vectors::handicap())
        .chain(vectors::base());
    let held: Vec<Setup> =
        published.map(|row| row.setup).filter(|setup| format.pack(setup).is_ok()).collect();
    held.iter().step_by(held.len() / 10).take(10).copied().collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Decodes the positions of every format by the command that a decoder's name gives.
fn check(command: impl Fn(&str) -> Command) {
    for &format in WordFormat::ALL {
        let positions = positions(format);
        assert_eq!(positions.len(), 10);
        let words = positions.iter().map(|setup| hex(&format.pack(setup).expect("a word")[..format.size()]));
        let mut decode = command(decoder(format));
        let output = decode.arg(format.name()).args(words).output().expect("the decoder runs");
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{format:?}: {}", String::from_utf8_lossy(&output.stderr));
        let expected: Vec<String> = positions.iter().map(Setup::to_string).collect();
        assert_eq!(said.lines().collect::<Vec<_>>(), expected, "{format:?}");
    }
}

/// Compiles the decoders with a compiler that exists, by its options, and checks them.
fn check_compiled(compiler: &str, options: &[&str], extension: &str) {
    if Command::new(compiler).arg("--version").output().is_err() {
        eprintln!("skipped: no {compiler}");
        return;
    }
    let place = tempfile::tempdir().expect("a directory");
    for name in ["huffman", "sspf", "c250", "r238"] {
        let mut command = Command::new(compiler);
        command.args(options).arg("-o").arg(place.path().join(name));
        let output = command.arg(folder().join(name).with_extension(extension)).output().expect("a compiler");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && said.is_empty(), "{name}: {said}");
    }
    check(|name| Command::new(place.path().join(name)));
}

#[test]
fn decoders_in_rust_read_every_format() {
    check_compiled("rustc", &["--edition", "2024", "-D", "warnings"], "rs");
}

#[test]
fn decoders_in_cpp_read_every_format() {
    check_compiled("c++", &["-std=c++17", "-Wall", "-Wextra"], "cpp");
}

#[test]
fn decoders_in_python_read_every_format() {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("skipped: no python3");
        return;
    }
    check(|name| {
        let mut python = Command::new("python3");
        python.arg("-B").arg(folder().join(name).with_extension("py"));
        python
    });
}
