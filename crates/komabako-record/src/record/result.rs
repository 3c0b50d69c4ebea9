//! [`GameResult`] and the two conventions for storing it in records (`spec/formats.md` §6).

use komabako_board::{Color, color};

/// The result of a record's game, independent of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GameResult {
    /// A draw.
    Draw,
    /// Black (先手) won.
    BlackWin,
    /// White (後手) won.
    WhiteWin,
}

impl GameResult {
    /// The result in which a colour won.
    pub const fn win_of(winner: Color) -> GameResult {
        match winner {
            Color::Black => GameResult::BlackWin,
            Color::White => GameResult::WhiteWin,
        }
    }

    /// The winner, or `None` after a draw.
    pub const fn winner(self) -> Option<Color> {
        match self {
            GameResult::Draw => None,
            GameResult::BlackWin => Some(Color::Black),
            GameResult::WhiteWin => Some(Color::White),
        }
    }

    /// The absolute code of hcpe, hcpe2 and hcpe3: 0 draw, 1 Black won, 2 White won.
    pub const fn to_absolute(self) -> u8 {
        self as u8
    }

    /// The result of an absolute code, or `None` from 3 up.
    pub const fn from_absolute(code: u8) -> Option<GameResult> {
        match code {
            0 => Some(GameResult::Draw),
            1 => Some(GameResult::BlackWin),
            2 => Some(GameResult::WhiteWin),
            _ => None,
        }
    }

    /// The relative code of PSV and plain text: 1 if the side to move won, 0 draw, −1 if it lost.
    ///
    /// ```
    /// use komabako_board::Color;
    /// use komabako_record::GameResult;
    /// assert_eq!(GameResult::BlackWin.to_relative(Color::White), -1);
    /// assert_eq!(GameResult::from_relative(-1, Color::White), Some(GameResult::BlackWin));
    /// ```
    pub const fn to_relative(self, side_to_move: Color) -> i8 {
        match (self, side_to_move) {
            (GameResult::Draw, _) => 0,
            (GameResult::BlackWin, Color::Black) | (GameResult::WhiteWin, Color::White) => 1,
            _ => -1,
        }
    }

    /// The result of a relative code, or `None` outside −1..=1.
    pub const fn from_relative(code: i8, side_to_move: Color) -> Option<GameResult> {
        match code {
            0 => Some(GameResult::Draw),
            1 => Some(GameResult::win_of(side_to_move)),
            -1 => Some(GameResult::win_of(color::opponent(side_to_move))),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absolute_and_relative_results_agree() {
        for result in [GameResult::Draw, GameResult::BlackWin, GameResult::WhiteWin] {
            assert_eq!(GameResult::from_absolute(result.to_absolute()), Some(result));
            for side in [Color::Black, Color::White] {
                let code = result.to_relative(side);
                assert_eq!(GameResult::from_relative(code, side), Some(result));
                assert_eq!(code > 0, result.winner() == Some(side));
            }
        }
        assert_eq!(GameResult::from_absolute(3), None);
        assert_eq!(GameResult::from_relative(2, Color::Black), None);
        assert_eq!(GameResult::from_relative(-128, Color::White), None);
    }
}
