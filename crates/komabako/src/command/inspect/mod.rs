//! `komabako inspect`: one position, its words, and the meaning of every bit of a word.

mod square;
mod view;

use std::iter;
use std::path::Path;

use clap::Args;
use komabako::board::Square;
use komabako::board::sfen::{self, Sfen};
use komabako::codec::packed_sfen::PhantomPawns;
use komabako::dataset::{Block, FileFormat, format_of};
use komabako::kifu::Text;
use komabako::variants::WordFormat;

use super::named::file_format;
use super::{game, game_file, job, records};
use crate::context::Context;
use crate::fault::Fault;
use crate::hex::HexError;
use crate::message::{Report, grouped};
use crate::outcome::{Failure, Outcome};
use crate::word::{NamedFormat, Packed};

#[derive(Args)]
pub struct Inspect {
    #[arg(value_name = "POSITION", required = true)]
    position: Vec<String>,
    #[arg(long, value_name = "N")]
    record: Option<u64>,
    #[arg(long, value_name = "FORMAT", value_parser = file_format())]
    from: Option<FileFormat>,
    #[arg(long, value_name = "FORMAT")]
    format: Option<NamedFormat>,
    #[arg(long)]
    codes: bool,
    #[arg(long, value_name = "SQUARE", value_parser = square::parse)]
    square: Option<Square>,
    #[arg(long)]
    ascii: bool,
}

/// The position or word that is shown.
#[derive(Default)]
struct Subject {
    /// The place of a record, and its labels.
    heading: Vec<String>,
    /// The position; `None` if the word is refused.
    position: Option<Sfen>,
    /// The word to explain; `None` if the position has none.
    word: Option<Packed>,
    /// Faults and other remarks.
    notes: Vec<String>,
}

impl Subject {
    fn at(position: Sfen) -> Self {
        Subject { position: Some(position), ..Subject::default() }
    }
}

impl Inspect {
    pub fn run(&self, context: &Context) -> Result<Outcome, Failure> {
        let text = self.position.join(" ");
        let path = Path::new(&text);
        let subject = match self.record {
            _ if self.from.is_none() && game_file::is_named(&text) => self.game(path, context)?,
            Some(number) => self.record(path, number, context)?,
            None => match self.words(text.as_bytes()) {
                Ok(words) => word(&words, context),
                Err(_) if path.is_file() || job::is_dash(path) || format_of(path).is_some() => {
                    self.record(path, 0, context)?
                }
                Err(error) => self.text(&text, error, context)?,
            },
        };
        context.print(|out| {
            view::show(&subject, self.ascii, self.codes, context, out)?;
            match (&subject.position, self.square) {
                (Some(position), Some(square)) => square::show(&position.setup, square, context, out),
                _ => Ok(()),
            }
        })?;
        Ok(Outcome::from_findings(subject.position.is_none()))
    }

    /// A position from a file of game records: `--record` gives the number of moves before it.
    fn game(&self, path: &Path, context: &Context) -> Result<Subject, Failure> {
        let moves = self.record.unwrap_or(0);
        let (game, has_others) = game_file::first(path, context.lang)?;
        let Some(position) = game_file::position(&game.record, moves) else {
            let what = format!("{}: {}", path.display(), context.lang.kifu_no_position(moves));
            return Err(Failure::CouldNotRun(Report::plain(what)));
        };
        let mut subject = Subject { heading: vec![path.display().to_string()], ..Subject::at(position) };
        if has_others {
            subject.notes.push(context.lang.first_of_games(path.display()));
        }
        Ok(self.explained(subject, context))
    }

    /// A position written as text, or the one after the moves of the text.
    fn text(&self, text: &str, not_hex: HexError, context: &Context) -> Result<Subject, Failure> {
        let lang = context.lang;
        if Text::of(text).has_moves() {
            let position = game::start(text, lang)?.sfen();
            return Ok(self.explained(Subject::at(position), context));
        }
        let position = sfen::parse(text).map_err(|error| {
            // A long text of digits only was meant as a word.
            let fault = match not_hex {
                HexError::Length { digits, .. } if digits > 16 => Fault::Hex(not_hex),
                _ => Fault::Sfen(error),
            };
            let what = match fault.column() {
                Some(column) => lang.position_at_column(column, lang.fault(&fault)),
                None => lang.fault(&fault),
            };
            Failure::CouldNotRun(Report::new(what, lang.inspect_help()))
        })?;
        Ok(self.explained(Subject::at(position), context))
    }

