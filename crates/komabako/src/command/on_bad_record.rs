//! The policy for bad records, as `--on-error` names it.

use komabako::dataset::OnBadRecord;
use komabako::dataset::kifu::OnBadGame;

use crate::message::Wanted;

/// Reads `stop`, `skip` or `collect=FILE`.
pub fn parse(value: &str) -> Result<OnBadRecord, Wanted> {
    match (value, value.strip_prefix("collect=")) {
        ("stop", _) => Ok(OnBadRecord::Stop),
        ("skip", _) => Ok(OnBadRecord::Skip),
        (_, Some(file)) if !file.is_empty() && file != "-" => Ok(OnBadRecord::Collect(file.into())),
        _ => Err(Wanted::one_of("stop, skip, collect=FILE")),
    }
}

/// The policy for games; by default they are left out.
pub fn for_games(policy: Option<OnBadRecord>) -> OnBadGame {
    match policy {
        Some(OnBadRecord::Stop) => OnBadGame::Stop,
        Some(OnBadRecord::Collect(list)) => OnBadGame::List(list),
        Some(OnBadRecord::Skip) | None => OnBadGame::Skip,
    }
}
