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
    /// 中断: the game is not finished.
    Suspended,
    /// 封じ手: the game is adjourned with a sealed move.
    Sealed,
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
const KIF_WORDS: [(&str, Ending); 34] = [
    ("投了", Ending::Resign),
    ("中断", Ending::Suspended),
    ("封じ手", Ending::Sealed),
    ("千日手", Ending::Repetition),
    ("持将棋", Ending::Impasse),
    ("入玉勝ち", Ending::DeclarationWin),
    ("入玉宣言勝ち", Ending::DeclarationWin),
    ("入玉宣言", Ending::DeclarationWin),
    ("入玉勝", Ending::DeclarationWin),
    ("宣言勝ち", Ending::DeclarationWin),
    ("宣言勝", Ending::DeclarationWin),
    ("詰み", Ending::Mate),
    ("詰", Ending::Mate),
    ("不詰", Ending::NoMate),
    ("不詰み", Ending::NoMate),
    ("切れ負け", Ending::TimeUp),
    ("時間切れ", Ending::TimeUp),
    ("時間切れ負け", Ending::TimeUp),
    ("time-up", Ending::TimeUp),
    ("反則負け", Ending::Illegal),
    ("反則負", Ending::Illegal),
    ("反則勝ち", Ending::OpponentIllegal),
    ("反則勝", Ending::OpponentIllegal),
    ("不戦勝", Ending::WonByDefault),
    ("不戦勝ち", Ending::WonByDefault),
    ("不戦敗", Ending::LostByDefault),
    ("不戦負け", Ending::LostByDefault),
    ("引き分け", Ending::Draw),
    ("引分け", Ending::Draw),
    ("引分", Ending::Draw),
    ("引き分", Ending::Draw),
    ("最大手数", Ending::MaxMoves),
    ("手数制限", Ending::MaxMoves),
    ("最大手数超過", Ending::MaxMoves),
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
            Ending::Suspended | Ending::Sealed | Ending::NoMate => None,
            Ending::Other(text) => match Verdict::of(text) {
                Verdict::Win(winner) => Some(Outcome::Win(winner)),
                Verdict::Draw(_) => Some(Outcome::Draw),
                Verdict::Unfinished | Verdict::Unknown => None,
            },
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
        Ending::known_kif(word).unwrap_or_else(|| Ending::Other(word.to_owned()))
    }

    /// The ending named by a known word of a KIF file; 81Dojo writes both `time-up` and `Time-up`.
    pub(crate) fn known_kif(word: &str) -> Option<Ending> {
        let known = KIF_WORDS.iter().find(|(known, _)| known.eq_ignore_ascii_case(word));
        known.map(|(_, ending)| ending.clone())
    }

    /// Its name in CSA and JKF files, without `%`, if `side` is to move; `None` if they have no name for it.
    pub fn csa(&self, side: Color) -> Option<Cow<'_, str>> {
        match self {
            Ending::Illegal => Some("ILLEGAL_MOVE".into()),
            // The sign denotes the side that broke the rules: the side that is not to move.
            Ending::OpponentIllegal if side == Color::White => Some("+ILLEGAL_ACTION".into()),
            Ending::OpponentIllegal => Some("-ILLEGAL_ACTION".into()),
            Ending::Sealed | Ending::WonByDefault | Ending::LostByDefault => None,
            Ending::Other(text) => {
                (Ending::from_csa(text, side) == *self && is_csa_name(text)).then(|| text.into())
            }
            known => CSA_NAMES.iter().find(|(_, ending)| ending == known).map(|&(name, _)| name.into()),
        }
    }

    /// The ending denoted by a name of a CSA or JKF file, without `%`, if `side` is to move.
    pub fn from_csa(name: &str, side: Color) -> Ending {
        let by = |offender| if offender == side { Ending::Illegal } else { Ending::OpponentIllegal };
        match name.to_ascii_uppercase().as_str() {
            "ILLEGAL_MOVE" => Ending::Illegal,
            "+ILLEGAL_ACTION" => by(Color::Black),
            "-ILLEGAL_ACTION" => by(Color::White),
            // json-kifu-format writes it for 反則勝ち.
            "ILLEGAL_ACTION" => Ending::OpponentIllegal,
            capital => {
                let known = CSA_NAMES.iter().find(|(known, _)| *known == capital);
                known.map_or_else(|| Ending::Other(name.to_owned()), |(_, ending)| ending.clone())
            }
        }
    }

    /// The length of the known name of an ending at the start of CSA text, or 0.
    pub(crate) fn length_of_csa(text: &str) -> usize {
        const FOULS: [&str; 4] = ["ILLEGAL_MOVE", "ILLEGAL_ACTION", "+ILLEGAL_ACTION", "-ILLEGAL_ACTION"];
        let mut names = CSA_NAMES.iter().map(|&(name, _)| name).chain(FOULS);
        let is_start =
            |name: &&str| text.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
        names.find(is_start).map_or(0, str::len)
    }

    /// Whether it is a word of no known meaning; CSA names these two, which have no result.
    pub(crate) fn is_unknown(&self) -> bool {
        matches!(self, Ending::Other(name) if !matches!(name.as_str(), "ERROR" | "MATTA"))
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
        let next = name_of(side);
        let last = name_of(color::opponent(side));
        match self {
            Ending::Resign => alloc::format!("{last}の勝ち").into(),
            Ending::TimeUp => alloc::format!("時間切れにより{last}の勝ち").into(),
            Ending::DeclarationWin => alloc::format!("{next}の入玉勝ち").into(),
            Ending::OpponentIllegal => alloc::format!("{next}の反則勝ち").into(),
            Ending::Illegal => alloc::format!("{next}の反則負け").into(),
            other => other.kif().into(),
        }
    }

    /// The ending denoted by a word of a KIF file or by a sentence without `まで` and the number of moves, if `side` is to
    /// move; and whether it is understood, and the winner that it names may have won there.
    ///
    /// The sentence decides: if no ending has this winner for this reason, it is kept as [`Other`](Ending::Other), whose
    /// outcome is the winner that it names.
    ///
    /// ```
    /// use komabako_board::Color;
    /// use komabako_kifu::{Ending, Outcome};
    /// let (ending, agrees) = Ending::from_sentence("時間切れにより先手の勝ち", Color::White);
    /// assert_eq!((ending, agrees), (Ending::TimeUp, true));
    /// let (ending, agrees) = Ending::from_sentence("先手の入玉勝ち", Color::White);
    /// assert_eq!((ending.outcome(Color::White), agrees), (Some(Outcome::Win(Color::Black)), true));
    /// ```
    pub fn from_sentence(sentence: &str, side: Color) -> (Ending, bool) {
        let text: String = sentence.chars().filter(|c| !c.is_whitespace()).collect();
        if let Some(known) = Ending::known_kif(&text) {
            return (known, true);
        }
        let winner = match Verdict::of(&text) {
            Verdict::Win(winner) => winner,
            Verdict::Draw(draw) => return (draw, true),
            Verdict::Unfinished => return (Ending::Other(text), true),
            Verdict::Unknown => {
                // `時間切れにより終局`
                let word = CLOSINGS.iter().find_map(|closing| text.strip_suffix(closing));
                return match word.and_then(Ending::known_kif) {
                    Some(known) => (known, true),
                    None => (Ending::Other(text), false),
                };
            }
        };
        let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
        let wins_to_move = winner == side;
        let ending = if has(&["反則", "王手"]) {
            if wins_to_move { Ending::OpponentIllegal } else { Ending::Illegal }
        } else if has(&["不戦"]) {
            if wins_to_move { Ending::WonByDefault } else { Ending::LostByDefault }
        } else if has(&["入玉", "宣言"]) && wins_to_move && !is_refused(&text) {
            Ending::DeclarationWin
        } else if has(&["時間切れ", "切れ負け"]) && !wins_to_move {
            Ending::TimeUp
        } else if has(&["詰"]) && !wins_to_move {
            Ending::Mate
        } else if (has(&["投了"]) || is_bare_result(&text)) && !wins_to_move {
            Ending::Resign
        } else {
            return (Ending::Other(text), !wins_to_move);
        };
        (ending, true)
    }

    /// The ending that this word means if it is said of a side that is not to move, where `side` is: who is named
    /// decides.
    pub(crate) fn said_of(&self, named: Color, side: Color) -> Ending {
        match self.outcome(side) {
            Some(Outcome::Win(_)) => Ending::from_sentence(&[name_of(named), self.kif()].concat(), side).0,
            _ => self.clone(),
        }
    }

    /// The ending that a comment names: `反則手にて終局`. The illegal move may be one that the reader refused.
    pub(crate) fn from_comment(comment: &str, is_illegal: bool) -> Option<Ending> {
        let reason = comment.trim().strip_suffix("にて終局")?;
        match reason {
            "反則手" | "反則" if is_illegal => Some(Ending::Illegal),
            "反則手" | "反則" => Some(Ending::OpponentIllegal),
            "接続切れ" | "切断" => Some(Ending::Other(reason.to_owned())),
            _ => Ending::known_kif(reason),
        }
    }
}

