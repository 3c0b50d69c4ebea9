//! The tables of `docs/c.md` have every member of a plan in JSON.

use std::fs;
use std::path::Path;

use komabako_loader::Plan;

/// The members that an object of a plan may have, as the error for an unknown one lists them.
fn known(text: &str) -> Vec<String> {
    let fault = Plan::from_json(text).unwrap_err().to_string();
    let (_, names) = fault.split_once("expected one of").unwrap();
    sorted(quoted(names))
}

/// The texts in backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

fn sorted<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut names: Vec<String> = names.map(str::to_owned).collect();
    names.sort_unstable();
    names
}

/// The names in the first column of each table of a section.
fn tables(page: &str, heading: &str) -> Vec<Vec<String>> {
    let (_, section) = page.split_once(heading).unwrap();
    let (section, _) = section.split_once("\n## ").unwrap();
    let tables = section.split("\n\n").filter(|block| block.starts_with('|'));
    let names = tables.map(|table| {
        let rows = table.lines().skip(2);
        sorted(rows.flat_map(|row| quoted(row.split('|').nth(1).unwrap())))
    });
    names.collect()
}

#[test]
fn the_page_lists_every_member_of_a_plan() {
    let expected =
        [r#"{"?": 0}"#, r#"{"sources": [{"?": 0}]}"#, r#"{"keep": [{"?": 0}]}"#, r#"{"targets": {"?": 0}}"#];
    let expected = expected.map(known);
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    for (page, heading) in [("c.md", "\n### The plan"), ("c.ja.md", "\n### 計画")] {
        let page = fs::read_to_string(docs.join(page)).unwrap();
        assert_eq!(tables(&page, heading), expected);
    }
}