    /// Hex digits as a word of the named format, or of each format whose words have this number of digits.
    fn words(&self, text: &[u8]) -> Result<Vec<Packed>, HexError> {
        if let Some(format) = self.format {
            return Ok(vec![format.parse(text)?]);
        }
        let strict = WordFormat::ALL.iter().copied().map(NamedFormat::from);
        let words: Vec<_> = strict.map(|format| format.parse(text)).collect();
        if words.iter().any(Result::is_ok) {
            Ok(words.into_iter().flatten().collect())
        } else {
            words.into_iter().collect()
        }
    }

    /// A record of a file.
    fn record(&self, path: &Path, number: u64, context: &Context) -> Result<Subject, Failure> {
        let lang = context.lang;
        let (detection, records) = records::open(path, self.from, context)?;
        let Some((format, mut records)) = detection.format.zip(records) else {
            return Err(no_such_record(path, number, 0, context));
        };
        let mut block = Block::default();
        while records.next_block(&mut block)? {
            let Some(index) =
                (number - block.first_record()).try_into().ok().filter(|&index| index < block.len())
            else {
                continue;
            };
            let bytes = block.record(index);
            let place = lang.record_heading(
                job::name(path, lang.stdin()),
                number,
                grouped(block.offset(index)),
                format,
            );
            let game = block.place(index).map(|place| lang.game_heading(grouped(place.game), place.number));
            let heading = iter::once(place).chain(game);
            let word = Packed::of_record(format, bytes);
            return Ok(match block.decode(format, index) {
                Ok(record) => {
                    let position = Sfen { setup: record.setup, ply: record.labels.ply };
                    let heading = heading.chain([lang.labels(&record)]).collect();
                    self.explained(Subject { heading, word, ..Subject::at(position) }, context)
                }
                Err(fault) => {
                    let notes = vec![lang.record_fault(&fault)];
                    Subject { heading: heading.collect(), position: None, word, notes }
                }
            });
        }
        Err(no_such_record(path, number, block.first_record(), context))
    }

    /// The subject with the word to explain: in the format that the user names, or else the word it has, or else in the first
    /// format that holds the position.
    fn explained(&self, mut subject: Subject, context: &Context) -> Subject {
        let Some(Sfen { setup, .. }) = &subject.position else { return subject };
        match (self.format, subject.word) {
            (Some(format), _) => match format.pack(setup, context.backend) {
                Ok(word) => subject.word = Some(word),
                Err(error) => {
                    let why = context.lang.say(&error);
                    subject.notes.push(context.lang.not_held(format, why));
                    subject.word = None;
                }
            },
            (None, Some(_)) => {}
            (None, None) => {
                let mut strict = WordFormat::ALL.iter().copied().map(NamedFormat::from);
                subject.word = strict.find_map(|format| format.pack(setup, context.backend).ok());
            }
        }
        subject
    }
}

/// A word in the first format that accepts it; `words` are the same bytes in several formats. A single one is explained even if
/// it is refused.
fn word(words: &[Packed], context: &Context) -> Subject {
    let lang = context.lang;
    let mut subject = Subject::default();
    for word in words {
        match (word.unpack(context.backend, PhantomPawns::Error), subject.position) {
            (Ok(setup), None) => {
                subject.position = Some(Sfen { setup, ply: None });
                subject.word = Some(*word);
            }
            (Ok(_), Some(_)) => subject.notes.push(lang.also_taken(word.format())),
            (Err(fault), _) => subject.notes.push(lang.refused(word.format(), lang.fault(&fault))),
        }
    }
    if let [word] = words {
        subject.word = Some(*word);
    }
    subject
}

fn no_such_record(path: &Path, number: u64, count: u64, context: &Context) -> Failure {
    let name = job::name(path, context.lang.stdin());
    Failure::CouldNotRun(context.lang.no_such_record(name, number, grouped(count)))
}
