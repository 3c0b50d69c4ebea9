//! Moves as text.

mod usi;
