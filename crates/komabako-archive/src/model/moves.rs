//! Moves (`spec/archive.md` §5 e): a softmax over the legal moves, whose weights are learnt as it goes.

use alloc::boxed::Box;
use alloc::vec::Vec;

use komabako_bits::{Backend, BitOps, Bytes, Kernel, dispatch};
use komabako_board::{BaseKind, Bitboard, Color, color};
use komabako_codec::{ByteBoard, Cell, cell};
use komabako_rules::{Generator, Move16, MoveList, State};

use super::coder::{Bit, Coder};
use super::position::turned;

/// The weights that one move has.
const FEATURES: usize = 6;
/// The classes of moves: a kind of piece, 16 more if it promotes, or 32 and the kind of a drop.
const CLASSES: usize = 40;
/// The offsets of one square from another: 17 files by 17 ranks.
const OFFSETS: usize = 17 * 17;
/// The pairs of enemy attackers and own ones: 0, 1, 2 or more of each.
const ATTACKERS: usize = 9;

/// The number of weights of each feature, in the order of the specification.
const SIZES: [usize; FEATURES] = [
    CLASSES * 81,
    CLASSES * 16 * ATTACKERS,
    CLASSES * OFFSETS,
    // And one more: no last move.
    OFFSETS * 16 + 1,
    CLASSES * 32,
    16 * ATTACKERS * 2 + 1,
];
/// The first weight of each feature.
const STARTS: [usize; FEATURES] = {
    let mut starts = [0; FEATURES];
    let mut feature = 1;
    while feature < FEATURES {
        starts[feature] = starts[feature - 1] + SIZES[feature - 1];
        feature += 1;
    }
    starts
};
/// A power of two, so that an index needs no bounds check.
const WEIGHTS: usize = (STARTS[FEATURES - 1] + SIZES[FEATURES - 1]).next_power_of_two();

/// A weight, 65536 to the nat, in the upper 24 bits; in the lower 8 how often it was learnt from.
#[derive(Clone, Copy)]
struct Weight(i32);

const MOST_WEIGHT: i32 = 1 << 22;
const MOST_LEARNT: i32 = 255;
/// How fast weights are learnt, of 65536.
const SPEED: i32 = 24_000;
/// Moves with a smaller share, of 65536, are not learnt from unless they are chosen.
const LEAST_SHARE: u32 = 128;
/// A move with a greater share counts as learnt from.
const COUNTED_SHARE: u32 = 8192;

/// 256 / √(n + 1), rounded in two steps.
const RATES: [i32; 256] = {
    let mut rates = [0; 256];
    let mut n = 0;
    while n < 256 {
        rates[n] = 65_536 / (65_536 * (n as i32 + 1)).isqrt();
        n += 1;
    }
    rates
};

impl Weight {
    #[inline(always)]
    fn value(self) -> i32 {
        self.0 >> 8
    }

    #[inline(always)]
    fn learn(&mut self, error: i32, is_counted: bool) {
        let count = self.0 & 0xff;
        let value = self.value() + ((error * RATES[count as usize]) >> 8);
        let value = value.clamp(-MOST_WEIGHT, MOST_WEIGHT);
        self.0 = value << 8 | (count + i32::from(is_counted)).min(MOST_LEARNT);
    }
}

/// 4096 · e^(−i/64), rounded, at least 1.
static EXPONENTIALS: [u32; 1024] = {
    /// e^(−1/64)
    const STEP: f64 = 0.984_496_437_005_408_4;
    let mut exponentials = [0; 1024];
    let mut power = 4096.0;
    let mut i = 0;
    while i < 1024 {
        let rounded = (power + 0.5) as u32;
        exponentials[i] = if rounded > 0 { rounded } else { 1 };
        power *= STEP;
        i += 1;
    }
    exponentials
};

/// The last move of the opponent.
#[derive(Clone, Copy)]
pub(super) struct LastMove {
    /// The index of its target.
    to: u8,
    /// The kind of the piece that moved, as it was before.
    kind: u8,
}

