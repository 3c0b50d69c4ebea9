//! Measures, and writes records: `cargo xtask bench-VERB` runs it with `VERB`.
//!
//! A [`record::Record`] is a table of figures with the rounds in which they were measured; `programs` builds the programs to
//! measure and runs them in turn. A verb says which programs on which inputs. Only ratios within one record are meaningful:
//! absolute times vary with the machine and the hour.

#![forbid(unsafe_code)]

mod counts;
mod jobs;
mod printed;
mod programs;
mod record;

use clap::Parser;

#[derive(Parser)]
#[command(name = "record", about = "Measure, and write records to benches/record")]
enum Verb {
    /// Measure archives of records beside zstd and a peer: size, rate, access
    Archive(printed::Options),
    /// Count the instructions of every codec with callgrind; fail if any is 5 % above the baseline
    Check(counts::CheckOptions),
    /// Measure whole conversions, files to files, beside a peer
    Convert(jobs::ConvertOptions),
    /// Measure jobs on a file larger than their memory: rate, memory, disk; fail if one takes more than it announced
    Dataset(jobs::DatasetOptions),
    /// Measure how fast features of packed positions are computed
    Features(printed::Options),
    /// Count the instructions of whole jobs by crate, with callgrind
    Jobs(counts::JobsOptions),
    /// Measure how fast game records are read and converted, beside peers
    Kifu(printed::Options),
    /// Measure how fast batches for training are made, beside the kernels
    Loader(printed::LoaderOptions),
    /// Measure the codecs across builds, backends and peers
    Matrix(printed::MatrixOptions),
    /// Measure perft beside peers
    Perft(printed::Options),
    /// Measure the functions of the Python package, beside other wheels
    Python(printed::PythonOptions),
    /// Measure how fast mate problems are solved, beside peers
    Solve(printed::Options),
    /// Measure how fast the famous long mate problems are solved, beside peers
    SolveLong(printed::Options),
    /// Count the nodes that exact lengths of mates take
    SolveNodes(printed::Options),
    /// Measure the codecs in a module for browsers: needs Node and the target wasm32-unknown-unknown
    Wasm(printed::WasmOptions),
}

fn main() -> anyhow::Result<()> {
    match Verb::parse() {
        Verb::Archive(options) => printed::run(&printed::ARCHIVE, &options),
        Verb::Check(options) => counts::check(&options),
        Verb::Convert(options) => jobs::convert(&options),
        Verb::Dataset(options) => jobs::dataset(&options),
        Verb::Features(options) => printed::run(&printed::FEATURES, &options),
        Verb::Jobs(options) => counts::jobs(&options),
        Verb::Kifu(options) => printed::run(&printed::KIFU, &options),
        Verb::Loader(options) => printed::loader(&options),
        Verb::Matrix(options) => printed::matrix(&options),
        Verb::Perft(options) => printed::run(&printed::PERFT, &options),
        Verb::Python(options) => printed::python(&options),
        Verb::Solve(options) => printed::run(&printed::SOLVE, &options),
        Verb::SolveLong(options) => printed::run(&printed::SOLVE_LONG, &options),
        Verb::SolveNodes(options) => printed::run(&printed::SOLVE_NODES, &options),
        Verb::Wasm(options) => printed::wasm(&options),
    }
}
