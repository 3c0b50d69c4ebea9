//! A word explained.

use komabako_board::Setup;
use komabako_codec::Field;
use komabako_testkit::setups::{self, Rng};
use komabako_variants::WordFormat;

#[test]
fn fields_cover_every_good_word_without_overlap() {
    for setup in setups::random(1).take(400) {
        for &format in WordFormat::BASE {
            let Ok(word) = format.pack(&setup) else { continue };
            let bits: String = format.fields(&word).into_iter().map(|it| it.bits).collect();
            let expected: String =
                (0..256).map(|i| if word[i / 8] >> (i % 8) & 1 == 1 { '1' } else { '0' }).collect();
            assert_eq!(bits, expected, "{format}");
        }
    }
}

#[test]
fn symbols_name_every_square_and_piece() {
    for format in [WordFormat::PackedSfen, WordFormat::Hcp, WordFormat::Nshogi] {
        let symbols = format.symbols(&format.pack(&Setup::START).unwrap());
        assert_eq!(symbols.len(), 79);
        let pawn = symbols.iter().find(|it| it.meaning.starts_with("7g")).unwrap();
        assert_eq!((pawn.meaning.as_str(), pawn.len), ("7g Black pawn", 4));
        assert!(symbols.iter().any(|it| it.meaning == "8b White rook"));
        assert!(symbols.iter().any(|it| it.meaning == "5e empty" && it.len == 1));
    }
    assert!(WordFormat::Sspf.symbols(&[0; 32]).is_empty());
}

#[test]
fn fields_describe_their_contents() {
    let word = WordFormat::Sspf.pack(&Setup::START).unwrap();
    let fields = WordFormat::Sspf.fields(&word);
    let meaning = |field| fields.iter().find(|it| it.field == field).map(|it| it.meaning.as_str());
    assert_eq!(meaning(Field::SideToMove), Some("Black to move"));
    assert_eq!(meaning(Field::Kings), Some("Black 5i (44), White 5a (36)"));
    assert_eq!(meaning(Field::PtBit4), Some("2 rooks"));
}

#[test]
fn any_word_is_explained_within_its_bits() {
    let mut rng = Rng::new(2);
    for _ in 0..2_000 {
        let mut word = [0; 32];
        word.chunks_mut(8).for_each(|bytes| bytes.copy_from_slice(&rng.next_u64().to_le_bytes()));
        for &format in WordFormat::BASE {
            let fields = format.fields(&word);
            assert!(fields.len() >= 3 && fields.iter().all(|it| it.offset + it.len <= 256), "{format}");
            assert!(fields.iter().all(|it| it.bits.len() == usize::from(it.len)));
            assert!(format.symbols(&word).iter().all(|it| it.offset + it.len <= 256));
        }
    }
}
