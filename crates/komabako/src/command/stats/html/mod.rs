//! The report as one HTML page: charts, tables and style in one file, without scripts or external resources.

mod chart;
mod games;

use maud::{DOCTYPE, Markup, html};
use serde_json::Value;

use self::chart::{Caption, Curve, Row, Series, Tick};
use super::cells::{self, Cell, Cells, RECORDS, percent, signed};
use super::report::{ByColor, Figures, Kind, King, Mover, Report, shown_name};
use super::text::{USUAL_SCALE, range};
use crate::escape::is_escaped;
use crate::message::{Lang, grouped};

const STYLE: &str = include_str!("style.css");

/// The page. `json`: the report of `--json`, from which the tables take their figures.
pub fn page(report: &Report<'_>, json: &Value, lang: Lang) -> String {
    let page = Page { report, json, lang };
    let language = match lang {
        Lang::En => "en",
        Lang::Ja => "ja",
    };
    let html = html! {
        (DOCTYPE) "\n"
        html lang=(language) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (page.title()) }
                style { (STYLE) }
            }
            body {
                main {
                    (page.header())
                    @if let Some(games) = &report.games { (page.games(games)) }
                    @if report.figures.records > 0 {
                        (page.results()) (page.plies()) (page.scores()) (page.win_rates())
                        (page.pieces()) (page.kings()) (page.moves())
                    }
                    @if report.game_run.is_none() { (page.quality()) }
                }
                footer { (lang.made_by(env!("CARGO_PKG_VERSION"))) }
            }
        }
        "\n"
    };
    escaped(&html.into_string())
}

/// The text of a page may be pasted into a terminal.
fn escaped(page: &str) -> String {
    let mut escaped = String::with_capacity(page.len());
    for letter in page.chars() {
        match letter {
            _ if is_escaped(letter) && letter != '\n' => escaped.extend(letter.escape_default()),
            _ => escaped.push(letter),
        }
    }
    escaped
}

struct Page<'a> {
    report: &'a Report<'a>,
    json: &'a Value,
    lang: Lang,
}

