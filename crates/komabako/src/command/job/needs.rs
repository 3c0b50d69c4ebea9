//! [`Needs`]: the resources of a job, reported before it begins.

use std::collections::BTreeMap;

use komabako::dataset::preflight::Disk;
use komabako::dataset::{DatasetError, Preflight};

use crate::context::{Context, Reporting};
use crate::json::{self, Envelope};
use crate::message::Lang;
use crate::outcome::Failure;
use crate::style;
use crate::table::Table;

/// With this many input bytes a job is long: its needs are printed before it starts.
const LONG_JOB_BYTES: u64 = 256 << 20;

/// The report of the resources that a job needs.
#[derive(Default)]
pub struct Needs {
    /// A description of the job, such as its inputs and output.
    pub heading: String,
    /// The number of parts, by the names of stages in JSON.
    pub parts: BTreeMap<&'static str, usize>,
    /// The same in words, if there are several parts.
    pub in_parts: Option<String>,
    /// Whether short jobs are reported too.
    pub always: bool,
}

impl Needs {
    /// The needs of a job that is not split into parts.
    pub fn new(heading: impl ToString) -> Self {
        Needs { heading: heading.to_string(), ..Needs::default() }
    }

    /// Reports the needs: for `--dry-run` as the command's output; otherwise on standard error, if the job is long or may
    /// fill a disk.
    ///
    /// # Errors
    /// [`Failure::Done`] after a dry run, and a shortage of resources that would keep the job from finishing.
    pub fn report(&self, preflight: &Preflight, context: &Context) -> Result<(), Failure> {
        let Reporting { dry_run, json, to_stdout, quiet, verbose, .. } = context.report;
        let shortage = preflight.check().map_err(DatasetError::Shortage);
        if dry_run {
            context.print_report(|mut out| {
                if !json {
                    return self.table(preflight, context.lang).write_below(&self.heading, out);
                }
                // A shortage has a report of its own.
                if shortage.is_err() {
                    return Ok(());
                }
                let needs = Some(json::needs(preflight, &self.parts));
                Envelope { needs, ..Envelope::new(context) }.write(&mut out)
            })?;
            shortage?;
            return Err(Failure::Done);
        }
        shortage?;
        // Only JSON goes to a stream on which JSON is expected.
        let is_read = json && to_stdout;
        if !is_read
            && !quiet
            && (self.always || verbose || preflight.input_bytes.is_some_and(|bytes| bytes >= LONG_JOB_BYTES))
        {
            // A write error of standard error cannot be reported.
            let _ = self.table(preflight, context.lang).write(&mut context.stderr(), "");
        }
        for mismatch in &preflight.repaired {
            let lang = context.lang;
            context.warn(&lang.repaired_on_the_fly(&mismatch.input, lang.say(&mismatch.what())));
        }
        for Disk { path, peak, free, .. } in preflight.doubtful() {
            if let Some(most) = peak.most {
                let lang = context.lang;
                context.warn(&lang.disk_may_fill(path.display(), lang.size(most), lang.size(*free)));
            }
        }
        Ok(())
    }

    fn table(&self, preflight: &Preflight, lang: Lang) -> Table {
        let Preflight { records, memory, memory_limit, disks, uncounted, .. } = preflight;
        let mut rows = vec![
            records.map_or(lang.records_unknown(), |records| lang.records(records)),
            lang.needs_memory(lang.size(*memory), lang.size(*memory_limit)),
        ];
        for disk in disks {
            rows.push(lang.needs_disk(disk.path.display(), lang.amount(disk.peak), lang.size(disk.free)));
        }
        rows.extend(uncounted.iter().map(|path| lang.needs_uncounted(path.display())));
        rows.extend(self.in_parts.clone());
        let mut table = Table::default();
        table.rows(lang.needs_label(), style::NAME, rows);
        table
    }
}
