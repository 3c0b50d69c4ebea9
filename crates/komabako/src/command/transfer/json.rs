//! The report of `--json`.

use komabako::dataset::convert::{Rescaled, Summary};
use serde::Serialize;

use super::view::View;
use crate::context::Context;
use crate::json::{Envelope, object};
use crate::route::Route;

/// The report of a conversion.
pub fn summary<'a>(
    route: &'a Route,
    summary: &'a Summary,
    view: &View,
    context: &'a Context,
) -> Envelope<'a, impl Serialize> {
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
    Envelope::of_job(members, route, &summary.counts, &summary.losses, context)
}
