//! [`Problem`]: a position and the side that is to be mated.

use komabako_board::{BaseKind, Color, Position, PositionError, Setup};
use komabako_messages::{Phrase, WithAdvice, messages, phrase};
use komabako_rules::OpponentInCheck;

use crate::search::TsumeState;

/// The defender's hand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Hands {
    /// [`Complement`](Hands::Complement) if the attacker has no king, else [`AsGiven`](Hands::AsGiven).
    #[default]
    Auto,
    /// As in the setup.
    AsGiven,
    /// Everything of a set that is neither on the board nor in the attacker's hand, as in every tsume problem.
    Complement,
}

/// The side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Root {
    /// The attacker: can he mate?
    #[default]
    Attack,
    /// The defender, in check: is he mated?
    Defend,
}

/// The rules by which a setup is read as a problem.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Rules {
    /// The defender's hand.
    pub hands: Hands,
    /// The side to move.
    pub root: Root,
}

/// A position in which one side is to be mated by checks.
#[derive(Clone, Debug)]
pub struct Problem {
    pub(crate) state: TsumeState,
    attacker: Color,
    root: Root,
    is_complement: bool,
    is_changed: bool,
}

/// Why a setup is not a problem.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProblemError {
    /// The king that is to be mated is not on the board.
    KingMissing(Color),
    /// The king that is to be mated is not on the board, but the other one is.
    WrongSideToMove(Color),
    /// A piece is on a square where it may not be.
    Position(PositionError),
    /// The side that is not to move is in check.
    OpponentInCheck,
    /// The defender is to move, but not in check.
    NotInCheck,
}

messages! {
    ProblemError {
        KingMissing(side) => "the king of {side}, who is to be mated, is missing", "詰まされる{side}の玉がありません";
        WrongSideToMove(side) => "only the king of {side}, who is to move, is on the board",
            "手番の{side}の玉しかありません";
        Position(error) => "{error}", "{error}";
        OpponentInCheck with (fault = OpponentInCheck) => "{fault}", "{fault}";
        NotInCheck => "the defender is to move and not in check, so he is not mated",
            "玉方の手番ですが、王手がかかっていません";
    }
}

impl ProblemError {
    /// What to do about it, if the fault itself suggests it.
    pub const fn advice(&self) -> Option<Phrase> {
        match self {
            ProblemError::WrongSideToMove(_) => {
                Some(phrase!("give the move to the other side", "手番を逆にしてください"))
            }
            _ => None,
        }
    }

    /// The sentence with the [advice](Self::advice).
    pub const fn with_advice(&self) -> WithAdvice<&ProblemError, Phrase> {
        WithAdvice(self, self.advice())
    }
}

impl core::error::Error for ProblemError {}

impl From<PositionError> for ProblemError {
    fn from(error: PositionError) -> ProblemError {
        ProblemError::Position(error)
    }
}

impl Problem {
    /// Reads a setup as a problem.
    ///
    /// # Errors
    /// See [`ProblemError`].
    pub fn new(setup: &Setup, rules: Rules) -> Result<Problem, ProblemError> {
        let mut setup = *setup;
        let side = setup.side_to_move();
        let attacker = if rules.root == Root::Attack { side } else { komabako_board::color::opponent(side) };
        let defender = komabako_board::color::opponent(attacker);
        if setup.king(defender).is_none() {
            return Err(match (setup.king(attacker), rules.root) {
                (Some(_), Root::Attack) => ProblemError::WrongSideToMove(attacker),
                _ => ProblemError::KingMissing(defender),
            });
        }
        let is_complement = match rules.hands {
            Hands::Auto => setup.king(attacker).is_none(),
            Hands::AsGiven => false,
            Hands::Complement => true,
        };
        let given = setup;
        if is_complement {
            for kind in BaseKind::IN_HAND {
                let count = setup.hand(defender).count(kind) + setup.removed(kind);
                // The pieces missing from the setup belong to the same set, so they fit.
                let fits = setup.set_hand_count(defender, kind, count).is_ok();
                debug_assert!(fits);
            }
        }
        let position = Position::new_tsume(setup)?;
        let state = TsumeState::new(&position).map_err(|_| ProblemError::OpponentInCheck)?;
        if rules.root == Root::Defend && state.checkers().is_empty() {
            return Err(ProblemError::NotInCheck);
        }
        let root = rules.root;
        let is_changed = setup != given;
        Ok(Problem { state, attacker, root, is_complement, is_changed })
    }

    /// The position, with the hands used for solving.
    pub fn setup(&self) -> Setup {
        self.state.setup()
    }

    /// The side that gives check.
    pub const fn attacker(&self) -> Color {
        self.attacker
    }

    /// The side to move at the root.
    pub const fn root(&self) -> Root {
        self.root
    }

    /// Whether the defender holds the complement ([`Hands::Complement`]).
    pub const fn is_complement(&self) -> bool {
        self.is_complement
    }

    /// Whether the complement changed the setup.
    pub const fn is_changed(&self) -> bool {
        self.is_changed
    }
}
