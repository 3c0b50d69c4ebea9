//! The tests of the crate's surface, in one program: each more program would link everything again.

#[cfg(unix)]
mod archive;
mod certificate;
mod clean;
#[cfg(target_os = "linux")]
mod closed_output;
mod convert;
mod diff_scores;
mod encode_decode;
#[cfg(unix)]
mod escapes;
mod game;
mod game_files;
mod game_year;
mod inspect_info;
#[cfg(unix)]
mod interrupt;
mod jobs;
mod json;
mod kifu;
mod large;
mod losses;
mod mismatch;
mod paths;
#[cfg(unix)]
mod pipes;
#[cfg(unix)]
mod recipes;
mod repair;
mod rescore;
mod select;
mod sets;
mod solve;
mod solve_check;
mod solve_on_error;
mod solve_skip;
mod split;
mod stats;
mod support;
mod texts;
mod usage;
mod validate;
#[cfg(windows)]
mod windows;
