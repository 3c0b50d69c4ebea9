//! The fast implementation, with compress and expand.

use komabako_bits::BitOps;
use komabako_board::{Bitboard, Color, Hand, Setup, SetupParts, color};
use komabako_codec::Word;
use komabako_codec::contract::{from_lanes, gaps, hands, lanes, squares, to_lanes};

use crate::tails;

/// The inventory of P L N S G, the kinds that have tails here.
const INVENTORY: u64 = lanes::INVENTORY & 0xff_ffff_ffff;

/// The top bit of each lane: it stays set unless a subtraction from the lane goes below zero.
const GUARD: u64 = 0x80_8080_8080;

const OCCUPIED: u128 = (1 << 75) - 1;

/// The number of codes of a pair.
const PAIRS: usize = 3657;

crate::tables::tables! {
    /// The two indices of each pair code.
    PAIR: [[u8; 2]; PAIRS] = pairs();
}

const fn pairs() -> [[u8; 2]; PAIRS] {
    let mut table = [[0; 2]; PAIRS];
    let mut code = 0;
    let mut b = 0;
    while b <= 84 {
        let mut a = 0;
        while a <= b {
            table[code] = [a, b];
            code += 1;
            a += 1;
        }
        b += 1;
    }
    table[code] = [82, 81];
    table[code + 1] = [84, 83];
    table
}

/// The code of two indices.
#[inline(always)]
fn pair_code([a, b]: [u32; 2]) -> u64 {
    let code = if a <= b { b * (b + 1) / 2 + a } else { 3655 + u32::from(b == 83) };
    u64::from(code)
}

/// The topped-up bits of `occupied` that are not yet assigned to a major.
struct ToppedUp(u32);

impl ToppedUp {
    /// The index of a major on this square. If it is off the board: `off_board`, the higher of two indices, less its topped-up
    /// bit.
    #[inline(always)]
    fn index(&mut self, square: u32, off_board: u32) -> u32 {
        let is_off = square > 80;
        let index = if is_off { off_board - (self.0 & 1) } else { square };
        self.0 >>= u32::from(is_off);
        index
    }
}

#[inline(always)]
pub fn encode<B: BitOps>(ops: B, setup: &Setup) -> Word {
    let parts = setup.parts();
    let [pawn, _, knight, silver, gold, bishop, rook, king] = parts.kinds;
    let [black, white] = parts.colors;
    let majors = bishop | rook | king;
    let minors = (black | white).without(majors);
    let [low, high] = gaps::close::<6, B>(ops, minors, majors);
    let occupied = u128::from(low & ((1 << 63) - 1)) | u128::from(high) << 63;
    let side = if matches!(parts.side, Color::White) { OCCUPIED } else { 0 };

    let mut topped_up = ToppedUp((occupied >> 75) as u32);
    let black_king = topped_up.index((king & black).first_index() as u32, 82);
    let white_king = topped_up.index((king & white).first_index() as u32, 82);
    let kings = u64::from(black_king + 83 * white_king);
    let black_hand = parts.hands[0].bits();
    let white_hand = parts.hands[1].bits();
    let in_hands = [black_hand >> 24 & 0xf, white_hand >> 24 & 0xf];
    let bishops = Pair::new(ops, bishop, in_hands, &mut topped_up, parts);
    let rooks = Pair::new(ops, rook, [black_hand >> 28, white_hand >> 28], &mut topped_up, parts);

    // Numbers with a bit for each minor piece, from which those of the nonpawns and of all but golds are then taken.
    let boards = [
        (minors ^ pawn).lanes(),
        (silver | gold).lanes(),
        (knight | gold).lanes(),
        parts.promoted.lanes(),
        white.lanes(),
    ];
    let [kind0, bit1, bit2, promoted, color] = ops.boards_to_dense(&boards, minors.lanes());
    let nonpawn = ops.mask_near(kind0);
    let kind1 = ops.compress(bit1, &nonpawn);
    let kind2 = ops.compress(bit2, &nonpawn);
    let promoted = ops.pext_most::<4>(promoted, bit1 & bit2);
    let n = ops.popcount(minors.lanes()[0]) + ops.popcount(minors.lanes()[1]);

    let minor_hands =
        [Hand::from_bits_trusted(black_hand & 0xff_ffff), Hand::from_bits_trusted(white_hand & 0xff_ffff)];
    let packed = hands::pack(ops, minor_hands);
    let [tail0, tailc] = if n + packed.len == 34 {
        [0, packed.colors]
    } else {
        let off_board = INVENTORY - on_board(ops, n.into(), kind0, kind1, kind2);
        tails::pack(ops, off_board, minor_hands)
    };
    let kind0 = kind0 | tail0 << n;
    let color = color | tailc << n;

    let field = (occupied & OCCUPIED) ^ side;
    from_lanes([
        field as u64,
        (field >> 64) as u64
            | kings << 11
            | (bishops.colors | rooks.colors << 2) << 24
            | (bishops.promoted | rooks.promoted << 2) << 28
            | kind1 << 32
            | kind2 << 48,
        kind0 | promoted << 34,
        color | pair_code(bishops.indices) << 34 | pair_code(rooks.indices) << 46,
    ])
}

