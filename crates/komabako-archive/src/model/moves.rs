//! Moves (`spec/archive.md` §5 e): a softmax over the legal moves, whose weights are learnt as it goes.

use alloc::boxed::Box;

use komabako_bits::{Backend, BitOps, Bytes, Kernel, dispatch};
use komabako_board::{BaseKind, Bitboard, Color, color};
use komabako_codec::{ByteBoard, cell};
use komabako_rules::{Generator, Move16, MoveList, State};

use super::coder::{Bit, Coder};
use super::weight::{Rates, Weight, rates};

/// The classes of moves: a kind of piece, 16 more if it promotes, or 32 and the kind of a drop.
const CLASSES: usize = 40;
/// The offsets of one square from another: 17 files by 17 ranks.
const OFFSETS: usize = 17 * 17;
/// The pairs of enemy attackers and own ones: 0, 1, 2 or more of each.
const ATTACKERS: usize = 9;

// The weights of features 1, 2, 3 and 5 of a class lie in one row, in which a target has the same places for every class.
const EXCHANGES: usize = 81;
const FROM_KING: usize = EXCHANGES + 16 * ATTACKERS;
const FRONTS: usize = FROM_KING + OFFSETS;
const ROW: usize = FRONTS + 32;
/// A power of two above [`ROW`], so that a place needs no bounds check: a row ends within the next ones.
const PLACES_IN_ROW: usize = 1024;

/// After the rows: the weights of feature 4, those of feature 6, and for each the one for what has none.
const NEAR: usize = CLASSES * ROW;
const FAR: usize = NEAR + OFFSETS * 16;
const SOURCES: usize = FAR + 1;
const HAND: usize = SOURCES + 16 * ATTACKERS * 2;
/// A power of two, so that an index needs no bounds check.
const WEIGHTS: usize = (HAND + 1 + PLACES_IN_ROW).next_power_of_two();

/// How fast weights are learnt.
static RATES: Rates = rates(8);
/// Moves with a smaller share, of 65536, are not learnt from unless they are chosen.
const LEAST_SHARE: u32 = 128;
/// A move with a greater share counts as learnt from.
const COUNTED_SHARE: u32 = 8192;

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

/// The weights of moves, which the model adapts.
pub(super) struct MoveModel {
    is_legal: Bit,
    weights: Box<[Weight; WEIGHTS]>,
    generator: Generator,
    list: MoveList,
    sets: MoveSets,
    /// By source: where the weights of its moves are.
    origins: Box<[Origin; SOURCE_NUMBERS]>,
    candidates: Box<Candidates>,
}

/// The legal moves of a position.
struct Candidates {
    count: usize,
    /// Ascending.
    moves: [Move16; MOST_MOVES],
    /// By move: the sums of weights, then the shares of the total.
    shares: [u32; MOST_MOVES],
}

/// More moves than a position can have; a power of two.
const MOST_MOVES: usize = 1024;

impl Candidates {
    #[inline(always)]
    fn push(&mut self, mv: Move16, sum: i32) {
        self.moves[self.count % MOST_MOVES] = mv;
        self.shares[self.count % MOST_MOVES] = sum as u32;
        self.count += 1;
    }

    fn moves(&self) -> &[Move16] {
        &self.moves[..self.count.min(MOST_MOVES)]
    }

    /// Turns sums into shares and returns their total.
    fn share(&mut self, highest: i32) -> u32 {
        let mut total = 0;
        for share in &mut self.shares[..self.count.min(MOST_MOVES)] {
            let distance = (highest - *share as i32) >> 10;
            *share = EXPONENTIALS[distance.min(1023) as usize];
            total += *share;
        }
        total
    }
}

