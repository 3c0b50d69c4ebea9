//! Readers for the trainers [bullet](https://github.com/jw1912/bullet) and BulletOu, on top of [`komabako::loader`].
//!
//! A trainer's traits can be implemented only in its own crate or in that of the type. So the macros here declare a type in the crate
//! that trains, and implement the trainer's traits for it:
//!
//! * [`komabako_reader!`]: bullet's `DataReader` and `LoadableDataType`.
//! * [`komabako_inputs!`]: bullet's `SparseInputType`, for every set of features of [`FeatureSet`](komabako::loader::FeatureSet).
//! * [`komabako_map_reader!`]: BulletOu's `DataLoader`.
//! * [`fill_fast_batch!`]: BulletOu's `FastBatchHost`, from a batch whose arrays were made by the loader's threads.
//!
//! These traits cannot return errors, and an end without a word would look like a finished run. So a reader panics with the error's
//! message, and keeps it for [`Reader::last_error`].

use std::sync::{Arc, Mutex, PoisonError};

pub use komabako;
use komabako::board::Setup;
use komabako::codec::{PackedSfen, PositionCodec};
use komabako::features::Backend;
use komabako::features::nnue::{RowOptions, Rows, write_rows};
use komabako::loader::{FeatureSet, LoaderError, Plan, Record};

/// Reads the records of a plan for ever.
#[derive(Clone, Debug)]
pub struct Reader {
    plan: Plan,
    failure: Arc<Mutex<Option<String>>>,
}

impl Reader {
    /// A reader of a plan. Its output is not used: [`fill_fast_batch!`] is for that.
    pub fn new(plan: Plan) -> Reader {
        Reader { plan, failure: Arc::default() }
    }

    /// The paths of the plan's files.
    pub fn paths(&self) -> Vec<String> {
        self.plan.sources.iter().map(|source| source.path.display().to_string()).collect()
    }

    /// The number of records of an epoch, if it is known beforehand.
    ///
    /// # Panics
    /// If the plan cannot be started.
    pub fn count(&self) -> Option<u64> {
        self.check(self.plan.start()).records()
    }

    /// Passes chunks of records, epoch after epoch, until `each` returns true. The first `skip` records are left out.
    ///
    /// # Panics
    /// With the message of any error of the loader.
    pub fn read(&self, skip: usize, each: impl FnMut(&[Record]) -> bool) {
        self.check(self.plan.for_each_chunk(skip as u64, each));
    }

    /// The message of the last error, for those who catch panics.
    pub fn last_error(&self) -> Option<String> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn check<T>(&self, result: Result<T, LoaderError>) -> T {
        result.unwrap_or_else(|error| {
            let message = error.to_string();
            *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(message.clone());
            panic!("{message}");
        })
    }
}

/// Passes the active inputs of a position, those of the side to move with those of its opponent.
///
/// # Panics
/// If the position of the record cannot be read, or lacks a king.
pub fn map_features(set: FeatureSet, record: &Record, mut each: impl FnMut(usize, usize)) {
    let word = record.first_chunk().expect("a record is longer than a word");
    let setup: Setup = PackedSfen::new().unpack(word).unwrap_or_else(|error| panic!("{error}"));
    let mut rows = [[-1; 42]; 2];
    let [stm, nstm] = rows.each_mut().map(|row| &mut row[..set.active()]);
    let lack_a_king =
        write_rows(Backend::detect(), set, RowOptions::default(), &[setup], Rows::Separate([stm, nstm]));
    assert_eq!(lack_a_king, 0, "a position lacks a king");
    for (stm, nstm) in rows[0].iter().zip(&rows[1]).take_while(|(stm, _)| **stm >= 0) {
        each(*stm as usize, *nstm as usize);
    }
}

/// The score of a record, from the side to move's view.
pub fn score(record: &Record) -> i16 {
    i16::from_le_bytes([record[32], record[33]])
}

/// The result of a record, from the side to move's view: −1, 0 or 1.
pub fn result(record: &Record) -> i8 {
    record[38].cast_signed()
}

/// Declares a record and its reader, and implements bullet's traits for them. The three paths are those of the traits `DataReader` and
/// `LoadableDataType` and of the enum of results.
///
/// ```ignore
/// komabako_bullet::komabako_reader! {
///     pub PsvReader of Psv;
///     bullet_trainer::reader::DataReader, bullet_lib::value::loader::LoadableDataType, bullet_lib::value::loader::GameResult
/// }
/// let reader = PsvReader::new(plan);
/// ```
#[macro_export]
macro_rules! komabako_reader {
    ($vis:vis $reader:ident of $record:ident;
     $($data_reader:ident)::+, $($loadable:ident)::+, $($result:ident)::+) => {
        /// A record: PSV.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(transparent)]
        $vis struct $record(pub $crate::komabako::loader::Record);

        impl ::core::convert::AsRef<$crate::komabako::loader::Record> for $record {
            fn as_ref(&self) -> &$crate::komabako::loader::Record {
                &self.0
            }
        }

        impl $($loadable)::+ for $record {
            fn score(&self) -> i16 {
                $crate::score(&self.0)
            }

            fn result(&self) -> $($result)::+ {
                match $crate::result(&self.0) {
                    -1 => $($result)::+::Loss,
                    0 => $($result)::+::Draw,
                    _ => $($result)::+::Win,
                }
            }
        }

        /// A reader of such records.
        #[derive(Clone, Debug)]
        $vis struct $reader(pub $crate::Reader);

        impl $reader {
            /// A reader of a plan.
            $vis fn new(plan: $crate::komabako::loader::Plan) -> Self {
                Self($crate::Reader::new(plan))
            }
        }

        impl $($data_reader)::+<$record> for $reader {
            fn read_chunks<F: FnMut(&[$record]) -> bool>(&self, skip_count: usize, mut f: F) {
                let mut chunk = ::std::vec::Vec::new();
                self.0.read(skip_count, |records| {
                    chunk.clear();
                    chunk.extend(records.iter().map(|record| $record(*record)));
                    f(&chunk)
                });
            }
        }
    };
}

