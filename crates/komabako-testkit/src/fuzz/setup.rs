//! Any bytes as a setup, packed in a format.

use komabako_board::{BaseKind, Piece, Setup, color, square};
use komabako_codec::{Hcp, Nshogi, PackedSfen, PositionCodec, Sspf};
use komabako_variants::{C250, R238, SspfExt};

use super::Target;
use crate::agreement::{self, FullCodec};

/// A setup, each pair of bytes a piece on a square or in a hand: a format packs and unpacks it or refuses it. The first byte
/// chooses the format. Comparison: every format, backend and reference.
pub const SETUP_PACK: Target = Target::new("setup_pack", setup_pack).with_comparison(compare);

fn setup_pack(input: &[u8]) {
    let Some((&[choice], pairs)) = input.split_first_chunk() else { return };
    let checks = [
        round_trip::<Sspf>,
        round_trip::<PackedSfen>,
        round_trip::<Hcp>,
        round_trip::<Nshogi>,
        round_trip::<SspfExt>,
        round_trip::<C250>,
        round_trip::<R238>,
    ];
    checks[usize::from(choice) % checks.len()](&setup_of(pairs));
}

fn round_trip<C: PositionCodec>(setup: &Setup) {
    match C::new().pack(setup) {
        Ok(word) => assert_eq!(C::new().unpack(&word), Ok(*setup), "{}", C::NAME),
        Err(_) => assert!(!setup.is_complete(), "{} holds every complete setup", C::NAME),
    }
}

fn compare(input: &[u8]) {
    fn pack<C: FullCodec>(setup: &Setup) {
        if let Ok(word) = agreement::pack::<C>(setup) {
            assert_eq!(agreement::unpack::<C>(&word), Ok(*setup));
        }
    }
    let setup = setup_of(input.get(1..).unwrap_or_default());
    pack::<Sspf>(&setup);
    pack::<PackedSfen>(&setup);
    pack::<Hcp>(&setup);
    pack::<Nshogi>(&setup);
    pack::<SspfExt>(&setup);
    pack::<C250>(&setup);
    assert_eq!(agreement::unrank(&agreement::rank(&setup)), Ok(setup));
}

/// The setup that pairs of bytes describe; an odd byte at the end gives White the move.
fn setup_of(pairs: &[u8]) -> Setup {
    let mut setup = Setup::EMPTY;
    for &[place, piece] in pairs.as_chunks().0 {
        // Pieces that the set lacks are left out.
        let _ = match square::from_index(place.into()) {
            Some(square) => setup.place(square, Piece::all()[usize::from(piece) % 28]),
            None => setup.set_hand_count(
                color::from_bit(place & 1 != 0),
                BaseKind::IN_HAND[usize::from(place) % 7],
                piece % 19,
            ),
        };
    }
    setup.set_side_to_move(color::from_bit(pairs.len() & 1 != 0));
    setup
}
