//! The arrows between the files of a crate: from each file to the files that define the names it uses.
//!
//! Names are resolved as rustc does it, as far as a text shows it: `crate`, `self`, `super`, child modules, `use` with groups and
//! aliases, re-exports, macros by name. A name that another file re-exports leads to its definition. Methods have no paths and are
//! not seen; neither are tests, which may use upper modules.

use std::collections::{BTreeMap, BTreeSet};
use std::iter;
use std::path::{Path, PathBuf};

/// The files that each file uses.
pub type Arrows = BTreeMap<PathBuf, BTreeSet<PathBuf>>;

type Module = Vec<String>;

/// More re-exports of one name in a row than any crate has; imports that name each other end here.
const LONGEST_CHAIN: usize = 16;

/// The arrows between files, given by their paths below `src` and their texts.
pub fn arrows(files: &[(PathBuf, String)]) -> Arrows {
    let mut scan = Scan::default();
    for (path, text) in files {
        scan.file(path, text);
    }
    let mut arrows = Arrows::new();
    let mut add = |from: &PathBuf, to: &PathBuf| {
        let targets = arrows.entry(from.clone()).or_default();
        if from != to {
            targets.insert(to.clone());
        }
    };
    let imports = scan.imports.iter().map(|((module, _), path)| (module, path));
    let mentions = scan.mentions.iter().map(|(module, path)| (module, path));
    for (module, path) in imports.chain(mentions) {
        let target = scan.resolve(module, path, LONGEST_CHAIN);
        if let Some(target) = target.and_then(|target| scan.modules.get(&target)) {
            add(&scan.modules[module], target);
        }
    }
    for (module, name) in &scan.calls {
        if let Some(target) = scan.macros.get(name) {
            add(&scan.modules[module], target);
        }
    }
    arrows
}

/// The names of all files.
#[derive(Default)]
struct Scan {
    /// The modules of the crate, from its root, and the file that contains each.
    modules: BTreeMap<Module, PathBuf>,
    /// The names that each module imports, and their paths as written.
    imports: BTreeMap<(Module, String), Module>,
    /// The other paths in the code of each module: expressions, types, globs.
    mentions: BTreeSet<(Module, Module)>,
    /// The macros that each module calls.
    calls: BTreeSet<(Module, String)>,
    /// The file of each macro.
    macros: BTreeMap<String, PathBuf>,
}

impl Scan {
    fn file(&mut self, path: &Path, text: &str) {
        let tokens = tokens(text);
        let mut module = module(path);
        let mut depth = 0;
        // The depths at which the inline modules around the current token end.
        let mut inline = Vec::new();
        self.modules.insert(module.clone(), path.to_owned());
        let mut at = 0;
        while at < tokens.len() {
            let next = |distance: usize| tokens.get(at + distance).copied().unwrap_or_default();
            match tokens[at] {
                "#" if is_test(&tokens[at..]) => {
                    at += 1 + item_length(&tokens[at + 1..]);
                    continue;
                }
                "{" => depth += 1,
                "}" => {
                    depth -= 1;
                    if inline.last() == Some(&depth) {
                        inline.pop();
                        module.pop();
                    }
                }
                "mod" if next(2) == "{" => {
                    module.push(next(1).to_owned());
                    self.modules.insert(module.clone(), path.to_owned());
                    inline.push(depth);
                    depth += 1;
                    at += 2;
                }
                "macro_rules" => {
                    self.macros.insert(next(2).to_owned(), path.to_owned());
                }
                "use" if next(1) != "<" => {
                    at = self.import(&module, &tokens, at + 1, &[]);
                    continue;
                }
                name if is_name(name) => {
                    let is_path_start = at == 0 || !matches!(tokens[at - 1], "." | "::");
                    let length = path_length(&tokens[at..]);
                    if next(1) == "!" {
                        self.calls.insert((module.clone(), name.to_owned()));
                    }
                    if is_path_start && length > 1 {
                        let names = tokens[at..at + 2 * length - 1].iter().step_by(2);
                        self.mentions.insert((module.clone(), names.map(|&name| name.to_owned()).collect()));
                        at += 2 * length - 2;
                    }
                }
                _ => {}
            }
            at += 1;
        }
    }

