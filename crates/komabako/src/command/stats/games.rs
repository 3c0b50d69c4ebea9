//! Counts game records, by the fields of whole games.

use std::path::PathBuf;
use std::time::Instant;

use komabako::dataset::OnBadRecord;
use komabako::dataset::kifu::{ReadOptions, Sources};
use komabako::dataset::select::games::{GameChoice, GameChooser, GameFields, LeftOutCounts};
use komabako::dataset::stats::Summary;

use crate::command::kifu::{BadGames, read_games};
use crate::command::on_bad_record;
use crate::context::Context;
use crate::outcome::Failure;

/// What was found in game records besides the figures of the games.
pub struct GameRun {
    pub inputs: Vec<PathBuf>,
    /// The number of files and members of archives.
    pub files: u64,
    pub left_out: LeftOutCounts,
    pub bad: BadGames,
}

/// Counts the chosen games of the files that were found among `inputs`.
pub fn count(
    inputs: Vec<PathBuf>,
    sources: Sources,
    choice: GameChoice,
    context: &Context,
) -> Result<(Summary, GameRun), Failure> {
    let start = Instant::now();
    let bad = BadGames::new(on_bad_record::for_games(Some(OnBadRecord::Skip)), false);
    let mut run = GameRun { inputs, files: 0, left_out: LeftOutCounts::default(), bad };
    let mut summary = Summary::default();
    let mut chooser = GameChooser::new(choice);
    for file in sources {
        let count = read_games(file, ReadOptions::default(), context, &mut run.bad, &mut |_, _, game, _| {
            match chooser.judge(&game.record)? {
                Some(why) => run.left_out.add(why),
                None => summary.games.add(&GameFields::from_record(&game.record)),
            }
            Ok(())
        })?;
        run.files += count;
    }
    summary.counts.seconds = start.elapsed().as_secs_f64();
    Ok((summary, run))
}
