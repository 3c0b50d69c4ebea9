//! Runs the program inside another one, as the Python package does: `cargo run -p komabako --example embed -- FILE…`
//! validates files and returns the program's exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    // The first argument is the program's name, as messages show it.
    let arguments = ["komabako".into(), "validate".into()].into_iter().chain(std::env::args_os().skip(1));
    ExitCode::from(komabako::run(arguments))
}
