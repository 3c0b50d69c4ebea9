//! Slider attacks with every method: the time to build the tables, and the time of a lookup.

use std::hint::black_box;
use std::time::Instant;

use komabako::board::{Bitboard, Color, square};
use komabako::rules::attacks::{
    Carry, Fill, Kindergarten, MagicTables, PextTables, Sliders, VectorCarry, Zeros,
};
use komabako_bits::{Backend, BitOps, Kernel, dispatch};

use crate::table::{Job, Table};
use crate::{Query, queries};

const KINDS: [&str; 3] = ["rook", "bishop", "lance"];

#[inline(always)]
fn attacks<S: Sliders, const KIND: usize>(sliders: &S, (square, occupied): Query) -> Bitboard {
    match KIND {
        0 => sliders.rook(square, occupied),
        1 => sliders.bishop(square, occupied),
        _ => sliders.lance(Color::Black, square, occupied),
    }
}

/// The attacks for every query, combined.
struct Hot<'a, S, const KIND: usize>(&'a S, &'a [Query]);

impl<S: Sliders, const KIND: usize> Kernel for Hot<'_, S, KIND> {
    type Output = Bitboard;

    #[inline(always)]
    fn run<B: BitOps>(self, _: B) -> Bitboard {
        let mut all = Bitboard::EMPTY;
        for &query in self.1 {
            all ^= attacks::<S, KIND>(self.0, query);
        }
        all
    }
}

/// The attacks for one query after the other, where each square depends on the previous answer.
struct Spread<'a, S, const KIND: usize>(&'a S, &'a [Query]);

impl<S: Sliders, const KIND: usize> Kernel for Spread<'_, S, KIND> {
    type Output = Bitboard;

    #[inline(always)]
    fn run<B: BitOps>(self, _: B) -> Bitboard {
        let mut last = Bitboard::EMPTY;
        for &(at, occupied) in self.1 {
            let next = (at.array_index() + last.first_index() % 2) % square::COUNT;
            let Some(from) = square::from_index(next) else { continue };
            last = attacks::<S, KIND>(self.0, (from, occupied));
        }
        last
    }
}

/// The jobs of one method, whose results must agree with the other methods.
fn jobs<'a, S: Sliders>(
    backend: Backend,
    name: &str,
    sliders: &'a S,
    queries: &'a [Query],
    is_spread: bool,
) -> Vec<Job<'a>> {
    let job = |kind| format!("{name}, {}", KINDS[kind]);
    macro_rules! kind {
        ($kind:literal, $walk:ident) => {{
            let expected = dispatch(backend, $walk::<_, $kind>(&Kindergarten, queries));
            assert_eq!(dispatch(backend, $walk::<_, $kind>(sliders, queries)), expected, "{}", job($kind));
            Job::new(job($kind), queries.len(), move || {
                dispatch(backend, $walk::<_, $kind>(black_box(sliders), queries))
            })
        }};
    }
    if is_spread {
        vec![kind!(0, Spread), kind!(1, Spread)]
    } else {
        vec![kind!(0, Hot), kind!(1, Hot), kind!(2, Hot)]
    }
}

/// Every method on one backend.
struct Measure<'a> {
    table: &'a mut Table,
    backend: Backend,
    rounds: usize,
    queries: &'a [Query],
    is_spread: bool,
}

impl Kernel for Measure<'_> {
    type Output = ();

    #[inline(always)]
    fn run<B: BitOps>(self, ops: B) {
        let Measure { table, backend, rounds, queries, is_spread } = self;
        let magic = MagicTables::new();
        let pext = PextTables::new(ops);
        let vectors = VectorCarry::new(ops);
        let all = [
            jobs(backend, "kindergarten", &Kindergarten, queries, is_spread),
            jobs(backend, "pext", &pext, queries, is_spread),
            jobs(backend, "magic", &magic, queries, is_spread),
            jobs(backend, "carry", &Carry, queries, is_spread),
            jobs(backend, "vector carry", &vectors, queries, is_spread),
            jobs(backend, "zeros", &Zeros, queries, is_spread),
            jobs(backend, "fill", &Fill, queries, is_spread),
        ];
        table.measure(backend, rounds, all.into_iter().flatten().collect());
    }
}

fn measure(title: &'static str, rounds: usize, queries: &[Query], is_spread: bool) -> Table {
    let mut table = Table::new(title);
    for backend in komabako_benches::backends() {
        dispatch(backend, Measure { table: &mut table, backend, rounds, queries, is_spread });
    }
    table
}

/// Independent lookups, with the tables in cache.
pub fn hot(rounds: usize) -> Table {
    measure("Sliders, throughput of 4,096 lookups", rounds, &queries(4_096), false)
}

/// Lookups that each depend on the previous one, spread over the whole tables.
pub fn spread(rounds: usize) -> Table {
    measure("Sliders, 65,536 dependent lookups", rounds, &queries(1 << 16), true)
}

/// The sizes of the tables, and the build times of those not built at compile time.
pub fn tables() -> String {
    let mut text = "### Sliders, tables\n\n| method | size | built in |\n|---|---|---|\n".to_owned();
    for (method, kib) in
        [("kindergarten", 10), ("carry", 16), ("vector carry", 32), ("zeros", 16), ("fill", 16)]
    {
        text += &format!("| {method} | {kib} KiB | compile time |\n");
    }
    let mut built = |method: &str, size: usize, start: Instant| {
        let milliseconds = start.elapsed().as_secs_f64() * 1e3;
        text += &format!("| {method} | {} KiB | {milliseconds:.1} ms |\n", size >> 10);
    };
    let start = Instant::now();
    built("magic", MagicTables::new().size(), start);
    for backend in komabako_benches::backends() {
        let start = Instant::now();
        built(&format!("pext on {backend}"), dispatch(backend, BuildPext), start);
    }
    text
}

struct BuildPext;

impl Kernel for BuildPext {
    type Output = usize;

    #[inline(always)]
    fn run<B: BitOps>(self, ops: B) -> usize {
        PextTables::new(ops).size()
    }
}
