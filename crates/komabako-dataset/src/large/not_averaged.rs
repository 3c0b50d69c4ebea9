//! [`NotAveraged`]: why a job cannot write columns of means.

use komabako_messages::messages;

use crate::io::error::JobError;

/// Why a job cannot write columns beside its output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotAveraged {
    /// Nothing is averaged: another record than the mean is kept, or records are equal in all bytes.
    Kept,
    /// The output is shuffled.
    Shuffled,
}

messages! {
    NotAveraged {
        Kept => "columns of means need `mean` of positions, or of positions and moves",
            "平均の列には、局面、または局面と指し手を単位とする `mean` が必要です";
        Shuffled => "columns are not shuffled with the records", "列はレコードと一緒にシャッフルできません";
    }
}

impl core::error::Error for NotAveraged {}

impl JobError for NotAveraged {
    fn kind(&self) -> &'static str {
        "not_averaged"
    }
}
