//! Zobrist keys: their definition, and [`Key`], the width that a [`State`](crate::State) keeps.
//!
//! The keys are stable: they are part of the crate's contract, and files may hold them. The generator is
//! `SplitMix64` (Steele, Lea and Flood 2014), seeded with [`SEED`]; its outputs are drawn in this order:
//!
//! 1. for each colour (Black, White), for each of the sixteen piece numbers (P L N S G B R K, then the same promoted;
//!    the promoted gold and king do not occur, but their words are drawn too), for each square 0..81: a low and a
//!    high word;
//! 2. for each colour, for each kind in hand (P L N S G B R), for each count 1..=18: a low and a high word, which
//!    mean "the hand holds at least this many".
//!
//! The lowest bit of every low word is cleared. A position's key is the XOR of the words of its pieces and hands,
//! and White to move sets the lowest bit. So the side can be read from a key, and the 64-bit key is the low half of
//! the 128-bit one.

/// The seed of the generator: "komabako" in ASCII, big-endian.
pub const SEED: u64 = u64::from_be_bytes(*b"komabako");

// Powers of two: a remainder then compiles to a mask, which replaces the bounds check.
const PIECES: usize = 32;
const SQUARES: usize = 128;

/// The words by hand: the first index is the colour times eight plus the kind, the second the count.
const HANDS: usize = 16;
const COUNTS: usize = 32;

/// The word of a piece, by its number, on a square.
const fn board_word(piece: usize, square: usize) -> u128 {
    word((piece * 81 + square) as u64)
}

/// The word of the `count`-th piece in a hand, from 1; `hand` is the colour times eight plus the kind. No hand holds a king,
/// so no word is drawn for it: drawing one would change all later words, and the keys are part of the contract.
const fn hand_word(hand: usize, count: usize) -> u128 {
    let color = hand / 8;
    let kind = hand % 8;
    if kind == 7 { 0 } else { word((PIECES * 81 + (color * 7 + kind) * 18 + count - 1) as u64) }
}

/// The word that is drawn after `place` others: two outputs of the generator, the first with its lowest bit cleared as the
/// low word, the second as the high word. The generator only mixes the number of an output, so no earlier output is needed.
const fn word(place: u64) -> u128 {
    let low = split_mix(2 * place + 1);
    let high = split_mix(2 * place + 2);
    (low & !1) as u128 | (high as u128) << 64
}

/// The output of `SplitMix64` with this number, counted from 1.
const fn split_mix(number: u64) -> u64 {
    let state = SEED.wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mut word = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

/// The width of a position's key: `u64`, `u128`, or `()` for none.
///
/// A [`State`](crate::State) keeps its key up to date move by move; `State<()>` has none and pays nothing.
pub trait Key: Copy + Eq + core::fmt::Debug + sealed::Words {}

impl Key for () {}
impl Key for u64 {}
impl Key for u128 {}

/// A table that the compiler computes. In WebAssembly it is computed lazily instead: random words do not compress, and were a
/// tenth of the module.
macro_rules! table {
    ($name:ident: $table:ty = $value:expr) => {
        #[cfg(not(all(target_family = "wasm", feature = "std")))]
        static $name: $table = $value;
        #[cfg(all(target_family = "wasm", feature = "std"))]
        static $name: std::sync::LazyLock<$table> = std::sync::LazyLock::new(|| $value);
    };
}

/// Seals [`Key`]: other crates cannot implement it.
pub(crate) mod sealed {
    use komabako_board::{BaseKind, Hand};

    use super::{COUNTS, HANDS, PIECES, SQUARES, board_word, hand_word};

    /// The words of a key's width.
    pub trait Words: Sized {
        /// The key of an empty board and empty hands, Black to move.
        const START: Self;

        /// Toggles White's turn.
        fn toggle_side(&mut self);

        /// Adds or removes a piece (by its number, 0..32) on a square.
        fn toggle_piece(&mut self, number: usize, square: usize);

        /// Adds or removes the `count`-th piece of a kind in a hand; `hand` is the colour times eight plus the kind.
        fn toggle_hand(&mut self, hand: usize, count: usize);

        /// Adds or removes all pieces of a colour's hand.
        fn toggle_whole_hand(&mut self, white: bool, hand: Hand);
    }

    impl Words for () {
        const START: Self = ();
        #[inline(always)]
        fn toggle_side(&mut self) {}
        #[inline(always)]
        fn toggle_piece(&mut self, _: usize, _: usize) {}
        #[inline(always)]
        fn toggle_hand(&mut self, _: usize, _: usize) {}
        #[inline(always)]
        fn toggle_whole_hand(&mut self, _: bool, _: Hand) {}
    }

    macro_rules! words {
        ($word:ident) => {
            impl Words for $word {
                const START: Self = 0;
                #[inline(always)]
                fn toggle_side(&mut self) {
                    *self ^= 1;
                }
                #[inline(always)]
                fn toggle_piece(&mut self, number: usize, square: usize) {
                    // A table of the key's own width: for `u64` it takes half the cache.
                    table!(BOARD: [[$word; SQUARES]; PIECES] = {
                        let mut words = [[0; SQUARES]; PIECES];
                        let mut index = 0;
                        while index < PIECES * 81 {
                            let piece = index / 81;
                            let square = index % 81;
                            words[piece][square] = board_word(piece, square) as $word;
                            index += 1;
                        }
                        words
                    });
                    *self ^= BOARD[number % PIECES][square % SQUARES];
                }
                #[inline(always)]
                fn toggle_hand(&mut self, hand: usize, count: usize) {
                    table!(HAND: [[$word; COUNTS]; HANDS] = {
                        let mut words = [[0; COUNTS]; HANDS];
                        let mut index = 0;
                        while index < HANDS * 18 {
                            let hand = index / 18;
                            let count = index % 18 + 1;
                            words[hand][count] = hand_word(hand, count) as $word;
                            index += 1;
                        }
                        words
                    });
                    *self ^= HAND[hand % HANDS][count % COUNTS];
                }
                #[inline(always)]
                fn toggle_whole_hand(&mut self, white: bool, hand: Hand) {
                    // The XOR of the words of the first, the second, … and the last piece.
                    table!(UP_TO: [[$word; COUNTS]; HANDS] = {
                        let mut words = [[0; COUNTS]; HANDS];
                        let mut index = 0;
                        while index < HANDS * 18 {
                            let hand = index / 18;
                            let count = index % 18 + 1;
                            words[hand][count] = words[hand][count - 1] ^ hand_word(hand, count) as $word;
                            index += 1;
                        }
                        words
                    });
                    for kind in BaseKind::IN_HAND {
                        let row = usize::from(white) * 8 + kind as usize;
                        *self ^= UP_TO[row % HANDS][usize::from(hand.count(kind)) % COUNTS];
                    }
                }
            }
        };
    }

    words!(u64);
    words!(u128);
}
