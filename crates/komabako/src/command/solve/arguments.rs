//! [`Solve`]: the arguments of `komabako solve`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueEnum};
use komabako::dataset::{Compression, FileFormat, OnBadRecord, Output};
use komabako::tsume::{Convention, Goal, Hands, Root, Rules};

use super::destination::{self, Destination, Form};
use crate::command::named::{file_format, named};
use crate::command::{on_bad_record, size};
use crate::message::{NodeLimits, Wanted};

#[derive(Args)]
pub struct Solve {
    #[arg(value_name = "SFEN|FILE")]
    pub inputs: Vec<String>,
    #[arg(long, value_name = "FORMAT", value_parser = file_format())]
    pub from: Option<FileFormat>,
    #[arg(long, conflicts_with_all = ["mate_in", "all", "check"])]
    pub any: bool,
    #[arg(long, value_name = "N", conflicts_with_all = ["all", "check"])]
    pub mate_in: Option<u16>,
    #[arg(long, conflicts_with = "check")]
    pub all: bool,
    #[arg(long)]
    pub check: bool,
    #[arg(long, requires = "check")]
    pub needless: bool,
    #[arg(long, value_name = "WHICH", default_value = "tsume")]
    pub convention: ConventionArg,
    #[arg(long, value_name = "WHICH", default_value = "main")]
    pub line: LineArg,
    #[arg(long, value_name = "WHICH", default_value = "auto", value_parser = named([
        ("auto", Hands::Auto),
        ("complement", Hands::Complement),
        ("as-given", Hands::AsGiven),
    ]))]
    hands: Hands,
    #[arg(long, value_name = "SIDE", default_value = "attack", value_parser = named([
        ("attack", Root::Attack),
        ("defend", Root::Defend),
    ]))]
    root: Root,
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    #[arg(long, value_name = "TIME", value_parser = duration)]
    time: Option<Duration>,
    #[arg(long, value_name = "PLIES")]
    pub depth: Option<u16>,
    #[arg(long, value_name = "SIZE", default_value = "256M", value_parser = size::parse)]
    pub memory: u64,
    #[arg(long, value_name = "T", default_value_t = 1)]
    pub threads: usize,
    #[arg(long, value_name = "WHAT", value_parser = on_bad_record::parse)]
    pub on_error: Option<OnBadRecord>,
    #[arg(long, value_name = "FILE")]
    pub skip_solved: Option<PathBuf>,
    #[arg(long, requires = "skip_solved")]
    pub skip_unknown: bool,
    #[arg(long, value_name = "DEPTH", default_value_t = 0, value_parser = clap::value_parser!(u8).range(..=20))]
    pub variations: u8,
    #[arg(long, short, value_name = "FORM|FILE", default_value = "text", value_parser = destination::parse)]
    pub output: Destination,
    #[arg(long, value_name = "FILE", value_parser = certificate_file)]
    pub certificate: Option<PathBuf>,
    #[arg(long, conflicts_with = "json")]
    pub split: bool,
    #[arg(long, short)]
    pub force: bool,
    #[arg(long, conflicts_with = "output")]
    pub json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ConventionArg {
    Tsume,
    Strict,
    Both,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LineArg {
    Main,
    Author,
}

/// The default time limit of a problem, if there are several.
const BATCH_TIME: Duration = Duration::from_secs(10);

/// The default node limit of each search of `--check`: there are many checks beside the main line, and one that leads nowhere
/// could take for ever.
const CHECK_NODES: u64 = 200_000;

/// The node limit of all searches of `--check` together, as a multiple of the limit of one search: a long problem has hundreds
/// of checks beside its main line.
const REPORT_SEARCHES: u64 = 5;

impl Solve {
    /// The files among the inputs.
    pub fn input_files(&self) -> Vec<PathBuf> {
        self.inputs.iter().filter(|input| Path::new(input).is_file()).map(PathBuf::from).collect()
    }

    /// Whether what is not a problem ends the job. By default a bad record does not: it may be one of very many, and the file
    /// is not read before problems are solved.
    pub fn stops_at(&self, is_record: bool) -> bool {
        match &self.on_error {
            None => !is_record,
            Some(policy) => *policy == OnBadRecord::Stop,
        }
    }

    pub fn rules(&self) -> Rules {
        Rules { hands: self.hands, root: self.root }
    }

    pub fn convention(&self) -> Convention {
        match self.convention {
            ConventionArg::Strict => Convention::Strict,
            ConventionArg::Tsume | ConventionArg::Both => Convention::Tsume,
        }
    }

    /// Whether rows have the length of the author's line and that by the strict convention.
    pub fn has_all_lengths(&self) -> bool {
        self.output.form == Form::Tsv && !self.any
    }

    pub fn goal(&self) -> Goal {
        match self.mate_in {
            _ if self.any => Goal::Any,
            Some(plies) => Goal::Within(plies, self.convention()),
            None => Goal::Shortest(self.convention()),
        }
    }

    /// The node limit of a problem's searches together, and of each search of `--check`.
    pub fn nodes(&self) -> Option<u64> {
        self.nodes.or(self.check.then_some(CHECK_NODES))
    }

    /// The node limit of a whole report of `--check`.
    pub fn report_nodes(&self) -> Option<u64> {
        if self.check { self.nodes().map(|nodes| nodes.saturating_mul(REPORT_SEARCHES)) } else { None }
    }

    pub fn node_limits(&self) -> NodeLimits {
        NodeLimits { search: self.nodes(), report: self.report_nodes() }
    }

    /// The time limit of a problem; `several`: the input has others.
    pub fn time(&self, several: bool) -> Option<Duration> {
        self.time.or(several.then_some(BATCH_TIME))
    }
}

/// `10s`, `500ms`, `2m`, or seconds.
fn duration(text: &str) -> Result<Duration, Wanted> {
    let wanted = || Wanted::like("10s, 500ms, 2m");
    let (number, unit) = text.split_at(text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len()));
    let number: f64 = number.parse().map_err(|_| wanted())?;
    let seconds = match unit {
        "ms" => number / 1000.0,
        "" | "s" => number,
        "m" => number * 60.0,
        "h" => number * 3600.0,
        _ => return Err(wanted()),
    };
    Duration::try_from_secs_f64(seconds).map_err(|_| wanted())
}

/// The name of a file of certificates, which its extension may compress.
fn certificate_file(text: &str) -> Result<PathBuf, Wanted> {
    let path = PathBuf::from(text);
    let is_archive = matches!(Compression::from_path(&path), Compression::Archive(_));
    if text == "-" || is_archive || Output::path(&path).check_compression().is_err() {
        return Err(Wanted::one_of("FILE.kmc, FILE.kmc.zst, FILE.kmc.gz, FILE.kmc.xz"));
    }
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_units() {
        assert_eq!(duration("10s"), Ok(Duration::from_secs(10)));
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("2m"), Ok(Duration::from_secs(120)));
        assert_eq!(duration("1.5"), Ok(Duration::from_millis(1500)));
        assert!(duration("fast").is_err() && duration("3 weeks").is_err() && duration("-1s").is_err());
    }
}
