//! [`Avx512`]: bytes compressed, expanded and looked up with single instructions, besides `PEXT` and `PDEP`.

use core::arch::x86_64::*;
use core::mem::transmute;

use super::avx2::{HasAvx2, runs};
use super::bmi2::LOW_ONES;
use crate::arch::vector;
use crate::board::row;
use crate::{BitOps, Bytes, Closed};

witness! {
    /// Proof that the CPU has AVX-512 with VBMI, VBMI2 and VPOPCNTDQ (Ice Lake, Zen 4 and later) and the features of
    /// [`Bmi2`](super::Bmi2).
    Avx512: "avx512f", "avx512bw", "avx512vl", "avx512vbmi", "avx512vbmi2", "avx512vpopcntdq", "bmi1", "bmi2", "lzcnt", "popcnt"
}

/// The first 64 bytes of a board, and the other 32.
type Halves = (__m512i, __m256i);

/// The byte at index `i` is `i`.
static IOTA: [u8; 64] = {
    let mut iota = [0; 64];
    let mut index = 0;
    while index < 64 {
        iota[index] = index as u8;
        index += 1;
    }
    iota
};

/// The indices of the eight bytes that start at byte `i`, for each byte `i` of a word: the source of all windows that begin in
/// byte `i`.
static WINDOWS: [u8; 64] = {
    let mut bytes = [0; 64];
    let mut index = 0;
    while index < 64 {
        bytes[index] = (index / 8 + index % 8) as u8;
        index += 1;
    }
    bytes
};

impl HasAvx2 for Avx512 {}

impl crate::ops::sealed::Sealed for Avx512 {}

impl BitOps for Avx512 {
    const GATHERS: bool = true;
    const SHUFFLES: bool = true;
    const EXPANDS_BYTES: bool = true;

    type Mask = u64;

    #[inline(always)]
    fn mask(self, mask: u64) -> u64 {
        mask
    }

    #[inline(always)]
    fn compress(self, word: u64, mask: &u64) -> u64 {
        // SAFETY: `self` proves BMI2.
        unsafe { _pext_u64(word, *mask) }
    }

    #[inline(always)]
    fn expand(self, word: u64, mask: &u64) -> u64 {
        // SAFETY: `self` proves BMI2.
        unsafe { _pdep_u64(word, *mask) }
    }

    few_by_pext!();
    lookup_by_shuffle!();

    #[inline(always)]
    fn ranks(self, word: u64, ends: u64) -> u64 {
        // SAFETY: `self` proves AVX-512 F, BW and VPOPCNTDQ.
        unsafe {
            let ends = _mm512_cvtepu8_epi64(_mm_cvtsi64_si128(ends as i64));
            let from_end = _mm512_sllv_epi64(_mm512_set1_epi64(-1), ends);
            let ranks = _mm512_popcnt_epi64(_mm512_andnot_si512(from_end, _mm512_set1_epi64(word as i64)));
            _mm_cvtsi128_si64(_mm512_cvtepi64_epi8(ranks)) as u64
        }
    }

    #[inline(always)]
    fn nonzero(self, bytes: &Bytes) -> [u64; 2] {
        let (low, high) = self.load_lanes(bytes);
        // SAFETY: `self` proves AVX-512 BW and VL.
        unsafe { [_mm512_test_epi8_mask(low, low), _mm256_test_epi8_mask(high, high).into()] }
    }

    #[inline(always)]
    fn lookup(self, bytes: &Bytes, table: &[u8; 32]) -> Bytes {
        let (low, high) = load(bytes);
        // SAFETY: `self` proves AVX-512 VBMI and VL; a table is 32 bytes without padding.
        unsafe {
            let table: __m256i = transmute(*table);
            let twice = _mm512_broadcast_i64x4(table);
            store((_mm512_permutexvar_epi8(low, twice), _mm256_permutexvar_epi8(high, table)))
        }
    }

