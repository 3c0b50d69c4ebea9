//! The published test vectors of `vectors/`, as rows. `vectors/README.md` documents their origin.
//!
//! Every loader panics on a malformed row: the files are part of the source.

use komabako_board::{Setup, sfen};

/// A packed position.
pub type Word = [u8; 32];

/// A position with its word in each of the formats in use; `None` where a format has none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Formats {
    /// The position's text in the file.
    pub sfen: &'static str,
    /// The position.
    pub setup: Setup,
    /// Its PSV word.
    pub psv: Option<Word>,
    /// Its HCP word.
    pub hcp: Option<Word>,
    /// Its SSPFv1 word; a word of the extension if pieces or kings are missing.
    pub sspf: Option<Word>,
    /// Its nshogi word.
    pub nshogi: Option<Word>,
}

/// A word that a strict decoder refuses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Invalid {
    /// The decoder: `base`, `ext` or `c250`.
    pub codec: &'static str,
    /// The word.
    pub word: Word,
    /// The error's name.
    pub error: &'static str,
    /// The reason.
    pub note: &'static str,
}

/// `base_public.tsv`: positions of all 40 pieces.
pub fn base() -> impl Iterator<Item = Formats> {
    rows(include_str!("../vectors/base_public.tsv"))
        .map(|[sfen, psv, sspf, hcp]| formats(sfen, psv, hcp, sspf, "-"))
}

/// `handicap_public.tsv`: positions with missing pieces or kings.
pub fn handicap() -> impl Iterator<Item = Formats> {
    rows(include_str!("../vectors/handicap_public.tsv"))
        .map(|[sfen, psv, hcp, sspf, _category]| formats(sfen, psv, hcp, sspf, "-"))
}

/// `formats_public.tsv`: the vectors of the formats' reference text.
pub fn in_all_formats() -> impl Iterator<Item = Formats> {
    rows(include_str!("../vectors/formats_public.tsv"))
        .map(|[_name, sfen, psv, hcp, sspf, nshogi]| formats(sfen, psv, hcp, sspf, nshogi))
}

/// `named.tsv`: named positions with their SSPFv1 words.
pub fn named() -> impl Iterator<Item = (&'static str, Formats)> {
    rows(include_str!("../vectors/named.tsv"))
        .map(|[name, sfen, sspf, _compact, _rank]| (name, formats(sfen, "-", "-", sspf, "-")))
}

/// `invalid_public.tsv`: words that a strict decoder refuses. Rows whose hex is not 32 bytes are skipped.
pub fn invalid() -> impl Iterator<Item = Invalid> {
    rows(include_str!("../vectors/invalid_public.tsv"))
        .filter_map(|[codec, hex, error, note]| Some(Invalid { codec, word: word(hex)?, error, note }))
}

/// `perft.tsv`: positions with a depth and the number of sequences of that many legal moves.
///
/// # Panics
/// If a depth or a count is not a number.
pub fn perft() -> impl Iterator<Item = (&'static str, u32, u64)> {
    rows(include_str!("../vectors/perft.tsv")).map(|[sfen, depth, nodes, _themes, _source]| {
        (sfen, depth.parse().expect("a depth"), nodes.parse().expect("a count"))
    })
}

/// The word written as 64 hexadecimal digits, or `None` for any other number of digits.
///
/// # Panics
/// If a character is not a hexadecimal digit.
pub fn word(hex: &str) -> Option<Word> {
    bytes(hex)
}

fn bytes<const LEN: usize>(hex: &str) -> Option<[u8; LEN]> {
    let mut word = [0; LEN];
    if hex.len() != 2 * word.len() {
        return None;
    }
    for (byte, digits) in word.iter_mut().zip(hex.as_bytes().chunks(2)) {
        let digits = str::from_utf8(digits).expect("digits are ASCII");
        *byte = u8::from_str_radix(digits, 16).expect("words are written in hexadecimal");
    }
    Some(word)
}

/// A position in the formats that hold every position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Variants {
    /// The position.
    pub setup: Setup,
    /// Its word of SSPFv1's extension.
    pub ext: Word,
    /// Its C250 word with payload 0.
    pub compact: Word,
    /// Its R238 rank, least significant byte first.
    pub rank: [u8; 30],
}

