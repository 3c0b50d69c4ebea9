//! The macros that declare texts.

/// Declares texts: `name(arguments) { "English", "日本語" }`, with the arguments captured in both,
/// and escaped.
macro_rules! texts {
    ($($name:ident($($argument:ident),*) { $en:literal, $ja:literal })*) => {
        impl $crate::message::lang::Lang {
            $(
                pub fn $name(self $(, $argument: impl std::fmt::Display)*) -> String {
                    $(let $argument = $crate::escape::Escaped($argument);)*
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
