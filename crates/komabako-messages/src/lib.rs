//! Sentences in English and Japanese, side by side.
//!
//! Every error of the workspace that a person may see is a [`Message`]. [`messages!`] declares the sentences of an enum, one row a
//! variant; [`say_match!`] writes one by the pattern of a value, [`say!`] a single one. Whatever a sentence mentions is a message
//! too, and is said in the same language: a colour is `Black` or `先手`, a square `7g` or `77`.
//!
//! ```
//! use komabako_messages::{Lang, Message, messages};
//!
//! enum Fault {
//!     Pawns { count: u8 },
//!     King,
//! }
//!
//! messages! {
//!     Fault {
//!         Pawns { count } with (most = 18) => "{count} pawns, more than {most}", "歩が {count} 枚 ({most} 枚まで)";
//!         King => "no king", "玉がない";
//!     }
//! }
//!
//! let fault = Fault::Pawns { count: 19 };
//! assert_eq!(fault.to_string(), "19 pawns, more than 18");
//! assert_eq!(fault.in_lang(Lang::Ja).to_string(), "歩が 19 枚 (18 枚まで)");
//! # let _ = Fault::King;
//! ```
//!
//! A variant without a row does not compile:
//!
//! ```compile_fail,E0004
//! # use komabako_messages::messages;
//! enum Fault {
//!     King,
//!     Pawn,
//! }
//! messages! { Fault { King => "no king", "玉がない"; } }
//! ```
//!
//! Neither does a row whose second sentence is not Japanese, or whose first is not plain ASCII:
//!
//! ```compile_fail,E0080
//! # use komabako_messages::messages;
//! enum Fault {
//!     King,
//! }
//! messages! { Fault { King => "no king", "no king"; } }
//! ```

#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod literal;
mod words;

use alloc::boxed::Box;
use core::fmt;

pub use literal::check;
pub use words::{Count, Grouped, Noun, Size};

/// A language.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Lang {
    /// English.
    En,
    /// 日本語
    Ja,
}

/// What can be said in every language.
pub trait Message {
    /// Writes it in a language.
    ///
    /// # Errors
    /// Those of the formatter.
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result;

    /// The message in a language, to be displayed.
    fn in_lang(&self, lang: Lang) -> In<'_, Self>
    where
        Self: Sized,
    {
        In { message: self, lang }
    }
}

/// A message in a language.
pub struct In<'a, M> {
    message: &'a M,
    lang: Lang,
}

impl<M: Message> fmt::Display for In<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message.write(self.lang, f)
    }
}

impl<M: fmt::Debug> fmt::Debug for In<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message.fmt(f)
    }
}

impl<M: fmt::LowerHex> fmt::LowerHex for In<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message.fmt(f)
    }
}

impl<M: Message + ?Sized> Message for &M {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).write(lang, f)
    }
}

impl<M: Message + ?Sized> Message for Box<M> {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).write(lang, f)
    }
}

/// A sentence that says what is wrong, and what to do about it, if anything helps: `sentence; advice`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WithAdvice<S, A>(pub S, pub Option<A>);

impl<S: Message, A: Message> Message for WithAdvice<S, A> {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let WithAdvice(what, advice) = self;
        match advice {
            Some(advice) => say!(f, lang, "{what}; {advice}", "{what}。{advice}", what, advice),
            None => what.write(lang, f),
        }
    }
}

impl<S: Message, A: Message> fmt::Display for WithAdvice<S, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(Lang::En, f)
    }
}

/// A message that a function writes.
#[derive(Debug)]
pub struct FromFn<F>(F);

/// A message that a function writes, for one that is needed in one place only.
pub const fn from_fn<F>(write: F) -> FromFn<F>
where
    F: Fn(Lang, &mut fmt::Formatter<'_>) -> fmt::Result,
{
    FromFn(write)
}

impl<F: Fn(Lang, &mut fmt::Formatter<'_>) -> fmt::Result> Message for FromFn<F> {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0(lang, f)
    }
}

/// A phrase in every language.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Phrase {
    /// In English.
    pub en: &'static str,
    /// 日本語
    pub ja: &'static str,
}

impl Phrase {
    /// A phrase whose languages are [checked](check).
    pub const fn new(en: &'static str, ja: &'static str) -> Phrase {
        check(en, ja);
        Phrase { en, ja }
    }

    /// The phrase in a language.
    pub const fn get(self, lang: Lang) -> &'static str {
        match lang {
            Lang::En => self.en,
            Lang::Ja => self.ja,
        }
    }
}

