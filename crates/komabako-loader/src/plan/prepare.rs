//! [`Prepared`]: a plan whose files are open and whose parameters are known.

use std::sync::{Arc, Mutex};

use komabako_codec::Backend;
use komabako_dataset::convert::Rescale;
use komabako_dataset::{BlockFile, Compression, Field, FileFormat, Input, Inputs, Name, sample_check};

use super::{OnBadRecord, OnKingless, Order, Plan, Ranks, Source};
use crate::LoaderError;
use crate::error::{Conflict, PolicyFault};
use crate::order::{Draws, Kind, Mixing, Rotation};
use crate::output::{Finisher, Policy, Progress};
use crate::select::{Selector, mark};
use crate::source::{Access, Judge, OpenSource, Treatment, Uniform};
use crate::window::{Cursor, Lane, LaneSource, StreamCursor};

/// The bytes of a record.
pub(super) const RECORD: u64 = 40;
/// The records that take as much as what is noted beside those of a slice.
const SMALLEST_SLICE: u64 = 4;

/// A plan whose files are open and whose parameters are known.
pub(crate) struct Prepared {
    pub plan: Plan,
    pub sources: Vec<OpenSource>,
    pub selector: Selector,
    pub treatment: Treatment,
    pub finisher: Finisher,
    pub backend: Backend,
    /// The weight of each mark, by source.
    pub weights: Vec<Vec<f32>>,
    /// How each source is mixed.
    pub(super) mixings: Vec<Mixing>,
    pub(super) streams: u64,
}

impl Prepared {
    pub fn new(plan: &Plan) -> Result<Prepared, LoaderError> {
        check_numbers(plan)?;
        let Ranks { world, streams, .. } = plan.ranks;
        let streams = if streams == 0 { world } else { streams };
        let drop_from = match &plan.output.targets {
            Some(targets) if targets.drop => targets.score_drop_abs,
            _ => None,
        };
        let selector = Selector::new(&plan.select, drop_from)?;
        let mut sources = Vec::new();
        for (number, source) in (0..).zip(&plan.sources) {
            sources.push(open(plan, number, source, streams, &selector)?);
        }
        let treatment = Treatment {
            bad: match plan.on_bad_record {
                OnBadRecord::Raise => mark::BAD,
                OnBadRecord::Skip => mark::SKIPPED,
                OnBadRecord::Weight0 => mark::WEIGHTLESS,
            },
            kingless: match plan.on_kingless {
                OnKingless::Drop => mark::KINGLESS,
                OnKingless::Zero => mark::WEIGHTLESS,
            },
            is_checked_later: plan.output.needs_positions()
                && plan.on_bad_record != OnBadRecord::Skip
                && !selector.needs_positions(),
            drops_unfit: plan.output.policy.is_some(),
            has_visits: matches!(plan.output.policy, Some(Policy::Visits { .. })),
        };
        let finisher = Finisher::new(&plan.output, plan.on_bad_record == OnBadRecord::Weight0)?;
        let mut weights = Vec::new();
        for source in &plan.sources {
            let mut by_mark = vec![0.0; 256];
            by_mark[usize::from(mark::KEPT)] = source.entry_weight;
            for (rule, weight) in (usize::from(mark::KEPT) + 1..).zip(&plan.select.keep) {
                by_mark[rule] = source.entry_weight * weight.weight;
            }
            weights.push(by_mark);
        }
        let mut prepared = Prepared {
            plan: plan.clone(),
            sources,
            selector,
            treatment,
            finisher,
            backend: Backend::detect(),
            weights,
            mixings: Vec::new(),
            streams,
        };
        prepared.check_sources()?;
        prepared.mixings = prepared.mixings()?;
        prepared.check_window()?;
        Ok(prepared)
    }

