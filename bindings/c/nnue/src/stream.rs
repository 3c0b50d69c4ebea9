//! Batches from files, made ahead on a thread.

use std::env;
use std::mem;
use std::process;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, Once, PoisonError};
use std::thread::{Builder as ThreadBuilder, JoinHandle};

use komabako::bits::Backend;
use komabako::board::{Setup, sfen};
use komabako::codec::{PackedSfen, PositionCodec};
use komabako::dataset::{DatasetError, FileFormat};
use komabako::features::bucket::{Buckets, Indexer};
use komabako::features::nnue::{First, RowOptions, Rows, has_both_kings, write_rows};
use komabako::loader::{
    self, Loader, LoaderError, OnBadRecord, Order, Output, Plan, Rule, RuleChance, Select, Source,
};
use komabako::record::record::Psv;

use crate::batch::{Arrays, Builder, Labels, bucket, entering_bonus};
use crate::inputs::{Inputs, Layout, Squares};

/// What the caller of a library asks for.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// The name of the inputs.
    pub inputs: &'a str,
    /// The layout of the library.
    pub layout: Layout,
    /// The files.
    pub files: Vec<&'a str>,
    /// The number of positions of a batch.
    pub batch: i32,
    /// Whether the files are read for ever.
    pub is_cyclic: bool,
    /// The number of threads.
    pub threads: i32,
    /// The positions to leave out.
    pub skip: Skip,
}

/// The positions to leave out. nnue-pytorch's own loader ignores all of it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Skip {
    /// Positions in check, and those whose move captures.
    pub filtered: bool,
    /// r: of r + 1 positions all but one, by chance.
    pub random: i32,
    /// Positions by their result.
    pub by_result: bool,
    /// p: positions of the first p plies.
    pub early_plies: i32,
    /// Positions by their material.
    pub by_material: bool,
}

impl Skip {
    /// Whether any position is to be left out.
    fn asks(self) -> bool {
        self.filtered || self.random > 0 || self.by_result || self.early_plies > 0 || self.by_material
    }
}

/// A number of things, as C gives it.
///
/// # Errors
/// A negative number.
pub fn count(of: &str, number: i32) -> Result<usize, String> {
    usize::try_from(number).map_err(|_| format!("{number} {of}"))
}

/// The settings of the environment.
#[derive(Clone, Copy, Debug)]
struct Settings {
    order: Order,
    seed: u64,
    memory: u64,
    squares: Squares,
    has_bonus: bool,
    obeys_skip: bool,
}

impl Settings {
    fn from_environment() -> Result<Settings, String> {
        let order = match variable("KOMABAKO_ORDER")? {
            None => Order::File,
            Some(name) => Order::from_name(&name)
                .ok_or_else(|| format!("KOMABAKO_ORDER is {name:?}, not file, stream, riffle or uniform"))?,
        };
        let squares = match variable("KOMABAKO_HALFKA_HM")?.as_deref() {
            None | Some("loader") => Squares::Loader,
            Some("engine") => Squares::Engine,
            Some(other) => return Err(format!("KOMABAKO_HALFKA_HM is {other:?}, not loader or engine")),
        };
        Ok(Settings {
            order,
            seed: number("KOMABAKO_SEED")?.unwrap_or(0),
            memory: size("KOMABAKO_MEMORY")?.unwrap_or(1 << 30),
            squares,
            has_bonus: switch("KOMABAKO_ENTERING_KING", true)?,
            obeys_skip: switch("KOMABAKO_SKIP", false)?,
        })
    }
}

fn variable(name: &str) -> Result<Option<String>, String> {
    match env::var(name) {
        Ok(value) => Ok(Some(value)),
        Err(env::VarError::NotPresent) => Ok(None),
        Err(env::VarError::NotUnicode(_)) => Err(format!("{name} is not text")),
    }
}

fn switch(name: &str, default: bool) -> Result<bool, String> {
    match variable(name)?.as_deref() {
        None => Ok(default),
        Some("0") => Ok(false),
        Some("1") => Ok(true),
        Some(other) => Err(format!("{name} is {other:?}, not 0 or 1")),
    }
}

