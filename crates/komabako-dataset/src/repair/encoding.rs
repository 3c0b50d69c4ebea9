//! [`Votes`]: finds the encodings of a file's moves by the legality of a sample (`spec/formats.md` §3.3).

use komabako_board::Setup;

use crate::legality::Readings;
use crate::move16::{Encodings, MoveEncoding};

/// The votes of a sample's moves for their encoding: the number of moves that are legal in each set of encodings or, if the
/// next position shows which move was played, that are this move in it. Only drops and promotions differ between encodings;
/// other moves are the same in all.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Votes([u64; Encodings::COUNT]);

/// The encodings in which the moves of an input are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ReadAs {
    /// All in this one.
    One(MoveEncoding),
    /// Each in one of these, or, if it is illegal in all of them, in any.
    Each(Encodings),
}

/// The number of votes by which another encoding than the format's own must beat each of the others, and the number that prove
/// its presence in a mixed file.
const ENOUGH: u64 = 10;

/// The ratio of votes for an encoding that outweigh one against it; and the ratio of all moves to those that may be legal in no
/// encoding. A bad file has more of those.
const MAJORITY: u64 = 20;

impl Votes {
    /// Adds a move; `next` returns the position of the next record, if it can be read.
    pub(super) fn add(&mut self, setup: &Setup, bits: u16, next: impl FnOnce() -> Option<Setup>) {
        if !Readings::depend_on_encoding(bits) {
            return;
        }
        let readings = Readings::new(setup, bits);
        // The next record is decoded only if the move is ambiguous: that takes far longer than the rest.
        let played = match readings.moves().nth(1) {
            Some(_) => next().and_then(|next| readings.before(setup, &next)),
            None => None,
        };
        let encodings = played.map_or(readings.encodings(), |played| readings.encodings_of(played));
        self.0[encodings.index()] += 1;
    }

    /// The number of moves whose set of legal encodings satisfies `holds`.
    fn count(&self, holds: impl Fn(Encodings) -> bool) -> u64 {
        Encodings::indexed().filter(|&(_, set)| holds(set)).map(|(index, _)| self.0[index]).sum()
    }

    /// The number of moves in the sample that are drops or promotions.
    pub fn encoding_dependent(&self) -> u64 {
        self.count(|_| true)
    }

    /// The number of those that are legal in an encoding.
    pub fn legal(&self, encoding: MoveEncoding) -> u64 {
        self.count(|set| set.contains(encoding))
    }

    /// The number of those that are legal, but not in this encoding.
    pub(crate) fn only_elsewhere(&self, encoding: MoveEncoding) -> u64 {
        self.count(|set| !set.is_empty() && !set.contains(encoding))
    }

    /// The number of those that are legal in `one` encoding and not in the `other`.
    pub(crate) fn over(&self, one: MoveEncoding, other: MoveEncoding) -> u64 {
        self.count(|set| set.contains(one) && !set.contains(other))
    }

    /// The encodings needed to read the sample: the one that reads the most moves, the one that reads the most of the rest,
    /// and the third if moves still remain, each if it adds enough.
    pub(crate) fn present(&self, own: MoveEncoding, enough: u64) -> Encodings {
        // Among equals, the first: between B and C only drops decide, and C is in wider use.
        let order = [own, MoveEncoding::YaneuraOu, MoveEncoding::Apery, MoveEncoding::LegacyRshogi];
        let mut present = Encodings::default();
        loop {
            let adds = |encoding: &MoveEncoding| {
                self.count(|set| set.contains(*encoding) && set.and(present).is_empty())
            };
            let most = order.into_iter().rev().max_by_key(adds).filter(|most| adds(most) >= enough.max(1));
            let Some(most) = most else { return present };
            present = present.iter().chain([most]).collect();
        }
    }

    /// The encodings that the input may contain: those needed to read the sample, and every other one unless enough votes
    /// prefer each of these to it.
    pub(super) fn possible(&self, own: MoveEncoding) -> Encodings {
        let present = self.present(own, 1);
        let is_possible = |&other: &MoveEncoding| {
            present.contains(other) || present.iter().any(|one| self.over(one, other) < ENOUGH)
        };
        MoveEncoding::ALL.into_iter().filter(is_possible).collect()
    }