impl Page<'_> {
    fn title(&self) -> String {
        let names = self.report.inputs.iter().map(|input| shown_name(input, self.lang));
        self.lang.page_title(names.collect::<Vec<_>>().join(", "))
    }

    /// The inputs and the most important figures.
    fn header(&self) -> Markup {
        let Report { inputs, missing_parts, figures, .. } = self.report;
        let Figures { records, distinct, in_check, .. } = figures;
        let lang = self.lang;
        let inputs = inputs.iter().map(|input| {
            let mut text = shown_name(input, lang);
            for more in input.format.iter().chain([&input.compression]).filter(|more| **more != "none") {
                text += &format!(" · {more}");
            }
            text
        });
        let share = |part: u64| percent(part as f64 / (*records).max(1) as f64);
        let duplicates = distinct.duplicate_share.map_or("–".to_owned(), percent);
        let fit = self.report.figures.fit.as_ref().filter(|fit| fit.significant);
        let tiles = [
            (lang.records_label(), grouped(*records), lang.positions_counted()),
            (
                lang.distinct(),
                grouped(distinct.estimate),
                lang.between(grouped(distinct.low), grouped(distinct.high)),
            ),
            (
                lang.duplicates_label(),
                duplicates,
                lang.estimated(format!("{:.1}", 100.0 * distinct.standard_error)),
            ),
            (lang.in_check(), share(*in_check), lang.records(*in_check)),
            (
                lang.fit_scale(),
                fit.map_or("–".to_owned(), |fit| signed(fit.a, 1)),
                fit.map(|fit| format!("± {:.1}", fit.a_error)).unwrap_or_default(),
            ),
        ];
        let missing = missing_parts.iter();
        let missing =
            missing.map(|missing| format!("{}: {}", lang.missing_parts_label(), lang.missing_parts(missing)));
        html! {
            header {
                h1 { (lang.page_heading()) }
                ul.inputs {
                    @for input in inputs { li { (input) } }
                }
                @for text in missing { p.bad { (text) } }
                @if self.report.game_run.is_none() {
                    dl.tiles {
                        @for (name, value, more) in tiles {
                            div.tile { dt { (name) } dd { (value) } dd.more { (more) } }
                        }
                    }
                }
            }
        }
    }

    fn results(&self) -> Markup {
        let Figures { results, side_to_move, records, .. } = &self.report.figures;
        let lang = self.lang;
        let series = [
            Series { class: "s1", name: lang.black() },
            Series { class: "s7", name: lang.draw() },
            Series { class: "s4", name: lang.white() },
        ];
        let percent = |count: u64| 100.0 * count as f64 / (*records).max(1) as f64;
        let rows = [
            Row {
                name: lang.wins_row(),
                parts: [results.black_wins, results.draws, results.white_wins].map(percent).into(),
            },
            Row {
                name: lang.side_to_move_label(),
                parts: vec![percent(side_to_move.black), 0.0, percent(side_to_move.white)],
            },
        ];
        let caption = caption(lang.results_title(), lang.share_axis(), String::new());
        let chart = chart::rows(&caption, &series, &rows, &percent_ticks());
        let rows = [
            counted(lang.records_label(), "/records"),
            counted(lang.black_wins(), "/results/black_wins"),
            counted(lang.white_wins(), "/results/white_wins"),
            counted(lang.draw(), "/results/draws"),
            counted(lang.mover_wins(), "/results/side_to_move_wins"),
            counted(lang.black_to_move(), "/side_to_move/black"),
            counted(lang.white_to_move(), "/side_to_move/white"),
            counted(lang.in_check(), "/in_check"),
        ];
        let headings = [String::new(), lang.records_label(), lang.share()];
        let numbers = self.table(&lang.results_title(), &headings, rows);
        section(&lang.results_heading(), &beside(&figure(&chart, &series), &numbers))
    }

    fn plies(&self) -> Markup {
        let plies = &self.report.figures.plies;
        let lang = self.lang;
        let counts: Vec<u64> = plies.bins.iter().map(|bin| bin.count).collect();
        let caption = caption(lang.plies_title(), lang.ply(), lang.records_label());
        // The last column ends somewhere too.
        let starts: Vec<usize> = (0..=counts.len()).map(|bin| bin * 10 + 1).collect();
        let chart = histogram(&caption, &counts, &starts);
        let bins = plies.bins.iter().enumerate().map(|(index, bin)| {
            let pointer = format!("/plies/bins/{index}/count");
            let name = match bin.to {
                Some(to) => format!("{} … {to}", bin.from),
                None => format!("≥ {}", bin.from),
            };
            vec![Cell::Range(name), Cell::Count(pointer.clone()), Cell::Part(pointer)]
        });
        let headings = [lang.ply(), lang.records_label(), lang.share()];
        let numbers = self.table(&lang.plies_title(), &headings, bins);
        let summary = self.spread("/plies", false);
        section(&lang.plies_heading(), &beside(&figure(&html! { (chart) (summary) }, &[]), &numbers))
    }

    fn scores(&self) -> Markup {
        let scores = &self.report.figures.scores;
        let lang = self.lang;
        let series = [
            Series { class: "s1", name: lang.mover_wins() },
            Series { class: "s7", name: lang.drawn_or_unknown() },
            Series { class: "s4", name: lang.mover_lost() },
        ];
        let stacks: Vec<Vec<u64>> =
            scores.bins.iter().map(|bin| vec![bin.wins, bin.draws + bin.unknown, bin.defeats]).collect();
        let ticks = [-3000, -2000, -1000, 0, 1000, 2000, 3000]
            .map(|score| Tick { at: f64::from(score + 3000) / 100.0 + 1.0, label: signed(score.into(), 0) });
        let caption = caption(lang.scores_title(), lang.score_axis(), lang.records_label());
        let chart = chart::columns(&caption, &series, &stacks, &ticks);
        let bins = scores.bins.iter().enumerate().map(|(index, bin)| {
            let pointer = |member: &str| format!("/scores/bins/{index}/{member}");
            vec![
                Cell::Range(range(bin.from, bin.to)),
                Cell::Count(pointer("count")),
                Cell::Count(pointer("wins")),
                Cell::Count(pointer("draws")),
                Cell::Count(pointer("defeats")),
                Cell::Count(pointer("unknown")),
            ]
        });
        let headings =
            [lang.score(), lang.records_label(), lang.won(), lang.drawn(), lang.lost_game(), lang.unknown()];
        let numbers = table(self.json, Some("tight"), &lang.scores_title(), &headings, bins);
        let summary = self.spread("/scores", true);
        let mates = [(lang.mating(), count("/scores/mating")), (lang.mated(), count("/scores/mated"))];
        let mates = self.figures(&lang.mates_title(), lang.records_label(), mates);
        section(
            &lang.scores_heading(),
            &beside(&figure(&html! { (chart) (summary) (mates) }, &series), &numbers),
        )
    }

    fn win_rates(&self) -> Markup {
        let lang = self.lang;
        let bins = &self.report.figures.scores.bins;
        let most = bins.iter().map(|bin| bin.count).max().unwrap_or(0).max(1) as f64;
        let points: Vec<(f64, f64, f64)> = bins
            .iter()
            .filter_map(|bin| {
                let middle = (f64::from(bin.from?) + f64::from(bin.to?)) / 2.0;
                Some((middle, bin.win_rate?, bin.count as f64 / most))
            })
            .collect();
        let logistic = |class, scale: f64| Curve {
            class,
            points: (-60..=60)
                .map(|step| f64::from(step) * 50.0)
                .map(|score| (score, 1.0 / (1.0 + (-score / scale).exp())))
                .collect(),
        };
        let fit = self.report.figures.fit.as_ref();
        let mut curves = vec![logistic("s7", USUAL_SCALE)];
        let mut series = vec![Series { class: "s1", name: lang.observed() }];
        if let Some(fit) = fit {
            curves.push(logistic("s4", fit.a));
            series.push(Series { class: "s4", name: lang.fit_named(signed(fit.a, 0)) });
        }
        series.push(Series { class: "s7", name: lang.usual_fit(USUAL_SCALE) });
        let ticks = [-3000, -2000, -1000, 0, 1000, 2000, 3000]
            .map(|score| Tick { at: score.into(), label: signed(score.into(), 0) });
        let caption = caption(lang.win_rate_title(), lang.score_axis(), lang.win_rate_axis());
        let chart = chart::curves(&caption, &curves, ("s1", &points), (-3000.0, 3000.0), &ticks);
        let rows = bins.iter().enumerate().map(|(index, bin)| {
            let pointer = |member: &str| format!("/scores/bins/{index}/{member}");
            vec![
                Cell::Range(range(bin.from, bin.to)),
                Cell::Share(pointer("win_rate")),
                Cell::Share(pointer("fitted")),
            ]
        });
        let headings = [lang.score(), lang.observed(), lang.fit()];
        let numbers = self.table(&lang.win_rate_title(), &headings, rows);
        let below = match fit {
            None => note(&lang.no_fit()),
            Some(fit) => {
                let fitted = [
                    ("a".to_owned(), Cell::Decimal("/fit/a".to_owned(), 1)),
                    (lang.standard_error(), Cell::Decimal("/fit/a_error".to_owned(), 1)),
                    (lang.records_label(), count("/fit/records")),
                ];
                let fitted = self.figures(&lang.formula(), lang.value(), fitted);
                let doubt = if !fit.significant {
                    Some(lang.flat_fit())
                } else if fit.a < 0.0 {
                    Some(lang.inverted())
                } else {
                    None
                };
                html! {
                    (fitted)
                    @if let Some(doubt) = doubt { (note(&doubt)) }
                    (note(&lang.fit_note()))
                }
            }
        };
        let figure = figure(&html! { (chart) (below) }, &series);
        section(&lang.win_rate_heading(), &beside(&figure, &numbers))
    }

    fn pieces(&self) -> Markup {
        let lang = self.lang;
        let series = [
            Series { class: "s1", name: lang.black_in(lang.board()) },
            Series { class: "s3", name: lang.black_in(lang.promoted()) },
            Series { class: "s2", name: lang.black_in(lang.hand()) },
            Series { class: "s7", name: lang.piece_box() },
            Series { class: "s5", name: lang.white_in(lang.hand()) },
            Series { class: "s6", name: lang.white_in(lang.promoted()) },
            Series { class: "s4", name: lang.white_in(lang.board()) },
        ];
        let rows: Vec<Row> = self
            .report
            .figures
            .pieces
            .iter()
            .map(|kind| {
                let Kind { black, white, removed, .. } = kind;
                let parts = [
                    black.unpromoted,
                    black.promoted,
                    black.hand,
                    *removed,
                    white.hand,
                    white.promoted,
                    white.unpromoted,
                ];
                let all: f64 = parts.iter().sum();
                let percent = |count: f64| 100.0 * count / all.max(f64::MIN_POSITIVE);
                Row { name: lang.kind(kind.kind), parts: parts.map(percent).into() }
            })
            .collect();
        let caption = caption(lang.pieces_title(), lang.set_axis(), String::new());
        let chart = chart::rows(&caption, &series, &rows, &percent_ticks());
        let Cells { headings, rows } = cells::pieces(&self.report.figures, lang);
        let numbers = table(self.json, Some("tight"), &lang.mean_of_positions(), &headings, rows);
        section(&lang.pieces_heading(), &beside(&figure(&chart, &series), &numbers))
    }

    fn kings(&self) -> Markup {
        let lang = self.lang;
        let ByColor { black, white } = &self.report.figures.kings;
        let half = |class: &str, color: &str, name: String, king: &King| {
            let title = lang.king_title(&name);
            let headings: Vec<String> =
                [String::new()].into_iter().chain((1..=9).rev().map(|file| file.to_string())).collect();
            let rows = king.squares.iter().zip(lang.ranks()).enumerate().map(|(row, (counts, rank))| {
                let cells = (0..counts.len())
                    .map(|column| Cell::Count(format!("/kings/{color}/squares/{row}/{column}")));
                [Cell::Head(rank.to_string())].into_iter().chain(cells).collect()
            });
            let numbers = self.table(&lang.king_counts(&name), &headings, rows);
            let missing = [(lang.missing(), count(format!("/kings/{color}/absent")))];
            let missing = self.figures(&lang.king_missing(&name), lang.records_label(), missing);
            html! {
                figure {
                    figcaption { (title) }
                    (chart::board(&title, class, &king.squares, lang.ranks()))
                    details {
                        summary { (lang.counts()) }
                        (scroll(&numbers))
                        (missing)
                    }
                }
            }
        };
        let halves = html! {
            div.halves {
                (half("s1", "black", lang.black(), black))
                (half("s4", "white", lang.white(), white))
            }
            (note(&lang.king_note()))
        };
        section(&lang.kings_heading(), &halves)
    }

    fn moves(&self) -> Markup {
        let moves = &self.report.figures.moves;
        let lang = self.lang;
        let series = [
            Series { class: "s1", name: lang.board() },
            Series { class: "s3", name: lang.promoted() },
            Series { class: "s4", name: lang.drops() },
        ];
        let total = (moves.board + moves.drops).max(1) as f64;
        let rows: Vec<Row> = moves
            .by_kind
            .iter()
            .map(|mover| Row {
                name: lang.kind(mover.kind),
                parts: [mover.unpromoted, mover.promoted, mover.drops]
                    .map(|count| 100.0 * count as f64 / total)
                    .into(),
            })
            .collect();
        let longest = moves.by_kind.iter().map(Mover::total).max().unwrap_or(0) as f64 / total;
        let step = if longest > 0.3 { 10 } else { 5 };
        let ticks: Vec<Tick> = (0..=(100.0 * longest / f64::from(step)).ceil() as i32)
            .map(|index| Tick { at: f64::from(index * step), label: (index * step).to_string() })
            .collect();
        let caption = caption(lang.moves_title(), lang.moves_axis(), String::new());
        let chart = chart::rows(&caption, &series, &rows, &ticks);
        let Cells { headings, rows } = cells::moves_by_kind(&self.report.figures, lang);
        let by_kind = self.table(&lang.moves_title(), &headings, rows);
        let rows = [
            counted(lang.on_board(), "/moves/board"),
            counted(lang.drops(), "/moves/drops"),
            counted(lang.captures(), "/moves/captures"),
            counted(lang.promotions(), "/moves/promotions"),
            counted(lang.special_moves(), "/moves/special"),
            counted(lang.ill_formed(), "/moves/ill_formed"),
            counted(lang.unmatched(), "/moves/unmatched"),
        ];
        let headings = [String::new(), lang.records_label(), lang.share()];
        let kinds = self.table(&lang.move_kinds(), &headings, rows);
        section(&lang.moves_heading(), &beside(&figure(&html! { (chart) (kinds) }, &series), &by_kind))
    }

    /// Missing, odd and bad records.
    fn quality(&self) -> Markup {
        let counts = &self.report.summary.counts;
        let lang = self.lang;
        let mut odd = vec![
            (lang.without(lang.score()), count("/missing/score")),
            (lang.without(lang.best_move()), count("/missing/move")),
            (lang.without(lang.ply()), count("/missing/ply")),
            (lang.without(lang.result()), count("/missing/result")),
            (lang.unplayable(), count("/unplayable")),
            (lang.merged_tails_label(), count("/merged_tails")),
            (lang.left_out_records(), count("/bad_total")),
        ];
        odd.extend(counts.bad.keys().map(|name| (name.to_string(), count(format!("/bad/{name}")))));
        let odd = self.figures(&lang.quality_title(), lang.records_label(), odd);
        let estimate = [
            (lang.distinct(), count("/distinct/estimate")),
            (lang.at_least(), count("/distinct/low")),
            (lang.at_most(), count("/distinct/high")),
            (lang.duplicates_label(), Cell::Share("/distinct/duplicate_share".to_owned())),
            (lang.standard_error(), Cell::Share("/distinct/standard_error".to_owned())),
        ];
        let estimate = self.figures(&lang.estimate_title(), lang.positions(), estimate);
        let content = html! {
            div.halves { (odd) (estimate) }
            @for tail in &counts.tails { p.bad { (lang.say(tail)) } }
        };
        section(&lang.quality_heading(), &content)
    }

    /// Mean, deviation, median if there is one, and range of the figures at a pointer.
    fn spread(&self, base: &str, has_median: bool) -> Markup {
        let lang = self.lang;
        let columns = [
            (lang.mean(), "mean", 2),
            (lang.deviation(), "deviation", 2),
            (lang.median(), "median", 0),
            (lang.least(), "min", 0),
            (lang.most(), "max", 0),
        ];
        let columns = columns.into_iter().filter(|(_, member, _)| has_median || *member != "median");
        let (headings, cells): (Vec<String>, Vec<Cell>) = columns
            .map(|(heading, member, decimals)| (heading, Cell::Decimal(format!("{base}/{member}"), decimals)))
            .unzip();
        table(self.json, Some("spread"), &lang.summary(), &headings, [cells])
    }

    /// A table of figures, each with its label; `heading` is that of the figures.
    fn figures(
        &self,
        caption: &str,
        heading: String,
        rows: impl IntoIterator<Item = (String, Cell)>,
    ) -> Markup {
        let rows = rows.into_iter().map(|(label, figure)| vec![Cell::Head(label), figure]);
        self.table(caption, &[String::new(), heading], rows)
    }

    fn table(&self, caption: &str, headings: &[String], rows: impl IntoIterator<Item = Vec<Cell>>) -> Markup {
        table(self.json, None, caption, headings, rows)
    }
}

