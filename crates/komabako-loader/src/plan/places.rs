//! The places of a loader as a state, and back.

use komabako_record::order::Random;

use super::prepare::MOST;
use super::{Order, Prepared, Source};
use crate::LoaderError;
use crate::error::{BadState, Mismatch};
use crate::output::Progress;
use crate::state::{Parameters, SourceState, State, StreamState};

/// The places of a stream's sources, each an inner epoch and what was consumed of it, and the credits of its rotation.
type StreamPlace = (Vec<(u64, u64)>, Vec<Option<i128>>);

impl Prepared {
    /// The place of a stream at the start of an epoch.
    pub(super) fn start_of_stream(&self, epoch: u64, stream: u64) -> StreamPlace {
        let numbers = self.lane_sources();
        if !self.is_weighted() {
            return (vec![(epoch, 0); numbers.len()], vec![Some(0); numbers.len()]);
        }
        let mut rotation = self.rotation(epoch, stream);
        let mut places = u128::from(epoch) * u128::from(self.places_of_full_epoch(stream));
        let mut counts = vec![0; numbers.len()];
        if let [count] = &mut counts[..] {
            // A source that is alone needs no rotation.
            *count = places;
        } else {
            // All credits are 0 again after each period.
            let weights = rotation.reduced_weights();
            let period: u128 = weights.iter().sum();
            for (count, weight) in counts.iter_mut().zip(weights) {
                *count = places / period * weight;
            }
            places %= period;
            for _ in 0..places {
                let Some(number) = rotation.next_source() else { break };
                counts[number] += 1;
            }
        }
        let lanes = numbers.iter().zip(counts);
        let lanes = lanes.map(|(&source, count)| self.inner_place(source, (epoch, stream), count)).collect();
        (lanes, rotation.credits().collect())
    }

    /// The inner epoch of a weighted source in a stream after some of its places, and the places consumed in it. A source whose number
    /// of records is not known begins anew: all before would have to be read.
    fn inner_place(&self, source: usize, (epoch, stream): (u64, u64), places: u128) -> (u64, u64) {
        if self.sources[source].records().is_none() {
            return (epoch, 0);
        }
        let records_of = |inner: u64| self.records_in_stream(source, inner, stream).unwrap_or(0);
        self.after_epochs(0, places, records_of)
    }

    /// The epoch, from one on, and the place in it to which some places lead, where `records_of` is the number of an epoch.
    fn after_epochs(&self, first: u64, places: u128, records_of: impl Fn(u64) -> u64) -> (u64, u64) {
        let mut epoch = first;
        let mut left = places;
        loop {
            let records = u128::from(records_of(epoch).max(1));
            if self.streams == 1 {
                // Every epoch has as many.
                return (epoch.saturating_add((left / records) as u64), (left % records) as u64);
            }
            if left < records {
                return (epoch, left as u64);
            }
            left -= records;
            epoch += 1;
        }
    }

    /// The place some records after another one, without selection, of a rank with a single stream; `None` if the number of records of
    /// the stream is 0 or not known.
    pub fn place_after_all(&self, from: &Progress, records: u64) -> Option<Progress> {
        let first = from.epoch;
        let stream = self.own_streams().next()?;
        let known = self.stream_records(first, stream)?;
        if known == 0 {
            return None;
        }
        let records_of = |epoch: u64| self.stream_records(epoch, stream).unwrap_or(known);
        let places = u128::from(from.used[0]) + u128::from(records);
        let (epoch, used) = self.after_epochs(first, places, records_of);
        let (lanes, credits) = self.place_after(epoch, stream, used);
        let step = used / self.want() as u64;
        Some(Progress {
            epoch,
            step,
            lanes,
            credits,
            used: vec![used],
            counts: from.counts,
            ..Progress::default()
        })
    }

    /// The place of a stream after some places of an epoch without selection.
    fn place_after(&self, epoch: u64, stream: u64, places: u64) -> StreamPlace {
        let mut rotation = self.rotation(epoch, stream);
        let numbers = self.lane_sources();
        let mut counts = vec![(epoch, 0); numbers.len()];
        if let [count] = &mut counts[..] {
            count.1 = places.min(self.stream_records(epoch, stream).unwrap_or(places));
            return (counts, vec![Some(0)]);
        }
        let ends: Vec<u64> = numbers
            .iter()
            .map(|&source| self.records_in_stream(source, epoch, stream).unwrap_or(u64::MAX))
            .collect();
        for _ in 0..places {
            let Some(number) = rotation.next_source() else { break };
            counts[number].1 += 1;
            if counts[number].1 == ends[number] {
                rotation.remove(number);
            }
        }
        (counts, rotation.credits().collect())
    }

    /// What a state says beside places.
    fn parameters(&self) -> Parameters {
        let plan = &self.plan;
        let targets = plan.output.targets.as_ref().filter(|targets| targets.drop);
        let select = format!("{:?} {:?}", plan.select, targets.and_then(|targets| targets.score_drop_abs));
        Parameters {
            order: plan.order.name().to_owned(),
            seed: plan.seed,
            streams: self.streams,
            passes: plan.passes,
            global_batch: plan.batch as u64 * plan.ranks.world,
            drop_last: plan.drop_last,
            epoch_records: plan.epoch_records,
            select: fingerprint(&select),
            treatment: [self.treatment.bad, self.treatment.kingless],
        }
    }

