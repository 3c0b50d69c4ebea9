//! The time of every codec, and of checking recorded moves, over a corpus of SFEN lines:
//! `measure [--quick] [--backend NAME] CORPUS`, or `measure --backends` to list the backends that this CPU supports.
//!
//! Prints one line `komabako,format,operation,nanoseconds per position` per row, the median over the repetitions. The rows are
//! measured in turn within each repetition, so that a drift of the machine's speed affects all of them. Every result is asserted
//! once before it is timed. Strict validation is part of every `unpack`. `pack`, `unpack` and `unpack to array` are calls for one
//! position each, into words and setups of the caller: `unpack` always into the same setup, which stays in the L1 cache, `unpack
//! to array` into an array with a setup for each word, as a batch does. The setups of the corpus take 2.4 MB. Rows named `warm`
//! process its first 128 positions repeatedly, with results in the same place.

#![forbid(unsafe_code)]

use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

use komabako::board::{Piece, Position, Setup};
use komabako::codec::{
    ByteBoard, ByteBoardCodec, Hcp, Nshogi, PackedSfen, PieceBoards, PieceTable, PositionCodec, Sspf, Word,
    recode,
};
use komabako::record::block::Cuts;
use komabako::record::legality::MoveChecker;
use komabako::record::move16::MoveEncoding;
use komabako::record::record::{Labels, MoveBits, Psv};
use komabako::record::{Block, FileFormat};
use komabako::rules::{Move16, MoveList, State};
use komabako::variants::{C250, R238, SspfExt};
use komabako_benches::corpus;
use komabako_benches::mailbox::{Mailbox, Whole};
use komabako_bits::Backend;

/// A smaller corpus is repeated up to this number of positions, so that one timing is well above the clock's resolution.
const POSITIONS: usize = 10_000;

/// This number of positions, with their words, fits in the L1 cache.
const WARM: usize = 128;

