//! Handicaps (手合割): their names, JKF presets and positions.

use alloc::string::String;
use alloc::vec::Vec;

use komabako_board::{Color, Setup, Square, sfen};

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

/// The start positions whose names are written, the even game first.
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

/// Names that are read but not written, since few programs know them, and their positions: those of lishogi. In the
/// games with 得 the pieces taken off are in Black's hand.
const READ_ONLY: [(&str, &str); 13] = [
    ("歩三兵", "4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w 3p"),
    ("裸玉", "4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w -"),
    ("トンボ＋桂香", "ln2k2nl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w -"),
    ("トンボ＋香", "l3k3l/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w -"),
    ("トンボ", "4k4/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w -"),
    ("香得", "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w L"),
    ("角得", "lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w B"),
    ("飛車得", "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w R"),
    ("飛香得", "lnsgkgsn1/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w RL"),
    ("二枚得", "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w RB"),
    ("四枚得", "1nsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w RB2L"),
    ("六枚得", "2sgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w RB2N2L"),
    ("八枚得", "3gkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w RB2S2N2L"),
];

/// Other names of handicaps, without 落ち. Several programs and lishogi call 右七枚落ち 七枚落ち.
const OTHER_NAMES: [(&str, &str); 16] = [
    ("左香", "香"),
    ("香車", "香"),
    ("左香車", "香"),
    ("右香車", "右香"),
    ("角行", "角"),
    ("飛", "飛車"),
    ("飛車香", "飛香"),
    ("飛車香車", "飛香"),
    ("飛角", "二枚"),
    ("飛車角", "二枚"),
    ("飛車角行", "二枚"),
    ("右五枚", "五枚"),
    ("七枚", "右七枚"),
    ("トンボ桂香", "トンボ＋桂香"),
    ("トンボ香", "トンボ＋香"),
    ("飛得", "飛車得"),
];

/// The start position with a name of KIF files: one of [`HANDICAPS`], of lishogi's list (`裸玉`, `トンボ`, `二枚得`), or a
/// short form of these (`香落`, `飛`, `2枚落ち`). `None` if the name is unknown.
///
/// ```
/// use komabako_kifu::handicap;
/// assert_eq!(handicap::position("飛香"), handicap::position("飛香落ち"));
/// assert_eq!(handicap::position("平 手"), handicap::position("平手"));
/// assert_eq!(handicap::position("九枚落ち"), None);
/// assert_eq!(handicap::similar_names("八枚おち")[0], "八枚落ち");
/// ```
pub fn position(name: &str) -> Option<Setup> {
    if let Some(handicap) = Handicap::from_name(name) {
        return Some(handicap.setup());
    }
    let plain = plain(name);
    let plain = OTHER_NAMES.iter().find(|(other, _)| *other == plain).map_or(&*plain, |(_, known)| known);
    let known = HANDICAPS
        .iter()
        .find(|handicap| plain == handicap.name.strip_suffix("落ち").unwrap_or(handicap.name));
    known.map(Handicap::setup).or_else(|| {
        let (_, text) = READ_ONLY.iter().find(|(name, _)| *name == plain)?;
        sfen::parse(text).ok().map(|sfen| sfen.setup)
    })
}

/// A name without blanks and 落ち, with kanji for digits.
fn plain(name: &str) -> String {
    let plain = |c: char| match c {
        '0'..='9' => "〇一二三四五六七八九".chars().nth(c as usize - '0' as usize).unwrap_or(c),
        '０'..='９' => "〇一二三四五六七八九".chars().nth(c as usize - '０' as usize).unwrap_or(c),
        '+' => '＋',
        other => other,
    };
    let name: String = name.chars().filter(|c| !c.is_whitespace()).map(plain).collect();
    // 10枚
    let name = name.replace("一〇枚", "十枚");
    let end = ["落ち", "落", "おち", "オチ"].iter().find_map(|end| name.strip_suffix(end));
    end.unwrap_or(&name).into()
}

/// The three known names that are most similar to an unknown one.
pub fn similar_names(name: &str) -> Vec<&'static str> {
    let known = HANDICAPS.iter().map(|handicap| handicap.name);
    let mut names: Vec<(usize, &str)> = Vec::new();
    for known in known.chain(READ_ONLY.iter().map(|(name, _)| *name)) {
        let distance = distance(&plain(known), &plain(name));
        names.insert(names.partition_point(|&(other, _)| other <= distance), (distance, known));
        names.truncate(3);
    }
    names.into_iter().map(|(_, name)| name).collect()
}

/// The number of characters to insert, remove or replace to make one name of another.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.chars().count()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = core::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.chars().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.chars().count()]
}

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

    /// The handicap with exactly this name, as it is written; see [`position`] for all names that are read.
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
