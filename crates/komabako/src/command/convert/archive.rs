//! [`ArchiveArgs`]: how an archive is written.

use std::path::Path;

use clap::{Args, value_parser};
use komabako::dataset::Compression;
use komabako::dataset::archive::Archiving;

use crate::command::named::named;
use crate::command::size;
use crate::message::Lang;
use crate::outcome::Failure;

/// How an archive is written. Without these options the name of an output decides whether it is one.
#[derive(Args, Clone, Copy)]
pub struct ArchiveArgs {
    #[arg(long, value_name = "HOW", value_parser = named([("fast", Archiving::FAST), ("small", Archiving::SMALL)]))]
    archive: Option<Archiving>,
    #[arg(long, value_name = "N", value_parser = value_parser!(i32).range(1..=19))]
    level: Option<i32>,
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(i64::from(*Archiving::BLOCKS.start())..=i64::from(*Archiving::BLOCKS.end())))]
    block_records: Option<u32>,
    #[arg(long)]
    unordered: bool,
    #[arg(long)]
    no_verify: bool,
    #[arg(long, value_name = "SIZE", requires = "unordered", value_parser = size::parse)]
    memory: Option<u64>,
}

/// The memory for putting games together, in bytes.
const MEMORY: u64 = 512 << 20;

impl ArchiveArgs {
    /// The compression that the options ask for, if any is given.
    ///
    /// # Errors
    /// A level of `small`, which has none.
    pub fn compression(self, lang: Lang) -> Result<Option<Compression>, Failure> {
        let ArchiveArgs { archive, level, block_records, unordered, no_verify, memory } = self;
        if archive.is_none() && level.is_none() && block_records.is_none() && !unordered && !no_verify {
            return Ok(None);
        }
        // Only `fast` has levels.
        let default = if level.is_some() { Archiving::FAST } else { Archiving::SMALL };
        let mut archiving = archive.unwrap_or(default);
        if level.is_some() && archiving != Archiving::FAST {
            return Err(Failure::CouldNotRun(lang.level_of_small()));
        }
        archiving.level = level.unwrap_or(archiving.level);
        archiving.block_records = block_records.unwrap_or(archiving.block_records);
        archiving.verify = !no_verify;
        archiving.unordered = unordered.then(|| memory.unwrap_or(MEMORY));
        Ok(Some(Compression::Archive(archiving)))
    }

    /// The same for one output.
    ///
    /// # Errors
    /// Also a file whose name is not that of an archive; with `append`, standard output.
    pub fn compression_of(
        self,
        output: &Path,
        append: bool,
        lang: Lang,
    ) -> Result<Option<Compression>, Failure> {
        let compression = self.compression(lang)?;
        let is_stream = output == Path::new("-");
        let is_named = matches!(Compression::from_path(output), Compression::Archive(_));
        if append && is_stream {
            return Err(Failure::CouldNotRun(lang.appended_stream()));
        }
        if (compression.is_some() || append) && !is_stream && !is_named {
            return Err(Failure::CouldNotRun(lang.not_named_archive(output.display())));
        }
        Ok(compression)
    }
}