    #[inline(always)]
    fn bytes_to_boards<const N: usize>(self, bytes: &Bytes) -> [[u64; 2]; N] {
        let (low, high) = self.load_lanes(bytes);
        let mut boards = [[0; 2]; N];
        for (bit, board) in boards.iter_mut().enumerate() {
            // SAFETY: `self` proves AVX-512 BW.
            *board = unsafe {
                // The upper half is tested in 64 bytes too, to avoid a bug of LLVM 22: it takes masks of 32 bytes with
                // `VPMOVMSKB`, misses that other masks are computed from them, and then reads an uninitialised mask register.
                let test = |half| _mm512_test_epi8_mask(half, _mm512_set1_epi8(1 << bit));
                [test(low), test(_mm512_zextsi256_si512(high))]
            };
        }
        boards
    }

    #[inline(always)]
    fn boards_to_bytes<const N: usize>(self, boards: &[[u64; 2]; N]) -> Bytes {
        // SAFETY: `self` proves AVX-512 BW and VL.
        unsafe {
            let mut low = _mm512_setzero_si512();
            let mut high = _mm256_setzero_si256();
            for (bit, &board) in boards.iter().enumerate() {
                let row = row(board);
                low = _mm512_mask_add_epi8(low, row as u64, low, _mm512_set1_epi8(1 << bit));
                high = _mm256_mask_add_epi8(high, (row >> 64) as u32, high, _mm256_set1_epi8(1 << bit));
            }
            store((low, high))
        }
    }

    #[inline(always)]
    fn bytes_to_dense<const N: usize>(self, bytes: &Bytes, mask: [u64; 2]) -> [u64; N] {
        let (low, high) = load(bytes);
        let mask = row(mask);
        // SAFETY: `self` proves AVX-512 VBMI2 and VL.
        let dense = unsafe {
            let low_bytes = _mm512_maskz_compress_epi8(mask as u64, low);
            let high_bytes = _mm256_maskz_compress_epi8((mask >> 64) as u32, high);
            // Zero-extended instead of cast: the upper half of a cast is undefined, and `shift_up` by less than 32 would
            // move it into the planes. No test detects the difference as long as compilers happen to make it zero.
            _mm512_or_si512(
                low_bytes,
                self.shift_up(_mm512_zextsi256_si512(high_bytes), (mask as u64).count_ones()),
            )
        };
        self.planes(dense)
    }

    #[inline(always)]
    fn dense_to_bytes<const N: usize>(self, dense: &[u64; N], mask: [u64; 2]) -> Bytes {
        let mask = row(mask);
        // SAFETY: `self` proves AVX-512 BW, VBMI2 and VL.
        unsafe {
            let mut bytes = _mm512_setzero_si512();
            for (bit, &plane) in dense.iter().enumerate() {
                bytes = _mm512_mask_add_epi8(bytes, plane, bytes, _mm512_set1_epi8(1 << bit));
            }
            let rest = _mm512_castsi512_si256(self.shift_down(bytes, (mask as u64).count_ones()));
            store((
                _mm512_maskz_expand_epi8(mask as u64, bytes),
                _mm256_maskz_expand_epi8((mask >> 64) as u32, rest),
            ))
        }
    }

    #[inline(always)]
    fn join(self, codes: &Bytes, lengths: &Bytes) -> ([u64; 12], [u8; 12]) {
        let masks = self.lookup(lengths, &LOW_ONES);
        let mut words = [0; 12];
        let mut totals = [0; 12];
        for group in 0..12 {
            let mask = u64::from_le_bytes(masks.as_chunks().0[group]);
            words[group] = self.pext(u64::from_le_bytes(codes.as_chunks().0[group]), mask);
            totals[group] = mask.count_ones() as u8;
        }
        (words, totals)
    }

    #[inline(always)]
    fn runs(self, starts: u64, ends: u64) -> u64 {
        runs(self, starts, ends)
    }

    #[inline(always)]
    fn open_bytes(self, closed: &Closed, gaps: [u8; 2]) -> Bytes {
        vector::open_bytes(self, closed, gaps)
    }

