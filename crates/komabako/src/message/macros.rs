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

/// Declares counts of things: `name: noun;` makes `name(count)`, such as `1 record`, `2,258 records`, `2,258 レコード`.
macro_rules! counts {
    ($($name:ident: $noun:expr;)*) => {
        impl $crate::message::lang::Lang {
            $(
                pub fn $name(self, count: u64) -> String {
                    const NOUN: Noun = $noun;
                    self.say(&NOUN.count(count))
                }
            )*
        }
    };
}
