//! [`Summary`]: what an archive consists of.

use std::fs::File;
use std::io;
use std::path::Path;

use komabako_archive::{Codec, Joints};

use super::places::Members;

/// What an archive in a file consists of.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// The number of members.
    pub members: usize,
    /// The number of blocks of each codec, by name; a codec that this version does not know is `?`.
    pub blocks: Vec<(&'static str, u64)>,
    /// The number of records.
    pub records: u64,
    /// The size of the file in bytes.
    pub bytes: u64,
    /// Whether the order of the records was given up.
    pub order_lost: bool,
    /// How the records of the first block are joined.
    pub joints: Joints,
}

impl Summary {
    /// The summary of a file; `None` if it is no archive, or its end is damaged. Reads the index and decodes one block.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn of_file(path: &Path) -> io::Result<Option<Summary>> {
        let mut file = File::open(path)?;
        let bytes = file.metadata()?.len();
        let Some(members) = Members::find(&mut file, bytes)? else { return Ok(None) };
        let mut summary = Summary {
            members: members.len(),
            records: members.records(),
            bytes,
            order_lost: members.is_order_lost,
            ..Summary::default()
        };
        let mut is_first = true;
        let is_whole = members.each_block(&mut file, |source, header, payload| {
            let codec = Codec::from_number(header.codec).map_or("?", Codec::name);
            match summary.blocks.iter_mut().find(|(name, _)| *name == codec) {
                Some((_, count)) => *count += 1,
                None => summary.blocks.push((codec, 1)),
            }
            if std::mem::take(&mut is_first) {
                summary.joints = komabako_archive::joints(source, header, &payload()?).unwrap_or_default();
            }
            Ok(())
        })?;
        Ok(is_whole.then_some(summary))
    }
}
