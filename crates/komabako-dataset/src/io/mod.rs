//! Files as streams of records: detection, compression, reading and writing.

pub mod archive;
pub mod compression;
pub mod detect;
pub mod error;
pub(crate) mod input;
mod name;
pub(crate) mod output;
mod partition;
mod reader;
pub(crate) mod score_column;

pub use self::compression::Compression;
pub use self::error::{DatasetError, RecordError};
pub use self::input::{BlockFile, Input, Inputs, Source, Waiting, format_of, read_whole, stop_waiting_when};
pub use self::name::Name;
pub use self::output::{
    Collection, Existing, Output, OutputWriter, reserve as reserve_output, when_output_completes,
};
pub use self::partition::{NotAPartition, Partition};
pub use self::reader::RecordReader;
