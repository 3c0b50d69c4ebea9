//! [`Votes`]: in which encoding the moves of a file are, by the legality of a sample (`spec/formats.md` §3.3).

use komabako_board::Setup;

use crate::move16::MoveEncoding;
use crate::readings::Readings;

/// How the moves of a sample vote on their encoding. Only drops and promotions tell; other moves are the same in all.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Votes {
    telling: u64,
    legal: [u64; 3],
    /// How many are legal in one encoding (the first index) and not in another.
    over: [[u64; 3]; 3],
}

/// How many votes another encoding than the format's own needs over each of the others.
const ENOUGH: u64 = 10;

/// How many votes against an encoding outweigh one for it; the file is mixed, or bad, if there are more.
const MAJORITY: u64 = 20;

impl Votes {
    /// Takes a move into account.
    pub(super) fn add(&mut self, setup: &Setup, bits: u16) {
        if !Readings::depend_on_encoding(bits) {
            return;
        }
        let readings = Readings::of(setup, bits);
        let legal = MoveEncoding::ALL.map(|encoding| readings.legal_in(encoding).is_some());
        self.telling += 1;
        for one in 0..3 {
            self.legal[one] += u64::from(legal[one]);
            for other in 0..3 {
                self.over[one][other] += u64::from(legal[one] && !legal[other]);
            }
        }
    }

    /// How many moves of the sample are drops or promotions.
    pub const fn telling(&self) -> u64 {
        self.telling
    }

    /// How many of them are legal in an encoding.
    pub const fn legal(&self, encoding: MoveEncoding) -> u64 {
        self.legal[encoding as usize]
    }

    /// The encoding that the sample decides on. The format's own needs no votes, only that there are few against it: a
    /// file without drops and promotions is in order.
    pub fn decide(&self, own: MoveEncoding) -> Option<MoveEncoding> {
        let wins = |one: MoveEncoding, least: u64| {
            MoveEncoding::ALL.into_iter().filter(|&other| other != one).all(|other| {
                let lead = self.over[one as usize][other as usize];
                lead >= least && self.over[other as usize][one as usize] * MAJORITY <= lead
            })
        };
        if wins(own, 0) {
            return Some(own);
        }
        MoveEncoding::ALL.into_iter().find(|&encoding| wins(encoding, ENOUGH))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::move16::Move16;
    use MoveEncoding::{Apery, LegacyRshogi, YaneuraOu};

    /// The votes of moves of one position, each as often as it says, in an encoding.
    fn votes(moves: &[(&str, MoveEncoding, u64)]) -> Votes {
        let setup: Setup = "4k4/9/9/9/9/9/4P4/9/4K4 b SNL".parse().unwrap();
        let mut votes = Votes::default();
        for &(text, encoding, count) in moves {
            let mv: Move16 = text.parse().unwrap();
            (0..count).for_each(|_| votes.add(&setup, mv.to_bits(encoding).unwrap()));
        }
        votes
    }

    #[test]
    fn enough_votes_decide() {
        for encoding in [LegacyRshogi, Apery] {
            let vote = |count| votes(&[("S*5e", encoding, count), ("L*5e", encoding, count)]);
            assert_eq!(vote(10).decide(YaneuraOu), Some(encoding), "{encoding:?}");
            assert_eq!(vote(9).decide(YaneuraOu), None);
        }
        assert_eq!(votes(&[("S*5e", YaneuraOu, 10)]).decide(Apery), Some(YaneuraOu));
    }

    #[test]
    fn the_format_s_own_needs_none_but_not_many_against_it() {
        assert_eq!(votes(&[]).decide(YaneuraOu), Some(YaneuraOu));
        assert_eq!(votes(&[("5g5f", Apery, 100)]).decide(YaneuraOu), Some(YaneuraOu));
        assert_eq!(votes(&[("S*5e", YaneuraOu, 1)]).decide(YaneuraOu), Some(YaneuraOu));
        let mixed = |own, other| votes(&[("S*5e", YaneuraOu, own), ("L*5e", Apery, other)]);
        assert_eq!(mixed(100, 5).decide(YaneuraOu), Some(YaneuraOu));
        assert_eq!(mixed(100, 6).decide(YaneuraOu), None);
        assert_eq!(mixed(6, 100).decide(YaneuraOu), None);
    }
}
