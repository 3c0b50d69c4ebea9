//! [`Page`]: the Markdown of a card.

use std::fmt::{self, Display, Formatter};

use serde_json::Value;

use crate::manifest::{Content, Listed};
use crate::message::shell::quoted;
use crate::message::{Lang, grouped};

pub struct Page {
    /// The manifests, in the order of the steps.
    pub manifests: Vec<Content>,
    pub title: Option<String>,
    /// An identifier of Hugging Face, such as `cc0-1.0`.
    pub license: Option<String>,
    /// The path of a picture, as seen from the card.
    pub picture: Option<String>,
    pub statistics: Option<String>,
    pub lang: Lang,
}

impl Display for Page {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.front_matter(f)?;
        let title = self.title.clone().unwrap_or_else(|| self.lang.card_title());
        writeln!(f, "\n# {}", line(&title))?;
        self.files(f)?;
        self.steps(f)?;
        self.sources(f)?;
        self.statistics(f)?;
        writeln!(f, "\n{}", self.lang.card_made_by(env!("CARGO_PKG_VERSION")))
    }
}

impl Page {
    /// The YAML that Hugging Face reads. Strings are those of JSON, which YAML has too.
    fn front_matter(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "---")?;
        if let Some(license) = &self.license {
            writeln!(f, "license: {}", Value::from(&**license))?;
        }
        if let Some(title) = &self.title {
            writeln!(f, "pretty_name: {}", Value::from(line(title)))?;
        }
        writeln!(f, "tags:\n- shogi\n- komabako")?;
        writeln!(f, "size_categories:\n- {}", size_category(self.records()))?;
        writeln!(f, "---")
    }

    /// The files of the set: those that each step wrote and no later step took into its own.
    fn final_files(&self) -> Vec<(&Content, &Listed)> {
        let mut made: Vec<(&Content, &Listed)> = Vec::new();
        let mut is_used: Vec<bool> = Vec::new();
        for step in &self.manifests {
            for input in &step.inputs {
                // Files of equal bytes are told apart by their names; a file that was moved has another name.
                let find = |is_meant: &dyn Fn(&Listed) -> bool| {
                    made.iter().rposition(|(_, file)| is_same(input, file) && is_meant(file))
                };
                let found = find(&|file| file.name == input.name).or_else(|| find(&|_| true));
                if let Some(found) = found {
                    let (maker, file) = made[found];
                    // A mask or a column serves the steps that read it.
                    is_used[found] |= !has_records(maker, &file.name) || takes_in(step, &input.name);
                }
            }
            made.extend(step.outputs.iter().map(|file| (step, file)));
            is_used.resize(made.len(), false);
        }
        made.into_iter().zip(is_used).filter(|(_, is_used)| !is_used).map(|(file, _)| file).collect()
    }

    /// The records of the set: those in its files.
    fn records(&self) -> u64 {
        self.final_files().into_iter().filter_map(|(step, file)| records_of(step, &file.name)).sum()
    }

    fn files(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let lang = self.lang;
        writeln!(f, "\n## {}\n", lang.card_files())?;
        head(
            f,
            &[
                &lang.card_file(),
                &lang.format_heading(),
                &lang.records_label(),
                &lang.bytes_heading(),
                "SHA-256",
            ],
        )?;
        for (step, file) in self.final_files() {
            let format = format_of(&step.report, &file.name);
            let records = records_of(step, &file.name).map_or_else(String::new, grouped);
            row(f, &[code(&file.name), format, records, size(file), hash(file)])?;
        }
        Ok(())
    }

    fn steps(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let lang = self.lang;
        writeln!(f, "\n## {}", lang.card_steps())?;
        for (number, step) in (1..).zip(&self.manifests) {
            writeln!(f, "\n{number}. {}\n", line(&step.program))?;
            let command: Vec<String> = step.arguments.iter().map(quoted).collect();
            let command = command.join(" ");
            let fence = fence(&command);
            writeln!(f, "   {fence}sh\n   {}\n   {fence}\n", line(&command))?;
            let counts = [
                (lang.read_label(), "read"),
                (lang.written_label(), "written"),
                (lang.games_label(), "games"),
                (lang.duplicates_label(), "duplicates"),
                (lang.in_references_label(), "in_references"),
                (lang.bad_label(), "bad_total"),
            ];
            let counts: Vec<String> = counts
                .iter()
                .filter_map(|(label, member)| {
                    let count = step.report[*member].as_u64()?;
                    // Most steps have no games.
                    let is_shown = count > 0 || *member != "games";
                    is_shown.then(|| format!("{label} {}", grouped(count)))
                })
                .collect();
            writeln!(f, "   {}", lang.comma_separated(&counts))?;
        }
        Ok(())
    }

    fn sources(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let lang = self.lang;
        let mut sources: Vec<&Listed> = Vec::new();
        for (number, step) in self.manifests.iter().enumerate() {
            let made: Vec<&Listed> = self.manifests[..number].iter().flat_map(|step| &step.outputs).collect();
            for input in &step.inputs {
                if !made.iter().any(|made| is_same(made, input)) && !sources.contains(&input) {
                    sources.push(input);
                }
            }
        }
        writeln!(f, "\n## {}\n", lang.card_sources())?;
        head(f, &[&lang.card_file(), &lang.bytes_heading(), "SHA-256"])?;
        for source in sources {
            row(f, &[code(&source.name), size(source), hash(source)])?;
        }
        Ok(())
    }

    fn statistics(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.statistics.is_none() && self.picture.is_none() {
            return Ok(());
        }
        writeln!(f, "\n## {}", self.lang.card_statistics())?;
        if let Some(picture) = &self.picture {
            writeln!(f, "\n![{}](<{}>)", self.lang.card_statistics(), line(picture).replace(['<', '>'], ""))?;
        }
        if let Some(statistics) = &self.statistics {
            let fence = fence(statistics);
            writeln!(f, "\n{fence}text\n{}\n{fence}", statistics.trim_matches('\n'))?;
        }
        Ok(())
    }
}

