//! [`Report`]: a failure in words.

use komabako::dataset::sample_check::Mismatch;

/// What went wrong and what to do about it.
#[derive(Debug)]
pub struct Report {
    /// What kind of failure it is, for programs: the `kind` of an error in JSON.
    pub kind: &'static str,
    /// What went wrong, and where.
    pub what: String,
    /// What to do, if there is something to do.
    pub help: Option<String>,
    /// What a sample showed, where that is why.
    pub mismatch: Option<Box<Mismatch>>,
}

impl Report {
    /// A report with advice.
    pub fn new(what: String, help: String) -> Self {
        Report { kind: "usage", what, help: Some(help), mismatch: None }
    }

    /// A report that leaves nothing to advise.
    pub fn plain(what: String) -> Self {
        Report { kind: "usage", what, help: None, mismatch: None }
    }

    /// The same of another kind than `usage`.
    pub fn of_kind(self, kind: &'static str) -> Self {
        Report { kind, ..self }
    }
}
