//! [`Field`]: data that one format holds and another may not.

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
        match self {
            Field::Score => "score",
            Field::Move => "move",
            Field::SpecialMove => "special_move",
            Field::Result => "result",
            Field::Ply => "ply",
            Field::PsvPadding => "psv_padding",
            Field::HcpePadding => "hcpe_padding",
            Field::Payload => "payload",
            Field::EndFlags => "end_flags",
            Field::EndReason => "end_reason",
            Field::Games => "games",
            Field::Candidates => "candidates",
            Field::Opponent => "opponent",
            Field::RemovedPieces => "removed_pieces",
            Field::MissingKings => "missing_kings",
        }
    }
}
