//! The tail of a word: the codes of the pieces off the board.

use komabako_board::{BaseKind, Color, Hand, color};

use super::spec::Spec;
use super::tables::TailCode;
use super::{Scheme, fields, stream};
use crate::Word;
use crate::word::BITS;

/// The number of bits of a tail that are looked up at once: three pawns, or two pieces of most other kinds.
pub const WINDOW: usize = 11;

/// The number of lookups per read of the stream: 55 bits, of 57.
const LOOKUPS: usize = 5;

/// The pieces in hands whose codes a window begins with.
///
/// Both hands are one number, in which each kind has a field in the order of the tail: eight bits for pawns, four for each
/// other kind; Black's hand is the low half.
#[derive(Debug)]
pub struct Runs {
    /// By window: the number of pieces of each kind. Codes are counted up to the first that is cut off, out of order,
    /// unknown to the format, or a piece in the box.
    hands: [u64; 1 << WINDOW],
    /// By window: the length of the counted codes in bits.
    lens: [u8; 1 << WINDOW],
}

impl Runs {
    /// Computes the tables from the codes that seven bits of a tail begin with.
    pub const fn new(spec: &Spec, codes: &[TailCode; 128]) -> Self {
        assert!(codes[0b110].place == 3, "the code after the end must be none of the format's");
        let places = places(spec);
        let mut hands = [0; 1 << WINDOW];
        let mut lens = [0; 1 << WINDOW];
        let mut window = 0;
        while window < hands.len() {
            let mut len = 0;
            let mut rank = 0;
            loop {
                let code = &codes[(window >> len) % codes.len()];
                if code.place > 1 || code.rank < rank || len + code.len as usize > WINDOW {
                    break;
                }
                hands[window] += 1 << (32 * code.place as u32 + places[code.kind as usize]);
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
const fn places(spec: &Spec) -> [u32; 7] {
    let mut places = [0; 7];
    let mut order = 1;
    while order < places.len() {
        places[spec.tail_order[order] as usize] = 4 + 4 * order as u32;
        order += 1;
    }
    places
}

/// The rest of a word after its board.
pub struct Tail {
    pub side: Color,
    /// Black's and White's hand, in [fields]; valid only if all pieces are a set.
    hands: [u32; 2],
    /// All pieces of the tail, those in the box included, in [fields].
    pieces: u32,
}

impl Tail {
    /// Reads the rest of a word after a board that ends before this bit. `None` for some words that are not good.
    #[inline(always)]
    pub fn read<S: Scheme>(word: &Word, end: usize) -> Option<Self> {
        let (side, start) = if S::SPEC.side_after_board { (end, end + 1) } else { (0, end) };
        if start > BITS {
            return None;
        }
        let side = color::from_bit(word[side / 8] >> (side % 8) & 1 != 0);
        let hands = read_runs::<S>(word, start, &mut ()).map(|hands| [hands[0], hands[1], 0]);
        let [black, white, boxed] = match hands {
            None if S::SPEC.has_box => read_codes::<S>(word, start)?,
            hands => hands?,
        };
        let pieces = black.wrapping_add(white).wrapping_add(boxed);
        Some(Self { side, hands: [black, white], pieces })
    }

    /// The hands, if the pieces of the tail and the pieces `on_board` (in [fields]) are a set.
    #[inline(always)]
    pub fn hands(&self, on_board: u32) -> Option<[Hand; 2]> {
        let [black, white] = self.hands;
        if self.pieces.wrapping_add(on_board) == fields::INVENTORY {
            Some([Hand::from_bits_trusted(black), Hand::from_bits_trusted(white)])
        } else {
            None
        }
    }
}

/// A visitor of the windows of a tail. A trait, since a closure might be compiled without the backend's instructions.
pub trait Visit {
    /// Called for each window, with its distance in bits from the first window since the last `end`.
    fn visit(&mut self, window: usize, after: usize);

    /// Called with the first bit of the windows since the last call.
    fn end(&mut self, start: usize);
}

impl Visit for () {
    #[inline(always)]
    fn visit(&mut self, _: usize, _: usize) {}

    #[inline(always)]
    fn end(&mut self, _: usize) {}
}

/// Reads several codes at once: Black's and White's hand, in [fields]. `None` for bad tails, and for pieces in the box.
#[inline(always)]
pub fn read_runs<S: Scheme>(word: &Word, start: usize, visitor: &mut impl Visit) -> Option<[u32; 2]> {
    let runs = &S::TABLES.runs_of_tail;
    let mut at = start;
    let mut both = 0_u64;
    let mut last = 0_u64;
    let mut disorder = 0_u64;
    // Every tail takes one round and few need a second, so that the branch is predicted.
    loop {
        let before = at;
        let mut bits = stream::bits(word, at);
        for _ in 0..LOOKUPS {
            let window = bits as usize % (1 << WINDOW);
            let run = runs.hands[window];
            let len = runs.lens[window];
            visitor.visit(window, at - before);
            both = both.wrapping_add(run);
            // `last` must have no field above the lowest field of `run`. A field of a run is at most 3, so the shift
            // drops a field of the same kind.
            disorder |= last >> 2 & !(run ^ run.wrapping_sub(1));
            last = run;
            bits = bits.wrapping_shr(u32::from(len));
            at += usize::from(len);
        }
        visitor.end(before);
        if at >= BITS {
            break;
        }
        if at == before {
            return None;
        }
    }
    if at != BITS || disorder != 0 {
        return None;
    }
    Some([by_kind::<S>(both as u32), by_kind::<S>((both >> 32) as u32)])
}

/// [Fields](fields) from fields in the order of the tail.
#[inline(always)]
fn by_kind<S: Scheme>(in_order: u32) -> u32 {
    if matches!(S::SPEC.tail_order[4], BaseKind::Gold) {
        return in_order;
    }
    // Golds come last.
    in_order & 0x000f_ffff | (in_order & 0x0ff0_0000) << 4 | in_order >> 8 & 0x00f0_0000
}

/// Reads code by code: Black's hand, White's hand and the box, in [fields]. `None` for bad tails.
#[inline(always)]
fn read_codes<S: Scheme>(word: &Word, start: usize) -> Option<[u32; 3]> {
    let mut at = start;
    let mut places = [0_u32; 4];
    let mut rank = 0;
    let mut disorder = false;
    while at < BITS {
        let code = S::TABLES.tail[stream::bits(word, at) as usize & 0x7f];
        at += usize::from(code.len);
        let pieces = &mut places[usize::from(code.place & 3)];
        *pieces = pieces.wrapping_add(code.piece);
        disorder |= code.rank < rank;
        rank = code.rank;
    }
    let [black, white, boxed, unknown] = places;
    if at == BITS && !disorder && unknown == 0 { Some([black, white, boxed]) } else { None }
}
