//! The chores of the workspace: `cargo xtask VERB`.
//!
//! One verb is one file with one public `run`. The chores know no crate of the workspace: they look at its
//! manifests, its files and its binaries from outside, so that they still run when a crate does not compile.

#![forbid(unsafe_code)]

mod failure;
mod vectors;
mod workspace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo xtask", about = "The chores of the workspace")]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Import published test vectors, or check that no published line changed
    #[command(subcommand)]
    Vectors(vectors::Verb),
}

fn main() -> ExitCode {
    let done = match Cli::parse().verb {
        Verb::Vectors(verb) => vectors::run(&verb),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            failure.exit_code()
        }
    }
}
