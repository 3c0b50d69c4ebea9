//! Files of game records, given in place of a position or a file of records.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anstyle::Style;
use komabako::board::Setup;
use komabako::board::sfen::Sfen;
use komabako::dataset::DatasetError;
use komabako::dataset::kifu::{Loaded, Sources, is_game_file, is_system_error};
use komabako::kifu::{Format, Game, Games, KifuError, ReadOptions, encoding, unknown};

use crate::context::Context;
use crate::message::{Lang, Report, grouped};
use crate::outcome::Failure;
use crate::style;
use crate::table::Table;

/// A game of a file or archive and its format, or the error with its file's name.
pub type Read = Result<(Format, Game), String>;

/// Whether text names a file of game records.
pub fn is_named(text: &str) -> bool {
    let path = Path::new(text);
    path.is_file() && is_game_file(path)
}

/// The failure for text that looks like a path but cannot be read as a file: it does not exist, or is a directory. `None` if
/// the text does not look like a path.
pub fn missing(text: &str, lang: Lang) -> Option<Failure> {
    let path = Path::new(text);
    // SFEN has no dot and no backslash, and does not begin with a slash.
    let is_meant = path.extension().is_some() || text.starts_with(['/', '.', '~']) || text.contains('\\');
    let error = match fs::metadata(path) {
        Ok(found) if found.is_dir() => io::ErrorKind::IsADirectory.into(),
        Err(error) if is_meant => error,
        _ => return None,
    };
    let what = lang.cannot_open(path.display(), lang.io(&error));
    Some(Failure::CouldNotRun(Report::new(what, lang.opening_help(&error)).of_kind("open")))
}

/// The games of a file or archive.
pub fn read(path: &Path, lang: Lang) -> Result<Vec<Read>, Failure> {
    let sources = Sources::find(&[PathBuf::from(path)], false);
    let sources = sources.map_err(|error| Failure::dataset(&error, lang))?;
    let mut games = Vec::new();
    for Loaded { name, bytes, .. } in sources {
        let bad = |text: String| Err(format!("{name}: {text}"));
        let bytes = match bytes {
            Ok(bytes) => bytes,
            Err(error) if is_system_error(&error) => {
                return Err(Failure::dataset(&DatasetError::Open(name.into(), error), lang));
            }
            Err(error) => {
                games.push(bad(lang.io(&error)));
                continue;
            }
        };
        let decoded = match encoding::decode(&bytes) {
            Ok(decoded) => decoded,
            Err(error) => {
                games.push(bad(lang.kifu_error(&error)));
                continue;
            }
        };
        games.extend(self::games(&decoded.text, &name, lang));
    }
    Ok(games)
}

/// The games of a text; `name` is the name of its file.
pub fn games<'a>(text: &'a str, name: &'a str, lang: Lang) -> Box<dyn Iterator<Item = Read> + 'a> {
    let bad = move |error: &KifuError| format!("{name}: {}", lang.kifu_error(error));
    let Some(format) = Format::detect(text) else {
        return Box::new(std::iter::once(Err(bad(&unknown(text)))));
    };
    let games = Games::new(text, format, ReadOptions::default());
    Box::new(games.map(move |game| match game {
        Ok(game) => Ok((format, game)),
        Err(error) => Err(bad(&error)),
    }))
}

/// The first game of a file.
fn first(path: &Path, lang: Lang) -> Result<Game, Failure> {
    match read(path, lang)?.into_iter().next() {
        Some(Ok((_, game))) => Ok(game),
        Some(Err(what)) => Err(Failure::Bad(Report::plain(what))),
        None => Err(Failure::Bad(Report::plain(format!("{}: {}", path.display(), lang.kifu_no_game())))),
    }
}

/// The start and the moves of the first game's main line as USI text.
pub fn usi(path: &Path, lang: Lang) -> Result<String, Failure> {
    let record = first(path, lang)?.record;
    let start = Sfen { setup: record.initial(), ply: Some(record.first_ply()) };
    let moves = record.main_line().filter_map(|id| record.node(id).as_move());
    let moves: String = moves.map(|mv| format!(" {mv}")).collect();
    Ok(if moves.is_empty() { format!("sfen {start}") } else { format!("sfen {start} moves{moves}") })
}

/// The position after a number of moves of the first game's main line, and its ply; `None` if the line is shorter.
pub fn position(path: &Path, moves: u64, lang: Lang) -> Result<Option<(Setup, u32)>, Failure> {
    let record = first(path, lang)?.record;
    let index = usize::try_from(moves).unwrap_or(usize::MAX);
    let mut positions =
        record.positions().filter(|(id, _)| *id == record.start() || record.node(*id).as_move().is_some());
    let found = positions
        .nth(index)
        .map(|(id, state)| (state.setup(), record.first_ply().saturating_add(record.node(id).ply())));
    Ok(found)
}

/// Prints the contents of a file of games, and returns whether all of it could be read.
pub fn show(path: &Path, context: &Context, out: &mut impl Write) -> Result<bool, Failure> {
    let lang = context.lang;
    let games = read(path, lang)?;
    let mut formats = BTreeMap::<&str, u64>::new();
    let mut endings = BTreeMap::<String, u64>::new();
    let (mut count, mut moves, mut variations, mut bad) = (0_u64, 0, 0, 0);
    for game in &games {
        let Ok((format, game)) = game else {
            bad += 1;
            continue;
        };
        let record = &game.record;
        count += 1;
        *formats.entry(format.name()).or_default() += 1;
        let ending = record.ending().map_or("-", |ending| ending.kif()).to_owned();
        *endings.entry(ending).or_default() += 1;
        moves += record.main_line().filter(|&id| record.node(id).as_move().is_some()).count() as u64;
        let mut walk = record.walk();
        let leaves = std::iter::from_fn(|| walk.next()).filter(|&id| record.node(id).first_child().is_none());
        variations += (leaves.count() as u64).saturating_sub(1);
    }
    let counted = |counts: Vec<(String, u64)>| {
        let counts: Vec<String> =
            counts.into_iter().map(|(name, count)| format!("{name} {}", grouped(count))).collect();
        lang.comma_separated(&counts)
    };
    let mut table = Table::default();
    let mut row = |label: String, style: Style, text: String| {
        table.push_row([(label, style), (text, Style::new())]);
    };
    let formats = formats.into_iter().map(|(name, count)| (name.to_owned(), count)).collect();
    row(lang.format_heading(), style::NAME, counted(formats));
    row(lang.games_label(), style::NAME, grouped(count));
    row(lang.kifu_moves_label(), style::NAME, grouped(moves));
    row(lang.kifu_variations_label(), style::NAME, grouped(variations));
    let endings = endings.into_iter().map(|(name, count)| (lang.ending(&name), count));
    row(lang.kifu_endings_label(), style::NAME, counted(endings.collect()));
    for what in games.iter().filter_map(|game| game.as_ref().err()).take(3) {
        row(lang.kifu_bad_label(), style::ERROR, what.clone());
    }
    writeln!(out, "{}{}{:#}", style::HEADING, path.display(), style::HEADING)
        .and_then(|()| table.write(out, "  "))
        .map_err(|error| context.stdout_failed(&error))?;
    Ok(bad == 0)
}
