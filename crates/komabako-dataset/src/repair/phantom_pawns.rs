//! [`Pawns`]: the reading of zeros that can be either pawns in Black's hand or the space of removed pieces, from a
//! [`PawnCensus`] of the input (`spec/formats.md` §2.3).

use komabako_board::{BaseKind, Color, Setup};
use komabako_codec::packed_sfen::{Lenient, PhantomPawns, Variant};
use komabako_codec::{Field, UnpackError, UnpackFault};

use super::Unrepairable;
use super::sample::ENOUGH;
use crate::RecordFault;
use crate::legality::sense::makes_sense;
use crate::record::Labels;
use crate::validate::Finding;

/// The treatment of ambiguous words, by the kind of word if its zeros are pawns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Pawns {
    /// Words with other pieces removed.
    pub of_fewer: PhantomPawns,
    /// Words with nothing removed that are not canonical.
    pub of_variant: PhantomPawns,
    /// Words with nothing removed that are canonical.
    pub of_canonical: PhantomPawns,
}

impl Pawns {
    /// The treatment in an input that cannot be sampled.
    pub fn unsampled(asked: Option<PhantomPawns>) -> Pawns {
        PawnCensus::default().decide(asked)
    }
}

/// Resolves a word with two readings. If nothing else decides, it is the position in which a game can continue with the
/// record's move.
///
/// # Errors
/// A game can continue in both, or in neither.
pub(super) fn resolve(read: Lenient, pawns: PhantomPawns, labels: &Labels) -> Result<Lenient, Unrepairable> {
    let Some(rival) = read.rival else { return Ok(read) };
    let held = |setup: &Setup| setup.hand(Color::Black).count(BaseKind::Pawn);
    let removed = held(&read.setup) - held(&rival);
    let stripped =
        || Lenient { setup: rival, variant: Variant::B, dropped_pawns: removed, rival: None, ..read };
    match (pawns, makes_sense(&read.setup, labels), makes_sense(&rival, labels)) {
        (PhantomPawns::Keep, ..) | (PhantomPawns::Error, true, false) => Ok(read),
        (PhantomPawns::Strip, ..) | (PhantomPawns::Error, false, true) => Ok(stripped()),
        (PhantomPawns::Error, ..) => {
            let bit = 256 - 3 * u16::from(removed);
            let error = UnpackError { fault: UnpackFault::PhantomPawns, field: Field::BlackHand, bit };
            Err(Unrepairable::Finding(Finding::Record(RecordFault::Unpack(error))))
        }
    }
}

/// The positions of a sample whose reading is certain.
#[derive(Default)]
pub(super) struct PawnCensus {
    /// Positions with removed pieces, but all pawns.
    without_others: u64,
    /// Positions with removed pawns.
    without_pawns: u64,
    /// Those with removed pawns in words of variant B.
    b_without_pawns: u64,
    /// Words of variant C.
    c: u64,
    /// Words that variant B does not write.
    not_b: u64,
}

impl PawnCensus {
    /// Adds a position.
    pub fn add(&mut self, read: &Lenient) {
        // A word with two readings is what the census will decide: it must not vote.
        let Lenient { setup, variant, rival: None, .. } = read else { return };
        let is_b = match variant {
            Variant::A => is_written_alike_by_b(setup),
            variant => *variant == Variant::B,
        };
        self.not_b += u64::from(!is_b);
        self.c += u64::from(*variant == Variant::C);
        if setup.removed(BaseKind::Pawn) > 0 {
            self.without_pawns += 1;
            self.b_without_pawns += u64::from(is_b);
        } else if !setup.is_complete() {
            self.without_others += 1;
        }
    }

    /// The treatment. `asked`: the choice of the caller, if any.
    pub fn decide(&self, asked: Option<PhantomPawns>) -> Pawns {
        let by = |sample| asked.unwrap_or(sample);
        let all_pawns_are_there = self.without_pawns == 0 && self.without_others >= ENOUGH;
        let of_variant = match (self.b_without_pawns, self.c) {
            (0, 1..) => PhantomPawns::Keep,
            (1.., 0) => PhantomPawns::Strip,
            _ => PhantomPawns::Error,
        };
        // A canonical word is read as such, unless the input has only variant B.
        let all_b = self.b_without_pawns >= ENOUGH && self.not_b == 0;
        Pawns {
            of_fewer: by(if all_pawns_are_there { PhantomPawns::Keep } else { PhantomPawns::Error }),
            of_variant: by(of_variant),
            of_canonical: if all_b { by(PhantomPawns::Error) } else { PhantomPawns::Keep },
        }
    }
}

/// Whether the canonical word of a position is also variant B's: nothing is removed, and no hand has both a gold and a
/// bishop or rook.
fn is_written_alike_by_b(setup: &Setup) -> bool {
    let alike = |color| {
        let hand = setup.hand(color);
        hand.count(BaseKind::Gold) == 0 || hand.count(BaseKind::Bishop) + hand.count(BaseKind::Rook) == 0
    };
    setup.is_complete() && [Color::Black, Color::White].into_iter().all(alike)
}

#[cfg(test)]
mod tests {
    use super::*;
    use PhantomPawns::{Error, Keep, Strip};
    use komabako_codec::{PackedSfen, PositionCodec};
    use komabako_testkit::wild::{variant_b, variant_c};

    /// The decision of a sample of these words.
    fn decided(words: &[[u8; 32]], asked: Option<PhantomPawns>) -> [PhantomPawns; 3] {
        let mut census = PawnCensus::default();
        for word in words {
            if let Ok(read) = PackedSfen::new().unpack_lenient(word, Error) {
                census.add(&read);
            }
        }
        let Pawns { of_fewer, of_variant, of_canonical } = census.decide(asked);
        [of_fewer, of_variant, of_canonical]
    }

    #[test]
    fn certain_records_decide_their_neighbours() {
        let setup = |sfen: &str| sfen.parse::<Setup>().unwrap();
        // White's pawn in hand shows that the zeros after it are not pawns.
        let no_pawns = setup("lnsgkgsnl/1r5b1/9/9/9/9/9/1B5R1/LNSGKGSNL b p");
        let no_bishops = setup("lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPP1/7R1/LNSGKGSNL b p");
        let two_kinds = setup("lnsgkgsnl/1r7/pppppppp1/9/9/9/PPPPPPPPP/7R1/LNSGKGSNL b Bbp");
        let b = variant_b(&no_pawns);
        let c = variant_c(&two_kinds);
        assert_eq!(decided(&[], None), [Error, Error, Keep]);
        assert_eq!(decided(&[variant_b(&no_bishops); 10], None), [Keep, Error, Keep]);
        assert_eq!(decided(&[c], None), [Error, Keep, Keep]);
        assert_eq!(decided(&[b], None), [Error, Strip, Keep]);
        assert_eq!(decided(&[b, c], None), [Error, Error, Keep]);
        assert_eq!(decided(&[b; 10], None), [Error, Strip, Error]);
        assert_eq!(decided(&[b; 10], Some(Keep)), [Keep, Keep, Keep]);
        assert_eq!(decided(&[b; 10], Some(Strip)), [Strip, Strip, Strip]);
        assert_eq!(decided(&[c; 10], Some(Strip)), [Strip, Strip, Keep]);
        let with_c = [[b; 10].as_slice(), &[c]].concat();
        assert_eq!(decided(&with_c, None), [Error, Error, Keep]);
    }
}
