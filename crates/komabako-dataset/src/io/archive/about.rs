//! [`About`]: what the header of an archive says besides the format.

use std::collections::{BTreeMap, BTreeSet};

use komabako_archive::{Header, MAX_METADATA};
use serde_json::value::RawValue;

use super::format_of;
use crate::FileFormat;

/// What the header of an archive says besides the format.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct About {
    /// Whether its records are in no order.
    pub order_lost: bool,
    /// Its metadata, a JSON object.
    pub metadata: Vec<u8>,
    /// The names of all metadata of the inputs but the program's; an empty one stands for what is no JSON object.
    pub names: BTreeSet<String>,
    /// Those of them that are not kept.
    pub left_out: BTreeSet<String>,
}

/// The member that every writer sets.
const PROGRAM: &str = "program";

/// The members that describe the records of a format.
const OF_FORMAT: [&str; 5] = ["move_encoding", "score", "result", "ply", "hands"];

/// The members of a JSON object, as they are written there.
type Object = BTreeMap<String, Box<RawValue>>;

impl About {
    /// What an archive of records in a format says, if these are the headers of the archives that they come from: what all of them
    /// say, but not what describes another format. `others`: whether there are records of other files too. `changed`: the names of what
    /// describes the records no more.
    pub fn new(headers: &[Header], others: bool, to: FileFormat, changed: &[&str]) -> About {
        let order_lost = headers.iter().any(|header| header.order_lost);
        let mut left_out = BTreeSet::new();
        let mut objects: Vec<Object> = Vec::new();
        for header in headers {
            let object = serde_json::from_slice(&header.metadata);
            if object.is_err() && !header.metadata.is_empty() {
                left_out.insert(String::new());
            }
            objects.push(object.unwrap_or_default());
        }
        let is_other = headers.iter().any(|header| format_of(header.source) != to);
        let mut names = left_out.clone();
        names.extend(objects.iter().flat_map(Object::keys).filter(|name| *name != PROGRAM).cloned());
        let mut kept = Object::new();
        for (name, value) in objects.iter().flatten() {
            let is_in = |object: &Object| object.get(name).is_some_and(|other| other.get() == value.get());
            let describes = OF_FORMAT.contains(&name.as_str());
            let is_changed = describes && is_other || changed.contains(&name.as_str());
            if !others && !is_changed && objects.iter().all(is_in) {
                kept.insert(name.clone(), value.clone());
            } else if name != PROGRAM {
                left_out.insert(name.clone());
            }
        }
        let program = concat!("\"komabako ", env!("CARGO_PKG_VERSION"), "\"");
        kept.insert(PROGRAM.to_owned(), RawValue::from_string(program.to_owned()).expect("a string is JSON"));
        let mut metadata = serde_json::to_vec(&kept).expect("JSON is written as it was read");
        while metadata.len() > MAX_METADATA {
            // The name of a newer program may be longer than that of the one before.
            let longest = kept.iter().max_by_key(|(name, value)| name.len() + value.get().len());
            let longest = longest.map(|(name, _)| name.clone()).unwrap_or_default();
            kept.remove(&longest);
            left_out.insert(longest);
            metadata = serde_json::to_vec(&kept).expect("JSON is written as it was read");
        }
        About { order_lost, metadata, names, left_out }
    }
}

impl Default for About {
    /// The records of files that are no archives.
    fn default() -> About {
        About::new(&[], true, FileFormat::Psv, &[])
    }
}