fn number(name: &str) -> Result<Option<u64>, String> {
    let Some(text) = variable(name)? else { return Ok(None) };
    text.parse().map(Some).map_err(|_| format!("{name} is {text:?}, not a number"))
}

/// A number of bytes, perhaps with K, M or G.
fn size(name: &str) -> Result<Option<u64>, String> {
    let Some(text) = variable(name)? else { return Ok(None) };
    let (digits, unit) = match text.strip_suffix(['K', 'M', 'G']) {
        Some(digits) if text.ends_with('K') => (digits, 1 << 10),
        Some(digits) if text.ends_with('M') => (digits, 1 << 20),
        Some(digits) => (digits, 1 << 30),
        None => (text.as_str(), 1),
    };
    let bytes = digits.parse().ok().and_then(|number: u64| number.checked_mul(unit));
    bytes.map(Some).ok_or_else(|| format!("{name} is {text:?}, not a size such as 4G"))
}

/// A batch whose arrays are used again when it is dropped: new ones would be mapped and cleared by the system each time.
#[derive(Debug)]
pub struct Batch {
    /// The arrays.
    pub arrays: Arrays,
    idle: Option<Arc<Idle>>,
}

/// Arrays that are not in use.
type Idle = Mutex<Vec<Arrays>>;

impl Drop for Batch {
    fn drop(&mut self) {
        if let Some(idle) = &self.idle {
            let mut idle = idle.lock().unwrap_or_else(PoisonError::into_inner);
            if idle.len() <= AHEAD {
                idle.push(mem::take(&mut self.arrays));
            }
        }
    }
}

/// A stream of batches. Any number of threads may fetch from it.
#[derive(Debug)]
pub struct Stream {
    /// `None` once it is being dropped.
    batches: Mutex<Option<Receiver<Result<Batch, String>>>>,
    maker: Option<JoinHandle<()>>,
    /// A child after a fork has no maker: it would wait for ever.
    process: u32,
}

/// The most positions of a batch, whose arrays take up to 1.3 GB.
const LARGEST: usize = 1 << 20;

/// The number of batches made ahead of those that are fetched.
const AHEAD: usize = 2;

/// Opens a [`Stream`] for the caller.
///
/// # Errors
/// As [`Stream::open`].
pub fn open(
    inputs: &str,
    layout: Layout,
    files: Vec<&str>,
    batch: i32,
    is_cyclic: bool,
    threads: i32,
    skip: Skip,
) -> Result<Option<*mut Stream>, String> {
    let stream = Stream::open(&Request { inputs, layout, files, batch, is_cyclic, threads, skip })?;
    Ok(Some(crate::pointers::give(stream)))
}

impl Stream {
    /// Opens the files.
    ///
    /// # Errors
    /// What is wrong with the request, the environment or a file.
    pub fn open(request: &Request) -> Result<Stream, String> {
        let settings = Settings::from_environment()?;
        let inputs = Inputs::from_name(request.inputs, request.layout, settings.squares)?;
        let size = usize::try_from(request.batch).ok().filter(|size| (1..=LARGEST).contains(size));
        let size =
            size.ok_or_else(|| format!("a batch of {} positions, not 1 to {LARGEST}", request.batch))?;
        if request.files.is_empty() {
            return Err("no files are given".to_owned());
        }
        announce(request, settings);
        let plan = Plan {
            sources: request.files.iter().map(Source::new).collect(),
            batch: size,
            order: settings.order,
            seed: settings.seed,
            memory: settings.memory,
            select: select(request.skip, settings)?,
            output: Output {
                features: Some((inputs.set, loader::Layout::Padded, First::Black)),
                sorted: request.layout == Layout::Coo,
                buckets: (request.layout == Layout::Padded).then(stack),
                ..Output::none()
            },
            on_bad_record: OnBadRecord::Skip,
            threads: usize::try_from(request.threads).unwrap_or(1).clamp(1, 256),
            ..Plan::new()
        };
        let loader = start(plan).map_err(|error| error.with_advice().to_string())?;
        let maker = Maker {
            loader,
            inputs,
            layout: request.layout,
            size,
            has_bonus: settings.has_bonus,
            idle: Arc::default(),
            reported: loader::Counts::default(),
        };
        let (sender, receiver) = sync_channel(AHEAD);
        let is_cyclic = request.is_cyclic;
        let make = move || maker.run(is_cyclic, &sender);
        let maker = ThreadBuilder::new().name("komabako-batches".to_owned()).spawn(make);
        let maker = maker.map_err(|error| format!("no thread can be started: {error}"))?;
        Ok(Stream { batches: Mutex::new(Some(receiver)), maker: Some(maker), process: process::id() })
    }

