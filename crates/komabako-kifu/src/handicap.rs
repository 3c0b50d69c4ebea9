//! Handicaps (手合割): their names, JKF presets and positions.

use komabako_board::{Color, Setup, Square};

/// A named start position: the even game, or one without some of White's pieces.
///
/// White is the stronger player (上手) and moves first, except in the even game. Right and left are from White's view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Handicap {
    /// Its name in KIF and KI2 files.
    pub name: &'static str,
    /// Its name in JKF files.
    pub preset: &'static str,
    /// The squares of the removed pieces, in the order of tsshogi's CSA writer.
    off: &'static [Square],
    /// Whether other programs write CSA's `PI` for it; otherwise they draw the board.
    has_csa_form: bool,
}

const ROOK: Square = Square::SQ_8B;
const BISHOP: Square = Square::SQ_2B;

const fn handicap(
    name: &'static str,
    preset: &'static str,
    off: &'static [Square],
    has_csa_form: bool,
) -> Handicap {
    Handicap { name, preset, off, has_csa_form }
}

use Square as S;

/// All named start positions, the even game first.
pub const HANDICAPS: [Handicap; 16] = [
    handicap("平手", "HIRATE", &[], true),
    handicap("香落ち", "KY", &[S::SQ_1A], true),
    handicap("右香落ち", "KY_R", &[S::SQ_9A], true),
    handicap("角落ち", "KA", &[BISHOP], true),
    handicap("飛車落ち", "HI", &[ROOK], true),
    handicap("飛香落ち", "HIKY", &[ROOK, S::SQ_1A], true),
    handicap("二枚落ち", "2", &[ROOK, BISHOP], true),
    handicap("三枚落ち", "3", &[ROOK, BISHOP, S::SQ_1A], false),
    handicap("四枚落ち", "4", &[ROOK, BISHOP, S::SQ_1A, S::SQ_9A], true),
    handicap("五枚落ち", "5", &[ROOK, BISHOP, S::SQ_8A, S::SQ_1A, S::SQ_9A], false),
    handicap("左五枚落ち", "5_L", &[ROOK, BISHOP, S::SQ_2A, S::SQ_1A, S::SQ_9A], false),
    handicap("六枚落ち", "6", &[ROOK, BISHOP, S::SQ_2A, S::SQ_8A, S::SQ_1A, S::SQ_9A], true),
    handicap("右七枚落ち", "7_R", &[ROOK, BISHOP, S::SQ_7A, S::SQ_2A, S::SQ_8A, S::SQ_1A, S::SQ_9A], false),
    handicap("左七枚落ち", "7_L", &[ROOK, BISHOP, S::SQ_3A, S::SQ_2A, S::SQ_8A, S::SQ_1A, S::SQ_9A], false),
    handicap(
        "八枚落ち",
        "8",
        &[ROOK, BISHOP, S::SQ_3A, S::SQ_7A, S::SQ_2A, S::SQ_8A, S::SQ_1A, S::SQ_9A],
        true,
    ),
    handicap(
        "十枚落ち",
        "10",
        &[ROOK, BISHOP, S::SQ_4A, S::SQ_6A, S::SQ_3A, S::SQ_7A, S::SQ_2A, S::SQ_8A, S::SQ_1A, S::SQ_9A],
        true,
    ),
];

impl Handicap {
    /// The start position. White is to move, except in the even game.
    pub fn setup(&self) -> Setup {
        let mut setup = Setup::START;
        for &square in self.off {
            setup.clear(square);
        }
        setup.set_side_to_move(if self.off.is_empty() { Color::Black } else { Color::White });
        setup
    }

    /// The handicap with a name of KIF files.
    pub fn from_name(name: &str) -> Option<&'static Handicap> {
        HANDICAPS.iter().find(|handicap| handicap.name == name)
    }

    /// The handicap with a preset of JKF files.
    pub fn from_preset(preset: &str) -> Option<&'static Handicap> {
        HANDICAPS.iter().find(|handicap| handicap.preset == preset)
    }

    /// The handicap with exactly this position: board, empty hands and side to move.
    pub fn of_setup(setup: &Setup) -> Option<&'static Handicap> {
        // Most games are even, and the even game is first, so no other position is built for them.
        HANDICAPS.iter().find(|handicap| handicap.setup() == *setup)
    }

    /// The squares to list after CSA's `PI`; `None` if other programs draw the board.
    pub(crate) fn csa_squares(&self) -> Option<&'static [Square]> {
        self.has_csa_form.then_some(self.off)
    }
}
