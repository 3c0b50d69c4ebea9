//! [`Game`]: a state with its history, for repetition and perpetual check.

use alloc::vec::Vec;
use core::fmt;

use komabako_board::{Color, Position, Setup, color};
use komabako_messages::{Lang, Message, say};

use crate::state::{State, Undo};
use crate::{Move16, OpponentInCheck};

/// A state and the moves that led to it.
///
/// ```
/// use komabako_rules::{Game, Repetition, State};
/// let mut game = Game::new(State::start());
/// for _ in 0..3 {
///     for usi in ["5i5h", "5a5b", "5h5i", "5b5a"] {
///         assert_eq!(game.repetition(), None);
///         game.play(usi.parse().unwrap())?;
///     }
/// }
/// assert_eq!(game.repetition(), Some(Repetition::Draw));
/// # Ok::<(), komabako_rules::IllegalMove>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    state: State,
    past: Vec<Past>,
}

/// An earlier position and the move that left it.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Past {
    setup: Setup,
    undo: Undo<u64>,
    key: u64,
    /// Whether the side to move was in check.
    in_check: bool,
}

/// The consequence of a fourth occurrence of a position, with the same board, hands and side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Repetition {
    /// Neither side gave check with every move: the game is drawn (千日手).
    Draw,
    /// Every move of this side since the first occurrence gave check (連続王手の千日手): it loses.
    PerpetualCheck(Color),
}

/// A move that the rules forbid in this position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IllegalMove {
    /// The move.
    pub mv: Move16,
    /// The number of moves played before it.
    pub ply: usize,
}

impl Message for IllegalMove {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        say!(
            f,
            lang,
            "move {number}: {mv} is not legal here",
            "{number} 手目の {mv} は指せません",
            number = self.ply + 1,
            mv = self.mv
        )
    }
}

komabako_messages::english!(IllegalMove);

impl core::error::Error for IllegalMove {}

impl From<State> for Game {
    fn from(state: State) -> Self {
        Self::new(state)
    }
}

impl TryFrom<&Position> for Game {
    type Error = OpponentInCheck;

    /// A game that starts from a position.
    ///
    /// ```
    /// use komabako_board::Position;
    /// use komabako_rules::Game;
    /// let position: Position = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1".parse()?;
    /// let mut game = Game::try_from(&position)?;
    /// game.play("G*5b".parse()?)?;
    /// assert!(!game.state().has_legal_move());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn try_from(position: &Position) -> Result<Self, OpponentInCheck> {
        State::new(position).map(Self::new)
    }
}

impl Game {
    /// A game that starts here.
    pub const fn new(state: State) -> Self {
        Self { state, past: Vec::new() }
    }

    /// The position now.
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// The number of moves played.
    pub fn ply(&self) -> usize {
        self.past.len()
    }

