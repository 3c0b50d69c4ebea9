//! The fuzz targets of game records: one per reader, and one for the encodings. `fuzz/` also compiles this file.

use komabako_kifu::{Encoding, Format, Games, LineEnd, ReadOptions, Record, encoding};
use komabako_testkit::fuzz::Target;

/// Every target of this file.
pub const TARGETS: &[Target] = &[READ_KIF, READ_KI2, READ_CSA, READ_JKF, READ_USI, KIFU_TEXT];

/// Reads any text as KIF; the record must be unchanged after writing and reading it again. Texts with an odd number of
/// bytes are read leniently. The comparison reads every text both ways.
pub const READ_KIF: Target = Target::new("read_kif", |input| read(input, Format::Kif))
    .with_comparison(|input| read_both(input, Format::Kif));

/// Any text as KI2.
pub const READ_KI2: Target = Target::new("read_ki2", |input| read(input, Format::Ki2))
    .with_comparison(|input| read_both(input, Format::Ki2));

/// Any text as CSA; written as version 3, which holds more.
pub const READ_CSA: Target = Target::new("read_csa", |input| read(input, Format::Csa3))
    .with_comparison(|input| read_both(input, Format::Csa3));

/// Any text as JKF.
pub const READ_JKF: Target = Target::new("read_jkf", |input| read(input, Format::Jkf))
    .with_comparison(|input| read_both(input, Format::Jkf));

/// Any text as USI.
pub const READ_USI: Target = Target::new("read_usi", |input| read(input, Format::Usi))
    .with_comparison(|input| read_both(input, Format::Usi));

/// Reads any bytes as a file of game records: encoding and format are detected, and CP932 text survives a round trip.
pub const KIFU_TEXT: Target = Target::new("kifu_text", kifu_text);

fn read(input: &[u8], format: Format) {
    read_so(input, format, !input.len().is_multiple_of(2));
}

fn read_both(input: &[u8], format: Format) {
    read_so(input, format, false);
    read_so(input, format, true);
}

fn read_so(input: &[u8], format: Format, lenient: bool) {
    let Ok(text) = str::from_utf8(input) else { return };
    let options = ReadOptions { lenient, keep_comments: lenient };
    for game in Games::new(text, format, options) {
        match game {
            Ok(game) => {
                check_record(&game.record, format);
                assert!(game.stopped.is_none() || lenient);
            }
            Err(error) => {
                let lines = text.split(['\n', '\r']).count() as u32;
                assert!((1..=lines).contains(&error.line), "{error}");
                assert!(error.column >= 1 && error.byte <= text.len(), "{error}");
            }
        }
    }
}

/// A record read in a format must be writable in it, except for content that only other programs write.
fn check_record(record: &Record, format: Format) {
    let (written, _) = format.write(record);
    let again = Games::new(&written, format, ReadOptions::default()).next();
    let again = again.expect("a record").unwrap_or_else(|error| panic!("{error}\n{written}"));
    assert_eq!(again.record, format.project(record), "{written}");
}

fn kifu_text(input: &[u8]) {
    let Ok(decoded) = encoding::decode(input) else { return };
    if let Some(format) = Format::detect(&decoded.text) {
        let games = Games::new(&decoded.text, format, ReadOptions::default());
        games.take(3).for_each(drop);
    }
    if decoded.encoding == Encoding::Cp932
        && let Ok(encoded) = encoding::encode(&decoded.text, Encoding::Cp932, LineEnd::Lf, None)
    {
        let again = encoding::decode(&encoded.bytes).expect("what was encoded is text");
        // A line in UTF-8 may have characters for which CP932 has similar ones.
        let bytes = |text| encoding::encode(text, Encoding::Cp932, LineEnd::Lf, None).unwrap().bytes;
        assert!(again.encoding == Encoding::Utf8 || bytes(&again.text) == encoded.bytes);
    }
}
