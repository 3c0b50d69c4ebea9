//! The program `komabako`.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    // Shells of Windows leave `*.psv` to the program.
    ExitCode::from(komabako::run(wild::args_os()))
}
