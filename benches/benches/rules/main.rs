//! Slider attacks by every method, questions to double-sized bitboards, and what is done with one position.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use komabako::board::{Bitboard, Color, File, Position, Rank, Square, square};
use komabako::rules::attacks::{Carry, Fill, Kindergarten, MagicTables, PextTables, Sliders, Zeros};
use komabako::rules::double::DoubleBitboard;
use komabako::rules::{Move16, MoveList, State};
use komabako_bits::{Backend, BitOps, Kernel, dispatch};
use komabako_testkit::setups::{Family, Rng};

type Query = (Square, Bitboard);

/// Squares, each with an occupied third of the board.
fn queries() -> Vec<Query> {
    let mut rng = Rng::new(51);
    let mut query = || {
        let occupied = square::all().filter(|_| rng.chance(33)).collect();
        (rng.square_of(Bitboard::ALL).expect("the board has squares"), occupied)
    };
    (0..4_096).map(|_| query()).collect()
}

/// The attacks of a rook (0), a bishop (1) or a lance (2) for every query, added up.
struct Attacks<'a, S, const KIND: u8>(&'a S, &'a [Query]);

impl<S: Sliders, const KIND: u8> Kernel for Attacks<'_, S, KIND> {
    type Output = Bitboard;

    #[inline(always)]
    fn run<B: BitOps>(self, _: B) -> Bitboard {
        self.1.iter().fold(Bitboard::EMPTY, |all, &(square, occupied)| {
            all ^ match KIND {
                0 => self.0.rook(square, occupied),
                1 => self.0.bishop(square, occupied),
                _ => self.0.lance(Color::Black, square, occupied),
            }
        })
    }
}

fn measure<S: Sliders, const KIND: u8>(
    c: &mut Criterion,
    backend: Backend,
    method: &str,
    sliders: &S,
    queries: &[Query],
) {
    let kind = ["rook", "bishop", "lance"][usize::from(KIND)];
    let expected = dispatch(backend, Attacks::<_, KIND>(&Kindergarten, queries));
    assert_eq!(dispatch(backend, Attacks::<_, KIND>(sliders, queries)), expected, "{method} {kind}");
    let mut group = c.benchmark_group(format!("{kind}/{backend}"));
    group.throughput(Throughput::Elements(queries.len() as u64));
    group.bench_function(method, |b| {
        b.iter(|| dispatch(backend, Attacks::<_, KIND>(sliders, black_box(queries))));
    });
    group.finish();
}

/// Every method on one backend. The tables of `PEXT` belong to the backend that they are asked with.
struct Methods<'a>(&'a mut Criterion, Backend);

impl Kernel for Methods<'_> {
    type Output = ();

    #[inline(always)]
    fn run<B: BitOps>(self, ops: B) {
        let Methods(c, backend) = self;
        let queries = queries();
        all_kinds(c, backend, "kindergarten", &Kindergarten, &queries);
        all_kinds(c, backend, "carry", &Carry, &queries);
        all_kinds(c, backend, "zeros", &Zeros, &queries);
        all_kinds(c, backend, "fill", &Fill, &queries);
        all_kinds(c, backend, "magic", &MagicTables::new(), &queries);
        all_kinds(c, backend, "pext", &PextTables::new(ops), &queries);
    }
}

fn all_kinds<S: Sliders>(c: &mut Criterion, backend: Backend, method: &str, sliders: &S, queries: &[Query]) {
    measure::<S, 0>(c, backend, method, sliders, queries);
    measure::<S, 1>(c, backend, method, sliders, queries);
    measure::<S, 2>(c, backend, method, sliders, queries);
}

fn sliders(c: &mut Criterion) {
    for backend in komabako_benches::backends() {
        dispatch(backend, Methods(c, backend));
    }
}

/// The eight neighbours of a square.
fn neighbours(of: Square) -> Bitboard {
    let distance = |a: u8, b: u8| a.abs_diff(b);
    square::all()
        .filter(|&at| {
            let files = distance(File::of(at).number(), File::of(of).number());
            let ranks = distance(Rank::of(at).number(), Rank::of(of).number());
            files.max(ranks) == 1
        })
        .collect()
}

/// How many pieces stand beside each square, asked of both kinds of bitboards.
fn double(c: &mut Criterion) {
    let plain = queries();
    let doubled: Vec<(Square, DoubleBitboard)> =
        plain.iter().map(|&(square, set)| (square, set.into())).collect();
    let beside: Vec<Bitboard> = square::all().map(neighbours).collect();
    let beside_doubled: Vec<DoubleBitboard> = beside.iter().map(|&set| set.into()).collect();
    let ask_plain =
        || -> u32 { plain.iter().map(|&(square, set)| (beside[square.array_index()] & set).len()).sum() };
    let ask_doubled = || -> u32 {
        doubled
            .iter()
            .map(|&(square, set)| (beside_doubled[square.array_index()] & set).len_near(square))
            .sum()
    };
    assert_eq!(ask_plain(), ask_doubled());
    let mut group = c.benchmark_group("pieces beside a square");
    group.throughput(Throughput::Elements(plain.len() as u64));
    group.bench_function("Bitboard", |b| b.iter(ask_plain));
    group.bench_function("DoubleBitboard", |b| b.iter(ask_doubled));
    group.finish();
}

/// What is done with one position, averaged over random midgames.
fn positions(c: &mut Criterion) {
    let mut rng = Rng::new(52);
    let positions: Vec<Position> = std::iter::repeat_with(|| Family::Midgame.generate(&mut rng))
        .filter_map(|setup| Position::new(setup).ok())
        .filter(|position| State::<u64>::new(position).is_ok())
        .take(1_000)
        .collect();
    let states: Vec<State> = positions.iter().filter_map(|position| State::new(position).ok()).collect();
    let mut moves = MoveList::new();
    let first: Vec<(&State, Move16)> = states
        .iter()
        .filter_map(|state| {
            state.legal_moves(&mut moves);
            Some((state, *moves.first()?))
        })
        .collect();
    let mut group = c.benchmark_group("position");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("State::new", |b| {
        b.iter(|| positions.iter().filter(|position| State::<()>::new(position).is_ok()).count());
    });
    group.bench_function("legal_moves", |b| {
        b.iter(|| {
            let mut count = 0;
            for state in &states {
                state.legal_moves(&mut moves);
                count += moves.len();
            }
            count
        });
    });
    group.bench_function("count_legal_moves", |b| {
        b.iter(|| states.iter().map(State::count_legal_moves).sum::<usize>());
    });
    group.bench_function("is_legal", |b| {
        b.iter(|| first.iter().filter(|(state, mv)| state.is_legal(*mv)).count());
    });
    group.finish();
}

criterion_group!(benches, sliders, double, positions);
criterion_main!(benches);
