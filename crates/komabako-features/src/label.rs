//! Moves as classes of a policy network (`spec/features.md` §3).
//!
//! A label is `81 · d + to`, seen by the side to move: d is the direction of the move, or the dropped kind. Different
//! moves of a position never share a label, since no two pieces reach a square in the same direction.

mod masks;

use komabako_board::{BaseKind, Color, Square, square};
use komabako_rules::zobrist::Key;
use komabako_rules::{Move16, MoveList, State};

pub use masks::{Classes, Masks};

/// The number of labels: 27 ways to arrive at each of 81 squares.
pub const LABELS: usize = 27 * 81;
/// The number of labels that occur for some legal move.
pub const COMPACT_LABELS: usize = 1496;
/// The size in bytes of a mask of all labels, one bit each.
pub const MASK_BYTES: usize = LABELS.div_ceil(8);

const DIRECTIONS: usize = 10;
const KNIGHT: usize = 8;
/// The first way of the drops, which follow the moves and the promotions.
const DROPS: usize = 2 * DIRECTIONS;

/// The label of a move of `side`, 0 to 2,186: directions up, up-left, up-right, left, right, down, down-left, down-right, and a
/// knight's left and right; the same ten with promotion; drops of P L N S B R G. Left is towards file 9.
///
/// `None` for "none" and special moves: a pass, resignation, declaration.
pub fn label(mv: Move16, side: Color) -> Option<u16> {
    let to = square_seen_by(mv.to()?, side);
    if let Some(kind) = mv.dropped() {
        return Some(number(DROPS + usize::from(kind.yaneuraou_number()) - 1, to));
    }
    let from = square_seen_by(mv.from()?, side);
    let direction = DIRECTION_OF[from][to];
    if direction == NO_DIRECTION {
        return None;
    }
    let promotion = if mv.is_promotion() { DIRECTIONS } else { 0 };
    Some(number(usize::from(direction) + promotion, to))
}

const NO_DIRECTION: u8 = u8::MAX;

/// The direction by source and destination, as seen by the side to move. A table, because training computes masks for
/// every position, and branches on directions are unpredictable.
static DIRECTION_OF: [[u8; 81]; 81] = {
    let mut table = [[NO_DIRECTION; 81]; 81];
    let mut from = 0;
    while from < 81 {
        let mut to = 0;
        while to < 81 {
            let files = to as isize / 9 - from as isize / 9;
            let ranks = to as isize % 9 - from as isize % 9;
            table[from][to] = direction(files, ranks);
            to += 1;
        }
        from += 1;
    }
    table
};

/// The direction of a move by `files` and `ranks`; [`NO_DIRECTION`] if both are 0.
const fn direction(files: isize, ranks: isize) -> u8 {
    match (files.signum(), ranks.signum()) {
        _ if files.abs() == 1 && ranks == -2 => KNIGHT as u8 + (files < 0) as u8,
        (0, -1) => 0,
        (1, -1) => 1,
        (-1, -1) => 2,
        (1, 0) => 3,
        (-1, 0) => 4,
        (0, 1) => 5,
        (1, 1) => 6,
        (-1, 1) => 7,
        _ => NO_DIRECTION,
    }
}

const fn number(way: usize, to: usize) -> u16 {
    (81 * way + to) as u16
}

fn square_seen_by(square: Square, side: Color) -> usize {
    match side {
        Color::Black => square.array_index(),
        Color::White => 80 - square.array_index(),
    }
}

/// The legal move with this label, or `None` if no legal move has it: the inverse of [`label`] for legal moves.
///
/// ```
/// use komabako_features::label::{label, move_of_label};
/// use komabako_rules::State;
/// let state: State = State::start();
/// let mv = "2g2f".parse()?;
/// let label = label(mv, state.side_to_move()).expect("a move of a piece");
/// assert_eq!(move_of_label(&state, label), Some(mv));
/// assert_eq!(move_of_label(&state, 0), None);
/// # Ok::<(), komabako_board::usi::UsiError>(())
/// ```
pub fn move_of_label<K: Key>(state: &State<K>, wanted: u16) -> Option<Move16> {
    let side = state.side_to_move();
    let wanted = usize::from(wanted);
    let seen = square::from_index(wanted % 81)?;
    let to = if side == Color::White { square::rotate(seen) } else { seen };
    let is_move = |mv| label(mv, side).map(usize::from) == Some(wanted) && state.is_legal(mv);
    if wanted >= 81 * DROPS {
        for kind in BaseKind::ALL {
            if let Some(mv) = Move16::drop(kind, to)
                && is_move(mv)
            {
                return Some(mv);
            }
        }
        return None;
    }
    let promotes = wanted >= 81 * DIRECTIONS;
    for from in state.occupied() {
        let mv = Move16::board(from, to, promotes);
        if is_move(mv) {
            return Some(mv);
        }
    }
    None
}

