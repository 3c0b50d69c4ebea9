//! The report as text, with plots as wide as the terminal.

use std::io::{self, IsTerminal, Write};

use serde_json::Value;
use terminal_size::{Width, terminal_size};

use super::cells::{self, Cell, Cells};
use super::plot;
use super::report::{
    Bin, ByColor, Figures, GameFigures, King, Mover, NumberFigures, Report, TextFigures, shown_name,
};
use crate::command::game_choice::add_left_out;
use crate::command::job::add_findings;
use crate::message::{Lang, grouped};
use crate::style::{self, Style, painted};
use crate::table::{self, Table};

/// The style of figures.
const PLAIN: Style = Style::new();
/// The width without a terminal.
const WIDTH: usize = 80;
/// Wider plots are no clearer.
const MAX_WIDTH: usize = 120;
/// Narrower plots are not readable.
const MIN_WIDTH: usize = 40;
/// The height of plots in lines.
const HEIGHT: usize = 6;
/// The scale that trainers commonly assume.
pub const USUAL_SCALE: f64 = 600.0;
/// The relative difference from it at which the fitted scale gets a hint.
const MIN_SCALE_DIFFERENCE: f64 = 0.05;
/// The number of score bins per row of the table of win rates.
const BINS_PER_ROW: usize = 5;

/// The width of the text: `COLUMNS`, or else the width of the terminal.
pub fn width() -> usize {
    let asked = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let terminal = || {
        let size = if io::stdout().is_terminal() { terminal_size() } else { None };
        size.map(|(Width(columns), _)| columns.into())
    };
    asked.or_else(terminal).unwrap_or(WIDTH).clamp(MIN_WIDTH, MAX_WIDTH)
}

/// Writes the report, `width` columns wide. `json`: that of `--json`, from which the tables of cells take their figures.
pub fn write(
    report: &Report<'_>,
    json: &Value,
    lang: Lang,
    width: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut view = View { report, json, lang, width, out };
    view.overview()?;
    if let Some(games) = &report.games {
        view.games(games)?;
    }
    if report.figures.records == 0 {
        return Ok(());
    }
    view.plies()?;
    view.scores()?;
    view.win_rates()?;
    view.pieces()?;
    view.kings()?;
    view.moves()
}

struct View<'a> {
    report: &'a Report<'a>,
    json: &'a Value,
    lang: Lang,
    width: usize,
    out: &'a mut dyn Write,
}

