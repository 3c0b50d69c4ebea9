//! The sections of games.

use maud::{Markup, html};

use super::{Page, beside, caption, figure, histogram, section};
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
        let mut all = vec![(lang.games_label(), count("games".to_owned()))];
        all.extend(figures.truths.keys().map(|name| (name.to_string(), count(format!("truths/{name}")))));
        let all = self.figures(&lang.games_label(), lang.games_label(), all);
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
        let (starts, counts): (Vec<_>, Vec<u64>) = filled(field).into_iter().unzip();
        let caption = caption(lang.games_by(name), name.to_owned(), lang.games_label());
        let chart = histogram(&caption, &counts, &starts);
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
            (lang.game_text(name, &known.text), Cell::Count(pointer))
        });
        let title = match (name, &field.first, &field.last) {
            ("date", Some(first), Some(last)) => format!("{name}: {}", lang.first_to_last(first, last)),
            _ => name.to_owned(),
        };
        self.figures(&title, lang.games_label(), rows)
    }
}
