//! A record: the rows of one run, and the machine they were measured on.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Serialize;

use crate::failure::Failure;
use crate::workspace::{host, output};

const HEADER: &str = "build,backend,corpus,program,format,operation,nanoseconds,rounds";
/// The header of older records, without rounds.
const HEADER_WITHOUT_ROUNDS: &str = "build,backend,corpus,program,format,operation,nanoseconds";

/// One measured operation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// The program's name: `komabako`, or a peer's.
    pub program: String,
    /// The format's name.
    pub format: String,
    /// The operation that was timed.
    pub operation: String,
    /// Nanoseconds per position.
    pub nanoseconds: f64,
}

impl Row {
    /// Reads `program,format,operation,nanoseconds`.
    pub fn parse_measured(line: &str) -> Option<Row> {
        let [program, format, operation, nanoseconds] =
            line.split(',').collect::<Vec<_>>().try_into().ok()?;
        Some(Row {
            program: program.to_owned(),
            format: format.to_owned(),
            operation: operation.to_owned(),
            nanoseconds: nanoseconds.parse().ok().filter(|time: &f64| time.is_finite() && *time > 0.0)?,
        })
    }
}

/// A row and where it was measured, with the times of all rounds.
#[derive(Clone, Debug, Serialize)]
pub struct Entry {
    /// The flags of the build, or `peer`.
    pub build: String,
    /// The requested backend, `detected`, or `-` for a peer.
    pub backend: String,
    /// The corpus.
    pub corpus: String,
    /// The median row.
    #[serde(flatten)]
    pub row: Row,
    /// Its nanoseconds in each round, in the order of the rounds.
    pub rounds: Vec<f64>,
}

/// The median of some figures, at least one.
pub fn median(figures: &[f64]) -> f64 {
    let mut sorted = figures.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

impl Entry {
    /// Whether both measure the same thing.
    pub fn is_same(&self, other: &Entry) -> bool {
        self.key() == other.key()
    }

    /// The ratio of its time to another's: the median of the ratios of the rounds, since within a round the machine was in the same
    /// state. Without rounds, the ratio of the medians.
    pub fn ratio_to(&self, other: &Entry) -> f64 {
        if self.rounds.len() != other.rounds.len() {
            return self.row.nanoseconds / other.row.nanoseconds;
        }
        let ratios = self.rounds.iter().zip(&other.rounds).map(|(ours, theirs)| ours / theirs);
        median(&ratios.collect::<Vec<_>>())
    }

    fn key(&self) -> [&str; 6] {
        let Row { program, format, operation, .. } = &self.row;
        [&self.build, &self.backend, &self.corpus, program, format, operation]
    }
}

/// All rows of one run.
#[derive(Debug, Default)]
pub struct Record {
    /// The rows, in the order in which they were first measured.
    pub entries: Vec<Entry>,
}

impl Record {
    /// Adds a row of one round. The figure of a row is the median of its rounds.
    pub fn add(&mut self, build: &str, backend: &str, corpus: &str, row: Row) {
        let time = row.nanoseconds;
        let [build, backend, corpus] = [build, backend, corpus].map(str::to_owned);
        let entry = Entry { build, backend, corpus, row, rounds: Vec::new() };
        let index = self.entries.iter().position(|old| old.is_same(&entry)).unwrap_or_else(|| {
            self.entries.push(entry);
            self.entries.len() - 1
        });
        let entry = &mut self.entries[index];
        entry.rounds.push(time);
        entry.row.nanoseconds = median(&entry.rounds);
    }

    /// The rows as one JSON array.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(&self.entries).expect("rows are plain data")
    }

    /// The rows, with their rounds.
    pub fn to_csv(&self) -> String {
        let mut csv = format!("{HEADER}\n");
        for entry in &self.entries {
            let rounds: Vec<String> = entry.rounds.iter().map(|time| format!("{time:.2}")).collect();
            let (key, rounds) = (entry.key().join(","), rounds.join(" "));
            writeln!(csv, "{key},{:.2},{rounds}", entry.row.nanoseconds).expect("text takes text");
        }
        csv
    }

    fn from_csv(csv: &str) -> Option<Record> {
        let (header, rows) = csv.split_once('\n')?;
        let has_rounds = header == HEADER;
        if !has_rounds && header != HEADER_WITHOUT_ROUNDS {
            return None;
        }
        let mut record = Record::default();
        for line in rows.lines() {
            let (line, rounds) = if has_rounds { line.rsplit_once(',')? } else { (line, "") };
            let [build, backend, corpus, measured] =
                line.splitn(4, ',').collect::<Vec<_>>().try_into().ok()?;
            record.add(build, backend, corpus, Row::parse_measured(measured)?);
            if has_rounds {
                let times = rounds.split(' ').map(str::parse).collect::<Result<Vec<f64>, _>>().ok()?;
                record.entries.last_mut()?.rounds = times;
            }
        }
        Some(record)
    }

    /// Reads a record that `write` wrote.
    pub fn read(path: &Path) -> Result<Record, Failure> {
        let csv = std::fs::read_to_string(path).map_err(Failure::io(path))?;
        Self::from_csv(&csv).ok_or_else(|| {
            Failure::Faults(vec![format!(
                "{} is not a record: its first line is not `{HEADER}`, or a row is broken",
                path.display()
            )])
        })
    }

    /// Writes the rows to a record.
    pub fn write(&self, root: &Path) -> Result<[PathBuf; 2], Failure> {
        write(root, "", MEDIANS, &self.to_csv())
    }
}