    /// The next batch; `None` at the end of the files.
    ///
    /// # Errors
    /// That of a file, from there on.
    pub fn next(&self) -> Result<Option<Batch>, String> {
        if self.process != process::id() {
            return Err(
                "the stream was opened in another process, before a fork: open another one".to_owned()
            );
        }
        let batches = self.batches.lock().unwrap_or_else(PoisonError::into_inner);
        batches.as_ref().and_then(|batches| batches.recv().ok()).transpose()
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        if self.process != process::id() {
            mem::forget(self.batches.get_mut().unwrap_or_else(PoisonError::into_inner).take());
            mem::forget(self.maker.take());
            return;
        }
        // The maker stops when nobody can receive.
        drop(self.batches.get_mut().unwrap_or_else(PoisonError::into_inner).take());
        if let Some(maker) = self.maker.take() {
            _ = maker.join();
        }
    }
}

/// Opens the files. Those whose sample shows hands in the order of older programs or moves in another encoding are read as such, as
/// nnue-pytorch's own loader reads them.
fn start(mut plan: Plan) -> Result<Loader, LoaderError> {
    let mut result = plan.start();
    if matches!(result, Err(LoaderError::Source(DatasetError::Mismatch(_)))) {
        for source in &mut plan.sources {
            adapt(source)?;
        }
        result = plan.start();
    }
    result
}

/// Gives a source the format and the encoding of moves that its sample shows.
fn adapt(source: &mut Source) -> Result<(), LoaderError> {
    let alone = Plan { sources: vec![source.clone()], ..Plan::new() };
    let mismatch = match alone.start() {
        Err(LoaderError::Source(DatasetError::Mismatch(mismatch))) if mismatch.codec.is_none() => mismatch,
        other => return other.map(drop),
    };
    let is_mixed = mismatch.moves.is_some_and(|moves| moves.encoding().is_none());
    let has_strange_order = mismatch.order.is_some() && mismatch.format != FileFormat::Psv;
    if is_mixed || has_strange_order {
        return Err(LoaderError::Source(DatasetError::Mismatch(mismatch)));
    }
    eprintln!("komabako: {mismatch}; it is read as such");
    if mismatch.order.is_some() {
        source.format = Some(FileFormat::PsvLenient);
    }
    source.moves = mismatch.moves.and_then(|moves| moves.encoding());
    Ok(())
}

/// The layer stacks of the padded layout.
fn stack() -> Buckets {
    "k3k3".parse().expect("a name of buckets")
}

fn indexer() -> Indexer<'static> {
    stack().indexer(None).expect("kings need no table")
}

/// Tells once what the caller may not expect.
fn announce(request: &Request, settings: Settings) {
    static SQUARES: Once = Once::new();
    static SKIP: Once = Once::new();
    if request.layout == Layout::Padded {
        SQUARES.call_once(|| match settings.squares {
            Squares::Loader => eprintln!(
                "komabako: HalfKA_hm numbers the king's squares 5 * rank + file, as nnue-pytorch's own loader does; its serialiser and the \
                 engine use 9 * file + rank (KOMABAKO_HALFKA_HM=engine)"
            ),
            Squares::Engine => {
                eprintln!("komabako: HalfKA_hm numbers the king's squares 9 * file + rank, as the engine does");
            }
        });
    }
    if request.skip.asks() && !settings.obeys_skip {
        SKIP.call_once(|| {
            eprintln!(
                "komabako: no positions are skipped, as by nnue-pytorch's own loader, which ignores these settings (KOMABAKO_SKIP=1 obeys them)"
            );
        });
    }
}