/// A table under headings, with a caption. The page keeps the pointers of its cells in `data-json`.
fn table(
    report: &Value,
    class: Option<&str>,
    caption: &str,
    headings: &[String],
    rows: impl IntoIterator<Item = Vec<Cell>>,
) -> Markup {
    let element = |cell: &Cell| {
        let text = cell.text(report);
        match cell {
            Cell::Head(_) | Cell::Range(_) => html! { th scope="row" { (text) } },
            Cell::Count(pointer) | Cell::Decimal(pointer, _) | Cell::Share(pointer) => {
                html! { td.n data-json=(pointer) { (text) } }
            }
            Cell::Part(pointer) => html! { td.n data-part=(pointer) data-of=(RECORDS) { (text) } },
        }
    };
    html! {
        table class=[class] {
            caption { (caption) }
            thead {
                tr {
                    @for heading in headings { th scope="col" { (heading) } }
                }
            }
            tbody {
                @for row in rows {
                    tr {
                        @for cell in &row { (element(cell)) }
                    }
                }
            }
        }
    }
}

fn count(pointer: impl Into<String>) -> Cell {
    Cell::Count(pointer.into())
}

/// A row of a count and its part of all records.
fn counted(name: String, pointer: &str) -> Vec<Cell> {
    vec![Cell::Head(name), Cell::Count(pointer.to_owned()), Cell::Part(pointer.to_owned())]
}

