//! Words of commands that advice shows, as a shell reads them.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::escape::{Escaped, is_escaped};

/// The shells that have one notation.
#[derive(Clone, Copy)]
enum Shell {
    Unix,
    /// `cmd` and PowerShell.
    Windows,
}

/// A word as a shell of this system reads it.
pub fn quoted(word: impl AsRef<OsStr>) -> String {
    if cfg!(windows) { Shell::Windows.quoted(word.as_ref()) } else { Shell::Unix.quoted(word.as_ref()) }
}

impl Shell {
    fn quoted(self, word: &OsStr) -> String {
        let plain_signs = match self {
            Shell::Unix => "._/-+=:,@%",
            // `,` and `@` have a meaning in PowerShell, `%` in `cmd`.
            Shell::Windows => r"._/-+=:\",
        };
        let is_plain = |letter: char| {
            !letter.is_ascii() || letter.is_ascii_alphanumeric() || plain_signs.contains(letter)
        };
        let shown = word.to_str().filter(|word| !word.contains(is_escaped));
        match (self, shown) {
            (_, Some(word)) if !word.is_empty() && word.chars().all(is_plain) => word.to_owned(),
            (Shell::Unix, Some(word)) => format!("'{}'", word.replace('\'', r"'\''")),
            (Shell::Unix, None) => in_bytes(word),
            // There is no notation for a character that is never shown raw.
            (Shell::Windows, _) => in_double_quotes(&Escaped(word.to_string_lossy()).to_string()),
        }
    }
}

/// A word as Windows programs divide their command line: `\` has a meaning before a `"` only.
fn in_double_quotes(word: &str) -> String {
    let mut quoted = String::from("\"");
    let mut backslashes = 0;
    for letter in word.chars() {
        match letter {
            '\\' => backslashes += 1,
            '"' => {
                quoted += &r"\".repeat(backslashes + 1);
                backslashes = 0;
            }
            _ => backslashes = 0,
        }
        quoted.push(letter);
    }
    quoted += &r"\".repeat(backslashes);
    quoted.push('"');
    quoted
}

/// A word in bash's notation `$'…'`. Characters that are never shown raw, and bytes that are not UTF-8, are written as numbers.
fn in_bytes(word: &OsStr) -> String {
    let mut quoted = String::from("$'");
    let push_bytes = |quoted: &mut String, bytes: &[u8]| {
        quoted.extend(bytes.iter().map(|byte| format!(r"\x{byte:02x}")));
    };
    for chunk in word.as_encoded_bytes().utf8_chunks() {
        for letter in chunk.valid().chars() {
            if is_escaped(letter) {
                push_bytes(&mut quoted, letter.encode_utf8(&mut [0; 4]).as_bytes());
            } else {
                quoted.extend(matches!(letter, '\'' | '\\').then_some('\\'));
                quoted.push(letter);
            }
        }
        push_bytes(&mut quoted, chunk.invalid());
    }
    quoted.push('\'');
    quoted
}

/// The path of a file as an argument, which no option resembles.
pub fn argument(path: &Path) -> PathBuf {
    let is_like_option = path.as_os_str().as_encoded_bytes().starts_with(b"-") && path != Path::new("-");
    if is_like_option { Path::new(".").join(path) } else { path.to_owned() }
}

/// The path of a file in a command; `-` is a standard stream.
pub fn file(path: impl AsRef<Path>) -> String {
    quoted(argument(path.as_ref()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on_unix(word: &str) -> String {
        Shell::Unix.quoted(word.as_ref())
    }

    #[test]
    fn words_are_quoted_if_a_shell_would_split_or_expand_them() {
        assert_eq!(on_unix("a/b-1.psv"), "a/b-1.psv");
        assert_eq!(on_unix("駒 箱.psv"), "'駒 箱.psv'");
        assert_eq!(on_unix("c{1,2}.psv"), "'c{1,2}.psv'");
        assert_eq!(on_unix("it's"), r"'it'\''s'");
        assert_eq!(on_unix(""), "''");
    }

    #[test]
    fn words_of_windows_are_in_double_quotes() {
        for (word, expected) in [
            (r"C:\data\a.psv", r"C:\data\a.psv"),
            (r"C:\学習 データ\a.psv", r#""C:\学習 データ\a.psv""#),
            (r"C:\my data\", r#""C:\my data\\""#),
            ("it's", r#""it's""#),
            (r#"ending != "TORYO\""#, r#""ending != \"TORYO\\\"""#),
            ("a,b", r#""a,b""#),
            ("", r#""""#),
            ("棋\u{202e}", r#""棋\u{202e}""#),
        ] {
            assert_eq!(Shell::Windows.quoted(word.as_ref()), expected);
        }
    }

    #[test]
    fn controls_are_quoted_as_bytes() {
        assert_eq!(on_unix("棋\u{202e}"), r"$'棋\xe2\x80\xae'");
        assert_eq!(on_unix("it's\u{1b}[m\\\n\u{9b}"), r"$'it\'s\x1b[m\\\x0a\xc2\x9b'");
    }

    #[cfg(unix)]
    #[test]
    fn bytes_that_are_no_text_are_kept() {
        use std::os::unix::ffi::OsStrExt;
        assert_eq!(quoted(OsStr::from_bytes(b"\xff\x8a\xfb it's")), r"$'\xff\x8a\xfb it\'s'");
    }

    #[test]
    fn files_are_no_options() {
        assert_eq!((file("-"), file("a-b")), ("-".into(), "a-b".into()));
        assert_eq!(argument(Path::new("-a b")), Path::new(".").join("-a b"));
    }
}
