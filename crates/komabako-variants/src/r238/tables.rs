//! The tables of the ranking (`spec/r238.md`): about 220 KiB, an eighth of the module for browsers if the compiler computes them.

use komabako_board::BaseKind;

use super::wide::{Divisor, SmallDivisor, U256};

/// The maximum number of pawns on a board, and of other pieces besides kings.
pub(super) const PAWNS: usize = 18;
pub(super) const OTHERS: usize = 20;

/// The kinds besides kings and pawns.
pub(super) const OTHER_KINDS: [BaseKind; 6] =
    [BaseKind::Lance, BaseKind::Knight, BaseKind::Silver, BaseKind::Gold, BaseKind::Bishop, BaseKind::Rook];

/// The inventory of L N S G B R.
pub(super) const INVENTORY: [usize; 6] = [4, 4, 4, 4, 2, 2];

/// Free squares and ways to place the kings, by king class.
pub(super) const FREE: [usize; 4] = [79, 80, 80, 81];
pub(super) const KING_PLACES: [u64; 4] = [81 * 80, 81, 81, 1];

crate::tables::tables! {
    /// `BINOMIAL[k][n]` is the number of ways to choose `k` of `n`.
    BINOMIAL: Binomials = binomials();
    /// The counts of L N S G B R in their order.
    INNER: Inner = Inner::new(&BINOMIAL);
    /// The first rank of each class; the last entry is the number of all representable positions.
    CLASS_OFFSET: [U256; CLASSES + 1] = class_offsets(&BINOMIAL, &INNER);
    /// [`small_radix`] and the number of pawn placements, prepared for division, by king class and pawns.
    PAWN_DIVISORS: [[[Divisor; 2]; PAWNS + 1]; 4] = pawn_divisors(&BINOMIAL);
    /// The number of placements of other pieces, prepared for division, by their number and the number of available squares
    /// less [`LEAST_FREE`].
    OTHER_DIVISORS: [[Divisor; PAWNS + 3]; OTHERS + 1] = other_divisors(&BINOMIAL);
    /// By king class and half the bits of a rank within it, rounded down: the pawns, or one less.
    PAWNS_HINT: [ClassHint; 4] = pawns_hints(&CLASS_OFFSET);
    /// By king class, pawns and half the bits of a rank within these: the others, or one less.
    OTHERS_HINT: [[ClassHint; PAWNS + 1]; 4] = others_hints(&CLASS_OFFSET);
    /// `TWICE[k][n]` is twice `BINOMIAL[k][n]`.
    TWICE: [[u64; SQUARES + 1]; OTHERS + 1] = twice(&BINOMIAL);
    /// `HINT[k - 3][cell(2 * r + 1)]` is the largest `n` with `BINOMIAL[k][n] <= r'`, for the least `r'` of the cell. From three
    /// elements up binomials are so far apart that `n` or `n + 1` is correct for every number of the cell.
    HINT: [[u8; CELLS]; OTHERS - 2] = hints(&TWICE);
    /// `PAIR[r]` is the set of two squares with colex number `r`, in descending order.
    PAIR: [[u8; 2]; SQUARES * (SQUARES - 1) / 2] = pairs();
    /// `FEW.get(k, x)` is the set of `k` of 20 places with colex number `x`, for `k` up to 4.
    FEW: FewSets = FewSets::new();
}

const COLUMNS: usize = SQUARES + 1;

type Binomials = [[u64; COLUMNS]; OTHERS + 1];

const fn binomials() -> Binomials {
    let mut table = [[0; COLUMNS]; OTHERS + 1];
    table[0] = [1; COLUMNS];
    let mut k = 1;
    while k <= OTHERS {
        let mut n = 1;
        while n < COLUMNS {
            table[k][n] = table[k - 1][n - 1] + table[k][n - 1];
            n += 1;
        }
        k += 1;
    }
    table
}

/// The number of ways to split `off_board` pieces of one kind among two hands and the box.
pub(super) const fn splits(off_board: usize) -> u64 {
    ((off_board + 1) * (off_board + 2) / 2) as u64
}

/// `SPLIT[x]` is Black's and White's share in the split number `x`.
pub(super) static SPLIT: [[u8; 2]; splits(PAWNS) as usize] = {
    let mut table = [[0; 2]; splits(PAWNS) as usize];
    let mut index = 0;
    let mut in_hands = 0;
    while index < table.len() {
        let mut white = 0;
        while white <= in_hands {
            table[index] = [in_hands - white, white];
            index += 1;
            white += 1;
        }
        in_hands += 1;
    }
    table
};