impl MoveModel {
    pub fn new() -> MoveModel {
        let weights: Box<[Weight]> = alloc::vec![Weight::NEW; WEIGHTS].into();
        MoveModel {
            is_legal: Bit::NEW,
            weights: weights.try_into().unwrap_or_else(|_| unreachable!("as many as were made")),
            generator: Generator::new(Backend::detect()),
            list: MoveList::new(),
            sets: MoveSets::new(),
            origins: Box::new([Origin::NONE; SOURCE_NUMBERS]),
            candidates: Box::new(Candidates {
                count: 0,
                moves: [Move16::NONE; MOST_MOVES],
                shares: [0; MOST_MOVES],
            }),
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
        let view = View::new(state, last);
        let highest = self.sum_weights(&view);
        let total = self.candidates.share(highest);
        let moves = self.candidates.moves();
        let chosen = match mv {
            Some(mv) if !C::DECODES => moves.binary_search(&mv).unwrap_or(0),
            _ => 0,
        };
        let chosen = coder.choose(&self.candidates.shares[..moves.len()], total, chosen);
        let mv = moves[chosen];
        self.learn(&view, chosen, total);
        Some(mv)
    }

    /// Lists the moves, ascending, with their sums of weights. Returns the highest sum.
    fn sum_weights(&mut self, view: &View) -> i32 {
        for &mv in &self.list {
            self.sets.insert(mv);
        }
        let MoveModel { weights, origins, candidates, sets, .. } = self;
        candidates.count = 0;
        let mut highest = i32::MIN;
        sets.drain(|source, targets| {
            let origin = view.origin(source);
            origins[usize::from(source.0) % SOURCE_NUMBERS] = origin;
            let row = origin.row(weights);
            let exchanges = view.exchanges(origin);
            let of_source = weights[usize::from(origin.source) % WEIGHTS].value();
            for (start, mut targets) in [(0, targets as u64), (64, (targets >> 64) as u64)] {
                while targets != 0 {
                    let to = start + targets.trailing_zeros() as usize;
                    targets &= targets - 1;
                    let square = to % SQUARES;
                    let sum = of_source
                        + row[usize::from(view.squares[square]) % PLACES_IN_ROW].value()
                        + row[usize::from(exchanges[square]) % PLACES_IN_ROW].value()
                        + row[usize::from(view.from_king[square]) % PLACES_IN_ROW].value()
                        + weights[usize::from(view.near[square]) % WEIGHTS].value()
                        + row[usize::from(view.fronts[square]) % PLACES_IN_ROW].value();
                    highest = highest.max(sum);
                    candidates.push(source.to(to as u16), sum);
                }
            }
        });
        highest
    }

    /// Learns from the choice of a move.
    fn learn(&mut self, view: &View, chosen: usize, total: u32) {
        let inverse = (1_u64 << 32) / u64::from(total);
        // The least share of the total that is learnt from.
        let least = (u64::from(LEAST_SHARE) << 16).div_ceil(inverse) as u32;
        let MoveModel { weights, origins, candidates, .. } = self;
        for index in 0..candidates.count.min(MOST_MOVES) {
            let share = candidates.shares[index];
            let is_chosen = index == chosen;
            if share < least && !is_chosen {
                continue;
            }
            let share = ((u64::from(share) * inverse) >> 16) as u32;
            let error = if is_chosen { 65_536 } else { 0 } - share as i32;
            let counts = is_chosen || share > COUNTED_SHARE;
            let mv = candidates.moves[index];
            let origin = origins[usize::from(mv.bits() >> 7) % SOURCE_NUMBERS];
            let features = view.features(origin, usize::from(mv.bits()) % SQUARES);
            for feature in features {
                weights[usize::from(feature) % WEIGHTS].learn(error, &RATES, counts);
            }
        }
    }
}

/// The source of a move and what else its 16 bits tell but the target: bits 7 to 15.
#[derive(Clone, Copy)]
struct MoveSource(u16);

/// The number of sources.
const SOURCE_NUMBERS: usize = 512;
const DROP: u16 = 1 << 7;
const PROMOTES: u16 = 1 << 8;

impl MoveSource {
    fn to(self, to: u16) -> Move16 {
        Move16::from_bits(self.0 << 7 | to)
    }
}

/// Moves in order: a set of targets for each source. Cheaper than sorting, and the features of a source are found once.
struct MoveSets {
    /// By the bits 7 to 15 of a move.
    targets: Box<[u128; SOURCE_NUMBERS]>,
    /// The sources with targets.
    sources: [u64; 8],
}

impl MoveSets {
    fn new() -> MoveSets {
        MoveSets { targets: Box::new([0; SOURCE_NUMBERS]), sources: [0; 8] }
    }

