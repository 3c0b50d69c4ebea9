//! [`Score`]: the value of a position that a program wrote into a comment (`spec/kifu.md` §8).

use alloc::string::String;

use komabako_board::Color;

use crate::search::Search;

/// The greatest score of a record. A mate in n plies is this minus n; larger scores are clamped.
pub const MAX_SCORE: i32 = 32_000;

/// The value of a position, as stated in a comment.
///
/// Comments keep scores verbatim, so every format with comments also keeps scores; this type reads them.
///
/// ```
/// use komabako_board::Color;
/// use komabako_kifu::{About, Score, ScoreView};
/// // Of floodgate's CSA files: `'** -46 -6232HI`.
/// let score = Score::from_comment("* -46 -6232HI").unwrap();
/// assert_eq!(score.about, About::Before);
/// assert_eq!(score.for_side(Color::White, Color::White, ScoreView::Mover), (46, false));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Score {
    /// The position that it evaluates.
    pub about: About,
    /// The value.
    pub value: ScoreValue,
    /// The side from whose view the value is; `None` if that is a setting of the program.
    pub view: Option<ScoreView>,
}

/// The position that a score evaluates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum About {
    /// The position before the commented move: the player's own evaluation.
    Before,
    /// The position after that move: an analysis.
    After,
}

/// The value of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScoreValue {
    /// A number in hundredths of a pawn, or in the program's unit.
    Number(i32),
    /// A mate.
    Mate {
        /// Whether the side from whose view the value is mates, and is not mated.
        wins: bool,
        /// The number of moves of both sides to the mate; 0 if unknown.
        plies: u32,
    },
}

/// The side from whose view the numbers are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ScoreView {
    /// Black's view: positive is good for Black.
    #[default]
    Black,
    /// The view of the side that made the commented move.
    Mover,
}

impl Score {
    /// Reads the score in a comment line, in one of the forms of floodgate, `ShogiHome`, `ShogiGUI`, 棋神アナリティクス,
    /// K-Shogi, lishogi and `AobaZero`, whose win rate `v` is the score 600 · ln(v / (1 − v)).
    pub fn from_comment(line: &str) -> Option<Score> {
        let score = |about, view| move |value| Score { about, value, view: Some(view) };
        let before = score(About::Before, ScoreView::Black);
        let after = score(About::After, ScoreView::Black);
        let marked = match line.split_at_checked(1) {
            Some(("*", rest)) => {
                floodgate(rest).or_else(|| shogi_home(rest)).map(before).or_else(|| shogi_gui(rest))
            }
            Some(("#", rest)) => shogi_home(rest).or_else(|| k_shogi(rest)).map(after),
            _ => {
                let number = Search::read(line).and_then(|search| search.score());
                number.map(ScoreValue::Number).map(score(About::Before, ScoreView::Mover))
            }
        };
        // lishogi's may be anywhere in a comment, so it is looked for last.
        marked.or_else(|| lishogi(line).map(after))
    }

    /// The score from the view of `side`, clamped to ±[`MAX_SCORE`], and whether it was clamped. `mover` is the side that
    /// made the commented move, `setting` the view of scores whose program lets its user choose it.
    pub fn for_side(&self, side: Color, mover: Color, setting: ScoreView) -> (i16, bool) {
        let value = match self.value {
            ScoreValue::Number(number) => i64::from(number),
            ScoreValue::Mate { wins, plies } => {
                let value = (i64::from(MAX_SCORE) - i64::from(plies)).max(0);
                if wins { value } else { -value }
            }
        };
        let exact = if self.viewer(mover, setting) == side { value } else { -value };
        let clamped = exact.clamp(-i64::from(MAX_SCORE), MAX_SCORE.into());
        (clamped as i16, clamped != exact)
    }

    /// The side from whose view the value is, with the same parameters.
    pub fn viewer(&self, mover: Color, setting: ScoreView) -> Color {
        match self.view.unwrap_or(setting) {
            ScoreView::Black => Color::Black,
            ScoreView::Mover => mover,
        }
    }
}

