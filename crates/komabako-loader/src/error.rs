//! [`LoaderError`]: why there is no batch.

use std::fmt;
use std::io;

use komabako_dataset::{DatasetError, Name, RecordError};
use komabako_messages::{Lang, Message, Phrase, WithAdvice, english, messages, phrase, say_match};

/// Why there is no batch.
#[derive(Debug)]
#[non_exhaustive]
pub enum LoaderError {
    /// Options that contradict each other.
    BadPlan(Conflict),
    /// A source that can only be read from its start, in an order that needs any record.
    NoRandomAccess(Name),
    /// A source whose records cannot be read one by one, in the order `uniform`.
    NotUniform(Name),
    /// An archive without an index that can be used, in an order that needs any record.
    DamagedArchive(Name),
    /// The order needs more memory.
    TooLittleMemory {
        /// The fewest bytes with which it works.
        least: u64,
    },
    /// A source cannot be read, or has changed.
    Source(DatasetError),
    /// A bad record, unless the plan says what to do with it.
    BadRecord(Box<RecordError>),
    /// A state of another plan or of other files.
    StateMismatch(Mismatch),
    /// A text that is no state.
    BadState(BadState),
    /// A policy that a source does not have.
    Policy(PolicyFault),
    /// Features that cannot be made.
    Feature(FeatureFault),
    /// The system refused a thread.
    System(io::Error),
    /// A defect of this program.
    Panicked,
}

impl LoaderError {
    /// The error's kind for programs, e.g. `bad_plan`.
    pub fn kind(&self) -> &'static str {
        match self {
            LoaderError::BadPlan(_) => "bad_plan",
            LoaderError::NoRandomAccess(_) | LoaderError::NotUniform(_) => "no_random_access",
            LoaderError::DamagedArchive(_) => "damaged_archive",
            LoaderError::TooLittleMemory { .. } => "too_little_memory",
            LoaderError::Source(error) => error.kind(),
            LoaderError::BadRecord(_) => "bad_record",
            LoaderError::StateMismatch(_) => "state_mismatch",
            LoaderError::BadState(_) => "bad_state",
            LoaderError::Policy(_) => "policy",
            LoaderError::Feature(_) => "feature",
            LoaderError::System(_) => "system",
            LoaderError::Panicked => "panicked",
        }
    }

    /// What to do about it in terms of a plan, if the sentence does not say.
    pub fn advice(&self) -> Option<Phrase> {
        Some(match self {
            LoaderError::BadRecord(_) => phrase!(
                "`komabako validate FILE` names all bad records; the plan's `on_bad_record` may leave them out",
                "不正なレコードは `komabako validate FILE` ですべて分かり、計画の `on_bad_record` で除外できます"
            ),
            LoaderError::Source(DatasetError::Mismatch(_)) => phrase!(
                "`komabako repair IN OUT` restores every record",
                "`komabako repair IN OUT` ですべてのレコードを元に戻せます"
            ),
            LoaderError::Source(DatasetError::Unrecognized { .. }) => phrase!(
                "give the file the extension of its format (`komabako formats`)",
                "ファイルに形式の拡張子を付けてください (`komabako formats` を参照)"
            ),
            LoaderError::Source(DatasetError::Tail(_)) => phrase!(
                "check that the file is complete; `komabako cat IN -o OUT --salvage` copies the whole records before this point",
                "ファイルが完全か確かめてください。`komabako cat IN -o OUT --salvage` でここまでの完全なレコードを残せます"
            ),
            LoaderError::Source(DatasetError::Unsupported { what, .. }) => return what.advice(),
            _ => return None,
        })
    }

    /// The sentence with the [advice](Self::advice).
    pub fn with_advice(&self) -> WithAdvice<&LoaderError, Phrase> {
        WithAdvice(self, self.advice())
    }
}

