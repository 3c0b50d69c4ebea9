//! The summary for people.

use std::io::{self, Write};
use std::path::Path;

use komabako::dataset::Counts;
use komabako::dataset::repair::{DecidedBy, EncodingStats, FileSummary, Summary};

use crate::command::job::{add_amount, add_findings, add_speed};
use crate::message::{Lang, grouped};
use crate::route::Route;
use crate::style::{self, Style, painted};
use crate::table::Table;

pub fn write(summary: &Summary, route: &Route, lang: Lang, out: &mut dyn Write) -> io::Result<()> {
    for file in &summary.files {
        writeln!(out, "{}", painted(&heading(file, &route.output.name, lang), style::HEADING))?;
        if let Some(mixture) = &file.encoding_stats {
            writeln!(out, "  {}", how_read(mixture, lang))?;
        }
    }
    table(summary, route.rejects.as_deref(), lang).write(out, "  ")
}

/// The input, the output, and the encoding in which the moves were read.
fn heading(file: &FileSummary, output: &str, lang: Lang) -> String {
    let format = file.format.map_or(String::new(), |format| format!(" ({format})"));
    let moves = match (file.encoding, &file.votes) {
        (Some(encoding), Some(votes)) => lang.moves_decided(
            encoding.letter(),
            grouped(votes.legal(encoding)),
            grouped(votes.encoding_dependent()),
        ),
        (Some(encoding), None) => lang.moves_given(encoding.letter()),
        (None, _) => file
            .encoding_stats
            .map_or(String::new(), |mixture| lang.moves_mixed(letters(mixture.encodings, lang))),
    };
    format!("{}{format} -> {output}{moves}", file.name)
}

/// The encodings in which the moves of a mixed input were read, and the evidence for them.
fn how_read(mixture: &EncodingStats, lang: Lang) -> String {
    let read =
        mixture.read().map(|(encodings, count)| format!("{}: {}", letters(encodings, lang), grouped(count)));
    let evidence = DecidedBy::ALL.iter().map(|&evidence| (evidence, mixture.decided_by(evidence)));
    let decided = evidence
        .filter(|&(_, count)| count > 0)
        .map(|(evidence, count)| format!("{}: {}", lang.decided_by(evidence), grouped(count)));
    lang.moves_read(lang.listed(&read.collect::<Vec<_>>()), lang.listed(&decided.collect::<Vec<_>>()))
}

/// `A, C`, or in Japanese `A、C`.
fn letters(encodings: impl ToString, lang: Lang) -> String {
    let letters: Vec<String> = encodings.to_string().split(", ").map(str::to_owned).collect();
    lang.comma_separated(&letters)
}

fn table(summary: &Summary, rejects: Option<&Path>, lang: Lang) -> Table {
    let mut table = Table::default();
    let Counts { read, written, bytes_read, bytes_written, seconds, .. } = summary.counts;
    add_amount(lang.read_label(), read, bytes_read, &mut table, lang);
    add_amount(lang.written_label(), written, bytes_written, &mut table, lang);
    add_speed(read, seconds, &mut table, lang);
    table.row(lang.changed_label(), style::NAME, lang.records(summary.changed()));
    for (change, count) in &summary.changes {
        table.row(String::new(), Style::new(), lang.change_count(grouped(*count), lang.change(*change)));
    }
    add_findings(&summary.counts, rejects, &mut table, lang);
    table
}
