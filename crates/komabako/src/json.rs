//! [`Envelope`]: the report that every `--json` prints. `docs/json.schema.json` describes it; its members are part of the
//! program's interface.

use std::collections::BTreeMap;
use std::io;

use komabako::dataset::error::{RecordError, Tail};
use komabako::dataset::kifu::BadGame;
use komabako::dataset::move16::MoveEncoding;
use komabako::dataset::preflight::Disk;
use komabako::dataset::sample_check::Mismatch;
use komabako::dataset::{Counts, FileFormat, LossKind, Lost, Note, Preflight};
use serde::Serialize;

use crate::context::Context;
use crate::escape;
use crate::message::mismatch::repair_words;
use crate::message::{Lang, Reason, Report};
use crate::route::{Endpoint, Route};

/// A JSON value; objects keep the order of their members.
pub use serde_json::{Map, Value};

/// A JSON object with these members, in this order. A member `name[optional]` is absent if its value is `null`.
macro_rules! object {
    ($($name:ident $([$optional:ident])?: $value:expr),* $(,)?) => {{
        let mut members = $crate::json::Map::new();
        $($crate::json::add(&mut members, stringify!($name), $crate::json::value(&$value), &[$(stringify!($optional))?]);)*
        $crate::json::Value::Object(members)
    }};
}

pub(crate) use object;

/// Adds a member of [`object!`]; `marks` has an element if it is optional.
pub fn add(members: &mut Map<String, Value>, name: &str, value: Value, marks: &[&str]) {
    if !value.is_null() || marks.is_empty() {
        members.insert(name.trim_start_matches("r#").to_owned(), value);
    }
}

/// The JSON form of a value made of texts, numbers, lists and structs, which all have one.
pub fn value(value: &(impl Serialize + ?Sized)) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

/// The result of a command, or its error. Members that do not apply to a command are empty or `null`, never absent; the members
/// specific to one command come last.
#[derive(Default, Serialize)]
pub struct Envelope {
    pub command: String,
    pub inputs: Vec<Value>,
    pub output: Option<Value>,
    pub outputs: Vec<Value>,
    pub read: Option<u64>,
    pub written: Option<u64>,
    pub bytes_read: Option<u64>,
    pub bytes_written: Option<u64>,
    pub bad_total: u64,
    /// Counts by the names of faults.
    pub bad: Value,
    pub samples: Vec<Value>,
    pub tails: Vec<Value>,
    pub notes: Vec<Value>,
    pub losses: Vec<Value>,
    pub seconds: Option<f64>,
    pub needs: Option<Value>,
    pub error: Option<Value>,
    #[serde(flatten)]
    pub members: Value,
}

impl Envelope {
    pub fn new(context: &Context) -> Self {
        Envelope::with(Value::Object(Map::new()), context)
    }

    /// A report with only the command-specific members.
    pub fn with(members: Value, context: &Context) -> Self {
        let bad = Value::Object(Map::new());
        Envelope { command: context.command.clone(), bad, members, ..Envelope::default() }
    }

    pub fn failed(report: &Report, context: &Context) -> Self {
        let Report { kind, what, help, mismatch } = report;
        // The difference that a sample showed, if that is the reason.
        let mismatch = mismatch.as_deref().map(mismatch_form);
        let error = object! { kind: kind, message: what, help: help, mismatch[optional]: mismatch };
        Envelope { error: Some(error), ..Envelope::new(context) }
    }

    /// The report of a job: its inputs and its output, the counts of records, and what the output lacks.
    pub fn of_job<F: Reason>(
        members: Value,
        route: &Route,
        counts: &Counts<F>,
        lost: &[Lost],
        context: &Context,
    ) -> Self {
        Envelope {
            inputs: route.inputs.iter().map(endpoint).collect(),
            output: Some(endpoint(&route.output)),
            losses: losses(lost, context.lang),
            ..Envelope::with(members, context).with_counts(counts, context.lang)
        }
    }

