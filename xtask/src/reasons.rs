//! Why-comments: in each hard part of the code their density must not fall.

use std::path::{Path, PathBuf};

/// The parts where comments are counted, and the most lines of code per comment. When a figure falls, lower it here, so that
/// it cannot rise again.
const PARTS: &[(&str, &[&str], usize)] = &[
    ("rules", &["crates/komabako-rules/src"], 34),
    (
        "the kernels of codec",
        &[
            "crates/komabako-codec/src/huffman",
            "crates/komabako-codec/src/packed_sfen",
            "crates/komabako-codec/src/sspf",
        ],
        34,
    ),
    ("dataset", &["crates/komabako-dataset/src"], 40),
    ("record", &["crates/komabako-record/src"], 115),
];

/// The lines of code and the comments of some text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Counts {
    code: usize,
    comments: usize,
}

impl Counts {
    /// Counts lines without documentation and tests. Consecutive comment lines are one comment; a comment after code on the
    /// same line does not count.
    fn count(text: &str) -> Self {
        let mut counts = Self::default();
        let mut in_comment = false;
        // Tests are in a module at the end of a file.
        let code = text.split_once("#[cfg(test)]\nmod tests {").map_or(text, |(code, _)| code);
        for line in code.lines().map(str::trim) {
            let is_documentation = line.starts_with("///") || line.starts_with("//!");
            let is_comment = line.starts_with("//") && !is_documentation;
            counts.comments += usize::from(is_comment && !in_comment);
            counts.code += usize::from(!line.is_empty() && !line.starts_with("//"));
            in_comment = is_comment;
        }
        counts
    }
}

/// The parts with fewer comments than the table requires.
pub fn faults(texts: &[(PathBuf, String)]) -> Vec<String> {
    let of_part = |&(part, directories, most): &(&str, &[&str], usize)| {
        let is_in = |file: &Path| {
            let is_code = file.extension().is_some_and(|extension| extension == "rs");
            let is_test = file
                .components()
                .any(|name| ["tests", "tests.rs"].map(AsRef::as_ref).contains(&name.as_os_str()));
            is_code && !is_test && directories.iter().any(|directory| file.starts_with(directory))
        };
        let mut counts = Counts::default();
        for (_, text) in texts.iter().filter(|(file, _)| is_in(file)) {
            let Counts { code, comments } = Counts::count(text);
            counts.code += code;
            counts.comments += comments;
        }
        let Counts { code, comments } = counts;
        (code > most * comments).then(|| {
            format!("{part}: {comments} comments in {code} lines of code, fewer than one in {most}; say why, where it is hard")
        })
    };
    PARTS.iter().filter_map(of_part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn consecutive_comment_lines_are_one_comment() {
        let text = "//! Module.\n/// Function.\nfn f() {\n    // One\n    // comment.\n    g(); // no reason\n\n    // Two.\n}\n";
        assert_eq!(Counts::count(text), Counts { code: 3, comments: 2 });
        assert_eq!(
            Counts::count("f();\n#[cfg(test)]\nmod tests {\n// None.\n"),
            Counts { code: 1, comments: 0 }
        );
    }

    #[test]
    fn a_part_with_too_few_comments_fails() {
        let file = |name: &str, lines| (PathBuf::from(name), "code();\n".repeat(lines) + "// Why.\n");
        let in_rules = |lines| faults(&[file("crates/komabako-rules/src/lib.rs", lines)]);
        assert!(in_rules(35)[0].starts_with("rules: 1 comments in 35 lines"));
        assert_eq!(in_rules(34), [""; 0]);
        assert_eq!(faults(&[file("crates/komabako-rules/src/tests.rs", 99), file("a.rs", 99)]), [""; 0]);
    }
}
