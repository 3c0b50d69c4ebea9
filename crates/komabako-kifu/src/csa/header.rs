//! CSA's names of header keys.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use crate::record::{one_line, trim_value};

/// CSA's and KIF's names; of several CSA names the first is written.
const KEYS: [(&str, &str); 14] = [
    ("EVENT", "棋戦"),
    ("SITE", "場所"),
    ("START_TIME", "開始日時"),
    ("END_TIME", "終了日時"),
    ("OPENING", "戦型"),
    ("TIME_LIMIT", "持ち時間"),
    ("TIME", "持ち時間"),
    ("TIME+", "先手持ち時間"),
    ("TIME-", "後手持ち時間"),
    ("TIMET+", "先手持ち時間"),
    ("TIMET-", "後手持ち時間"),
    ("MAX_MOVES", "最大手数"),
    ("JISHOGI", "持将棋"),
    ("NOTE", "備考"),
];

/// The name in a line `N+NAME`, without `N+`; some programs write `N+:NAME`.
pub(super) fn player_name(text: &str) -> &str {
    text.trim_start_matches([':', ' ', '　', '\t'])
}

/// The entry of a line `$KEY:VALUE`, without `$`.
pub(super) fn read_entry(line: &str) -> Option<(String, String)> {
    let (key, value) = line.split_once(':')?;
    if key.is_empty() {
        return None;
    }
    let value = trim_value(value);
    Some(match KEYS.iter().find(|(csa, _)| *csa == key) {
        Some((_, name @ "備考")) => ((*name).to_owned(), trim_value(&unescape(value)).to_owned()),
        Some((_, name)) => ((*name).to_owned(), value.to_owned()),
        None => (key.to_owned(), value.to_owned()),
    })
}

/// Floodgate's names of ratings, in comments.
const RATINGS: [(&str, &str); 2] = [("black_rate", "先手レート"), ("white_rate", "後手レート")];

/// The entry of floodgate's comment `black_rate:NAME:RATING`.
pub(super) fn read_rating(comment: &str) -> Option<(String, String)> {
    let (key, rest) = comment.split_once(':')?;
    let (_, key) = RATINGS.iter().find(|(floodgate, _)| *floodgate == key)?;
    // A name may contain colons.
    let rating = rest.rsplit(':').next().unwrap_or_default();
    Some(((*key).to_owned(), trim_value(rating).to_owned()))
}

/// The line of an entry other than a player's name, without its end: `$KEY:VALUE`, or for keys that CSA lacks, `'$KEY:VALUE`
/// or, for the ratings of both players, floodgate's comment. `names`: of Black and White.
pub(super) fn write_entry(key: &str, value: &str, names: [&str; 2]) -> String {
    for ((floodgate, kif), name) in RATINGS.iter().zip(names) {
        if *kif == key && !value.contains(':') {
            return alloc::format!("'{floodgate}:{name}:{value}");
        }
    }
    let csa = match key {
        "持ち時間" if is_v2_limit(value) => Some("TIME_LIMIT"),
        "持ち時間" if is_v3_limit(value) => Some("TIME"),
        "持ち時間" => None,
        _ => KEYS.iter().find(|(_, kif)| *kif == key).map(|(csa, _)| *csa),
    };
    match csa {
        Some("NOTE") => alloc::format!("$NOTE:{}", escape(value)),
        Some(csa) => alloc::format!("${csa}:{value}"),
        None => alloc::format!("'${key}:{value}"),
    }
}

/// The header as represented in CSA, players' names first; an entry that no line can represent is `None`.
pub(crate) fn project_header(header: &[(String, String)]) -> Vec<Option<(String, String)>> {
    let mut projected = Vec::with_capacity(header.len());
    for names in [["先手", "下手"], ["後手", "上手"]] {
        let mut entries = header.iter().filter(|(key, _)| names.contains(&key.as_str()));
        if let Some((_, value)) = entries.next() {
            projected.push(Some((names[0].to_owned(), player_name(&one_line(value)).to_owned())));
        }
        projected.extend(entries.map(|_| None));
    }
    let is_name = |key: &str| matches!(key, "先手" | "下手" | "後手" | "上手");
    for (key, value) in header.iter().filter(|(key, _)| !is_name(key)) {
        let value = if key == "備考" { value.clone() } else { one_line(value) };
        let line = write_entry(key, &value, [""; 2]);
        let line = line.trim_start_matches('\'');
        let read = read_rating(line).or_else(|| read_entry(line.strip_prefix('$')?));
        projected.push(read.filter(|(k, v)| k == key && *v == value));
    }
    projected
}

/// `HH:MM+SS` of version 2.
fn is_v2_limit(value: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    value.split_once(':').and_then(|(hours, rest)| Some((hours, rest.split_once('+')?))).is_some_and(
        |(hours, (minutes, seconds))| {
            is_number(hours) && minutes.len() == 2 && is_number(minutes) && is_number(seconds)
        },
    )
}

/// `BASE+BYOYOMI+INCREMENT` in seconds, of version 3.
fn is_v3_limit(value: &str) -> bool {
    let is_number = |text: &str| {
        text.bytes().any(|byte| byte.is_ascii_digit())
            && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
    };
    value.split('+').count() == 3 && value.split('+').all(is_number)
}

fn escape(value: &str) -> String {
    value.replace('\\', "\\\\").replace('\n', "\\n")
}

fn unescape(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut chars = value.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            text.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => text.push('\n'),
            Some('\\') => text.push('\\'),
            // Not an escape: files before version 3 contain unescaped backslashes.
            Some(other) => text.extend(['\\', other]),
            None => text.push('\\'),
        }
    }
    text
}