/// Reads ` 123 +2726FU -8384FU #456`. Comments by people may also start with a star, so the first word after the number must be
/// a move, an ending or a count; programs differ in what follows it.
fn floodgate(text: &str) -> Option<ScoreValue> {
    let mut words = text.strip_prefix(' ')?.split_ascii_whitespace();
    let value = number(words.next()?)?;
    let is_known = match words.next().map(str::as_bytes) {
        None | Some([b'%', b'A'..=b'Z', ..]) => true,
        // The next move may follow without a blank.
        Some([b'+' | b'-', squares @ ..]) if squares.len() >= 6 => {
            squares[..4].iter().all(u8::is_ascii_digit) && squares[4..6].iter().all(u8::is_ascii_uppercase)
        }
        Some([b'#', count @ ..]) => count.iter().all(u8::is_ascii_digit),
        Some([b'1'..=b'9', b'a'..=b'i', b'1'..=b'9', b'a'..=b'i', rest @ ..]) => matches!(rest, [] | [b'+']),
        Some([b'A'..=b'Z', b'*', b'1'..=b'9', b'a'..=b'i']) => true,
        _ => false,
    };
    if is_known { Some(ScoreValue::Number(value)) } else { None }
}

/// Reads `評価値=123`, `詰み=先手勝ち:7手`.
fn shogi_home(text: &str) -> Option<ScoreValue> {
    if let Some(value) = text.strip_prefix("評価値=") {
        return number(value.trim()).map(ScoreValue::Number);
    }
    let mate = text.strip_prefix("詰み=")?;
    let (wins, rest) = match mate.strip_prefix("先手勝ち") {
        Some(rest) => (true, rest),
        None => (false, mate.strip_prefix("後手勝ち")?),
    };
    let plies = rest.strip_prefix(':').and_then(|rest| rest.trim().strip_suffix('手'));
    Some(ScoreValue::Mate { wins, plies: plies.and_then(|plies| plies.parse().ok()).unwrap_or(0) })
}

/// Reads `対局 … 評価値 123 …`, `解析 … 評価値 -1.5↑ …`, `Analysis … Eval 123 …` (or `Value`), `… 評価値 +詰 7 …`, and
/// 棋神アナリティクス' ` Engine … 評価値 -47 …`.
fn shogi_gui(text: &str) -> Option<Score> {
    const OF_PLAYER: [&str; 4] = ["対局", "Game", "Match", "Play"];
    const OF_ANALYSIS: [&str; 5] = ["解析", "検討", "Analysis", "Consider", " "];
    let starts = |words: &[&str]| words.iter().any(|word| text.starts_with(word));
    let about = match (starts(&OF_PLAYER), starts(&OF_ANALYSIS)) {
        (true, _) => About::Before,
        (_, true) => About::After,
        _ => return None,
    };
    // The second-best move and so on: not the value of the position.
    let is_other = |(_, rest): (&str, &str)| {
        let rank = rest.split([' ', '　']).next();
        rank.and_then(number).is_some_and(|rank| rank > 1)
    };
    if ["候補", " Rank"].iter().any(|key| text.split_once(key).is_some_and(is_other)) {
        return None;
    }
    let rest = [" 評価値", " Eval", " Value"].iter().find_map(|key| {
        let (_, rest) = text.split_once(key)?;
        rest.starts_with(['=', ':', ' ', '　']).then_some(rest)
    })?;
    let mut words =
        rest.trim_start_matches(['=', ':', ' ', '　']).split([' ', '　']).filter(|word| !word.is_empty());
    let word = words.next()?.trim_end_matches(['↑', '↓']);
    let value = match word.split_once("詰").or_else(|| word.split_once("Mate")) {
        Some((sign @ ("+" | "-" | ""), plies)) => {
            let plies = plies.trim_start_matches(':');
            let plies = if plies.is_empty() { words.next().unwrap_or_default() } else { plies };
            ScoreValue::Mate { wins: sign != "-", plies: plies.trim_end_matches('手').parse().unwrap_or(0) }
        }
        _ => ScoreValue::Number(number(word)?),
    };
    // 棋神アナリティクス has no such setting.
    let view = if text.starts_with(' ') { Some(ScoreView::Black) } else { None };
    Some(Score { about, value, view })
}

