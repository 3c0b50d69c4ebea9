//! [`EndReason`]: why a game ended.

use core::fmt;

use komabako_messages::{Lang, Message};

use super::{DECLARATION, MOVE_LIMIT, REPETITION};

/// Why a game ended, with GenSfen's codes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
#[non_exhaustive]
pub enum EndReason {
    /// The side to move resigned.
    Resignation = 0,
    /// A draw by repetition (千日手).
    Repetition = 1,
    /// A draw by the move limit.
    MoveLimit = 2,
    /// The game was broken off.
    Interruption = 3,
    /// The side to move ran out of time.
    TimeOut = 4,
    /// The side to move made an illegal move, which is not stored.
    IllegalMove = 5,
    /// The side to move gave perpetual check.
    PerpetualCheck = 6,
    /// The side to move declared a win by 24 points. GenSfen writes it for every declaration.
    Declaration24 = 10,
    /// The side to move declared a draw by 24 points.
    DeclaredDraw24 = 11,
    /// The side to move declared a win by 27 points.
    Declaration27 = 12,
    /// The side to move won by the try rule.
    Try = 13,
}

/// The code and the name: `1 (repetition)`.
impl Message for EndReason {
    fn write(&self, _: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.code(), self.name())
    }
}

impl EndReason {
    /// Every reason.
    pub const ALL: &[EndReason] = &[
        EndReason::Resignation,
        EndReason::Repetition,
        EndReason::MoveLimit,
        EndReason::Interruption,
        EndReason::TimeOut,
        EndReason::IllegalMove,
        EndReason::PerpetualCheck,
        EndReason::Declaration24,
        EndReason::DeclaredDraw24,
        EndReason::Declaration27,
        EndReason::Try,
    ];

    /// GenSfen's code.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The reason of a code; `None` for reserved codes.
    pub fn from_code(code: u8) -> Option<EndReason> {
        EndReason::ALL.iter().copied().find(|reason| reason.code() == code)
    }

    /// The reason's name for reports, e.g. `resignation`.
    pub const fn name(self) -> &'static str {
        match self {
            EndReason::Resignation => "resignation",
            EndReason::Repetition => "repetition",
            EndReason::MoveLimit => "move_limit",
            EndReason::Interruption => "interruption",
            EndReason::TimeOut => "time_out",
            EndReason::IllegalMove => "illegal_move",
            EndReason::PerpetualCheck => "perpetual_check",
            EndReason::Declaration24 => "declaration_24",
            EndReason::DeclaredDraw24 => "declared_draw_24",
            EndReason::Declaration27 => "declaration_27",
            EndReason::Try => "try",
        }
    }

    /// The flags of hcpe2 and hcpe3 for the same reason; 0 if they have none.
    pub const fn flags(self) -> u8 {
        match self {
            EndReason::Repetition | EndReason::PerpetualCheck => REPETITION,
            EndReason::MoveLimit => MOVE_LIMIT,
            EndReason::Declaration24 | EndReason::Declaration27 | EndReason::Try => DECLARATION,
            EndReason::DeclaredDraw24 => DECLARATION,
            EndReason::Resignation
            | EndReason::Interruption
            | EndReason::TimeOut
            | EndReason::IllegalMove => 0,
        }
    }
}
