//! The numbers of formats, sets and views in the header. They never change.

use komabako::features::nnue::{FeatureSet, First};
use komabako::record::FileFormat;
use komabako::variants::WordFormat;

use crate::failure::Failure;

/// A format of words, or of records of one size.
#[derive(Clone, Copy)]
pub struct Format {
    /// As records.
    pub file: FileFormat,
    /// The size of one in bytes.
    pub size: usize,
}

impl Format {
    /// The format with a number.
    pub fn from_number(number: i32) -> Result<Format, Failure> {
        let file = match number {
            1 => FileFormat::Sspfv1,
            2 => FileFormat::PackedSfen,
            3 => FileFormat::Hcp,
            4 => FileFormat::Nshogi,
            5 => FileFormat::Sspfv1Ext,
            6 => FileFormat::C250,
            7 => FileFormat::R238,
            16 => FileFormat::Psv,
            17 => FileFormat::PsvLenient,
            18 => FileFormat::Hcpe,
            19 => FileFormat::Hcpe2,
            20 => FileFormat::Compact36,
            21 => FileFormat::Compact32,
            22 => FileFormat::Ext36,
            _ => return Err(Failure::Argument(format!("{number} is not the number of a format"))),
        };
        let size = file.record_size().expect("these formats have records of one size");
        Ok(Format { file, size })
    }

    /// The format of words, if the records have nothing but them.
    pub fn word_format(self) -> Result<WordFormat, Failure> {
        let word = self.file.codec().filter(|word| word.size() == self.size);
        word.ok_or_else(|| {
            Failure::Argument(format!("{} has more than positions; pack needs a format of words", self.file))
        })
    }
}

/// The set with a number.
pub fn set(number: i32) -> Result<FeatureSet, Failure> {
    let place = usize::try_from(number).unwrap_or(0);
    let set = place.checked_sub(1).and_then(|place| FeatureSet::ALL.get(place));
    set.copied().ok_or_else(|| Failure::Argument(format!("{number} is not the number of a set of inputs")))
}

/// The view with a number.
pub fn first(number: i32) -> Result<First, Failure> {
    match number {
        0 => Ok(First::SideToMove),
        1 => Ok(First::Black),
        _ => Err(Failure::Argument(format!("{number} is not 0 (side to move) or 1 (Black)"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = include_str!("../../include/komabako.h");

    /// The number that the header gives to a name.
    fn in_header(name: &str) -> i32 {
        let start = format!("KOMABAKO_{} = ", name.to_uppercase().replace('-', "_"));
        let (_, rest) = HEADER.split_once(&start).unwrap_or_else(|| panic!("{start}"));
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap();
        rest[..end].parse().unwrap()
    }

    #[test]
    fn the_header_has_the_same_numbers() {
        for set_of_all in FeatureSet::ALL {
            assert_eq!(set(in_header(set_of_all.name())).unwrap(), set_of_all);
        }
        for &format in FileFormat::ALL {
            if format.record_size().is_some() {
                assert_eq!(Format::from_number(in_header(format.name())).unwrap().file, format);
            }
        }
    }

    #[test]
    fn unknown_numbers_are_refused() {
        for number in [i32::MIN, -1, 0, 11, i32::MAX] {
            assert!(set(number).is_err() && Format::from_number(number).is_err());
        }
        assert!(first(2).is_err() && first(-1).is_err());
        assert!(Format::from_number(16).unwrap().word_format().is_err());
    }
}
