//! [`Contents`]: what the reader of an archive has found in it so far.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use komabako_archive::{Codec, Header, Joints};

use super::Kept;

/// What an archive consists of.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Summary {
    /// The number of members.
    pub members: usize,
    /// The number of blocks of each codec, by name; a codec that this version does not know is `?`.
    pub blocks: Vec<(&'static str, u64)>,
    /// The number of records.
    pub records: u64,
    /// The size in bytes.
    pub bytes: u64,
    /// Whether the order of the records was given up, in one member at least.
    pub order_lost: bool,
    /// How the records are joined to those before them.
    pub joints: Joints,
    /// The names of users' columns, at most [`Summary::NAMES`].
    pub columns: BTreeSet<String>,
    /// The metadata of members, each once, at most [`Summary::NAMES`].
    pub metadata: Vec<Vec<u8>>,
}

impl Summary {
    /// The most names and metadata that are kept.
    pub const NAMES: usize = 64;

    /// Adds a member.
    pub(super) fn add_header(&mut self, header: Header) {
        self.members += 1;
        self.order_lost |= header.order_lost;
        if self.metadata.len() < Summary::NAMES && !self.metadata.contains(&header.metadata) {
            self.metadata.push(header.metadata);
        }
    }

    /// Adds a block of records, by the number of its codec.
    pub(super) fn add_block(&mut self, codec: u8) {
        let codec = Codec::from_number(codec).map_or("?", Codec::name);
        match self.blocks.iter_mut().find(|(name, _)| *name == codec) {
            Some((_, count)) => *count += 1,
            None => self.blocks.push((codec, 1)),
        }
    }

    /// Adds the records of a block.
    pub(super) fn add_records(&mut self, found: Joints) {
        let Joints { loose, chained, bridged } = found;
        self.records += (loose + chained + bridged) as u64;
        self.joints.loose += loose;
        self.joints.chained += chained;
        self.joints.bridged += bridged;
    }

    /// Adds a user's column.
    pub(super) fn add_column(&mut self, name: &str) {
        if self.columns.len() < Summary::NAMES {
            self.columns.insert(name.to_owned());
        }
    }
}

/// The contents of an archive that its reader has seen so far. Several passes over the records add up.
#[derive(Clone, Debug, Default)]
pub struct Contents(Arc<Mutex<State>>);

#[derive(PartialEq, Eq, Debug, Default)]
struct State {
    /// The header of the first member, if it is whole: it is read when the archive is recognised.
    first: Option<Header>,
    /// The number of threads for decoding; 0 for one per CPU.
    threads: usize,
    /// Whether the first pass keeps the records for the next ones.
    keeps: bool,
    kept: Option<Kept>,
    /// Records that a sample has decoded, and the number of the first of them.
    sampled: Option<(u64, Vec<u8>)>,
    summary: Summary,
}

impl Contents {
    /// An archive of which only the first header was read.
    pub(crate) fn new(first: Option<Header>) -> Contents {
        Contents(Arc::new(Mutex::new(State { first, ..State::default() })))
    }

    /// What was found so far.
    pub fn summary(&self) -> Summary {
        self.state().summary.clone()
    }

    /// The header of the first member.
    pub(crate) fn first_header(&self) -> Option<Header> {
        self.state().first.clone()
    }

    /// Changes the summary.
    pub(super) fn update(&self, change: impl FnOnce(&mut Summary)) {
        change(&mut self.state().summary);
    }

    /// Adds users' columns, which a reader of some of the records may not meet.
    pub(crate) fn add_columns(&self, names: &[String]) {
        self.update(|summary| names.iter().for_each(|name| summary.add_column(name)));
    }

    /// The number of threads for decoding.
    pub(crate) fn threads(&self) -> usize {
        crate::engine::pipeline::threads(self.state().threads)
    }

    /// Sets the number of threads for decoding; 0 for one per CPU.
    pub(crate) fn use_threads(&self, threads: usize) {
        self.state().threads = threads;
    }

    /// Lets the next pass over all records keep them for those after it.
    pub(crate) fn keep_records(&self) {
        self.state().keeps = true;
    }

    /// Whether a pass over all records is to keep them.
    pub(super) fn keeps_records(&self) -> bool {
        self.state().keeps
    }

    /// Keeps all records.
    pub(super) fn set_kept(&self, kept: Kept) {
        self.state().kept = Some(kept);
    }

    /// All records, if a pass has kept them.
    pub(crate) fn kept(&self) -> Option<Kept> {
        self.state().kept.clone()
    }

    /// Keeps some records that were decoded for a sample, from one on, if they will be read.
    pub(super) fn set_sampled(&self, first: u64, records: Vec<u8>) {
        self.state().sampled = Some((first, records));
    }

    /// Some records of a size, if a sample has decoded them.
    pub(crate) fn sampled(&self, wanted: Range<u64>, size: usize) -> Option<Vec<u8>> {
        let state = self.state();
        let (first, records) = state.sampled.as_ref()?;
        let place = |record: u64| usize::try_from(record.checked_sub(*first)?).ok()?.checked_mul(size);
        Some(records.get(place(wanted.start)?..place(wanted.end)?)?.to_vec())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PartialEq for Contents {
    fn eq(&self, other: &Contents) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || *self.state() == *other.state()
    }
}

impl Eq for Contents {}