impl Message for LoaderError {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        say_match!(f, lang, self;
            LoaderError::BadPlan(conflict) => { conflict.write(lang, f) };
            LoaderError::NoRandomAccess(name) =>
                "{name}: compressed files, streams and text are read from their start only; take the order `stream` or `file` with one stream, or convert it to .kmb",
                "{name}: 圧縮ファイル、ストリーム、テキストは先頭からしか読めません。順序を `stream` か `file` (ストリーム数 1) にするか、.kmb に変換してください",
                name;
            LoaderError::NotUniform(name) =>
                "{name}: the order `uniform` reads single records, of an uncompressed file of records of one size; take the order `riffle`, or convert it to .psv",
                "{name}: 順序 `uniform` は、固定長のレコードの無圧縮ファイルからレコードを 1 件ずつ読みます。順序を `riffle` にするか、.psv に変換してください",
                name;
            LoaderError::DamagedArchive(name) =>
                "{name}: the archive is cut off or damaged: `komabako info FILE` says where, and `komabako cat FILE -o OUT.kmb --salvage` keeps every whole block",
                "{name}: アーカイブが途中で切れているか、壊れています。場所は `komabako info FILE` で分かり、`komabako cat FILE -o OUT.kmb --salvage` で完全なブロックをすべて残せます",
                name;
            LoaderError::TooLittleMemory { least } =>
                "this order needs a memory of at least {least} bytes; give more, or make smaller blocks",
                "この順序には少なくとも {least} バイトのメモリが必要です。増やすか、ブロックを小さくしてください", least;
            // Nothing is written here.
            LoaderError::Source(DatasetError::Altered(path)) => "{path}: changed while it was being read, or ends before its size",
                "{path}: 読んでいる間に内容が変わったか、サイズより前で終わっています", path = path.display().to_string();
            LoaderError::Source(error) => { error.write(lang, f) };
            LoaderError::BadRecord(error) => { error.write(lang, f) };
            LoaderError::StateMismatch(mismatch) => { mismatch.write(lang, f) };
            LoaderError::BadState(fault) => { fault.write(lang, f) };
            LoaderError::Policy(fault) => { fault.write(lang, f) };
            LoaderError::Feature(fault) => { fault.write(lang, f) };
            LoaderError::System(error) => "cannot start a thread: {text}; ask for fewer threads",
                "スレッドを開始できません: {text}。スレッド数を減らしてください", text = error.to_string();
            LoaderError::Panicked => "a worker of the loader failed unexpectedly; this is a defect of the program",
                "ローダーの処理が予期せず失敗しました。プログラムの不具合です";
        )
    }
}

english!(LoaderError);

impl core::error::Error for LoaderError {
    /// The sentence says what the inner error says, so it is followed by that one's source.
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            LoaderError::Source(error) => error.source(),
            LoaderError::System(error) => error.source(),
            _ => None,
        }
    }
}

impl From<DatasetError> for LoaderError {
    fn from(error: DatasetError) -> LoaderError {
        LoaderError::Source(error)
    }
}

impl From<Conflict> for LoaderError {
    fn from(conflict: Conflict) -> LoaderError {
        LoaderError::BadPlan(conflict)
    }
}