    #[inline(always)]
    fn open_boards<const N: usize>(self, closed: &Closed, gaps: [u8; 2]) -> [[u64; 2]; N] {
        vector::open_boards(self, closed, gaps)
    }

    #[inline(always)]
    fn windows(self, stream: [u64; 4], marks: [u64; 4]) -> [u64; 8] {
        let mut windows = self.zero();
        let mut place = 0;
        for (word, mask) in marks.iter().enumerate() {
            let marked = self.windows_of_word(stream, word as i8, *mask);
            // SAFETY: `self` proves AVX-512 F.
            windows = unsafe { _mm512_or_si512(windows, self.shift_up(marked, place)) };
            place += mask.count_ones();
        }
        self.planes(windows)
    }

    #[inline(always)]
    fn windows_to_bytes(self, stream: [u64; 4], marks: [u64; 4], table: &[u8; 256]) -> Bytes {
        let mut low = self.windows_of_word(stream, 0, marks[0]);
        let mut high = self.zero();
        let mut place = marks[0].count_ones();
        for (word, &mask) in marks.iter().enumerate().skip(1) {
            let marked = self.windows_of_word(stream, word as i8, mask);
            // SAFETY: `self` proves AVX-512 BW and VBMI.
            unsafe {
                // A place below 64 takes the byte with the index `from` if that is 0 to 63; a place above, with an index higher
                // by 64. `place` is at most 192, so that a negative index, as a byte, is at least 64.
                let from = _mm512_sub_epi8(vector(&IOTA), _mm512_set1_epi8(place as i8));
                let from_high = _mm512_add_epi8(from, _mm512_set1_epi8(64));
                let in_word = |from| _mm512_testn_epi8_mask(from, _mm512_set1_epi8(0xc0_u8 as i8));
                low = _mm512_or_si512(low, _mm512_maskz_permutexvar_epi8(in_word(from), from, marked));
                high = _mm512_or_si512(
                    high,
                    _mm512_maskz_permutexvar_epi8(in_word(from_high), from_high, marked),
                );
            }
            place += mask.count_ones();
        }
        let table = table.as_chunks().0;
        let [a, b, c, d] = [vector(&table[0]), vector(&table[1]), vector(&table[2]), vector(&table[3])];
        // SAFETY: `self` proves AVX-512 BW, VBMI and VL.
        unsafe {
            let lookup = |windows| {
                let of_high = _mm512_permutex2var_epi8(c, windows, d);
                let is_high = _mm512_movepi8_mask(windows);
                _mm512_mask_blend_epi8(is_high, _mm512_permutex2var_epi8(a, windows, b), of_high)
            };
            store((lookup(low), _mm512_castsi512_si256(lookup(high))))
        }
    }

    #[inline(always)]
    fn expand_bytes(self, bytes: &Bytes, mask: [u64; 2]) -> Bytes {
        let (low, high) = load(bytes);
        let mask = row(mask);
        // SAFETY: `self` proves AVX-512 VBMI, VBMI2 and VL.
        unsafe {
            // Indices from 64 up select from `high`. At most 64 of the 96 bytes are already used, and at most 32 are taken here.
            let from = _mm512_add_epi8(vector(&IOTA), _mm512_set1_epi8((mask as u64).count_ones() as i8));
            let rest = _mm512_permutex2var_epi8(low, from, _mm512_zextsi256_si512(high));
            store((
                _mm512_maskz_expand_epi8(mask as u64, low),
                _mm256_maskz_expand_epi8((mask >> 64) as u32, _mm512_castsi512_si256(rest)),
            ))
        }
    }
}

impl Avx512 {
    /// The eight bits that begin at each marked bit of a word of a stream, in order.
    #[inline(always)]
    fn windows_of_word(self, stream: [u64; 4], word: i8, marks: u64) -> __m512i {
        // SAFETY: `self` proves AVX-512 VBMI and VBMI2; the stream is 32 bytes without padding.
        unsafe {
            let stream = _mm512_zextsi256_si512(transmute::<[u64; 4], __m256i>(stream));
            let bytes = _mm512_add_epi8(vector(&WINDOWS), _mm512_set1_epi8(8 * word));
            let eights = _mm512_permutexvar_epi8(bytes, stream);
            let windows = _mm512_multishift_epi64_epi8(_mm512_set1_epi64(0x0706_0504_0302_0100), eights);
            _mm512_maskz_compress_epi8(marks, windows)
        }
    }