    #[inline(always)]
    fn insert(&mut self, mv: Move16) {
        let source = usize::from(mv.bits() >> 7);
        self.targets[source] |= 1 << (mv.bits() & 0x7f);
        self.sources[source / 64] |= 1 << (source % 64);
    }

    /// Passes the targets of each source, both ascending, and leaves nothing.
    #[inline(always)]
    fn drain(&mut self, mut each: impl FnMut(MoveSource, u128)) {
        for (word, sources) in self.sources.iter_mut().enumerate() {
            while *sources != 0 {
                let source = word * 64 + sources.trailing_zeros() as usize;
                *sources &= *sources - 1;
                let targets = core::mem::take(&mut self.targets[source]);
                each(MoveSource(source as u16), targets);
            }
        }
    }
}

/// What the moves of a source have in common.
#[derive(Clone, Copy)]
struct Origin {
    /// The start of the row of their class.
    row: u16,
    /// The weight of their feature 6.
    source: u16,
    is_drop: bool,
}

impl Origin {
    const NONE: Origin = Origin { row: 0, source: 0, is_drop: false };

    /// The row of the class, and more.
    #[inline(always)]
    fn row(self, weights: &[Weight; WEIGHTS]) -> &[Weight; PLACES_IN_ROW] {
        const LAST: usize = WEIGHTS - PLACES_IN_ROW;
        let start = usize::from(self.row).min(LAST);
        weights[start..].first_chunk().unwrap_or_else(|| unreachable!("it starts before the last"))
    }
}

/// A number for each square.
type BySquare = [u16; SQUARES];

/// A power of two above the number of squares.
const SQUARES: usize = 128;

/// What the features see of a position: for each target where its weights are, in a row or among all.
struct View {
    squares: BySquare,
    exchanges: BySquare,
    drop_exchanges: BySquare,
    from_king: BySquare,
    fronts: BySquare,
    near: BySquare,
    /// The kinds of the pieces.
    kinds: [u8; SQUARES],
}

/// The number of the square itself, for Black and for White, to whom the board is turned.
const RELATIVE: [BySquare; 2] = {
    let mut squares = [[0; SQUARES]; 2];
    let mut square = 0;
    while square < 81 {
        squares[0][square] = square as u16;
        squares[1][square] = 80 - square as u16;
        square += 1;
    }
    squares
};

/// The place of a square as Black and White see it: places differ by the offset of squares.
const PLACES: [BySquare; 2] = {
    let mut places = [[0; SQUARES]; 2];
    let mut square = 0;
    while square < 81 {
        places[0][square] = (square / 9 * 17 + square % 9) as u16;
        places[1][80 - square] = places[0][square];
        square += 1;
    }
    places
};

/// All bits of a piece in front of a square for Black and White; none where the board ends.
const FRONT_MASKS: [[u8; SQUARES]; 2] = {
    let mut masks = [[0; SQUARES]; 2];
    let mut square = 0;
    while square < 81 {
        masks[0][square] = if square % 9 == 0 { 0 } else { 31 };
        masks[1][square] = if square % 9 == 8 { 0 } else { 31 };
        square += 1;
    }
    masks
};

/// The first place of the offsets from a place; no offset is the one in the middle.
const MIDDLE: u16 = 8 * 17 + 8;

impl View {
    fn new(state: &State<()>, last: Option<LastMove>) -> View {
        let side = state.side_to_move();
        let is_white = side == Color::White;
        let seen_by = usize::from(is_white);
        let own = state.attacked_often(side);
        let enemy = state.attacked_often(color::opponent(side));
        // Bits 0 and 1: one, two enemy attackers; bits 2 to 4: one, two, three own ones.
        let attackers = bytes([enemy[0], enemy[1], own[0], own[1], own[2]]);
        let board = ByteBoard::of_setup(&state.setup());
        // The pieces between two squares that are empty, so that each square has one in front.
        let mut cells = [0; 98];
        for (cell, &piece) in cells[1..].iter_mut().zip(board.cells()) {
            *cell = piece;
        }
        if is_white {
            for cell in &mut cells {
                *cell ^= if *cell == 0 { 0 } else { cell::WHITE };
            }
        }
        let fronts_of = if is_white { &cells[2..] } else { &cells[..] };
        let places = &PLACES[seen_by];
        let king = state.king(color::opponent(side)).map_or(0, |king| places[king.array_index()]);

        let mut view = View {
            squares: RELATIVE[seen_by],
            exchanges: [0; SQUARES],
            drop_exchanges: [0; SQUARES],
            from_king: [0; SQUARES],
            fronts: [0; SQUARES],
            near: [FAR as u16; SQUARES],
            kinds: [0; SQUARES],
        };
        for square in 0..96 {
            let kind = cells[square + 1] % cell::WHITE;
            view.kinds[square] = kind;
            // Of sets each within the one before.
            let bits = attackers[square];
            let bit = |place: u8| bits >> place & 1;
            let enemies = bit(0) + bit(1);
            let captured = EXCHANGES as u16 + u16::from(kind) * ATTACKERS as u16;
            view.exchanges[square] = captured + u16::from(enemies * 3 + bit(3) + bit(4));
            view.drop_exchanges[square] = captured + u16::from(enemies * 3 + bit(2) + bit(3));
        }
        for square in 0..96 {
            view.from_king[square] = places[square] + (FROM_KING as u16 + MIDDLE) - king;
            let front = fronts_of[square] & FRONT_MASKS[seen_by][square];
            view.fronts[square] = FRONTS as u16 + u16::from(front);
        }
        if let Some(LastMove { to, kind }) = last {
            let first = NEAR as u16 + MIDDLE * 16 + u16::from(kind);
            let last = places[usize::from(to) % SQUARES] * 16;
            for (near, place) in view.near.iter_mut().zip(places) {
                *near = (place * 16 + first).wrapping_sub(last);
            }
        }
        view
    }

