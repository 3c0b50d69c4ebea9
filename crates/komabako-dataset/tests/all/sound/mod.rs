//! A sound PSV file with hands, drops, promotions and handicaps, and the kinds of damage found in such files.

use komabako_board::{BaseKind, Color, Move, Setup, square};
use komabako_codec::Word;
use komabako_dataset::move16::{Move16, MoveEncoding, convert};
use komabako_dataset::record::{Labels, MoveBits, Psv};
use komabako_dataset::{FileFormat, GameResult, Record};
use komabako_testkit::reference_moves::{is_in_check, legal_moves};
use komabako_testkit::setups::Rng;
use komabako_variants::WordFormat;

use crate::common::sample_sfens;

/// The sample, and one in ten of its positions again without the bishops, rooks and lances.
pub fn file() -> Vec<u8> {
    let removed = [BaseKind::Bishop, BaseKind::Rook, BaseKind::Lance];
    let handicaps = sample_sfens().into_iter().step_by(10).map(|sfen| without(&sfen, &removed));
    [crate::common::sample("sample.psv"), with_legal_moves(handicaps)].concat()
}

/// The positions of the sample without their pawns.
pub fn without_pawns() -> Vec<u8> {
    with_legal_moves(sample_sfens().into_iter().map(|sfen| without(&sfen, &[BaseKind::Pawn])))
}

/// Records of the positions that have a legal move.
fn with_legal_moves(setups: impl Iterator<Item = Setup>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rng = Rng::new(1);
    for (setup, number) in setups.filter(is_playable).zip(0..) {
        let moves: Vec<Move> = legal_moves(&setup).into_iter().collect();
        let Some(mv) = moves.get(rng.below(moves.len().max(1))) else { continue };
        let labels = Labels {
            score: Some(number),
            best_move: Some(move16(*mv).into()),
            result: Some(GameResult::win_of(setup.side_to_move())),
            ply: Some(40),
            ..Labels::default()
        };
        FileFormat::Psv.encode(&Record { setup, labels }, &mut bytes).unwrap();
    }
    bytes
}

/// Two consecutive PSV records. The bits of the first move are a knight's drop in A, which is legal, and in B and
/// C the promotion that leads to the second position.
pub fn misread() -> Vec<u8> {
    let sfens = ["4k4/9/9/8S/9/9/9/9/4K4 b N", "4k4/9/8+S/9/9/9/9/9/4K4 w N"];
    let moves = [0x4182, 0];
    let mut bytes = Vec::new();
    for (sfen, best_move) in sfens.into_iter().zip(moves) {
        let setup: Setup = sfen.parse().unwrap();
        let best_move = MoveBits { bits: best_move, encoding: MoveEncoding::YaneuraOu };
        let labels = Labels {
            score: Some(0),
            best_move: Some(best_move),
            result: Some(GameResult::Draw),
            ply: Some(1),
            ..Labels::default()
        };
        FileFormat::Psv.encode(&Record { setup, labels }, &mut bytes).unwrap();
    }
    bytes
}

/// The records of a file.
pub fn records(bytes: &[u8]) -> impl Iterator<Item = Psv> {
    bytes.as_chunks().0.iter().map(Psv::from_bytes)
}

/// The position of a sound record.
pub fn setup_of(record: &Psv) -> Setup {
    FileFormat::Psv.decode(&record.to_bytes()).unwrap().setup
}

/// The file with its positions written by `write`.
pub fn with_positions(bytes: &[u8], write: fn(&Setup) -> Word) -> Vec<u8> {
    let rewrite = |record: &Psv| Psv { position: write(&setup_of(record)), ..*record };
    records(bytes).flat_map(|record| rewrite(&record).to_bytes()).collect()
}

/// A record with another position.
pub fn with_sfen(record: &[u8], sfen: &str) -> Vec<u8> {
    let record = Psv::from_bytes(record.try_into().unwrap());
    let position = WordFormat::PackedSfen.pack(&sfen.parse().unwrap()).unwrap();
    Psv { position, ..record }.to_bytes().to_vec()
}

/// The file with each record's move written in the encoding for its index.
pub fn with_moves(bytes: &[u8], encoding: impl Fn(usize) -> MoveEncoding) -> Vec<u8> {
    let rewrite = |(index, record): (usize, Psv)| {
        let bits = convert(record.best_move, MoveEncoding::YaneuraOu, encoding(index)).unwrap();
        Psv { best_move: bits, ..record }.to_bytes()
    };
    records(bytes).enumerate().flat_map(rewrite).collect()
}

fn without(sfen: &str, removed: &[BaseKind]) -> Setup {
    let mut setup: Setup = sfen.parse().unwrap();
    for &kind in removed {
        setup.kind(kind).into_iter().for_each(|square| setup.clear(square));
        for color in [Color::Black, Color::White] {
            setup.set_hand_count(color, kind, 0).unwrap();
        }
    }
    setup
}

fn is_playable(setup: &Setup) -> bool {
    let opponent = komabako_board::color::opponent(setup.side_to_move());
    !is_in_check(setup, opponent)
}

fn move16(mv: Move) -> Move16 {
    match mv {
        Move::Normal { from, to, promote } => Move16::board(from, to, promote),
        Move::Drop { piece, to } => {
            assert!(square::from_index(to.array_index()).is_some());
            Move16::drop(BaseKind::of(piece.to_parts().0), to).unwrap()
        }
    }
}
