//! Batches agree with single records, and a game is replayed only once.

use core::iter;

use komabako_codec::{PackedSfen, PositionCodec};
use komabako_variants::WordFormat;
use komabako_variants::r238::word_of;
use komabako_variants::{R238, SspfExt};

use super::*;
use crate::boundaries;
use crate::games::GameWriter;
use crate::move16::Move16;
use crate::{GameResult, legality};

/// A `.pack` game of `moves` moves in which the rooks move back and forth.
fn shuffling(moves: usize) -> Block {
    let mut fragments = GameFragments::default();
    let mut state = legality::state_of(&Setup::START).unwrap();
    let turns = ["2h3h", "8b7b", "3h2h", "7b8b"].map(|mv| mv.parse::<Move16>().unwrap());
    for mv in turns.into_iter().cycle().take(moves) {
        let labels = Labels {
            score: Some(0),
            best_move: Some(mv.into()),
            result: Some(GameResult::Draw),
            ..Labels::default()
        };
        fragments.push(FileFormat::Pack, &state.setup(), &labels).unwrap();
        state.do_move(mv);
    }
    let mut writer = GameWriter::new(FileFormat::Pack);
    let mut bytes = writer.add(&[], 0, &fragments).to_vec();
    bytes.extend_from_slice(writer.finish());
    let cuts = boundaries::cut(FileFormat::Pack, &bytes, true, true).cuts;
    Block::new(bytes, cuts)
}

type Decoded = (Vec<(usize, Setup)>, Vec<(usize, RecordFault)>, u64);

/// Decodes a block range by range, and returns the records, the faults, and the number of replayed moves.
fn decoded(block: &Block, size: usize) -> Decoded {
    let mut batch = Batch::new(Backend::detect());
    let mut records = Vec::new();
    let mut faults = Vec::new();
    for start in (0..block.len()).step_by(size) {
        batch.decode(FileFormat::Pack, block, start..block.len().min(start + size));
        let Records { rows, setups, .. } = batch.records();
        records.extend(rows.iter().copied().zip(setups.iter().copied()));
        faults.extend_from_slice(batch.faults());
    }
    (records, faults, batch.replayed)
}

/// Random positions, some without a king.
fn random_setups(count: usize) -> Vec<Setup> {
    let r238 = R238::new();
    let mut state = 1_u64;
    let mut byte = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    let mut ranks = iter::repeat_with(|| r238.unpack(&word_of(&core::array::from_fn(|_| byte()))).ok());
    ranks.by_ref().flatten().take(count).collect()
}

/// A block of words of SSPFv1's extension. Every `one_in`-th word is bad.
fn words_with_bad_ones(setups: &[Setup], one_in: usize) -> Block {
    let words = setups.iter().enumerate().map(|(index, setup)| match index % one_in {
        0 => [0xff; 32],
        _ => SspfExt::new().pack(setup).unwrap(),
    });
    let bytes: Vec<u8> = words.flatten().collect();
    let cuts = boundaries::cut(FileFormat::Sspfv1Ext, &bytes, true, true).cuts;
    Block::new(bytes, cuts)
}

#[test]
fn refused_records_keep_the_others_aligned() {
    let setups = random_setups(600);
    let without_king = |setup: &Setup| PackedSfen::new().pack(setup).is_err();
    assert!((1..300).contains(&setups.iter().filter(|setup| without_king(setup)).count()));
    for one_in in [1, 2, 17, 1000] {
        let block = words_with_bad_ones(&setups, one_in);
        let mut good = Vec::new();
        let mut bad = Vec::new();
        for index in 0..block.len() {
            match block.decode(FileFormat::Sspfv1Ext, index) {
                Ok(record) => good.push((index, record.setup)),
                Err(fault) => bad.push((index, fault)),
            }
        }
        for backend in Backend::available() {
            let mut batch = Batch::new(backend);
            batch.decode(FileFormat::Sspfv1Ext, &block, 0..block.len());
            let Records { rows, setups, labels, .. } = batch.records();
            assert!(rows.iter().copied().zip(setups.iter().copied()).eq(good.iter().copied()));
            assert_eq!((labels.len(), batch.faults()), (good.len(), &bad[..]), "{backend}");

            batch.pack(WordFormat::PackedSfen);
            let packed = good.iter().map(|(row, setup)| (row, PackedSfen::new().pack(setup)));
            let Records { rows, setups, words, .. } = batch.records();
            let held = packed.clone().filter_map(|(&row, word)| Some((row, word.ok()?)));
            assert!(rows.iter().copied().zip(words.iter().copied()).eq(held), "{backend}");
            assert!(setups.iter().all(|setup| !without_king(setup)));
            let refused = packed.filter_map(|(&row, word)| Some((row, RecordFault::Pack(word.err()?))));
            assert!(batch.faults()[bad.len()..].iter().copied().eq(refused), "{backend}");
        }
    }
}

/// The bytes of a batch in another format, and the bad records.
fn converted(batch: &mut Batch, to: FileFormat, block: &Block) -> (Vec<u8>, Vec<(usize, RecordFault)>) {
    // Every third record is left out, so that columns are compacted twice.
    batch.retain_rows(|row| row % 3 != 0);
    let mut bytes = Vec::new();
    let written = batch.encode(to, &mut bytes);
    assert_eq!(written, batch.labels().0.len());
    assert!(batch.labels().0.iter().all(|&row| row < block.len()));
    (bytes, batch.faults().to_vec())
}

