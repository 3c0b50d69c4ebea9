mod position;

use position::{Bits, KINDS, Position, run};

// The codes, first bit leftmost: empty, P p +P +p, L l +L +l, …, and off the board P p and a pawn in the box, L l …
const PIECES: &str = ". P p +P +p L l +L +l N n +N +n S s +S +s G g B b +B +b R r +R +r";
const OFF: &str = "P p - L l - N n - S s - G g - B b - R r -";
const PSV: &str = "0 1000 1001 1010 1011 110000 110001 110010 110011 110100 110101 110110 110111 \
    111000 111001 111010 111011 111100 111101 11111000 11111001 11111010 11111011 11111100 11111101 11111110 11111111";
const PSV_OFF: &str = "000 001 010 10000 10001 10010 10100 10101 10110 11000 11001 11010 11100 11101 11011 \
    1111000 1111001 1111010 1111100 1111101 1111110";
const HCP: &str = "0 1000 1010 1001 1011 110000 110010 110001 110011 111000 111010 111001 111011 \
    110100 110110 110101 110111 111100 111101 11111000 11111010 11111001 11111011 11111100 11111110 11111101 11111111";
const HCP_OFF: &str = "000 001 010 10000 10001 10010 11000 11001 11010 10100 10101 10110 11100 11101 10111 \
    1111100 1111101 1111000 1111110 1111111 1111010";
const NSHOGI: &str = "1 0000 0001 0010 0011 010000 010001 010010 010011 010100 010101 010110 010111 \
    011000 011001 011010 011011 011110 011111 01110000 01110001 01110010 01110011 01110100 01110101 01110110 01110111";

/// Reads a code from bit `at` on, and moves `at` behind it.
fn read(bits: &Bits, at: &mut usize, codes: &str, pieces: &'static str) -> &'static str {
    let mut read = String::new();
    loop {
        read.push(if bits.get(*at) { '1' } else { '0' });
        *at += 1;
        for (code, piece) in codes.split_whitespace().zip(pieces.split_whitespace()) {
            if code == read {
                return piece;
            }
        }
    }
}

fn decode(bits: &Bits, codes: &str, off_codes: &str, is_nshogi: bool) -> Position {
    // nshogi counts ranks from below, and writes the side to move after the board.
    let square_at = |index: usize| if is_nshogi { index - index % 9 + 8 - index % 9 } else { index };
    let mut position = Position::empty();
    let mut at = 0;
    if !is_nshogi {
        position.white = bits.get(at);
        at += 1;
    }
    for king in ["K", "k"] {
        position.board[square_at(bits.number(at, 7))] = king.to_owned();
        at += 7;
    }
    for index in 0..81 {
        let there = &mut position.board[square_at(index)];
        if there.is_empty() {
            *there = read(bits, &mut at, codes, PIECES).replace('.', "");
        }
    }
    if is_nshogi {
        position.white = bits.get(at);
        at += 1;
    }
    while at < 256 {
        let held = read(bits, &mut at, off_codes, OFF);
        if let Some(kind) = KINDS.find(&held.to_uppercase()) {
            position.hands[usize::from(held != held.to_uppercase())][kind] += 1;
        }
    }
    position
}

fn main() {
    run(&[
        ("psv", |bits| decode(bits, PSV, PSV_OFF, false)),
        ("hcp", |bits| decode(bits, HCP, HCP_OFF, false)),
        ("nshogi", |bits| decode(bits, NSHOGI, PSV_OFF, true)),
    ]);
}
