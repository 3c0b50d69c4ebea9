//! The tests of the crate's public interface, in one program: each additional program would link everything again.

mod archive;
mod archive_ranges;
mod changed;
mod common;
mod damage;
mod detection;
mod diff;
mod fuzz;
mod game_archives;
mod games;
mod kept_games;
mod kifu;
mod large;
mod legality;
mod mix;
mod partition;
mod properties;
mod repair;
mod sample;
mod scores;
mod select;
mod sound;
mod split;
mod stats;
mod tables;
mod validate;
