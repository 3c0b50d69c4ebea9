//! [`Amount`]: a number of bytes, as far as it is known beforehand.

use core::ops::Add;

use crate::{Compression, FileFormat, Inputs};

/// A number of bytes, as far as it is known beforehand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Amount {
    /// The lower bound.
    pub least: u64,
    /// The upper bound; `None` if it is unknown.
    pub most: Option<u64>,
}

impl Amount {
    /// An unknown amount.
    pub const UNKNOWN: Amount = Amount { least: 0, most: None };

    /// An exact amount.
    pub const fn exactly(bytes: u64) -> Amount {
        Amount { least: bytes, most: Some(bytes) }
    }

    /// At most this amount.
    pub const fn up_to(bytes: u64) -> Amount {
        Amount { least: 0, most: Some(bytes) }
    }

    /// The larger of two amounts.
    pub(crate) fn max(self, other: Amount) -> Amount {
        // The maximum with an unknown amount is unknown.
        let most = self.most.zip(other.most).map(|(one, other)| one.max(other));
        Amount { least: self.least.max(other.least), most }
    }

    /// The same, capped.
    pub(crate) fn min(self, bytes: u64) -> Amount {
        Amount { least: self.least.min(bytes), most: Some(self.most.map_or(bytes, |most| most.min(bytes))) }
    }

    /// The same amount or less.
    pub(crate) fn or_less(self) -> Amount {
        Amount { least: 0, ..self }
    }

    /// The size of `records` in a format; `None` for an unknown number of records.
    pub(crate) fn of_records(records: Option<u64>, to: FileFormat) -> Amount {
        let bytes = records.zip(to.record_size()).map(|(records, size)| records.saturating_mul(size as u64));
        bytes.map_or(Amount::UNKNOWN, Amount::exactly)
    }

    /// The size of all records of the inputs in a format: known for records of one size, and for uncompressed files whose
    /// records stay in their format and are `copied` byte for byte.
    pub(crate) fn of_all(inputs: &Inputs, to: FileFormat, copied: bool) -> Amount {
        let is_plain = |source: &crate::Source| {
            let detection = source.detection();
            detection.compression == Compression::None && detection.format == Some(to)
        };
        match (Amount::of_records(inputs.expected(), to), inputs.size()) {
            (Amount { most: None, .. }, Some(size))
                if copied && inputs.window().is_everything() && inputs.sources().iter().all(is_plain) =>
            {
                match to.header().len() as u64 {
                    0 => Amount::exactly(size),
                    // A header is written even if the input has none.
                    header => Amount::up_to(size.saturating_add(header)),
                }
            }
            (amount, _) => amount,
        }
    }

    /// The amount after compression, whose ratio is unknown.
    pub(crate) fn compressed(self, compression: Compression) -> Amount {
        if compression == Compression::None { self } else { self.or_less() }
    }
}

impl Add for Amount {
    type Output = Amount;

    fn add(self, other: Amount) -> Amount {
        let most = self.most.zip(other.most).map(|(one, other)| one.saturating_add(other));
        Amount { least: self.least.saturating_add(other.least), most }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_fields_stay_unknown() {
        let known = Amount::exactly(3) + Amount::up_to(4);
        assert_eq!(known, Amount { least: 3, most: Some(7) });
        assert_eq!(known + Amount::UNKNOWN, Amount { least: 3, most: None });
        assert_eq!(known.max(Amount::UNKNOWN), Amount { least: 3, most: None });
        assert_eq!(known.max(Amount::exactly(5)), Amount { least: 5, most: Some(7) });
        assert_eq!(Amount::exactly(5).compressed(Compression::Zstd), Amount::up_to(5));
    }

    #[test]
    fn fixed_size_records_are_counted_exactly() {
        assert_eq!(Amount::of_records(Some(10), FileFormat::Psv), Amount::exactly(400));
        assert_eq!(Amount::of_records(Some(10), FileFormat::Sfen), Amount::UNKNOWN);
        assert_eq!(Amount::of_records(None, FileFormat::Psv), Amount::UNKNOWN);
    }
}
