//! [`Envelope`]: the report that every `--json` prints. `docs/json.schema.json` describes it; its members are part of the
//! program's interface.

use std::collections::BTreeMap;
use std::io;

use komabako::dataset::error::{RecordError, Tail as DatasetTail};
use komabako::dataset::kifu::{BadGame as DatasetBadGame, BadGameFault};
use komabako::dataset::move16::MoveEncoding;
use komabako::dataset::preflight::Disk;
use komabako::dataset::sample_check::Mismatch as DatasetMismatch;
use komabako::dataset::{Counts, FileFormat, LossKind, Lost, Name, Note as DatasetNote, Preflight};
use komabako::kifu::Losses;
use serde::Serialize;

use crate::context::Context;
use crate::escape;
use crate::message::mismatch::repair_words;
use crate::message::{Lang, Reason, Report};
use crate::route::{Endpoint, Route};

/// A JSON object with these members, in this order.
macro_rules! object {
    ($($(#[$attribute:meta])* $name:ident: $value:expr),* $(,)?) => {{
        // Each member has a type parameter of its name.
        #[allow(non_camel_case_types)]
        let object = {
            #[derive(serde::Serialize)]
            struct Object<$($name),*> {
                $($(#[$attribute])* $name: $name),*
            }
            Object { $($name: $value),* }
        };
        object
    }};
}

pub(crate) use object;

/// The result of a command, or its error. Members that do not apply to a command are empty or `null`, never absent; the members
/// specific to one command come last.
#[derive(Serialize)]
pub struct Envelope<'a, D = NoMembers> {
    pub command: &'a str,
    pub inputs: Vec<File<'a>>,
    pub output: Option<File<'a>>,
    pub outputs: Vec<File<'a>>,
    pub read: Option<u64>,
    pub written: Option<u64>,
    pub bytes_read: Option<u64>,
    pub bytes_written: Option<u64>,
    pub bad_total: u64,
    pub bad: BTreeMap<&'a str, u64>,
    pub samples: Vec<Sample<'a>>,
    pub tails: Vec<Tail<'a>>,
    pub notes: Vec<Note>,
    pub losses: Vec<Loss>,
    pub seconds: Option<f64>,
    pub needs: Option<Needs>,
    pub error: Option<Error<'a>>,
    #[serde(flatten)]
    pub members: D,
}

/// No command-specific members.
#[derive(Serialize)]
pub struct NoMembers {}

impl<'a> Envelope<'a> {
    /// An empty report.
    pub fn new(context: &'a Context) -> Self {
        Envelope::with(NoMembers {}, context)
    }

    /// The report of a failure.
    pub fn failed(report: &'a Report, context: &'a Context) -> Self {
        let Report { kind, ref what, ref help, ref mismatch } = *report;
        let mismatch = mismatch.as_deref().map(Mismatch::new);
        let error = Error { kind, message: what, help: help.as_deref(), mismatch };
        Envelope { error: Some(error), ..Envelope::new(context) }
    }
}

impl<'a, D: Serialize> Envelope<'a, D> {
    /// A report with only the command-specific members.
    pub fn with(members: D, context: &'a Context) -> Self {
        Envelope {
            command: &context.command,
            inputs: Vec::new(),
            output: None,
            outputs: Vec::new(),
            read: None,
            written: None,
            bytes_read: None,
            bytes_written: None,
            bad_total: 0,
            bad: BTreeMap::new(),
            samples: Vec::new(),
            tails: Vec::new(),
            notes: Vec::new(),
            losses: Vec::new(),
            seconds: None,
            needs: None,
            error: None,
            members,
        }
    }

    /// The report of a job: its inputs and its output, the counts of records, and what the output lacks.
    pub fn of_job<F: Reason>(
        members: D,
        route: &'a Route,
        counts: &'a Counts<F>,
        lost: &[Lost],
        context: &'a Context,
    ) -> Self {
        Envelope {
            inputs: route.inputs.iter().map(File::new).collect(),
            output: Some(File::new(&route.output)),
            losses: losses(lost, context.lang),
            ..Envelope::with(members, context).with_counts(counts, context.lang)
        }
    }

    /// Adds the counts of records that a job read, wrote and left out.
    pub fn with_counts<F: Reason>(self, counts: &'a Counts<F>, lang: Lang) -> Self {
        Envelope {
            read: Some(counts.read),
            written: Some(counts.written),
            bytes_read: Some(counts.bytes_read),
            bytes_written: Some(counts.bytes_written),
            bad_total: counts.bad_total(),
            bad: counts.bad.iter().map(|(name, &count)| (&**name, count)).collect(),
            samples: samples(&counts.samples, lang),
            tails: tails(&counts.tails, lang),
            notes: notes(&counts.notes, lang),
            seconds: Some(counts.seconds),
            ..self
        }
    }

    /// Writes the report, indented.
    ///
    /// # Errors
    /// An error of writing to `out`.
    pub fn write(&self, out: &mut impl io::Write) -> io::Result<()> {
        writeln!(out, "{}", escape::json(serde_json::to_string_pretty(self)?))?;
        out.flush()
    }
}

/// An input or an output. `name` is `-` for the standard streams; `format` is `null` for an empty input whose name does not
/// imply one.
#[derive(Serialize)]
pub struct File<'a> {
    pub name: &'a str,
    pub format: Option<&'static str>,
    pub compression: Option<&'static str>,
}

impl<'a> File<'a> {
    /// A file without a compression: game records, problems, or an output of which only the name is known.
    pub fn named(name: &'a str, format: Option<&'static str>) -> Self {
        File { name, format, compression: None }
    }

    /// An input or the output of a job.
    pub fn new(end: &'a Endpoint) -> Self {
        let format = end.format.map(FileFormat::name);
        File { name: end.name.plain(), format, compression: Some(end.compression.name()) }
    }
}

/// A bad record.
#[derive(Serialize)]
pub struct Sample<'a> {
    input: &'a Name,
    record: u64,
    offset: u64,
    line: Option<u64>,
    fault: &'static str,
    message: String,
}

