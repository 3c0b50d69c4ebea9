//! The tail of a word: the codes of the pieces off the board.

use komabako_board::{BaseKind, Hand};

use super::Scheme;
use super::spec::Spec;
use super::stream;
use super::tables::TailCode;
use crate::word::BITS;
use crate::{Word, lanes};

/// How many bits of a tail are looked up at once: three pawns, or two pieces of most other kinds.
const WINDOW: usize = 11;

/// How many look-ups one read of the stream serves: 55 bits, of 57.
const LOOKUPS: usize = 5;

/// The pieces in hands with whose codes a window begins.
///
/// Both hands are one number, in which each kind has a field in the order of the tail: eight bits for pawns, four for each
/// other kind; Black's hand is the low half.
pub struct Runs {
    /// By window: how many pieces of each kind. Codes are counted up to the first one that is cut off, out of order,
    /// none of the format's, or of a piece in the box.
    hands: [u64; 1 << WINDOW],
    /// By window: how many bits the counted codes have.
    lens: [u8; 1 << WINDOW],
}

impl Runs {
    /// Computes the tables from what seven bits of a tail begin with.
    pub const fn new(spec: &Spec, codes: &[TailCode; 128]) -> Self {
        assert!(codes[0b110].place == 3, "the code after the end must be none of the format's");
        let fields = fields(spec);
        let (mut hands, mut lens) = ([0; 1 << WINDOW], [0; 1 << WINDOW]);
        let mut window = 0;
        while window < hands.len() {
            let (mut len, mut rank) = (0, 0);
            loop {
                let code = &codes[(window >> len) % codes.len()];
                if code.place > 1 || code.rank < rank || len + code.len as usize > WINDOW {
                    break;
                }
                hands[window] += 1 << (32 * code.place as u32 + fields[code.kind as usize - 1]);
                len += code.len as usize;
                rank = code.rank;
            }
            lens[window] = len as u8;
            window += 1;
        }
        Self { hands, lens }
    }
}

/// The lowest bit of each kind's field.
const fn fields(spec: &Spec) -> [u32; 7] {
    let mut fields = [0; 7];
    let mut place = 1;
    while place < fields.len() {
        fields[spec.tail_order[place] as usize] = 4 + 4 * place as u32;
        place += 1;
    }
    fields
}

/// The hands of a tail that begins at a bit, if it is good and holds these pieces, in [lanes], the box included.
#[inline(always)]
pub fn hands<S: Scheme>(word: &Word, start: usize, pieces: u64) -> Option<[Hand; 2]> {
    match hands_by_runs::<S>(word, start, pieces) {
        None if S::SPEC.has_box => hands_by_codes::<S>(word, start, pieces),
        hands => hands,
    }
}

/// Reads several codes at once. `None` if there are pieces in the box.
#[inline(always)]
fn hands_by_runs<S: Scheme>(word: &Word, start: usize, pieces: u64) -> Option<[Hand; 2]> {
    let runs = &S::TABLES.runs_of_tail;
    if start > BITS {
        return None;
    }
    let (mut at, mut both, mut last, mut disorder) = (start, 0_u64, 0_u64, 0_u64);
    // Few tails need a second round, and none goes without one: a branch that is predicted.
    loop {
        let before = at;
        let mut bits = stream::bits(word, at);
        for _ in 0..LOOKUPS {
            let window = bits as usize % (1 << WINDOW);
            let (run, len) = (runs.hands[window], runs.lens[window]);
            both = both.wrapping_add(run);
            // Beyond the lowest one of `run`, `last` may have no field; a field of a run is 3 at most.
            disorder |= last >> 2 & !(run ^ run.wrapping_sub(1));
            last = run;
            bits = bits.wrapping_shr(u32::from(len));
            at += usize::from(len);
        }
        if at >= BITS {
            break;
        }
        if at == before {
            return None;
        }
    }
    // Where a field has overflowed into the next one, the pieces in `both` have codes of fewer bits than were read, and
    // so fewer than the pieces that are off the board have.
    let [black, white] = [both as u32, (both >> 32) as u32].map(by_kind::<S>);
    if at == BITS && disorder == 0 && lanes::of_bits(black.wrapping_add(white)) == pieces {
        Some([Hand::from_bits_trusted(black), Hand::from_bits_trusted(white)])
    } else {
        None
    }
}

/// [`Hand::bits`] of fields in the order of the tail.
#[inline(always)]
fn by_kind<S: Scheme>(fields: u32) -> u32 {
    if matches!(S::SPEC.tail_order[4], BaseKind::Gold) {
        return fields;
    }
    // Golds come last.
    fields & 0x000f_ffff | (fields & 0x0ff0_0000) << 4 | (fields >> 8 & 0x00f0_0000)
}

/// Reads code by code.
#[inline(always)]
fn hands_by_codes<S: Scheme>(word: &Word, start: usize, pieces: u64) -> Option<[Hand; 2]> {
    let mut at = start;
    let mut off_board = [0_u64; 4];
    let (mut rank, mut disorder) = (0, false);
    while at < BITS {
        let code = S::TABLES.tail[stream::bits(word, at) as usize & 0x7f];
        at += usize::from(code.len);
        off_board[usize::from(code.place & 3)] += 1 << (8 * code.kind);
        disorder |= code.rank < rank;
        rank = code.rank;
    }
    let [black, white, boxed, unknown] = off_board;
    if at == BITS && !disorder && unknown == 0 && black + white + boxed == pieces << 8 {
        Some([lanes::to_hand(black >> 8), lanes::to_hand(white >> 8)])
    } else {
        None
    }
}
