//! [`Record`]: a table of figures with the rounds in which they were measured, as CSV and as Markdown.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::programs::{output, root};

/// A measured quantity.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The cells before the figure, as the record's header names them.
    pub key: Vec<String>,
    /// The figure of each round.
    pub rounds: Vec<f64>,
}

impl Row {
    /// The figure: the median of its rounds.
    pub fn figure(&self) -> f64 {
        median(&self.rounds)
    }

    /// The ratio of its figure to another's: the median of the ratios of the rounds, since within a round the machine was in
    /// the same state. Without the same rounds, the ratio of the medians.
    pub fn ratio_to(&self, other: &Row) -> f64 {
        if self.rounds.len() != other.rounds.len() {
            return self.figure() / other.figure();
        }
        let ratios: Vec<f64> = self.rounds.iter().zip(&other.rounds).map(|(it, other)| it / other).collect();
        median(&ratios)
    }
}

/// The median of at least one figure; the upper one of two.
fn median(figures: &[f64]) -> f64 {
    let mut sorted = figures.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

/// The rows of one run.
#[derive(Debug)]
pub struct Record {
    /// The names of the cells, the figure's last.
    header: &'static str,
    /// The rows, in the order in which they were first measured.
    pub rows: Vec<Row>,
}

/// How a record is printed: a table for each different `group`, a row for each `row` and a column for each `column`, all of
/// which are numbers of cells. In brackets is the ratio of the row that begins with `baseline` to the row of the cell.
pub struct Layout {
    /// The cells that name a table.
    pub group: &'static [usize],
    /// The cells that name a row.
    pub row: &'static [usize],
    /// The cells that name a column.
    pub column: &'static [usize],
    /// The cells `row` of the row to compare with.
    pub baseline: &'static [&'static str],
}

impl Record {
    /// A record without rows. `header` has the names of the cells and of the figure.
    pub fn new(header: &'static str) -> Self {
        Record { header, rows: Vec::new() }
    }

    /// Adds the figure of one round.
    pub fn add(&mut self, key: &[&str], figure: f64) {
        match self.rows.iter_mut().find(|row| row.key == key) {
            Some(row) => row.rounds.push(figure),
            None => {
                let key = key.iter().map(|&cell| cell.to_owned()).collect();
                self.rows.push(Row { key, rounds: vec![figure] });
            }
        }
    }

    /// Adds a line that a program printed: cells and a figure above 0, after the cells in `prefix`. `name` replaces the first
    /// cell of the line.
    pub fn add_line(&mut self, prefix: &[&str], name: Option<&str>, line: &str) -> Result<()> {
        let (cells, figure) = line.rsplit_once(',').with_context(|| format!("not a row: {line}"))?;
        let figure: f64 = figure.parse().with_context(|| format!("no figure: {line}"))?;
        ensure!(figure.is_finite() && figure > 0.0, "no figure above 0: {line}");
        let mut key = prefix.to_vec();
        key.extend(cells.split(','));
        if let Some(name) = name {
            key[prefix.len()] = name;
        }
        let cells = self.header.split(',').count() - 1;
        ensure!(
            key.len() == cells && !key.contains(&""),
            "{cells} cells are expected, {}: {line}",
            self.header
        );
        self.add(&key, figure);
        Ok(())
    }

    /// The rows as CSV, with the figures of their rounds.
    pub fn to_csv(&self) -> String {
        let mut csv = format!("{},rounds\n", self.header);
        for row in &self.rows {
            let rounds: Vec<String> = row.rounds.iter().map(|figure| format!("{figure:.2}")).collect();
            _ = writeln!(csv, "{},{:.2},{}", row.key.join(","), row.figure(), rounds.join(" "));
        }
        csv
    }

