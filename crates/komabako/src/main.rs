//! The program `komabako`.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(komabako::run(std::env::args_os()))
}
