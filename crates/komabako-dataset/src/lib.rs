//! Files of shogi training positions.
