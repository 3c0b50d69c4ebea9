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
        Kept => "columns of means need means: of positions, or of positions and moves",
            "平均の列は、局面、または局面と指し手ごとの平均をとるときに書けます";
        Shuffled => "columns are not shuffled with the records", "列はレコードと一緒にシャッフルできません";
    }
}

impl core::error::Error for NotAveraged {}

impl JobError for NotAveraged {
    fn kind(&self) -> &'static str {
        "not_averaged"
    }
}
