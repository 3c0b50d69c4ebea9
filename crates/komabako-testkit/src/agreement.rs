//! Checks that every backend of every format equals the reference: on positions, on damaged words and on random words. A
//! panic names the input, the format and the backend.

use std::fmt::Debug;
use std::ops::AddAssign;
use std::sync::LazyLock;

use komabako_bits::Backend;
use komabako_board::Setup;
use komabako_codec::reference::Reference;
use komabako_codec::{
    ByteBoard, ByteBoardCodec, Explain, Hcp, Nshogi, PackError, PackedSfen, PositionCodec, SliceError, Sspf,
    UnpackError, Word,
};
use komabako_variants::r238::{self, Rank};
use komabako_variants::random::Uniform;
use komabako_variants::{C250, R238, SspfExt};

use crate::setups::{self, Rng};

static REFERENCE: LazyLock<r238::Reference> = LazyLock::new(r238::Reference::new);

/// A codec with all of its traits.
pub trait FullCodec: ByteBoardCodec + Explain + Reference {}

impl<C: ByteBoardCodec + Explain + Reference> FullCodec for C {}

/// The outcome of the reference, after checking that all backends share it.
fn agreed<I: Debug, T: PartialEq + Debug>(
    name: &str,
    input: &I,
    reference: T,
    fast: impl Fn(Backend) -> T,
) -> T {
    for backend in Backend::available() {
        assert_eq!(fast(backend), reference, "{name} on {backend}: {input:?}");
    }
    reference
}

/// Packs a setup with the reference and with every method on every backend.
///
/// # Errors
/// As [`pack`](komabako_codec::PositionCodec::pack).
///
/// # Panics
/// If they differ.
pub fn pack<C: FullCodec>(setup: &Setup) -> Result<Word, PackError> {
    let board = ByteBoard::of_setup(setup);
    assert_eq!(board.to_setup(), *setup);
    agreed(C::NAME, setup, C::reference_pack(setup), |backend| {
        let codec = C::with_backend(backend);
        let word = codec.pack(setup);
        assert_eq!(codec.pack_bytes(&board), word, "{} from bytes on {backend}: {setup:?}", C::NAME);
        word
    })
}

/// Unpacks a word with the reference and with every method on every backend.
///
/// # Errors
/// As [`unpack`](komabako_codec::PositionCodec::unpack).
///
/// # Panics
/// If they differ.
pub fn unpack<C: FullCodec>(word: &Word) -> Result<Setup, UnpackError> {
    let reference = C::reference_unpack(word);
    let board = reference.map(|setup| ByteBoard::of_setup(&setup));
    agreed(C::NAME, word, reference, |backend| {
        let codec = C::with_backend(backend);
        assert_eq!(codec.unpack_bytes(word), board, "{} to bytes on {backend}: {word:?}", C::NAME);
        codec.unpack(word)
    })
}

/// Unpacks any word as [`unpack`] does, and checks that an accepted word is the word of its setup. Returns whether the word
/// was accepted.
///
/// # Panics
/// If an accepted word is not canonical, or if two results differ.
pub fn canonical<C: FullCodec>(word: &Word) -> bool {
    let outcome = unpack::<C>(word);
    match outcome {
        Ok(setup) => assert_eq!(C::reference_pack(&setup), Ok(*word), "{}", C::NAME),
        Err(error) => assert!(error.bit <= 256, "{}: {error}", C::NAME),
    }
    outcome.is_ok()
}

/// The rank of a setup on every backend.
///
/// # Panics
/// If they differ.
pub fn rank(setup: &Setup) -> Rank {
    agreed(R238::NAME, setup, REFERENCE.rank(setup), |backend| {
        r238::rank_of(&R238::with_backend(backend).pack(setup).expect("every setup has a rank"))
    })
}

/// The setup of a rank on every backend.
///
/// # Errors
/// `RANGE` if the number is not below [`r238::T`].
///
/// # Panics
/// If they differ.
pub fn unrank(rank: &Rank) -> Result<Setup, UnpackError> {
    agreed(R238::NAME, rank, REFERENCE.unrank(rank), |backend| {
        R238::with_backend(backend).unpack(&r238::word_of(rank))
    })
}