/// Whether two manifests mean the same file: by content or, if that is unknown, by name.
fn is_same(one: &Listed, other: &Listed) -> bool {
    match (&one.sha256, &other.sha256) {
        (Some(one), Some(other)) => one == other,
        _ => one.name == other.name,
    }
}

/// The format of an output in a report.
fn format_of(report: &Value, name: &str) -> String {
    let outputs = report["outputs"].as_array().into_iter().flatten();
    let mut outputs = outputs.chain([&report["output"]]);
    let output = outputs.find(|output| output["name"] == name);
    output.and_then(|output| output["format"].as_str()).unwrap_or_default().to_owned()
}

/// Whether an output has records or games, rather than scores or a mask.
fn has_records(step: &Content, name: &str) -> bool {
    !format_of(&step.report, name).is_empty()
}

/// Whether a step took the records or scores of an input into its outputs. Others are only compared, or made into columns and masks.
fn takes_in(step: &Content, name: &str) -> bool {
    match step.report["command"].as_str() {
        Some("diff") => false,
        Some("merge-scores") => true,
        _ => {
            let mut read = step.report["inputs"].as_array().into_iter().flatten();
            read.any(|input| input["name"] == name)
                && step.outputs.iter().any(|output| has_records(step, &output.name))
        }
    }
}

/// The records of an output, as far as the report tells.
fn records_of(step: &Content, name: &str) -> Option<u64> {
    if !has_records(step, name) {
        return None;
    }
    if step.report["output"]["name"] == name {
        return step.report["written"].as_u64();
    }
    let parts = ["parts", "conversions"].into_iter();
    let mut parts = parts.flat_map(|member| step.report[member].as_array().into_iter().flatten());
    let part = parts.find(|part| part["name"] == name || part["output"]["name"] == name)?;
    part["records"].as_u64().or_else(|| part["written"].as_u64())
}

/// The category of Hugging Face for a number of records.
fn size_category(records: u64) -> String {
    const NAMES: [&str; 11] = ["", "1K", "10K", "100K", "1M", "10M", "100M", "1B", "10B", "100B", "1T"];
    let above = (1..NAMES.len()).take_while(|&power| records >= 100 * 10_u64.pow(power as u32)).count();
    match above {
        0 => "n<1K".to_owned(),
        above if above + 1 == NAMES.len() => "n>1T".to_owned(),
        above => format!("{}<n<{}", NAMES[above], NAMES[above + 1]),
    }
}

fn head(f: &mut Formatter<'_>, cells: &[&str]) -> fmt::Result {
    writeln!(f, "| {} |\n|{}", cells.join(" | "), "---|".repeat(cells.len()))
}

fn row(f: &mut Formatter<'_>, cells: &[String]) -> fmt::Result {
    writeln!(f, "| {} |", cells.join(" | "))
}

fn size(file: &Listed) -> String {
    file.bytes.map_or_else(String::new, grouped)
}

fn hash(file: &Listed) -> String {
    file.sha256.as_deref().map_or_else(String::new, code)
}

/// A text on one line.
fn line(text: &str) -> String {
    text.replace(|letter: char| letter.is_control(), " ")
}

/// A text as code in a cell of a table, where even code has no bars of its own.
fn code(text: &str) -> String {
    let text = line(text).replace('|', "\\|");
    if text.contains('`') { format!("`` {text} ``") } else { format!("`{text}`") }
}

/// More backquotes than a text has in a row.
fn fence(text: &str) -> String {
    let mut longest = 2;
    for run in text.split(|letter| letter != '`') {
        longest = longest.max(run.len());
    }
    "`".repeat(longest + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn categories_are_those_of_hugging_face() {
        for (records, name) in [
            (0, "n<1K"),
            (999, "n<1K"),
            (1_000, "1K<n<10K"),
            (99_999, "10K<n<100K"),
            (1_000_000, "1M<n<10M"),
            (123_456_789_012, "100B<n<1T"),
            (u64::MAX, "n>1T"),
        ] {
            assert_eq!(size_category(records), name);
        }
    }

    #[test]
    fn fences_are_longer_than_their_text() {
        assert_eq!(fence("a ```` b"), "`````");
        assert_eq!(code("a|b`"), "`` a\\|b` ``");
    }
}
