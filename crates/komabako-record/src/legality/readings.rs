//! [`Readings`]: the possible meanings of a 16-bit move of unknown encoding in a position.

use komabako_board::Setup;
use komabako_rules::{MoveList, State};

use crate::legality;
use crate::move16::{Encodings, Move16, MoveEncoding};
use crate::record::MoveBits;

/// The legal move under the hypothesis of each encoding (`spec/formats.md` §3.3).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Readings([Option<Move16>; 3]);

impl Readings {
    /// Judges the bits of a move field in all encodings. "None", resignation and a justified declaration are legal; no
    /// reading is legal in a position from which no game can be played. About a microsecond.
    pub fn new(setup: &Setup, bits: u16) -> Readings {
        let Ok(state) = legality::state_of(setup) else { return Readings([None; 3]) };
        Readings(MoveEncoding::ALL.map(|encoding| {
            let mv = MoveBits { bits, encoding }.decode().ok()?;
            legality::judge(&state, mv).ok().map(|()| mv)
        }))
    }

    /// Whether the meaning of the bits depends on the encoding. It does not for moves that neither drop nor promote, nor
    /// for "none".
    pub const fn depend_on_encoding(bits: u16) -> bool {
        bits & 0xc000 != 0 || bits >> 7 & 0x7f > 80
    }

    /// The move in an encoding, if it is legal there.
    pub const fn legal_in(&self, encoding: MoveEncoding) -> Option<Move16> {
        self.0[encoding as usize]
    }

    /// The encodings in which the move is legal.
    pub fn encodings(self) -> Encodings {
        MoveEncoding::ALL.into_iter().filter(|&encoding| self.legal_in(encoding).is_some()).collect()
    }

    /// The encodings in which the bits are this move.
    pub fn encodings_of(self, mv: Move16) -> Encodings {
        MoveEncoding::ALL.into_iter().filter(|&encoding| self.legal_in(encoding) == Some(mv)).collect()
    }

    /// The readings in these encodings only.
    pub fn among(self, encodings: Encodings) -> Readings {
        let mut kept = self;
        for (encoding, reading) in MoveEncoding::ALL.into_iter().zip(&mut kept.0) {
            if !encodings.contains(encoding) {
                *reading = None;
            }
        }
        kept
    }

    /// The different moves.
    pub fn moves(self) -> impl Iterator<Item = Move16> {
        let [a, b, c] = self.0;
        let other_b = if b == a { None } else { b };
        let other_c = if c == a || c == b { None } else { c };
        [a, other_b, other_c].into_iter().flatten()
    }

    /// The move that leads to the position of the next record or, if a record between them is missing, to a position from
    /// which a reply leads there. `setup` is the position in which the moves are legal.
    pub fn before(self, setup: &Setup, next: &Setup) -> Option<Move16> {
        let skips_a_reply = next.side_to_move() == setup.side_to_move();
        self.only(
            setup,
            |after| if skips_a_reply { has_move_to(after, next) } else { after.setup() == *next },
        )
    }

    /// The move after which `holds` returns true, if there is exactly one.
    pub fn only(self, setup: &Setup, holds: impl Fn(State<()>) -> bool) -> Option<Move16> {
        let state = legality::state_of(setup).ok()?;
        let mut found = self.moves().filter(|&mv| {
            let mut after = state.clone();
            after.do_move(mv);
            holds(after)
        });
        let first = found.next()?;
        found.next().is_none().then_some(first)
    }
}

/// Whether a legal move leads from one position to another.
pub fn leads(from: &Setup, to: &Setup) -> bool {
    legality::state_of(from).is_ok_and(|state| has_move_to(state, to))
}

/// Whether a legal move leads to a position.
fn has_move_to(mut state: State<()>, next: &Setup) -> bool {
    let mut replies = MoveList::new();
    state.legal_moves(&mut replies);
    replies.iter().any(|&reply| {
        let undo = state.do_move(reply);
        let leads = state.setup() == *next;
        state.undo_move(undo);
        leads
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn legality_distinguishes_the_encodings() {
        let setup: Setup = "4k4/9/9/9/9/9/9/9/4K4 b GR".parse().unwrap();
        let read = |bits| {
            let readings = Readings::new(&setup, bits);
            let texts: Vec<_> = readings.moves().map(|mv| mv.to_string()).collect();
            (texts.join(" "), readings.encodings().to_string())
        };
        // 87 is a gold in C and a rook in B.
        assert_eq!(read(0x2ba8), ("R*5e G*5e".to_owned(), "B, C".to_owned()));
        assert_eq!(read(0x43a8), ("G*5e".to_owned(), "A".to_owned()));
        assert_eq!(read(0), ("none".to_owned(), "A, B, C".to_owned()));
        assert_eq!(read(0x28a8), (String::new(), String::new()));
        assert!(Readings::depend_on_encoding(0x2ba8) && !Readings::depend_on_encoding(0x1e3b));
        let both = Readings::new(&setup, 0x2ba8);
        let gold = "G*5e".parse().unwrap();
        assert_eq!(both.encodings_of(gold).to_string(), "C");
        assert!(both.among(both.encodings_of(gold)).moves().eq([gold]));
    }
}
