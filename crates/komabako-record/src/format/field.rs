//! [`Field`]: data that one format holds and another may not.

use komabako_messages::Phrase;

/// Data that one format holds and another may not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Field {
    /// The score.
    Score,
    /// The best move, or the move played.
    Move,
    /// Resignation and declaration in place of a move.
    SpecialMove,
    /// The result of the game.
    Result,
    /// The ply.
    Ply,
    /// Byte 39 of PSV.
    PsvPadding,
    /// Byte 37 of hcpe and hcpe2.
    HcpePadding,
    /// The payload of C250.
    Payload,
    /// Whether a repetition, a declaration or the move limit ended the game.
    EndFlags,
    /// Why the game ended, by GenSfen's code.
    EndReason,
    /// The boundaries between games.
    Games,
    /// The visit counts of candidate moves; a position without any is not for training.
    Candidates,
    /// The colour of a USI opponent, if there was one.
    Opponent,
    /// Positions with pieces in the box: handicaps, tsume problems.
    RemovedPieces,
    /// Positions without one king or both.
    MissingKings,
}

impl Field {
    /// Every field.
    pub const ALL: &[Field] = &[
        Field::Score,
        Field::Move,
        Field::SpecialMove,
        Field::Result,
        Field::Ply,
        Field::PsvPadding,
        Field::HcpePadding,
        Field::Payload,
        Field::EndFlags,
        Field::EndReason,
        Field::Games,
        Field::Candidates,
        Field::Opponent,
        Field::RemovedPieces,
        Field::MissingKings,
    ];

    /// The field's name for programs, e.g. `ply`.
    pub const fn name(self) -> &'static str {
        self.phrase().en
    }

    /// The field's name for people; in English that for programs.
    pub const fn phrase(self) -> Phrase {
        match self {
            Field::Score => Phrase::new("score", "評価値"),
            Field::Move => Phrase::new("move", "指し手"),
            Field::SpecialMove => Phrase::new("special_move", "特殊な指し手"),
            Field::Result => Phrase::new("result", "勝敗"),
            Field::Ply => Phrase::new("ply", "手数"),
            Field::PsvPadding => Phrase::new("psv_padding", "PSV のパディング"),
            Field::HcpePadding => Phrase::new("hcpe_padding", "hcpe のパディング"),
            Field::Payload => Phrase::new("payload", "付加情報"),
            Field::EndFlags => Phrase::new("end_flags", "終局のフラグ"),
            Field::EndReason => Phrase::new("end_reason", "終局理由"),
            Field::Games => Phrase::new("games", "対局の区切り"),
            Field::Candidates => Phrase::new("candidates", "候補手"),
            Field::Opponent => Phrase::new("opponent", "対戦相手"),
            Field::RemovedPieces => Phrase::new("removed_pieces", "駒箱の駒"),
            Field::MissingKings => Phrase::new("missing_kings", "玉のない局面"),
        }
    }
}
