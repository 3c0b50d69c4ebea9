//! Inlined functions that [`Color`] lacks.

use crate::Color;

/// The other side. `const` and inlined, unlike `Color::flip`, which is an exported C function.
///
/// ```
/// use komabako_board::{Color, color};
/// assert_eq!(color::opponent(Color::Black), Color::White);
/// ```
#[inline(always)]
pub const fn opponent(color: Color) -> Color {
    match color {
        Color::Black => Color::White,
        Color::White => Color::Black,
    }
}

/// The side whose [`Color::array_index`] is 0 for `false` and 1 for `true`: the colour bit of every codec.
///
/// ```
/// use komabako_board::{Color, color};
/// assert_eq!(color::from_bit(true), Color::White);
/// ```
#[inline(always)]
pub const fn from_bit(white: bool) -> Color {
    if white { Color::White } else { Color::Black }
}
