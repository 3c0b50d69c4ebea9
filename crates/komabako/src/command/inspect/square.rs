//! The output of `inspect --square`: the bits of a square in every format.

use std::io::{self, Write};
use std::ops::Range;

use komabako::board::{File, Rank, Setup, Square, square};
use komabako::variants::WordFormat;

use crate::context::Context;
use crate::message::Wanted;
use crate::style::{self, Style, painted};
use crate::table::Table;
use crate::word::{NamedFormat, Packed};

/// Reads a square in USI notation: `7g`.
pub fn parse(text: &str) -> Result<Square, Wanted> {
    let square = match *text.as_bytes() {
        [file, rank] => File::from_usi(file).zip(Rank::from_usi(rank)),
        _ => None,
    };
    let (file, rank) = square.ok_or_else(|| Wanted::one_of("1a … 9i"))?;
    Ok(square::at(file, rank))
}

/// Prints the bits of a square in every format that holds the position.
pub fn show(setup: &Setup, square: Square, context: &Context, out: &mut impl Write) -> io::Result<()> {
    let lang = context.lang;
    let name = format!("{}{}", File::of(square).to_usi(), Rank::of(square).to_usi());
    writeln!(out, "\n{}", painted(&lang.square_heading(name), style::HEADING))?;
    let mut table = Table::default();
    for &format in WordFormat::ALL {
        let Ok(word) = NamedFormat::from(format).pack(setup, context.backend) else { continue };
        let (bits, style) = match word.owners() {
            Some(owners) => (bits_text(&word, owners.bits_of_square(square)), Style::new()),
            None => (lang.no_bits_of_squares(), style::FAINT),
        };
        table.push_row([(format.name().to_owned(), style::NAME), (bits, style)]);
    }
    table.write(out, "  ")
}

/// The bits of a set with their values: `19-22 = 0100, 131 = 1`.
fn bits_text(word: &Packed, set: [u64; 4]) -> String {
    let is_in = |bit: usize| set[bit / 64] >> (bit % 64) & 1 == 1;
    let mut runs: Vec<Range<usize>> = Vec::new();
    for bit in (0..256).filter(|&bit| is_in(bit)) {
        match runs.last_mut() {
            Some(run) if run.end == bit => run.end += 1,
            _ => runs.push(bit..bit + 1),
        }
    }
    let value = |bit: usize| if word.bytes()[bit / 8] >> (bit % 8) & 1 == 1 { '1' } else { '0' };
    let text = |run: Range<usize>| {
        let values: String = run.clone().map(value).collect();
        match run.len() {
            1 => format!("{} = {values}", run.start),
            _ => format!("{}-{} = {values}", run.start, run.end - 1),
        }
    };
    runs.into_iter().map(text).collect::<Vec<_>>().join(", ")
}
