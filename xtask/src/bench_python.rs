//! `cargo xtask bench-python`: the functions of the Python package beside other wheels, measured by
//! `bindings/python/benches/functions.py` on one processor with the wheel that ships, and beside the codec alone
//! (`benches/src/bin/unpack.rs`).

use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;

use crate::bench_matrix::{build, record};
use crate::failure::Failure;
use crate::python;
use crate::workspace::{MEASURED, measured_build, output};

/// The programs to measure, and the output.
#[derive(Args)]
pub struct Options {
    /// The number of rounds, in which all rows take turns
    #[arg(long, default_value_t = 7)]
    rounds: usize,
    /// One round and no record, to check that everything runs
    #[arg(long)]
    quick: bool,
    /// Install rsshogi and nshogi (MIT), and measure them
    #[arg(long)]
    peers: bool,
    /// Also measure the rows of this Python file, see `functions.py`. It is not kept, so it may use packages under the GPL
    #[arg(long, value_name = "PEER.py")]
    peer: Option<PathBuf>,
    /// The processor to measure on; the last one by default. The row of two threads is measured without a limit
    #[arg(long)]
    cpu: Option<usize>,
}

/// The first line of a record.
const HEADER: &str = "program,work,unit,figure";

/// The records that all rows process.
const RECORDS: &str = "data/sample.psv";

/// The option of `functions.py` for the row of two threads alone, which must not be pinned to one processor.
const TWO_THREADS: &str = "--threads";

/// Builds and installs the wheel of the profile `dist`, measures it, prints the rows, and writes the record.
pub fn run(root: &Path, options: &Options) -> Result<(), Failure> {
    let environment = python::environment(root);
    let peers: &[&str] = if options.peers { &["rsshogi", "nshogi"] } else { &[] };
    let python = python::install(&environment, peers)?
        .map_err(|reason| Failure::Faults(vec![format!("bench-python: {reason}")]))?;
    python::install_wheel(root, &environment, &python, "dist")?;
    output(&mut measured_build(root, "komabako-benches", "unpack"))?;
    let rounds = if options.quick { 1 } else { options.rounds }.to_string();
    let measure = |mut command: Command, more: &[&str]| {
        command.current_dir(root).arg("bindings/python/benches/functions.py").arg(RECORDS);
        command.arg(&rounds).args(more);
        let lines = output(command.args(options.peer.as_deref().filter(|_| more.is_empty())))?;
        checked(&command, lines)
    };
    let cpu = options.cpu.unwrap_or_else(build::last_cpu);
    let mut unpack = build::pinned(cpu, &root.join("target").join(MEASURED).join("unpack"));
    let lines = output(unpack.current_dir(root).args([RECORDS, &rounds]))?;
    let codec = checked(&unpack, lines)?;
    let functions = measure(build::pinned(cpu, &python), &[])?;
    let rows = codec + &functions + &measure(Command::new(&python), &[TWO_THREADS])?;
    let csv = format!("{HEADER}\n{rows}");
    print!("{csv}");
    if !options.quick {
        for path in record::write(root, "-python", record::MEDIANS, &csv)? {
            eprintln!("bench-python: wrote {}", path.display());
        }
    }
    Ok(())
}

/// The lines of a program, if all of them are rows.
fn checked(command: &Command, lines: String) -> Result<String, Failure> {
    match lines.lines().find(|line| !is_row(line)) {
        Some(line) => Err(Failure::program(command, &format!("this is not a row of bench-python: {line}"))),
        None => Ok(lines),
    }
}

/// Whether a line has the columns of a record: three texts and a figure above 0.
fn is_row(line: &str) -> bool {
    let cells: Vec<&str> = line.split(',').collect();
    let [program, work, unit, figure] = cells[..] else {
        return false;
    };
    let figure = figure.parse().unwrap_or(0.0);
    ![program, work, unit].contains(&"") && f64::is_finite(figure) && figure > 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_three_texts_and_a_figure() {
        assert!(is_row("komabako,dlshogi bits by two threads,times as fast,1.85"));
        for line in [
            "",
            "komabako,board,ns",
            "komabako,board,ns,-1",
            "komabako,board,ns,NaN",
            ",board,ns,7",
            "a,b,c,7,8",
        ] {
            assert!(!is_row(line), "{line}");
        }
    }

    #[test]
    fn every_line_of_a_program_is_a_row() {
        let command = Command::new("python");
        assert_eq!(checked(&command, "a,b,c,1\na,d,c,2\n".to_owned()).expect("rows"), "a,b,c,1\na,d,c,2\n");
        assert!(checked(&command, "a,b,c,1\nTraceback\n".to_owned()).is_err());
    }
}