/// The number of ways to choose up to four of each of L N S G and up to two of each of B R.
pub(super) const COUNTS: usize = 5 * 5 * 5 * 5 * 3 * 3;

/// The counts of L N S G B R on the board as a number below [`COUNTS`] that grows lexicographically.
#[inline(always)]
pub(super) const fn counts_code(counts: [usize; 6]) -> usize {
    let mut code = 0;
    let mut kind = 0;
    while kind < 6 {
        code = code * (INVENTORY[kind] + 1) + counts[kind];
        kind += 1;
    }
    code
}

const fn counts_of(code: usize) -> [u8; 6] {
    let mut counts = [0; 6];
    let mut rest = code;
    let mut kind = 6;
    while kind > 0 {
        kind -= 1;
        counts[kind] = (rest % (INVENTORY[kind] + 1)) as u8;
        rest /= INVENTORY[kind] + 1;
    }
    counts
}

/// The counts of L N S G B R, first by their sum `q`, then lexicographically.
pub(super) struct Inner {
    /// The first place of each sum; the last entry is [`COUNTS`].
    pub start: [u16; OTHERS + 2],
    /// The counts at each place.
    pub counts: [[u8; 6]; COUNTS],
    /// The place of each [code](counts_code).
    pub place: [u16; COUNTS],
    /// The first inner number of each place within its sum: `inner_off` of the specification.
    pub offset: [u128; COUNTS],
    /// The number of ways to split the pieces off the board among hands and box, by place.
    pub hands: [u32; COUNTS],
    /// The number of inner numbers of each sum: `G` of the specification.
    pub total: [u128; OTHERS + 1],
    /// The last place whose offset is not above the least number, by sum and upper bits of the number: those from `shift` on.
    pub hint: [[u16; 128]; OTHERS + 1],
    /// By sum: 7 less than the number of bits of `total`.
    pub shift: [u32; OTHERS + 1],
}

impl Inner {
    const fn new(binomial: &Binomials) -> Self {
        let mut table = Inner {
            start: [0; OTHERS + 2],
            counts: [[0; 6]; COUNTS],
            place: [0; COUNTS],
            offset: [0; COUNTS],
            hands: [1; COUNTS],
            total: [0; OTHERS + 1],
            hint: [[0; 128]; OTHERS + 1],
            shift: [0; OTHERS + 1],
        };
        let mut code = 0;
        while code < COUNTS {
            table.start[sum(counts_of(code)) + 1] += 1;
            code += 1;
        }
        let mut q = 0;
        while q <= OTHERS {
            table.start[q + 1] += table.start[q];
            q += 1;
        }
        let mut next = table.start;
        code = 0;
        while code < COUNTS {
            let counts = counts_of(code);
            let q = sum(counts);
            let place = next[q];
            next[q] += 1;
            table.counts[place as usize] = counts;
            let mut kind = 0;
            while kind < 6 {
                table.hands[place as usize] *= splits(INVENTORY[kind] - counts[kind] as usize) as u32;
                kind += 1;
            }
            table.place[code] = place;
            table.offset[place as usize] = table.total[q];
            table.total[q] += inner_size(binomial, counts);
            code += 1;
        }
        let mut q = 0;
        while q <= OTHERS {
            table.shift[q] = table.total[q].ilog2() - 6;
            let mut place = table.start[q];
            let mut cell = 0;
            while cell < table.hint[q].len() {
                let least = (cell as u128) << table.shift[q];
                while place + 1 < table.start[q + 1] && table.offset[place as usize + 1] <= least {
                    place += 1;
                }
                table.hint[q][cell] = place;
                cell += 1;
            }
            q += 1;
        }
        table
    }
}

const fn sum(counts: [u8; 6]) -> usize {
    let [l, n, s, g, b, r] = counts;
    (l + n + s + g + b + r) as usize
}

/// The number of inner numbers with these counts: `M` and the splits of the specification.
const fn inner_size(binomial: &Binomials, counts: [u8; 6]) -> u128 {
    let mut unassigned = sum(counts);
    let mut size = 1 << (2 * unassigned - counts[3] as usize);
    let mut kind = 0;
    while kind < 6 {
        let on_board = counts[kind] as usize;
        size *= splits(INVENTORY[kind] - on_board) as u128 * binomial[on_board][unassigned] as u128;
        unassigned -= on_board;
        kind += 1;
    }
    size
}

/// The number of classes (kings, pawns, others).
pub(super) const CLASSES: usize = 4 * (PAWNS + 1) * (OTHERS + 1);