/// `named.tsv`, all columns but the name.
pub fn named_variants() -> impl Iterator<Item = Variants> {
    rows(include_str!("../vectors/named.tsv")).map(|[_name, sfen, ext, compact, rank]| Variants {
        setup: setup(sfen),
        ext: exactly(ext),
        compact: exactly(compact),
        rank: exactly(rank),
    })
}

/// `ext_public.tsv`: positions with their words of SSPFv1's extension.
pub fn ext() -> impl Iterator<Item = (Setup, Word)> {
    rows(include_str!("../vectors/ext_public.tsv")).map(|[sfen, word]| (setup(sfen), exactly(word)))
}

/// `compact_public.tsv`: positions and payloads with their C250 words.
pub fn compact() -> impl Iterator<Item = (Setup, u8, Word)> {
    rows(include_str!("../vectors/compact_public.tsv"))
        .map(|[sfen, payload, word]| (setup(sfen), small(payload), exactly(word)))
}

/// `rank_public.tsv`: positions with their R238 ranks.
pub fn rank() -> impl Iterator<Item = (Setup, [u8; 30])> {
    rows(include_str!("../vectors/rank_public.tsv")).map(|[sfen, rank]| (setup(sfen), exactly(rank)))
}

/// `lenient_public.tsv`: words of SSPFv1's extension whose tails are not in canonical order, their setups, and the canonical
/// words.
pub fn lenient() -> impl Iterator<Item = (Word, Setup, Word)> {
    rows(include_str!("../vectors/lenient_public.tsv"))
        .map(|[word, sfen, canonical]| (exactly(word), setup(sfen), exactly(canonical)))
}

/// An archive and the records in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Archive {
    /// What it shows.
    pub name: &'static str,
    /// The format of its records: `psv` or `hcpe`.
    pub source: &'static str,
    /// The codec of its blocks: `stored`, `columns` without zstd, `columns-zstd` or `model`.
    pub codec: &'static str,
    /// The number of records in a block.
    pub block: usize,
    /// The records.
    pub records: Vec<u8>,
    /// The archive.
    pub archive: Vec<u8>,
}

/// `archive_public.tsv`: archives (`.kmb`) and their records.
pub fn archives() -> impl Iterator<Item = Archive> {
    rows(include_str!("../vectors/archive_public.tsv")).map(
        |[name, source, codec, block, records, archive]| Archive {
            name,
            source,
            codec,
            block: number(block),
            records: any_bytes(records),
            archive: any_bytes(archive),
        },
    )
}

fn any_bytes(hex: &str) -> Vec<u8> {
    let hex = if hex == "-" { "" } else { hex };
    assert!(hex.len().is_multiple_of(2), "{hex} is not whole bytes");
    let byte = |at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap_or_else(|_| panic!("{hex} is not hex"));
    (0..hex.len()).step_by(2).map(byte).collect()
}

fn exactly<const LEN: usize>(hex: &str) -> [u8; LEN] {
    bytes(hex).unwrap_or_else(|| panic!("{hex} is not {LEN} bytes"))
}

fn small(text: &str) -> u8 {
    u8::try_from(number(text)).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn number(text: &str) -> usize {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn setup(sfen: &str) -> Setup {
    sfen::parse(sfen).unwrap_or_else(|error| panic!("{sfen}: {error}")).setup
}

fn formats(sfen: &'static str, psv: &str, hcp: &str, sspf: &str, nshogi: &str) -> Formats {
    let [psv, hcp, sspf, nshogi] = [psv, hcp, sspf, nshogi]
        .map(|hex| (hex != "-").then(|| word(hex).unwrap_or_else(|| panic!("{hex} is no word"))));
    Formats { sfen, setup: setup(sfen), psv, hcp, sspf, nshogi }
}

/// The rows of a table, without its header.
fn rows<const COLUMNS: usize>(table: &'static str) -> impl Iterator<Item = [&'static str; COLUMNS]> {
    table.lines().skip(1).map(|line| {
        let cells: Vec<&str> = line.split('\t').collect();
        cells.try_into().unwrap_or_else(|_| panic!("not {COLUMNS} cells: {line}"))
    })
}