    fn check_sources(&self) -> Result<(), LoaderError> {
        let plan = &self.plan;
        let weighted = plan.sources.iter().filter(|source| source.weight.is_some()).count();
        if weighted > 0 && weighted < plan.sources.len() {
            return Err(Conflict::Weights.into());
        }
        let order = plan.order.name();
        if weighted == 0 && plan.epoch_records.is_some() {
            return Err(Conflict::EpochRecords.into());
        }
        if weighted > 0 && plan.order == Order::Uniform {
            return Err(Conflict::Order { order, option: "weight" }.into());
        }
        if plan.passes > 1 && plan.order != Order::Riffle {
            return Err(Conflict::Order { order, option: "passes" }.into());
        }
        if self.streams > 1 && plan.order == Order::Stream {
            return Err(Conflict::Order { order, option: "streams" }.into());
        }
        for (source, options) in self.sources.iter().zip(&plan.sources) {
            if options.skip_repetition && !source.format.holds_games() {
                return Err(Conflict::Games(source.name.clone()).into());
            }
            if options.weight == Some(0) {
                return Err(Conflict::Number { option: "weight", value: 0, least: 1, most: u64::MAX }.into());
            }
            if source.records() == Some(0) && options.weight.is_some() {
                return Err(Conflict::Empty(source.name.clone()).into());
            }
            if plan.order != Order::Uniform && source.blocks() > 0 && source.blocks() < self.streams {
                let (name, blocks, streams) = (source.name.clone(), source.blocks(), self.streams);
                return Err(Conflict::Blocks { source: name, blocks, streams }.into());
            }
        }
        if weighted > 0 && plan.epoch_records.is_none() && self.records().is_none() {
            return Err(Conflict::EpochLength.into());
        }
        Ok(())
    }

    /// Checks that no file has changed. Those that are read from their start were checked there.
    pub fn check_unchanged(&self) -> Result<(), LoaderError> {
        for source in &self.sources {
            if let Access::Random(file) = &source.access {
                file.check_unchanged()?;
            }
        }
        Ok(())
    }

    /// The number of all records, if it is known.
    pub fn records(&self) -> Option<u64> {
        self.sources.iter().map(OpenSource::records).sum()
    }

    /// The shares of the sources, as they are: weights, numbers of records or, if one is not known, sizes.
    pub(super) fn shares(&self) -> Vec<u64> {
        let is_known = self.records().is_some();
        let share = |(source, options): (&OpenSource, &Source)| match options.weight {
            Some(weight) => weight,
            None if is_known => source.records().unwrap_or(0),
            None => source.size(),
        };
        self.sources.iter().zip(&self.plan.sources).map(share).collect()
    }

    /// How each source is mixed within the memory.
    fn mixings(&self) -> Result<Vec<Mixing>, LoaderError> {
        let plan = &self.plan;
        let kind = match plan.order {
            Order::Riffle => Kind::Riffle,
            Order::Stream => Kind::Stream,
            Order::File | Order::Uniform => Kind::File,
        };
        let shares = self.shares();
        let all: u128 = shares.iter().map(|&share| u128::from(share)).sum::<u128>().max(1);
        let streams = if plan.order == Order::Uniform { 1 } else { self.streams };
        let mut mixings = Vec::new();
        // The fewest bytes for every source.
        let mut least = 0;
        for (source, &share) in self.sources.iter().zip(&shares) {
            let mut mixing = Mixing {
                kind,
                seed: plan.seed,
                source: source.number,
                streams,
                passes: plan.passes,
                per_tick: 1,
                lag: if kind == Kind::File { 1 } else { plan.lag },
            };
            if kind != Kind::File {
                // M = n · B · (L + 1) / 2K records for each stream of the process.
                let memory = u128::from(plan.memory) * u128::from(share) / all;
                let records = 2 * u128::from(plan.passes) * memory * u128::from(plan.ranks.world);
                // A slice of a few records takes as much as this many. Other sources have no more blocks a tick than blocks.
                let least_block = if source.records().is_some() { 0 } else { SMALLEST_SLICE * mixing.lag };
                let per_lag = u128::from(RECORD * source.block.max(least_block)) * u128::from(streams);
                let most_lag = records / per_lag.max(1);
                if share > 0 && plan.per_tick.is_none() {
                    if most_lag < 2 {
                        let of_source = per_lag.div_ceil(u128::from(plan.passes * plan.ranks.world));
                        least = least.max((of_source * all).div_ceil(u128::from(share)));
                    }
                    if most_lag < u128::from(mixing.lag) + 1 {
                        mixing.lag = (most_lag as u64).saturating_sub(1).max(1);
                    }
                }
                let per_tick = records / (per_lag * u128::from(mixing.lag + 1)).max(1);
                let per_tick = plan.per_tick.map_or(per_tick, u128::from);
                let most = u128::from(source.blocks().max(1));
                mixing.per_tick = per_tick.clamp(1, most) as u64;
            }
            mixings.push(mixing.for_blocks(source.blocks()));
        }
        if least > 0 {
            return Err(LoaderError::TooLittleMemory { least: least.try_into().unwrap_or(u64::MAX) });
        }
        Ok(mixings)
    }