/// The names of the sides in sentences.
const PLAYERS: [(&str, Color); 4] =
    [("先手", Color::Black), ("下手", Color::Black), ("後手", Color::White), ("上手", Color::White)];

/// What may follow the reason in a sentence that names no side.
const CLOSINGS: [&str; 8] =
    ["にて終局", "により終局", "による終局", "のため終局", "で終局", "により終了", "で終了", "成立"];

/// What a sentence says of the result.
enum Verdict {
    Win(Color),
    Draw(Ending),
    Unfinished,
    Unknown,
}

impl Verdict {
    /// Whoever is named as winner or loser decides, then a draw, then what only a winner or a loser does.
    fn of(text: &str) -> Self {
        let text = text.trim_end_matches('。');
        // `先手の反則勝ち（後手の二歩）`: the reason decides only if the rest does not.
        let main = text.strip_suffix([')', '）']).and_then(|rest| Some(&rest[..rest.rfind(['(', '（'])?]));
        match Verdict::of_part(main.unwrap_or(text)) {
            Verdict::Unknown if main.is_some() => Verdict::of_part(text),
            verdict => verdict,
        }
    }

    fn of_part(text: &str) -> Self {
        // Both sides: no one is named.
        let is_of_both = says(text, &["とも", "両者", "双方", "両対局者"]);
        let find =
            |decide: fn(&str) -> Option<bool>| if is_of_both { None } else { find_winner(text, decide) };
        if let Some(winner) = find(wins_or_loses) {
            return Verdict::Win(winner);
        }
        let is_draw = says(text, &["引き分", "引分", "無勝負"]);
        if !is_draw && ["中断", "指し掛け", "打ち掛け", "無効試合"].iter().any(|word| text.contains(word))
        {
            return Verdict::Unfinished;
        }
        let is_foul = text.contains("反則") || text.contains("王手");
        let draw = if says(text, &["千日手"]) && !is_foul {
            Ending::Repetition
        } else if says(text, &["持将棋"]) {
            Ending::Impasse
        } else if says(text, &["最大手数", "手数制限"]) {
            Ending::MaxMoves
        } else if is_draw {
            Ending::Draw
        } else {
            return find(acts).map_or(Verdict::Unknown, Verdict::Win);
        };
        Verdict::Draw(draw)
    }
}