/// The number of the class with king class `kings` and this many pawns and other pieces on the board.
#[inline(always)]
pub(super) const fn class(kings: usize, pawns: usize, others: usize) -> usize {
    (kings * (PAWNS + 1) + pawns) * (OTHERS + 1) + others
}

const fn class_offsets(binomial: &Binomials, inner: &Inner) -> [U256; CLASSES + 1] {
    let mut table = [U256::ZERO; CLASSES + 1];
    let mut index = 0;
    while index < CLASSES {
        let others = index % (OTHERS + 1);
        let pawns = index / (OTHERS + 1) % (PAWNS + 1);
        let kings = index / (OTHERS + 1) / (PAWNS + 1);
        let size = U256::from_u128(inner.total[others])
            .times_plus(binomial[others][FREE[kings] - pawns], 0)
            .times_plus(binomial[pawns][FREE[kings]], 0)
            .times_plus(small_radix(kings, pawns), 0);
        table[index + 1] = table[index].plus(size);
        index += 1;
    }
    table
}

/// The product of the radices below the pawns' places: side, kings, hands, colours and promotions of pawns.
#[inline(always)]
pub(super) const fn small_radix(kings: usize, pawns: usize) -> u64 {
    (2 * KING_PLACES[kings] * splits(PAWNS - pawns)) << (2 * pawns)
}

const fn pawn_divisors(binomial: &Binomials) -> [[[Divisor; 2]; PAWNS + 1]; 4] {
    let mut table = [[[Divisor::new(1); 2]; PAWNS + 1]; 4];
    let mut kings = 0;
    while kings < 4 {
        let mut pawns = 0;
        while pawns <= PAWNS {
            let places = binomial[pawns][FREE[kings]];
            table[kings][pawns] = [Divisor::new(small_radix(kings, pawns)), Divisor::new(places)];
            pawns += 1;
        }
        kings += 1;
    }
    table
}

/// The least number of squares that kings and pawns leave free.
pub(super) const LEAST_FREE: usize = 79 - PAWNS;

const fn other_divisors(binomial: &Binomials) -> [[Divisor; PAWNS + 3]; OTHERS + 1] {
    let mut table = [[Divisor::new(1); PAWNS + 3]; OTHERS + 1];
    let mut others = 0;
    while others <= OTHERS {
        let mut free = 0;
        while free < PAWNS + 3 {
            table[others][free] = Divisor::new(binomial[others][LEAST_FREE + free]);
            free += 1;
        }
        others += 1;
    }
    table
}

/// A count by half the bits of a rank. The ranks at which the count grows are more than a factor of four apart.
pub(super) type ClassHint = [u8; 120];

const fn pawns_hints(offsets: &[U256; CLASSES + 1]) -> [ClassHint; 4] {
    let mut table = [[0; 120]; 4];
    let mut kings = 0;
    while kings < 4 {
        table[kings] = class_hint(offsets, class(kings, 0, 0), OTHERS + 1, PAWNS);
        kings += 1;
    }
    table
}

const fn others_hints(offsets: &[U256; CLASSES + 1]) -> [[ClassHint; PAWNS + 1]; 4] {
    let mut table = [[[0; 120]; PAWNS + 1]; 4];
    let mut index = 0;
    while index < 4 * (PAWNS + 1) {
        let kings = index / (PAWNS + 1);
        let pawns = index % (PAWNS + 1);
        table[kings][pawns] = class_hint(offsets, class(kings, pawns, 0), 1, OTHERS);
        index += 1;
    }
    table
}

/// The largest count up to `most` whose first rank, that of class `first + step * count`, is at most the least number with
/// these bits above that of class `first`.
const fn class_hint(offsets: &[U256; CLASSES + 1], first: usize, step: usize, most: usize) -> ClassHint {
    let mut hint = [0; 120];
    let mut count = 0;
    let mut index = 0;
    while index < hint.len() {
        while count < most
            && offsets[first + step * (count + 1)].minus(offsets[first]).0.bit_len() < 2 * index
        {
            count += 1;
        }
        hint[index] = count as u8;
        index += 1;
    }
    hint
}

const SQUARES: usize = 81;

const fn twice(binomial: &Binomials) -> [[u64; SQUARES + 1]; OTHERS + 1] {
    let mut table = [[0; SQUARES + 1]; OTHERS + 1];
    let mut k = 0;
    while k <= OTHERS {
        let mut n = 0;
        while n <= SQUARES {
            table[k][n] = 2 * binomial[k][n];
            n += 1;
        }
        k += 1;
    }
    table
}

