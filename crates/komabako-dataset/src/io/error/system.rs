//! [`SystemError`]: an error of the system, in words.

use core::fmt;
use std::io;

use komabako_messages::{Lang, Message, Phrase, phrase};

/// An error of input or output, in words: the system's text without its number, and for the usual errors Japanese too. An error
/// whose cause is a [`Phrase`] is that phrase.
#[derive(Clone, Copy, Debug)]
pub struct SystemError<'a>(pub &'a io::Error);

impl SystemError<'_> {
    /// Whether the program has reached the limit of open files: an error without its own kind, which only the number in the text
    /// identifies if a path was added to the error.
    pub fn has_too_many_open(&self) -> bool {
        let number = if cfg!(windows) { 4 } else { 24 };
        self.0.to_string().contains(&format!("(os error {number})"))
    }

    /// Whether another program has the file open on Windows, and does not share it: an error without its own kind.
    pub(crate) fn is_held(&self) -> bool {
        // ERROR_SHARING_VIOLATION, ERROR_LOCK_VIOLATION
        cfg!(windows) && matches!(self.0.raw_os_error(), Some(32 | 33))
    }

    /// The words for an error that has some of ours. Windows words it in the language of the system.
    fn phrase(&self) -> Option<Phrase> {
        if let Some(phrase) = self.0.get_ref().and_then(|cause| cause.downcast_ref()) {
            return Some(*phrase);
        }
        if self.has_too_many_open() {
            return Some(phrase!("Too many open files", "開いているファイルが多すぎます"));
        }
        if self.is_held() {
            return Some(phrase!("Another program has the file open", "ほかのプログラムが開いています"));
        }
        Some(match self.0.kind() {
            io::ErrorKind::FileTooLarge => {
                phrase!("File too large", "ファイルサイズの上限 (`ulimit -f`) を超えます")
            }
            io::ErrorKind::InvalidFilename => {
                phrase!("File name too long or invalid", "名前が長すぎるか、使えない文字があります")
            }
            io::ErrorKind::NotFound => {
                phrase!("No such file or directory", "ファイルまたはディレクトリがありません")
            }
            io::ErrorKind::PermissionDenied => phrase!("Permission denied", "権限がありません"),
            io::ErrorKind::AlreadyExists => phrase!("File exists", "すでに存在します"),
            io::ErrorKind::StorageFull => {
                phrase!("No space left on device", "ディスクに空きがありません")
            }
            io::ErrorKind::IsADirectory => phrase!("Is a directory", "ディレクトリです"),
            io::ErrorKind::NotADirectory => phrase!("Not a directory", "ディレクトリではありません"),
            io::ErrorKind::ReadOnlyFilesystem => {
                phrase!("Read-only file system", "読み取り専用のファイルシステムです")
            }
            io::ErrorKind::BrokenPipe => phrase!("Broken pipe", "パイプが閉じられています"),
            io::ErrorKind::OutOfMemory => phrase!("Cannot allocate memory", "メモリが足りません"),
            io::ErrorKind::InvalidData => phrase!("", "データが壊れています"),
            io::ErrorKind::UnexpectedEof => phrase!("", "途中でファイルが終わっています"),
            _ => return None,
        })
    }
}

impl Message for SystemError<'_> {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_ours = self.0.get_ref().is_some_and(|cause| cause.is::<Phrase>());
        if let Some(phrase) = self.phrase()
            && (is_ours || lang == Lang::Ja || cfg!(windows) && !phrase.en.is_empty())
        {
            return phrase.write(lang, f);
        }
        let text = self.0.to_string();
        f.write_str(text.split_once(" (os error").map_or(&*text, |(text, _)| text))
    }
}

komabako_messages::english!(SystemError<'_>);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_open_files_is_found_in_nested_errors() {
        let bare = || io::Error::from_raw_os_error(if cfg!(windows) { 4 } else { 24 });
        let wrapped = io::Error::other(format!("{} at path \"a.psv\"", bare()));
        for error in [bare(), wrapped] {
            assert!(SystemError(&error).has_too_many_open(), "{error}");
            assert_eq!(SystemError(&error).in_lang(Lang::Ja).to_string(), "開いているファイルが多すぎます");
        }
        assert!(!SystemError(&io::Error::from_raw_os_error(2)).has_too_many_open());
    }

    #[test]
    fn the_system_s_error_number_is_left_out() {
        let error = io::Error::from_raw_os_error(2);
        assert_eq!(SystemError(&error).to_string(), "No such file or directory");
    }
}
