//! The corpus: real positions, one SFEN per line.

use std::fs;

use komabako::board::{Setup, sfen};

/// The path of the corpus; `corpus/README.md` describes its origin.
pub const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/corpus.sfen");

/// The positions of the corpus, in file order: 12,288, more than a branch predictor can learn.
///
/// # Panics
/// If the file cannot be read or a line is not SFEN.
pub fn setups() -> Vec<Setup> {
    read(PATH).unwrap_or_else(|why| panic!("{why}"))
}

/// The positions of a file of SFEN lines, in file order.
///
/// # Errors
/// The fault of the file, with its name and line.
pub fn read(path: &str) -> Result<Vec<Setup>, String> {
    let text = fs::read_to_string(path).map_err(|why| format!("{path}: {why}"))?;
    let parse = |(index, line)| match sfen::parse(line) {
        Ok(sfen) => Ok(sfen.setup),
        Err(why) => Err(format!("{path}, line {}: {why}", index + 1)),
    };
    let setups: Vec<Setup> = text.lines().enumerate().map(parse).collect::<Result<_, _>>()?;
    if setups.is_empty() { Err(format!("{path} holds no position")) } else { Ok(setups) }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn corpus_has_many_distinct_positions() {
        let setups = setups();
        assert_eq!(setups.len(), 12_288);
        assert_eq!(setups.iter().collect::<HashSet<_>>().len(), setups.len());
    }
}