/// Whether text says one of the words, and does not take it back.
fn says(text: &str, words: &[&str]) -> bool {
    const DOUBTS: [&str; 7] = ["ならず", "できず", "せず", "ない", "拒否", "打開", "回避"];
    let is_doubtful = |text: &str| is_refused(text) || DOUBTS.iter().any(|doubt| text.contains(doubt));
    words.iter().any(|word| {
        let rest = text.match_indices(word).last().map(|(at, _)| &text[at + word.len()..]);
        // `勝ち目`, `反則なし`
        rest.is_some_and(|rest| {
            !["目", "筋", "なし"].iter().any(|end| rest.starts_with(end)) && !is_doubtful(rest)
        })
    })
}

/// The winner by what the text says of a side after its name, of the last name first: `Some(true)` if that side wins.
fn find_winner(text: &str, decide: fn(&str) -> Option<bool>) -> Option<Color> {
    let mut end = text.len();
    for (hand, _) in text.rmatch_indices('手') {
        let Some((at, first)) = text[..hand].char_indices().next_back() else { continue };
        let color = match first {
            '先' | '下' => Color::Black,
            '後' | '上' => Color::White,
            _ => continue,
        };
        if let Some(wins) = decide(&text[hand + '手'.len_utf8()..end]) {
            return Some(if wins { color } else { color::opponent(color) });
        }
        end = at;
    }
    None
}