    /// Checks that the records of a tick can be numbered.
    pub(super) fn check_window(&self) -> Result<(), LoaderError> {
        for (source, mixing) in self.sources.iter().zip(&self.mixings) {
            let slice = source.block.div_ceil(mixing.passes * mixing.lag) + 1;
            let chunks = u128::from(mixing.lag) * u128::from(mixing.per_tick);
            if chunks * u128::from(slice.next_power_of_two()) > 1 << 32 {
                return Err(Conflict::Window.into());
            }
        }
        Ok(())
    }

    /// The number of records of this rank in a stream's part of a step.
    pub fn want(&self) -> usize {
        (self.plan.batch as u64 * self.plan.ranks.world / self.streams) as usize
    }

    /// The streams of this rank.
    pub(super) fn own_streams(&self) -> impl Iterator<Item = u64> {
        let Ranks { rank, world, .. } = self.plan.ranks;
        (rank..self.streams).step_by(world as usize)
    }

    pub fn is_weighted(&self) -> bool {
        self.plan.sources.iter().any(|source| source.weight.is_some())
    }

    /// What is said of the records of a source in an epoch.
    pub fn judge(&self, epoch: u64, source: u64) -> Judge<'_> {
        let draws = Draws::new(self.plan.seed, epoch, source);
        Judge { selector: &self.selector, treatment: self.treatment, draws }
    }

    /// Whether it is certain that every record has a place in a batch.
    pub fn keeps_all(&self) -> bool {
        if self.plan.on_bad_record == OnBadRecord::Skip {
            return false;
        }
        let drops_kingless = self.plan.on_kingless == OnKingless::Drop;
        let may_leave_out = |source: &OpenSource| {
            source.skip_repetition
                || self.treatment.drops_unfit && source.format == FileFormat::Hcpe3
                || drops_kingless && source.format.holds(Field::MissingKings)
        };
        self.selector.keeps_all() && !self.sources.iter().any(may_leave_out)
    }

    /// The number of records of a source in a stream in an epoch.
    pub(super) fn records_in_stream(&self, source: usize, epoch: u64, stream: u64) -> Option<u64> {
        let open = &self.sources[source];
        open.records()?;
        let pass = |pass| self.mixings[source].pass(open.blocks(), epoch, pass, stream);
        Some((0..self.plan.passes).map(|number| pass(number).records(|block| open.records_of(block))).sum())
    }

    /// The number of records of a stream in an epoch, if it is known.
    pub fn stream_records(&self, epoch: u64, stream: u64) -> Option<u64> {
        if self.is_weighted() {
            return Some(self.weighted_places(stream));
        }
        if self.plan.order == Order::Uniform {
            return Some(self.records()?.saturating_sub(stream).div_ceil(self.streams));
        }
        (0..self.sources.len()).map(|source| self.records_in_stream(source, epoch, stream)).sum()
    }

    /// The number of records of an epoch, if all are kept and their number is known.
    pub fn epoch_places(&self) -> Option<u64> {
        let places = self.plan.epoch_records.or_else(|| self.records())?;
        self.keeps_all().then_some(places)
    }

    /// The places of a stream in an epoch of weighted sources.
    fn weighted_places(&self, stream: u64) -> u64 {
        let places = u128::from(self.plan.epoch_records.or_else(|| self.records()).unwrap_or(0));
        let before = |stream: u64| (places * u128::from(stream) / u128::from(self.streams)) as u64;
        before(stream + 1) - before(stream)
    }

    /// The places of a stream that an epoch of weighted sources consumes: those of steps that are dropped come in the next one.
    pub(super) fn places_of_full_epoch(&self, stream: u64) -> u64 {
        let places = self.weighted_places(stream);
        match self.steps(0, 0..self.streams) {
            Some((full, _)) if self.plan.drop_last && self.keeps_all() => {
                places.min(full * self.want() as u64)
            }
            _ => places,
        }
    }

    /// The number of steps of an epoch in which all streams are full, and of all that have records; if it is known.
    pub fn steps(&self, epoch: u64, streams: impl Iterator<Item = u64>) -> Option<(u64, u64)> {
        let want = self.want() as u64;
        let mut full = u64::MAX;
        let mut all = 0;
        for stream in streams {
            let records = self.stream_records(epoch, stream)?;
            full = full.min(records / want);
            all = all.max(records.div_ceil(want));
        }
        Some((full, all))
    }

    /// The number of steps of this rank in an epoch, if it is known.
    pub fn own_steps(&self, epoch: u64) -> Option<u64> {
        if !self.keeps_all() {
            return None;
        }
        if self.plan.drop_last {
            return self.steps(epoch, 0..self.streams).map(|(full, _)| full);
        }
        self.steps(epoch, self.own_streams()).map(|(_, all)| all)
    }

    /// The rotation of a stream at the start of an epoch.
    pub(super) fn rotation(&self, epoch: u64, stream: u64) -> Rotation {
        let numbers = self.lane_sources();
        let shares = self.shares();
        let is_by_records = numbers.len() > 1 && !self.is_weighted() && self.records().is_some();
        let weight = |source: usize| match self.records_in_stream(source, epoch, stream) {
            Some(records) if is_by_records => records,
            // A source of unknown size has records too, and one without any ends only when it is read.
            _ => shares[source].max(1),
        };
        Rotation::new(&numbers.into_iter().map(weight).collect::<Vec<_>>())
    }

    /// The sources that have records, or may have.
    pub(super) fn lane_sources(&self) -> Vec<usize> {
        if self.plan.order == Order::Uniform {
            return vec![0];
        }
        (0..self.sources.len()).filter(|&number| self.sources[number].blocks() > 0).collect()
    }

    /// The number of lanes of a stream.
    pub fn lanes_per_stream(&self) -> usize {
        self.lane_sources().len()
    }

    /// The place at the start of an epoch, after that of another: where the epochs before it would have led.
    pub fn start_of(&self, epoch: u64, before: &Progress) -> Progress {
        if self.is_weighted() && before.epoch == epoch && before.step == 0 && !before.lanes.is_empty() {
            return before.clone();
        }
        let mut start = Progress { epoch, counts: before.counts, ..Progress::default() };
        for stream in self.own_streams() {
            let (lanes, credits) = self.start_of_stream(epoch, stream);
            start.lanes.extend(lanes);
            start.credits.extend(credits);
            start.used.push(0);
        }
        start
    }

    /// The place after the end of an epoch; weighted sources go on from where they are.
    pub fn start_of_next(&self, before: &Progress) -> Progress {
        let epoch = before.epoch.saturating_add(1);
        if !self.is_weighted() {
            return self.start_of(epoch, before);
        }
        let used = vec![0; before.used.len()];
        Progress { epoch, step: 0, used, ..before.clone() }
    }

    /// The lanes and streams of this rank from a place on.
    pub fn streams_from(&self, place: &Progress, threads: usize) -> (Vec<Lane>, Vec<StreamCursor>) {
        let per_stream = self.lanes_per_stream();
        let numbers = self.lane_sources();
        let mut lanes = Vec::new();
        let mut streams = Vec::new();
        for (index, stream) in self.own_streams().enumerate() {
            let range = index * per_stream..(index + 1) * per_stream;
            let mut rotation = self.rotation(place.epoch, stream);
            let credits = &place.credits[range.clone()];
            rotation.restore(credits);
            let mut cursors = Vec::new();
            for ((&source, &(epoch, consumed)), credit) in
                numbers.iter().zip(&place.lanes[range]).zip(credits)
            {
                let (lane, skip) = self.lane(lanes.len(), source, stream, (epoch, consumed), threads);
                // Where the number of records is not known, only the credit tells that the source has ended.
                let known_end = self.lane_records(source, stream, epoch).unwrap_or(u64::MAX);
                let end = if credit.is_none() { consumed } else { known_end };
                let mut cursor = Cursor::new(lanes.len(), source, (epoch, consumed), end, skip);
                if self.plan.order == Order::Uniform && self.weights.iter().any(|of| *of != self.weights[0]) {
                    cursor.uniform = Some(Box::new(self.uniform(epoch, stream)));
                }
                cursors.push(cursor);
                lanes.push(lane);
            }
            let consumed = place.step * self.want() as u64;
            let is_absent = place.absent.contains(&stream);
            let total = if self.is_weighted() { self.weighted_places(stream) } else { u64::MAX };
            let discard = if is_absent { consumed } else { 0 };
            streams.push(StreamCursor::new(cursors, rotation, total, place.used[index], discard));
        }
        (lanes, streams)
    }

    /// The number of records after which a lane ends, if it is known and the lane does.
    pub(super) fn lane_records(&self, source: usize, stream: u64, epoch: u64) -> Option<u64> {
        match self.plan.order {
            _ if self.is_weighted() => None,
            Order::Uniform => self.stream_records(epoch, stream),
            _ => self.records_in_stream(source, epoch, stream),
        }
    }

    fn lane(
        &self,
        index: usize,
        source: usize,
        stream: u64,
        place: (u64, u64),
        threads: usize,
    ) -> (Lane, u64) {
        let mixing = self.mixings[source];
        // As many blocks as threads may be read at once.
        let ahead = (threads as u64).div_ceil(mixing.per_tick).max(1);
        if self.plan.order == Order::Uniform {
            let uniform = self.uniform(place.0, stream);
            let records = uniform.records();
            let block = self.plan.block;
            let of_block = |number: u64| block.min(records - number * block);
            let blocks = records.div_ceil(block);
            let source = LaneSource::All(Box::new(uniform));
            return Lane::new(index, source, mixing, blocks, 0, false, ahead, place, Some(&of_block));
        }
        let open = &self.sources[source];
        let records_of = |block| open.records_of(block);
        let records_of: Option<&dyn Fn(u64) -> u64> = match open.access {
            Access::Random(_) => Some(&records_of),
            Access::Sequential(_) => None,
        };
        let lane_source = LaneSource::One(source);
        let is_endless = self.is_weighted();
        Lane::new(index, lane_source, mixing, open.blocks(), stream, is_endless, ahead, place, records_of)
    }

    /// The records of a block of the order `uniform`.
    pub fn uniform_places(&self, uniform: &Uniform, block: u64) -> std::ops::Range<u64> {
        let start = block * self.plan.block;
        start..uniform.records().min(start + self.plan.block)
    }
}