impl View<'_> {
    fn heading(&mut self, text: &str, more: &str) -> io::Result<()> {
        writeln!(self.out, "\n{}{text}{:#}  {more}", style::HEADING, style::HEADING)
    }

    fn overview(&mut self) -> io::Result<()> {
        let Figures { records, results, side_to_move, distinct, missing, .. } = &self.report.figures;
        let Figures { in_check, unplayable, .. } = &self.report.figures;
        let lang = self.lang;
        let records = *records;
        for input in &self.report.inputs {
            let format = input.format.as_ref().map(|format| format!(" ({format})")).unwrap_or_default();
            let heading = shown_name(input, lang) + &format;
            writeln!(self.out, "{}", painted(&heading, style::HEADING))?;
        }
        let mut table = Table::default();
        match &self.report.game_run {
            None => table.row(lang.records_label(), style::NAME, grouped(records)),
            Some(run) => {
                table.row(lang.kifu_files_label(), style::NAME, grouped(run.files));
                add_left_out(&run.left_out, &mut table, lang);
                table.count(lang.kifu_bad_label(), style::ERROR, run.bad.total());
            }
        }
        add_findings(&self.report.summary.counts, None, &mut table, lang);
        let merged_tails = self.report.summary.merged_tails;
        if merged_tails > 0 {
            table.row(lang.tail_label(), style::ERROR, lang.merged_tails(grouped(merged_tails)));
        }
        for missing in &self.report.missing_parts {
            table.row(lang.missing_parts_label(), style::WARNING, lang.missing_parts(missing));
        }
        let of = |count: u64| format!("{} ({})", grouped(count), percent(count, records));
        let pair = |[one, other]: [(String, u64); 2]| {
            lang.comma_separated(&[one, other].map(|(name, count)| format!("{name} {}", of(count))))
        };
        if records > 0 {
            let wins = [(lang.black(), results.black_wins), (lang.white(), results.white_wins)];
            let draws = format!("{} {}", lang.draw(), of(results.draws));
            let results_text = lang.comma_separated(&[pair(wins), draws]);
            table.row(lang.results_heading(), style::NAME, results_text);
            let of_mover = format!("{} {}", lang.mover_wins(), of(results.side_to_move_wins));
            table.row(String::new(), style::NAME, of_mover);
            let sides = [(lang.black(), side_to_move.black), (lang.white(), side_to_move.white)];
            table.row(lang.side_to_move_label(), style::NAME, pair(sides));
            table.row(lang.in_check(), style::NAME, of(*in_check));
            table.note(*unplayable, lang.unplayable(), of(*unplayable));
            let bounds = lang.between(grouped(distinct.low), grouped(distinct.high));
            table.row(lang.distinct(), style::NAME, format!("{} ({bounds})", grouped(distinct.estimate)));
            let duplicates = distinct.duplicate_share.map(|share| format!("{:.1} %", 100.0 * share));
            table.row(lang.duplicates_label(), style::NAME, duplicates.unwrap_or_default());
            let absent = [
                (lang.score(), missing.score),
                (lang.best_move(), missing.best_move),
                (lang.ply(), missing.ply),
                (lang.result(), missing.result),
            ];
            let absent: Vec<String> = absent
                .into_iter()
                .filter(|&(_, count)| count > 0)
                .map(|(name, count)| format!("{name} {}", of(count)))
                .collect();
            if !absent.is_empty() {
                table.row(lang.missing(), style::WARNING, lang.comma_separated(&absent));
            }
        }
        table.write(self.out, "  ")
    }

    /// The fields of games, under the names that `--games` knows.
    fn games(&mut self, figures: &GameFigures) -> io::Result<()> {
        let lang = self.lang;
        self.heading(&lang.games_label(), &grouped(figures.games))?;
        let mut table = Table::default();
        for (name, field) in &figures.texts {
            if field.known > 0 {
                table.row(name.to_string(), style::NAME, self.text_field(name, field, figures.games));
            }
        }
        for (name, field) in &figures.numbers {
            if let Some(text) = self.spread(field.min, field.max, field.mean, field.deviation) {
                table.row(name.to_string(), style::NAME, self.with_unknown(text, field.known, figures.games));
            }
        }
        for (name, &count) in &figures.truths {
            let text = format!("{} ({})", grouped(count), percent(count, figures.games));
            table.row(name.to_string(), style::NAME, text);
        }
        table.write(self.out, "  ")?;
        for (name, field) in &figures.numbers {
            // A plot of ratings is worth its lines; of the others, plies are.
            if (name == "plies" || name == "rating_min") && field.known > 0 {
                self.heading(name, &lang.games(field.known))?;
                let bins = filled(field);
                let counts: Vec<u64> = bins.iter().map(|bin| bin.1).collect();
                self.plot(&counts, |bin| bins[bin].0.to_string())?;
            }
        }
        Ok(())
    }

    /// A field of games that is a text: the texts that most games have, or of dates the first and the last.
    fn text_field(&self, name: &str, field: &TextFigures, games: u64) -> String {
        /// More texts make long lines.
        const SHOWN: usize = 4;
        let lang = self.lang;
        if let ("date", Some(first), Some(last)) = (name, &field.first, &field.last) {
            return self.with_unknown(lang.first_to_last(first, last), field.known, games);
        }
        let counted = field.most.iter().take(SHOWN).map(|known| {
            let text = lang.game_text(name, &known.text);
            format!("{text} {} ({})", grouped(known.count), percent(known.count, games))
        });
        let mut texts: Vec<String> = counted.collect();
        if field.different > SHOWN as u64 {
            texts.push(lang.different(grouped(field.different)));
        }
        self.with_unknown(lang.comma_separated(&texts), field.known, games)
    }

    /// A text about the games in which something is known, and the number of the others.
    fn with_unknown(&self, text: String, known: u64, games: u64) -> String {
        let lang = self.lang;
        let unknown = games.saturating_sub(known);
        if unknown == 0 {
            return text;
        }
        let unknown = format!("{} {} ({})", lang.unknown(), grouped(unknown), percent(unknown, games));
        lang.comma_separated(&[text, unknown])
    }

    /// The range, the mean and the deviation of a number, if they are known.
    fn spread<N: Into<i64>>(
        &self,
        min: Option<N>,
        max: Option<N>,
        mean: Option<f64>,
        deviation: Option<f64>,
    ) -> Option<String> {
        let mean = format!("{:.1}", mean?);
        let deviation = format!("{:.1}", deviation?);
        Some(self.lang.spread(min.map_or(0, N::into), max.map_or(0, N::into), mean, deviation))
    }

    fn plies(&mut self) -> io::Result<()> {
        let plies = &self.report.figures.plies;
        let more = self.spread(plies.min, plies.max, plies.mean, plies.deviation);
        let Some(more) = more else { return Ok(()) };
        self.heading(&self.lang.plies_heading(), &more)?;
        let counts: Vec<u64> = plies.bins.iter().map(|bin| bin.count).collect();
        self.plot(&counts, |bin| plies.bins[bin].from.to_string())
    }

    fn scores(&mut self) -> io::Result<()> {
        let scores = &self.report.figures.scores;
        let more = self.spread(scores.min, scores.max, scores.mean, scores.deviation);
        let Some(more) = more else { return Ok(()) };
        self.heading(&self.lang.scores_heading(), &more)?;
        let counts: Vec<u64> = scores.bins.iter().map(|bin| bin.count).collect();
        self.plot(&counts, |bin| match (scores.bins[bin].from, scores.bins[bin].to) {
            (Some(from), Some(_)) => from.to_string(),
            (Some(from), None) => format!("{from}≤"),
            (None, _) => "<".to_owned(),
        })?;
        writeln!(self.out, "  {}", self.lang.mates(grouped(scores.mating), grouped(scores.mated)))
    }

    /// A column plot with a scale at its left and labels under some of its bins.
    fn plot(&mut self, counts: &[u64], label: impl Fn(usize) -> String) -> io::Result<()> {
        let most = grouped(counts.iter().copied().max().unwrap_or(0));
        let margin = most.len() + 2;
        let room = self.width - margin - 2;
        let together = counts.len().div_ceil(room).max(1);
        let counts: Vec<u64> = counts.chunks(together).map(|bins| bins.iter().sum()).collect();
        let most = grouped(counts.iter().copied().max().unwrap_or(0));
        let cells = (room / counts.len().max(1)).clamp(1, 3);
        let lines = plot::columns(&counts, HEIGHT, cells);
        for (index, line) in lines.iter().enumerate() {
            let scale = match index {
                0 => most.as_str(),
                _ if index + 1 == lines.len() => "0",
                _ => "",
            };
            writeln!(self.out, "{scale:>margin$} │{line}")?;
        }
        let mut axis = String::new();
        for bin in 0..counts.len() {
            let text = label(bin * together);
            let has_room = axis.is_empty() || axis.chars().count() + 3 < bin * cells;
            if has_room && margin + 2 + bin * cells + text.len() <= self.width {
                axis.extend(std::iter::repeat_n(' ', bin * cells - axis.chars().count()));
                axis.push_str(&text);
            }
        }
        writeln!(self.out, "{:margin$} └{}", "", "─".repeat(counts.len() * cells))?;
        writeln!(self.out, "{:margin$}  {axis}", "")
    }

    fn win_rates(&mut self) -> io::Result<()> {
        let lang = self.lang;
        let more = match &self.report.figures.fit {
            None => lang.no_fit(),
            Some(fit) if !fit.significant => lang.flat_fit(),
            Some(fit) => lang.fitted(format!("{:.1}", fit.a), format!("{:.1}", fit.a_error)),
        };
        self.heading(&lang.win_rate_heading(), &more)?;
        let Some(fit) = &self.report.figures.fit else { return Ok(()) };
        if fit.significant && fit.a < 0.0 {
            writeln!(self.out, "  {}{}{:#}", style::WARNING, lang.inverted(), style::WARNING)?;
        }
        let factor = USUAL_SCALE / fit.a;
        if fit.significant && factor > 0.0 && (factor - 1.0).abs() > MIN_SCALE_DIFFERENCE {
            let command = format!("komabako scores IN OUT --scale {factor:.3}");
            writeln!(self.out, "  {}{}{:#}", style::FAINT, lang.rescaling(command), style::FAINT)?;
        }
        let mut table = Table::with_headings([
            lang.score(),
            lang.records_label(),
            lang.observed(),
            lang.fit(),
            String::new(),
        ]);
        let (bins, open) =
            self.report.figures.scores.bins.split_at(self.report.figures.scores.bins.len() - 1);
        let (below, inner) = bins.split_at(1);
        let rows = [below].into_iter().chain(inner.chunks(BINS_PER_ROW)).chain([open]);
        let rates: Vec<(String, Rate)> = rows
            .filter_map(|bins| Some((range(bins[0].from, bins[bins.len() - 1].to), Rate::of_bins(bins)?)))
            .collect();
        let share = |share: f64| (format!("{:5.1} %", 100.0 * share), PLAIN);
        let counts = flush_right(rates.iter().map(|(_, rate)| grouped(rate.records)));
        for ((range, rate), count) in rates.iter().zip(counts) {
            table.push_row([
                (range.clone(), style::NAME),
                count,
                share(rate.observed),
                rate.fitted.map_or((String::new(), PLAIN), share),
                (plot::bar(rate.observed, self.bar_cells()), style::FAINT),
            ]);
        }
        table.write(self.out, "  ")
    }

    /// The largest width of a bar at the end of a row.
    fn bar_cells(&self) -> usize {
        self.width.saturating_sub(50).clamp(10, 40)
    }

    fn pieces(&mut self) -> io::Result<()> {
        let lang = self.lang;
        self.heading(&lang.pieces_heading(), &lang.mean_of_positions())?;
        let Cells { headings, rows } = cells::pieces(&self.report.figures, lang);
        let mut table = Table::with_headings(headings);
        for row in rows {
            let style = |cell: &Cell| if matches!(cell, Cell::Head(_)) { style::NAME } else { PLAIN };
            table.push_row(row.iter().map(|cell| (cell.text(self.json), style(cell))));
        }
        table.write(self.out, "  ")
    }

    fn kings(&mut self) -> io::Result<()> {
        let lang = self.lang;
        self.heading(&lang.kings_heading(), &lang.heat_legend())?;
        let ByColor { black, white } = &self.report.figures.kings;
        let left = king_map(black, &lang.black(), lang);
        let right = king_map(white, &lang.white(), lang);
        for (left, right) in left.iter().zip(&right) {
            writeln!(self.out, "  {left}{:1$}{right}", "", 28 - table::width(left))?;
        }
        Ok(())
    }

    fn moves(&mut self) -> io::Result<()> {
        let lang = self.lang;
        let moves = &self.report.figures.moves;
        let total = moves.board + moves.drops;
        if total + moves.special + moves.ill_formed + moves.unmatched == 0 {
            return Ok(());
        }
        let of = |name: String, count: u64| format!("{name} {} ({})", grouped(count), percent(count, total));
        let odd = [
            (lang.special_moves(), moves.special),
            (lang.ill_formed(), moves.ill_formed),
            (lang.unmatched(), moves.unmatched),
        ];
        let kinds = [
            (lang.drops(), moves.drops),
            (lang.captures(), moves.captures),
            (lang.promotions(), moves.promotions),
        ];
        let kinds: Vec<String> = kinds.into_iter().map(|(name, count)| of(name, count)).collect();
        self.heading(&lang.moves_heading(), &lang.comma_separated(&kinds))?;
        for (name, count) in odd.into_iter().filter(|&(_, count)| count > 0) {
            writeln!(self.out, "  {}{name}{:#} {}", style::WARNING, style::WARNING, grouped(count))?;
        }
        let most = moves.by_kind.iter().map(Mover::total).max().unwrap_or(0).max(1);
        let Cells { mut headings, rows } = cells::moves_by_kind(&self.report.figures, lang);
        headings.push(String::new());
        let mut table = Table::with_headings(headings);
        let json = self.json;
        let counts = |column: usize| flush_right(rows.iter().map(move |row| row[column].text(json)));
        let columns = counts(1).zip(counts(2)).zip(counts(3));
        for (mover, ((unpromoted, promoted), drops)) in moves.by_kind.iter().zip(columns) {
            let share = mover.total() as f64 / most as f64;
            let bar = (plot::bar(share, self.bar_cells()), style::FAINT);
            table.push_row([(lang.kind(mover.kind), style::NAME), unpromoted, promoted, drops, bar]);
        }
        table.write(self.out, "  ")
    }
}

