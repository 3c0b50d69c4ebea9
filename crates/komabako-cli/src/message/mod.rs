//! Every text of the program, in English and Japanese side by side.
//!
//! A text is a method of [`Lang`], so a command calls `lang.cannot_open(path, error)` and need not know the language. Errors of
//! the libraries are worded here too, by kind ([`fault`]); a kind without a Japanese text falls back to the library's English.

/// Declares texts: `name(arguments) { "English", "日本語" }`, with the arguments captured in both.
macro_rules! texts {
    ($($name:ident($($argument:ident),*) { $en:literal, $ja:literal })*) => {
        impl $crate::message::lang::Lang {
            $(
                pub fn $name(self $(, $argument: impl std::fmt::Display)*) -> String {
                    match self {
                        $crate::message::lang::Lang::En => format!($en),
                        $crate::message::lang::Lang::Ja => format!($ja),
                    }
                }
            )*
        }
    };
}

/// Declares counts of things: `name { "one", "several", "もの" }` makes `name(count)`, such as `1 record`, `2,258 records`,
/// `2,258 レコード`.
macro_rules! counts {
    ($($name:ident { $one:literal, $several:literal, $ja:literal })*) => {
        impl $crate::message::lang::Lang {
            $(
                pub fn $name(self, count: u64) -> String {
                    let number = $crate::message::common::grouped(count);
                    match (self, count) {
                        ($crate::message::lang::Lang::En, 1) => format!("{number} {}", $one),
                        ($crate::message::lang::Lang::En, _) => format!("{number} {}", $several),
                        ($crate::message::lang::Lang::Ja, _) => format!("{number} {}", $ja),
                    }
                }
            )*
        }
    };
}

mod backends;
mod common;
mod convert;
mod dataset;
mod diff;
mod fault;
mod formats;
mod game;
pub mod help;
mod info;
mod inspect;
mod kifu;
mod lang;
mod large;
mod manual;
pub mod mismatch;
mod mix;
mod reason;
mod record;
mod repair;
mod report;
mod scores;
mod select;
mod solve;
mod split;
mod stats;
mod text_lines;
mod usage;
mod validate;

pub use common::{counted, grouped};
pub use lang::Lang;
pub use reason::Reason;
pub use report::Report;
pub use solve::NodeLimits;
pub use usage::Wanted;
