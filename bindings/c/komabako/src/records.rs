//! Records in blocks: reading, writing, and the faults of bad ones.

use komabako::bits::Backend;
use komabako::record::batch::BATCH;
use komabako::record::block::Cuts;
use komabako::record::{Batch, Block, FileFormat};

use crate::failure::Failure;
use crate::numbers::Format;

/// Where the faults of records go.
pub struct Faults<'a> {
    /// A byte for each record, if the caller has them.
    cells: Option<&'a mut [u8]>,
}

impl<'a> Faults<'a> {
    /// No record is bad so far.
    pub fn new(cells: Option<&'a mut [u8]>) -> Faults<'a> {
        let mut cells = cells;
        if let Some(cells) = &mut cells {
            cells.fill(0);
        }
        Faults { cells }
    }

    /// Notes bad records.
    ///
    /// # Errors
    /// The first of them, if the caller has no array for faults.
    pub fn add_all(&mut self, bad: Vec<Bad>) -> Result<(), Failure> {
        if let Some(cells) = &mut self.cells {
            for (record, name, _) in bad {
                cells[record] = komabako::record::fault::number(name);
            }
            return Ok(());
        }
        match bad.into_iter().min_by_key(|&(record, ..)| record) {
            Some((record, _, fault)) => Err(Failure::Record { record, fault }),
            None => Ok(()),
        }
    }
}

/// A bad record: its number, and its fault's name and text.
pub type Bad = (usize, &'static str, String);

/// Reads records in batches: calls `use_batch` with each, and the number of its first record. Rows count from there.
pub fn for_each_batch(
    bytes: &[u8],
    format: Format,
    to: FileFormat,
    faults: &mut Faults,
    mut use_batch: impl FnMut(usize, &mut Batch, &mut Faults) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let Format { file, size } = format;
    let mut batch = Batch::new(Backend::detect());
    let mut block = Block::default();
    for (number, records) in bytes.chunks(BATCH * size).enumerate() {
        let first = number * BATCH;
        let count = records.len() / size;
        block.buffer().clear();
        block.buffer().extend_from_slice(records);
        block.set_cuts(Cuts::Every { size, count });
        batch.decode_for(to, file, &block, 0..count);
        use_batch(first, &mut batch, faults)?;
    }
    Ok(())
}

/// The bad records of a batch, whose first record has this number.
pub fn texts(first: usize, batch: &Batch) -> Vec<Bad> {
    batch.faults().iter().map(|(row, fault)| (first + row, fault.name(), fault.to_string())).collect()
}

/// Converts records.
pub fn recode(
    from: Format,
    to: Format,
    bytes: &[u8],
    out: &mut [u8],
    faults: &mut Faults,
) -> Result<i32, Failure> {
    if !to.file.can_write() {
        return Err(Failure::Argument(format!("{} can only be read", to.file)));
    }
    out.fill(0);
    let mut encoded = Vec::new();
    for_each_batch(bytes, from, to.file, faults, |first, batch, faults| {
        encoded.clear();
        batch.encode(to.file, &mut encoded);
        faults.add_all(texts(first, batch))?;
        let bad: Vec<usize> = batch.faults().iter().map(|&(row, _)| row).collect();
        let good = batch.labels().0.iter().filter(|row| !bad.contains(row));
        for (&row, record) in good.zip(encoded.chunks_exact(to.size)) {
            out[(first + row) * to.size..][..to.size].copy_from_slice(record);
        }
        Ok(())
    })?;
    Ok(0)
}