/// The label with a [compact] number; `None` from 1,496 on.
///
/// ```
/// use komabako_features::label::{COMPACT_LABELS, compact, expanded};
/// assert_eq!(expanded(700).and_then(compact), Some(700));
/// assert_eq!(expanded(COMPACT_LABELS as u16), None);
/// ```
pub fn expanded(number: u16) -> Option<u16> {
    static EXPANDED: [u16; COMPACT_LABELS] = {
        let mut table = [0; COMPACT_LABELS];
        let mut label = 0;
        while label < LABELS {
            if COMPACT[label] != NONE {
                table[COMPACT[label] as usize] = label as u16;
            }
            label += 1;
        }
        table
    };
    EXPANDED.get(usize::from(number)).copied()
}

/// The compact number of a label that occurs for some legal move, 0 to 1,495, ascending; `None` for other labels.
///
/// ```
/// use komabako_features::label::{COMPACT_LABELS, LABELS, compact};
/// assert_eq!((0..LABELS as u16).filter_map(compact).count(), COMPACT_LABELS);
/// ```
pub fn compact(label: u16) -> Option<u16> {
    COMPACT.get(usize::from(label)).copied().filter(|&compact| compact != NONE)
}

const NONE: u16 = u16::MAX;

static COMPACT: [u16; LABELS] = {
    let mut table = [NONE; LABELS];
    let mut label = 0;
    let mut next = 0;
    while label < LABELS {
        if is_possible(label / 81, (label % 81 / 9) as i32, (label % 9) as i32) {
            table[label] = next;
            next += 1;
        }
        label += 1;
    }
    assert!(next as usize == COMPACT_LABELS);
    table
};

/// Whether some piece can arrive by `way` at a file and rank, both counted from 0.
const fn is_possible(way: usize, file: i32, rank: i32) -> bool {
    if way >= DROPS {
        // A dropped pawn, lance or knight must be able to move.
        let ranks_without_move = [1, 1, 2, 0, 0, 0, 0];
        return rank >= ranks_without_move[way - DROPS];
    }
    let promotes = way >= DIRECTIONS;
    let direction = way % DIRECTIONS;
    if direction >= KNIGHT {
        let from = if direction == KNIGHT { file - 1 } else { file + 1 };
        let exists = from >= 0 && from < 9 && rank + 2 < 9;
        return exists && if promotes { rank <= 2 } else { rank >= 2 };
    }
    let (files, ranks) = [(0, -1), (1, -1), (-1, -1), (1, 0), (-1, 0), (0, 1), (1, 1), (-1, 1)][direction];
    let mut from_file = file - files;
    let mut from_rank = rank - ranks;
    while from_file >= 0 && from_file < 9 && from_rank >= 0 && from_rank < 9 {
        if !promotes || from_rank <= 2 || rank <= 2 {
            return true;
        }
        (from_file, from_rank) = (from_file - files, from_rank - ranks);
    }
    false
}

/// The labels of all legal moves, one bit each, the lowest first. For many positions [`Masks`] is faster.
///
/// ```
/// use komabako_features::label;
/// use komabako_rules::State;
/// let mask = label::legal_mask(&State::<()>::start());
/// assert_eq!(mask.iter().map(|byte| byte.count_ones()).sum::<u32>(), 30);
/// ```
pub fn legal_mask<K: Key>(state: &State<K>) -> [u8; MASK_BYTES] {
    let mut mask = [0; MASK_BYTES];
    let mut moves = MoveList::new();
    state.legal_moves(&mut moves);
    for &mv in &moves {
        if let Some(label) = label(mv, state.side_to_move()) {
            mask[usize::from(label / 8)] |= 1 << (label % 8);
        }
    }
    mask
}
