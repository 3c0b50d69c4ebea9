//! The published crate rsshogi (MIT) as a second opinion on the rules and on move texts.

use rsshogi::board::{Move32List, generate_legal_all_move32, position_from_sfen};
use rsshogi::types::Move32;

/// The legal moves of a position in YaneuraOu's 16 bits, ascending; `None` if rsshogi does not take the SFEN.
pub fn legal_moves(sfen: &str) -> Option<Vec<u16>> {
    let position = position_from_sfen(sfen).ok()?;
    let mut list = Move32List::new();
    generate_legal_all_move32(&position, &mut list);
    let mut moves: Vec<u16> = list.iter().map(|mv| mv.to_move().raw()).collect();
    moves.sort_unstable();
    Some(moves)
}

/// Each legal move of a position with its CSA and its KI2 text.
pub fn move_texts(sfen: &str) -> Option<Vec<(u16, String, String)>> {
    let position = position_from_sfen(sfen).ok()?;
    let mut list = Move32List::new();
    generate_legal_all_move32(&position, &mut list);
    let texts = |mv: &Move32| Some((mv.to_move().raw(), mv.to_csa()?, mv.to_ki2(&position)?));
    list.iter().map(texts).collect()
}