    #[inline(always)]
    fn exchanges(&self, origin: Origin) -> &BySquare {
        if origin.is_drop { &self.drop_exchanges } else { &self.exchanges }
    }

    /// The weights of the move of an origin to a square, in the order of the specification.
    #[inline(always)]
    fn features(&self, origin: Origin, to: usize) -> [u16; 6] {
        [
            origin.row + self.squares[to],
            origin.row + self.exchanges(origin)[to],
            origin.row + self.from_king[to],
            self.near[to],
            origin.row + self.fronts[to],
            origin.source,
        ]
    }

    /// What the moves of a source have in common.
    #[inline(always)]
    fn origin(&self, source: MoveSource) -> Origin {
        let number = source.0 % DROP;
        if source.0 & DROP != 0 {
            let kind = BaseKind::YANEURAOU[usize::from(number - 1) % 8 % 7] as u16 + 1;
            return Origin { row: (32 + kind) * ROW as u16, source: HAND as u16, is_drop: true };
        }
        let promotes = source.0 / PROMOTES;
        let from = usize::from(number) % SQUARES;
        let kind = u16::from(self.kinds[from]);
        // A piece is no attacker of its own square.
        let exchange = self.drop_exchanges[from] - (EXCHANGES as u16 + kind * ATTACKERS as u16);
        let source = SOURCES as u16 + (kind * ATTACKERS as u16 + exchange) * 2 + promotes;
        Origin { row: (kind + 16 * promotes) * ROW as u16, source, is_drop: false }
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
    }
}
