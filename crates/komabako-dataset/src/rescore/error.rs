//! [`RescoreError`] and [`EngineFault`]: why a job ended, and why an engine gave no answer.

use core::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use komabako_messages::{Lang, Message, say_match};

use crate::escape::Escaped;
use crate::io::error::{JobError, RecordError, SystemError};

/// Why records cannot be given new scores.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum RescoreError {
    /// The engine cannot be used.
    Engine(EngineFault),
    /// The engine did not answer at this record.
    Record(Box<RecordError<EngineFault>>),
    /// The engine failed at this many positions one after the other, of which this is the first.
    Failures(u32, Box<RecordError<EngineFault>>),
    /// The file of answers of an earlier run exists.
    Answers(PathBuf),
    /// There are no answers of an earlier run to go on from.
    NoAnswers(PathBuf),
    /// The file of answers is of another engine, other options or other inputs.
    OtherAnswers(PathBuf),
    /// Another run writes the file of answers.
    Locked(PathBuf),
    /// The output holds games, whose moves stay.
    GameMoves,
}

/// Why an engine gave no answer. The texts are the last lines that it printed.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum EngineFault {
    /// It cannot be started.
    Start(PathBuf, Arc<io::Error>),
    /// It has no option of this name.
    Option {
        /// The name that was given.
        name: String,
        /// The names that it has.
        offered: Vec<String>,
    },
    /// It has ended.
    Died(String),
    /// It did not answer in time.
    Silent(String),
    /// Its answer is not a legal move with a score.
    Nonsense(String),
}

impl RescoreError {
    /// Whether the sentence ends with lines that the engine printed, each on a line of its own, with control characters escaped.
    pub fn quotes_engine(&self) -> bool {
        matches!(self, RescoreError::Record(_) | RescoreError::Failures(..))
    }
}

impl EngineFault {
    /// Whether starting the engine anew cannot help.
    pub(super) fn is_final(&self) -> bool {
        matches!(self, EngineFault::Start(..) | EngineFault::Option { .. })
    }
}

impl JobError for RescoreError {
    fn kind(&self) -> &'static str {
        match self {
            RescoreError::Engine(_) | RescoreError::Record(_) | RescoreError::Failures(..) => "engine",
            RescoreError::Answers(_) => "answers_exist",
            RescoreError::NoAnswers(_) => "answers_missing",
            RescoreError::OtherAnswers(_) => "answers_mismatch",
            RescoreError::Locked(_) => "answers_locked",
            RescoreError::GameMoves => "game_moves",
        }
    }
}

impl Message for RescoreError {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |path: &Path| Escaped(path.display()).to_string();
        say_match!(f, lang, self;
            RescoreError::Engine(fault) => { fault.write(lang, f) };
            RescoreError::Record(error) => { escaped(error).write(lang, f) };
            RescoreError::Failures(count, first) => "the engine failed at {count} positions in a row, from here: {first}",
                "エンジンが次の局面から {count} 局面続けて失敗しました: {first}", count, first = escaped(first);
            RescoreError::Answers(path) => "{path}: the answers of an earlier run",
                "{path}: 以前の実行の応答が残っています", path = shown(path);
            RescoreError::NoAnswers(path) => "{path}: no answers of an earlier run",
                "{path}: 以前の実行の応答がありません", path = shown(path);
            RescoreError::OtherAnswers(path) =>
                "{path}: answers of another engine, with other options or for other inputs",
                "{path}: 別のエンジン、別のオプション、または別の入力に対する応答です", path = shown(path);
            RescoreError::Locked(path) => "{path}: another run is writing these answers",
                "{path}: 別の実行がこの応答を書いています", path = shown(path);
            RescoreError::GameMoves => "the output holds games, whose moves cannot be replaced",
                "出力は対局の形式なので、指し手は置き換えられません";
        )
    }
}

impl Message for EngineFault {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        say_match!(f, lang, self;
            EngineFault::Start(program, error) => "{program} cannot be started: {error}",
                "{program} を起動できません: {error}", program = Escaped(program.display()).to_string(), error = SystemError(error);
            EngineFault::Option { name, offered } => "the engine has no option `{name}`; it has: {offered}",
                "エンジンに `{name}` というオプションはありません。あるのは: {offered}", name, offered = offered.join(", ");
            EngineFault::Died(last) => "the engine has ended; its last lines:{last}",
                "エンジンが終了しました。最後の出力:{last}", last;
            EngineFault::Silent(last) => "the engine did not answer in time; its last lines:{last}",
                "エンジンが時間内に応答しませんでした。最後の出力:{last}", last;
            EngineFault::Nonsense(last) =>
                "the engine's answer is not a legal move with a score; its last lines:{last}",
                "エンジンの応答が評価値のある合法手ではありません。最後の出力:{last}", last;
        )
    }
}

/// The error with an escaped name; the lines of the engine are escaped already.
fn escaped(error: &RecordError<EngineFault>) -> RecordError<EngineFault> {
    RecordError { input: Escaped(&error.input).to_string().into(), ..error.clone() }
}

komabako_messages::english!(RescoreError, EngineFault);

impl core::error::Error for RescoreError {}
impl core::error::Error for EngineFault {}
