//! Positions: the state that a search plays its moves on, and the key under which results for it are stored.

use komabako_board::{Color, File, Rank};
use komabako_rules::{Move16, State};

use crate::table::BoardKey;

/// The position that a search plays its moves on. Its 128-bit key supplies the table's 96 bits.
pub(crate) type TsumeState = State<u128>;

/// The key under which a position is stored: its board, the attacker, the drops left out, and whether positions are
/// forbidden.
pub(crate) fn position_key(
    state: &TsumeState,
    attacker: Color,
    drops_below: u8,
    forbidding: bool,
) -> BoardKey {
    // A larger hand may lead to a forbidden position where a smaller one does not. So with forbidden positions a result holds
    // for its exact hand only, which is therefore part of the key.
    if forbidding {
        return BoardKey::new(state.key()).salted(1 << 8 | salt(attacker, drops_below));
    }
    board_position_key(state.board_key(), attacker, drops_below)
}

/// [`position_key`] from a board key, without forbidden positions.
pub(super) fn board_position_key(board_key: u128, attacker: Color, drops_below: u8) -> BoardKey {
    BoardKey::new(board_key).salted(salt(attacker, drops_below))
}

/// The key of a position after a drop whose capture may be free: another node than the same position without that. Of the key that
/// it returns it gives the first one back.
pub(crate) fn after_drop(key: BoardKey, drop: Move16) -> BoardKey {
    let square = drop.to().map_or(0, |to| to.array_index() as u64);
    key.salted((square + 1) << 16)
}

fn salt(attacker: Color, drops_below: u8) -> u64 {
    u64::from(attacker == Color::White) << 7 | u64::from(drops_below)
}

/// The distance of a move's target square from the king of the side to move.
pub(crate) fn distance_to_king(state: &TsumeState, mv: Move16) -> u8 {
    let (Some(king), Some(to)) = (state.king(state.side_to_move()), mv.to()) else { return 0 };
    let files = File::of(to).number().abs_diff(File::of(king).number());
    files.max(Rank::of(to).number().abs_diff(Rank::of(king).number()))
}
