//! Random games, and a simple writer of the two formats to compare with.

use komabako_board::{Position, Setup, sfen};
use komabako_dataset::move16::{Move16, MoveEncoding};
use komabako_dataset::record::{Labels, MoveBits};
use komabako_dataset::{Block, FileFormat, GameResult, Record, RecordReader};
use komabako_rules::{MoveList, State};
use komabako_testkit::setups::Rng;
use komabako_variants::WordFormat;

/// A game for tests.
#[derive(Clone, Debug)]
pub struct TestGame {
    pub start: Setup,
    pub ply: u16,
    /// The positions, the moves played in them and the scores.
    pub moves: Vec<(Setup, Move16, i16)>,
    pub result: GameResult,
}

const STARTS: [&str; 4] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 102",
];

/// The game of random moves with this seed: at most `most` of them, from an even, handicap or later position. A mated side
/// has lost.
pub fn random_game(rng: &mut Rng, most: usize) -> TestGame {
    let start = sfen::parse(STARTS[rng.below(STARTS.len())]).unwrap();
    let mut state: State<()> = State::new(&Position::new(start.setup).unwrap()).unwrap();
    let mut list = MoveList::new();
    let mut moves = Vec::new();
    let mut result = [GameResult::Draw, GameResult::BlackWin, GameResult::WhiteWin][rng.below(3)];
    for _ in 0..rng.below(most + 1) {
        state.legal_moves(&mut list);
        if list.is_empty() {
            break;
        }
        let mv = list[rng.below(list.len())];
        let stored = MoveEncoding::YaneuraOu.decode(mv.bits()).unwrap();
        moves.push((state.setup(), stored, rng.next_u64() as i16));
        state.do_move(mv);
    }
    state.legal_moves(&mut list);
    if list.is_empty() {
        result = GameResult::win_of(komabako_board::color::opponent(state.side_to_move()));
    }
    TestGame { start: start.setup, ply: start.ply.unwrap() as u16, moves, result }
}

/// Some random games.
pub fn random_games(seed: u64, count: usize, most: usize) -> Vec<TestGame> {
    let mut rng = Rng::new(seed);
    (0..count).map(|_| random_game(&mut rng, most)).collect()
}

impl TestGame {
    /// The game in `.pack`, unfinished.
    pub fn to_pack(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        if (self.start, self.ply) == (Setup::START, 1) {
            bytes.push(1);
        } else {
            bytes.push(0);
            bytes.extend(WordFormat::Hcp.pack(&self.start).unwrap());
            bytes.extend(self.ply.to_le_bytes());
        }
        for (_, mv, score) in &self.moves {
            bytes.extend(MoveEncoding::Apery.encode(*mv).unwrap().to_le_bytes());
            bytes.extend(score.to_le_bytes());
        }
        let code = u16::from(self.result.to_absolute());
        bytes.extend((code | code << 7).to_le_bytes());
        bytes.push(3);
        bytes
    }

    /// The game in hcpe3: the move played is the only candidate, with one visit.
    pub fn to_hcpe3(&self) -> Vec<u8> {
        let mut bytes = WordFormat::Hcp.pack(&self.start).unwrap().to_vec();
        bytes.extend((self.moves.len() as u16).to_le_bytes());
        bytes.extend([self.result.to_absolute(), 0]);
        for (_, mv, score) in &self.moves {
            let bits = MoveEncoding::Apery.encode(*mv).unwrap().to_le_bytes();
            bytes.extend(bits);
            bytes.extend(score.to_le_bytes());
            bytes.extend([1, 0]);
            bytes.extend(bits);
            bytes.extend([1, 0]);
        }
        bytes
    }

    /// The records, with plies counted from `ply`.
    pub fn records(&self, ply: u16) -> Vec<Record> {
        let record = |(&(setup, mv, score), ply): (&(Setup, Move16, i16), u32)| {
            let labels = Labels {
                score: Some(score),
                best_move: Some(MoveBits::from(mv)),
                result: Some(self.result),
                ply: Some(ply),
                ..Labels::default()
            };
            Record { setup, labels }
        };
        self.moves.iter().zip(u32::from(ply)..).map(record).collect()
    }
}

/// All blocks in `bytes`.
pub fn blocks(format: FileFormat, bytes: &[u8]) -> Vec<Block> {
    let mut reader = RecordReader::new(bytes, format, "games");
    let mut blocks = Vec::new();
    let mut block = Block::default();
    while reader.next_block(&mut block).unwrap() {
        blocks.push(std::mem::take(&mut block));
    }
    blocks
}
