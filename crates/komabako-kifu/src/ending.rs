//! [`Ending`]: the end of a line of a game, its winner, and its names in each format.

use alloc::borrow::{Cow, ToOwned};
use alloc::string::String;

use komabako_board::{Color, color};

/// The end of a line.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Ending {
    /// 投了: the side to move resigns.
    Resign,
    /// 中断, 封じ手: the game is not finished.
    Suspended,
    /// 千日手: the position occurred for the fourth time.
    Repetition,
    /// 持将棋: a draw by impasse.
    Impasse,
    /// 引き分け: a draw for another reason.
    Draw,
    /// A draw by the move limit.
    MaxMoves,
    /// 入玉勝ち: the side to move declares its win.
    DeclarationWin,
    /// 詰み: the side to move is mated.
    Mate,
    /// 不詰: the problem has no mate.
    NoMate,
    /// 切れ負け: the side to move ran out of time.
    TimeUp,
    /// 反則負け: the side to move broke the rules.
    Illegal,
    /// 反則勝ち: the side that moved last broke the rules.
    OpponentIllegal,
    /// 不戦勝: the side to move wins by default.
    WonByDefault,
    /// 不戦敗: the side to move loses by default.
    LostByDefault,
    /// Any other word.
    Other(String),
}

/// The outcome of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// This side won.
    Win(Color),
    /// A draw.
    Draw,
}

/// The endings for which KIF has a word; of several words the first is written.
const KIF_WORDS: [(&str, Ending); 15] = [
    ("投了", Ending::Resign),
    ("中断", Ending::Suspended),
    ("封じ手", Ending::Suspended),
    ("千日手", Ending::Repetition),
    ("持将棋", Ending::Impasse),
    ("入玉勝ち", Ending::DeclarationWin),
    ("詰み", Ending::Mate),
    ("詰", Ending::Mate),
    ("不詰", Ending::NoMate),
    ("切れ負け", Ending::TimeUp),
    ("反則負け", Ending::Illegal),
    ("反則勝ち", Ending::OpponentIllegal),
    ("不戦勝", Ending::WonByDefault),
    ("不戦敗", Ending::LostByDefault),
    ("引き分け", Ending::Draw),
];

/// The endings for which CSA has a name, except breaches of the rules.
const CSA_NAMES: [(&str, Ending); 10] = [
    ("TORYO", Ending::Resign),
    ("CHUDAN", Ending::Suspended),
    ("SENNICHITE", Ending::Repetition),
    ("JISHOGI", Ending::Impasse),
    ("HIKIWAKE", Ending::Draw),
    ("MAX_MOVES", Ending::MaxMoves),
    ("KACHI", Ending::DeclarationWin),
    ("TSUMI", Ending::Mate),
    ("FUZUMI", Ending::NoMate),
    ("TIME_UP", Ending::TimeUp),
];

/// The words that end USI text, said of the side to move; of several words the first is written.
const USI_WORDS: [(&str, Ending); 10] = [
    ("resign", Ending::Resign),
    ("win", Ending::DeclarationWin),
    ("rep_draw", Ending::Repetition),
    ("draw", Ending::Draw),
    ("max_moves", Ending::MaxMoves),
    ("timeout", Ending::TimeUp),
    ("time_up", Ending::TimeUp),
    ("illegal", Ending::Illegal),
    // The other side gave perpetual check, or this one.
    ("rep_win", Ending::OpponentIllegal),
    ("rep_lose", Ending::Illegal),
];

impl Ending {
    /// The outcome if `side` is to move; `None` if the game is not finished.
    pub fn outcome(&self, side: Color) -> Option<Outcome> {
        let other = color::opponent(side);
        match self {
            Ending::Resign | Ending::Mate | Ending::TimeUp | Ending::Illegal | Ending::LostByDefault => {
                Some(Outcome::Win(other))
            }
            Ending::DeclarationWin | Ending::OpponentIllegal | Ending::WonByDefault => {
                Some(Outcome::Win(side))
            }
            Ending::Repetition | Ending::Impasse | Ending::Draw | Ending::MaxMoves => Some(Outcome::Draw),
            Ending::Suspended | Ending::NoMate | Ending::Other(_) => None,
        }
    }

    /// Its word in KIF files. There 引き分け and a draw by the move limit are 持将棋.
    pub fn kif(&self) -> &str {
        match self {
            Ending::Draw | Ending::MaxMoves => "持将棋",
            Ending::Other(text) => text,
            known => KIF_WORDS.iter().find(|(_, ending)| ending == known).map_or("", |(word, _)| word),
        }
    }

    /// The ending named by a word of a KIF file.
    pub fn from_kif(word: &str) -> Ending {
        let known = KIF_WORDS.iter().find(|(known, _)| *known == word);
        known.map_or_else(|| Ending::Other(word.to_owned()), |(_, ending)| ending.clone())
    }

    /// The ending named by a known word of a KIF file.
    pub(crate) fn known_kif(word: &str) -> Option<Ending> {
        KIF_WORDS.iter().find(|(known, _)| *known == word).map(|(_, ending)| ending.clone())
    }