/// The number of comparisons.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    /// Positions that were packed and unpacked again, or refused.
    pub positions: u64,
    /// Damaged and random words and ranks.
    pub words: u64,
    /// The words and ranks among them that were accepted.
    pub accepted: u64,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.positions += other.positions;
        self.words += other.words;
        self.accepted += other.accepted;
    }
}

/// Compares every format on random setups, three quarters of all families and one quarter uniform, on their damaged
/// words, and on random words. The same seed gives the same inputs.
///
/// The ranking's reference takes longer than everything else together. It is used for a hundredth of the positions; on the
/// others the ranking's backends are compared with each other and with the position.
///
/// # Panics
/// If they differ.
pub fn every_format(seed: u64, positions: usize) -> Tally {
    let uniform = positions / 4;
    let setups: Vec<Setup> =
        setups::random(seed).take(positions - uniform).chain(Uniform::new(seed).take(uniform)).collect();
    let mut tally = codec::<Sspf>(seed, &setups);
    tally += codec::<PackedSfen>(seed, &setups);
    tally += codec::<Hcp>(seed, &setups);
    tally += codec::<Nshogi>(seed, &setups);
    tally += codec::<SspfExt>(seed, &setups);
    tally += codec::<C250>(seed, &setups);
    for setup in &setups {
        let word = R238::new().pack(setup);
        for r238 in Backend::available().map(R238::with_backend) {
            assert_eq!(r238.pack(setup), word, "{r238:?}");
            assert_eq!(word.map(|word| r238.unpack(&word)), Ok(Ok(*setup)), "{r238:?}");
        }
    }
    let some: Vec<Setup> = setups.iter().copied().step_by(100).collect();
    tally += ranking(seed, &some);
    tally.positions = positions as u64;
    tally
}

/// Compares one codec on setups, one at a time and as slices, on their damaged words, and on random words, a quarter as many
/// as setups.
///
/// # Panics
/// If they differ.
pub fn codec<C: FullCodec>(seed: u64, setups: &[Setup]) -> Tally {
    let mut held = Vec::new();
    let mut words = Vec::new();
    for setup in setups {
        if let Ok(word) = pack::<C>(setup) {
            assert_eq!(unpack::<C>(&word), Ok(*setup), "{}", C::NAME);
            held.push(*setup);
            words.push(word);
        }
    }
    slices::<C>(&held, &words);
    let mut rng = Rng::new(seed);
    let damaged: Vec<Word> = words.iter().map(|word| damage(*word, &mut rng)).collect();
    slices_with_faults::<C>(&words, &damaged);
    let damaged = damaged.iter().filter(|word| canonical::<C>(word)).count();
    let rounds = setups.len() / 4;
    let random = (0..rounds).filter(|&round| canonical::<C>(&random_word(round, &mut rng))).count();
    Tally {
        positions: setups.len() as u64,
        words: (words.len() + rounds) as u64,
        accepted: (damaged + random) as u64,
    }
}

/// Compares the slice methods on every backend.
fn slices<C: FullCodec>(setups: &[Setup], words: &[Word]) {
    let boards: Vec<ByteBoard> = setups.iter().map(ByteBoard::of_setup).collect();
    let mut packed = vec![[0; 32]; setups.len()];
    let mut unpacked = vec![Setup::EMPTY; setups.len()];
    let mut unpacked_boards = vec![ByteBoard::EMPTY; setups.len()];
    for backend in Backend::available() {
        let codec = C::with_backend(backend);
        let place = format!("{} on {backend}", C::NAME);
        assert_eq!(codec.pack_slice(setups, &mut packed), Ok(()), "{place}");
        assert!(packed == words, "{place}: the slice is packed otherwise");
        packed.fill([0; 32]);
        assert_eq!(codec.pack_bytes_slice(&boards, &mut packed), Ok(()), "{place}");
        assert!(packed == words, "{place}: the slice of boards is packed otherwise");
        assert_eq!(codec.unpack_slice(words, &mut unpacked), Ok(()), "{place}");
        assert!(unpacked == setups, "{place}: the slice is unpacked otherwise");
        assert_eq!(codec.unpack_bytes_slice(words, &mut unpacked_boards), Ok(()), "{place}");
        assert!(unpacked_boards == boards, "{place}: the slice is unpacked to other boards");
        packed.fill([0; 32]);
        unpacked.fill(Setup::EMPTY);
        unpacked_boards.fill(ByteBoard::EMPTY);
    }
}