fn select(skip: Skip, settings: Settings) -> Result<Select, String> {
    if !settings.obeys_skip {
        return Ok(Select::default());
    }
    if skip.by_result || skip.by_material {
        return Err("wld_filtered and simple_eval_skipping cannot be obeyed; leave them out".to_owned());
    }
    let mut conditions = Vec::new();
    if skip.filtered {
        conditions.push("not capture and not in_check".to_owned());
    }
    if skip.early_plies > 0 {
        conditions.push(format!("ply > {}", skip.early_plies));
    }
    let expression = |text: &str| text.parse().map_err(|error| format!("{text}: {error}"));
    let where_ = if conditions.is_empty() { None } else { Some(expression(&conditions.join(" and "))?) };
    let mut keep = Vec::new();
    if skip.random > 0 {
        let chance = 1.0 / (f64::from(skip.random) + 1.0);
        keep.push(Rule { chance: RuleChance::If(expression("true")?, chance), weight: 1.0 });
    }
    Ok(Select { where_, keep })
}

/// Makes batches from those of the loader.
struct Maker {
    loader: Loader,
    inputs: Inputs,
    layout: Layout,
    size: usize,
    has_bonus: bool,
    idle: Arc<Idle>,
    /// The counts of the positions left out that were reported.
    reported: loader::Counts,
}

impl Maker {
    /// Sends batches until the files end or nobody receives.
    fn run(mut self, is_cyclic: bool, batches: &SyncSender<Result<Batch, String>>) {
        let mut builder = self.builder();
        let mut is_empty = true;
        loop {
            let next = self.loader.next();
            self.report_left_out();
            match next {
                Err(error) => {
                    // What was read before it is not lost, and each later call is told.
                    if !builder.is_empty() && batches.send(Ok(self.batch(builder))).is_err() {
                        return;
                    }
                    let text = error.with_advice().to_string();
                    while batches.send(Err(text.clone())).is_ok() {}
                    return;
                }
                Ok(Some(loaded)) => {
                    is_empty = is_empty && loaded.is_empty();
                    if !self.add(&loaded, &mut builder, batches) {
                        return;
                    }
                }
                Ok(None) if is_cyclic && !is_empty => is_empty = true,
                Ok(None) => {
                    if is_cyclic {
                        let text = "an endless stream of files without positions that can be used";
                        _ = batches.send(Err(text.to_owned()));
                    } else if !builder.is_empty() {
                        _ = batches.send(Ok(self.batch(builder)));
                    }
                    return;
                }
            }
        }
    }

    /// Reports positions that were left out on standard error, each kind once.
    fn report_left_out(&mut self) {
        let counts = self.loader.counts();
        if self.reported.kingless == 0 && counts.kingless > 0 {
            eprintln!("komabako: positions that lack a king are left out");
        }
        if self.reported.bad == 0 && counts.bad > 0 {
            eprintln!("komabako: bad records are left out (`komabako validate FILE` names them)");
        }
        self.reported = counts;
    }

    fn builder(&self) -> Builder {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        Builder::new(self.inputs, self.layout, self.size, idle.unwrap_or_default())
    }

    fn batch(&self, builder: Builder) -> Batch {
        Batch { arrays: builder.finish(), idle: Some(Arc::clone(&self.idle)) }
    }

    /// Adds a batch of the loader, and sends those that become full. Returns whether somebody still receives.
    fn add(
        &self,
        loaded: &loader::Arrays,
        builder: &mut Builder,
        batches: &SyncSender<Result<Batch, String>>,
    ) -> bool {
        let mut first = 0;
        while first < loaded.records.len() {
            let end = loaded.records.len().min(first + builder.room());
            self.add_rows(loaded, builder, [first, end]);
            first = end;
            if builder.room() == 0 {
                let full = mem::replace(builder, self.builder());
                if batches.send(Ok(self.batch(full))).is_err() {
                    return false;
                }
            }
        }
        true
    }