impl LastMove {
    /// A move, before it is made.
    pub fn new(state: &State<()>, mv: Move16) -> LastMove {
        let kind = match (mv.dropped(), mv.from()) {
            (Some(kind), _) => kind as u8 + 1,
            (None, Some(from)) => state.piece_at(from).map_or(0, cell::from_piece) % cell::WHITE,
            (None, None) => 0,
        };
        LastMove { to: (mv.bits() & 0x7f) as u8, kind }
    }
}

/// A legal move with its weights.
#[derive(Clone, Copy)]
struct Candidate {
    mv: Move16,
    features: [u16; FEATURES],
}

/// The weights of moves, which the model adapts.
pub(super) struct MoveModel {
    is_legal: Bit,
    weights: Box<[Weight; WEIGHTS]>,
    generator: Generator,
    list: MoveList,
    sets: MoveSets,
    /// The legal moves, ascending.
    candidates: Vec<Candidate>,
    /// By move: the sums of weights, then the shares of the total.
    shares: Vec<u32>,
}

impl MoveModel {
    pub fn new() -> MoveModel {
        let weights: Box<[Weight]> = alloc::vec![Weight(0); WEIGHTS].into();
        MoveModel {
            is_legal: Bit::NEW,
            weights: weights.try_into().unwrap_or_else(|_| unreachable!("as many as were made")),
            generator: Generator::new(Backend::detect()),
            list: MoveList::new(),
            sets: MoveSets::new(),
            candidates: Vec::new(),
            shares: Vec::new(),
        }
    }

    /// Codes a move of a position; `None`, in and out, for one that is not legal.
    pub fn code<C: Coder>(
        &mut self,
        coder: &mut C,
        state: &State<()>,
        last: Option<LastMove>,
        mv: Option<Move16>,
    ) -> Option<Move16> {
        self.generator.legal_moves(state, &mut self.list);
        if self.list.is_empty() {
            return None;
        }
        let is_legal = mv.is_some_and(|mv| self.list.contains(&mv));
        if !coder.bit(&mut self.is_legal, is_legal) {
            return None;
        }
        let highest = self.sum_weights(state, last);
        let mut total = 0;
        for share in &mut self.shares {
            let distance = (highest - *share as i32) >> 10;
            *share = EXPONENTIALS[distance.min(1023) as usize];
            total += *share;
        }
        let chosen = match mv {
            Some(mv) if !C::DECODES => {
                self.candidates.binary_search_by_key(&mv, |candidate| candidate.mv).unwrap_or(0)
            }
            _ => 0,
        };
        let chosen = coder.choose(&self.shares, total, chosen);
        self.learn(chosen, total);
        Some(self.candidates[chosen].mv)
    }

    /// Lists the moves, ascending, with their features and sums of weights. Returns the highest sum.
    fn sum_weights(&mut self, state: &State<()>, last: Option<LastMove>) -> i32 {
        for &mv in &self.list {
            self.sets.insert(mv);
        }
        self.candidates.clear();
        self.shares.clear();
        self.candidates.reserve(self.list.len());
        self.shares.reserve(self.list.len());
        let seen = Seen::new(state, last);
        let MoveModel { weights, candidates, shares, .. } = self;
        let mut highest = i32::MIN;
        self.sets.drain(|source, targets| {
            let origin = seen.origin(source);
            for to in targets {
                let of_move = origin.features(&seen, to);
                let sum =
                    of_move.iter().map(|&feature| weights[usize::from(feature) % WEIGHTS].value()).sum();
                highest = highest.max(sum);
                candidates.push(Candidate { mv: source.to(to), features: of_move });
                shares.push(sum as u32);
            }
        });
        highest
    }

    /// Learns from the choice of a move.
    fn learn(&mut self, chosen: usize, total: u32) {
        let inverse = (1_u64 << 32) / u64::from(total);
        for (index, (share, candidate)) in self.shares.iter().zip(&self.candidates).enumerate() {
            let is_chosen = index == chosen;
            let share = ((u64::from(*share) * inverse) >> 16) as u32;
            if share < LEAST_SHARE && !is_chosen {
                continue;
            }
            let error = if is_chosen { 65_536 } else { 0 } - share as i32;
            let error = (error * SPEED) >> 16;
            let is_counted = is_chosen || share > COUNTED_SHARE;
            for feature in candidate.features {
                self.weights[usize::from(feature) % WEIGHTS].learn(error, is_counted);
            }
        }
    }
}

