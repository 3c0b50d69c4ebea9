//! Other programs, as oracles for codecs, rules and move texts.

use komabako_board::Setup;
use komabako_board::sfen::Sfen;
use rsshogi::board::{HuffmanCodedPos, Move32List, PackedSfen, Position, generate_legal_all_move32};
use rsshogi::types::Move32;

use crate::vectors::Word;

/// The crate rsshogi (MIT); positions are exchanged as SFEN.
#[derive(Clone, Copy, Debug)]
pub struct Rsshogi(());

impl Rsshogi {
    /// Computes the peer's tables.
    pub fn new() -> Self {
        rsshogi::board::init();
        Self(())
    }

    /// The setup's PSV word, or `None` if the peer refuses the setup.
    pub fn psv(self, setup: &Setup) -> Option<Word> {
        Some(position(setup)?.try_to_packed_sfen().ok()?.data)
    }

    /// The setup's HCP word, or `None` if the peer refuses the setup.
    pub fn hcp(self, setup: &Setup) -> Option<Word> {
        Some(position(setup)?.try_to_huffman_coded_pos().ok()?.data)
    }

    /// The SFEN of a PSV word, or `None` if the peer refuses the word.
    pub fn psv_to_sfen(self, word: &Word) -> Option<String> {
        Position::sfen_unpack(&PackedSfen { data: *word }).ok()
    }

    /// The SFEN of an HCP word, or `None` if the peer refuses the word.
    pub fn hcp_to_sfen(self, word: &Word) -> Option<String> {
        Position::huffman_coded_pos_unpack(&HuffmanCodedPos { data: *word }).ok()
    }

    /// The legal moves in YaneuraOu's 16 bits, ascending, or `None` if the peer refuses the setup.
    pub fn legal_moves(self, setup: &Setup) -> Option<Vec<u16>> {
        let list = legal_moves(&position(setup)?);
        let mut moves: Vec<u16> = list.iter().map(|mv| mv.to_move().raw()).collect();
        moves.sort_unstable();
        Some(moves)
    }

    /// Each legal move with its CSA and its KI2 text, or `None` if the peer refuses the setup.
    pub fn move_texts(self, setup: &Setup) -> Option<Vec<(u16, String, String)>> {
        let position = position(setup)?;
        let texts = |mv: &Move32| Some((mv.to_move().raw(), mv.to_csa()?, mv.to_ki2(&position)?));
        legal_moves(&position).iter().map(texts).collect()
    }
}

impl Default for Rsshogi {
    fn default() -> Self {
        Self::new()
    }
}

fn position(setup: &Setup) -> Option<Position> {
    Position::from_sfen(Sfen { setup: *setup, ply: Some(1) }.to_text().as_str()).ok()
}

fn legal_moves(position: &Position) -> Move32List {
    let mut list = Move32List::new();
    generate_legal_all_move32(position, &mut list);
    list
}