/// The numbers of P L N S G on the board, in byte lanes, computed from the number of pieces and their codes.
#[inline(always)]
fn on_board<B: BitOps>(ops: B, n: u64, kind0: u64, kind1: u64, kind2: u64) -> u64 {
    let q = u64::from(ops.popcount(kind0));
    let golds = u64::from(ops.popcount(kind1 & kind2));
    let silvers = u64::from(ops.popcount(kind1)) - golds;
    let knights = u64::from(ops.popcount(kind2)) - golds;
    let lances = q.wrapping_sub(golds + silvers + knights);
    let pawns = n.wrapping_sub(q);
    pawns & 0xff | (lances & 0xff) << 8 | (knights & 0xff) << 16 | (silvers & 0xff) << 24 | golds << 32
}

/// Two bishops or rooks: their indices, and the bits of their colours and promotions.
struct Pair {
    indices: [u32; 2],
    colors: u64,
    promoted: u64,
}

impl Pair {
    #[inline(always)]
    fn new<B: BitOps>(
        ops: B,
        squares: Bitboard,
        hands: [u32; 2],
        topped_up: &mut ToppedUp,
        parts: &SetupParts,
    ) -> Self {
        let [black_hand, white_hand] = hands;
        let in_place = squares.to_u128();
        let second = in_place & in_place.wrapping_sub(1);
        let first = in_place ^ second;
        // Pieces on the board come first, then pieces in Black's hand, in White's hand, and removed pieces.
        let on_board = u32::from(first != 0) + u32::from(second != 0);
        let white_start = on_board + black_hand;
        let white_end = white_start + white_hand;
        let off_board = |place: u32| if place < white_end { 82 } else { 84 };
        Self {
            indices: [
                topped_up.index(first.trailing_zeros(), off_board(0)),
                topped_up.index(second.trailing_zeros(), off_board(1)),
            ],
            colors: among(ops, squares, parts.colors[1]) | ((1 << white_end) - (1 << white_start)),
            promoted: among(ops, squares, parts.promoted),
        }
    }
}

/// The setup of a valid word, `None` for any other. The payload is ignored.
#[inline(always)]
pub fn decode<B: BitOps>(ops: B, word: &Word) -> Option<Setup> {
    let [a, b, c, d] = to_lanes(word);
    let count = |bits: u64| u64::from(ops.popcount(bits));

    let field = u128::from(a) | u128::from(b & 0x7ff) << 64;
    let ones = count(a) + count(b & 0x7ff);
    let white_to_move = ones > 40;
    let mut occupied = field ^ if white_to_move { OCCUPIED } else { 0 };

    let kings = (b >> 11 & 0x1fff) as usize;
    let [bishops, rooks] = [(d >> 34 & 0xfff) as usize, (d >> 46 & 0xfff) as usize];
    if (35..=40).contains(&ones) || kings >= 83 * 83 || bishops >= PAIRS || rooks >= PAIRS {
        return None;
    }
    let bishops = [usize::from(PAIR[bishops][0]), usize::from(PAIR[bishops][1])];
    let rooks = [usize::from(PAIR[rooks][0]), usize::from(PAIR[rooks][1])];
    let mut topped_up = 0;
    let mut off_board = 0;
    for index in [kings % 83, kings / 83, bishops[0], bishops[1], rooks[0], rooks[1]] {
        let is_off = u32::from(index > 80);
        topped_up |= (index as u32 & is_off) << off_board;
        off_board += is_off;
    }
    occupied |= u128::from(topped_up) << 75;
    let n = count(occupied as u64) + count((occupied >> 64) as u64);

    let black_king = squares::set(kings as u64 % 83);
    let white_king = squares::set(kings as u64 / 83);
    let colors = b >> 24;
    let promoted = b >> 28;
    let bishops = Placed::new(ops, bishops, colors & 3, promoted & 3);
    let rooks = Placed::new(ops, rooks, colors >> 2 & 3, promoted >> 2 & 3);
    let king = black_king | white_king;
    let majors = king | bishops.squares | rooks.squares;

    let kind1 = b >> 32 & 0xffff;
    let kind2 = b >> 48;
    let below = (1 << (n & 63)) - 1;
    let pt_bit0 = c & 0x3_ffff_ffff;
    let color = d & 0x3_ffff_ffff;
    let kind0 = pt_bit0 & below;
    let tails = [pt_bit0.wrapping_shr(n as u32), color.wrapping_shr(n as u32)];
    let on_board = on_board(ops, n, kind0, kind1, kind2);
    let guarded = (INVENTORY | GUARD).wrapping_sub(on_board);
    let hands = tails::unpack(ops, guarded & !GUARD, tails);
    let q = count(kind0);
    let golds = on_board >> 32;
    let past_end =
        (kind1 | kind2).wrapping_shr(q as u32) | (c >> 34).wrapping_shr(n.wrapping_sub(golds) as u32);
    let bad = majors.len() + off_board != 6
        || bishops.bad
        || rooks.bad
        || n > 34
        || guarded & GUARD != GUARD
        || past_end != 0;
    if bad {
        return None;
    }
    let hands = hands?;

    let row = [occupied as u64 & ((1 << 63) - 1), (occupied >> 63) as u64];
    let minors = gaps::open::<6, B>(ops, row, majors);
    // Numbers with a bit for each minor piece: of the fields only these are expanded to boards, all with one mask.
    let nonpawn = ops.mask_near(kind0);
    let bit1 = ops.expand(kind1, &nonpawn);
    let bit2 = ops.expand(kind2, &nonpawn);
    let dense = [kind0, bit1, bit2, ops.pdep_most::<4>(c >> 34, bit1 & bit2), color];
    let [nonpawns, bit1, bit2, promoted, white] = ops.dense_to_boards(&dense, minors.lanes());
    let nonpawns = Bitboard::from_lanes(nonpawns);
    let bit1 = Bitboard::from_lanes(bit1);
    let bit2 = Bitboard::from_lanes(bit2);
    let promoted = Bitboard::from_lanes(promoted);
    let white = Bitboard::from_lanes(white);
    let gold = bit1 & bit2;
    let white = white | white_king | bishops.white | rooks.white;
    let hand = |color: usize| {
        Hand::from_bits_trusted(hands[color] | bishops.hands[color] << 24 | rooks.hands[color] << 28)
    };
    Some(Setup::from_parts_trusted(SetupParts {
        colors: [(minors | majors).without(white), white],
        kinds: [
            minors ^ nonpawns,
            nonpawns.without(bit1 | bit2),
            bit2 ^ gold,
            bit1 ^ gold,
            gold,
            bishops.squares,
            rooks.squares,
            king,
        ],
        promoted: promoted | bishops.promoted | rooks.promoted,
        hands: [hand(0), hand(1)],
        side: color::from_bit(white_to_move),
    }))
}

