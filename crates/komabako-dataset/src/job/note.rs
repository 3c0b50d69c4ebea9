//! [`Note`]: what a copy does not have of its originals besides records.

use core::fmt;

use komabako_messages::{Lang, Message, english, say};

use crate::escape::Escaped;
use crate::io::archive::{About, Contents};

/// Something that the output of a job does not have of its inputs, besides records and fields. It is no fault.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Note {
    /// Metadata of archives with these names, which the inputs do not agree on, or which is not true of the output. An empty name is
    /// that of metadata that is no JSON object.
    Metadata(Vec<String>),
    /// The columns with these names, which users added to the records of archives.
    Columns(Vec<String>),
}

impl Note {
    /// The note's name for programs: `metadata` or `columns`.
    pub const fn name(&self) -> &'static str {
        match self {
            Note::Metadata(_) => "metadata",
            Note::Columns(_) => "columns",
        }
    }

    /// The notes on an output. `about`: what its header says, if it is an archive; `archives`: those among the inputs, after they were
    /// read.
    pub(crate) fn all(about: Option<&About>, archives: &[Contents]) -> Vec<Note> {
        let mut notes = Vec::new();
        if let Some(about) = about.filter(|about| !about.left_out.is_empty()) {
            notes.push(Note::Metadata(about.left_out.iter().cloned().collect()));
        }
        let mut columns: Vec<String> = Vec::new();
        for archive in archives {
            columns.extend(archive.summary().columns);
        }
        columns.sort_unstable();
        columns.dedup();
        if !columns.is_empty() {
            notes.push(Note::Columns(columns));
        }
        notes
    }
}

impl Message for Note {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Note::Metadata(names) | Note::Columns(names)) = self;
        let shown = |name: &String| if name.is_empty() { "?".to_owned() } else { Escaped(name).to_string() };
        let names = names.iter().map(shown).collect::<Vec<_>>().join(", ");
        match self {
            Note::Metadata(_) => say!(
                f,
                lang,
                "metadata that is not true of all records is left out: {names}",
                "すべてのレコードには当てはまらないメタデータを省いた: {names}",
                names
            ),
            Note::Columns(_) => {
                say!(f, lang, "columns of users are left out: {names}", "利用者の列を省いた: {names}", names)
            }
        }
    }
}

english!(Note);