    /// The sample's decision how to read moves. The format's own encoding needs no votes, only that few are
    /// against it: a file without drops and promotions is valid.
    pub(crate) fn decide(&self, own: MoveEncoding) -> Option<ReadAs> {
        if self.present(own, ENOUGH).iter().count() > 1 {
            // With a set of encodings nearly every move is legal in one of them: those that are not count against the
            // whole explanation.
            let in_none = self.count(Encodings::is_empty);
            let explained = in_none * MAJORITY <= self.encoding_dependent();
            return explained.then(|| ReadAs::Each(self.possible(own)));
        }
        let wins = |one: MoveEncoding, least: u64| {
            MoveEncoding::ALL.into_iter().filter(|&other| other != one).all(|other| {
                // Compared with each rival separately: votes for a third encoding do not distinguish these two.
                let lead = self.over(one, other);
                lead >= least && self.over(other, one) * MAJORITY <= lead
            })
        };
        if wins(own, 0) {
            return Some(ReadAs::One(own));
        }
        MoveEncoding::ALL.into_iter().find(|&encoding| wins(encoding, ENOUGH)).map(ReadAs::One)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::move16::Move16;
    use MoveEncoding::{Apery, LegacyRshogi, YaneuraOu};

    /// The votes of moves in one position, each repeated as given, in an encoding.
    fn votes(moves: &[(&str, MoveEncoding, u64)]) -> Votes {
        let setup: Setup = "4k4/9/9/9/9/9/4P4/9/4K4 b SNL".parse().unwrap();
        let mut votes = Votes::default();
        for &(text, encoding, count) in moves {
            let mv: Move16 = text.parse().unwrap();
            (0..count).for_each(|_| votes.add(&setup, encoding.encode(mv).unwrap(), || None));
        }
        votes
    }

    fn each(encodings: &[MoveEncoding]) -> Option<ReadAs> {
        Some(ReadAs::Each(encodings.iter().copied().collect()))
    }

    #[test]
    fn enough_votes_decide() {
        for encoding in [LegacyRshogi, Apery] {
            let vote = |count| votes(&[("S*5e", encoding, count), ("L*5e", encoding, count)]);
            assert_eq!(vote(10).decide(YaneuraOu), Some(ReadAs::One(encoding)), "{encoding:?}");
            assert_eq!(vote(9).decide(YaneuraOu), None);
        }
        assert_eq!(votes(&[("S*5e", YaneuraOu, 10)]).decide(Apery), Some(ReadAs::One(YaneuraOu)));
    }

    #[test]
    fn own_encoding_needs_no_votes_but_few_against_it() {
        let own = Some(ReadAs::One(YaneuraOu));
        assert_eq!(votes(&[]).decide(YaneuraOu), own);
        assert_eq!(votes(&[("5g5f", Apery, 100)]).decide(YaneuraOu), own);
        assert_eq!(votes(&[("S*5e", YaneuraOu, 1)]).decide(YaneuraOu), own);
        let mixed = |own, other| votes(&[("S*5e", YaneuraOu, own), ("L*5e", Apery, other)]);
        assert_eq!(mixed(100, 5).decide(YaneuraOu), own);
        assert_eq!(mixed(100, 6).decide(YaneuraOu), None);
        assert_eq!(mixed(6, 100).decide(YaneuraOu), None);
    }

    #[test]
    fn several_encodings_are_distinguished_from_a_bad_file() {
        let mixed = votes(&[("S*5e", YaneuraOu, 100), ("L*5e", Apery, 10)]);
        assert_eq!(mixed.decide(YaneuraOu), each(&[YaneuraOu, Apery]));
        // A silver of B is a gold of C, which is not in hand; a lance of C is a pawn of B.
        assert_eq!(
            votes(&[("S*5e", YaneuraOu, 100), ("L*5e", Apery, 9)]).possible(YaneuraOu),
            Encodings::ALL
        );
        let three =
            [("S*5e", YaneuraOu, 20), ("S*5e", LegacyRshogi, 20), ("L*5e", Apery, 20), ("N*5e", Apery, 20)];
        assert_eq!(votes(&three).decide(Apery), each(&[YaneuraOu, LegacyRshogi, Apery]));
        assert_eq!(
            mixed.present(YaneuraOu, 1),
            votes(&three[2..]).present(Apery, 1).iter().chain([YaneuraOu]).collect()
        );
        // Gold is not in hand.
        let bad = |count| [("S*5e", YaneuraOu, 100), ("L*5e", Apery, 100), ("G*5e", YaneuraOu, count)];
        assert_eq!(votes(&bad(10)).decide(YaneuraOu), each(&[YaneuraOu, Apery]));
        assert_eq!(votes(&bad(11)).decide(YaneuraOu), None);
    }
}