    /// Reads a record with this header; early ones have no rounds.
    pub fn read(header: &'static str, path: &Path) -> Result<Record> {
        let csv = fs::read_to_string(path).with_context(|| path.display().to_string())?;
        let mut record = Record::new(header);
        let mut lines = csv.lines();
        let first = lines.next().unwrap_or_default();
        let has_rounds = first.strip_suffix(",rounds") == Some(header);
        if !has_rounds && first != header {
            bail!("{}: its first line is not `{header}`", path.display());
        }
        for line in lines {
            if !has_rounds {
                record.add_line(&[], None, line)?;
                continue;
            }
            let (line, rounds) = line.rsplit_once(',').with_context(|| format!("not a row: {line}"))?;
            record.add_line(&[], None, line)?;
            if let Some(row) = record.rows.last_mut() {
                row.rounds = rounds.split(' ').map(str::parse).collect::<Result<_, _>>()?;
            }
        }
        Ok(record)
    }

    /// The rows as one JSON array.
    pub fn to_json(&self) -> String {
        let names: Vec<&str> = self.header.split(',').collect();
        let rows = self.rows.iter().map(|row| {
            let mut object = serde_json::Map::new();
            for (name, cell) in names.iter().zip(&row.key) {
                object.insert((*name).to_owned(), cell.as_str().into());
            }
            object.insert(names[names.len() - 1].to_owned(), row.figure().into());
            object.insert("rounds".to_owned(), row.rounds.clone().into());
            serde_json::Value::Object(object)
        });
        format!("{:#}", serde_json::Value::Array(rows.collect()))
    }

    /// The rows as tables.
    pub fn to_markdown(&self, layout: &Layout) -> String {
        let mut text = String::new();
        let cells =
            |row: &Row, cells: &[usize]| cells.iter().map(|&cell| row.key[cell].clone()).collect::<Vec<_>>();
        for group in self.distinct(|row| cells(row, layout.group)) {
            let rows: Vec<&Row> = self.rows.iter().filter(|row| cells(row, layout.group) == group).collect();
            let here = |row: &&Row| cells(row, layout.group) == group;
            let columns =
                self.distinct(|row| if here(&row) { cells(row, layout.column) } else { Vec::new() });
            let columns: Vec<_> = columns.into_iter().filter(|column| !column.is_empty()).collect();
            let find = |row: &[String], column: &[String]| {
                rows.iter().find(|it| cells(it, layout.row) == row && cells(it, layout.column) == column)
            };
            let heads: Vec<String> = columns.iter().map(|column| column.join(" ")).collect();
            _ = writeln!(text, "\n| {} | {} |", group.join(", "), heads.join(" | "));
            _ = writeln!(text, "|---|{}", "---|".repeat(columns.len()));
            let baseline: Vec<String> = layout.baseline.iter().map(|&cell| cell.to_owned()).collect();
            for name in self.distinct(|row| if here(&row) { cells(row, layout.row) } else { Vec::new() }) {
                if name.is_empty() {
                    continue;
                }
                let figures =
                    columns.iter().map(|column| match (find(&name, column), find(&baseline, column)) {
                        (Some(it), Some(base)) if name != baseline => {
                            format!("{} ({:.2}×)", short(it.figure()), base.ratio_to(it))
                        }
                        (Some(it), _) => short(it.figure()),
                        (None, _) => "–".to_owned(),
                    });
                _ = writeln!(text, "| {} | {} |", name.join(" "), figures.collect::<Vec<_>>().join(" | "));
            }
        }
        text
    }

    /// Each row beside the same row of an earlier record, with the ratio.
    pub fn compare(&self, earlier: &Record) -> String {
        let names = self.header.split(',').count() - 1;
        let cells = self.header.replace(',', " | ");
        let mut text = format!("\n| {cells} | earlier | now / earlier |\n|{}\n", "---|".repeat(names + 3));
        for row in &self.rows {
            if let Some(old) = earlier.rows.iter().find(|old| old.key == row.key) {
                let now = row.figure();
                let before = old.figure();
                _ = writeln!(
                    text,
                    "| {} | {now:.1} | {before:.1} | {:.2} |",
                    row.key.join(" | "),
                    now / before
                );
            }
        }
        text
    }

