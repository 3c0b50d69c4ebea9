//! The description of a single position: its faults, its box, its handicap.

use std::collections::BTreeMap;

use komabako::board::sfen::{self, Sfen};
use komabako::board::{BaseKind, Position, diagram};
use komabako::kifu::handicap::{HANDICAPS, Handicap};
use komabako::rules::State;
use serde::{Deserialize, Serialize};

use crate::failure::{Failure, Sentence};
use crate::vocabulary::{ColorName, SquareName};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    sfen: String,
}

#[derive(Serialize)]
pub struct Description {
    sfen: String,
    side: ColorName,
    ply: Option<u32>,
    #[serde(rename = "box")]
    in_box: BTreeMap<char, u8>,
    faults: Vec<Fault>,
    playable: bool,
    checkers: Vec<SquareName>,
    handicap: Option<&'static str>,
}

/// A fault of a position.
#[derive(Serialize)]
struct Fault {
    name: &'static str,
    sentence: Sentence,
}

#[derive(Serialize)]
pub struct HandicapText {
    name: &'static str,
    preset: &'static str,
    sfen: String,
}

#[derive(Serialize)]
pub struct Text {
    text: String,
}

/// Describes a position; any setup has a description.
pub fn describe(request: &Request) -> Result<Description, Failure> {
    let Sfen { setup, ply } = sfen::parse(&request.sfen)?;
    let side = setup.side_to_move();
    let mut faults: Vec<Fault> = Position::new(setup)
        .err()
        .iter()
        .flat_map(|error| error.faults())
        .map(|fault| Fault { name: fault.name(), sentence: Sentence::of(fault) })
        .collect();
    let state = Position::new_tsume(setup).ok().map(|position| State::<()>::new(&position));
    if let Some(Err(error)) = &state {
        faults.push(Fault { name: "OPPONENT_IN_CHECK", sentence: Sentence::of(error) });
    }
    let state = state.and_then(Result::ok);
    let mut in_box = BTreeMap::new();
    for kind in BaseKind::ALL {
        in_box.insert(kind.letter(), setup.removed(kind));
    }
    Ok(Description {
        sfen: Sfen { setup, ply }.to_string(),
        side: side.into(),
        ply,
        in_box,
        faults,
        playable: state.is_some(),
        checkers: state.iter().flat_map(|state| state.checkers()).map(SquareName).collect(),
        handicap: Handicap::of_setup(&setup).map(|handicap| handicap.name),
    })
}

/// The named start positions.
pub fn handicaps() -> Vec<HandicapText> {
    let text = |handicap: &Handicap| HandicapText {
        name: handicap.name,
        preset: handicap.preset,
        sfen: Sfen { setup: handicap.setup(), ply: Some(1) }.to_string(),
    };
    HANDICAPS.iter().map(text).collect()
}

/// The position as a board diagram.
pub fn bod(request: &Request) -> Result<Text, Failure> {
    let setup = sfen::parse(&request.sfen)?.setup;
    Ok(Text { text: format!("{}\n", diagram::kanji(&setup)) })
}