/// Whether words say that a side wins or loses.
fn wins_or_loses(text: &str) -> Option<bool> {
    if says(text, &["負け", "敗北", "投了"])
        || text.ends_with(['負', '敗']) && !text.ends_with("勝負") && !text.ends_with("失敗")
    {
        Some(false)
    } else if says(text, &["勝ち", "勝利"]) || text.ends_with('勝') && !text.ends_with("必勝") {
        Some(true)
    } else {
        None
    }
}

/// Whether text says that something, such as a declaration, was refused or failed.
fn is_refused(text: &str) -> bool {
    let words = ["不成立", "認められず", "認められな", "認めず", "却下", "失敗", "無効"];
    words.iter().any(|word| text.contains(word))
}

/// Whether words name what only a winner or a loser does.
fn acts(text: &str) -> Option<bool> {
    let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
    let declares = has(&["入玉", "宣言"]);
    if declares && is_refused(text) || says(text, &["反則", "切れ", "切断"]) {
        Some(false)
    } else if declares
        && ["入玉", "宣言", "宣言法", "宣言成立", "宣言が成立"].iter().any(|end| text.ends_with(end))
    {
        Some(true)
    } else {
        None
    }
}

/// Whether a sentence only names a winner or loser: `先手の勝ち`.
fn is_bare_result(text: &str) -> bool {
    let rest = PLAYERS.iter().find_map(|(name, _)| text.strip_prefix(name));
    let rest = rest.map(|rest| rest.strip_prefix('の').unwrap_or(rest));
    let rest = rest.map(|rest| rest.strip_suffix("となりました").unwrap_or(rest));
    rest.is_some_and(|rest| matches!(rest, "勝ち" | "勝" | "勝利" | "負け" | "負" | "敗北"))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_name_ending_and_winner() {
        let black = Outcome::Win(Color::Black);
        let white = Outcome::Win(Color::White);
        for (sentence, side, ending, outcome) in [
            ("先手の勝ち", Color::White, Some(Ending::Resign), Some(black)),
            ("先手の勝ち", Color::Black, None, Some(black)),
            ("上手の勝ち", Color::Black, Some(Ending::Resign), Some(white)),
            ("後手の投了により先手の勝ち", Color::White, Some(Ending::Resign), Some(black)),
            ("後手投了", Color::White, Some(Ending::Resign), Some(black)),
            ("時間切れにより先手の勝ち", Color::White, Some(Ending::TimeUp), Some(black)),
            ("後手の時間切れ負け", Color::White, Some(Ending::TimeUp), Some(black)),
            ("先手の時間切れ", Color::White, None, Some(white)),
            ("時間切れ", Color::White, Some(Ending::TimeUp), Some(black)),
            ("後手の反則負け", Color::White, Some(Ending::Illegal), Some(black)),
            ("後手の反則により先手の勝ち", Color::Black, Some(Ending::OpponentIllegal), Some(black)),
            ("先手の反則勝ち", Color::Black, Some(Ending::OpponentIllegal), Some(black)),
            ("王手千日手で下手の負け", Color::Black, Some(Ending::Illegal), Some(white)),
            ("先手の入玉勝ち", Color::Black, Some(Ending::DeclarationWin), Some(black)),
            ("先手の入玉勝ち", Color::White, None, Some(black)),
            ("入玉宣言", Color::White, Some(Ending::DeclarationWin), Some(white)),
            ("詰みにより先手の勝ち", Color::White, Some(Ending::Mate), Some(black)),
            ("後手の不戦敗", Color::Black, Some(Ending::WonByDefault), Some(black)),
            ("後手の切断", Color::Black, None, Some(black)),
            ("切断", Color::Black, None, None),
            ("引き分け", Color::Black, Some(Ending::Draw), Some(Outcome::Draw)),
            ("最大手数", Color::Black, Some(Ending::MaxMoves), Some(Outcome::Draw)),
            ("封じ手", Color::Black, Some(Ending::Sealed), None),
            ("先手の優勢で中断", Color::Black, None, None),
            // A declaration that is refused loses; words of a draw or of a break decide over what a side did.
            ("先手の入玉宣言が不成立", Color::Black, None, Some(white)),
            ("先手の入玉勝ち宣言不成立", Color::Black, None, Some(white)),
            ("先手の宣言は認められず", Color::Black, None, Some(white)),
            ("先手の宣言失敗", Color::White, None, Some(white)),
            ("先手の宣言は不成立、後手の勝ち", Color::Black, None, Some(white)),
            ("先手の入玉宣言", Color::Black, Some(Ending::DeclarationWin), Some(black)),
            ("先手の入玉宣言が成立", Color::Black, Some(Ending::DeclarationWin), Some(black)),
            ("先手の入玉により引き分け", Color::Black, Some(Ending::Draw), Some(Outcome::Draw)),
            ("先手宣言、引き分け", Color::Black, Some(Ending::Draw), Some(Outcome::Draw)),
            ("先手後手とも入玉、持将棋", Color::Black, Some(Ending::Impasse), Some(Outcome::Draw)),
            ("先手の切断により無勝負", Color::Black, Some(Ending::Draw), Some(Outcome::Draw)),
            ("先手の切断により中断", Color::Black, None, None),
            ("先手の時間切れにより中断", Color::Black, None, None),
            ("先手必勝", Color::White, None, None),
            ("後手に勝ち目なし", Color::White, None, None),
            ("先手に勝ち筋", Color::White, None, None),
            ("反則なし", Color::White, None, None),
            ("先手の入玉模様", Color::White, None, None),
            ("先手後手ともに負け", Color::White, None, None),
            ("先手の勝ちは認められず", Color::White, None, None),
            ("先手の作戦失敗", Color::White, None, None),
            ("先手の反則により無効試合", Color::White, None, None),
            ("先手の入玉宣言法による勝ち", Color::Black, Some(Ending::DeclarationWin), Some(black)),
            ("先手の勝ち（後手の時間切れ）", Color::White, Some(Ending::TimeUp), Some(black)),
            ("先手の反則（二歩）", Color::White, Some(Ending::OpponentIllegal), Some(white)),
            ("千日手指し直し", Color::Black, Some(Ending::Repetition), Some(Outcome::Draw)),
            ("先手の勝ちならず", Color::White, None, None),
            ("時間切れ引き分け", Color::Black, Some(Ending::Draw), Some(Outcome::Draw)),
            ("時間切れ勝ち", Color::Black, None, None),
            ("時間切れ後に指し継ぎ", Color::Black, None, None),
            ("時間切れにより終局", Color::Black, Some(Ending::TimeUp), Some(white)),
            ("先手の時間切れ勝ち", Color::White, Some(Ending::TimeUp), Some(black)),
            ("千日手により引き分け", Color::Black, Some(Ending::Repetition), Some(Outcome::Draw)),
            ("千日手成立", Color::Black, Some(Ending::Repetition), Some(Outcome::Draw)),
            ("千日手不成立", Color::Black, None, None),
            ("連続王手の千日手", Color::Black, None, None),
            ("規定により引き分け", Color::Black, Some(Ending::Draw), Some(Outcome::Draw)),
            ("最大手数により引き分け", Color::Black, Some(Ending::MaxMoves), Some(Outcome::Draw)),
            ("持将棋で引き分け", Color::Black, Some(Ending::Impasse), Some(Outcome::Draw)),
            ("先手の反則勝ち（後手の二歩）", Color::Black, Some(Ending::OpponentIllegal), Some(black)),
            ("先手の勝ち、後手は無念", Color::White, None, Some(black)),
        ] {
            let (found, _) = Ending::from_sentence(sentence, side);
            assert_eq!(found, ending.unwrap_or_else(|| Ending::Other(sentence.to_owned())), "{sentence}");
            assert_eq!(found.outcome(side), outcome, "{sentence}");
            // The written sentence is read as the same outcome.
            let again = Ending::from_sentence(&found.sentence(side), side).0;
            assert_eq!(again.outcome(side), outcome, "{sentence}");
        }
    }
}
