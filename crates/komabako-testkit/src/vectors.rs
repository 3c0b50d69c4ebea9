//! The published test vectors of `vectors/`, as rows. `vectors/README.md` says where they come from.
//!
//! Every loader panics on a malformed row: the files are part of the source.

use komabako_board::{Setup, sfen};

/// A packed position.
pub type Word = [u8; 32];

/// A position with its word in each of the formats in use; `None` where a format has none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Formats {
    /// The position as the file writes it.
    pub sfen: &'static str,
    /// The position.
    pub setup: Setup,
    /// Its PSV word.
    pub psv: Option<Word>,
    /// Its HCP word.
    pub hcp: Option<Word>,
    /// Its SSPFv1 word, of the extension where pieces or kings are missing.
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
    /// Why.
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

/// `invalid_public.tsv`: words that a strict decoder refuses. A row of another shape than [`Word`] is left out.
pub fn invalid() -> impl Iterator<Item = Invalid> {
    rows(include_str!("../vectors/invalid_public.tsv"))
        .filter_map(|[codec, hex, error, note]| Some(Invalid { codec, word: word(hex)?, error, note }))
}

/// The word that 64 hexadecimal digits write, or `None` for another number of them.
///
/// # Panics
/// If there is anything but hexadecimal digits.
pub fn word(hex: &str) -> Option<Word> {
    let mut word = [0; 32];
    if hex.len() != 2 * word.len() {
        return None;
    }
    for (byte, digits) in word.iter_mut().zip(hex.as_bytes().chunks(2)) {
        let digits = str::from_utf8(digits).expect("digits are ASCII");
        *byte = u8::from_str_radix(digits, 16).expect("words are written in hexadecimal");
    }
    Some(word)
}

fn formats(sfen: &'static str, psv: &str, hcp: &str, sspf: &str, nshogi: &str) -> Formats {
    let [psv, hcp, sspf, nshogi] = [psv, hcp, sspf, nshogi]
        .map(|hex| (hex != "-").then(|| word(hex).unwrap_or_else(|| panic!("{hex} is no word"))));
    let setup = sfen::parse(sfen).unwrap_or_else(|error| panic!("{sfen}: {error}")).setup;
    Formats { sfen, setup, psv, hcp, sspf, nshogi }
}

/// The rows of a table, without its header.
fn rows<const COLUMNS: usize>(table: &'static str) -> impl Iterator<Item = [&'static str; COLUMNS]> {
    table.lines().skip(1).map(|line| {
        let cells: Vec<&str> = line.split('\t').collect();
        cells.try_into().unwrap_or_else(|_| panic!("not {COLUMNS} cells: {line}"))
    })
}
