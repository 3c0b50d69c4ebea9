//! [`Reason`]: why a record is bad, in a user's language.

use komabako::dataset::RecordFault;
use komabako::dataset::repair::Unrepairable;

use super::Lang;

/// A fault of a record, so that one report serves all jobs, whatever their type of fault.
pub trait Reason {
    /// The name for programs.
    fn name(&self) -> &'static str;

    /// The text of the fault, without the place of the record.
    fn explain(&self, lang: Lang) -> String;
}

impl Reason for RecordFault {
    fn name(&self) -> &'static str {
        self.name()
    }

    fn explain(&self, lang: Lang) -> String {
        lang.record_fault(self)
    }
}

impl Reason for Unrepairable {
    fn name(&self) -> &'static str {
        self.name()
    }

    fn explain(&self, lang: Lang) -> String {
        lang.unrepairable(self)
    }
}