    /// Records one tree of a `use`, and returns the index of the token after it.
    fn import(&mut self, module: &Module, tokens: &[&str], start: usize, prefix: &[String]) -> usize {
        let mut path = prefix.to_vec();
        let mut at = start;
        loop {
            match tokens.get(at).copied().unwrap_or(";") {
                "{" => {
                    at += 1;
                    while !matches!(tokens.get(at).copied(), None | Some("}")) {
                        at = self.import(module, tokens, at, &path);
                    }
                    return skip(tokens, at + 1, ",");
                }
                "*" => {
                    self.mentions.insert((module.clone(), path));
                    return skip(tokens, at + 1, ",");
                }
                "as" => {
                    self.imports.insert((module.clone(), tokens[at + 1].to_owned()), path);
                    return skip(tokens, at + 2, ",");
                }
                "::" => {}
                "self" if !path.is_empty() => {}
                name if is_name(name) => path.push(name.to_owned()),
                _ => {
                    if let Some(name) = path.last().cloned() {
                        self.imports.insert((module.clone(), name), path);
                    }
                    return skip(tokens, at, ",");
                }
            }
            at += 1;
        }
    }

    /// The module that defines the name at the end of a path; `None` in another crate or in the module itself.
    fn resolve(&self, from: &[String], path: &[String], chain: usize) -> Option<Module> {
        let chain = chain.checked_sub(1)?;
        let ups = path.iter().take_while(|name| *name == "super").count();
        let (mut place, names) = match path.first()?.as_str() {
            "crate" => (Module::new(), &path[1..]),
            "self" => (from.to_vec(), &path[1..]),
            _ => (from[..from.len().checked_sub(ups)?].to_vec(), &path[ups..]),
        };
        let is_rooted = names.len() < path.len();
        for (index, name) in names.iter().enumerate() {
            let child: Module = place.iter().chain([name]).cloned().collect();
            if self.modules.contains_key(&child) {
                place = child;
                continue;
            }
            if let Some(import) = self.imports.get(&(place.clone(), name.clone())) {
                // An import does not see itself: `use serde::serde` is of a crate.
                let is_itself = import.first() == Some(name) && index == 0 && !is_rooted;
                let rest: Module = import.iter().chain(&names[index + 1..]).cloned().collect();
                return (!is_itself).then(|| self.resolve(&place, &rest, chain)).flatten();
            }
            return (is_rooted || index > 0).then_some(place);
        }
        Some(place)
    }
}

/// The module of a file: `a/b.rs` and `a/b/mod.rs` are `a::b`.
fn module(file: &Path) -> Module {
    let names = file.iter().map(|name| name.to_string_lossy().trim_end_matches(".rs").to_owned());
    names.filter(|name| !matches!(name.as_str(), "mod" | "lib")).collect()
}

/// The number of names of the path that some code begins with.
fn path_length(tokens: &[&str]) -> usize {
    let is_next = |pair: &&[&str]| pair[0] == "::" && is_name(pair[1]);
    1 + tokens[1..].chunks_exact(2).take_while(is_next).count()
}

fn skip(tokens: &[&str], at: usize, token: &str) -> usize {
    if tokens.get(at) == Some(&token) { at + 1 } else { at }
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Whether some code begins with an attribute for tests, such as `#[cfg(test)]`.
fn is_test(tokens: &[&str]) -> bool {
    let attribute = tokens.iter().take_while(|token| **token != "]");
    tokens.get(1..3) == Some(&["[", "cfg"])
        && attribute.clone().any(|token| *token == "test")
        && !attribute.clone().any(|token| *token == "not")
}

/// The number of tokens to the end of an item: a `;` or a block outside of brackets.
fn item_length(tokens: &[&str]) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate() {
        match *token {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" => depth -= 1,
            "}" => {
                depth -= 1;
                if depth == 0 {
                    return at + 1;
                }
            }
            ";" if depth == 0 => return at + 1,
            _ => {}
        }
    }
    tokens.len()
}

