//! [`GameWriter`]: joins fragments of games to whole games.

use alloc::vec::Vec;

use komabako_board::Setup;

use super::join::{GameFragments, GameHeader, PlayedMove, state_of};
use super::{hcpe3, pack};
use crate::FileFormat;

/// Joins fragments of games and writes each game once it is known to be complete. It holds one game at a time.
#[derive(Debug)]
pub struct GameWriter {
    format: FileFormat,
    open: Option<OpenGame>,
    /// The games completed by the last call.
    bytes: Vec<u8>,
    games: u64,
}

/// A game to which moves may still be added.
#[derive(Debug)]
pub(super) struct OpenGame {
    pub header: GameHeader,
    pub moves: Vec<PlayedMove>,
    /// The position after the last move.
    pub next: Setup,
}

impl GameWriter {
    /// A writer of a format of games.
    pub const fn new(format: FileFormat) -> GameWriter {
        GameWriter { format, open: None, bytes: Vec::new(), games: 0 }
    }

    /// The number of games written.
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// Adds the next records, either whole games with their number or fragments of games, and returns the games that are
    /// complete after that.
    pub fn add(&mut self, whole: &[u8], games: u64, fragments: &GameFragments) -> &[u8] {
        self.bytes.clear();
        if games > 0 {
            self.close();
            self.bytes.extend_from_slice(whole);
            self.games += games;
        }
        let limit = limit(self.format);
        for (fragment, moves) in fragments.iter() {
            let mut header = fragment.header;
            let mut rest = moves;
            while !rest.is_empty() {
                let game = self.game(&header);
                let (taken, left) = rest.split_at(rest.len().min(limit - game.moves.len()));
                game.moves.extend_from_slice(taken);
                game.next = if left.is_empty() { fragment.next } else { after(&header.start, taken) };
                header = header.after(taken.len(), &game.next);
                rest = left;
            }
        }
        &self.bytes
    }

    /// Completes and returns the last game.
    pub fn finish(&mut self) -> &[u8] {
        self.bytes.clear();
        self.close();
        &self.bytes
    }

    /// The game to which a fragment belongs: the open game, if the fragment continues it and it has room, or else a new
    /// one.
    fn game(&mut self, header: &GameHeader) -> &mut OpenGame {
        let limit = limit(self.format);
        let continues = self.open.as_ref().is_some_and(|game| {
            game.moves.len() < limit && game.header.after(game.moves.len(), &game.next) == *header
        });
        if !continues {
            self.close();
        }
        let new = || OpenGame { header: *header, moves: Vec::new(), next: header.start };
        self.open.get_or_insert_with(new)
    }

    /// Writes the open game, if there is one.
    fn close(&mut self) {
        let Some(game) = self.open.take() else { return };
        match self.format {
            FileFormat::Hcpe3 => hcpe3::write(&game, &mut self.bytes),
            _ => pack::write(&game, &mut self.bytes),
        }
        self.games += 1;
    }
}

/// The maximum number of moves of a game; a longer game is split.
fn limit(format: FileFormat) -> usize {
    match format {
        FileFormat::Hcpe3 => hcpe3::MOVES,
        _ => pack::MOVES,
    }
}

/// The position after some legal moves.
fn after(start: &Setup, moves: &[PlayedMove]) -> Setup {
    positions(start, moves).last().unwrap_or(*start)
}

/// The positions after each of some legal moves.
pub(super) fn positions(start: &Setup, moves: &[PlayedMove]) -> impl Iterator<Item = Setup> {
    let mut state = state_of(start).expect("a game has been played from here");
    moves.iter().map(move |played| {
        state.do_move(played.mv);
        state.setup()
    })
}
