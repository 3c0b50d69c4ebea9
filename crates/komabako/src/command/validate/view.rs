//! The report for people.

use std::io::{self, Write};

use komabako::board::Color;
use komabako::dataset::validate::{Example, FileReport, Level, LevelReport, Report};

use crate::message::{Lang, counted, grouped};
use crate::style::{self, Style, painted};
use crate::table::Table;

/// Writes the findings, file by file.
pub fn write(report: &Report, lang: Lang, out: &mut impl Write) -> io::Result<()> {
    for file in &report.files {
        write_file(file, lang, out)?;
    }
    if report.stopped {
        writeln!(out, "{}", lang.stopped_at_first())?;
    }
    let rate = report.records() as f64 / report.seconds.max(1e-9);
    let verdict = if report.is_clean() {
        painted(&lang.nothing_found(), style::GOOD).to_string()
    } else {
        painted(&lang.something_found(), style::ERROR).to_string()
    };
    writeln!(out, "{verdict} {}", lang.in_seconds(lang.rate(rate), format!("{:.3}", report.seconds)))
}

fn write_file(file: &FileReport, lang: Lang, out: &mut impl Write) -> io::Result<()> {
    let format = file.format.map_or(String::new(), |format| format!(" ({format})"));
    let heading = lang.file_and_records(&file.name, format, lang.records(file.records));
    table(file, lang).write_below(heading, out)?;
    if file.undecoded > 0 {
        writeln!(out, "  {}", lang.undecoded(lang.records(file.undecoded)))?;
    }
    if let Some(correlations) = correlations(file, lang) {
        writeln!(out, "  {correlations}")?;
    }
    for diagnosis in &file.diagnoses {
        let label = painted(&lang.warning(), style::WARNING).to_string();
        writeln!(out, "  {label} {}", lang.diagnosis(diagnosis))?;
        let label = painted(&lang.help(), style::NAME).to_string();
        writeln!(out, "  {label} {}", lang.diagnosis_help(diagnosis, file))?;
    }
    Ok(())
}

/// One row per level; below a level with findings, their kinds and places.
fn table(file: &FileReport, lang: Lang) -> Table {
    let mut table = Table::default();
    for &level in Level::ALL {
        let name = (level.name().to_owned(), style::NAME);
        let Some(report) = file.level(level) else { continue };
        if report.bad == 0 {
            table.push_row([name, (lang.in_order(), style::GOOD)]);
            continue;
        }
        let text = format!("{}: {}", grouped(report.bad), counted(&report.faults));
        table.push_row([name, (text, style::ERROR)]);
        for line in details(report, lang) {
            table.push_row([(String::new(), Style::new()), (line, Style::new())]);
        }
    }
    for tail in &file.tails {
        table.push_row([(lang.tail_label(), style::ERROR), (lang.say(tail), Style::new())]);
    }
    table
}

/// The places of a level's findings, and one example.
fn details(report: &LevelReport, lang: Lang) -> Vec<String> {
    if report.level == Level::Size {
        return Vec::new();
    }
    let mut lines = Vec::new();
    if report.bad > 1 {
        let numbers: Vec<String> = report.first.iter().map(u64::to_string).collect();
        let dots = if report.bad > numbers.len() as u64 { ", …" } else { "" };
        lines.push(lang.first_numbers(numbers.join(", ") + dots));
    }
    if let Some(Example { record, offset, line, setup, best_move, finding, .. }) = &report.example {
        let offset = grouped(*offset);
        let finding = lang.finding(finding);
        lines.push(match line {
            Some(line) => lang.at_record_and_line_only(record, grouped(*line), offset, finding),
            None => lang.at_record_only(record, offset, finding),
        });
        let position = setup.map(|setup| setup.to_string());
        let best_move = best_move.map(|best_move| lang.recorded_move(best_move));
        lines.extend([position, best_move].into_iter().flatten().map(|line| format!("  {line}")));
    }
    lines
}

/// The correlation of score and result, if the file has both.
fn correlations(file: &FileReport, lang: Lang) -> Option<String> {
    let figure = |side| Some(format!("{:+.2}", file.convention.correlation(side)?));
    Some(lang.correlations(figure(Color::Black)?, figure(Color::White)?))
}