/// The win rates of some bins together.
struct Rate {
    records: u64,
    observed: f64,
    fitted: Option<f64>,
}

impl Rate {
    /// `None` if no result is known.
    fn of_bins(bins: &[Bin]) -> Option<Rate> {
        let known = |bin: &Bin| bin.wins + bin.draws + bin.defeats;
        let records = bins.iter().map(known).sum();
        let weighed = |rate: fn(&Bin) -> Option<f64>| {
            let sums =
                bins.iter().filter(|bin| known(bin) > 0).map(|bin| Some(rate(bin)? * known(bin) as f64));
            sums.sum::<Option<f64>>().map(|sum| sum / records as f64)
        };
        (records > 0).then_some(())?;
        Some(Rate { records, observed: weighed(|bin| bin.win_rate)?, fitted: weighed(|bin| bin.fitted) })
    }
}

/// The lines of a king's heat map, with files above and ranks at the right as on a diagram.
fn king_map(king: &King, name: &str, lang: Lang) -> Vec<String> {
    let most = king.squares.as_flattened().iter().copied().max().unwrap_or(0);
    let files: Vec<String> = (1..=9).rev().map(|file| file.to_string()).collect();
    let rows = king.squares.iter().zip(lang.ranks()).map(|(row, rank)| {
        let cells: String = row.iter().map(|&count| plot::shade(count, most)).collect();
        format!("{cells} {rank}")
    });
    [name.to_owned(), files.join(" ")].into_iter().chain(rows).collect()
}

