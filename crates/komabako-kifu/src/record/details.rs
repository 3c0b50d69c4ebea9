//! The facts about a whole game by which games are chosen: the event, the date, the players' ratings, the ending.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use core::ops::RangeInclusive;

use komabako_board::{Color, color};

use super::Record;
use crate::handicap::Handicap;

impl Record {
    /// The event (棋戦).
    pub fn event(&self) -> Option<&str> {
        self.filled_value(&["棋戦", "大会", "棋戦名"])
    }

    /// The place (場所).
    pub fn site(&self) -> Option<&str> {
        self.filled_value(&["場所", "対局場所", "対局場"])
    }

    /// The date by ISO 8601, as far as it is known: `2026-07-19T10:00:03`, `2026-07-19`, `2026-07` or `2026`.
    pub fn iso_date(&self) -> Option<String> {
        iso_date(self.date()?)
    }

    /// The KIF name of the start position, such as `平手`; `その他` for one without a name.
    pub fn handicap(&self) -> &'static str {
        Handicap::of_setup(&self.initial()).map_or("その他", |known| known.name)
    }

    /// The number of moves of the main line.
    pub fn plies(&self) -> usize {
        self.main_line().filter(|&id| self.node(id).as_move().is_some()).count()
    }

    /// The number of moves of the main line that have a score.
    pub fn scored(&self) -> usize {
        let nodes = self.main_line().map(|id| self.node(id));
        nodes.filter(|node| node.as_move().is_some() && node.scores().next().is_some()).count()
    }

    /// The side to move after the main line.
    pub fn last_side(&self) -> Color {
        let first = self.initial.side_to_move();
        if self.plies().is_multiple_of(2) { first } else { color::opponent(first) }
    }

    /// The ending of the main line by its name in CSA files (`TORYO`), or else by its word in KIF files.
    pub fn ending_name(&self) -> Option<Cow<'_, str>> {
        let ending = self.ending()?;
        Some(ending.csa(self.last_side()).unwrap_or_else(|| ending.kif().into()))
    }

    /// The date: when the game started (開始日時), or else its day.
    pub fn date(&self) -> Option<&str> {
        self.filled_value(&["開始日時", "対局日時", "対局日", "日時", "日付", "対局開始日時", "終了日時"])
    }

    /// The time control (持ち時間), in the words of the file; `300-10F` of a game that shogi-server named
    /// `wdoor+floodgate-300-10F+…`.
    pub fn time_control(&self) -> Option<&str> {
        let own = self.filled_value(&["持ち時間", "持時間", "先手持ち時間", "後手持ち時間"]);
        own.or_else(|| {
            let name = self.event()?.split('+').nth(1)?;
            let (rest, _) = name.rsplit_once('-')?;
            let (before, total) = rest.rsplit_once('-')?;
            let is_number = !total.is_empty() && total.bytes().all(|byte| byte.is_ascii_digit());
            is_number.then(|| &name[before.len() + 1..])
        })
    }

    /// The rating of Black or White: the first number of `先手レート`, or of the side's part of `レート`, as in
    /// `1500 - 1620`.
    ///
    /// ```
    /// use komabako_board::Color;
    /// let text = "PI\n+\n'black_rate:a+0123:1500.5\n+7776FU\n%TORYO\n";
    /// let record = &komabako_kifu::read(text.as_bytes(), None)?[0].record;
    /// assert_eq!(record.rating(Color::Black), Some(1500.5));
    /// # Ok::<(), komabako_kifu::KifuError>(())
    /// ```
    pub fn rating(&self, side: Color) -> Option<f64> {
        let named = self.header.iter().filter(|(key, _)| is_rating_of(key, side));
        // The key of 81Dojo.
        let dojo = self.header_value(if side == Color::Black { "I+" } else { "I-" });
        let own = named.map(|(_, value)| value.as_str()).chain(dojo);
        if let Some(rating) = own.flat_map(ratings).next() {
            return Some(rating);
        }
        let mut both = ratings(self.filled_value(&["レート", "レーティング"])?);
        let first = both.next();
        let second = both.next();
        // A single number names no side.
        if side == Color::Black { second.and(first) } else { second }
    }

    /// The first value that is not empty, in the order of the keys.
    fn filled_value(&self, keys: &[&str]) -> Option<&str> {
        keys.iter().find_map(|key| self.header_value(key).filter(|value| !value.is_empty()))
    }
}

