//! The report of `--json`.

use komabako::dataset::convert::{Rescaled, Summary};
use serde::Serialize;

use super::view::View;
use crate::context::Context;
use crate::json::{self, Envelope};
use crate::route::Route;

/// The members of commands that copy or convert records.
#[derive(Serialize)]
pub struct CommandMembers {
    /// The number of records of a range that are beyond the end of the inputs.
    beyond: u64,
    games: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    matched: Option<Matched>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rescaled: Option<Changes>,
}

/// The result of merging scores by position.
#[derive(Serialize)]
struct Matched {
    records: u64,
    positions: u64,
    conflicts: u64,
}

/// The result of `scores`, which changes scores.
#[derive(Serialize)]
struct Changes {
    total: u64,
    clamped: u64,
    mates: u64,
}

/// The report of a conversion.
pub fn summary<'a>(
    route: &'a Route,
    summary: &'a Summary,
    view: &View,
    context: &'a Context,
) -> Envelope<'a, CommandMembers> {
    let lang = context.lang;
    let matched =
        view.known.map(|(positions, conflicts)| Matched { records: summary.matched, positions, conflicts });
    let Rescaled { changed, clamped, mates, .. } = summary.rescaled;
    let rescaled = view.is_rescaled.then_some(Changes { total: changed, clamped, mates });
    let members = CommandMembers { beyond: summary.beyond, games: summary.games, matched, rescaled };
    Envelope {
        losses: json::losses(&summary.losses, lang),
        ..Envelope::with(members, context).with_route(route).with_counts(&summary.counts, lang)
    }
}