/// The source of a move and what else its 16 bits tell but the target: bits 7 to 15.
#[derive(Clone, Copy)]
struct MoveSource(u16);

const DROP: u16 = 1 << 7;
const PROMOTES: u16 = 1 << 8;

impl MoveSource {
    fn to(self, to: u8) -> Move16 {
        Move16::from_bits(self.0 << 7 | u16::from(to))
    }
}

/// Moves in order: a set of targets for each source. Cheaper than sorting, and the features of a source are found once.
struct MoveSets {
    /// By the bits 7 to 15 of a move.
    targets: Box<[u128; 512]>,
    /// The sources with targets.
    sources: [u64; 8],
}

impl MoveSets {
    fn new() -> MoveSets {
        MoveSets { targets: Box::new([0; 512]), sources: [0; 8] }
    }

    #[inline(always)]
    fn insert(&mut self, mv: Move16) {
        let source = usize::from(mv.bits() >> 7);
        self.targets[source] |= 1 << (mv.bits() & 0x7f);
        self.sources[source / 64] |= 1 << (source % 64);
    }

    /// Passes the targets of each source, both ascending, and leaves nothing.
    #[inline(always)]
    fn drain(&mut self, mut each: impl FnMut(MoveSource, Targets)) {
        for (word, sources) in self.sources.iter_mut().enumerate() {
            while *sources != 0 {
                let source = word * 64 + sources.trailing_zeros() as usize;
                *sources &= *sources - 1;
                let targets = core::mem::take(&mut self.targets[source]);
                each(MoveSource(source as u16), Targets([targets as u64, (targets >> 64) as u64]));
            }
        }
    }
}

/// The squares of a set, ascending.
struct Targets([u64; 2]);

impl Iterator for Targets {
    type Item = u8;

    #[inline(always)]
    fn next(&mut self) -> Option<u8> {
        let [low, high] = &mut self.0;
        let (word, start) = if *low != 0 { (low, 0) } else { (high, 64) };
        if *word == 0 {
            return None;
        }
        let place = word.trailing_zeros() as u8;
        *word &= *word - 1;
        Some(start + place)
    }
}

/// What the features see of a position. Squares are those of the side to move, but in `attackers`.
struct Seen {
    cells: [Cell; 81],
    /// By absolute square, bits 0 and 1: one, two enemy attackers; bits 2 to 4: one, two, three own ones.
    attackers: Bytes,
    /// The place of the enemy king, and of the last move's target.
    enemy_king: u16,
    last: Option<(u16, u16)>,
    is_white: bool,
}

/// The place of a square: places differ by the offset of squares.
const PLACES: [u16; 128] = {
    let mut places = [0; 128];
    let mut square = 0;
    while square < 81 {
        places[square] = (square / 9 * 17 + square % 9) as u16;
        square += 1;
    }
    places
};

/// The number of an offset, 0 to 288; no offset is the one in the middle.
#[inline(always)]
fn offset(from: u16, to: u16) -> u16 {
    to + (8 * 17 + 8) - from
}

/// Enemy attackers · 3 + own ones, for the attackers' bits: of a square that a drop goes to or a piece stands on; and of the
/// target of a piece, which is one of the own ones itself.
const ATTACKED: [[u16; 32]; 2] = {
    let mut tables = [[0; 32]; 2];
    let mut bits = 0_usize;
    while bits < 32 {
        let enemy = (bits & 3).count_ones() as u16;
        let own = (bits >> 2).count_ones() as u16;
        let others = own.saturating_sub(1);
        tables[0][bits] = enemy * 3 + if own > 2 { 2 } else { own };
        tables[1][bits] = enemy * 3 + others;
        bits += 1;
    }
    tables
};

