//! The corpus: real positions, one SFEN a line.

use std::fs;

use komabako::board::{Setup, sfen};

/// Where the corpus lies; `corpus/README.md` tells where it comes from.
pub const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/corpus.sfen");

/// The positions of the corpus, in file order: 12,288, more than a branch predictor can learn.
///
/// # Panics
/// If the file cannot be read or a line is not SFEN.
pub fn setups() -> Vec<Setup> {
    let text = fs::read_to_string(PATH).unwrap_or_else(|why| panic!("{PATH}: {why}"));
    let parse = |(index, line)| match sfen::parse(line) {
        Ok(sfen) => sfen.setup,
        Err(why) => panic!("{PATH}, line {}: {why}", index + 1),
    };
    text.lines().enumerate().map(parse).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn the_corpus_holds_many_positions_and_none_twice() {
        let setups = setups();
        assert_eq!(setups.len(), 12_288);
        assert_eq!(setups.iter().collect::<HashSet<_>>().len(), setups.len());
    }
}
