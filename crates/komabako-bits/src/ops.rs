//! [`BitOps`]: the primitives every backend offers.

use core::fmt::Debug;

use crate::arch::generic::swar;
use crate::{BoardMask, Bytes, Closed, Vectors};

/// The primitives, on one backend. Implemented by zero-sized witnesses whose existence proves that the CPU supports it.
///
/// Every method agrees with [`Reference`](crate::Reference), bit for bit, for every argument that its description
/// allows.
///
/// # Words
///
/// [`pext`](Self::pext), [`pdep`](Self::pdep) and their variants work on 64-bit words, [`board_mask`](Self::board_mask) on
/// boards of 63 + 18 squares. If a mask is used more than once, prepare it: on the portable backend that is most of
/// the work. If a mask has few ones or few zeros, use the methods for such masks ([`pext_few`](Self::pext_few),
/// [`pext_most`](Self::pext_most)): they make portable code several times faster, and cost nothing elsewhere.
///
/// # Symbols
///
/// A codec sees a position as a symbol of up to eight bits on each square, in one of three forms:
///
/// * *bytes*: [`Bytes`], one byte per square;
/// * *boards*: `[[u64; 2]; N]`, bit `k` of every symbol in board `k`, in lanes of 63 + 18 bits;
/// * *dense*: `[u64; N]`, the same but only for the squares that a mask selects: place `i` is the `i`-th of them. At most 64
///   squares; further ones are lost (zero in the other direction).
///
/// The six conversions between the forms are named for both ends. A codec uses them as follows:
///
/// | | bitboards | byte board |
/// |---|---|---|
/// | fixed fields, pack | [`boards_to_dense`](Self::boards_to_dense) | [`bytes_to_dense`](Self::bytes_to_dense) |
/// | fixed fields, unpack | [`dense_to_boards`](Self::dense_to_boards) | [`dense_to_bytes`](Self::dense_to_bytes) |
/// | Huffman codes, pack | [`boards_to_bytes`](Self::boards_to_bytes), then as bytes | [`lookup`](Self::lookup), [`join`](Self::join) |
/// | Huffman codes, unpack | [`windows`](Self::windows), [`dense_to_boards`](Self::dense_to_boards) | [`windows`](Self::windows), [`dense_to_bytes`](Self::dense_to_bytes) |
/// | the same, several codes per lookup | [`open_boards`](Self::open_boards) | [`open_bytes`](Self::open_bytes) |
/// | the same, if [`EXPANDS_BYTES`](Self::EXPANDS_BYTES) | as a byte board, then [`bytes_to_boards`](Self::bytes_to_boards) | [`windows_to_bytes`](Self::windows_to_bytes), [`expand_bytes`](Self::expand_bytes) |
///
/// Boards or planes that a caller does not use are not computed.
pub trait BitOps: Copy + Debug + Vectors + sealed::Sealed {
    /// Whether `pext` and `pdep` are fast instructions. If not, a loop over the bits of a mask, or a table, may be faster than
    /// either.
    const GATHERS: bool = false;

    /// Whether `lookup` and `join` run on vectors. If not, one table for both may be faster.
    const SHUFFLES: bool = false;

    /// Whether bytes are compressed and expanded with single instructions. If not, planes of bits may be faster than
    /// `windows_to_bytes` and `expand_bytes`.
    const EXPANDS_BYTES: bool = false;

    /// A mask prepared once to compress or expand many words.
    type Mask: Copy + Debug;

    /// Prepares a mask.
    fn mask(self, mask: u64) -> Self::Mask;

    /// Prepares a mask within the low 32 bits.
    #[inline(always)]
    fn mask_u32(self, mask: u32) -> Self::Mask {
        self.mask(u64::from(mask))
    }

    /// Prepares a mask with at most 31 zeros below its highest one; for any other mask, the results are unspecified.
    #[inline(always)]
    fn mask_near(self, mask: u64) -> Self::Mask {
        self.mask(mask)
    }

    /// Gathers at the low end the bits of `word` that `mask` selects, in order; the other bits are zero.
    fn compress(self, word: u64, mask: &Self::Mask) -> u64;

    /// Scatters the low bits of `word` to the places that `mask` selects, in order; the other bits are zero.
    fn expand(self, word: u64, mask: &Self::Mask) -> u64;

    /// [`compress`](BitOps::compress) with a mask that is used only once: x86's `PEXT`.
    #[inline(always)]
    fn pext(self, word: u64, mask: u64) -> u64 {
        self.compress(word, &self.mask(mask))
    }

