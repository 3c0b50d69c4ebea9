//! Files of game records, given in place of a position or a file of records.

use core::ops::ControlFlow;
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read as _, Write};
use std::path::{Path, PathBuf};

use komabako::board::sfen::Sfen;
use komabako::dataset::DatasetError;
use komabako::dataset::detect::Foreign;
use komabako::dataset::kifu::{BadGame, Found, GameFile, Sources, holds_games};
use komabako::kifu::{Format, Game, ReadOptions, Record};

use crate::context::Context;
use crate::message::{Lang, Report, grouped};
use crate::outcome::Failure;
use crate::standard::is_dash;
use crate::style;
use crate::table::Table;

/// The bytes at the start of a file that show its kind.
const START: u64 = 1 << 16;

/// The number of bad games that [`show`] names.
const BAD_SHOWN: usize = 3;

/// A game of a file or archive and its format, or the error with its file's name.
pub type Read = Result<(Format, Game), String>;

/// Whether text names a file of game records.
pub fn is_named(text: &str) -> bool {
    let path = Path::new(text);
    path.is_file() && !is_dash(path) && holds_games(path)
}

/// The error for text that looks like a path but cannot be read as a file of games: it does not exist, is a directory, or is a
/// file of another kind. `None` if the text does not look like a path.
pub fn missing(text: &str) -> Option<DatasetError> {
    let path = Path::new(text);
    if path.is_file() {
        let mut start = Vec::new();
        fs::File::open(path).ok()?.take(START).read_to_end(&mut start).ok()?;
        let what = Foreign::from_magic(&start).or_else(|| Foreign::from_text(&start))?;
        return Some(DatasetError::Unsupported { input: text.into(), what });
    }
    // SFEN has no dot and no backslash, and does not begin with a slash.
    let is_meant = path.extension().is_some() || text.starts_with(['/', '.', '~']) || text.contains('\\');
    let error = match fs::metadata(path) {
        Ok(found) if found.is_dir() => io::ErrorKind::IsADirectory.into(),
        Err(error) if is_meant => error,
        _ => return None,
    };
    Some(DatasetError::Open(path.to_owned(), error))
}

/// The games of files and archives.
pub fn all(files: impl IntoIterator<Item = GameFile>, lang: Lang) -> Result<Vec<Read>, DatasetError> {
    let mut games = Vec::new();
    for_each(files, lang, &mut |game| {
        games.push(game);
        ControlFlow::Continue(())
    })?;
    Ok(games)
}

/// Passes the games of files one by one, until `each` breaks.
fn for_each(
    files: impl IntoIterator<Item = GameFile>,
    lang: Lang,
    each: &mut dyn FnMut(Read) -> ControlFlow<()>,
) -> Result<(), DatasetError> {
    for file in files {
        let name = file.name.clone();
        let flow = file.read(ReadOptions::default(), |found| {
            let passed = match found {
                Found::Bytes(_) | Found::Notice(_) | Found::PassedBy(_) => ControlFlow::Continue(()),
                Found::Game { format, game, .. } => each(Ok((format, *game))),
                Found::Bad(fault) => each(Err(lang.say(&BadGame { input: name.clone(), fault }))),
                Found::Failed(error) => return ControlFlow::Break(Err(error)),
            };
            passed.map_break(Ok)
        });
        if let ControlFlow::Break(ended) = flow {
            return ended;
        }
    }
    Ok(())
}

/// The first game of a file, and whether the file has others, which are not read.
pub fn first(path: &Path, lang: Lang) -> Result<(Game, bool), Failure> {
    let mut first = None;
    let mut has_others = false;
    let end = for_each(Sources::find(&[PathBuf::from(path)], false)?, lang, &mut |game| {
        if first.is_some() {
            has_others = true;
            return ControlFlow::Break(());
        }
        first = Some(game);
        ControlFlow::Continue(())
    });
    // What is wrong behind the first game does not matter.
    if first.is_none() {
        end?;
    }
    match first {
        Some(Ok((_, game))) => Ok((game, has_others)),
        Some(Err(what)) => Err(Failure::Bad(Report::plain(what))),
        None => Err(Failure::Bad(Report::plain(format!("{}: {}", path.display(), lang.kifu_no_game())))),
    }
}

/// The start and the moves of a game's main line as USI text.
pub fn usi(record: &Record) -> String {
    let start = Sfen { setup: record.initial(), ply: Some(record.first_ply()) };
    let moves = record.main_line().filter_map(|id| record.node(id).as_move());
    let moves: String = moves.map(|mv| format!(" {mv}")).collect();
    if moves.is_empty() { format!("sfen {start}") } else { format!("sfen {start} moves{moves}") }
}

/// The position after a number of moves of a game's main line, with its ply; `None` if the line is shorter.
pub fn position(record: &Record, moves: u64) -> Option<Sfen> {
    let index = usize::try_from(moves).unwrap_or(usize::MAX);
    let mut positions =
        record.positions().filter(|(id, _)| *id == record.start() || record.node(*id).as_move().is_some());
    let (id, state) = positions.nth(index)?;
    let ply = record.first_ply().saturating_add(record.node(id).ply());
    Some(Sfen { setup: state.setup(), ply: Some(ply) })
}

/// Prints the contents of a file of games, and returns whether all of it could be read.
pub fn show(path: &Path, context: &Context, out: &mut impl Write) -> Result<bool, Failure> {
    let lang = context.lang;
    let mut formats = BTreeMap::<&str, u64>::new();
    let mut endings = BTreeMap::<String, u64>::new();
    let mut count = 0_u64;
    let mut moves = 0;
    let mut variations = 0;
    let mut bad = 0;
    let mut first_bad = Vec::new();
    for_each(Sources::find(&[PathBuf::from(path)], false)?, lang, &mut |game| {
        let (format, game) = match game {
            Ok(game) => game,
            Err(what) => {
                bad += 1;
                if first_bad.len() < BAD_SHOWN {
                    first_bad.push(what);
                }
                return ControlFlow::Continue(());
            }
        };
        let record = &game.record;
        count += 1;
        *formats.entry(format.name()).or_default() += 1;
        let ending = record.ending().map_or("-", |ending| ending.kif()).to_owned();
        *endings.entry(ending).or_default() += 1;
        moves += record.main_line().filter(|&id| record.node(id).as_move().is_some()).count() as u64;
        variations += record.variation_count() as u64;
        ControlFlow::Continue(())
    })?;
    let counted = |counts: Vec<(String, u64)>| {
        let counts: Vec<String> =
            counts.into_iter().map(|(name, count)| format!("{name} {}", grouped(count))).collect();
        lang.comma_separated(&counts)
    };
    let mut table = Table::default();
    let formats = formats.into_iter().map(|(name, count)| (name.to_owned(), count)).collect();
    table.row(lang.format_heading(), style::NAME, counted(formats));
    table.row(lang.games_label(), style::NAME, grouped(count));
    table.row(lang.kifu_moves_label(), style::NAME, grouped(moves));
    table.row(lang.kifu_variations_label(), style::NAME, grouped(variations));
    let endings = endings.into_iter().map(|(name, count)| (lang.ending(&name), count));
    table.row(lang.kifu_endings_label(), style::NAME, counted(endings.collect()));
    for what in first_bad {
        table.row(lang.kifu_bad_label(), style::ERROR, what);
    }
    table.write_below(path.display(), out)?;
    Ok(bad == 0)
}
