//! [`Name`]: what reports and errors call an input or an output.

use std::fmt;
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;

use serde::{Serialize, Serializer};

/// The name of an input or an output: its text, and whether it is a stream's. A file may have the name by which messages call
/// a stream.
///
/// Serialised it is the path, and `-` for a stream, in any language.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Name {
    /// A file, by its path; a game file in an archive, by the archive's path and its own.
    File(Arc<str>),
    /// A stream, in the caller's words, such as `standard input`.
    Stream(Arc<str>),
}

impl Name {
    /// The name for programs: the path, or `-` for a stream.
    pub fn plain(&self) -> &str {
        match self {
            Name::File(path) => path,
            Name::Stream(_) => "-",
        }
    }
}

impl Default for Name {
    /// The empty name of a file.
    fn default() -> Name {
        Name::from("")
    }
}

impl Deref for Name {
    type Target = str;

    /// The name for messages.
    fn deref(&self) -> &str {
        let (Name::File(text) | Name::Stream(text)) = self;
        text
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

komabako_messages::untranslated!(Name);

impl Serialize for Name {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.plain())
    }
}

impl<P: AsRef<Path> + ?Sized> From<&P> for Name {
    /// The name of a file. A byte that is not UTF-8 is `\xff`, so that two files have two names.
    fn from(path: &P) -> Name {
        let mut name = String::new();
        for chunk in path.as_ref().as_os_str().as_encoded_bytes().utf8_chunks() {
            name += chunk.valid();
            for byte in chunk.invalid() {
                name += &format!("\\x{byte:02x}");
            }
        }
        Name::File(name.into())
    }
}

impl From<String> for Name {
    /// The name of a file.
    fn from(path: String) -> Name {
        Name::File(path.into())
    }
}

impl PartialEq<str> for Name {
    fn eq(&self, text: &str) -> bool {
        **self == *text
    }
}

impl PartialEq<&str> for Name {
    fn eq(&self, text: &&str) -> bool {
        **self == **text
    }
}