/// The most passes and threads, and the largest lag.
pub(super) const MOST: u64 = 1 << 12;

fn check_numbers(plan: &Plan) -> Result<(), LoaderError> {
    if plan.sources.is_empty() {
        return Err(Conflict::NoSources.into());
    }
    let numbers = [
        ("batch", plan.batch as u64, 1, 1 << 30),
        ("passes", plan.passes, 1, MOST),
        ("lag", plan.lag, 1, MOST),
        ("per_tick", plan.per_tick.unwrap_or(1), 1, 1 << 40),
        ("block", plan.block, 1, 1 << 24),
        ("sources", plan.sources.len() as u64, 1, 1 << 16),
        ("threads", plan.threads as u64, 0, MOST),
        ("prefetch", plan.prefetch as u64, 0, 1 << 16),
        ("world", plan.ranks.world, 1, 1 << 20),
        ("streams", plan.ranks.streams, 0, 1 << 20),
        ("epoch_records", plan.epoch_records.unwrap_or(1), 1, 1 << 62),
    ];
    for (option, value, least, most) in numbers {
        if value < least || value > most {
            return Err(Conflict::Number { option, value, least, most }.into());
        }
    }
    let Ranks { rank, world, streams } = plan.ranks;
    if rank >= world {
        return Err(Conflict::Rank { rank, world }.into());
    }
    let streams = if streams == 0 { world } else { streams };
    if !streams.is_multiple_of(world) {
        return Err(Conflict::Streams { streams, world }.into());
    }
    let global = plan.batch as u64 * world;
    if !global.is_multiple_of(streams) {
        return Err(Conflict::Batch { global, streams }.into());
    }
    Ok(())
}

