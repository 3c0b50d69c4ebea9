//! Other programs' codecs, as oracles.

use komabako_board::Setup;
use komabako_board::sfen::Sfen;
use rsshogi::board::{HuffmanCodedPos, PackedSfen, Position};

use crate::vectors::Word;

/// The crate rsshogi (MIT), fed and read in SFEN.
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
}

impl Default for Rsshogi {
    fn default() -> Self {
        Self::new()
    }
}

fn position(setup: &Setup) -> Option<Position> {
    Position::from_sfen(Sfen { setup: *setup, ply: Some(1) }.to_text().as_str()).ok()
}