    /// [`expand`](BitOps::expand) with a mask that is used only once: x86's `PDEP`.
    #[inline(always)]
    fn pdep(self, word: u64, mask: u64) -> u64 {
        self.expand(word, &self.mask(mask))
    }

    /// `pext` of four words with four masks.
    #[inline(always)]
    fn pext_x4(self, words: [u64; 4], masks: [u64; 4]) -> [u64; 4] {
        let [a, b, c, d] = words;
        [self.pext(a, masks[0]), self.pext(b, masks[1]), self.pext(c, masks[2]), self.pext(d, masks[3])]
    }

    /// `pdep` of four words with four masks.
    #[inline(always)]
    fn pdep_x4(self, words: [u64; 4], masks: [u64; 4]) -> [u64; 4] {
        let [a, b, c, d] = words;
        [self.pdep(a, masks[0]), self.pdep(b, masks[1]), self.pdep(c, masks[2]), self.pdep(d, masks[3])]
    }

    /// `pext` with a mask of at most `ONES` ones. If it has more, either only the `ONES` lowest count or all of them.
    #[inline(always)]
    fn pext_few<const ONES: u32>(self, word: u64, mask: u64) -> u64 {
        swar::pext_few::<ONES>(word, mask)
    }

    /// `pdep` with a mask of at most `ONES` ones. If it has more, either only the `ONES` lowest count or all of them.
    #[inline(always)]
    fn pdep_few<const ONES: u32>(self, word: u64, mask: u64) -> u64 {
        swar::pdep_few::<ONES>(word, mask)
    }

    /// `pext` with the complement of `gaps`, a mask of at most `GAPS` ones. If it has more, either only the `GAPS` lowest
    /// count or all of them.
    #[inline(always)]
    fn pext_most<const GAPS: u32>(self, word: u64, gaps: u64) -> u64 {
        swar::pext_most::<GAPS>(word, gaps)
    }

    /// `pdep` with the complement of `gaps`, a mask of at most `GAPS` ones. If it has more, either only the `GAPS` lowest
    /// count or all of them.
    #[inline(always)]
    fn pdep_most<const GAPS: u32>(self, word: u64, gaps: u64) -> u64 {
        swar::pdep_most::<GAPS>(word, gaps)
    }

    /// The number of ones.
    #[inline(always)]
    fn popcount(self, word: u64) -> u32 {
        word.count_ones()
    }

    /// The union of eight runs of ones that do not overlap, each in the places `start..end` given by a byte lane of `starts` and
    /// of `ends`, 0..=63. Used for hands, whose bits are runs in a field.
    #[inline(always)]
    fn runs(self, starts: u64, ends: u64) -> u64 {
        swar::runs(starts, ends)
    }

    /// For each byte lane of `ends`, 0..=63, the number of ones in `word` below that place.
    #[inline(always)]
    fn ranks(self, word: u64, ends: u64) -> u64 {
        let mut ranks = 0;
        for lane in 0..8 {
            let below = (1 << (ends >> (8 * lane) & 63)) - 1;
            ranks |= u64::from(self.popcount(word & below)) << (8 * lane);
        }
        ranks
    }

    /// The table's entry for the low four bits of each byte of a word; zero for bytes of 128 and more.
    #[inline(always)]
    fn lookup_word(self, bytes: u64, table: &[u8; 16]) -> u64 {
        swar::lookup_word(bytes, table)
    }

    /// Prepares the mask of a two-lane board (63 + 18 bits; all other bits are zero).
    #[inline(always)]
    fn board_mask(self, lanes: [u64; 2]) -> BoardMask<Self> {
        BoardMask::new(self, lanes)
    }

    /// The squares whose byte is not zero.
    #[inline(always)]
    fn nonzero(self, bytes: &Bytes) -> [u64; 2] {
        swar::nonzero(bytes)
    }

    /// The table's entry for each byte, of which only the low five bits count.
    #[inline(always)]
    fn lookup(self, bytes: &Bytes, table: &[u8; 32]) -> Bytes {
        swar::lookup(bytes, table)
    }

    /// Bit `k` of every byte as board `k`, for the `N` lowest bits.
    #[inline(always)]
    fn bytes_to_boards<const N: usize>(self, bytes: &Bytes) -> [[u64; 2]; N] {
        swar::bytes_to_boards(bytes)
    }