/// The bins of a number of games from the first to the last, the empty ones too, each with the least number in it.
pub fn filled(field: &NumberFigures) -> Vec<(i64, u64)> {
    /// A number far from the others would make a plot of empty bins.
    const MOST: i64 = 200;
    let mut filled: Vec<(i64, u64)> = Vec::new();
    for bin in &field.bins {
        let width = bin.to - bin.from + 1;
        if let Some(&(last, _)) = filled.last()
            && bin.from.saturating_sub(last) / width <= MOST
        {
            let mut from = last + width;
            while from < bin.from {
                filled.push((from, 0));
                from += width;
            }
        }
        filled.push((bin.from, bin.count));
    }
    filled
}

/// Counts as cells of a column, right-aligned.
fn flush_right(counts: impl Iterator<Item = String>) -> impl Iterator<Item = (String, Style)> {
    let texts: Vec<String> = counts.collect();
    let width = texts.iter().map(String::len).max().unwrap_or(0);
    texts.into_iter().map(move |text| (format!("{text:>width$}"), PLAIN))
}

/// From a score to a score.
pub fn range(from: Option<i16>, to: Option<i16>) -> String {
    match (from, to) {
        (Some(from), Some(to)) => format!("{from} … {to}"),
        (Some(from), None) => format!("≥ {from}"),
        (None, Some(to)) => format!("≤ {to}"),
        (None, None) => String::new(),
    }
}

/// `part` of `whole` in percent.
pub fn percent(part: u64, whole: u64) -> String {
    format!("{:.1} %", 100.0 * part as f64 / whole.max(1) as f64)
}
