//! The state of a loader as JSON: the parameters of the order, and the places of the streams.

use serde::{Deserialize, Serialize};

use crate::LoaderError;
use crate::error::{BadState, Mismatch};

/// The longest text of a state, in bytes.
const LONGEST: usize = 1 << 20;
const VERSION: u64 = 1;

/// A state. Its depth is bounded by these types: unknown members are refused.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct State {
    /// The version of the format.
    komabako_loader: u64,
    pub epoch: u64,
    pub step: u64,
    pub parameters: Parameters,
    pub sources: Vec<SourceState>,
    pub streams: Vec<StreamState>,
}

/// What fixes the content of steps, beside the sources.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Parameters {
    pub order: String,
    pub seed: u64,
    pub streams: u64,
    pub passes: u64,
    /// The records of a step over all ranks.
    pub global_batch: u64,
    pub drop_last: bool,
    pub epoch_records: Option<u64>,
    /// A number that differs for different selections.
    pub select: u64,
    /// What becomes of bad records and those that lack a king.
    pub treatment: [u8; 2],
}

/// A source.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SourceState {
    /// Its name, which tells whether sources of equal sizes were exchanged.
    pub name: String,
    pub bytes: u64,
    pub records: Option<u64>,
    pub block: u64,
    pub per_tick: u64,
    pub lag: u64,
    pub weight: Option<u64>,
    /// A number that differs for different options.
    pub options: u64,
}

/// The place of a stream.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StreamState {
    pub stream: u64,
    /// Of each source: the inner epoch, and the number of places consumed in it.
    pub places: Vec<(u64, u64)>,
    /// The credits of the rotation, as decimal numbers; null of a source that has ended.
    pub credits: Vec<Option<String>>,
    /// The number of places consumed in the epoch.
    pub used: u64,
}

impl State {
    pub fn new(
        (epoch, step): (u64, u64),
        parameters: Parameters,
        sources: Vec<SourceState>,
        streams: Vec<StreamState>,
    ) -> State {
        State { komabako_loader: VERSION, epoch, step, parameters, sources, streams }
    }

    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Reads a state.
    pub fn parse(json: &str) -> Result<State, LoaderError> {
        if json.len() > LONGEST {
            return Err(LoaderError::BadState(BadState::Length(json.len())));
        }
        let state: State = serde_json::from_str(json)
            .map_err(|error| LoaderError::BadState(BadState::Json(error.to_string())))?;
        if state.komabako_loader != VERSION {
            return Err(LoaderError::BadState(BadState::Version(state.komabako_loader)));
        }
        Ok(state)
    }

    /// Checks that a plan is that of the state. The blocks per tick and the lag may be those of the state.
    pub fn check(&self, parameters: &Parameters, sources: &[SourceState]) -> Result<(), LoaderError> {
        let differs = |name| Err(LoaderError::StateMismatch(Mismatch::Parameter(name)));
        let own = &self.parameters;
        if own.order != parameters.order {
            return differs("order");
        }
        if own.seed != parameters.seed {
            return differs("seed");
        }
        if own.streams != parameters.streams {
            return differs("streams");
        }
        if own.passes != parameters.passes {
            return differs("passes");
        }
        if own.global_batch != parameters.global_batch {
            return differs("batch");
        }
        if own.drop_last != parameters.drop_last {
            return differs("drop_last");
        }
        if own.epoch_records != parameters.epoch_records {
            return differs("epoch_records");
        }
        if own.select != parameters.select {
            return Err(LoaderError::StateMismatch(Mismatch::Select));
        }
        if own.treatment[0] != parameters.treatment[0] {
            return differs("on_bad_record");
        }
        if own.treatment[1] != parameters.treatment[1] {
            return differs("on_kingless");
        }
        if self.sources.len() != sources.len() {
            return Err(LoaderError::StateMismatch(Mismatch::Sources));
        }
        for (one, other) in self.sources.iter().zip(sources) {
            let same =
                SourceState { name: one.name.clone(), per_tick: one.per_tick, lag: one.lag, ..other.clone() };
            if *one != same {
                return Err(LoaderError::StateMismatch(Mismatch::Source(other.name.clone().into())));
            }
            if is_elsewhere(&one.name, &other.name, sources) {
                return Err(LoaderError::StateMismatch(Mismatch::Swapped(other.name.clone().into())));
            }
        }
        Ok(())
    }
}

/// Whether the source that a state has at the place of another one is among the others. Files may have moved, together or to new names.
fn is_elsewhere(known: &str, here: &str, sources: &[SourceState]) -> bool {
    let base = |path: &str| path.rsplit(['/', '\\']).next().unwrap_or(path).to_owned();
    let is_path = known != here && sources.iter().any(|source| source.name == known);
    let is_base = base(known) != base(here) && sources.iter().any(|source| base(&source.name) == base(known));
    is_path || is_base
}

/// Merges the states of the ranks after one step to a state from which any number of ranks resumes.
///
/// # Errors
/// A text is no state, or they are of different plans or steps.
pub fn merge_states<'a>(states: impl IntoIterator<Item = &'a str>) -> Result<String, LoaderError> {
    let mut merged: Option<State> = None;
    for json in states {
        let state = State::parse(json)?;
        let Some(all) = &mut merged else {
            merged = Some(state);
            continue;
        };
        all.check(&state.parameters, &state.sources)?;
        if (all.epoch, all.step) != (state.epoch, state.step) {
            return Err(LoaderError::StateMismatch(Mismatch::Step));
        }
        for stream in state.streams {
            if all.streams.iter().all(|known| known.stream != stream.stream) {
                all.streams.push(stream);
            }
        }
    }
    let mut all = merged.ok_or(LoaderError::BadState(BadState::None))?;
    all.streams.sort_by_key(|stream| stream.stream);
    Ok(all.to_json())
}