/// Options of a plan that contradict each other.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Conflict {
    /// A plan without sources.
    NoSources,
    /// A number out of range.
    Number {
        /// The option.
        option: &'static str,
        /// Its value.
        value: u64,
        /// The least value.
        least: u64,
        /// The largest value.
        most: u64,
    },
    /// A rank that is not below the world.
    Rank {
        /// The rank.
        rank: u64,
        /// The number of ranks.
        world: u64,
    },
    /// A number of streams that is no multiple of the number of ranks.
    Streams {
        /// The number of streams.
        streams: u64,
        /// The number of ranks.
        world: u64,
    },
    /// A number of records per step that does not divide among the streams.
    Batch {
        /// The records of a step over all ranks.
        global: u64,
        /// The number of streams.
        streams: u64,
    },
    /// More streams than blocks.
    Blocks {
        /// The source.
        source: Name,
        /// Its blocks.
        blocks: u64,
        /// The number of streams.
        streams: u64,
    },
    /// An option that an order does not have.
    Order {
        /// The order.
        order: &'static str,
        /// The option.
        option: &'static str,
    },
    /// Repetitions are to be left out of a source without games.
    Games(Name),
    /// Scores are clipped below those that mean mate.
    Clip {
        /// The largest score.
        score_clip: u16,
        /// The least score that means mate.
        mate: i16,
    },
    /// Weights for some sources only.
    Weights,
    /// A weighted source without records.
    Empty(Name),
    /// A length of an epoch without weights.
    EpochRecords,
    /// Weights without a length of an epoch, where the number of records is not known.
    EpochLength,
    /// A window so large that its records cannot be numbered.
    Window,
    /// An option that is not a number from 0 to 1.
    Chance(&'static str),
    /// A share of the score, by a function of the step, that is not a number from 0 to 1.
    Lambda {
        /// The epoch, from 0.
        epoch: u64,
        /// The step, from 0.
        step: u64,
    },
    /// A name of no number.
    Name(String),
    /// A curve without points, or whose points do not ascend.
    Curve,
    /// An expression or the targets need a field that a source lacks.
    Field {
        /// The source.
        source: Name,
        /// The field.
        field: &'static str,
    },
    /// An option of features, without them.
    Features(&'static str),
    /// A factor or scale that is not a finite number above 0.
    Scale(&'static str),
    /// A number of records to skip, with more than one stream.
    Skip,
    /// A text that is no plan.
    Json(String),
}

messages! {
    Conflict {
        NoSources => "a plan without sources", "入力がありません";
        Number { option, value, least, most } => "{option} = {value} is not from {least} to {most}",
            "{option} = {value} は {least} から {most} の範囲にありません";
        Rank { rank, world } => "rank {rank} is not below the world of {world}", "ランク {rank} が world {world} 未満ではありません";
        Streams { streams, world } => "{streams} streams do not divide among {world} ranks",
            "ストリーム {streams} 本を {world} ランクに等分できません";
        Batch { global, streams } => "a step of {global} records does not divide among {streams} streams",
            "1 ステップの {global} レコードをストリーム {streams} 本に等分できません";
        Blocks { source, blocks, streams } => "{source}: {blocks} blocks are too few for {streams} streams; make smaller blocks or fewer streams",
            "{source}: ブロック {blocks} 個はストリーム {streams} 本に足りません。ブロックを小さくするか、ストリームを減らしてください";
        Order { order, option } => "the order `{order}` does not go with `{option}`", "順序 `{order}` は `{option}` と併用できません";
        Games(name) => "{name}: `skip_repetition` needs games, as .pack and hcpe3 have", "{name}: `skip_repetition` には棋譜 (.pack、hcpe3) が必要です";
        Clip { score_clip, mate } => "`score_clip` {score_clip} is below `mate` {mate}: no score would mean mate",
            "`score_clip` {score_clip} が `mate` {mate} より小さく、詰みの評価値がなくなります";
        Weights => "weights are given for some sources but not for all", "重みが一部の入力にしか指定されていません";
        Empty(name) => "{name}: has a weight but no records", "{name}: 重みがありますが、レコードがありません";
        EpochRecords => "the length of an epoch is given without weights of the sources",
            "入力の重みがないのに、エポックの長さが指定されています";
        EpochLength => "the sources have weights and an unknown number of records; give the length of an epoch",
            "重みのある入力のレコード数が分かりません。エポックの長さを指定してください";
        Window => "a window of more than 2^32 records; give less memory or more streams",
            "ウィンドウが 2^32 レコードを超えます。メモリを減らすか、ストリームを増やしてください";
        Chance(option) => "{option} is not from 0 to 1", "{option} が 0 から 1 の範囲にありません";
        Lambda { epoch, step } => "the function of `lambda_by` panics in epoch {epoch}, step {step}, or returns no number from 0 to 1",
            "エポック {epoch}、ステップ {step} で、`lambda_by` の関数が 0 から 1 の数を返さないか、パニックします";
        Features(option) => "`{option}` without `features`", "`features` がないのに `{option}` が指定されています";
        Name(name) => "`{name}` is the name of no number", "`{name}` という名前の数はありません";
        Curve => "a curve needs points whose numbers ascend", "曲線の点は昇順で 1 つ以上必要です";
        Field { source, field } => "{source}: has no `{field}`, which an expression or the targets need",
            "{source}: 式か目標値に必要な `{field}` がありません";
        Scale(option) => "{option} is not a finite number above 0", "{option} が正の有限の数ではありません";
        Json(text) => "not a plan: {text}", "計画ではありません: {text}";
        Skip => "records can be skipped only with one stream", "レコードを飛ばせるのはストリームが 1 本のときだけです";
    }
}

impl core::error::Error for Conflict {}

/// The difference between a state and a plan.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Mismatch {
    /// A parameter of the plan.
    Parameter(&'static str),
    /// The records of a step over all ranks.
    Batch {
        /// Those of the state.
        state: u64,
        /// Those of the plan.
        plan: u64,
        /// The number of ranks of the plan.
        ranks: u64,
    },
    /// The selection: its condition, its rules and the scores that are dropped.
    Select,
    /// The number of sources.
    Sources,
    /// The state is of the same files in another order.
    Swapped(Name),
    /// The size, the blocks or the weight of a source.
    Source(Name),
    /// The state has no place for a stream of this rank: its records are selected, so each rank knows its own places only.
    Stream(u64),
    /// The state is that of another step than those merged with it.
    Step,
}

messages! {
    Mismatch {
        Parameter(name) => "the state is of a plan with another `{name}`", "状態の `{name}` が計画と違います";
        Batch { state, plan, ranks } => "the state is of {state} records a step over all ranks, the plan of {plan}: take a `batch` of {state} / {ranks}",
            "1 ステップの全ランクのレコードは、状態では {state}、計画では {plan} です。`batch` を {state} / {ranks} にしてください";
        Select => "the state is of a plan with another selection (`where`, `keep` or `drop`)", "状態の選別 (`where`、`keep`、`drop`) が計画と違います";
        Swapped(name) => "{name}: the state is of the same files in another order", "{name}: 状態の入力の順序が計画と違います";
        Sources => "the state is of a plan with another number of sources", "状態の入力の数が計画と違います";
        Source(name) => "{name}: the state is of a file with another size, or of other blocks or weights",
            "{name}: 状態が別の大きさのファイル、または別のブロックや重みのものです";
        Stream(stream) => "the state has no place for stream {stream}, whose sources are weighted: give each rank its own state, or merge those of all ranks (`merge_states` in Rust and Python)",
            "状態にストリーム {stream} の位置がありません (入力に重みがあるとき)。各ランクに自分の状態を渡すか、全ランクの状態を結合してください (Rust と Python の `merge_states`)";
        Step => "the states are of different steps", "状態のステップが一致しません";
    }
}

impl core::error::Error for Mismatch {}

/// Why a text is no state.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum BadState {
    /// No states to merge.
    None,
    /// Longer than a mebibyte.
    Length(usize),
    /// Not the JSON of a state.
    Json(String),
    /// Of a version that is not readable.
    Version(u64),
    /// A place beyond the end of a stream.
    Place,
}

messages! {
    BadState {
        None => "no states to merge", "結合する状態がありません";
        Length(length) => "a state of {length} bytes, more than a mebibyte", "状態が {length} バイトもあります (1 MiB まで)";
        Json(text) => "not a state of a loader: {text}", "ローダーの状態ではありません: {text}";
        Version(version) => "a state of version {version}; this program reads 1", "状態のバージョンが {version} です (読めるのは 1)";
        Place => "the state has a place that no stream has", "状態の位置がストリームの範囲外です";
    }
}

impl core::error::Error for BadState {}

/// Why a policy cannot be made.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum PolicyFault {
    /// A source whose format has no moves, or no visits.
    Missing(Name),
    /// A temperature that is not a finite number from 0.
    Temperature,
    /// All visits are 0.
    NoVisits,
}

messages! {
    PolicyFault {
        Missing(name) => "{name}: has no policy of this kind", "{name}: この種類の方策がありません";
        Temperature => "the temperature is not a finite number from 0", "温度が 0 以上の有限の数ではありません";
        NoVisits => "all visits are 0", "訪問回数がすべて 0 です";
    }
}

impl core::error::Error for PolicyFault {}

/// Why features cannot be made.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum FeatureFault {
    /// Buckets by progress need a table.
    Buckets(String),
}

messages! {
    FeatureFault {
        Buckets(text) => "buckets cannot be made: {text}", "バケットを作れません: {text}";
    }
}

impl core::error::Error for FeatureFault {}