    fn add_rows(&self, loaded: &loader::Arrays, builder: &mut Builder, [first, end]: [usize; 2]) {
        let width = self.inputs.set.active();
        let has_plain_pairs = builder.has_plain_pairs();
        for position in first..end {
            let black = active(&loaded.stm[width * position..][..width]);
            let white = active(&loaded.nstm[width * position..][..width]);
            let labels = self.labels(loaded, position);
            if has_plain_pairs {
                builder.push_plain_pairs(labels, [black, white]);
            } else {
                builder.push(labels, [black, white]);
            }
        }
    }

    fn labels(&self, loaded: &loader::Arrays, position: usize) -> Labels {
        let psv = Psv::from_bytes(&loaded.records[position]);
        Labels {
            is_black: psv.position[0] & 1 == 0,
            score: i32::from(psv.score) + self.bonus(&psv),
            result: i32::from(psv.result.clamp(-1, 1)),
            ply: u32::from(psv.ply),
            bucket: loaded.buckets.get(position).copied().unwrap_or(0),
        }
    }

    /// The bonus of kings in the enemy's camp. Few positions have one, and their words show the kings' squares.
    fn bonus(&self, psv: &Psv) -> i32 {
        if self.layout == Layout::Padded || !self.has_bonus {
            return 0;
        }
        let squares = u16::from_le_bytes([psv.position[0], psv.position[1]]);
        let rank = |square: u16| square % 9;
        let black = rank(squares >> 1 & 0x7f);
        let white = rank(squares >> 8 & 0x7f);
        if black >= 3 && white < 6 {
            return 0;
        }
        PackedSfen::new().unpack(&psv.position).map_or(0, |setup| entering_bonus(&setup))
    }
}

/// The indices of a padded row.
fn active(row: &[i32]) -> &[i32] {
    &row[..row.partition_point(|&index| index >= 0)]
}

/// A batch of positions as SFEN, with scores, plies and results.
///
/// # Errors
/// The first text that is no SFEN, or whose position lacks a king.
pub fn from_sfens(
    inputs: &str,
    layout: Layout,
    sfens: &[&str],
    scores: &[i32],
    plies: &[i32],
    results: &[i32],
) -> Result<Batch, String> {
    let settings = Settings::from_environment()?;
    let inputs = Inputs::from_name(inputs, layout, settings.squares)?;
    let width = inputs.set.active();
    let mut builder = Builder::new(inputs, layout, sfens.len(), Arrays::default());
    let options = RowOptions { first: First::Black, sorted: true, ..RowOptions::default() };
    let mut rows = vec![-1; 2 * width];
    let labels = scores.iter().zip(plies).zip(results);
    for ((number, text), ((&score, &ply), &result)) in sfens.iter().enumerate().zip(labels) {
        let setup: Setup = sfen::parse(text).map_err(|error| format!("position {number}: {error}"))?.setup;
        if !has_both_kings(&setup) {
            return Err(format!("position {number}: a king is missing"));
        }
        write_rows(
            Backend::detect(),
            inputs.set,
            options,
            std::slice::from_ref(&setup),
            Rows::Interleaved(&mut rows),
        );
        let (black, white) = rows.split_at(width);
        let bonus = if layout == Layout::Coo && settings.has_bonus { entering_bonus(&setup) } else { 0 };
        let labels = Labels {
            is_black: setup.side_to_move() == komabako::board::Color::Black,
            score: score.saturating_add(bonus),
            result,
            ply: u32::try_from(ply).unwrap_or(0),
            bucket: bucket(&indexer(), &setup),
        };
        builder.push(labels, [active(black), active(white)]);
    }
    Ok(Batch { arrays: builder.finish(), idle: None })
}