    /// The bytes of the squares of lane 0 and of lane 1, so that their masks need no shift between the lanes.
    #[inline(always)]
    fn load_lanes(self, bytes: &Bytes) -> Halves {
        let (low, high) = load(bytes);
        // SAFETY: `self` proves AVX-512 BW, VBMI and VL.
        unsafe {
            let from = _mm512_add_epi8(vector(&IOTA), _mm512_set1_epi8(63));
            let high = _mm512_permutex2var_epi8(low, from, _mm512_zextsi256_si512(high));
            (
                _mm512_maskz_mov_epi8(u64::MAX >> 1, low),
                _mm256_maskz_mov_epi8(0x3_ffff, _mm512_castsi512_si256(high)),
            )
        }
    }

    #[inline(always)]
    fn zero(self) -> __m512i {
        // SAFETY: `self` proves AVX-512 F.
        unsafe { _mm512_setzero_si512() }
    }

    /// The bytes moved to places higher by `by`, 0..=64; zeros below.
    #[inline(always)]
    fn shift_up(self, bytes: __m512i, by: u32) -> __m512i {
        // SAFETY: `self` proves AVX-512 VBMI and BMI2.
        unsafe {
            let from = _mm512_sub_epi8(vector(&IOTA), _mm512_set1_epi8(by as i8));
            _mm512_maskz_permutexvar_epi8(!_bzhi_u64(u64::MAX, by), from, bytes)
        }
    }

    /// The bytes moved to places lower by `by`, 0..=64; zeros above.
    #[inline(always)]
    fn shift_down(self, bytes: __m512i, by: u32) -> __m512i {
        // SAFETY: `self` proves AVX-512 VBMI and BMI2.
        unsafe {
            let from = _mm512_add_epi8(vector(&IOTA), _mm512_set1_epi8(by as i8));
            _mm512_maskz_permutexvar_epi8(_bzhi_u64(u64::MAX, 64 - by), from, bytes)
        }
    }

    /// Bit `k` of byte `i` in place `i` of plane `k`.
    #[inline(always)]
    fn planes<const N: usize>(self, bytes: __m512i) -> [u64; N] {
        let mut planes = [0; N];
        for (bit, plane) in planes.iter_mut().enumerate() {
            // SAFETY: `self` proves AVX-512 BW.
            *plane = unsafe { _mm512_test_epi8_mask(bytes, _mm512_set1_epi8(1 << bit)) };
        }
        planes
    }
}

/// The vector of 64 bytes.
#[inline(always)]
fn vector(bytes: &[u8; 64]) -> __m512i {
    // SAFETY: both are 64 bytes without padding, and any bytes are a vector.
    unsafe { transmute(*bytes) }
}

#[inline(always)]
fn load(bytes: &Bytes) -> Halves {
    let (low, high) = bytes.split_first_chunk().expect("96 bytes are more than 64");
    let high: &[u8; 32] = high.first_chunk().expect("32 bytes are left");
    // SAFETY: both are 32 bytes without padding, and any bytes are a vector.
    (vector(low), unsafe { transmute::<[u8; 32], __m256i>(*high) })
}

#[inline(always)]
fn store((low, high): Halves) -> Bytes {
    let mut bytes = [0; 96];
    // SAFETY: the sizes are equal, 64 and 32 bytes without padding.
    let (low, high) = unsafe { (transmute::<__m512i, [u8; 64]>(low), transmute::<__m256i, [u8; 32]>(high)) };
    *bytes.first_chunk_mut().expect("96 bytes are more than 64") = low;
    *bytes.last_chunk_mut().expect("96 bytes are more than 32") = high;
    bytes
}