/// The ISO form of a date that begins with its year, such as `2026/07/19 10:00:03` or `2026年7月19日`, up to the first
/// part that is not understood.
fn iso_date(text: &str) -> Option<String> {
    let text = narrow(text);
    let (year, rest) = number(&text, 1000..=9999)?;
    let Some((month, rest)) = part(rest, &['/', '-', '.', '年'], 1..=12) else {
        return Some(format!("{year}"));
    };
    let days = match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    let Some((day, rest)) = part(rest, &['/', '-', '.', '月'], 1..=days) else {
        return Some(format!("{year}-{month:02}"));
    };
    let date = format!("{year}-{month:02}-{day:02}");
    // The day of the week may stand between the date and the time.
    let rest = rest.trim_start_matches(|c: char| c.is_whitespace() || "T日月火水木金土曜()".contains(c));
    let is_after_noon = rest.starts_with("午後");
    let rest = rest.strip_prefix("午後").or(rest.strip_prefix("午前")).unwrap_or(rest);
    let Some((hour, rest)) = number(rest.trim_start(), 0..=23) else { return Some(date) };
    let Some((minute, rest)) = part(rest, &[':', '時'], 0..=59) else { return Some(date) };
    let (second, rest) = part(rest, &[':', '分'], 0..=59).unwrap_or((0, rest));
    let is_after_noon = is_after_noon || rest.trim_start().to_ascii_uppercase().starts_with("PM");
    let hour = if is_after_noon && hour < 12 { hour + 12 } else { hour };
    Some(format!("{date}T{hour:02}:{minute:02}:{second:02}"))
}

/// The number behind one of these separators, and the rest of the text.
fn part<'a>(text: &'a str, separators: &[char], range: RangeInclusive<u32>) -> Option<(u32, &'a str)> {
    number(text.strip_prefix(separators)?, range)
}

/// The number at the start of text, if it is in a range, and the rest of the text.
fn number(text: &str, range: RangeInclusive<u32>) -> Option<(u32, &str)> {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let number = text[..text.len() - rest.len()].parse().ok()?;
    range.contains(&number).then_some((number, rest))
}

/// Text with the full-width forms of ASCII as ASCII.
fn narrow(text: &str) -> String {
    let narrow = |c: char| match c {
        '！'..='～' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
        other => other,
    };
    text.chars().map(narrow).collect()
}

/// Whether a key names the rating of a side: `先手レート`, as which CSA's `'black_rate:NAME:RATING` is read, `後手のレート`, `先手R`.
fn is_rating_of(key: &str, side: Color) -> bool {
    let names = if side == Color::Black { ["先手", "下手"] } else { ["後手", "上手"] };
    let rest = names.into_iter().find_map(|name| key.strip_prefix(name));
    let rest = rest.map(|rest| rest.strip_prefix('の').unwrap_or(rest));
    matches!(rest, Some("レート" | "レーティング" | "R" | "Ｒ"))
}

/// The numbers in text, which are ratings; but not 5段.
fn ratings(text: &str) -> impl Iterator<Item = f64> + use<> {
    let is_part = |c: char| c.is_ascii_digit() || c == '.';
    let text = without_separators(&narrow(text));
    let mut end = 0;
    core::iter::from_fn(move || {
        loop {
            let start = end + text[end..].find(is_part)?;
            end = start + text[start..].find(|c| !is_part(c)).unwrap_or(text.len() - start);
            let is_grade = text[end..].starts_with(['段', '級', '位']);
            if !is_grade && let Ok(number) = text[start..end].parse::<f64>() {
                return Some(if ends_in_sign(&text[..start]) { -number } else { number });
            }
        }
    })
}

/// Text without the comma in `3,012`. In `1154,392` it separates two numbers.
fn without_separators(text: &str) -> String {
    let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    let is_separator = |at: usize| {
        let mut before = text[..at].chars().rev();
        let mut after = text[at + 1..].chars();
        is_digit(before.next())
            && !is_digit(before.next())
            && after.by_ref().take(3).filter(char::is_ascii_digit).count() == 3
            && !is_digit(after.next())
    };
    text.char_indices().filter(|&(at, c)| c != ',' || !is_separator(at)).map(|(_, c)| c).collect()
}

