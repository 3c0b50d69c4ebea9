//! Tables that the compiler computes, except in WebAssembly, where they are computed at their first use: they hardly compress, and
//! a module is downloaded.

macro_rules! tables {
    ($($(#[$doc:meta])* $name:ident: $table:ty = $value:expr;)*) => {$(
        $(#[$doc])*
        #[cfg(not(all(target_family = "wasm", feature = "std")))]
        pub(super) static $name: $table = $value;
        $(#[$doc])*
        #[cfg(all(target_family = "wasm", feature = "std"))]
        pub(super) static $name: std::sync::LazyLock<$table> = std::sync::LazyLock::new(|| $value);
    )*};
}

pub(crate) use tables;
