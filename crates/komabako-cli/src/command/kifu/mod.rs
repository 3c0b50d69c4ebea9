//! `komabako kifu IN… OUT`: game records from one format to another, listed or checked.

mod list;
mod output;

use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use komabako::dataset::kifu::{Loaded, Sources};
use komabako::kifu::{Format, Game, Games, Losses, ReadOptions, encoding, extension_notice, unknown};

use self::output::{Converted, Target};
use super::job;
use crate::cli::Context;
use crate::interrupt;
use crate::outcome::{Failure, Outcome, Report};

#[derive(Args)]
pub struct Kifu {
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    #[arg(long, value_name = "FORMAT")]
    to: Option<GameFormat>,
    #[arg(long)]
    recursive: bool,
    #[arg(long)]
    split: bool,
    #[arg(long, conflicts_with_all = ["split", "to"])]
    list: bool,
    #[arg(long, conflicts_with_all = ["split", "to", "list"])]
    check: bool,
    #[arg(long, value_name = "N", default_value = "2")]
    csa_version: CsaVersion,
    #[arg(long, value_name = "NAME")]
    encoding: Option<TextEncoding>,
    #[arg(long, value_name = "NAME")]
    eol: Option<Eol>,
    #[arg(long, value_name = "CHAR")]
    unmappable: Option<char>,
    #[arg(long)]
    lenient: bool,
    #[arg(long)]
    keep_comments: bool,
    #[arg(long, short)]
    force: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum GameFormat {
    Kif,
    Ki2,
    Csa,
    Jkf,
    Usi,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum CsaVersion {
    #[value(name = "2")]
    Two,
    #[value(name = "3")]
    Three,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum TextEncoding {
    #[value(name = "utf-8")]
    Utf8,
    Cp932,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Eol {
    Lf,
    Crlf,
}

impl Kifu {
    pub fn run(self, context: &Context) -> Result<Outcome, Failure> {
        interrupt::catch();
        let lang = context.lang;
        let (inputs, target) = if self.list || self.check {
            (self.paths.clone(), None)
        } else {
            let (inputs, output) = job::to_last(self.paths.clone(), lang)?;
            let target = Target::new(&self, output, lang)?;
            target.check(&inputs, self.force, lang)?;
            (inputs, Some(target))
        };
        let mut converted = Converted::default();
        let mut out = context.stdout();
        for file in self.files(&inputs, context)? {
            if interrupt::requested() {
                return Err(Failure::Interrupted(Report::plain(lang.cancelled())));
            }
            converted.files += 1;
            self.read(file, context, &mut |name, format, game| {
                converted.add(game);
                if self.list {
                    let line = list::line(name, format, game);
                    writeln!(out, "{line}").map_err(|error| context.stdout_failed(&error))?;
                }
                match &target {
                    Some(target) => target.push(&mut converted, name, game, lang),
                    None => Ok(()),
                }
            })
            .map(|bad| converted.bad += bad)?;
        }
        out.flush().map_err(|error| context.stdout_failed(&error))?;
        drop(out);
        let to_stdout = target.as_ref().is_some_and(Target::is_stdout);
        let (has_target, bad) = (target.is_some(), converted.bad);
        if let Some(target) = target {
            target.finish(&mut converted, self.force, lang)?;
        }
        if !self.list {
            let mut report = job::report_to(context, to_stdout);
            converted
                .report(has_target, lang)
                .write(&mut report, "")
                .and_then(|()| report.flush())
                .map_err(|error| context.stdout_failed(&error))?;
        }
        Ok(Outcome::found(bad > 0))
    }

    /// The files to read; `-` is standard input.
    fn files(
        &self,
        inputs: &[PathBuf],
        context: &Context,
    ) -> Result<Box<dyn Iterator<Item = Loaded>>, Failure> {
        if let [only] = inputs
            && job::is_dash(only)
        {
            let mut bytes = Vec::new();
            let limit = komabako::kifu::MAX_BYTES as u64 + 1;
            let read = interrupt::Stdin::open(false).take(limit).read_to_end(&mut bytes).map(|_| bytes);
            let name = context.lang.stdin();
            return Ok(Box::new(std::iter::once(Loaded { name, extension: None, bytes: read })));
        }
        let sources = Sources::find(inputs, self.recursive);
        let sources = sources.map_err(|error| Failure::dataset(&error, context.lang))?;
        Ok(Box::new(sources))
    }

    /// Reads the games of a file, tells what is wrong with them, and returns how many are bad.
    fn read(
        &self,
        file: Loaded,
        context: &Context,
        push: &mut dyn FnMut(&str, Format, &Game) -> Result<(), Failure>,
    ) -> Result<u64, Failure> {
        let lang = context.lang;
        let Loaded { name, extension, bytes } = file;
        let mut bad = 0;
        let mut complain = |text: String| {
            context.complain(&Failure::Bad(Report::plain(format!("{name}: {text}"))));
            bad += 1;
        };
        let bytes = match bytes {
            Ok(bytes) => bytes,
            Err(error) => {
                complain(lang.io(&error));
                return Ok(bad);
            }
        };
        let decoded = match encoding::decode(&bytes) {
            Ok(decoded) => decoded,
            Err(error) => {
                complain(lang.kifu_error(&error));
                return Ok(bad);
            }
        };
        let Some(format) = Format::detect(&decoded.text) else {
            complain(lang.kifu_error(&unknown(&decoded.text)));
            return Ok(bad);
        };
        if let Some(notice) = extension_notice(format, &decoded, extension.as_deref()) {
            context.warn(&format!("{name}: {}", lang.kifu_notice(&notice)));
        }
        let options = ReadOptions { lenient: self.lenient, keep_comments: self.keep_comments };
        for game in Games::new(&decoded.text, format, options) {
            match game {
                Ok(game) => {
                    for notice in &game.notices {
                        context.warn(&format!("{name}: {}", lang.kifu_notice(notice)));
                    }
                    if let Some(error) = &game.stopped {
                        complain(lang.kifu_error(error));
                    }
                    push(&name, format, &game)?;
                }
                Err(error) => complain(lang.kifu_error(&error)),
            }
        }
        Ok(bad)
    }
}

/// The format that a path's extension and the options say.
fn format_of(path: &Path, options: &Kifu) -> Option<Format> {
    let named = options.to.map(|format| match format {
        GameFormat::Kif => Format::Kif,
        GameFormat::Ki2 => Format::Ki2,
        GameFormat::Csa => Format::Csa,
        GameFormat::Jkf => Format::Jkf,
        GameFormat::Usi => Format::Usi,
    });
    let format = named.or_else(|| Format::from_extension(path.extension()?.to_str()?))?;
    Some(match (format, options.csa_version) {
        (Format::Csa, CsaVersion::Three) => Format::Csa3,
        (format, _) => format,
    })
}