    /// Its name in CSA and JKF files, without `%`, if `side` is to move; `None` if they have no name for it.
    pub fn csa(&self, side: Color) -> Option<Cow<'_, str>> {
        match self {
            Ending::Illegal => Some("ILLEGAL_MOVE".into()),
            // The sign denotes the side that broke the rules: the side that is not to move.
            Ending::OpponentIllegal if side == Color::White => Some("+ILLEGAL_ACTION".into()),
            Ending::OpponentIllegal => Some("-ILLEGAL_ACTION".into()),
            Ending::WonByDefault | Ending::LostByDefault => None,
            Ending::Other(text) => {
                (Ending::from_csa(text, side) == *self && is_csa_name(text)).then(|| text.into())
            }
            known => CSA_NAMES.iter().find(|(_, ending)| ending == known).map(|&(name, _)| name.into()),
        }
    }

    /// The ending denoted by a name of a CSA or JKF file, without `%`, if `side` is to move.
    pub fn from_csa(name: &str, side: Color) -> Ending {
        let by = |offender| if offender == side { Ending::Illegal } else { Ending::OpponentIllegal };
        match name {
            "ILLEGAL_MOVE" => Ending::Illegal,
            "+ILLEGAL_ACTION" => by(Color::Black),
            "-ILLEGAL_ACTION" => by(Color::White),
            // json-kifu-format writes it for 反則勝ち.
            "ILLEGAL_ACTION" => Ending::OpponentIllegal,
            _ => {
                let known = CSA_NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
                known.map_or_else(|| Ending::Other(name.to_owned()), |(_, ending)| ending.clone())
            }
        }
    }

    /// Its word at the end of USI text, or `None` if USI has no word for it.
    pub fn usi(&self) -> Option<&'static str> {
        USI_WORDS.iter().find(|(_, ending)| ending == self).map(|&(word, _)| word)
    }

    /// The ending named by the last word of USI text.
    pub fn from_usi(word: &str) -> Option<Ending> {
        USI_WORDS.iter().find(|(known, _)| *known == word).map(|(_, ending)| ending.clone())
    }

    /// The text after `まで7手で` in a KI2 file, if `side` is to move.
    pub fn sentence(&self, side: Color) -> Cow<'_, str> {
        let (next, last) = (name_of(side), name_of(color::opponent(side)));
        match self {
            Ending::Resign => alloc::format!("{last}の勝ち").into(),
            Ending::TimeUp => alloc::format!("時間切れにより{last}の勝ち").into(),
            Ending::DeclarationWin => alloc::format!("{next}の入玉勝ち").into(),
            Ending::OpponentIllegal => alloc::format!("{next}の反則勝ち").into(),
            Ending::Illegal => alloc::format!("{next}の反則負け").into(),
            other => other.kif().into(),
        }
    }

    /// The ending denoted by a sentence without `まで` and the number of moves, if `side` is to move; and whether the
    /// winner or loser that it names agrees.
    ///
    /// A sentence that gives the win to the side to move without a reason is not a resignation: it is kept as
    /// [`Other`](Ending::Other).
    pub fn from_sentence(sentence: &str, side: Color) -> (Ending, bool) {
        let text: String = sentence.chars().filter(|c| !c.is_whitespace()).collect();
        let other = color::opponent(side);
        if let Some(rest) = text.strip_prefix("時間切れ") {
            let winner = rest.strip_prefix("により").unwrap_or(rest).strip_suffix("の勝ち").and_then(player);
            return (Ending::TimeUp, winner.is_none_or(|winner| winner == other));
        }
        // Whether this is `Illegal` or `OpponentIllegal` depends on the side to move.
        let offended = |offender| if offender == side { Ending::Illegal } else { Ending::OpponentIllegal };
        if let Some(winner) = text.strip_suffix("の反則勝ち").and_then(player) {
            return (offended(color::opponent(winner)), true);
        }
        if let Some(loser) = text.strip_suffix("の反則負け").and_then(player) {
            return (offended(loser), true);
        }
        for (suffix, ending, winner) in
            [("の入玉勝ち", Ending::DeclarationWin, side), ("の勝ち", Ending::Resign, other)]
        {
            match text.strip_suffix(suffix).and_then(player) {
                Some(named) if named == winner => return (ending, true),
                Some(_) => return (Ending::Other(text), false),
                None => {}
            }
        }
        (Ending::from_kif(&text), true)
    }
}

/// The side named in a sentence.
fn player(name: &str) -> Option<Color> {
    match name {
        "先手" | "下手" => Some(Color::Black),
        "後手" | "上手" => Some(Color::White),
        _ => None,
    }
}

/// The player's name in sentences.
const fn name_of(side: Color) -> &'static str {
    match side {
        Color::Black => "先手",
        Color::White => "後手",
    }
}

/// Whether text is allowed after `%`.
fn is_csa_name(text: &str) -> bool {
    !text.is_empty()
        && text.bytes().all(|byte| matches!(byte, b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'+' | b'-'))
}
