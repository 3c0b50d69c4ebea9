mod position;

use position::{Bits, KINDS, Position, piece, run};

/// A number of 256 bits, the least significant 64 first.
type Wide = [u64; 4];

fn times(number: Wide, factor: u64) -> Wide {
    let mut carry = 0;
    number.map(|part| {
        let product = u128::from(part) * u128::from(factor) + carry;
        carry = product >> 64;
        product as u64
    })
}

/// Divides a number and returns the rest.
fn divide(number: &mut Wide, divisor: u64) -> u64 {
    let mut rest = 0;
    for part in number.iter_mut().rev() {
        let dividend = rest << 64 | u128::from(*part);
        *part = (dividend / u128::from(divisor)) as u64;
        rest = dividend % u128::from(divisor);
    }
    rest as u64
}

fn is_less(one: &Wide, other: &Wide) -> bool {
    one.iter().rev().lt(other.iter().rev())
}

fn subtract(number: &mut Wide, other: &Wide) {
    let mut borrow = false;
    for (part, taken) in number.iter_mut().zip(other) {
        let (without, first) = part.overflowing_sub(*taken);
        let (result, second) = without.overflowing_sub(u64::from(borrow));
        *part = result;
        borrow = first || second;
    }
}

const SET: [u64; 7] = [18, 4, 4, 4, 4, 2, 2];
const GOLD: usize = 4;

/// A binomial coefficient.
fn comb(n: u64, k: u64) -> u64 {
    let mut result = 1;
    for at in 1..=k {
        // No coefficient that is needed, times 81, exceeds 128 bits.
        result = result * u128::from((n + at).saturating_sub(k)) / u128::from(at);
    }
    result as u64
}

/// The ways to split the other pieces of a kind among two hands and the box.
fn off(kind: usize, on_board: u64) -> u64 {
    comb(SET[kind] - on_board + 2, 2)
}

/// The counts of L N S G B R on the board whose sum is `total`, in ascending order.
fn counts_of(total: u64) -> Vec<[u64; 6]> {
    let all = (0..5 * 5 * 5 * 5 * 3 * 3)
        .map(|at| [at / 1125, at / 225 % 5, at / 45 % 5, at / 9 % 5, at / 3 % 3, at % 3]);
    all.filter(|counts| counts.iter().sum::<u64>() == total).collect()
}

/// The radices of the number of the pieces other than pawns: splits, colours, promotions, and places of each kind but the last.
fn radices(counts: &[u64; 6]) -> Vec<u64> {
    let mut found: Vec<u64> = counts.iter().zip(1..).map(|(&count, kind)| off(kind, count)).collect();
    let mut rest: u64 = counts.iter().sum();
    found.push(1 << rest);
    found.push(1 << (rest - counts[GOLD - 1]));
    for &count in &counts[..5] {
        found.push(comb(rest, count));
        rest -= count;
    }
    found
}

fn product(factors: &[u64]) -> Wide {
    factors.iter().fold([1, 0, 0, 0], |product, &factor| times(product, factor))
}

/// Takes the set with this number (colex) out of the places.
fn chosen(mut value: u64, count: u64, places: &mut Vec<usize>) -> Vec<usize> {
    let mut found = Vec::new();
    for size in (1..=count).rev() {
        let mut at = size - 1;
        while comb(at + 1, size) <= value {
            at += 1;
        }
        value -= comb(at, size);
        found.push(places.remove(at as usize));
    }
    found.reverse();
    found
}

fn split(value: u64, position: &mut Position, kind: usize) {
    let mut total = 0;
    while (total + 1) * (total + 2) / 2 <= value {
        total += 1;
    }
    let white = value - total * (total + 1) / 2;
    position.hands[0][kind] = (total - white) as usize;
    position.hands[1][kind] = white as usize;
}

/// The class: which kings, how many pawns and other pieces, with its radices. Smaller classes come first. Takes the smaller
/// classes from the rank.
fn class_of(rank: &mut Wide) -> (usize, u64, u64, Vec<u64>) {
    let inner: Vec<u128> = (0..=20)
        .map(|others| {
            // A sum is below 2^128.
            let size = |counts| product(&radices(counts));
            counts_of(others)
                .iter()
                .map(size)
                .map(|size| u128::from(size[1]) << 64 | u128::from(size[0]))
                .sum()
        })
        .collect();
    for (kings, (free, king_places)) in [(79, 81 * 80), (80, 81), (80, 81), (81, 1)].into_iter().enumerate() {
        for pawns in 0..=18 {
            for others in 0..=20 {
                let places = [comb(free, pawns), comb(free - pawns, others)];
                let bases = vec![2, king_places, off(0, pawns), 1 << pawns, 1 << pawns, places[0], places[1]];
                let inner = inner[others as usize];
                let size = bases
                    .iter()
                    .fold([inner as u64, (inner >> 64) as u64, 0, 0], |size, &base| times(size, base));
                if is_less(rank, &size) {
                    return (kings, pawns, others, bases);
                }
                subtract(rank, &size);
            }
        }
    }
    panic!("not a rank");
}

fn decode(bits: &Bits) -> Position {
    let mut rank: Wide = [0, 64, 128, 192].map(|at| bits.number(at, if at < 192 { 64 } else { 48 }) as u64);
    let (kings, pawns, others, bases) = class_of(&mut rank);
    let digits: Vec<u64> = bases.iter().map(|&base| divide(&mut rank, base)).collect();

    let mut position = Position::empty();
    position.white = digits[0] == 1;
    let king = digits[1] as usize;
    match kings {
        0 => {
            let black = king / 80;
            let white = king % 80;
            position.board[black] = "K".to_owned();
            position.board[white + usize::from(white >= black)] = "k".to_owned();
        }
        1 => position.board[king] = "K".to_owned(),
        2 => position.board[king] = "k".to_owned(),
        _ => {}
    }
    let mut squares: Vec<usize> = (0..81).filter(|&square| position.board[square].is_empty()).collect();
    split(digits[2], &mut position, 0);
    for (at, square) in chosen(digits[5], pawns, &mut squares).into_iter().enumerate() {
        position.board[square] = piece('P', digits[4] >> at & 1 == 1, digits[3] >> at & 1 == 1);
    }

    // The other pieces: how many of each kind, then their number.
    let mut counts = [0; 6];
    let mut inner = Vec::new();
    for tried in counts_of(others) {
        counts = tried;
        inner = radices(&counts);
        if is_less(&rank, &product(&inner)) {
            break;
        }
        subtract(&mut rank, &product(&inner));
    }
    let inner: Vec<u64> = inner.iter().map(|&base| divide(&mut rank, base)).collect();
    for kind in 1..7 {
        split(inner[kind - 1], &mut position, kind);
    }
    let mut unassigned: Vec<usize> = (0..others as usize).collect();
    let mut kind_of = vec![0; others as usize];
    for kind in 1..7 {
        let value = if kind < 6 { inner[7 + kind] } else { 0 };
        for at in chosen(value, counts[kind - 1], &mut unassigned) {
            kind_of[at] = kind;
        }
    }
    let mut promotable = 0;
    for (at, square) in chosen(digits[6], others, &mut squares).into_iter().enumerate() {
        let mut promoted = false;
        if kind_of[at] != GOLD {
            promoted = inner[7] >> promotable & 1 == 1;
            promotable += 1;
        }
        let kind = KINDS.as_bytes()[kind_of[at]] as char;
        position.board[square] = piece(kind, promoted, inner[6] >> at & 1 == 1);
    }
    position
}

fn main() {
    run(&[("r238", decode)]);
}
