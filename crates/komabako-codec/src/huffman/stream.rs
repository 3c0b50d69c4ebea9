//! Reads the bits of a word, and finds the starts of its codes.

use super::Scheme;
use super::tables::Automaton;
use crate::Word;
use crate::word::BITS;

/// The bits 011 repeated, which are not a code of a tail in any format.
const PADDING: u64 = 0x6db6_db6d_b6db_6db6;

/// The bits of a word from `at` on, 0..=256, first bit lowest: at least 57. After the word comes [`PADDING`].
///
/// Reads the word in place: bytes read from a copy would wait until it has been written.
#[inline(always)]
pub fn bits(word: &Word, at: usize) -> u64 {
    let from = (at / 8).min(24);
    let eight = u64::from_le_bytes(*word[from..].first_chunk().expect("eight bytes from byte 24 on"));
    let left = BITS - at;
    let padding = if left < 64 { PADDING << left } else { 0 };
    let skipped = at - 8 * from;
    // At the end of the word all 64 bits are skipped.
    (if skipped < 64 { eight >> skipped } else { 0 }) | padding
}

/// The bits of a word from `at` on, first bit lowest: at least 57. After the word come zeros; if `at` is 256 or more,
/// arbitrary bits.
#[inline(always)]
pub fn bits_or_zeros(word: &Word, at: usize) -> u64 {
    let from = (at / 8).min(24);
    let eight = u64::from_le_bytes(*word[from..].first_chunk().expect("eight bytes from byte 24 on"));
    eight.wrapping_shr((at - 8 * from) as u32)
}

/// Seven bits of the first 64.
#[inline(always)]
pub fn seven_bits(word: &Word, at: usize) -> u64 {
    u64::from_le_bytes(*word.first_chunk().expect("a word has 32 bytes")) >> at & 0x7f
}

/// The bits of a word at which the code of a square begins. In the tail, arbitrary bits.
#[inline(always)]
pub fn code_starts<S: Scheme>(word: &Word) -> [u64; 4] {
    let automaton = &S::TABLES.automaton;
    let lanes = word.as_chunks::<8>().0;
    // The bits before the board are read as empty squares.
    let before = (1 << S::SPEC.board_start()) - 1;
    let first = u64::from_le_bytes(lanes[0]);
    let first = if S::SPEC.empty_bit() { first | before } else { first & !before };
    let (first, mut state) = starts_in_lane(automaton, &first.to_le_bytes(), 0);
    let mut starts = [0, 0, 0, first & !before];
    for lane in &lanes[1..] {
        let (next, state_after) = starts_in_lane(automaton, lane, state);
        // Shifted along instead of indexed: with constant indices the four stay in registers.
        starts = [starts[1], starts[2], starts[3], next];
        state = state_after;
    }
    starts
}

/// The bits of a lane at which a code begins, and the state after it.
#[inline(always)]
fn starts_in_lane(automaton: &Automaton, lane: &[u8; 8], state: u64) -> (u64, u64) {
    let mut starts = 0;
    let mut state = state;
    for (place, &byte) in lane.iter().enumerate() {
        let byte = usize::from(byte);
        starts |= (automaton.starts[byte].wrapping_shr(state as u32) & 0xff) << (8 * place);
        state = automaton.next[byte].wrapping_shr(state as u32);
    }
    (starts, state)
}