impl<'a> Sample<'a> {
    fn new<F: Reason>(error: &'a RecordError<F>, lang: Lang) -> Self {
        Sample {
            input: &error.input,
            record: error.record,
            offset: error.offset,
            line: error.line,
            fault: error.fault.name(),
            message: error.fault.explain(lang),
        }
    }
}

/// The unread end of an input.
#[derive(Serialize)]
pub struct Tail<'a> {
    input: &'a Name,
    records: u64,
    offset: u64,
    length: u64,
    message: String,
}

impl<'a> Tail<'a> {
    /// The JSON form of a tail.
    pub fn new(tail: &'a DatasetTail, lang: Lang) -> Self {
        Tail {
            input: &tail.input,
            records: tail.records,
            offset: tail.offset,
            length: tail.length,
            message: lang.say(tail),
        }
    }
}

/// A field that a conversion does not carry over.
#[derive(Serialize)]
pub struct Loss {
    field: &'static str,
    kind: &'static str,
    /// The number of times; `None` if it was not counted.
    count: Option<u64>,
    message: String,
}

impl Loss {
    /// The JSON form of a loss.
    pub fn new(lost: &Lost, lang: Lang) -> Self {
        let Lost { loss, count } = lost;
        Loss { field: loss.field.name(), kind: loss.kind.name(), count: *count, message: lang.say(loss) }
    }
}

/// The losses of game records that were converted to another format.
pub fn game_losses(losses: &Losses, lang: Lang) -> Vec<Loss> {
    let counts = losses.counts().into_iter().filter(|&(_, count)| count > 0);
    let form = |(field, count)| Loss {
        field,
        kind: LossKind::Dropped.name(),
        count: Some(count),
        message: lang.kifu_loss(field),
    };
    counts.map(form).collect()
}

/// What an output does not have of its inputs besides records and fields.
#[derive(Serialize)]
pub struct Note {
    kind: &'static str,
    message: String,
}

/// Notes in their JSON form.
pub fn notes(notes: &[DatasetNote], lang: Lang) -> Vec<Note> {
    notes.iter().map(|note| Note { kind: note.name(), message: lang.say(note) }).collect()
}

/// Bad records, tails and losses in their JSON forms.
pub fn samples<F: Reason>(errors: &[RecordError<F>], lang: Lang) -> Vec<Sample<'_>> {
    errors.iter().map(|error| Sample::new(error, lang)).collect()
}

/// See [`samples`].
pub fn tails(tails: &[DatasetTail], lang: Lang) -> Vec<Tail<'_>> {
    tails.iter().map(|tail| Tail::new(tail, lang)).collect()
}

/// See [`samples`].
pub fn losses(losses: &[Lost], lang: Lang) -> Vec<Loss> {
    losses.iter().map(|loss| Loss::new(loss, lang)).collect()
}