/// Whether text before a number ends in its sign, which follows neither a letter nor, even after blanks, a number: that is a
/// dash between two ratings.
fn ends_in_sign(text: &str) -> bool {
    let Some(before) = text.strip_suffix(['-', '−', '－']) else { return false };
    !before.ends_with(char::is_alphanumeric) && !before.trim_end().ends_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_are_read_from_the_names_of_servers() {
        let found = |key: &str, value: &str| {
            let mut record = Record::even();
            record.push_header(key, value);
            record.time_control().map(ToOwned::to_owned)
        };
        assert_eq!(found("持ち時間", "5分"), Some("5分".into()));
        assert_eq!(found("棋戦", "wdoor+floodgate-300-10F+a-b+c+2026"), Some("300-10F".into()));
        assert_eq!(found("棋戦", "EARTH+nr_a-600-30+a+b+2020"), Some("600-30".into()));
        assert_eq!(found("棋戦", "名人戦+a-b-c+"), None);
        assert_eq!(found("棋戦", "名人戦"), None);
    }

    #[test]
    fn a_score_of_the_ending_is_of_no_move() {
        let text = "PI\n+\n+7776FU\n'** 30\n%TORYO\n'** 40\n";
        let game = crate::read(text.as_bytes(), Some("csa")).unwrap().remove(0);
        assert_eq!(game.record.scored(), 1);
    }

    #[test]
    fn the_date_is_when_the_game_started() {
        let mut record = Record::even();
        record.push_header("終了日時", "2020/01/02");
        assert_eq!(record.date(), Some("2020/01/02"));
        record.push_header("日時", "2020/01/01");
        assert_eq!(record.date(), Some("2020/01/01"));
    }

    #[test]
    fn dates_are_read_in_several_forms() {
        for (text, date) in [
            ("2026/07/19 10:00:03", Some("2026-07-19T10:00:03")),
            ("2026-07-19T10:00", Some("2026-07-19T10:00:00")),
            ("2026年7月19日(日)", Some("2026-07-19")),
            ("２０２６年７月", Some("2026-07")),
            ("2026", Some("2026")),
            ("2026/13/01", Some("2026")),
            ("2026/02/31", Some("2026-02")),
            ("2024/02/29", Some("2024-02-29")),
            ("2100/02/29", Some("2100-02")),
            // Of several days the first; a time belongs to the last one.
            ("2026/07/19～07/20", Some("2026-07-19")),
            ("2026/07/19-20 9:00", Some("2026-07-19")),
            ("2026年7月19日・20日 9時00分", Some("2026-07-19")),
            ("2026/07/19(日) 午後1時30分", Some("2026-07-19T13:30:00")),
            ("2026年7月19日 午前9時05分20秒", Some("2026-07-19T09:05:20")),
            ("2026/07/19 1:30 PM", Some("2026-07-19T13:30:00")),
            ("2026/07/19 午後12:30", Some("2026-07-19T12:30:00")),
            ("２０２６／７／１９（日曜日）　１０：００", Some("2026-07-19T10:00:00")),
            ("2026年度第5期", Some("2026")),
            ("20260719", None),
            ("令和8年7月19日", None),
            ("19/07/2026", None),
            ("", None),
        ] {
            assert_eq!(iso_date(text).as_deref(), date, "{text}");
        }
    }

    #[test]
    fn ratings_are_read_from_the_keys_of_several_programs() {
        let both = |entries: &[(&str, &str)]| {
            let mut record = Record::even();
            for (key, value) in entries {
                record.push_header(key, value);
            }
            (record.rating(Color::Black), record.rating(Color::White))
        };
        assert_eq!(both(&[("先手レート", "R1500"), ("後手レート", "1620.5")]), (Some(1500.0), Some(1620.5)));
        assert_eq!(both(&[("上手レート", "1800 (+12)")]), (None, Some(1800.0)));
        assert_eq!(both(&[("レート", "先手 1500 後手 1620")]), (Some(1500.0), Some(1620.0)));
        assert_eq!(both(&[("レート", "1500")]), (None, None));
        assert_eq!(both(&[("先手レート", "なし")]), (None, None));
        assert_eq!(both(&[("先手R", "1500"), ("後手のレート", "R1620")]), (Some(1500.0), Some(1620.0)));
        assert_eq!(both(&[("先手レート", ""), ("下手Ｒ", "-20.5")]), (Some(-20.5), None));
        assert_eq!(both(&[("先手レート", "R-1500"), ("I-", "*-1154,392")]), (Some(1500.0), Some(-1154.0)));
        assert_eq!(both(&[("レート", "1500 -1620")]), (Some(1500.0), Some(1620.0)));
        assert_eq!(
            both(&[("先手レート", "3,012"), ("後手レート", "３０１２．５")]),
            (Some(3012.0), Some(3012.5))
        );
        assert_eq!(both(&[("先手レート", "5段 3012"), ("後手レート", "１級")]), (Some(3012.0), None));
        assert_eq!(both(&[("レート", "1500,1620")]), (Some(1500.0), Some(1620.0)));
        assert_eq!(both(&[("レート", "先手 -20 後手 -.5")]), (Some(-20.0), Some(-0.5)));
    }
}
