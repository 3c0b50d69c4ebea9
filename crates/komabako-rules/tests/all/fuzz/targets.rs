//! The fuzz targets of the rules: moves as text. `fuzz/` compiles this file too.

use std::sync::LazyLock;

use komabako_board::{Color, Position, color, square, usi};
use komabako_rules::move16::MoveEncoding;
use komabako_rules::{Move16, MoveTextError, State};
use komabako_testkit::fuzz::Target;
use komabako_testkit::setups;

/// Every target of this file.
pub const TARGETS: &[Target] = &[CSA_MOVE, JAPANESE_MOVE, USI_MOVE];

/// Any bytes as a move in USI text: an accepted move is well-formed and is written as the same text. Its first two bytes as
/// the bits of a move: if they encode a move, it is written in this encoding and the others.
pub const USI_MOVE: Target = Target::new("usi_move", usi_move);

/// Any bytes as a move in CSA text, in the position chosen by the first byte: an accepted move is legal and is written as
/// the same text.
pub const CSA_MOVE: Target = Target::new("csa_move", csa_move);

/// Any bytes as a move in Japanese text, in the position chosen by the first byte, after a move to the square chosen by the
/// second: an accepted move is legal, and its canonical text means the same move.
pub const JAPANESE_MOVE: Target = Target::new("japanese_move", japanese_move);

/// The 256 positions that a byte can choose: of every family, positions with one king included.
static POSITIONS: LazyLock<Vec<State<()>>> = LazyLock::new(|| {
    let start = State::new(&Position::START);
    let random = setups::random(1).filter_map(|setup| State::new(&Position::new_tsume(setup).ok()?).ok());
    start.into_iter().chain(random).take(256).collect()
});

fn usi_move(input: &[u8]) {
    let columns = 1..=input.len() + 1;
    let [black, white] = [Color::Black, Color::White].map(|side| usi::parse(input, side));
    match (black, white) {
        (Ok(black), Ok(white)) => {
            assert_eq!(usi::write(black).as_bytes(), input);
            assert_eq!(usi::write(white).as_bytes(), input);
            let text = str::from_utf8(input).expect("a move is ASCII");
            let mv: Move16 = text.parse().expect("both readers read it");
            assert!(mv.is_well_formed(), "{text} is {:#06x}", mv.bits());
            assert_eq!((mv.to_move(Color::Black), mv.to_move(Color::White)), (Some(black), Some(white)));
            assert_eq!(mv.to_string(), text);
        }
        (Err(error), Err(same)) => {
            assert_eq!(error, same);
            assert!(columns.contains(&error.column), "{error}");
        }
        (black, white) => panic!("{black:?} for Black, {white:?} for White"),
    }
    let mut side = Color::White;
    for mv in usi::moves(input, Color::White) {
        match mv {
            Ok(mv) => assert_eq!(usi::parse(usi::write(mv).as_bytes(), side), Ok(mv)),
            Err(error) => assert!(columns.contains(&error.column), "{error}"),
        }
        side = color::opponent(side);
    }
    if let Some(&bytes) = input.first_chunk() {
        let mv = Move16::from_bits(u16::from_le_bytes(bytes));
        assert_eq!(mv.to_string().parse().ok(), Some(mv).filter(|mv| mv.is_well_formed()));
        for encoding in [MoveEncoding::Apery, MoveEncoding::LegacyRshogi] {
            let encoded = encoding.encode(mv);
            assert_eq!(encoded.and_then(|bits| encoding.decode(bits)), encoded.map(|_| mv));
        }
    }
}

fn csa_move(input: &[u8]) {
    let Some((&choice, text)) = input.split_first() else { return };
    let Ok(text) = str::from_utf8(text) else { return };
    let state = &POSITIONS[usize::from(choice)];
    match state.parse_csa(text) {
        Ok(mv) => {
            assert!(state.is_legal(mv), "{mv} in {}", state.setup());
            let written = state.csa(mv).expect("a legal move has a text").to_string();
            assert!(written == text || &written[1..] == text, "{text} is read as {written}");
        }
        Err(error) => check_error(state, text, error),
    }
}

fn japanese_move(input: &[u8]) {
    let Some((&[choice, previous], text)) = input.split_first_chunk() else { return };
    let Ok(text) = str::from_utf8(text) else { return };
    let state = &POSITIONS[usize::from(choice)];
    let previous = square::from_index(previous.into());
    match state.parse_japanese(text, previous) {
        Ok(mv) => {
            assert!(state.is_legal(mv), "{mv} in {}", state.setup());
            let written = state.japanese(mv, previous).expect("a legal move has a text").to_string();
            assert_eq!(state.parse_japanese(&written, previous), Ok(mv), "{written} in {}", state.setup());
        }
        Err(error) => check_error(state, text, error),
    }
}

/// An error names a character of the text or legal moves.
fn check_error(state: &State<()>, text: &str, error: MoveTextError) {
    match error {
        MoveTextError::Syntax(at) => assert!(text.is_char_boundary(at), "{error}"),
        MoveTextError::Ambiguous(a, b) => {
            assert!(a != b && state.is_legal(a) && state.is_legal(b), "{error} in {}", state.setup());
            assert_eq!((a.to(), a.is_drop()), (b.to(), a.is_drop() && b.is_drop()), "{error}");
        }
        _ => {}
    }
}
