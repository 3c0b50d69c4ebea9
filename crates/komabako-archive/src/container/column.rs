//! [`Column`]: values that a user adds to the records of a block.

use alloc::string::String;
use alloc::vec::Vec;

use super::block::{MAX_PAYLOAD, USER_COLUMN};
use super::{BlockHeader, sum};
use crate::columns::{ColumnReader, ColumnWriter};
use crate::error::Fault;

/// A value for each record of a block, under a name: further scores, marks. Records are read without it.
///
/// Its block comes after the block of the records, or after another column of it.
///
/// ```
/// use komabako_archive::{BlockHeader, Column};
/// let marks = Column { name: "mark".into(), width: 1, values: vec![0, 2, 0] };
/// let block = marks.to_block(0, 3)?;
/// let (header, payload) = block.split_first_chunk().unwrap();
/// assert_eq!(Column::parse(&BlockHeader::parse(header)?, payload)?, marks);
/// # Ok::<(), komabako_archive::Fault>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Column {
    /// The name, of 1 to 255 bytes.
    pub name: String,
    /// The size of a value in bytes, from 1.
    pub width: u8,
    /// The values.
    pub values: Vec<u8>,
}

impl Column {
    /// The most bytes of a name and its length, with which a payload begins.
    pub const LONGEST_NAME: u64 = 256;

    /// The column as a block, after that of `records` records from number `first` of the member on.
    ///
    /// # Errors
    /// [`Fault::Column`] if the name is empty or longer than 255 bytes, the values are not one for each record, or they take more
    /// than [`MAX_PAYLOAD`].
    pub fn to_block(&self, first: u64, records: u32) -> Result<Vec<u8>, Fault> {
        let Column { name, width, values } = self;
        let length = u8::try_from(name.len()).map_err(|_| Fault::Column)?;
        let is_whole = values.len() as u64 == u64::from(records) * u64::from(*width);
        if length == 0 || *width == 0 || !is_whole || values.len() > MAX_PAYLOAD as usize {
            return Err(Fault::Column);
        }
        let mut payload = Vec::new();
        payload.push(length);
        payload.extend_from_slice(name.as_bytes());
        payload.push(*width);
        ColumnWriter::new(3).write(values, &mut payload);
        if payload.len() > MAX_PAYLOAD as usize {
            return Err(Fault::Column);
        }
        Ok(BlockHeader::with_payload(USER_COLUMN, records, first, sum(values), &payload))
    }

    /// The name of the column with a payload, without the values.
    ///
    /// # Errors
    /// [`Fault::Column`].
    pub fn name_of(payload: &[u8]) -> Result<&str, Fault> {
        let (&length, rest) = payload.split_first().ok_or(Fault::Column)?;
        let name = rest.get(..usize::from(length)).filter(|name| !name.is_empty()).ok_or(Fault::Column)?;
        str::from_utf8(name).map_err(|_| Fault::Column)
    }

    /// Reads the column with a block's header and payload.
    ///
    /// # Errors
    /// [`Fault::Column`] if the block is damaged or no user column; [`Fault::NoZstd`] without the feature `fast`.
    pub fn parse(header: &BlockHeader, payload: &[u8]) -> Result<Column, Fault> {
        if header.codec != USER_COLUMN || header.check_payload(payload).is_err() {
            return Err(Fault::Column);
        }
        let name = Column::name_of(payload)?;
        let (&width, column) = payload[1 + name.len()..].split_first().ok_or(Fault::Column)?;
        let length = header.records as usize * usize::from(width);
        if length > MAX_PAYLOAD as usize {
            return Err(Fault::Column);
        }
        let mut column = ColumnReader::new(column);
        let values = match column.read(length) {
            Err(Fault::NoZstd) => return Err(Fault::NoZstd),
            values => values.map_err(|_| Fault::Column)?,
        };
        if width == 0 || !column.is_at_end() || sum(&values) != header.records_sum {
            return Err(Fault::Column);
        }
        Ok(Column { name: name.into(), width, values: values.into_owned() })
    }
}