/// The names and signs of a text, `::` as one sign, without comments, literals and lifetimes.
fn tokens(text: &str) -> Vec<&str> {
    let mut rest = text;
    iter::from_fn(|| {
        loop {
            rest = rest.trim_start();
            let skipped = skipped(rest);
            if skipped == 0 {
                break;
            }
            rest = &rest[skipped..];
        }
        let first = rest.chars().next()?;
        let length = match first {
            ':' if rest.starts_with("::") => 2,
            _ if is_letter(first) => rest.find(|c| !is_letter(c)).unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        let (token, tail) = rest.split_at(length);
        rest = tail;
        Some(token)
    })
    .collect()
}

/// The length of the comment, literal or lifetime that a text begins with.
fn skipped(text: &str) -> usize {
    let to =
        |start: usize, end: &str| text[start..].find(end).map_or(text.len(), |at| start + at + end.len());
    let raw = text.trim_start_matches(['b', 'c']).strip_prefix('r').unwrap_or_default();
    let hashes = raw.len() - raw.trim_start_matches('#').len();
    if text.starts_with("//") {
        return text.find('\n').unwrap_or(text.len());
    }
    if text.starts_with("/*") {
        return to(2, "*/");
    }
    if raw[hashes..].starts_with('"') {
        return to(text.len() - raw.len() + hashes + 1, &format!("\"{}", "#".repeat(hashes)));
    }
    if text.starts_with('"') {
        return quoted(text, '"');
    }
    let Some(letters) = text.strip_prefix('\'') else { return 0 };
    let mut letters = letters.chars();
    match (letters.next(), letters.next()) {
        (Some('\\'), _) | (_, Some('\'')) => quoted(text, '\''),
        _ => 1 + text[1..].find(|c| !is_letter(c)).unwrap_or(text.len() - 1),
    }
}

/// The length of a literal with a quote at both ends.
fn quoted(text: &str, quote: char) -> usize {
    let mut letters = text.char_indices().skip(1);
    while let Some((at, letter)) = letters.next() {
        if letter == '\\' {
            letters.next();
        } else if letter == quote {
            return at + 1;
        }
    }
    text.len()
}

fn is_letter(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The files that the first file uses.
    fn uses(files: &[(&str, &str)]) -> Vec<String> {
        let owned: Vec<_> = files.iter().map(|(path, text)| (path.into(), (*text).to_owned())).collect();
        let targets = arrows(&owned).remove(Path::new(files[0].0)).unwrap_or_default();
        targets.iter().map(|path| path.display().to_string()).collect()
    }

    const TREE: [(&str, &str); 5] = [
        ("lib.rs", "mod a; mod b; pub use a::x::Deep as Job;"),
        ("a/mod.rs", "mod x; mod y; use std::io::Read; pub use self::x::{Deep, other}; pub struct Own;"),
        ("a/x.rs", "pub struct Deep;"),
        ("a/y.rs", "macro_rules! made { () => {} }"),
        ("b.rs", "pub struct B;"),
    ];

    /// The files that a text uses as `a/z.rs`, a sibling of `a/x.rs`.
    fn sibling(text: &str) -> Vec<String> {
        uses(&[&[("a/z.rs", text)], &TREE[..]].concat())
    }

    #[test]
    fn paths_from_the_root_are_resolved() {
        assert_eq!(sibling("use crate::b::B;"), ["b.rs"]);
        assert_eq!(sibling("fn f() -> crate::b::B { crate::b::B }"), ["b.rs"]);
        assert_eq!(sibling("use crate::{b, a::x::Deep as D};"), ["a/x.rs", "b.rs"]);
        assert_eq!(sibling("macro_rules! m { () => { $crate::b::B } }"), ["b.rs"]);
    }

    #[test]
    fn paths_from_the_parent_are_resolved() {
        assert_eq!(sibling("use super::Own;"), ["a/mod.rs"]);
        assert_eq!(sibling("use super::{Own, y};"), ["a/mod.rs", "a/y.rs"]);
        assert_eq!(sibling("fn f(own: &super::Own) {}"), ["a/mod.rs"]);
        assert_eq!(sibling("use super::super::b::B;"), ["b.rs"]);
        assert_eq!(sibling("use super::*;"), ["a/mod.rs"]);
    }

    #[test]
    fn reexported_names_lead_to_their_definitions() {
        assert_eq!(sibling("use super::Deep;"), ["a/x.rs"]);
        assert_eq!(sibling("use crate::Job;"), ["a/x.rs"]);
        assert_eq!(sibling("use crate::a::Deep;"), ["a/x.rs"]);
        assert_eq!(sibling("use super::Read;"), [""; 0]);
    }

    #[test]
    fn parents_use_children_that_they_name_and_not_all_that_they_declare() {
        let parent = |text: &str| uses(&[&[("a/mod.rs", text)], &TREE[2..]].concat());
        assert!(parent("mod x; mod y;").is_empty());
        assert_eq!(parent("mod x; mod y; use x::Deep;"), ["a/x.rs"]);
        assert_eq!(parent("mod x; mod y; use self::{x::Deep, y::Z};"), ["a/x.rs", "a/y.rs"]);
        assert_eq!(parent("mod x; mod y; fn f() { y::g::<u8>(x::Deep::new()) }"), ["a/x.rs", "a/y.rs"]);
    }

    #[test]
    fn imported_modules_are_the_start_of_paths() {
        assert_eq!(sibling("use crate::a; fn f() { a::x::g() }"), ["a/mod.rs", "a/x.rs"]);
        assert_eq!(sibling("use std::{io, x}; fn f() { io::g(); x::h() }"), [""; 0]);
        assert_eq!(
            sibling("use b::B; fn f(b: b::B) {}"),
            [""; 0],
            "a crate with the name of a module elsewhere"
        );
    }

    #[test]
    fn macros_are_found_by_name() {
        assert_eq!(sibling("made! {}"), ["a/y.rs"]);
        assert_eq!(sibling("fn f() { made + 1 }"), [""; 0]);
    }

    #[test]
    fn inline_modules_belong_to_their_file() {
        assert_eq!(sibling("mod own { use super::Z; } struct Z;"), [""; 0]);
        assert_eq!(sibling("mod own { use super::super::Own; } use super::y::Z;"), ["a/mod.rs", "a/y.rs"]);
        assert_eq!(sibling("mod own { struct S; } fn f() { self::own::g(); super::Own; }"), ["a/mod.rs"]);
    }

    #[test]
    fn comments_literals_and_tests_use_nothing() {
        assert_eq!(sibling("// crate::b::B\n/* crate::b::B */ /// [`crate::b`]\n"), [""; 0]);
        assert_eq!(
            sibling(r##"const A: &str = "\"crate::b::B"; const B: &str = r#""crate::b::B"#;"##),
            [""; 0]
        );
        assert_eq!(sibling("const C: char = '\"'; use crate::b::B; const D: char = '\"';"), ["b.rs"]);
        assert_eq!(sibling("fn f<'a>(b: &'a crate::b::B, c: char) { c == '\\'' }"), ["b.rs"]);
        assert_eq!(sibling("#[cfg(test)]\nmod tests { use crate::b::B; }\nuse super::y::Z;"), ["a/y.rs"]);
        assert_eq!(sibling("#[cfg(all(test, unix))] #[allow(x)] use crate::b::B;"), [""; 0]);
        assert_eq!(sibling("#[cfg(not(test))] use crate::b::B;"), ["b.rs"]);
    }
}