/// Compares the slice methods on every backend, on valid words with damaged ones between them: they stop at the first word
/// that is refused when unpacked alone, and give the same results up to it.
fn slices_with_faults<C: FullCodec>(good: &[Word], damaged: &[Word]) {
    let words: Vec<Word> =
        good.chunks(3).zip(damaged).flat_map(|(good, bad)| good.iter().chain([bad])).copied().collect();
    let mut setups = vec![Setup::EMPTY; words.len()];
    let mut boards = vec![ByteBoard::EMPTY; words.len()];
    for backend in Backend::available() {
        let codec = C::with_backend(backend);
        let mut start = 0;
        while start < words.len() {
            let words = &words[start..];
            let end = words.iter().position(|word| codec.unpack(word).is_err()).unwrap_or(words.len());
            let outcome = match words.get(end) {
                Some(word) => Err(SliceError { index: end, error: codec.unpack(word).unwrap_err() }),
                None => Ok(()),
            };
            let place = format!("{} on {backend}: {:x?}", C::NAME, &words[..words.len().min(end + 1)]);
            assert_eq!(codec.unpack_slice(words, &mut setups[start..]), outcome, "{place}");
            assert_eq!(codec.unpack_bytes_slice(words, &mut boards[start..]), outcome, "{place}");
            for (word, (setup, board)) in
                words[..end].iter().zip(setups[start..].iter().zip(&boards[start..]))
            {
                assert_eq!((codec.unpack(word), ByteBoard::of_setup(setup)), (Ok(*setup), *board), "{place}");
            }
            start += end + 1;
        }
        setups.fill(Setup::EMPTY);
        boards.fill(ByteBoard::EMPTY);
    }
}

/// Compares the ranking on setups, on their damaged ranks, and on as many random numbers.
///
/// # Panics
/// If they differ.
pub fn ranking(seed: u64, setups: &[Setup]) -> Tally {
    let mut rng = Rng::new(seed);
    let mut accepted = 0;
    for (round, setup) in setups.iter().enumerate() {
        let number = rank(setup);
        assert_eq!(unrank(&number), Ok(*setup));
        let mut word: Word = [0; 32];
        word[..30].copy_from_slice(&number);
        for word in [damage(word, &mut rng), random_word(round, &mut rng)] {
            let mut number: Rank = [0; 30];
            number.copy_from_slice(&word[..30]);
            // 238 bits; the two bits above are set only in some rounds.
            number[29] &= if round % 16 == 0 { 0xff } else { 0x3f };
            if let Ok(setup) = unrank(&number) {
                assert_eq!(REFERENCE.rank(&setup), number);
                accepted += 1;
            }
        }
    }
    Tally { positions: setups.len() as u64, words: 2 * setups.len() as u64, accepted }
}

/// A word with one to three bits flipped.
fn damage(mut word: Word, rng: &mut Rng) -> Word {
    for _ in 0..=rng.below(3) {
        let bit = rng.below(256);
        word[bit / 8] ^= 1 << (bit % 8);
    }
    word
}

/// A word of random bits: uniform, or with few ones or few zeros, which passes more of a decoder's checks.
fn random_word(round: usize, rng: &mut Rng) -> Word {
    let mut lane = || match round % 4 {
        0 => rng.next_u64(),
        1 => rng.next_u64() & rng.next_u64() & rng.next_u64(),
        2 => rng.next_u64() | rng.next_u64() | rng.next_u64(),
        _ => rng.next_u64() & rng.next_u64(),
    };
    let mut word: Word = [0; 32];
    word.chunks_mut(8).for_each(|bytes| bytes.copy_from_slice(&lane().to_le_bytes()));
    if round % 2 == 1 {
        // Two kings on the board in the formats of fixed fields, so that the decoder reads the rest.
        let side_and_kings = [0x58, word[1] & 0x80 | 0x24];
        word[..2].copy_from_slice(&side_and_kings);
        word[10..12].copy_from_slice(&[0x2c, 0x12]);
    }
    word
}
