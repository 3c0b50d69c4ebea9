//! [`Note`]: what a copy does not have of its originals besides records.

use core::fmt;

use komabako_messages::{Lang, Message, english, say};

use crate::escape::Escaped;
use crate::io::archive::{About, Contents};

/// Something that the output of a job does not have of its inputs, besides records and fields. It is no fault.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Note {
    /// Metadata of archives with these names, which the inputs do not agree on, which is not true of the output, or for which the output,
    /// no archive, has no place. An empty name is that of metadata that is no JSON object.
    Metadata(Vec<String>),
    /// The columns with these names, which users added to the records of archives.
    Columns(Vec<String>),
    /// A mask or a column of scores went to the records by their numbers, and the order of these archives was given up: it is right only
    /// if it was made from them, and not from the records before.
    Order(Vec<String>),
    /// Behind the parts of a split are files of an earlier one with these names, of which the first are listed.
    OlderParts(Vec<String>),
}

impl Note {
    /// The note's name for programs: `metadata`, `columns`, `order` or `older_parts`.
    pub const fn name(&self) -> &'static str {
        match self {
            Note::Metadata(_) => "metadata",
            Note::Columns(_) => "columns",
            Note::Order(_) => "order",
            Note::OlderParts(_) => "older_parts",
        }
    }

    /// The notes on an output. `about`: what its header says, if `is_archive`; `archives`: those among the inputs, after they were
    /// read.
    pub(crate) fn all(about: &About, is_archive: bool, archives: &[Contents]) -> Vec<Note> {
        let mut notes = Vec::new();
        let metadata = if is_archive { &about.left_out } else { &about.names };
        if !metadata.is_empty() {
            notes.push(Note::Metadata(metadata.iter().cloned().collect()));
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
        let (Note::Metadata(names) | Note::Columns(names) | Note::Order(names) | Note::OlderParts(names)) =
            self;
        let shown = |name: &String| if name.is_empty() { "?".to_owned() } else { Escaped(name).to_string() };
        let names = names.iter().map(shown).collect::<Vec<_>>().join(", ");
        match self {
            Note::Metadata(_) => say!(
                f,
                lang,
                "metadata of archives is left out: {names}",
                "アーカイブのメタデータを省いた: {names}",
                names
            ),
            Note::Columns(_) => {
                say!(f, lang, "columns of users are left out: {names}", "利用者の列を省いた: {names}", names)
            }
            Note::Order(_) => say!(
                f,
                lang,
                "the order of records was given up, so a mask or column by number must have been made from this archive: {names}",
                "レコードの順序が失われているため、番号で対応するマスクや列は、このアーカイブから作ったものに限ります: {names}",
                names
            ),
            Note::OlderParts(_) => say!(
                f,
                lang,
                "parts of an earlier split are still there: {names}",
                "以前の分割のパートが残っている: {names}",
                names
            ),
        }
    }
}

english!(Note);
