//! Words of commands that advice shows, as a shell reads them.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::escape::is_escaped;

/// A word as a shell reads it; a character that is never shown raw, and a byte that is none, is in bash's notation for bytes.
pub fn quoted(word: impl AsRef<OsStr>) -> String {
    let bytes = word.as_ref().as_encoded_bytes();
    let is_plain =
        |letter: char| !letter.is_ascii() || letter.is_ascii_alphanumeric() || "._/-+=:,@%".contains(letter);
    let shown = str::from_utf8(bytes).ok().filter(|word| !word.contains(is_escaped));
    if let Some(word) = shown {
        if !word.is_empty() && word.chars().all(is_plain) {
            return word.to_owned();
        }
        return format!("'{}'", word.replace('\'', r"'\''"));
    }
    let mut quoted = String::from("$'");
    let push_bytes = |quoted: &mut String, bytes: &[u8]| {
        quoted.extend(bytes.iter().map(|byte| format!(r"\x{byte:02x}")));
    };
    for chunk in bytes.utf8_chunks() {
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

    #[test]
    fn words_are_quoted_if_a_shell_would_split_or_expand_them() {
        assert_eq!(quoted("a/b-1.psv"), "a/b-1.psv");
        assert_eq!(quoted("駒 箱.psv"), "'駒 箱.psv'");
        assert_eq!(quoted("c{1,2}.psv"), "'c{1,2}.psv'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
    }

    #[test]
    fn controls_are_quoted_as_bytes() {
        assert_eq!(quoted("棋\u{202e}"), r"$'棋\xe2\x80\xae'");
        assert_eq!(quoted("it's\u{1b}[m\\\n\u{9b}"), r"$'it\'s\x1b[m\\\x0a\xc2\x9b'");
    }

    #[cfg(unix)]
    #[test]
    fn bytes_that_are_no_text_are_kept() {
        use std::os::unix::ffi::OsStrExt;
        assert_eq!(quoted(OsStr::from_bytes(b"\xff\x8a\xfb it's")), r"$'\xff\x8a\xfb it\'s'");
    }

    #[test]
    fn files_are_no_options() {
        assert_eq!((file("-a b"), file("-"), file("a-b")), ("'./-a b'".into(), "-".into(), "a-b".into()));
    }
}