/// A chart of counts, with a tick at some of the columns.
fn histogram(caption: &Caption, counts: &[u64], starts: &[impl ToString]) -> Markup {
    let series = [Series { class: "s1", name: caption.y.clone() }];
    let stacks: Vec<Vec<u64>> = counts.iter().map(|&count| vec![count]).collect();
    let ticks = starts.iter().enumerate().step_by(counts.len().div_ceil(10).max(1));
    let ticks: Vec<Tick> =
        ticks.map(|(bin, start)| Tick { at: bin as f64, label: start.to_string() }).collect();
    chart::columns(caption, &series, &stacks, &ticks)
}

fn caption(title: String, x: String, y: String) -> Caption {
    Caption { title, x, y }
}

fn section(heading: &str, content: &Markup) -> Markup {
    html! { section { h2 { (heading) } (content) } }
}

fn figure(content: &Markup, series: &[Series]) -> Markup {
    html! {
        figure {
            @if !series.is_empty() { (chart::legend(series)) }
            (content)
        }
    }
}

/// A chart and its figures, side by side if the width allows.
fn beside(figure: &Markup, numbers: &Markup) -> Markup {
    html! { div.pair { (figure) (scroll(numbers)) } }
}

/// Content that may overflow, in a box that scrolls, by keyboard too.
fn scroll(content: &Markup) -> Markup {
    html! { div.scroll tabindex="0" { (content) } }
}

fn note(text: &str) -> Markup {
    html! { p.note { (text) } }
}

fn percent_ticks() -> [Tick; 5] {
    [0, 25, 50, 75, 100].map(|percent| Tick { at: percent.into(), label: percent.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The page escapes its texts, but HTML has no escapes in a style sheet.
    #[test]
    fn the_style_needs_no_escapes() {
        assert!(!STYLE.contains(['&', '<', '>', '"']));
    }

    #[test]
    fn texts_and_attributes_are_escaped_and_elements_are_not() {
        let page = html! { p { "a" (note("1 < 2\u{1b}")) b title=("\"x\" & y\u{202e}") { "\n" } } };
        let expected =
            "<p>a<p class=\"note\">1 &lt; 2\\u{1b}</p><b title=\"&quot;x&quot; &amp; y\\u{202e}\">\n</b></p>";
        assert_eq!(escaped(&page.into_string()), expected);
    }
}
