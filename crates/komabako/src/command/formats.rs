//! `komabako formats`: the formats of files, and the losses of each conversion.

use std::io::Write;

use clap::Args;
use komabako::dataset::{Field, FileFormat, losses};

use super::named::file_format;
use crate::context::Context;
use crate::message::Lang;
use crate::outcome::{Failure, Outcome};
use crate::style::{self, Style};
use crate::table::Table;

#[derive(Args)]
pub struct Formats {
    #[arg(long, value_name = "FORMAT", value_parser = file_format())]
    from: Option<FileFormat>,
    #[arg(long, value_name = "FORMAT", value_parser = file_format())]
    to: Option<FileFormat>,
}

impl Formats {
    pub fn run(&self, context: &Context) -> Result<Outcome, Failure> {
        context.print(|out| match (self.from, self.to) {
            (None, None) => table(out, context.lang),
            (from, to) => pairs(out, context.lang, from, to),
        })?;
        Ok(Outcome::Clean)
    }
}

/// Every format and the labels it holds.
fn table(out: &mut impl Write, lang: Lang) -> std::io::Result<()> {
    let mut table = Table::with_headings([
        lang.format_heading(),
        lang.extension_heading(),
        lang.bytes_heading(),
        lang.write_heading(),
        lang.labels_heading(),
        lang.what_heading(),
    ]);
    for &format in FileFormat::ALL {
        let extensions: Vec<String> =
            format.extensions().iter().map(|extension| format!(".{extension}")).collect();
        let labels = [
            (Field::Score, lang.score()),
            (Field::Move, lang.best_move()),
            (Field::Result, lang.result()),
            (Field::Ply, lang.ply()),
        ];
        let labels: Vec<String> =
            labels.into_iter().filter(|(field, _)| format.holds(*field)).map(|(_, name)| name).collect();
        table.push_row([
            (format.name().to_owned(), style::NAME),
            (extensions.join(" "), Style::new()),
            (format.record_size().map(|size| size.to_string()).unwrap_or_default(), Style::new()),
            (if format.can_write() { lang.yes() } else { lang.no() }, Style::new()),
            (labels.join(" "), Style::new()),
            (lang.say(&format.description()), Style::new()),
        ]);
    }
    table.write(out, "")?;
    game_formats(out, lang)?;
    writeln!(out, "\n{}\n{}", lang.reading_compression(), lang.reading_losses())
}

/// The formats of game records and the contents they hold.
fn game_formats(out: &mut impl Write, lang: Lang) -> std::io::Result<()> {
    writeln!(out)?;
    let mut table = Table::with_headings([
        lang.format_heading(),
        lang.extension_heading(),
        lang.kifu_variations_label(),
        lang.kifu_loss("bookmarks"),
        lang.kifu_loss("comments"),
        lang.kifu_loss("header"),
        lang.kifu_loss("times"),
        lang.kifu_several_label(),
    ]);
    for &format in komabako::kifu::Format::ALL {
        let holds = format.holds();
        let said = |holds| (if holds { lang.yes() } else { lang.no() }, Style::new());
        let extensions: Vec<String> = format.extensions().iter().map(|name| format!(".{name}")).collect();
        table.push_row([
            (format.name().to_owned(), style::NAME),
            (extensions.join(" "), Style::new()),
            said(holds.variations),
            said(holds.bookmarks),
            said(holds.comments),
            said(holds.header),
            (lang.kifu_times(holds.times), Style::new()),
            said(holds.several_games),
        ]);
    }
    table.write(out, "")
}

/// The losses of the conversions from and to the named formats.
fn pairs(
    out: &mut impl Write,
    lang: Lang,
    from: Option<FileFormat>,
    to: Option<FileFormat>,
) -> std::io::Result<()> {
    let named = |name: Option<FileFormat>| name.map_or(FileFormat::ALL.to_vec(), |format| vec![format]);
    for from in named(from) {
        for to in named(to).into_iter().filter(|to| to.can_write()) {
            writeln!(out, "{}{from} -> {to}{:#}", style::NAME, style::NAME)?;
            let losses = losses(from, to);
            if losses.is_empty() {
                writeln!(out, "  {}", lang.nothing_lost())?;
            }
            for loss in losses {
                writeln!(out, "  {}", lang.say(&loss))?;
            }
        }
    }
    Ok(())
}