    /// The bytes whose bit `k` is board `k`. The bytes beyond the board are zero.
    #[inline(always)]
    fn boards_to_bytes<const N: usize>(self, boards: &[[u64; 2]; N]) -> Bytes {
        swar::boards_to_bytes(boards)
    }

    /// Each board compressed with the same mask.
    #[inline(always)]
    fn boards_to_dense<const N: usize>(self, boards: &[[u64; 2]; N], mask: [u64; 2]) -> [u64; N] {
        let mask = self.board_mask(mask);
        let mut dense = [0; N];
        for (plane, &board) in boards.iter().enumerate() {
            dense[plane] = mask.compress_u64(board);
        }
        dense
    }

    /// Each plane expanded with the same mask.
    #[inline(always)]
    fn dense_to_boards<const N: usize>(self, dense: &[u64; N], mask: [u64; 2]) -> [[u64; 2]; N] {
        let mask = self.board_mask(mask);
        let mut boards = [[0; 2]; N];
        for (board, &plane) in dense.iter().enumerate() {
            boards[board] = mask.expand_u64(plane);
        }
        boards
    }

    /// Bit `k` of the bytes that a mask selects as plane `k`, for the `N` lowest bits.
    #[inline(always)]
    fn bytes_to_dense<const N: usize>(self, bytes: &Bytes, mask: [u64; 2]) -> [u64; N] {
        self.boards_to_dense(&self.bytes_to_boards::<N>(bytes), mask)
    }

    /// The bytes whose bit `k` is plane `k`, on the squares that a mask selects. The other bytes are zero.
    #[inline(always)]
    fn dense_to_bytes<const N: usize>(self, dense: &[u64; N], mask: [u64; 2]) -> Bytes {
        self.boards_to_bytes(&self.dense_to_boards(dense, mask))
    }

    /// Concatenates bit strings, eight at a time: the strings of bytes `8i..8i + 8` in the low bits of word `i`, the first
    /// one lowest, and their total length, 0..=64.
    ///
    /// String `i` is the `lengths[i]` low bits of `codes[i]`. A length is at most 8, and the bits of a code beyond its
    /// length are zero; otherwise the result is unspecified.
    #[inline(always)]
    fn join(self, codes: &Bytes, lengths: &Bytes) -> ([u64; 12], [u8; 12]) {
        swar::join(codes, lengths)
    }

    /// The eight bits that begin at each marked bit of a stream, as dense planes: place `i` of plane `k` is bit
    /// `start + k` of the stream, where `start` is the `i`-th mark. Bits beyond the stream are zero.
    ///
    /// With more than 64 marks the result is unspecified.
    #[inline(always)]
    fn windows(self, stream: [u64; 4], marks: [u64; 4]) -> [u64; 8] {
        swar::windows(stream, marks)
    }

    /// The table's entry for the eight bits that begin at each of the first 96 marks of a stream. Bits beyond the stream
    /// are zero; a missing mark gives the entry for eight zero bits.
    #[inline(always)]
    fn windows_to_bytes(self, stream: [u64; 4], marks: [u64; 4], table: &[u8; 256]) -> Bytes {
        swar::windows_to_bytes(stream, marks, table)
    }

    /// The first bytes, in order, on the squares that a mask selects. The other bytes are zero.
    #[inline(always)]
    fn expand_bytes(self, bytes: &Bytes, mask: [u64; 2]) -> Bytes {
        swar::expand_bytes(bytes, mask)
    }

    /// Opens the bytes of a board at two gaps, keeping their low five bits. The gaps hold any five bits; the bytes beyond the
    /// board are zero.
    ///
    /// The gaps must be squares, the first below the second; otherwise the result is unspecified.
    #[inline(always)]
    fn open_bytes(self, closed: &Closed, gaps: [u8; 2]) -> Bytes {
        swar::open_bytes(closed, gaps)
    }

    /// Bit `k` of every byte of [`open_bytes`](Self::open_bytes) as board `k`, for the `N` lowest bits, `N` at most 5; the gaps
    /// are zero.
    #[inline(always)]
    fn open_boards<const N: usize>(self, closed: &Closed, gaps: [u8; 2]) -> [[u64; 2]; N] {
        swar::open_boards(closed, gaps)
    }
}

/// Seals [`BitOps`]: its implementors are proofs, so other crates must not add any.
pub(crate) mod sealed {
    /// See [`super::sealed`].
    pub trait Sealed {}
}