/// Declares inputs of a set of features, and implements bullet's `SparseInputType` for them. The record is one of [`komabako_reader!`].
///
/// ```ignore
/// komabako_bullet::komabako_inputs! { pub Inputs of Psv; bullet_lib::game::inputs::SparseInputType }
/// let inputs = Inputs(FeatureSet::HalfKaHm2);
/// ```
#[macro_export]
macro_rules! komabako_inputs {
    ($vis:vis $inputs:ident of $record:ident; $($sparse:ident)::+) => {
        /// The inputs of a set of features.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        $vis struct $inputs(pub $crate::komabako::loader::FeatureSet);

        impl $($sparse)::+ for $inputs {
            type RequiredDataType = $record;

            fn num_inputs(&self) -> usize {
                self.0.inputs()
            }

            fn max_active(&self) -> usize {
                self.0.active()
            }

            fn map_features<F: FnMut(usize, usize)>(&self, pos: &$record, f: F) {
                $crate::map_features(self.0, pos.as_ref(), f);
            }

            fn shorthand(&self) -> ::std::string::String {
                self.0.name().to_owned()
            }

            fn description(&self) -> ::std::string::String {
                ::std::format!("{}, {} inputs", self.0.name(), self.0.inputs())
            }

            fn is_factorised(&self) -> bool {
                false
            }

            fn merge_factoriser(&self, unmerged: ::std::vec::Vec<f32>) -> ::std::vec::Vec<f32> {
                unmerged
            }
        }
    };
}

/// Declares a reader, and implements BulletOu's `DataLoader` for it. The paths are those of the trait and of its record.
///
/// ```ignore
/// komabako_bullet::komabako_map_reader! { pub ShogiReader; bullet_ou::DataLoader, bullet_ou::PackedSfenValue }
/// let reader = ShogiReader::new(plan);
/// ```
#[macro_export]
macro_rules! komabako_map_reader {
    ($vis:vis $reader:ident; $($loader:ident)::+, $($record:ident)::+) => {
        /// A reader of the trainer's records.
        #[derive(Clone, Debug)]
        $vis struct $reader {
            reader: $crate::Reader,
            paths: ::std::vec::Vec<::std::string::String>,
        }

        impl $reader {
            /// A reader of a plan.
            $vis fn new(plan: $crate::komabako::loader::Plan) -> Self {
                let reader = $crate::Reader::new(plan);
                let paths = reader.paths();
                Self { reader, paths }
            }

            /// The message of the last error, for those who catch panics.
            $vis fn last_error(&self) -> ::core::option::Option<::std::string::String> {
                self.reader.last_error()
            }
        }

        impl $($loader)::+<$($record)::+> for $reader {
            fn data_file_paths(&self) -> &[::std::string::String] {
                &self.paths
            }

            fn count_positions(&self) -> ::core::option::Option<u64> {
                self.reader.count()
            }

            fn map_chunks<F: FnMut(&[$($record)::+]) -> bool>(&self, start_position: usize, mut f: F) {
                let mut chunk: ::std::vec::Vec<$($record)::+> = ::std::vec::Vec::new();
                self.reader.read(start_position, |records| {
                    chunk.resize_with(records.len(), ::core::default::Default::default);
                    for (record, bytes) in chunk.iter_mut().zip(records) {
                        record.as_bytes_mut().copy_from_slice(bytes);
                    }
                    f(&chunk)
                });
            }
        }
    };
}

/// Moves the arrays of a batch, whose rows are padded, into BulletOu's `FastBatchHost`, and its old ones into the batch, which uses
/// them again.
///
/// ```ignore
/// let mut batch = loader.next()?.expect("an epoch has batches");
/// komabako_bullet::fill_fast_batch!(host, batch);
/// ```
#[macro_export]
macro_rules! fill_fast_batch {
    ($host:expr, $batch:expr) => {{
        let host = &mut $host;
        let batch = &mut $batch;
        host.layout.batch_size = batch.len();
        ::core::mem::swap(&mut host.stm, &mut batch.stm);
        ::core::mem::swap(&mut host.nstm, &mut batch.nstm);
        ::core::mem::swap(&mut host.buckets, &mut batch.buckets);
        ::core::mem::swap(&mut host.targets, &mut batch.targets);
        ::core::mem::swap(&mut host.weights, &mut batch.weights);
    }};
}
