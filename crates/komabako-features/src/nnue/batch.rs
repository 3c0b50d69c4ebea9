//! The inputs of many positions, for both colours at once.
//!
//! Each piece is visited once: its byte from a transposition of the bitboards selects a row of a table with the first
//! number of such pieces for both colours, and a second table has its square as seen by each colour. Hands are written
//! four numbers at a time for any count, which avoids unpredictable branches on counts; excess numbers are overwritten by
//! the next ones. The sets differ in a few values ([`Shape`]); only attackers have code of their own.

use komabako_bits::{Backend, BitOps, Bytes, Kernel, dispatch};
use komabako_board::{BaseKind, Bitboard, Color, Hand, Setup};

use super::ascending::sort;
use super::number::{ENEMY_KING, OWN_KING, PIECES, in_hand, mirrored, on_board};
use super::set::Shape;
use super::{EFFECTS, FeatureSet, First, Missing, RowOptions, has_both_kings};
use crate::attackers::{Attackers, Ignored, View, count};
use crate::copy;

/// Where rows are written: flat arrays of indices, [`FeatureSet::active`] for each row.
#[derive(Debug)]
pub enum Rows<'a> {
    /// Both rows of a position, then those of the next: n × 2 × active indices.
    Interleaved(&'a mut [i32]),
    /// The first rows of all positions, and the second ones: n × active indices each.
    Separate([&'a mut [i32]; 2]),
}

impl Rows<'_> {
    /// Both rows of a position.
    #[inline(always)]
    fn at(&mut self, position: usize, width: usize) -> [&mut [i32]; 2] {
        match self {
            Rows::Interleaved(rows) => {
                let (first, second) = rows[2 * width * position..][..2 * width].split_at_mut(width);
                [first, second]
            }
            Rows::Separate([first, second]) => {
                [&mut first[width * position..][..width], &mut second[width * position..][..width]]
            }
        }
    }
}

/// Writes the inputs of both colours of each position: indices, then −1 to the end of the row.
///
/// A position without both kings has rows of −1. Returns the number of these; [`has_both_kings`] finds them.
///
/// Costs about 80 ns per position; [`FeatureSet::HalfKpE9`] and [`RowOptions::sorted`] more than twice as much.
///
/// ```
/// use komabako_board::Setup;
/// use komabako_features::Backend;
/// use komabako_features::nnue::{self, FeatureSet, RowOptions, Rows};
/// let set = FeatureSet::HalfKaHm2;
/// let setups = [Setup::START; 3];
/// let mut stm = vec![0; setups.len() * set.active()];
/// let mut nstm = stm.clone();
/// let rows = Rows::Separate([&mut stm, &mut nstm]);
/// let kingless = nnue::write_rows(Backend::detect(), set, RowOptions::default(), &setups, rows);
/// assert_eq!((kingless, stm.len()), (0, 120));
/// assert!(stm.iter().all(|&index| (0..73_305).contains(&index)));
/// ```
///
/// # Panics
/// If there are fewer rows than positions.
pub fn write_rows(
    backend: Backend,
    set: FeatureSet,
    options: RowOptions,
    setups: &[Setup],
    mut rows: Rows<'_>,
) -> usize {
    let shape = set.shape();
    let width = set.active();
    let kingless = if shape.has_attackers {
        dispatch(backend, Write::<true> { shape, width, options, setups, rows: &mut rows })
    } else {
        dispatch(backend, Write::<false> { shape, width, options, setups, rows: &mut rows })
    };
    // The indices of this set span too much for the kernel's way to sort.
    if options.sorted && shape.has_attackers {
        for position in 0..setups.len() {
            for row in rows.at(position, width) {
                let count = row.partition_point(|&index| index >= 0);
                row[..count].sort_unstable();
            }
        }
    }
    kingless
}

/// Writes [`half_kp`](super::half_kp) of both colours of each position, padded with −1; about 80 ns per position.
///
/// Returns the number of positions without both kings, whose rows are zeros here.
///
/// ```
/// use komabako_board::Setup;
/// use komabako_features::{Backend, nnue};
/// let mut rows = [[[0; 38]; 2]];
/// let lack_a_king = nnue::write_half_kp(Backend::detect(), &[Setup::START], nnue::First::Black, &mut rows);
/// assert_eq!((lack_a_king, rows[0][0].iter().min()), (0, Some(&68_208)));
/// ```
///
/// # Panics
/// If there are fewer rows than positions.
pub fn write_half_kp(backend: Backend, setups: &[Setup], first: First, rows: &mut [[[i32; 38]; 2]]) -> usize {
    let rows = rows[..setups.len()].as_flattened_mut().as_flattened_mut();
    write_rows_or_zeros(backend, FeatureSet::HalfKp, setups, first, rows)
}

/// Writes [`half_ka_hm`](super::half_ka_hm) of both colours of each position, like [`write_half_kp`].
///
/// Returns the number of positions without both kings, whose rows are zeros here.
///
/// # Panics
/// If there are fewer rows than positions.
pub fn write_half_ka_hm(
    backend: Backend,
    setups: &[Setup],
    first: First,
    rows: &mut [[[i32; 40]; 2]],
) -> usize {
    let rows = rows[..setups.len()].as_flattened_mut().as_flattened_mut();
    write_rows_or_zeros(backend, FeatureSet::HalfKaHm2, setups, first, rows)
}

/// [`write_rows`], but rows of positions without both kings are zeros.
fn write_rows_or_zeros(
    backend: Backend,
    set: FeatureSet,
    setups: &[Setup],
    first: First,
    rows: &mut [i32],
) -> usize {
    let options = RowOptions { first, ..RowOptions::default() };
    let kingless = write_rows(backend, set, options, setups, Rows::Interleaved(rows));
    if kingless > 0 {
        for (setup, rows) in setups.iter().zip(rows.chunks_exact_mut(2 * set.active())) {
            if !has_both_kings(setup) {
                rows.fill(0);
            }
        }
    }
    kingless
}

/// `ATTACKERS` is [`Shape::has_attackers`].
struct Write<'a, 'r, const ATTACKERS: bool> {
    shape: Shape,
    width: usize,
    options: RowOptions,
    setups: &'a [Setup],
    rows: &'a mut Rows<'r>,
}

impl<const ATTACKERS: bool> Kernel for Write<'_, '_, ATTACKERS> {
    type Output = usize;

    #[inline(always)]
    fn run<B: BitOps>(self, ops: B) -> usize {
        let Write { shape, width, options, setups, rows } = self;
        let bases = match shape.kings {
            Some([_, ENEMY_KING]) => &APART,
            _ => &MERGED,
        };
        let mut kingless = 0;
        for (position, setup) in setups.iter().enumerate() {
            let [first, second] = rows.at(position, width);
            let parts = setup.parts();
            let king = parts.kinds[BaseKind::King as usize];
            let kings = [
                (king & parts.colors[0]).first_index().min(81),
                (king & parts.colors[1]).first_index().min(81),
            ];
            if kings[0] == 81 || kings[1] == 81 {
                kingless += 1;
                first.fill(-1);
                second.fill(-1);
                continue;
            }
            let is_white_first = options.first == First::SideToMove && parts.side == Color::White;
            let [black, white] = if is_white_first { [second, first] } else { [first, second] };
            let mut lists = Lists::new(&shape, kings);
            let mut missing = 0;
            if options.missing == Missing::Zero {
                let on_board = setup.occupied().without(king).len();
                missing =
                    PIECES.saturating_sub(on_board + parts.hands[0].len() + parts.hands[1].len()) as usize;
            }
            let is_sorted = options.sorted && !ATTACKERS;
            if shape.is_ascending || is_sorted && !shape.mirrors {
                lists.push_zeros(missing);
                lists.push_pieces(ops, setup);
                if let Some(numbers) = shape.kings {
                    lists.push_kings(numbers, kings);
                }
            } else {
                lists.push_hands(parts.hands);
                let pieces =
                    if shape.kings.is_some() { setup.occupied() } else { setup.occupied().without(king) };
                let combinations = if ATTACKERS { Some(combinations(ops, setup)) } else { None };
                lists.push_board(bases, &codes(ops, setup), combinations.as_ref(), pieces.lanes());
                lists.push_zeros(missing);
                if is_sorted {
                    for (list, least) in lists.indices.iter_mut().zip(lists.bucket) {
                        sort(list, lists.count, least, missing);
                    }
                }
            }
            if let Some(first) = shape.king_squares {
                let [black, white] = [kings[0] as i32, kings[1] as i32];
                lists.push([first + black, first + 80 - white]);
                lists.push([first + 81 + white, first + 81 + 80 - black]);
            }
            lists.pad(width);
            copy_row(black, &lists.indices[0]);
            copy_row(white, &lists.indices[1]);
        }
        kingless
    }
}

/// Copies a list to a row. The first 38 indices, which every row has, are copied as an array, in a few vectors.
#[inline(always)]
fn copy_row(row: &mut [i32], list: &[i32; CAPACITY]) {
    match row.split_first_chunk_mut::<38>() {
        Some((first, rest)) => {
            *first = *list.first_chunk().expect("a list has more than 38 places");
            copy(rest, &list[38..]);
        }
        None => copy(row, list),
    }
}

/// The row in [`MERGED`] and [`APART`] for each square's piece.
#[inline(always)]
fn codes<B: BitOps>(ops: B, setup: &Setup) -> Bytes {
    let parts = setup.parts();
    let [p, l, n, s, g, b, r, k] = parts.kinds;
    ops.boards_to_bytes(&[
        (p | n | g | r).lanes(),
        (l | n | b | r).lanes(),
        (s | g | b | r).lanes(),
        (parts.promoted | k).lanes(),
        parts.colors[1].lanes(),
    ])
}

/// The row in [`COMBINATIONS`] for each square: Black's attackers in two bits (more than 0, more than 1), then White's.
#[inline(always)]
fn combinations<B: BitOps>(ops: B, setup: &Setup) -> Bytes {
    let [Attackers { more_than: black }, Attackers { more_than: white }] =
        count(ops, &View::new(setup, Color::Black), &mut Ignored);
    ops.boards_to_bytes(&[
        Bitboard::from_u128(black[0]).lanes(),
        Bitboard::from_u128(black[1]).lanes(),
        Bitboard::from_u128(white[0]).lanes(),
        Bitboard::from_u128(white[1]).lanes(),
    ])
}

/// What the attackers of a square add to the index of a piece there, as seen by Black and by White.
static COMBINATIONS: [[i32; 2]; 16] = {
    let mut table = [[0; 2]; 16];
    let mut code = 0;
    while code < 16 {
        let black = (code & 1) + (code >> 1 & 1);
        let white = (code >> 2 & 1) + (code >> 3);
        table[code as usize] = [EFFECTS * (3 * black + white), EFFECTS * (3 * white + black)];
        code += 1;
    }
    table
};

/// The first number of a piece on the board, as seen by Black and by White.
type Bases = [[i32; 2]; 32];

static MERGED: Bases = bases([OWN_KING, OWN_KING]);
static APART: Bases = bases([OWN_KING, ENEMY_KING]);

const fn bases(kings: [i32; 2]) -> Bases {
    let mut table = [[0; 2]; 32];
    let mut index = 0;
    while index < 7 {
        let base = BaseKind::ALL[index];
        let number = on_board(base.unpromoted());
        table[index + 1] = [number, number + 81];
        table[index + 1 + 16] = [number + 81, number];
        if let Some(promoted) = base.promoted() {
            let number = on_board(promoted);
            table[index + 1 + 8] = [number, number + 81];
            table[index + 1 + 24] = [number + 81, number];
        }
        index += 1;
    }
    table[8] = kings;
    table[8 + 16] = [kings[1], kings[0]];
    table
}

/// Each square as seen by Black, by Black mirrored, by White, by White mirrored. Rows have 128 entries, so that a masked
/// index needs no bounds check.
static SEEN: [[u8; 128]; 4] = {
    let mut table = [[0; 128]; 4];
    let mut square = 0;
    while square < 81 {
        table[0][square] = square as u8;
        table[1][square] = mirrored(square) as u8;
        table[2][square] = 80 - square as u8;
        table[3][square] = mirrored(80 - square) as u8;
        square += 1;
    }
    table
};

/// The numbers of four pieces of a kind, by owner (Black, White), kind in the order of hands, and viewer (Black, White).
pub static HAND: [[[[i32; 4]; 2]; 7]; 2] = {
    let mut table = [[[[0; 4]; 2]; 7]; 2];
    let mut at = 0;
    while at < 2 * 7 * 2 * 4 {
        let owner = at / 56;
        let kind = at / 8 % 7;
        let eye = at / 4 % 2;
        let nth = at % 4;
        table[owner][kind][eye][nth] = in_hand(BaseKind::IN_HAND[kind])[(owner != eye) as usize] + nth as i32;
        at += 1;
    }
    table
};

/// The size of a list: a power of two that is at least 40, its maximum length, plus 4 for the numbers written past its
/// end.
pub const CAPACITY: usize = 64 + 4;

/// The inputs of Black and White, which have the same length.
pub struct Lists {
    pub indices: [[i32; CAPACITY]; 2],
    pub count: usize,
    /// The first index for each king's square.
    pub bucket: [i32; 2],
    seen: [&'static [u8; 128]; 2],
}

impl Lists {
    #[inline(always)]
    fn new(shape: &Shape, kings: [usize; 2]) -> Lists {
        let own = [kings[0], 80 - kings[1]];
        let mirrors = [shape.mirrors && own[0] >= 45, shape.mirrors && own[1] >= 45];
        let seen = [&SEEN[usize::from(mirrors[0])], &SEEN[2 + usize::from(mirrors[1])]];
        let black = shape.per_king * i32::from(seen[0][kings[0] & 127]);
        let white = shape.per_king * i32::from(seen[1][kings[1] & 127]);
        Lists { indices: [[0; CAPACITY]; 2], count: 0, bucket: [black, white], seen }
    }

    /// Appends pieces in hand, Black's first.
    #[inline(always)]
    fn push_hands(&mut self, hands: [Hand; 2]) {
        for (hand, table) in hands.into_iter().zip(&HAND) {
            let [pawns, others @ ..] = table;
            let mut bits = hand.bits();
            let count = (bits & 0xff) as usize;
            self.write_four(pawns, 0);
            // Only pawns can number more than four.
            let mut nth = 4;
            while nth < count {
                self.write_four(pawns, nth);
                nth += 4;
            }
            self.count += count;
            bits >>= 8;
            for numbers in others {
                self.write_four(numbers, 0);
                self.count += (bits & 0xf) as usize;
                bits >>= 4;
            }
        }
    }

    /// Writes four pieces in hand from the nth on past the end of the lists.
    #[inline(always)]
    fn write_four(&mut self, numbers: &[[i32; 4]; 2], nth: usize) {
        let at = (self.count + nth) & 63;
        for (eye, list) in self.indices.iter_mut().enumerate() {
            for (place, number) in list[at..at + 4].iter_mut().zip(numbers[eye]) {
                *place = self.bucket[eye] + number + nth as i32;
            }
        }
    }

    /// Appends pieces on the board, by square. With combinations their attackers count too.
    #[inline(always)]
    fn push_board(&mut self, bases: &Bases, codes: &Bytes, combinations: Option<&Bytes>, lanes: [u64; 2]) {
        for (lane, start) in lanes.into_iter().zip([0, 63]) {
            let mut left = lane;
            while left != 0 {
                let square = start + left.trailing_zeros() as usize;
                left &= left - 1;
                // The remainders replace bounds checks: a square is below 81.
                let [black, white] = bases[usize::from(codes[square % 96] % 32)];
                let effect = match combinations {
                    Some(combinations) => COMBINATIONS[usize::from(combinations[square % 96] % 16)],
                    None => [0; 2],
                };
                self.push([
                    self.bucket[0] + black + i32::from(self.seen[0][square & 127]) + effect[0],
                    self.bucket[1] + white + i32::from(self.seen[1][square & 127]) + effect[1],
                ]);
            }
        }
    }

    /// Appends an index for Black and one for White.
    #[inline(always)]
    fn push(&mut self, [black, white]: [i32; 2]) {
        let at = self.count & 63;
        self.indices[0][at] = black;
        self.indices[1][at] = white;
        self.count += 1;
    }

    /// Appends the kings, ascending, on a board that is not mirrored. `numbers` are the first of the own and the enemy's king.
    #[inline(always)]
    fn push_kings(&mut self, numbers: [i32; 2], kings: [usize; 2]) {
        let [own, enemy] = numbers;
        let [black, white] = [kings[0] as i32, kings[1] as i32];
        let by_black = [own + black, enemy + white];
        let by_white = [own + 80 - white, enemy + 80 - black];
        let [first, second] = self.bucket;
        self.push([first + by_black[0].min(by_black[1]), second + by_white[0].min(by_white[1])]);
        self.push([first + by_black[0].max(by_black[1]), second + by_white[0].max(by_white[1])]);
    }

    /// Appends the indices with p = 0 of missing pieces.
    #[inline(always)]
    fn push_zeros(&mut self, missing: usize) {
        for _ in 0..missing {
            self.push(self.bucket);
        }
    }

    /// Pads both lists with −1 up to the length of a row.
    #[inline(always)]
    fn pad(&mut self, width: usize) {
        for place in self.count..width {
            self.indices[0][place & 63] = -1;
            self.indices[1][place & 63] = -1;
        }
    }
}