impl Seen {
    fn new(state: &State<()>, last: Option<LastMove>) -> Seen {
        let side = state.side_to_move();
        let is_white = side == Color::White;
        let own = state.attacked_often(side);
        let enemy = state.attacked_often(color::opponent(side));
        let place = |square: usize| PLACES[if is_white { 80 - square } else { square }];
        let king = state.king(color::opponent(side)).map_or(0, |king| king.array_index());
        Seen {
            cells: turned(ByteBoard::of_setup(&state.setup()).cells(), is_white),
            attackers: bytes([enemy[0], enemy[1], own[0], own[1], own[2]]),
            enemy_king: place(king),
            last: last.map(|last| (place(usize::from(last.to)), u16::from(last.kind))),
            is_white,
        }
    }

    /// A square as the side to move sees it.
    #[inline(always)]
    fn relative(&self, square: u8) -> u8 {
        if self.is_white { 80 - square } else { square }
    }

    /// What the moves of a source have in common.
    fn origin(&self, source: MoveSource) -> Origin {
        let number = source.0 % DROP;
        if source.0 & DROP != 0 {
            let kind = BaseKind::YANEURAOU[usize::from(number - 1) % 8] as u16 + 1;
            return Origin::new(32 + kind, true, SIZES[5] as u16 - 1);
        }
        let promotes = source.0 / PROMOTES;
        let from = number as u8;
        let kind = u16::from(self.cells[usize::from(self.relative(from)) % 81] % cell::WHITE);
        let attacked = ATTACKED[0][usize::from(self.attackers[usize::from(from) % 96]) % 32];
        Origin::new(kind + 16 * promotes, false, (kind * ATTACKERS as u16 + attacked) * 2 + promotes)
    }
}

/// What the moves of a source have in common: the first weight of each feature for their class.
struct Origin {
    starts: [u16; FEATURES],
    is_drop: bool,
}

impl Origin {
    /// Moves of a class, with the index of their last feature.
    fn new(class: u16, is_drop: bool, last_feature: u16) -> Origin {
        let mut starts = STARTS.map(|start| start as u16);
        starts[0] += class * 81;
        starts[1] += class * (16 * ATTACKERS) as u16;
        starts[2] += class * OFFSETS as u16;
        starts[4] += class * 32;
        starts[5] += last_feature;
        Origin { starts, is_drop }
    }

    /// The weights of the move to a square.
    #[inline(always)]
    fn features(&self, seen: &Seen, to: u8) -> [u16; FEATURES] {
        let square = seen.relative(to) % 81;
        let place = PLACES[usize::from(square)];
        let captured = u16::from(seen.cells[usize::from(square)] % cell::WHITE);
        let attacked =
            ATTACKED[usize::from(!self.is_drop)][usize::from(seen.attackers[usize::from(to) % 96]) % 32];
        let front = if square.is_multiple_of(9) { 0 } else { seen.cells[usize::from(square) - 1] };
        let near_last = match seen.last {
            None => SIZES[3] as u16 - 1,
            Some((last, kind)) => offset(last, place) * 16 + kind,
        };
        let [a, b, c, d, e, f] = self.starts;
        [
            a + u16::from(square),
            b + captured * ATTACKERS as u16 + attacked,
            c + offset(seen.enemy_king, place),
            d + near_last,
            e + u16::from(front % 32),
            f,
        ]
    }
}

/// Sets as the bits of bytes.
fn bytes(sets: [Bitboard; 5]) -> Bytes {
    struct ToBytes([[u64; 2]; 5]);
    impl Kernel for ToBytes {
        type Output = Bytes;
        #[inline(always)]
        fn run<B: BitOps>(self, ops: B) -> Bytes {
            ops.boards_to_bytes(&self.0)
        }
    }
    dispatch(Backend::detect(), ToBytes(sets.map(Bitboard::lanes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_of_arithmetic_are_those_of_the_specification() {
        for (i, &exponential) in EXPONENTIALS.iter().enumerate() {
            let exact = (4096.0 * (-(i as f64) / 64.0).exp()).round().max(1.0);
            assert_eq!(f64::from(exponential), exact, "{i}");
        }
        assert_eq!((RATES[0], RATES[1], RATES[255]), (256, 181, 16));
    }
}