#[test]
fn words_decoded_for_a_format_equal_packed_positions() {
    use FileFormat::{Hcp, Hcpe, Hcpe2, PackedSfen as Words, Psv, PsvLenient, Sspfv1};

    let setups: Vec<Setup> =
        random_setups(900).into_iter().filter(|setup| PackedSfen::new().pack(setup).is_ok()).collect();
    let best_move = Some("7g7f".parse::<Move16>().unwrap().into());
    let labels =
        Labels { score: Some(-30), best_move, result: Some(GameResult::BlackWin), ..Labels::default() };
    for (from, strict) in
        [(Psv, Psv), (PsvLenient, Psv), (Hcpe, Hcpe), (Hcp, Hcp), (Words, Words), (Sspfv1, Sspfv1)]
    {
        let mut bytes = Vec::new();
        for (index, &setup) in setups.iter().enumerate() {
            let start = bytes.len();
            let _ = strict.encode(&Record { setup, labels }, &mut bytes);
            if index % 5 == 0 {
                bytes[start..].iter_mut().take(32).for_each(|byte| *byte ^= 0x77);
            }
        }
        let cuts = boundaries::cut(from, &bytes, true, true).cuts;
        let block = Block::new(bytes, cuts);
        for to in [Psv, Hcpe, Hcpe2, Hcp, Words, FileFormat::Sfen] {
            for backend in Backend::available() {
                let mut plain = Batch::new(backend);
                let mut direct = Batch::new(backend);
                plain.decode(from, &block, 0..block.len());
                direct.decode_for(to, from, &block, 0..block.len());
                assert!(plain.faults().len() > 100 && plain.records().rows.len() > 100, "{from}");
                assert!(plain.labels() == direct.labels(), "{from} to {to} on {backend}");
                let expected = converted(&mut plain, to, &block);
                assert!(converted(&mut direct, to, &block) == expected, "{from} to {to} on {backend}");
            }
        }
    }
}

#[test]
fn recoded_words_have_positions_when_asked_for() {
    let mut bytes = vec![0xff; 32];
    for setup in random_setups(20) {
        bytes.extend(PackedSfen::new().pack(&setup).into_iter().flatten());
    }
    let cuts = boundaries::cut(FileFormat::PackedSfen, &bytes, true, true).cuts;
    let block = Block::new(bytes, cuts);
    let mut decoded = Batch::new(Backend::detect());
    decoded.decode(FileFormat::PackedSfen, &block, 0..block.len());
    let mut recoded = Batch::new(Backend::detect());
    recoded.decode_for(FileFormat::Hcp, FileFormat::PackedSfen, &block, 0..block.len());
    assert!(!recoded.columns.has_setups());
    assert_eq!(recoded.records().rows, decoded.records().rows);
    assert_eq!(recoded.records().setups, decoded.records().setups);
    assert!(!recoded.records().rows.is_empty());
}

#[test]
fn long_game_is_replayed_once() {
    let block = shuffling(10_000);
    assert_eq!(block.len(), 10_000);
    let whole = decoded(&block, 10_000);
    assert_eq!((whole.0.len(), whole.1.len(), whole.2), (10_000, 0, 10_000));
    for size in [1, 7, BATCH] {
        assert!(decoded(&block, size) == whole, "{size}");
    }
}

#[test]
fn stopped_game_is_not_replayed_again() {
    let block = shuffling(10_000);
    let mut bytes = block.bytes().to_vec();
    // Any fault in the middle of the game.
    let middle = (bytes.len() / 2) & !1;
    bytes[middle - 8..middle].fill(0x11);
    let block = block.with_bytes(bytes);
    let whole = decoded(&block, 10_000);
    assert!(whole.0.len() > 4_000 && whole.1.len() > 4_000 && whole.2 < 6_000);
    assert_eq!(whole.0.len() + whole.1.len(), 10_000);
    assert!(decoded(&block, BATCH) == whole);
}

#[test]
fn ascending_single_records_replay_a_game_once() {
    let block = shuffling(10_000);
    let (records, ..) = decoded(&block, 10_000);
    let mut batch = Batch::new(Backend::detect());
    for index in (0..10_000).step_by(7) {
        let record = batch.decode_one(FileFormat::Pack, &block, index).unwrap();
        assert!(record.setup == records[index].1, "{index}");
    }
    assert!(batch.replayed <= 10_000, "{}", batch.replayed);
}

#[test]
fn range_order_does_not_change_records() {
    let block = shuffling(1_000);
    let (records, ..) = decoded(&block, 1_000);
    let mut batch = Batch::new(Backend::detect());
    for range in [500..600, 600..610, 0..10, 610..620, 990..1_000, 10..20] {
        batch.decode(FileFormat::Pack, &block, range.clone());
        let Records { rows, setups, .. } = batch.records();
        let read: Vec<_> = rows.iter().copied().zip(setups.iter().copied()).collect();
        assert_eq!(read, records[range]);
    }
}