/// The file of a source, examined and checked by a sample, one of `sources`; `None` of records in memory.
fn examined(source: &Source, sources: usize) -> Result<Option<Inputs<'static>>, LoaderError> {
    if source.records.is_some() {
        return Ok(None);
    }
    let mut inputs = Inputs::examine(vec![Input::path(source.path.clone())], source.format, false)?;
    match source.moves {
        Some(encoding) => inputs.read_moves_in(encoding),
        // Moves in another encoding would be read as other moves, and most of those are no fault of a record.
        None => sample_check::check_one_of(&mut inputs, sources)?,
    }
    Ok(Some(inputs))
}

/// Opens a source.
fn open(
    plan: &Plan,
    number: u64,
    source: &Source,
    streams: u64,
    selector: &Selector,
) -> Result<OpenSource, LoaderError> {
    let inputs = examined(source, plan.sources.len())?;
    let input = inputs.as_ref().map(|inputs| &inputs.sources()[0]);
    let name = input.map_or_else(|| Name::from(&source.path), |input| input.name().clone());
    let format = input.map_or(source.format, |input| input.detection().format).unwrap_or(FileFormat::Psv);
    if source.score_scale.is_some_and(|scale| !scale.is_finite() || scale <= 0.0) {
        return Err(Conflict::Scale("score_scale").into());
    }
    if !source.entry_weight.is_finite() || source.entry_weight < 0.0 {
        return Err(Conflict::Scale("entry_weight").into());
    }
    let mut fields = selector.fields();
    if let Some(targets) = &plan.output.targets {
        fields.extend(targets.fields());
    }
    if let Some(field) = fields.into_iter().find(|&field| !format.holds(field)) {
        return Err(Conflict::Field { source: name, field: field.name() }.into());
    }
    let has_policy = match plan.output.policy {
        Some(Policy::Visits { .. }) => format == FileFormat::Hcpe3,
        Some(Policy::Moves | Policy::CompactMoves) => format.holds(Field::Move),
        None => true,
    };
    if !has_policy {
        return Err(LoaderError::Policy(PolicyFault::Missing(name)));
    }
    let file = match (input, &source.records) {
        (Some(input), _) => input.block_file(plan.block)?,
        (None, None) => None,
        (None, Some(records)) => {
            BlockFile::in_memory(name.clone(), format, source.moves, Arc::clone(records), plan.block)
        }
    };
    let reads_in_order = matches!(plan.order, Order::File | Order::Stream) && streams == 1;
    let (access, block) = match (file, inputs) {
        (Some(file), _) if plan.order != Order::Uniform || file.has_places() => {
            let largest = (0..file.blocks()).map(|block| file.records_of(block)).max();
            (Access::Random(file), largest.unwrap_or(plan.block))
        }
        (None, Some(inputs)) if reads_in_order => (Access::Sequential(Mutex::new(inputs)), plan.block),
        (Some(_), _) => return Err(LoaderError::NotUniform(name)),
        (None, Some(inputs))
            if matches!(inputs.sources()[0].detection().compression, Compression::Archive(_)) =>
        {
            return Err(LoaderError::DamagedArchive(name));
        }
        _ => return Err(LoaderError::NoRandomAccess(name)),
    };
    let rescale = source.score_scale.map(|scale| Rescale { scale, clamp: None, mate: None });
    let skip_repetition = source.skip_repetition;
    Ok(OpenSource { number, name, format, rescale, skip_repetition, access, block })
}