/// Reads `[%eval 1.2]`, in pawns, and `[%eval #-5]`, a mate.
fn lishogi(text: &str) -> Option<ScoreValue> {
    // The search for text, which is prepared anew for each comment, took 5 % of converting a game.
    if !text.contains('[') {
        return None;
    }
    let (_, rest) = text.split_once("[%eval ")?;
    let (value, _) = rest.split_once(']')?;
    // A depth may follow.
    let value = value.split([',', ' ']).next().unwrap_or_default();
    if let Some(mate) = value.strip_prefix('#') {
        let plies: i32 = mate.parse().ok()?;
        return Some(ScoreValue::Mate { wins: !mate.starts_with('-'), plies: plies.unsigned_abs() });
    }
    let (whole, decimals) = value.split_once('.').unwrap_or((value, ""));
    // Two decimals as a whole number: hundredths of a pawn.
    let mut hundredths = String::from(whole);
    hundredths.extend(decimals.chars().chain("00".chars()).take(2));
    let is_number =
        whole.ends_with(|c: char| c.is_ascii_digit()) && decimals.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { number(&hundredths).map(ScoreValue::Number) } else { None }
}

/// Reads `形勢[12]`, `指し手[12]`.
fn k_shogi(text: &str) -> Option<ScoreValue> {
    let rest = text.strip_prefix("形勢[").or_else(|| text.strip_prefix("指し手["))?;
    number(rest.split_once(']')?.0).map(ScoreValue::Number)
}