    /// Adds the counts of records that a job read, wrote and left out.
    pub fn with_counts<F: Reason>(self, counts: &Counts<F>, lang: Lang) -> Self {
        Envelope {
            read: Some(counts.read),
            written: Some(counts.written),
            bytes_read: Some(counts.bytes_read),
            bytes_written: Some(counts.bytes_written),
            bad_total: counts.bad_total(),
            bad: value(&counts.bad),
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

pub fn notes(notes: &[Note], lang: Lang) -> Vec<Value> {
    notes.iter().map(|note| object! { kind: note.name(), message: lang.say(note) }).collect()
}

/// Adds the members of another object.
pub fn append(object: &mut Value, others: Value) {
    if let (Value::Object(members), Value::Object(others)) = (object, others) {
        members.extend(others);
    }
}

/// An object of members in the order of their names.
pub fn by_name<V: Serialize>(members: impl IntoIterator<Item = (impl Into<String>, V)>) -> Value {
    // Collecting them would compile a sort for each type.
    let mut sorted = BTreeMap::new();
    for (name, member) in members {
        sorted.insert(name.into(), value(&member));
    }
    value(&sorted)
}

/// An input or an output. `name` is `-` for the standard streams; `format` is `null` for an empty input whose name does not
/// imply one.
pub fn file(name: &str, format: Option<&str>, compression: Option<&str>) -> Value {
    object! { name: name, format: format, compression: compression }
}

/// A file without a compression: game records, problems, or an output of which only the name is known.
pub fn named_file(name: &str, format: Option<&str>) -> Value {
    file(name, format, None)
}

/// An input or the output of a job.
pub fn endpoint(end: &Endpoint) -> Value {
    file(end.name.plain(), end.format.map(FileFormat::name), Some(end.compression.name()))
}

/// Bad records.
pub fn samples<F: Reason>(errors: &[RecordError<F>], lang: Lang) -> Vec<Value> {
    let form = |error: &RecordError<F>| {
        object! {
            input: error.input,
            record: error.record,
            offset: error.offset,
            line: error.line,
            fault: error.fault.name(),
            message: error.fault.explain(lang),
        }
    };
    errors.iter().map(form).collect()
}

/// The unread ends of inputs.
pub fn tails<'a>(tails: impl IntoIterator<Item = &'a Tail>, lang: Lang) -> Vec<Value> {
    let form = |tail: &Tail| {
        let Tail { input, records, offset, length, .. } = tail;
        object! { input: input, records: records, offset: offset, length: length, message: lang.say(tail) }
    };
    tails.into_iter().map(form).collect()
}

/// A field that a conversion does not carry over; `count` is the number of times, if it was counted.
fn loss(field: &str, kind: LossKind, count: Option<u64>, message: String) -> Value {
    object! { field: field, kind: kind.name(), count: count, message: message }
}

/// The fields that conversions do not carry over.
pub fn losses(losses: &[Lost], lang: Lang) -> Vec<Value> {
    let form = |Lost { loss: of, count }: &Lost| loss(of.field.name(), of.kind, *count, lang.say(of));
    losses.iter().map(form).collect()
}

/// The losses of game records that were converted to another format.
pub fn game_losses(losses: impl Iterator<Item = (&'static str, u64)>, lang: Lang) -> Vec<Value> {
    losses.map(|(field, count)| loss(field, LossKind::Dropped, Some(count), lang.kifu_loss(field))).collect()
}

/// Games that cannot be read, or that the output cannot hold. `game` is the number in an input of several, from 1, and `line` that
/// of the fault, from 1, if the text of the game is at fault.
pub fn bad_games(games: &[BadGame], lang: Lang) -> Vec<Value> {
    let form = |game: &BadGame| {
        object! {
            input: game.input,
            game: game.game(),
            line: game.line(),
            fault: game.fault.name(),
            message: lang.say(game),
        }
    };
    games.iter().map(form).collect()
}

/// The resources that a job needs, and the number of its partitions by stage: `keys`, `order`.
pub fn needs(preflight: &Preflight, partitions: &BTreeMap<&'static str, usize>) -> Value {
    let Preflight { records, input_bytes, memory, memory_limit, disks, uncounted, .. } = preflight;
    let disk = |Disk { path, peak, free, .. }: &Disk| {
        object! { path: path.display().to_string(), least: peak.least, peak: peak.most, free: free }
    };
    let uncounted = uncounted.iter().map(|path| path.display().to_string());
    object! {
        records: records,
        input_bytes: input_bytes,
        memory: memory,
        memory_limit: memory_limit,
        partition_counts: partitions,
        disks: disks.iter().map(disk).collect::<Vec<_>>(),
        uncounted: uncounted.collect::<Vec<_>>(),
    }
}

/// The difference between an input's format and its records, as a sample shows it, and the words of the command that restores
/// every record.
fn mismatch_form(mismatch: &Mismatch) -> Value {
    let letter = |encoding: MoveEncoding| encoding.letter().to_string();
    let moves = mismatch.moves.map(|moves| {
        object! {
            own: letter(moves.own),
            found: moves.encodings.iter().map(letter).collect::<Vec<_>>(),
            encoding_dependent: moves.encoding_dependent,
            other: moves.other,
            legal: by_name(MoveEncoding::ALL.into_iter().map(letter).zip(moves.legal)),
        }
    });
    let codec = mismatch.codec.map(|other| {
        object! { codec: other.codec.to_string(), records: other.records, mixed: other.is_mixed }
    });
    let order = mismatch.order.map(|order| {
        object! {
            records: order.records(),
            variant_b: order.variant_b,
            variant_c: order.variant_c,
            other: order.other,
            off_board: order.off_board,
        }
    });
    object! {
        input: &*mismatch.input,
        format: mismatch.format.name(),
        sampled: mismatch.sampled,
        move_encoding: moves,
        codec: codec,
        order: order,
        repair_command: repair_words(mismatch).iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>(),
    }
}
