//! The report of `--json`.

use komabako::dataset::convert::{Rescaled, Summary};
use serde::Serialize;

use super::view::View;
use crate::context::Context;
use crate::json::{self, Envelope, object};
use crate::route::Route;

/// The report of a conversion.
pub fn summary<'a>(
    route: &'a Route,
    summary: &'a Summary,
    view: &View,
    context: &'a Context,
) -> Envelope<'a, impl Serialize> {
    let lang = context.lang;
    let matched = view.known.map(|(positions, conflicts)| {
        object! { matched: object! { records: summary.matched, positions: positions, conflicts: conflicts } }
    });
    let Rescaled { changed, clamped, mates, .. } = summary.rescaled;
    let rescaled = object! { rescaled: object! { total: changed, clamped: clamped, mates: mates } };
    let members = object! {
        beyond: summary.beyond,
        games: summary.games,
        games_left_out: summary.left_out,
        #[serde(flatten)]
        matched: matched,
        #[serde(flatten)]
        rescaled: view.is_rescaled.then_some(rescaled),
    };
    Envelope {
        losses: json::losses(&summary.losses, lang),
        ..Envelope::with(members, context).with_route(route).with_counts(&summary.counts, lang)
    }
}
