//! [`Refusals`]: the records of a batch that a codec refuses.

use alloc::vec::Vec;
use core::ops::Range;

use komabako_codec::SliceError;

use crate::fault::RecordFault;

/// After a refusal, records are run one by one until this many in a row were good.
const ONE_BY_ONE: usize = 16;

/// Collects the refusals of a codec.
pub struct Refusals<'a> {
    /// The index in the block of each record.
    pub rows: &'a [usize],
    /// The output: the faults, by these indices.
    pub faults: &'a mut Vec<(usize, RecordFault)>,
    /// The output: the indices in the columns of the refused records.
    pub refused: &'a mut Vec<usize>,
}

impl Refusals<'_> {
    /// Runs a codec on all records in slices, each up to its first refusal.
    ///
    /// A slice kernel reads the codes of several words before it checks the first, and a refusal discards that work. Bad
    /// records come in clusters, so the records after one are run singly; otherwise a half-bad file would take several
    /// times as long as a good one.
    pub fn collect<E: Into<RecordFault>>(
        &mut self,
        records: usize,
        mut run: impl FnMut(Range<usize>) -> Result<(), SliceError<E>>,
    ) {
        let mut start = 0;
        let mut single = 0_usize;
        while start < records {
            let end = if single > 0 { start + 1 } else { records };
            match run(start..end) {
                Ok(()) => {
                    single = single.saturating_sub(1);
                    start = end;
                }
                Err(SliceError { index, error }) => {
                    let index = start + index;
                    self.faults.push((self.rows[index], error.into()));
                    self.refused.push(index);
                    single = ONE_BY_ONE;
                    start = index + 1;
                }
            }
        }
    }
}
