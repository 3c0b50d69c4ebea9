//! `komabako perft`: counts the sequences of legal moves.

use std::io::Write;
use std::time::Instant;

use clap::Args;
use komabako::bits::Backend;
use komabako::rules::perft::{PerftTable, perft_hashed_threads, perft_threads};
use komabako::rules::{Keyless, Leaves, MoveList, State};

use super::game::GameArgs;
use crate::context::Context;
use crate::message::grouped;
use crate::outcome::{Failure, Outcome};

#[derive(Args)]
pub struct Perft {
    #[command(flatten)]
    start: GameArgs,
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
    #[arg(long)]
    divide: bool,
    #[arg(long, value_name = "T", default_value_t = 1)]
    threads: usize,
    #[arg(long, value_name = "MB")]
    hash: Option<usize>,
}

impl Perft {
    pub fn run(mut self, context: &Context) -> Result<Outcome, Failure> {
        let Some(depth) = self.depth.or_else(|| self.start.take_number()) else {
            return Err(Failure::CouldNotRun(context.lang.perft_without_depth()));
        };
        let started = self.start.start(context)?;
        let state = started.game.state();
        let counter = Counter::new(context, self.threads, self.hash)?;
        context.print(|out| {
            let begun = Instant::now();
            let nodes = if self.divide && depth > 0 {
                divide(state, depth, &counter, out)?
            } else {
                counter.count(state, depth)
            };
            let seconds = begun.elapsed().as_secs_f64();
            let speed = grouped((nodes as f64 / seconds.max(1e-9)) as u64);
            let time = context.lang.perft_time(format!("{seconds:.3}"), speed);
            writeln!(out, "{} {nodes}\n{time}", context.lang.nodes_label())
        })?;
        Ok(Outcome::Clean)
    }
}

/// Writes the count of each move, sorted by their texts, and returns the sum. `depth` is 1 or more.
fn divide(state: &State, depth: u32, counter: &Counter, out: &mut impl Write) -> std::io::Result<u64> {
    let mut moves = MoveList::new();
    state.legal_moves(&mut moves);
    let mut moves: Vec<_> = moves.iter().map(|mv| (mv.to_string(), *mv)).collect();
    moves.sort();
    let mut nodes = 0;
    for (text, mv) in moves {
        let mut child = state.clone();
        child.do_move(mv);
        let count = counter.count(&child, depth - 1);
        writeln!(out, "{text} {count}")?;
        nodes += count;
    }
    Ok(nodes)
}

/// The settings of a count.
struct Counter {
    backend: Backend,
    threads: usize,
    table: Option<PerftTable>,
}

impl Counter {
    /// Counts with `threads` threads, 0 for one per CPU, which share a table of `megabytes` MB if given.
    fn new(context: &Context, threads: usize, megabytes: Option<usize>) -> Result<Self, Failure> {
        let threads = match threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        let table = match megabytes {
            None => None,
            Some(megabytes) => {
                let table = PerftTable::new(megabytes.saturating_mul(1 << 20));
                Some(table.map_err(|_| Failure::CouldNotRun(context.lang.perft_table_too_large(megabytes)))?)
            }
        };
        Ok(Self { backend: context.backend, threads, table })
    }

    fn count(&self, state: &State, depth: u32) -> u64 {
        let &Counter { backend, threads, .. } = self;
        let position = Keyless::clone(state);
        match &self.table {
            // The table compares only keys, so they are wide.
            Some(table) => perft_hashed_threads(backend, &State::from(position), depth, table, threads),
            // Without a table there is no key to update, which is faster.
            None => perft_threads(backend, &State::<()>::from(position), depth, Leaves::Count, threads),
        }
    }
}