/// The explanation of rows in records with several rounds.
pub const MEDIANS: &str = "Every row is a median of runs in which all programs ran in turn.";

/// Writes `benches/record/<target>/<date>-<commit><suffix>.{csv,txt}`: the rows, and the explanation of rows with the machine.
pub fn write(root: &Path, suffix: &str, rows_are: &str, csv: &str) -> Result<[PathBuf; 2], Failure> {
    let ask = |program: &str, arguments: &[&str]| {
        output(Command::new(program).current_dir(root).args(arguments)).map(|answer| answer.trim().to_owned())
    };
    let rustc = ask("rustc", &["-vV"])?;
    let commit = ask("git", &["describe", "--always", "--dirty"])?;
    let date = ask("date", &["-u", "+%Y-%m-%d"])?;
    let directory = root.join("benches/record").join(host()?);
    std::fs::create_dir_all(&directory).map_err(Failure::io(&directory))?;
    let machine = format!(
        "date: {date}\ncommit: {commit}\n{}\n{rustc}\n\n{rows_are}\nOnly ratios within this record mean anything.\n",
        cpu()
    );
    let paths = ["csv", "txt"].map(|ending| directory.join(format!("{date}-{commit}{suffix}.{ending}")));
    for (path, text) in paths.iter().zip([csv, &machine]) {
        std::fs::write(path, text).map_err(Failure::io(path))?;
    }
    Ok(paths)
}

/// A description of the processor, as far as the system reports it.
fn cpu() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let mut text = format!("cores: {cores}");
    for key in ["vendor_id", "cpu family", "model", "model name", "stepping", "cache size", "flags"] {
        let value = info.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            (name.trim() == key).then_some(value.trim())
        });
        if let Some(value) = value {
            write!(text, "\n{key}: {value}").expect("text takes text");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_is_the_median_of_its_rounds() {
        let mut record = Record::default();
        for time in ["9.0", "7.0", "100.0"] {
            let row = Row::parse_measured(&format!("komabako,psv,pack,{time}")).expect("a row");
            record.add("none", "detected", "corpus.sfen", row);
        }
        assert_eq!(record.entries.len(), 1);
        assert_eq!(record.entries[0].row.nanoseconds, 9.0);
    }

    #[test]
    fn record_round_trips_through_csv() {
        let mut record = Record::default();
        for time in ["28.25", "30.00", "26.00"] {
            let row = Row::parse_measured(&format!("komabako,psv,pack batch,{time}")).expect("a row");
            record.add("+bmi2", "bmi2", "five.sfen", row);
        }
        let read = Record::from_csv(&record.to_csv()).expect("its own form");
        assert_eq!(read.entries[0].row, record.entries[0].row);
        assert_eq!(read.entries[0].rounds, [28.25, 30.0, 26.0]);
        assert!(read.entries[0].is_same(&record.entries[0]));
    }

    #[test]
    fn a_ratio_is_the_median_of_the_ratios_of_the_rounds() {
        let mut record = Record::default();
        for (pack, unpack) in [("10", "20"), ("100", "210"), ("12", "12")] {
            for (operation, time) in [("pack", pack), ("unpack", unpack)] {
                let row = Row::parse_measured(&format!("komabako,psv,{operation},{time}")).expect("a row");
                record.add("none", "detected", "corpus.sfen", row);
            }
        }
        let [pack, unpack] = &record.entries[..] else { panic!("two rows") };
        assert_eq!(unpack.ratio_to(pack), 2.0);
        let lost = format!("{HEADER_WITHOUT_ROUNDS}\nnone,detected,corpus.sfen,komabako,psv,pack,10.0\n");
        let lost = Record::from_csv(&lost).expect("an earlier record");
        assert_eq!(unpack.ratio_to(&lost.entries[0]), 2.0);
    }

    #[test]
    fn broken_rows_are_refused() {
        for line in ["", "komabako,psv,pack", "komabako,psv,pack,fast", "komabako,psv,pack,-1", "a,b,c,1,2"] {
            assert_eq!(Row::parse_measured(line), None, "{line}");
        }
        assert!(Record::from_csv("no header\n").is_none());
        assert!(Record::from_csv(&format!("{HEADER}\nnone,soft,five.sfen\n")).is_none());
    }
}
