//! One move of a JKF file, normalised or not.

use alloc::string::String;

use komabako_board::{BaseKind, Color, File, PieceKind, Rank, Square, kind, square};
use komabako_rules::{Move16, MoveTextError, State, japanese_name, kind_of_csa};

use super::json::Json;
use crate::error::Fault;

/// The byte and the fault of a member.
pub(super) struct MemberFault(pub usize, pub Fault);

/// The legal move of a member `move`.
///
/// A normalised move has `from`, `to` and the piece before the move, or `to` and a dropped piece. Also accepted are moves
/// without `to` if `same` is true, without `from` (as in KI2, if the hand has no such piece), and with the piece after the
/// move, as in CSA.
pub(super) fn read_move(
    json: Json<'_>,
    state: &State<()>,
    previous: Option<Square>,
) -> Result<Move16, MemberFault> {
    let field = |json: Json<'_>| MemberFault(json.byte(), Fault::Field);
    let illegal = || MemberFault(json.byte(), Fault::IllegalMove);
    if let Some(member) = json.member("color") {
        let color = color(member).ok_or_else(|| field(member))?;
        if color != state.side_to_move() {
            return Err(MemberFault(member.byte(), Fault::Side));
        }
    }
    let place =
        |name| json.member(name).map(|member| read_place(member).ok_or_else(|| field(member))).transpose();
    let named = json.member("piece").ok_or_else(|| field(json))?;
    let piece = named.as_str().and_then(|name| kind_of_csa(&name)).ok_or_else(|| field(named))?;
    let flag =
        |name| json.member(name).map(|member| member.as_bool().ok_or_else(|| field(member))).transpose();
    let promotes = flag("promote")?;
    let is_same = flag("same")? == Some(true);
    let to = match place("to")? {
        Some(to) => to,
        None if is_same => previous.ok_or_else(illegal)?,
        None => return Err(field(json)),
    };
    let Some(from) = place("from")? else {
        let relative = json.member("relative");
        // Without `relative` it is the drop, also where a piece on the board could be meant as in KI2.
        let base = BaseKind::of(piece);
        if relative.is_none() && !kind::is_promoted(piece) && state.hand(state.side_to_move()).count(base) > 0
        {
            let drop = Move16::drop(base, to).filter(|&mv| state.is_legal(mv));
            return drop.ok_or_else(illegal);
        }
        let words = match relative {
            Some(member) => member.as_str().ok_or_else(|| field(member))?,
            None => "".into(),
        };
        let text =
            words_of(to, piece, &words, promotes).ok_or_else(|| relative.map_or_else(illegal, field))?;
        return state.parse_japanese(&text, None).map_err(|error| match error {
            MoveTextError::Ambiguous(a, b) => MemberFault(json.byte(), Fault::Ambiguous(a, b)),
            _ => illegal(),
        });
    };
    let before = state.piece_at(from).ok_or_else(illegal)?.to_parts().0;
    let promotion = if piece == before {
        promotes == Some(true)
    } else if kind::is_promoted(piece) && BaseKind::of(piece) == BaseKind::of(before) {
        true
    } else {
        return Err(illegal());
    };
    let mv = Move16::board(from, to, promotion);
    if state.is_legal(mv) { Ok(mv) } else { Err(illegal()) }
}

/// The move in KI2 notation, which `rules` parses.
fn words_of(to: Square, piece: PieceKind, relative: &str, promotes: Option<bool>) -> Option<String> {
    let mut text = alloc::format!("{}{}", File::of(to).number(), Rank::of(to).number());
    text.push_str(japanese_name(piece));
    for letter in relative.chars() {
        text.push(match letter {
            'L' => '左',
            'C' => '直',
            'R' => '右',
            'U' => '上',
            'M' => '寄',
            'D' => '引',
            'H' => '打',
            _ => return None,
        });
    }
    text.push_str(if promotes == Some(true) { "成" } else { "" });
    Some(text)
}

/// Reads `{"x": 7, "y": 6}`.
fn read_place(json: Json<'_>) -> Option<Square> {
    let number = |name| json.member(name)?.as_u32().and_then(|number| u8::try_from(number).ok());
    Some(square::at(File::new(number("x")?)?, Rank::new(number("y")?)?))
}

/// Reads a colour: 0 is Black, 1 is White.
pub(super) fn color(json: Json<'_>) -> Option<Color> {
    match json.as_u32()? {
        0 => Some(Color::Black),
        1 => Some(Color::White),
        _ => None,
    }
}