/// Two bishops or rooks, at the places given by their indices.
struct Placed {
    squares: Bitboard,
    white: Bitboard,
    promoted: Bitboard,
    /// The numbers in Black's and White's hand.
    hands: [u32; 2],
    /// Whether a bit is set that must be zero for a piece off the board, or White's piece in hand comes before Black's.
    bad: bool,
}

impl Placed {
    /// The pair with these indices, and two bits each of colours and promotions.
    #[inline(always)]
    fn new<B: BitOps>(ops: B, indices: [usize; 2], colors: u64, promoted: u64) -> Self {
        // The lower index comes first, and those beyond the board are higher: bit i belongs to index i.
        let sets = [squares::set(indices[0] as u64), squares::set(indices[1] as u64)];
        // Pieces on the board come first, then those in hands, then those removed.
        let on_board = u32::from(indices[0] <= 80) + u32::from(indices[1] <= 80);
        let in_hands = u32::from(matches!(indices[0], 81 | 82)) + u32::from(matches!(indices[1], 81 | 82));
        let off_colors = colors >> on_board;
        let white = ops.popcount(off_colors);
        Self {
            squares: sets[0] | sets[1],
            white: chosen(ops, sets, colors),
            promoted: chosen(ops, sets, promoted),
            hands: [in_hands.wrapping_sub(white), white],
            bad: promoted >> on_board != 0 || off_colors >> in_hands != 0 || in_hands == 2 && off_colors == 1,
        }
    }
}

/// A bit for each of at most two squares, in order, by whether it is in a set.
#[inline(always)]
fn among<B: BitOps>(ops: B, squares: Bitboard, set: Bitboard) -> u64 {
    if B::GATHERS {
        return ops.board_mask(squares.lanes()).compress_u64(set.lanes());
    }
    let squares = squares.to_u128();
    let second = squares & squares.wrapping_sub(1);
    let first = squares ^ second;
    let set = set.to_u128();
    u64::from(first & set != 0) | u64::from(second & set != 0) << 1
}

/// Those of two sets, of at most one square each and in order, whose bit is set.
#[inline(always)]
fn chosen<B: BitOps>(ops: B, [first, second]: [Bitboard; 2], bits: u64) -> Bitboard {
    if B::GATHERS {
        return Bitboard::from_lanes(ops.board_mask((first | second).lanes()).expand_u64(bits));
    }
    let [a, b] = first.lanes();
    let [c, d] = second.lanes();
    let with_first = (bits & 1).wrapping_neg();
    let with_second = (bits >> 1 & 1).wrapping_neg();
    Bitboard::from_lanes([a & with_first | c & with_second, b & with_first | d & with_second])
}