/// A [`Phrase`] whose languages are checked when it is compiled: `phrase!("English", "日本語")`.
#[macro_export]
macro_rules! phrase {
    ($en:literal, $ja:literal $(,)?) => {
        const { $crate::Phrase::new($en, $ja) }
    };
}

impl Message for Phrase {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.get(lang))
    }
}

english!(Phrase);

impl core::error::Error for Phrase {}

/// Writes a sentence: `say!(f, lang, "English", "日本語", name, other = value)`. The names and values are messages, which the
/// sentences mention as `{name}`.
#[macro_export]
macro_rules! say {
    ($f:expr, $lang:expr, $en:literal, $ja:literal $(, $name:ident $(= $value:expr)?)* $(,)?) => {{
        const _: () = $crate::check($en, $ja);
        let lang = $lang;
        $($(let $name = $value;)?)*
        $(let $name = $crate::Message::in_lang(&$name, lang);)*
        match lang {
            $crate::Lang::En => ::core::write!($f, $en),
            $crate::Lang::Ja => ::core::write!($f, $ja),
        }
    }};
}

/// Writes the sentence for a value, one row a case: `say_match!(f, lang, value; Pattern => "English", "日本語", name, other = value; …)`.
/// A sentence mentions what [`say!`] would. A row `Pattern => { expression };` writes something else.
///
/// ```
/// use komabako_messages::{Lang, Message, from_fn, say_match};
/// let pieces = |count: u8| {
///     from_fn(move |lang, f| {
///         say_match!(f, lang, count;
///             0 => "no pieces", "駒なし";
///             1 => { f.write_str("1") };
///             more if more > 40 => "more than {all} pieces", "{all} 枚を超える駒", all = 40_u8;
///             _ => "{count} pieces", "{count} 枚の駒", count;
///         )
///     })
/// };
/// assert_eq!(pieces(0).in_lang(Lang::Ja).to_string(), "駒なし");
/// assert_eq!(pieces(1).in_lang(Lang::En).to_string(), "1");
/// assert_eq!(pieces(2).in_lang(Lang::En).to_string(), "2 pieces");
/// assert_eq!(pieces(41).in_lang(Lang::En).to_string(), "more than 40 pieces");
/// ```
#[macro_export]
macro_rules! say_match {
    ($f:expr, $lang:expr, $value:expr; $(
        $pattern:pat $(if $guard:expr)? => $row:tt $(, $ja:literal $(, $name:ident $(= $named:expr)?)*)?;
    )*) => {
        match $value {
            $($pattern $(if $guard)? =>
                $crate::say_match!(@row $f, $lang, $row $(, $ja $(, $name $(= $named)?)*)?),)*
        }
    };
    (@row $f:expr, $lang:expr, $en:literal, $ja:literal $(, $name:ident $(= $named:expr)?)*) => {
        $crate::say!($f, $lang, $en, $ja $(, $name $(= $named)?)*)
    };
    (@row $f:expr, $lang:expr, $write:tt) => { $write };
}

/// Declares the sentences of an enum, one row a variant: [`Message`], and `Display` in English. A field that is no message is shown by
/// a function that makes one of it: `Open(path as shown, error)`.
#[macro_export]
macro_rules! messages {
    ($type:ident {
        $($variant:ident
            $(( $($field:ident $(as $field_shown:path)?),* ))?
            $({ $($member:ident $(as $member_shown:path)?),* })?
            $(with ($($name:ident = $value:expr),*))?
            => $en:literal, $ja:literal;)*
    }) => {
        impl $crate::Message for $type {
            fn write(&self, lang: $crate::Lang, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                match self {
                    $(Self::$variant $(($($field),*))? $({ $($member),* })? => $crate::say!(
                        f, lang, $en, $ja
                        $($(, $field $(= $field_shown($field))?)*)?
                        $($(, $member $(= $member_shown($member))?)*)?
                        $($(, $name = $value)*)?
                    ),)*
                }
            }
        }

        $crate::english!($type);
    };
}

/// Gives messages their `Display`, which is English.
#[macro_export]
macro_rules! english {
    ($($type:ty),* $(,)?) => {
        $(impl ::core::fmt::Display for $type {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                $crate::Message::write(self, $crate::Lang::En, f)
            }
        })*
    };
}

/// Makes messages of types whose `Display` serves every language: names, notations.
#[macro_export]
macro_rules! untranslated {
    ($($type:ty),* $(,)?) => {
        $(impl $crate::Message for $type {
            fn write(&self, _: $crate::Lang, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Display::fmt(self, f)
            }
        })*
    };
}

/// The README's code, which runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
