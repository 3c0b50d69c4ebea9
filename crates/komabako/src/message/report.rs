//! [`Report`]: a failure in words.

use komabako::dataset::sample_check::Mismatch;

use crate::escape::Escaped;

#[derive(Debug)]
pub struct Report {
    /// The kind of the failure, for programs: the `kind` of an error in JSON.
    pub kind: &'static str,
    /// The error and its place.
    pub what: String,
    /// Advice, if any.
    pub help: Option<String>,
    /// The difference that a sample showed, if that is the reason.
    pub mismatch: Option<Box<Mismatch>>,
}

impl Report {
    pub fn new(what: String, help: String) -> Self {
        Report { help: Some(help), ..Report::plain(what) }
    }

    pub fn plain(what: String) -> Self {
        // It may quote text from outside; advice is made of our texts.
        let what = Escaped(what).to_string();
        Report { kind: "usage", what, help: None, mismatch: None }
    }

    /// The same with another kind than `usage`.
    pub fn of_kind(self, kind: &'static str) -> Self {
        Report { kind, ..self }
    }
}