    /// The moves played, in order.
    pub fn moves(&self) -> impl DoubleEndedIterator<Item = Move16> + ExactSizeIterator + '_ {
        self.past.iter().map(|past| past.undo.mv())
    }

    /// Plays a move.
    ///
    /// # Errors
    /// [`IllegalMove`]; the game is unchanged. A fourth repetition is not an error: see [`repetition`](Game::repetition).
    pub fn play(&mut self, mv: Move16) -> Result<(), IllegalMove> {
        if !self.state.is_legal(mv) {
            return Err(IllegalMove { mv, ply: self.ply() });
        }
        let in_check = self.state.is_in_check(self.state.side_to_move());
        let setup = self.state.setup();
        let key = self.state.key();
        let undo = self.state.do_move(mv);
        self.past.push(Past { setup, undo, key, in_check });
        Ok(())
    }

    /// Takes back the last move and returns it; `None` at the start.
    pub fn take_back(&mut self) -> Option<Move16> {
        let past = self.past.pop()?;
        self.state.undo_move(past.undo);
        Some(past.undo.mv())
    }

    /// The number of occurrences of the position, the present one included.
    pub fn occurrences(&self) -> usize {
        1 + self.earlier().count()
    }

    /// The consequence if the position has now occurred four times or more; otherwise `None`.
    ///
    /// Cost: a comparison of keys for every second move of the game.
    pub fn repetition(&self) -> Option<Repetition> {
        // The latest comes first, so that the third of these is the first of the last four occurrences.
        let first = self.earlier().nth(2)?;
        let in_check = self.state.is_in_check(self.state.side_to_move());
        // A side gave check with every move if the other side was in check at each of its turns since then. The first
        // occurrence itself does not count: it is not the result of a move in between.
        let since = &self.past[first + 1..];
        let side = self.state.side_to_move();
        let was_always_checked = |checked: Color| {
            let waits = usize::from(checked == side);
            let mut turns = since.iter().skip(waits).step_by(2);
            turns.all(|past| past.in_check) && (checked != side || in_check)
        };
        let checker = [side, color::opponent(side)].into_iter().find(|&checked| was_always_checked(checked));
        Some(checker.map_or(Repetition::Draw, |checked| Repetition::PerpetualCheck(color::opponent(checked))))
    }

    /// The indices of the earlier occurrences of the position, the latest first.
    fn earlier(&self) -> impl Iterator<Item = usize> + '_ {
        let key = self.state.key();
        let setup = self.state.setup();
        // The last entry is the position before this one, when the other side was to move.
        let same_side = self.past.iter().enumerate().rev().skip(1).step_by(2);
        // Keys are compared first, since they nearly always differ. With keys alone, a collision would be called a draw.
        same_side.filter(move |(_, past)| past.key == key && past.setup == setup).map(|(index, _)| index)
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use komabako_board::{Position, sfen};

    use super::*;

    fn game(sfen: &str) -> Game {
        Game::new(State::new(&Position::new(sfen::parse(sfen).unwrap().setup).unwrap()).unwrap())
    }

    fn play(game: &mut Game, moves: &str) {
        moves.split(' ').for_each(|mv| game.play(mv.parse().unwrap()).unwrap());
    }

    #[test]
    fn perpetual_check_loses_for_the_checker() {
        // The rook checks on 5a and 4a, the king steps between 4i and 5i; both sides' turns are looked at.
        let mut game = game("4k4/9/9/9/9/9/9/5K3/r8 w - 1");
        play(&mut game, "9i9h");
        for repeats in 0..3 {
            assert_eq!(game.occurrences(), repeats + 1);
            assert_eq!(game.repetition(), None);
            play(&mut game, "4h4i 9h9i 4i4h 9i9h");
        }
        assert_eq!(game.repetition(), Some(Repetition::PerpetualCheck(Color::White)));
        play(&mut game, "4h4i");
        assert_eq!(game.repetition(), Some(Repetition::PerpetualCheck(Color::White)));
        assert_eq!(game.take_back(), "4h4i".parse().ok());
        // One quiet move among the checks makes it a draw.
        play(&mut game, "4h4i 9h9g 4i4h 9g9h");
        assert_eq!(game.occurrences(), 5);
    }

    #[test]
    fn quiet_move_among_checks_makes_a_draw() {
        let mut game = game("4k4/9/9/9/9/9/9/5K3/r8 w - 1");
        play(&mut game, "9i9h");
        for _ in 0..3 {
            play(&mut game, "4h4i 9h9g 4i4h 9g9h");
        }
        assert_eq!(game.repetition(), Some(Repetition::Draw));
    }

    #[test]
    fn different_hands_make_different_positions() {
        let mut game = game("4k4/9/9/9/9/9/4p4/9/4K3R b - 1");
        play(&mut game, "1i1g 5a4a 1g5g 4a3a 5g1g 3a4a P*5g 4a5a 5g5f 5a4a 1g1i 4a5a");
        assert_eq!(game.occurrences(), 1);
        assert_eq!((game.moves().len(), game.ply()), (12, 12));
    }

    #[test]
    fn illegal_move_is_reported_and_leaves_the_game_unchanged() {
        let mut game = game("startpos");
        play(&mut game, "7g7f");
        let error = game.play("7f7e".parse().unwrap()).unwrap_err();
        assert_eq!(error.to_string(), "move 2: 7f7e is not legal here");
        assert_eq!(game.ply(), 1);
        assert_eq!(game.take_back(), "7g7f".parse().ok());
        assert_eq!(game.take_back(), None);
        assert_eq!(*game.state(), State::start());
    }
}
