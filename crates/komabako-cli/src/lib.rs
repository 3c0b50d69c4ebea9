//! The program `komabako`: converts, encodes, decodes and inspects files of shogi positions.
//!
//! A library, so that the Python package has the same program as its script.
//!
//! | room | what is in it |
//! |---|---|
//! | `cli` | the command line and what every command is given |
//! | `command` | one file per subcommand |
//! | `message` | every text of the program, in English and Japanese side by side |
//! | `outcome` | exit codes and failures |
//! | `json` | the forms that every `--json` shares |
//! | `standard` | standard input that must not be empty |
//! | `lines`, `hex`, `table`, `style` | line input, hex digits, aligned columns, colours |

#![forbid(unsafe_code)]

mod cli;
mod command;
mod context;
mod fault;
mod hex;
mod interrupt;
mod json;
mod lines;
mod message;
mod outcome;
mod progress;
mod route;
mod standard;
mod style;
mod survey;
mod table;
mod word;

pub use cli::run;