fn main() -> ExitCode {
    match run() {
        Ok(rows) => {
            for row in rows {
                println!("komabako,{},{},{:.2}", row.format, row.operation, row.median());
            }
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("measure: {message}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<Vec<Row>, String> {
    let mut quick = false;
    let mut backend = Backend::detect();
    let mut path = None;
    let mut arguments = std::env::args().skip(1).peekable();
    if arguments.peek().is_some_and(|argument| argument == "--backends") {
        Backend::available().for_each(|backend| println!("{backend}"));
        return Ok(Vec::new());
    }
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--quick" => quick = true,
            "--backend" => {
                let name = arguments.next().ok_or("--backend needs a name")?;
                backend = name.parse().map_err(|why| format!("--backend {name}: {why}"))?;
            }
            _ => path = Some(argument),
        }
    }
    let path = path.ok_or("usage: measure [--quick] [--backend NAME] CORPUS")?;
    let setups = read_corpus(&path)?;
    let mut rows = Vec::new();
    let mut jobs: Vec<Box<dyn Job>> = vec![
        Box::new(Codec::<Sspf>::new(backend, &setups)),
        Box::new(Codec::<PackedSfen>::new(backend, &setups)),
        Box::new(Codec::<Hcp>::new(backend, &setups)),
        Box::new(Codec::<Nshogi>::new(backend, &setups)),
        Box::new(Codec::<SspfExt>::new(backend, &setups)),
        Box::new(Codec::<C250>::new(backend, &setups)),
        Box::new(Ranking::new(backend, &setups)),
        Box::new(Recoding::new(backend, &setups)),
        Box::new(Validation::new(backend, &setups)),
    ];
    for _ in 0..if quick { 3 } else { 9 } {
        for job in &mut jobs {
            job.measure(&setups, &mut rows);
        }
    }
    Ok(rows)
}

/// The positions of a corpus, repeated up to [`POSITIONS`].
fn read_corpus(path: &str) -> Result<Vec<Setup>, String> {
    let distinct = corpus::read(path)?;
    Ok(distinct.iter().copied().cycle().take(distinct.len().max(POSITIONS)).collect())
}

/// The times of one operation of one format, in nanoseconds per position.
struct Row {
    format: &'static str,
    operation: &'static str,
    times: Vec<f64>,
}

impl Row {
    fn median(&self) -> f64 {
        let mut times = self.times.clone();
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    }
}

/// Adds a time to its row.
fn add(rows: &mut Vec<Row>, format: &'static str, operation: &'static str, each: f64) {
    match rows.iter_mut().find(|row| (row.format, row.operation) == (format, operation)) {
        Some(row) => row.times.push(each),
        None => rows.push(Row { format, operation, times: vec![each] }),
    }
}

/// A workload that is timed repeatedly.
trait Job {
    fn measure(&mut self, setups: &[Setup], rows: &mut Vec<Row>);
}

/// A codec, the words of the corpus, and buffers for results.
struct Codec<C> {
    codec: C,
    words: Vec<Word>,
    packed: Vec<Word>,
    unpacked: Vec<Setup>,
    boards: Vec<ByteBoard>,
    engine: EngineBoards,
}

/// The corpus on engines' own boards.
struct EngineBoards {
    boards: Vec<PieceBoards>,
    table: PieceTable,
    mailboxes: Vec<Mailbox>,
    whole: Vec<Whole>,
}

impl<C: ByteBoardCodec> Codec<C> {
    fn new(backend: Backend, setups: &[Setup]) -> Self {
        let codec = C::with_backend(backend);
        let words: Vec<Word> =
            setups.iter().map(|setup| codec.pack(setup).expect("a base position")).collect();
        for (word, setup) in words.iter().zip(setups) {
            assert_eq!(codec.unpack(word).as_ref(), Ok(setup), "{} of {setup:?}", C::NAME);
        }
        let boards: Vec<ByteBoard> = setups.iter().map(ByteBoard::of_setup).collect();
        let engine = EngineBoards {
            boards: setups.iter().map(PieceBoards::of_setup).collect(),
            table: PieceTable::new(|piece| piece.map_or(0, Piece::as_u8)),
            mailboxes: setups.iter().map(Mailbox::of_setup).collect(),
            whole: setups.iter().map(|setup| Whole(Mailbox::of_setup(setup))).collect(),
        };
        for (word, board) in words.iter().zip(&boards) {
            assert_eq!(codec.pack_bytes(board).as_ref(), Ok(word), "{} of {board:?}", C::NAME);
            assert_eq!(codec.unpack_bytes(word).as_ref(), Ok(board), "{} of {board:?}", C::NAME);
        }
        Self {
            codec,
            packed: vec![[0; 32]; words.len()],
            unpacked: vec![Setup::EMPTY; words.len()],
            words,
            boards,
            engine,
        }
    }
}

impl<C: ByteBoardCodec> Job for Codec<C> {
    fn measure(&mut self, setups: &[Setup], rows: &mut Vec<Row>) {
        let Self { codec, words, packed, unpacked, boards, engine } = self;
        let mut time = |operation, run: &mut dyn FnMut()| {
            let start = Instant::now();
            run();
            let each = start.elapsed().as_nanos() as f64 / setups.len() as f64;
            add(rows, C::NAME, operation, each);
        };
        time("pack", &mut || {
            for (setup, word) in setups.iter().zip(packed.iter_mut()) {
                codec.pack_to(black_box(setup), word).expect("a base position");
            }
            black_box(&packed);
        });
        time("pack batch", &mut || {
            codec.pack_slice(black_box(setups), packed).expect("base positions");
            black_box(&packed);
        });
        let mut one = Setup::EMPTY;
        time("unpack", &mut || {
            for word in words.iter() {
                codec.unpack_to(black_box(word), &mut one).expect("its own word");
                black_box(&one);
            }
        });
        time("unpack batch", &mut || {
            codec.unpack_slice(black_box(words), unpacked).expect("its own words");
            black_box(&unpacked);
        });
        time("unpack to array", &mut || {
            for (word, setup) in words.iter().zip(unpacked.iter_mut()) {
                codec.unpack_to(black_box(word), setup).expect("its own word");
            }
            black_box(&unpacked);
        });
        let warm = WARM.min(setups.len());
        let rounds = setups.len() / warm;
        let few = &setups[..warm];
        let few_words = &words[..warm];
        time("pack warm", &mut || {
            for _ in 0..rounds {
                for (setup, word) in few.iter().zip(packed.iter_mut()) {
                    codec.pack_to(black_box(setup), word).expect("a base position");
                }
                black_box(&packed);
            }
        });
        time("pack batch warm", &mut || {
            for _ in 0..rounds {
                codec.pack_slice(black_box(few), &mut packed[..warm]).expect("base positions");
                black_box(&packed);
            }
        });
        time("unpack warm", &mut || {
            for _ in 0..rounds {
                for (word, setup) in few_words.iter().zip(unpacked.iter_mut()) {
                    codec.unpack_to(black_box(word), setup).expect("its own word");
                }
                black_box(&unpacked);
            }
        });
        time("unpack batch warm", &mut || {
            for _ in 0..rounds {
                codec.unpack_slice(black_box(few_words), &mut unpacked[..warm]).expect("its own words");
                black_box(&unpacked);
            }
        });
        time("pack from bytes", &mut || {
            codec.pack_bytes_slice(black_box(boards), packed).expect("base positions");
            black_box(&packed);
        });
        time("unpack to bytes", &mut || {
            codec.unpack_bytes_slice(black_box(words), boards).expect("its own words");
            black_box(&boards);
        });
        time("pack from bitboards", &mut || {
            for (board, word) in engine.boards.iter().zip(packed.iter_mut()) {
                codec.pack_from_to(black_box(board), word).expect("a base position");
            }
            black_box(&packed);
        });
        time("unpack to bitboards", &mut || {
            let mut boards = PieceBoards::EMPTY;
            for word in words.iter() {
                codec.unpack_boards_to(black_box(word), &mut boards).expect("its own word");
                black_box(&boards);
            }
        });
        time("pack from mailbox", &mut || {
            for (mailbox, word) in engine.mailboxes.iter().zip(packed.iter_mut()) {
                let &Mailbox { ref squares, hands, side } = black_box(mailbox);
                let mailbox = komabako::codec::Mailbox { squares, table: &engine.table, hands, side };
                codec.pack_from_to(&mailbox, word).expect("a base position");
            }
            black_box(&packed);
        });
        let mut squares = [0; 81];
        time("unpack to mailbox", &mut || {
            for word in words.iter() {
                let rest = codec.unpack_mailbox(black_box(word), &engine.table, &mut squares);
                black_box(rest.expect("its own word"));
                black_box(&squares);
            }
        });
        time("pack from source", &mut || {
            for (mailbox, word) in engine.mailboxes.iter().zip(packed.iter_mut()) {
                *word = codec.pack_from(black_box(mailbox)).expect("a base position");
            }
            black_box(&packed);
        });
        let mut sink = Mailbox::EMPTY;
        time("unpack to sink", &mut || {
            for word in words.iter() {
                codec.unpack_into(black_box(word), &mut sink).expect("its own word");
                black_box(&sink);
            }
        });
        time("pack from source as a whole", &mut || {
            for (whole, word) in engine.whole.iter().zip(packed.iter_mut()) {
                codec.pack_from_to(black_box(whole), word).expect("a base position");
            }
            black_box(&packed);
        });
        let mut sink = Whole(Mailbox::EMPTY);
        time("unpack to sink as a whole", &mut || {
            for word in words.iter() {
                codec.unpack_into(black_box(word), &mut sink).expect("its own word");
                black_box(&sink);
            }
        });
    }
}

/// The words of the corpus in PSV and HCP, which are converted to each other.
struct Recoding {
    backend: Backend,
    psv: Vec<Word>,
    hcp: Vec<Word>,
}

impl Recoding {
    fn new(backend: Backend, setups: &[Setup]) -> Self {
        let mut psv = vec![[0; 32]; setups.len()];
        let mut hcp = vec![[0; 32]; setups.len()];
        PackedSfen::with_backend(backend).pack_slice(setups, &mut psv).expect("base positions");
        Hcp::with_backend(backend).pack_slice(setups, &mut hcp).expect("base positions");
        let mut recoded = psv.clone();
        recode::psv_to_hcp(backend, &psv, &mut recoded).expect("PSV's words");
        assert_eq!(recoded, hcp);
        Self { backend, psv, hcp }
    }
}

impl Job for Recoding {
    fn measure(&mut self, setups: &[Setup], rows: &mut Vec<Row>) {
        let Self { backend, psv, hcp } = self;
        let start = Instant::now();
        recode::psv_to_hcp(*backend, black_box(psv), hcp).expect("PSV's words");
        black_box(&hcp);
        add(rows, PackedSfen::NAME, "recode to hcp", start.elapsed().as_nanos() as f64 / setups.len() as f64);
        let start = Instant::now();
        recode::hcp_to_psv(*backend, black_box(hcp), psv).expect("HCP's words");
        black_box(&psv);
        add(rows, Hcp::NAME, "recode to psv", start.elapsed().as_nanos() as f64 / setups.len() as f64);
    }
}

/// PSV records of the positions of the corpus that have a legal move, and their checker.
struct Validation {
    checker: MoveChecker,
    block: Block,
}

impl Validation {
    fn new(backend: Backend, setups: &[Setup]) -> Self {
        let codec = PackedSfen::with_backend(backend);
        let mut bytes = Vec::new();
        for setup in setups {
            let Some(legal) = legal_move(setup) else { continue };
            let best_move = Some(MoveBits { bits: legal.bits(), encoding: MoveEncoding::YaneuraOu });
            let word = codec.pack(setup).expect("a base position");
            let record = Psv::new(word, &Labels { best_move, ..Labels::default() }).expect("a legal move");
            bytes.extend_from_slice(&record.position);
            bytes.extend_from_slice(&[0; 2]);
            bytes.extend_from_slice(&record.best_move.to_le_bytes());
            bytes.extend_from_slice(&[0; 4]);
        }
        let count = bytes.len() / 40;
        let block = Block::new(bytes, Cuts::Every { size: 40, count });
        let mut checker = MoveChecker::new(backend);
        assert_eq!(checker.check(FileFormat::Psv, &block, 0..count), []);
        Self { checker, block }
    }
}

/// The first legal move of the list; `None` if the list is empty or the side not to move is in check.
fn legal_move(setup: &Setup) -> Option<Move16> {
    let state = State::<()>::new(&Position::new(*setup).ok()?).ok()?;
    let mut moves = MoveList::new();
    state.legal_moves(&mut moves);
    moves.first().copied()
}

impl Job for Validation {
    fn measure(&mut self, _: &[Setup], rows: &mut Vec<Row>) {
        let start = Instant::now();
        let records = self.block.len();
        black_box(self.checker.check(FileFormat::Psv, &self.block, 0..records));
        add(rows, PackedSfen::NAME, "validate moves", start.elapsed().as_nanos() as f64 / records as f64);
    }
}

/// The ranking of all positions, and the words of the corpus.
struct Ranking {
    ranking: R238,
    words: Vec<Word>,
}

impl Ranking {
    fn new(backend: Backend, setups: &[Setup]) -> Self {
        let ranking = R238::with_backend(backend);
        let pack = |setup| ranking.pack(setup).expect("every setup has a rank");
        let words: Vec<Word> = setups.iter().map(pack).collect();
        for (word, setup) in words.iter().zip(setups) {
            assert_eq!(ranking.unpack(word).as_ref(), Ok(setup), "the rank of {setup:?}");
        }
        Self { ranking, words }
    }
}

impl Job for Ranking {
    fn measure(&mut self, setups: &[Setup], rows: &mut Vec<Row>) {
        let start = Instant::now();
        for setup in setups {
            black_box(self.ranking.pack(black_box(setup)).expect("every setup has a rank"));
        }
        add(rows, R238::NAME, "pack", start.elapsed().as_nanos() as f64 / setups.len() as f64);
        let start = Instant::now();
        for word in &self.words {
            black_box(self.ranking.unpack(black_box(word)).expect("its own word"));
        }
        add(rows, R238::NAME, "unpack", start.elapsed().as_nanos() as f64 / setups.len() as f64);
    }
}