    /// Writes `benches/record/<target>/<date>-<commit><suffix>.{csv,txt}`: the rows, and a note with the machine and the profile of
    /// our programs.
    pub fn write(&self, suffix: &str, profile: &str, note: &str) -> Result<()> {
        let ask = |program: &str, arguments: &[&str]| {
            output(Command::new(program).current_dir(root()).args(arguments))
                .map(|said| said.trim().to_owned())
        };
        let rustc = ask("rustc", &["-vV"])?;
        let commit = ask("git", &["describe", "--always", "--dirty"])?;
        let date = ask("date", &["-u", "+%Y-%m-%d"])?;
        let host =
            rustc.lines().find_map(|line| line.strip_prefix("host: ")).context("rustc names its host")?;
        let directory = root().join("benches/record").join(host);
        fs::create_dir_all(&directory)?;
        let machine = format!(
            "date: {date}\ncommit: {commit}\nprofile: {profile}\n{}\n{rustc}\n\nEvery row is a median of runs in which all programs ran in turn.\n{note}\
             Only ratios within this record mean anything.\n",
            cpu()
        );
        for (ending, text) in [("csv", &self.to_csv()), ("txt", &machine)] {
            let path = directory.join(format!("{date}-{commit}{suffix}.{ending}"));
            fs::write(&path, text).with_context(|| path.display().to_string())?;
            eprintln!("wrote {}", path.display());
        }
        Ok(())
    }

    /// The distinct names that the rows have, in the order of the rows.
    fn distinct(&self, name: impl Fn(&Row) -> Vec<String>) -> Vec<Vec<String>> {
        let mut names = Vec::new();
        for row in &self.rows {
            let name = name(row);
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }
}

/// A figure with about three digits.
fn short(figure: f64) -> String {
    if figure < 100.0 { format!("{figure:.1}") } else { format!("{figure:.0}") }
}

/// A description of the processor, as far as the system reports it.
fn cpu() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let mut text = format!("cores: {cores}");
    for key in ["vendor_id", "cpu family", "model", "model name", "stepping", "cache size", "flags"] {
        let value = info.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            (name.trim() == key).then_some(value.trim())
        });
        if let Some(value) = value {
            _ = write!(text, "\n{key}: {value}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "program,work,figure";
    const LAYOUT: Layout = Layout { group: &[1], row: &[0], column: &[1], baseline: &["komabako"] };

    fn record(lines: &[&str]) -> Record {
        let mut record = Record::new(HEADER);
        for line in lines {
            record.add_line(&[], None, line).expect("a row");
        }
        record
    }

    #[test]
    fn tables_have_medians_and_ratios_of_rounds() {
        let lines = [
            "komabako,list,40",
            "peer,list,10",
            "komabako,list,80",
            "peer,list,20",
            "komabako,list,9",
            "peer,list,9",
        ];
        let table = record(&lines).to_markdown(&LAYOUT);
        assert_eq!(table, "\n| list | list |\n|---|---|\n| komabako | 40.0 |\n| peer | 10.0 (4.00×) |\n");
    }

    #[test]
    fn records_round_trip_and_are_compared() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("record.csv");
        let now = record(&["komabako,list,93.5", "komabako,list,95.5", "komabako,list,2"]);
        fs::write(&path, now.to_csv()).expect("a file");
        let read = Record::read(HEADER, &path).expect("its own form");
        assert_eq!(read.rows, now.rows);
        assert!(Record::read("program,figure", &path).is_err());
        fs::write(&path, format!("{HEADER}\nkomabako,list,187.0\n")).expect("a file");
        let earlier = Record::read(HEADER, &path).expect("an early record");
        assert!(now.compare(&earlier).ends_with("| komabako | list | 93.5 | 187.0 | 0.50 |\n"));
    }

    #[test]
    fn broken_rows_are_refused() {
        let mut record = record(&[]);
        for line in [
            "",
            "komabako,list",
            "komabako,list,fast",
            "komabako,list,-1",
            "komabako,,1",
            "a,b,c,1",
            "a,b,NaN",
        ] {
            assert!(record.add_line(&[], None, line).is_err(), "{line}");
        }
        record.add_line(&["komabako"], None, "list,1").expect("the prefix counts");
        record.add_line(&[], Some("native"), "peer,list,1").expect("a renamed peer");
        assert_eq!(record.rows[1].key, ["native", "list"]);
    }
}
