//! Phrases that stand for a plainer word, and that no comment or page of documentation uses.
//!
//! They once made up a dialect: "What a conversion loses" for "the losses of a conversion", "so many bytes" for "`count` bytes",
//! "who drops it waits" for "dropping it blocks". Each reads well to the author and makes every other reader stop.

use std::path::Path;

/// A phrase, in lower case, and what to write instead.
const PHRASES: &[(&str, &str)] = &[
    ("so many", "the number by its name: \"`count` bytes\""),
    ("goes on", "\"continues\" or \"resumes\""),
    ("go on with", "\"continue\" or \"resume\""),
    ("is told", "\"is reported\" or \"receives\""),
    ("is none of", "\"is not one of\""),
    ("there is none", "\"does not exist\" or \"is absent\""),
    ("whoever", "the caller, the reader, the program"),
    ("in nobody's way", "\"is harmless\""),
    ("who drops", "\"dropping it …\""),
];

/// A sentence that begins with this word, unless it is a question: a clause used as a noun.
const CLAUSE: &str = "What ";

/// The faults of a file: in comments of code, and in all of a page but its code blocks.
pub fn faults(file: &Path, text: &str) -> Vec<String> {
    let extension = file.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let mut faults = Vec::new();
    let mut in_block = false;
    for (row, line) in text.lines().enumerate() {
        let line = line.trim_start();
        let prose = match extension {
            "rs" | "ts" => line.strip_prefix("//").map(|comment| comment.trim_start_matches(['/', '!', ' '])),
            "py" | "toml" => line.strip_prefix('#').map(str::trim_start),
            "md" => Some(line),
            _ => return faults,
        };
        let Some(prose) = prose else {
            in_block = false;
            continue;
        };
        if prose.starts_with("```") {
            in_block = !in_block;
            continue;
        }
        if in_block {
            continue;
        }
        let mut found = |phrase: &str, instead: &str| {
            faults.push(format!("{}:{}: \"{phrase}\"; write {instead}", file.display(), row + 1));
        };
        let lower = prose.to_lowercase();
        for (phrase, instead) in PHRASES.iter().filter(|(phrase, _)| has_words(&lower, phrase)) {
            found(phrase, instead);
        }
        if extension != "md" && prose.starts_with(CLAUSE) && !prose.contains('?') {
            found(CLAUSE.trim_end(), "a noun: \"the losses of …\", \"the result of …\"");
        }
    }
    faults
}

/// Whether a text has a phrase as whole words.
fn has_words(text: &str, phrase: &str) -> bool {
    let is_letter = |character: Option<char>| character.is_some_and(char::is_alphanumeric);
    text.match_indices(phrase).any(|(start, _)| {
        !is_letter(text[..start].chars().next_back())
            && !is_letter(text[start + phrase.len()..].chars().next())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(name: &str, text: &str) -> usize {
        faults(Path::new(name), text).len()
    }

    #[test]
    fn phrases_of_comments_and_pages_are_faults() {
        assert_eq!(
            count("a.rs", "/// What a conversion loses.\nlet so_many = 1;\n    // So many bytes.\n"),
            2
        );
        assert_eq!(count("a.md", "It goes on.\n"), 1);
        assert_eq!(count("a.py", "# Whoever calls it.\n"), 1);
    }

    #[test]
    fn code_questions_and_parts_of_words_are_not() {
        assert_eq!(count("a.rs", "let text = \"so many\";\n// What is left?\n// It undergoes one.\n"), 0);
        assert_eq!(count("a.md", "```sh\nsolve x   # goes on\n```\n"), 0);
        assert_eq!(count("a.csv", "so many\n"), 0);
    }
}
