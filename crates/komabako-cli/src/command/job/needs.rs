//! [`Needs`]: what a job takes, told before it begins.

use std::collections::BTreeMap;
use std::io::Write;

use anstyle::Style;
use komabako::dataset::preflight::Disk;
use komabako::dataset::{DatasetError, Preflight};
use serde::Serialize;

use super::{failed, report_to};
use crate::cli::Context;
use crate::json;
use crate::message::{Lang, grouped};
use crate::outcome::{Failure, Outcome};
use crate::style::{self, painted};
use crate::table::Table;

/// Inputs of so many bytes make a job long, so that it is told beforehand what it takes.
const LONG: u64 = 256 << 20;

/// What a job takes, and how that is to be told.
pub struct Needs<'a> {
    /// What it takes, and what there is.
    pub preflight: &'a Preflight,
    /// What the job is, such as from which files to which.
    pub heading: String,
    /// Into how many parts the job is cut, by the names of stages in JSON.
    pub parts: BTreeMap<&'static str, usize>,
    /// The same in words, if it is cut.
    pub in_parts: Option<String>,
    /// Whether the job is told of even if it is short.
    pub always: bool,
}

/// How the user wants it.
#[derive(Clone, Copy)]
pub struct Ask {
    /// Only what the job takes is wanted.
    pub dry_run: bool,
    /// Reports are JSON.
    pub json: bool,
    /// Records go to standard output.
    pub to_stdout: bool,
}

impl<'a> Needs<'a> {
    /// Those of a job that is done in one piece.
    pub fn new(preflight: &'a Preflight, heading: String) -> Self {
        Needs { preflight, heading, parts: BTreeMap::new(), in_parts: None, always: false }
    }

    /// Tells what the job takes: in answer to `--dry-run`, which ends the command by `Some`, or else on standard error if the
    /// job is long or may fill a disk.
    ///
    /// # Errors
    /// The failure of a job that would not finish.
    pub fn tell(&self, ask: Ask, context: &Context) -> Result<Option<Outcome>, Failure> {
        let Ask { dry_run, json, to_stdout } = ask;
        let shortage = self.preflight.check().err().map(DatasetError::Shortage);
        if dry_run {
            let mut out = report_to(context, to_stdout);
            let told = if json {
                writeln!(out, "{}", json::pretty(&Told::of(self)))
            } else {
                writeln!(out, "{}", painted(&self.heading, style::HEADING))
                    .and_then(|()| self.table(context.lang).write(&mut out, "  "))
            };
            told.and_then(|()| out.flush()).map_err(|error| context.stdout_failed(&error))?;
            return match shortage {
                None => Ok(Some(Outcome::Clean)),
                Some(error) => Err(Failure::dataset(&error, context.lang)),
            };
        }
        if let Some(error) = shortage {
            return Err(failed(&error, ask, context));
        }
        // Nothing but JSON goes where that is read.
        let is_read = json && to_stdout;
        if !is_read && (self.always || self.preflight.input_bytes.is_some_and(|bytes| bytes >= LONG)) {
            // Standard error that cannot be written leaves nobody to tell.
            let _ = self.table(context.lang).write(&mut context.stderr(), "");
        }
        for mismatch in &self.preflight.repaired {
            let lang = context.lang;
            context.warn(&lang.repaired_on_the_way(&mismatch.input, lang.mismatch_text(mismatch)));
        }
        for Disk { path, peak, free, .. } in self.preflight.doubtful() {
            if let Some(most) = peak.most {
                let lang = context.lang;
                context.warn(&lang.disk_may_fill(path.display(), lang.size(most), lang.size(*free)));
            }
        }
        Ok(None)
    }

    fn table(&self, lang: Lang) -> Table {
        let Preflight { records, memory, memory_limit, disks, uncounted, .. } = self.preflight;
        let mut table = Table::default();
        let mut label = lang.needs_label();
        let mut row = |text| table.styled([(std::mem::take(&mut label), style::NAME), (text, Style::new())]);
        row(records.map_or(lang.records_unknown(), |records| lang.records(grouped(records))));
        row(lang.needs_memory(lang.size(*memory), lang.size(*memory_limit)));
        for disk in disks {
            row(lang.needs_disk(disk.path.display(), lang.amount(disk.peak), lang.size(disk.free)));
        }
        for path in uncounted {
            row(lang.needs_uncounted(path.display()));
        }
        if let Some(parts) = &self.in_parts {
            row(parts.clone());
        }
        table
    }
}

#[derive(Serialize)]
struct Told<'a> {
    records: Option<u64>,
    input_bytes: Option<u64>,
    memory: u64,
    memory_limit: u64,
    #[serde(flatten)]
    parts: &'a BTreeMap<&'static str, usize>,
    disks: Vec<ToldDisk>,
    uncounted: Vec<String>,
}

#[derive(Serialize)]
struct ToldDisk {
    path: String,
    least: u64,
    peak: Option<u64>,
    free: u64,
}

impl<'a> Told<'a> {
    fn of(needs: &'a Needs) -> Self {
        let Preflight { records, input_bytes, memory, memory_limit, ref disks, ref uncounted, .. } =
            *needs.preflight;
        let disk = |disk: &Disk| ToldDisk {
            path: disk.path.display().to_string(),
            least: disk.peak.least,
            peak: disk.peak.most,
            free: disk.free,
        };
        let disks = disks.iter().map(disk).collect();
        let uncounted = uncounted.iter().map(|path| path.display().to_string()).collect();
        Told { records, input_bytes, memory, memory_limit, parts: &needs.parts, disks, uncounted }
    }
}
