//! The sections of games.

use maud::{Markup, html};

use super::chart::{self, Series, Tick};
use super::{Page, beside, caption, figure, section};
use crate::command::stats::cells::Cell;
use crate::command::stats::report::{GameFigures, NumberFigures, TextFigures};
use crate::command::stats::text::filled;

impl Page<'_> {
    /// The fields of games, under the names that `--games` knows.
    pub(super) fn games(&self, figures: &GameFigures) -> Markup {
        let lang = self.lang;
        let count = |at: String| Cell::Count(format!("/game_fields/{at}"));
        let numbers = figures.numbers.keys().map(|name| {
            let decimal = |member: &str, decimals| {
                Cell::Decimal(format!("/game_fields/numbers/{name}/{member}"), decimals)
            };
            vec![
                Cell::Head(name.to_string()),
                count(format!("numbers/{name}/known")),
                decimal("mean", 2),
                decimal("deviation", 2),
                decimal("median", 0),
                decimal("min", 0),
                decimal("max", 0),
            ]
        });
        let headings = [
            String::new(),
            lang.games_label(),
            lang.mean(),
            lang.deviation(),
            lang.median(),
            lang.least(),
            lang.most(),
        ];
        let numbers = self.table(&lang.game_numbers_title(), &headings, numbers);
        let texts = figures.texts.keys().map(|name| {
            let members =
                ["known", "different", "others"].map(|member| count(format!("texts/{name}/{member}")));
            [Cell::Head(name.to_string())].into_iter().chain(members).collect()
        });
        let headings = [String::new(), lang.games_label(), lang.different_label(), lang.others_label()];
        let texts = self.table(&lang.game_texts_title(), &headings, texts);
        let mut all = vec![vec![Cell::Head(lang.games_label()), count("games".to_owned())]];
        for name in figures.truths.keys() {
            all.push(vec![Cell::Head(name.to_string()), count(format!("truths/{name}"))]);
        }
        let all = self.table(&lang.games_label(), &[String::new(), lang.games_label()], all);
        let charts = ["plies", "rating_min"].into_iter().filter_map(|name| {
            let field = figures.numbers.get(name)?;
            (field.known > 0).then(|| self.number_chart(name, field))
        });
        let known = figures.texts.iter().filter(|(_, field)| field.known > 0);
        html! {
            (section(&lang.games_label(), &html! { (all) div.halves { (numbers) (texts) } }))
            @for chart in charts { (chart) }
            (section(&lang.game_texts_heading(), &html! {
                div.halves {
                    @for (name, field) in known { (self.text_table(name, field)) }
                }
            }))
        }
    }

    /// The games by a number, as a chart and as a table.
    fn number_chart(&self, name: &str, field: &NumberFigures) -> Markup {
        let lang = self.lang;
        let bins = filled(field);
        let series = [Series { class: "s1", name: lang.games_label() }];
        let stacks: Vec<Vec<u64>> = bins.iter().map(|&(_, count)| vec![count]).collect();
        let every = bins.len().div_ceil(10).max(1);
        let ticks: Vec<Tick> = (0..bins.len())
            .step_by(every)
            .map(|bin| Tick { at: bin as f64, label: bins[bin].0.to_string() })
            .collect();
        let caption = caption(lang.games_by(name), name.to_owned(), lang.games_label());
        let chart = chart::columns(&caption, &series, &stacks, &ticks);
        let rows = field.bins.iter().enumerate().map(|(index, bin)| {
            let pointer = format!("/game_fields/numbers/{name}/bins/{index}/count");
            vec![Cell::Range(format!("{} … {}", bin.from, bin.to)), Cell::Count(pointer)]
        });
        let headings = [name.to_owned(), lang.games_label()];
        let numbers = self.table(&lang.games_by(name), &headings, rows);
        section(name, &beside(&figure(&chart, &[]), &numbers))
    }

    /// The texts that most games have.
    fn text_table(&self, name: &str, field: &TextFigures) -> Markup {
        let lang = self.lang;
        let rows = field.most.iter().enumerate().map(|(index, known)| {
            let pointer = format!("/game_fields/texts/{name}/most/{index}/count");
            vec![Cell::Head(lang.game_text(name, &known.text)), Cell::Count(pointer)]
        });
        let title = match (name, &field.first, &field.last) {
            ("date", Some(first), Some(last)) => format!("{name}: {}", lang.first_to_last(first, last)),
            _ => name.to_owned(),
        };
        self.table(&title, &[String::new(), lang.games_label()], rows)
    }
}