/// Reads a number with an optional sign and decimals, which are truncated; numbers beyond 32 bits saturate.
fn number(text: &str) -> Option<i32> {
    let (is_negative, digits) = match text.as_bytes() {
        [sign @ (b'+' | b'-'), digits @ ..] => (*sign == b'-', digits),
        digits => (false, digits),
    };
    let length = digits.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (whole, rest) = digits.split_at(length);
    let decimals = rest.strip_prefix(b".").unwrap_or(rest);
    if whole.is_empty() || !decimals.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let value = whole
        .iter()
        .fold(0_i32, |value, digit| value.saturating_mul(10).saturating_add(i32::from(digit - b'0')));
    Some(if is_negative { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_read_from_comments_of_known_programs() {
        let mate = |wins, plies| ScoreValue::Mate { wins, plies };
        for (line, about, value) in [
            ("* 123 +2726FU -8384FU #456", About::Before, ScoreValue::Number(123)),
            ("* -40", About::Before, ScoreValue::Number(-40)),
            ("* 100 -3334FU what", About::Before, ScoreValue::Number(100)),
            ("* 90 +2726FU %PASS", About::Before, ScoreValue::Number(90)),
            ("* 0 %TORYO", About::Before, ScoreValue::Number(0)),
            ("* 106 2g2f 8c8d", About::Before, ScoreValue::Number(106)),
            ("* -106 8h2b+", About::Before, ScoreValue::Number(-106)),
            ("* 7 P*5e", About::Before, ScoreValue::Number(7)),
            ("* 80 -8485FU+2524FU", About::Before, ScoreValue::Number(80)),
            ("* 80 #12 -8485FU", About::Before, ScoreValue::Number(80)),
            ("*評価値=123", About::Before, ScoreValue::Number(123)),
            ("*詰み=先手勝ち:7手", About::Before, mate(true, 7)),
            ("#評価値=-50", About::After, ScoreValue::Number(-50)),
            ("#詰み=後手勝ち", About::After, mate(false, 0)),
            (
                "*対局 時間 00:05.0 深さ 20/30 評価値 -123↑ 読み筋 ▲７六歩",
                About::Before,
                ScoreValue::Number(-123),
            ),
            ("*解析 0 候補1 評価値 1.5 読み筋", About::After, ScoreValue::Number(1)),
            ("*解析 評価値 -詰 7 読み筋", About::After, mate(false, 7)),
            ("#形勢[12]", About::After, ScoreValue::Number(12)),
            ("v=0.455,800,3334FU,700", About::Before, ScoreValue::Number(-108)),
            ("#指し手[-3]", About::After, ScoreValue::Number(-3)),
            (
                "*Analysis 0 Time 00:01.0 Depth 10/17 Nodes 49691 Eval -34 PV ☖3d",
                About::After,
                ScoreValue::Number(-34),
            ),
            ("*Analysis 0 Depth 10 Eval +Mate:7 PV", About::After, mate(true, 7)),
            ("*Game Time 00:01.0 Depth 10 Eval 34 PV", About::Before, ScoreValue::Number(34)),
            ("*Game Time 00:01.0 Depth 10 Value -50", About::Before, ScoreValue::Number(-50)),
            ("*Analysis 0 Rank1 Depth 10 Value 123 Moves ☖3d", About::After, ScoreValue::Number(123)),
            (
                "* Engine suisho 候補1 深さ 13/19 評価値 -47 読み筋 △３四歩(33)",
                About::After,
                ScoreValue::Number(-47),
            ),
            (" [%eval 0.56]", About::After, ScoreValue::Number(56)),
            ("[%clk 0:01] [%eval -1.2,20] 悪手", About::After, ScoreValue::Number(-120)),
            ("[%eval -0.05]", About::After, ScoreValue::Number(-5)),
            ("[%eval 12]", About::After, ScoreValue::Number(1200)),
            ("[%eval #-5]", About::After, mate(false, 5)),
            ("[%eval #3]", About::After, mate(true, 3)),
        ] {
            let score = Score::from_comment(line).unwrap();
            assert_eq!((score.about, score.value), (about, value), "{line}");
            // Only ShogiGUI's view is a setting; AobaZero's is the mover's.
            let is_setting =
                ["*対局", "*解析", "*Analysis", "*Game"].iter().any(|start| line.starts_with(start));
            let fixed = if line.starts_with("v=") { ScoreView::Mover } else { ScoreView::Black };
            assert_eq!(score.view, (!is_setting).then_some(fixed), "{line}");
        }
        for line in [
            "",
            "*",
            "* 星印で始まる",
            "* 30 分考えた",
            "* 30 minutes left",
            "* 30 % of the time",
            "* 30 #x",
            "評価値=1",
            "#形勢",
            "*評価値=",
            "* 1 +27FU",
            "* 評価値は 30",
            "[%eval ]",
            "[%eval x]",
            "* Engine suisho 候補2 深さ 13/19 評価値 -47 読み筋 △３四歩(33)",
            "*解析 0 候補3 評価値 1.5 読み筋",
            "*Analysis 0 Rank2 Depth 10 Eval -300 PV",
        ] {
            assert_eq!(Score::from_comment(line), None, "{line}");
        }
    }

    #[test]
    fn scores_are_converted_to_the_side_and_clamped() {
        let score = |value, view| Score { about: About::Before, value, view };
        let number = ScoreValue::Number;
        let black = Color::Black;
        let white = Color::White;
        let mate = |wins| ScoreValue::Mate { wins, plies: 7 };
        for (value, view, side, mover, setting, expected) in [
            (number(5), None, white, white, ScoreView::Black, (-5, false)),
            (number(5), None, white, white, ScoreView::Mover, (5, false)),
            (number(5), Some(ScoreView::Black), white, white, ScoreView::Mover, (-5, false)),
            (number(5), Some(ScoreView::Mover), white, white, ScoreView::Black, (5, false)),
            (number(-100_000), None, white, black, ScoreView::Black, (32_000, true)),
            (number(i32::MAX), Some(ScoreView::Mover), black, white, ScoreView::Black, (-32_000, true)),
            (mate(false), Some(ScoreView::Black), black, black, ScoreView::Mover, (-31_993, false)),
            (mate(true), None, white, white, ScoreView::Black, (-31_993, false)),
            // A mate is turned as a number is.
            (mate(true), None, white, white, ScoreView::Mover, (31_993, false)),
            (mate(false), None, black, white, ScoreView::Mover, (31_993, false)),
        ] {
            assert_eq!(score(value, view).for_side(side, mover, setting), expected, "{value:?} {setting:?}");
        }
    }
}