/// The number of cells, with those that no number has.
const CELLS: usize = 32 * 65;

const fn hints(twice: &[[u64; SQUARES + 1]; OTHERS + 1]) -> [[u8; CELLS]; OTHERS - 2] {
    let mut table = [[0; CELLS]; OTHERS - 2];
    let mut k = 3;
    while k <= OTHERS {
        let mut n = k - 1;
        let mut zeros = 64;
        while zeros > 0 {
            zeros -= 1;
            let mut part = 32;
            while part < 64 {
                let least = (part as u64) << 58 >> zeros;
                while n + 1 < SQUARES && twice[k][n + 1] <= least {
                    n += 1;
                }
                table[k - 3][32 * zeros + part] = n as u8;
                part += 1;
            }
        }
        k += 1;
    }
    table
}

/// The place of an odd number on a scale that divides every octave into 32 cells.
#[inline(always)]
pub(super) const fn cell(odd: u64) -> usize {
    let zeros = odd.leading_zeros();
    32 * zeros as usize + (odd << zeros >> 58) as usize
}

const fn pairs() -> [[u8; 2]; SQUARES * (SQUARES - 1) / 2] {
    let mut table = [[0; 2]; SQUARES * (SQUARES - 1) / 2];
    let mut index = 0;
    let mut high = 1;
    while high < SQUARES {
        let mut low = 0;
        while low < high {
            table[index] = [high as u8, low as u8];
            index += 1;
            low += 1;
        }
        high += 1;
    }
    table
}

/// The numbers of ways to split the pieces of a kind that are off the board, prepared for division.
pub(super) static SPLIT_DIVISORS: [SmallDivisor; PAWNS + 1] = {
    let mut table = [SmallDivisor::new(1); PAWNS + 1];
    let mut off_board = 0;
    while off_board <= PAWNS {
        table[off_board] = SmallDivisor::new(splits(off_board));
        off_board += 1;
    }
    table
};

/// [`KING_PLACES`], prepared for division.
pub(super) static KING_DIVISORS: [SmallDivisor; 4] = [
    SmallDivisor::new(KING_PLACES[0]),
    SmallDivisor::new(KING_PLACES[1]),
    SmallDivisor::new(KING_PLACES[2]),
    SmallDivisor::new(KING_PLACES[3]),
];

/// `FEW_DIVISORS[k][n]` is the number of ways to choose `k` of `n` places, prepared for division.
pub(super) static FEW_DIVISORS: [[SmallDivisor; OTHERS + 1]; 5] = {
    let binomial = binomials();
    let mut table = [[SmallDivisor::new(1); OTHERS + 1]; 5];
    let mut k = 0;
    while k <= 4 {
        let mut n = k;
        while n <= OTHERS {
            table[k][n] = SmallDivisor::new(binomial[k][n]);
            n += 1;
        }
        k += 1;
    }
    table
};

/// `FEW_BINOMIAL[k - 1][n]` is `BINOMIAL[k][n]` for the up to 20 places of a few pieces; the rest of a row is 0.
pub(super) static FEW_BINOMIAL: [[u16; 32]; 4] = {
    let binomial = binomials();
    let mut table = [[0; 32]; 4];
    let mut k = 1;
    while k <= 4 {
        let mut n = 0;
        while n < OTHERS {
            table[k - 1][n] = binomial[k][n] as u16;
            n += 1;
        }
        k += 1;
    }
    table
};

/// The sets of up to 4 of 20 places: see [`FEW`].
pub(super) struct FewSets {
    start: [u16; 6],
    sets: [u32; 6196],
}

impl FewSets {
    const fn new() -> Self {
        let mut table = FewSets { start: [0; 6], sets: [0; 6196] };
        let mut index = 0;
        let mut count = 0;
        while count <= 4 {
            table.start[count] = index as u16;
            let mut set = (1u32 << count) - 1;
            while set < 1 << OTHERS {
                table.sets[index] = set;
                index += 1;
                if set == 0 {
                    break;
                }
                // The next larger number with as many ones (HAKMEM, item 175).
                let lowest = set & set.wrapping_neg();
                let carried = set + lowest;
                set = carried | ((set ^ carried) / lowest) >> 2;
            }
            count += 1;
        }
        table.start[5] = index as u16;
        assert!(index == table.sets.len());
        table
    }

    #[inline(always)]
    pub fn get(&self, count: usize, number: usize) -> u32 {
        self.sets[self.start[count] as usize + number]
    }
}
