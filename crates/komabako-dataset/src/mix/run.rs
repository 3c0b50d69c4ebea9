//! Runs the plan of a mixture.

use std::time::Instant;

use komabako_record::order::Random;

use super::lane::{Common, Lane};
use super::{FirstEnd, Job, Share, Summary};
use crate::engine::progress::{Progress, Step};
use crate::io::output::Compressed;
use crate::job::{Counts, LossCounts, Note, Plan, Rejects, Request};
use crate::{DatasetError, FileFormat, JobOptions};

/// The number of records written between two reports of progress.
const EVERY: u64 = 4096;

impl<'a> Request<'a> for Job<'a> {
    type To = FileFormat;
    /// The weights of the inputs.
    type Ready = Vec<u32>;
    type Summary = Summary;

    fn perform(plan: Plan<'a, Self>, progress: &mut dyn Progress) -> Result<Summary, DatasetError> {
        let start = Instant::now();
        let Plan { request, inputs, to, compression, ready: weights, .. } = plan;
        let Job { output, first_end, seed, on_bad_record, options, .. } = request;
        let JobOptions { threads, backend, force, salvage, .. } = options;
        let is_text = inputs.formats().any(FileFormat::is_text);
        let counter = inputs.counter().clone();
        let total = inputs.size();
        let about = inputs.about(to, &[]);
        let archives = inputs.archives();
        let mut out = Compressed::open_records(output, to, compression, threads, force)?;
        out.describe(about.clone());
        let rejects = Rejects::open(&on_bad_record, is_text, force)?;
        let lost = LossCounts::default();
        let counts = Counts::default();
        let mut common = Common { to, salvage, rejects, counts, lost };
        let mut shares = Vec::with_capacity(weights.len());
        let mut lanes = Vec::with_capacity(weights.len());
        for (source, &weight) in inputs.into_sources().into_iter().zip(&weights) {
            let input = source.name().clone();
            let number = shares.len();
            // An input without a format has no records: it ended before the first one.
            shares.push(Share { input, weight, written: 0, ended_at: Some(0) });
            if let Some(lane) = Lane::open(source, number, &counter, backend)? {
                shares[number].ended_at = None;
                lanes.push((number, lane));
            }
        }
        let random = Random::new(seed);
        let mut bytes = Vec::new();
        let mut draws = 0;
        let mut written = 0;
        while !lanes.is_empty() {
            let weight = |&(number, _): &(usize, Lane)| u64::from(weights[number]);
            // A separate draw for each record, from its number alone: the output depends on the seed, not on buffers or
            // threads.
            let mut drawn = random.below(lanes.iter().map(weight).sum(), draws);
            draws += 1;
            let mut chosen = 0;
            // This loop ends, since the draw is below the sum of the weights.
            while drawn >= weight(&lanes[chosen]) {
                drawn -= weight(&lanes[chosen]);
                chosen += 1;
            }
            let (number, lane) = &mut lanes[chosen];
            let share = &mut shares[*number];
            if !lane.append_next(&mut common, &mut bytes)? {
                share.ended_at = Some(written);
                lanes.remove(chosen);
                if first_end == FirstEnd::Stop {
                    break;
                }
                continue;
            }
            share.written += 1;
            written += 1;
            if written % EVERY == 0 {
                out.write(&bytes)?;
                bytes.clear();
                let bad = common.counts.bad_total();
                let step =
                    Step { bytes: counter.bytes(), total, records: written + bad, bad, ..Step::default() };
                if progress.update(&step).is_break() {
                    return Err(DatasetError::Cancelled);
                }
            }
        }
        out.write(&bytes)?;
        // Losses are counted per batch; not every record of the last batches was written.
        lanes.iter().for_each(|(_, lane)| lane.uncount_unwritten(&mut common.lost, to));
        let Common { rejects, mut counts, lost, .. } = common;
        counts.notes = Note::all(&about, compression.is_archive(), &archives);
        counts.bytes_written = rejects.complete_after(out)?;
        counts.read = written + counts.bad_total();
        counts.written = written;
        counts.bytes_read = counter.bytes();
        counts.seconds = start.elapsed().as_secs_f64();
        Ok(Summary { shares, counts, losses: lost.into_lost() })
    }
}
