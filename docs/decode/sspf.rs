mod position;

use position::{Bits, KINDS, Position, piece, run};

// The offsets of the fields.
const OCCUPIED: usize = 1;
const KINGS_AT: usize = 80;
const PROMOTED: usize = 94;
const PT0: usize = 128;
const PT1: usize = 166;
const PT2: usize = 186;
const PT3: usize = 206;
const PT4: usize = 214;
const COLOR: usize = 218;

/// The extended form. A word of the base form is read in the same way.
fn decode(bits: &Bits) -> Position {
    let mut position = Position::empty();
    position.white = bits.get(0);
    let mut occupied: Vec<bool> = (0..79).map(|at| bits.get(OCCUPIED + at)).collect();
    for (side, text) in ["K", "k"].into_iter().enumerate() {
        let king = bits.number(KINGS_AT + 7 * side, 7);
        if king < 81 {
            position.board[king] = text.to_owned();
        } else {
            // 126 or 127, no king: one more square is free, and its bit is the last of the code.
            occupied.push(king % 2 == 1);
        }
    }

    // P 0, L 100, N 101, S 110, G 1110, B 11110, R 11111: each bit is in a field of its own, which only has the pieces so far.
    let mut left = [18, 4, 4, 4, 4, 2, 2];
    let mut occupied = occupied.into_iter();
    let mut at = 0;
    let mut nonpawns = 0;
    let mut golds_and_majors = 0;
    let mut majors = 0;
    let mut promotable = 0;
    for there in &mut position.board {
        if !there.is_empty() || !occupied.next().unwrap() {
            continue;
        }
        let mut kind = 'P';
        if bits.get(PT0 + at) {
            kind = ['L', 'N', 'S', 'G'][2 * bits.number(PT1 + nonpawns, 1) + bits.number(PT2 + nonpawns, 1)];
            nonpawns += 1;
        }
        if kind == 'G' {
            if bits.get(PT3 + golds_and_majors) {
                kind = ['B', 'R'][bits.number(PT4 + majors, 1)];
                majors += 1;
            }
            golds_and_majors += 1;
        }
        let mut promoted = false;
        if kind != 'G' {
            promoted = bits.get(PROMOTED + promotable);
            promotable += 1;
        }
        *there = piece(kind, promoted, bits.get(COLOR + at));
        left[KINDS.find(kind).unwrap()] -= 1;
        at += 1;
    }

    // Then the pieces that are not on the board: in Black's hand, in White's, or removed.
    for kind in 0..7 {
        for _ in 0..left[kind] {
            if !bits.get(PT0 + at) {
                position.hands[bits.number(COLOR + at, 1)][kind] += 1;
            }
            at += 1;
        }
    }
    position
}

fn main() {
    run(&[("sspfv1", decode), ("sspfv1-ext", decode)]);
}