    fn source_states(&self) -> Vec<SourceState> {
        let mut states = Vec::new();
        for ((source, options), mixing) in self.sources.iter().zip(&self.plan.sources).zip(&self.mixings) {
            let Source { moves, score_scale, skip_repetition, .. } = options;
            let options_text =
                format!("{} {moves:?} {score_scale:?} {skip_repetition}", source.format.name());
            states.push(SourceState {
                name: source.name.to_string(),
                bytes: source.size(),
                records: source.records(),
                block: source.block,
                per_tick: mixing.per_tick,
                lag: mixing.lag,
                weight: options.weight,
                options: fingerprint(&options_text),
            });
        }
        states
    }

    /// The state at a place.
    pub fn state(&self, place: &Progress) -> String {
        let per_stream = self.lanes_per_stream();
        let mut streams = Vec::new();
        for (index, stream) in self.own_streams().enumerate() {
            if place.absent.contains(&stream) {
                continue;
            }
            let range = index * per_stream..(index + 1) * per_stream;
            streams.push(StreamState {
                stream,
                places: place.lanes[range.clone()].to_vec(),
                credits: place.credits[range].iter().map(|credit| credit.map(|it| it.to_string())).collect(),
                used: place.used[index],
            });
        }
        State::new((place.epoch, place.step), self.parameters(), self.source_states(), streams).to_json()
    }

    /// The place of a state.
    pub fn resume(&mut self, json: &str) -> Result<Progress, LoaderError> {
        let state = State::parse(json)?;
        let parameters = self.parameters();
        if state.parameters.global_batch != parameters.global_batch {
            return Err(LoaderError::StateMismatch(Mismatch::Batch {
                state: state.parameters.global_batch,
                plan: parameters.global_batch,
                ranks: self.plan.ranks.world,
            }));
        }
        state.check(&parameters, &self.source_states())?;
        let bad = || LoaderError::BadState(BadState::Place);
        let mut mixings = self.mixings.clone();
        for (mixing, source) in mixings.iter_mut().zip(&state.sources) {
            let blocks = self.sources[mixing.source as usize].blocks().max(1);
            if !(1..=blocks).contains(&source.per_tick) || !(1..=MOST).contains(&source.lag) {
                return Err(bad());
            }
            let is_other = source.per_tick != mixing.per_tick || source.lag != mixing.lag;
            if is_other && self.plan.per_tick.is_some() {
                return Err(LoaderError::StateMismatch(Mismatch::Parameter("per_tick")));
            }
            mixing.per_tick = source.per_tick;
            mixing.lag = source.lag;
        }
        let before = std::mem::replace(&mut self.mixings, mixings);
        let place = self.check_window().and_then(|()| self.place_of(&state));
        if place.is_err() {
            self.mixings = before;
        }
        place
    }

    fn place_of(&self, state: &State) -> Result<Progress, LoaderError> {
        let bad = || LoaderError::BadState(BadState::Place);
        let per_stream = self.lanes_per_stream();
        let mut place = Progress { epoch: state.epoch, step: state.step, ..Progress::default() };
        let consumed = state.step.checked_mul(self.want() as u64).ok_or_else(bad)?;
        for stream in self.own_streams() {
            let Some(known) = state.streams.iter().find(|known| known.stream == stream) else {
                if self.is_weighted() {
                    return Err(LoaderError::StateMismatch(Mismatch::Stream(stream)));
                }
                // Its records are read from the start of the epoch, and as many as came in the steps before are left out.
                place.absent.push(stream);
                place.lanes.extend((0..per_stream).map(|_| (state.epoch, 0)));
                place.credits.extend((0..per_stream).map(|_| Some(0)));
                place.used.push(0);
                if self.stream_records(state.epoch, stream).is_some_and(|records| consumed / 2 > records) {
                    return Err(bad());
                }
                continue;
            };
            if known.places.len() != per_stream || known.credits.len() != per_stream {
                return Err(bad());
            }
            let numbers = self.lane_sources();
            for ((&(epoch, count), credit), source) in known.places.iter().zip(&known.credits).zip(numbers) {
                let is_own_epoch = epoch == state.epoch || self.is_weighted();
                let records = match self.plan.order {
                    Order::Uniform => self.stream_records(epoch, stream),
                    _ => self.records_in_stream(source, epoch, stream),
                };
                if !is_own_epoch || records.is_some_and(|records| count > records) || epoch > 1 << 48 {
                    return Err(bad());
                }
                let credit: Option<i128> =
                    credit.as_ref().map(|credit| credit.parse()).transpose().map_err(|_| bad())?;
                if credit.is_some_and(|credit| credit.unsigned_abs() > 1 << 100) {
                    return Err(bad());
                }
                place.lanes.push((epoch, count));
                place.credits.push(credit);
            }
            place.used.push(known.used);
        }
        Ok(place)
    }
}

/// A number that differs for different texts.
fn fingerprint(text: &str) -> u64 {
    let key: Vec<u64> = text.bytes().map(u64::from).collect();
    Random::keyed(&key).at(0)
}
