//! Checks that the sections of specifications cited in files exist.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The section numbers of the specifications, by file name. Files of the same name in several crates share an entry.
#[derive(Default)]
pub struct Specifications(BTreeMap<String, BTreeSet<String>>);

impl Specifications {
    /// Adds a file of the repository if it is a specification: a page in a directory `spec`.
    pub fn add(&mut self, file: &Path, text: &str) {
        if !is_specification(file) {
            return;
        }
        let Some(name) = file.file_name().and_then(|name| name.to_str()) else { return };
        let numbers = text.lines().filter_map(|line| {
            let title = line.strip_prefix('#')?.trim_start_matches('#').trim_start();
            let number = title.split(' ').next()?.trim_end_matches('.');
            number.starts_with(|c: char| c.is_ascii_digit()).then(|| number.to_owned())
        });
        self.0.entry(name.to_owned()).or_default().extend(numbers);
    }

    /// The citations of sections that do not exist, in a file.
    ///
    /// A section cited without a page belongs to the page that the file named last. A page of a specification may cite any
    /// page, since its links name modules. A file that names no page cites something else, such as a book.
    pub fn faults(&self, file: &Path, text: &str) -> Vec<String> {
        let mut page = None;
        let mut faults = Vec::new();
        for (row, line) in text.lines().enumerate() {
            let named = |name: &&String| line.contains(name.as_str());
            page = self.0.keys().filter(named).max_by_key(|name| line.rfind(name.as_str())).or(page);
            for section in cited(line) {
                let exists = match page {
                    _ if is_specification(file) => self.0.values().any(|sections| sections.contains(section)),
                    Some(page) => self.0[page].contains(section),
                    None => true,
                };
                if !exists {
                    let page = page.map_or("any specification", String::as_str);
                    faults.push(format!("{}:{}: §{section} is not in {page}", file.display(), row + 1));
                }
            }
        }
        faults
    }
}

fn is_specification(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "md")
        && file.parent().is_some_and(|directory| directory.ends_with("spec"))
}

/// The numbers after § signs in a line.
fn cited(line: &str) -> impl Iterator<Item = &str> {
    line.split('§').skip(1).filter_map(|rest| {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let number = rest[..end].trim_end_matches('.');
        (!number.is_empty()).then_some(number)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn specifications() -> Specifications {
        let mut specifications = Specifications::default();
        let text = "# Formats\n## 3. Moves\n### 3.1 Encodings\nsee §3.1\n";
        specifications.add(Path::new("crates/a/spec/formats.md"), text);
        specifications.add(Path::new("README.md"), "# 9 lives");
        specifications
    }

    fn faults(text: &str) -> usize {
        specifications().faults(Path::new("crates/a/src/lib.rs"), text).len()
    }

    #[test]
    fn cited_sections_must_exist() {
        assert_eq!(faults("//! (`spec/formats.md` §3, §3.1)."), 0);
        assert_eq!(faults("//! (`spec/formats.md` §3.2)."), 1);
        assert_eq!(faults("//! `spec/formats.md` §3\n// and §9"), 1);
    }

    #[test]
    fn sections_of_books_are_not_looked_up() {
        assert_eq!(faults("//! Hacker's Delight, §7-4"), 0);
    }

    #[test]
    fn specifications_cite_one_another() {
        let page = Path::new("crates/b/spec/other.md");
        assert_eq!(specifications().faults(page, "as in formats (§3.1)"), [""; 0]);
        assert_eq!(specifications().faults(page, "as in formats (§4)").len(), 1);
    }
}
