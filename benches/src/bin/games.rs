//! Makes a file of training records: `games RECORDS SHARE SEED OUT.psv`, 40 bytes each, the same for the same seed.
//!
//! A game starts from a position of `data/sample.psv`, plays a few random legal moves to leave it, and is recorded from there on:
//! the position, the move played, a random walk of scores, the ply, and a result that matches the last score. A SHARE of the
//! games, from 0 to 1, repeat an earlier game of the file with different scores. This share of the records are duplicates by
//! position, and by position and move, but not by all bytes. Prints the number of records in repeated games.

#![forbid(unsafe_code)]

use std::fs::File;
use std::io::{BufWriter, Write};
use std::process::ExitCode;
use std::thread;

use komabako::board::{Color, Position, Setup};
use komabako::codec::{PackedSfen, PositionCodec, Word};
use komabako::rules::{Move16, MoveList, State};

const STARTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../data/sample.psv");
const RECORD: usize = 40;

/// The number of random moves before the first record: enough to leave the sample.
const LEAD: u32 = 4;
/// The number of records of a game, unless it ends earlier.
const LENGTH: usize = 48;
/// The number of games that a thread plays at a time.
const ROUND: u64 = 1 << 11;

fn main() -> ExitCode {
    match run(&std::env::args().skip(1).collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("games: {message}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &[String]) -> Result<(), String> {
    const USAGE: &str = "usage: games RECORDS SHARE SEED OUT.psv";
    let [records, share, seed, out] = arguments else { return Err(USAGE.to_owned()) };
    let records: usize = records.parse().map_err(|_| USAGE)?;
    let share: f64 = share.parse().map_err(|_| USAGE)?;
    let maker = Maker { seed: seed.parse().map_err(|_| USAGE)?, share, starts: starts()? };
    let failed = |error| format!("{out}: {error}");
    let mut file = BufWriter::new(File::create(out).map_err(failed)?);
    let mut left = records;
    let mut again = 0;
    let threads = thread::available_parallelism().map_or(1, usize::from) as u64;
    for first in (0..).step_by((threads * ROUND) as usize) {
        let rounds: Vec<Round> = thread::scope(|scope| {
            let play = |thread| {
                let maker = &maker;
                scope.spawn(move || maker.round(first + thread * ROUND))
            };
            let players: Vec<_> = (0..threads).map(play).collect();
            players.into_iter().map(|player| player.join().expect("a game ends")).collect()
        });
        for (game, is_again) in rounds.iter().flatten() {
            let length = left.min(game.len() / RECORD);
            file.write_all(&game[..length * RECORD]).map_err(failed)?;
            left -= length;
            again += if *is_again { length } else { 0 };
        }
        if left == 0 {
            break;
        }
    }
    file.flush().map_err(failed)?;
    println!("{records} records, {again} of games over again");
    Ok(())
}

/// The records of some games, each with whether it is a repeated game.
type Round = Vec<(Vec<u8>, bool)>;

/// The positions of the sample, from which games start, and their plies.
fn starts() -> Result<Vec<(Position, u16)>, String> {
    let bytes = std::fs::read(STARTS).map_err(|error| format!("{STARTS}: {error}"))?;
    let start = |record: &[u8]| {
        let word: Word = record[..32].try_into().expect("a record holds a word");
        let setup = PackedSfen::new().unpack(&word).map_err(|error| format!("{STARTS}: {error}"))?;
        let position = Position::new(setup).map_err(|error| format!("{STARTS}: {error}"))?;
        Ok((position, u16::from_le_bytes([record[36], record[37]])))
    };
    bytes.chunks_exact(RECORD).map(start).collect()
}

/// Plays games by their numbers.
struct Maker {
    seed: u64,
    share: f64,
    starts: Vec<(Position, u16)>,
}

impl Maker {
    fn round(&self, first: u64) -> Round {
        let mut moves = MoveList::new();
        let mut play = |number| {
            let original = self.original(number);
            (self.play(original, number, &mut moves), original != number)
        };
        (first..first + ROUND).map(&mut play).collect()
    }

    /// The random numbers for one kind of choice of a game.
    fn random(&self, game: u64, purpose: u64) -> Random {
        let mut random = Random(self.seed);
        Random(random.next() ^ Random(game).next().wrapping_add(purpose))
    }

    /// The game that this one repeats, or itself.
    fn original(&self, number: u64) -> u64 {
        let is_again = |number| number > 0 && self.random(number, 0).unit() < self.share;
        let mut random = self.random(number, 1);
        let mut choice = number;
        while is_again(choice) {
            choice = random.below(number);
        }
        choice
    }

    /// The records of a game, with the scores of the game `scores`.
    fn play(&self, game: u64, scores: u64, moves: &mut MoveList) -> Vec<u8> {
        let mut random = self.random(game, 2);
        let (position, ply) = &self.starts[random.below(self.starts.len() as u64) as usize];
        let mut state = State::<()>::new(position).expect("a position of a game");
        let mut ply = ply + LEAD as u16;
        for _ in 0..LEAD {
            if advance(&mut state, &mut random, moves).is_none() {
                return Vec::new();
            }
        }
        let mut setups: Vec<Setup> = Vec::with_capacity(LENGTH);
        let mut played: Vec<Move16> = Vec::with_capacity(LENGTH);
        while setups.len() < LENGTH {
            let setup = state.setup();
            let Some(mv) = advance(&mut state, &mut random, moves) else { break };
            setups.push(setup);
            played.push(mv);
        }
        let mut words = vec![[0; 32]; setups.len()];
        PackedSfen::new().pack_slice(&setups, &mut words).expect("all pieces are there");
        let mut random = self.random(scores, 3);
        // From Black's view, in centipawns.
        let mut score = random.below(401) as i16 - 200;
        let mut views = Vec::with_capacity(setups.len());
        for setup in &setups {
            score = (score + random.below(121) as i16 - 60).clamp(-3000, 3000);
            let is_black = setup.side_to_move() == Color::Black;
            views.push((if is_black { score } else { -score }, is_black));
        }
        let black_wins = score >= 0;
        let mut records = Vec::with_capacity(setups.len() * RECORD);
        for ((word, mv), (score, is_black)) in words.iter().zip(played).zip(views) {
            records.extend_from_slice(word);
            records.extend_from_slice(&score.to_le_bytes());
            records.extend_from_slice(&mv.bits().to_le_bytes());
            records.extend_from_slice(&ply.to_le_bytes());
            let result: i8 = if is_black == black_wins { 1 } else { -1 };
            records.extend_from_slice(&[result as u8, 0]);
            ply += 1;
        }
        records
    }
}

/// Plays a random legal move, if any.
fn advance(state: &mut State<()>, random: &mut Random, moves: &mut MoveList) -> Option<Move16> {
    state.legal_moves(moves);
    if moves.is_empty() {
        return None;
    }
    let mv = moves[random.below(moves.len() as u64) as usize];
    state.do_move(mv);
    Some(mv)
}

/// `SplitMix64`.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below a bound; its small bias does not matter here.
    fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }

    /// A number from 0 to 1.
    fn unit(&mut self) -> f64 {
        self.next() as f64 / u64::MAX as f64
    }
}