/// A game that cannot be read, or that the output's format cannot hold.
#[derive(Serialize)]
pub struct BadGame<'a> {
    input: &'a Name,
    /// The number of the game in the input, from 1, if the input has several.
    game: Option<u32>,
    /// The line of the fault, from 1, if the text of the game is at fault.
    line: Option<u32>,
    fault: &'static str,
    message: String,
}

/// See [`samples`].
pub fn bad_games(games: &[DatasetBadGame], lang: Lang) -> Vec<BadGame<'_>> {
    games.iter().map(|game| BadGame::new(game, lang)).collect()
}

impl<'a> BadGame<'a> {
    fn new(game: &'a DatasetBadGame, lang: Lang) -> Self {
        let DatasetBadGame { input, fault } = game;
        let line = match fault {
            BadGameFault::Kifu(error) => Some(error.line),
            _ => None,
        };
        let number = game.game();
        let message = lang.say(game);
        BadGame { input, game: number, line, fault: fault.name(), message }
    }
}

/// The resources that a job needs.
#[derive(Serialize)]
pub struct Needs {
    records: Option<u64>,
    input_bytes: Option<u64>,
    memory: u64,
    memory_limit: u64,
    /// The number of partitions by stage: `keys`, `order`.
    partition_counts: BTreeMap<&'static str, usize>,
    disks: Vec<DiskNeeds>,
    uncounted: Vec<String>,
}

#[derive(Serialize)]
struct DiskNeeds {
    path: String,
    least: u64,
    peak: Option<u64>,
    free: u64,
}

impl Needs {
    /// The JSON form of a job's preflight and the number of its partitions.
    pub fn new(preflight: &Preflight, partitions: &BTreeMap<&'static str, usize>) -> Self {
        let Preflight { records, input_bytes, memory, memory_limit, ref disks, ref uncounted, .. } =
            *preflight;
        let disk = |disk: &Disk| DiskNeeds {
            path: disk.path.display().to_string(),
            least: disk.peak.least,
            peak: disk.peak.most,
            free: disk.free,
        };
        let disks = disks.iter().map(disk).collect();
        let uncounted = uncounted.iter().map(|path| path.display().to_string()).collect();
        let partition_counts = partitions.clone();
        Needs { records, input_bytes, memory, memory_limit, partition_counts, disks, uncounted }
    }
}

/// Why a command failed. `kind` is for programs, the rest for people.
#[derive(Serialize)]
pub struct Error<'a> {
    kind: &'static str,
    message: &'a str,
    help: Option<&'a str>,
    /// The difference that a sample showed, if that is the reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    mismatch: Option<Mismatch<'a>>,
}

/// The difference between an input's format and its records, as a sample shows it.
#[derive(Serialize)]
struct Mismatch<'a> {
    input: &'a str,
    format: &'static str,
    sampled: u64,
    move_encoding: Option<OtherMoves>,
    codec: Option<OtherCodec>,
    order: Option<OtherOrder>,
    /// The words of the command that restores every record.
    repair_command: Vec<String>,
}

#[derive(Serialize)]
struct OtherMoves {
    own: String,
    found: Vec<String>,
    encoding_dependent: u64,
    other: u64,
    legal: BTreeMap<String, u64>,
}

#[derive(Serialize)]
struct OtherCodec {
    codec: String,
    records: u64,
    mixed: bool,
}

#[derive(Serialize)]
struct OtherOrder {
    records: u64,
    variant_b: u64,
    variant_c: u64,
    other: u64,
    off_board: u64,
}

impl<'a> Mismatch<'a> {
    fn new(mismatch: &'a DatasetMismatch) -> Self {
        let letter = |encoding: MoveEncoding| encoding.letter().to_string();
        Mismatch {
            input: &mismatch.input,
            format: mismatch.format.name(),
            sampled: mismatch.sampled,
            move_encoding: mismatch.moves.map(|moves| OtherMoves {
                own: letter(moves.own),
                found: moves.encodings.iter().map(letter).collect(),
                encoding_dependent: moves.encoding_dependent,
                other: moves.other,
                legal: MoveEncoding::ALL.into_iter().map(letter).zip(moves.legal).collect(),
            }),
            codec: mismatch.codec.map(|other| OtherCodec {
                codec: other.codec.to_string(),
                records: other.records,
                mixed: other.is_mixed,
            }),
            order: mismatch.order.map(|order| OtherOrder {
                records: order.records(),
                variant_b: order.variant_b,
                variant_c: order.variant_c,
                other: order.other,
                off_board: order.off_board,
            }),
            repair_command: repair_words(mismatch),
        }
    }
}
