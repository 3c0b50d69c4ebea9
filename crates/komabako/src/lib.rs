//! The program `komabako`: converts, encodes, decodes and inspects files of shogi positions.
//!
//! It is a library so that the Python package can install the same program as its script, by [`run`]. The library also has
//! whatever the program is made of, under the names of [`komabako_core`]: `komabako::board`, `komabako::codec` and so on. A
//! library that needs no program depends on `komabako-core`, or on one of its crates, and builds in a fraction of the time.
//!
//! | module | contents |
//! |---|---|
//! | `cli` | the command line |
//! | `command` | one file or directory per subcommand |
//! | `message` | every text of the program, in English and Japanese side by side |
//! | `outcome` | exit codes and failures |
//! | `completed` | the outputs that are complete when a command fails |
//! | `json` | the forms that all `--json` reports share |
//! | `manifest` | the files that say where outputs come from |
//! | `standard` | standard streams that are closed or empty |
//! | `lines`, `hex`, `table`, `style` | line input, hex digits, aligned columns, colours |
//! | `escape`, `screen` | characters that a terminal would obey, and the writer that lets none pass |

#![forbid(unsafe_code)]
// A program: nobody else has its types.
#![allow(missing_debug_implementations)]

mod cli;
mod command;
mod completed;
mod context;
mod escape;
mod fault;
mod hex;
mod interrupt;
mod json;
mod lines;
mod manifest;
mod message;
mod outcome;
mod own_file;
mod progress;
mod route;
mod screen;
mod standard;
mod style;
mod survey;
mod table;
mod word;

// Inside, too, `komabako::board` is the name by which all users know it.
extern crate self as komabako;

pub use cli::run;
pub use komabako_core::*;
