//! The output of `inspect`.

use std::io::{self, Write};

use komabako::board::sfen::Sfen;
use komabako::board::{Position, Setup, diagram};
use komabako::variants::WordFormat;

use super::Subject;
use crate::context::Context;
use crate::hex;
use crate::message::Lang;
use crate::style::{self, Style, painted};
use crate::table::Table;
use crate::word::NamedFormat;

/// Bits of a field per line.
const BITS_PER_LINE: usize = 40;

/// Prints a subject: the board in letters if `ascii`, every code of a word if `codes`.
pub fn show(
    subject: &Subject,
    ascii: bool,
    codes: bool,
    context: &Context,
    out: &mut impl Write,
) -> io::Result<()> {
    let lang = context.lang;
    for line in &subject.heading {
        writeln!(out, "{}", painted(line, style::HEADING))?;
    }
    if let Some(position) = &subject.position {
        show_position(position, ascii, context, out)?;
    }
    for note in &subject.notes {
        writeln!(out, "{}", painted(note, style::WARNING))?;
    }
    let Some(word) = &subject.word else { return Ok(()) };
    writeln!(out, "\n{}", painted(&lang.fields_heading(word.format()), style::HEADING))?;
    let mut table = bits_table(lang);
    for field in word.fields() {
        add_bits(&mut table, field.field.name(), field.offset, &field.bits, &lang.meaning(&field.meaning));
    }
    table.write(out, "  ")?;
    let symbols = word.symbols();
    if codes && !symbols.is_empty() {
        writeln!(out, "\n{}", painted(&lang.codes_heading(word.format()), style::HEADING))?;
        let mut table = bits_table(lang);
        for symbol in symbols {
            let meaning = lang.meaning(&symbol.meaning);
            add_bits(&mut table, symbol.field.name(), symbol.offset, &symbol.bits, &meaning);
        }
        table.write(out, "  ")?;
    }
    Ok(())
}

fn show_position(position: &Sfen, ascii: bool, context: &Context, out: &mut impl Write) -> io::Result<()> {
    let lang = context.lang;
    let setup = &position.setup;
    writeln!(out, "{position}\n")?;
    if ascii {
        writeln!(out, "{}", diagram::ascii(setup))?;
    } else {
        writeln!(out, "{}", diagram::kanji(setup))?;
    }
    if let Err(error) = Position::new_tsume(*setup) {
        for fault in error.faults() {
            let note = lang.not_playable(lang.say(fault));
            writeln!(out, "{}", painted(&note, style::WARNING))?;
        }
    }
    writeln!(out, "\n{}", painted(&lang.words_heading(), style::HEADING))?;
    words_table(setup, context).write(out, "  ")
}

/// The position in every format, or why a format cannot hold it.
fn words_table(setup: &Setup, context: &Context) -> Table {
    let mut table = Table::default();
    for &format in WordFormat::ALL {
        let (text, style) = match NamedFormat::from(format).pack(setup, context.backend) {
            Ok(word) => (hex::string(word.bytes()), Style::new()),
            Err(error) => (format!("- {}", context.lang.say(&error)), style::FAINT),
        };
        table.push_row([(format.name().to_owned(), style::NAME), (text, style)]);
    }
    table
}

fn bits_table(lang: Lang) -> Table {
    Table::with_headings([
        lang.field_heading(),
        lang.bits_heading(),
        lang.meaning_heading(),
        lang.value_heading(),
    ])
}

/// Adds a field or a code: its name, bits, meaning, and value in lines of [`BITS_PER_LINE`].
fn add_bits(table: &mut Table, name: &str, offset: u16, bits: &str, meaning: &str) {
    let mut lines =
        bits.as_bytes().chunks(BITS_PER_LINE).map(|line| String::from_utf8_lossy(line).into_owned());
    let range = match bits.len() {
        0 => String::new(),
        1 => offset.to_string(),
        len => format!("{offset}-{}", usize::from(offset) + len - 1),
    };
    table.push_row([
        (name.to_owned(), style::NAME),
        (range, Style::new()),
        (meaning.to_owned(), Style::new()),
        (lines.next().unwrap_or_default(), style::GOOD),
    ]);
    for line in lines {
        let blank = || (String::new(), Style::new());
        table.push_row([blank(), blank(), blank(), (line, style::GOOD)]);
    }
}
