//! `komabako backends`: the backends that pack and unpack on this machine, the chosen one, and why.

use clap::Args;
use komabako::bits::Backend;

use crate::context::Context;
use crate::outcome::{Failure, Outcome};
use crate::style::{self, Style};
use crate::table::Table;

#[derive(Args)]
pub struct Backends;

impl Backends {
    pub fn run(&self, context: &Context) -> Result<Outcome, Failure> {
        let lang = context.lang;
        let mut table = Table::with_headings([
            String::new(),
            lang.backend_heading(),
            lang.available_heading(),
            lang.why_heading(),
        ]);
        for candidate in Backend::candidates() {
            let is_chosen = candidate.name == context.backend.name();
            let why = match context.backend_source {
                Some(source) if is_chosen => lang.asked_for(source),
                Some(_) if candidate.verdict.is_chosen() => lang.would_be_fastest(),
                _ => lang.verdict(candidate.verdict),
            };
            let (mark, style) = if is_chosen { ("*", style::GOOD) } else { (" ", Style::new()) };
            let available = if candidate.verdict.is_available() { lang.yes() } else { lang.no() };
            table.push_row([
                (mark.to_owned(), style),
                (candidate.name.to_owned(), style),
                (available, Style::new()),
                (why, Style::new()),
            ]);
        }
        context.print(|out| table.write(out, ""))?;
        Ok(Outcome::Clean)
    }
}
