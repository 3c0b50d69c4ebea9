//! The macros that declare texts, one row a text with both languages side by side, as `messages!` does for the libraries.

/// Declares texts: `name(arguments) => "English", "日本語";` makes a method of `Lang`, with the arguments captured in both
/// sentences, and escaped.
macro_rules! texts {
    ($($name:ident $(($($argument:ident),*))? => $en:literal, $ja:literal;)*) => {
        impl $crate::message::lang::Lang {
            $(
                pub fn $name(self $($(, $argument: impl std::fmt::Display)*)?) -> String {
                    $($(let $argument = $crate::escape::Escaped($argument);)*)?
                    match self {
                        $crate::message::lang::Lang::En => format!($en),
                        $crate::message::lang::Lang::Ja => format!($ja),
                    }
                }
            )*
        }
    };
}

/// Declares reports with advice: `name(arguments) as "kind" => "English", "日本語", help "English", "日本語";` makes a method of
/// `Lang` with the report of this kind.
macro_rules! reports {
    ($(
        $name:ident $(($($argument:ident),*))? as $kind:literal
            => $en:literal, $ja:literal, help $help_en:literal, $help_ja:literal;
    )*) => {
        impl $crate::message::lang::Lang {
            $(
                pub fn $name(self $($(, $argument: impl std::fmt::Display)*)?) -> $crate::message::Report {
                    $($(let $argument = $crate::escape::Escaped($argument);)*)?
                    let (what, help) = match self {
                        $crate::message::lang::Lang::En => (format!($en), format!($help_en)),
                        $crate::message::lang::Lang::Ja => (format!($ja), format!($help_ja)),
                    };
                    $crate::message::Report::new(what, help).of_kind($kind)
                }
            )*
        }
    };
}

/// Matches a value against rows: `match_text!(lang, value; Pattern => "English", "日本語", name = value; …)`. A sentence mentions
/// what the pattern binds and the named values, escaped. A row `Pattern => { expression };` is that text.
macro_rules! match_text {
    ($lang:expr, $value:expr; $(
        $pattern:pat $(if $guard:expr)? => $row:tt $(, $ja:literal $(, $name:ident = $named:expr)*)?;
    )*) => {
        match $value {
            $($pattern $(if $guard)? => match_text!(@row $lang, $row $(, $ja $(, $name = $named)*)?),)*
        }
    };
    (@row $lang:expr, $en:literal, $ja:literal $(, $name:ident = $named:expr)*) => {
        $crate::escape::Escaped(match $lang {
            $crate::message::lang::Lang::En => format!($en $(, $name = $named)*),
            $crate::message::lang::Lang::Ja => format!($ja $(, $name = $named)*),
        })
        .to_string()
    };
    (@row $lang:expr, $text:tt) => { $text };
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
