//! Declaring a win by an entered king (入玉宣言法): 24 and 27 points.

use komabako_board::{BaseKind, Color};

use crate::ranks;
use crate::state::State;
use crate::zobrist::Key;

/// The points that a declaration needs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DeclarationRule {
    /// Professional rules: 31 points win, 24 to 30 draw.
    Points24,
    /// Computer shogi (CSA) and amateur rules: Black wins with 28 points, White with 27.
    Points27,
}

/// The outcome of a declaration.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Declaration {
    /// The declarer wins.
    Win,
    /// The game is drawn (to be replayed).
    Draw,
}

impl<K: Key> State<K> {
    /// The points that the side to move may count: its pieces in the three far ranks and in its hand, five for each
    /// bishop or rook, one for each other piece but the king.
    pub fn declaration_points(&self) -> u32 {
        let (pieces, majors) = self.entered();
        let hand = self.hand(self.side_to_move());
        let majors_in_hand = hand.count(BaseKind::Bishop) + hand.count(BaseKind::Rook);
        // Bishops and rooks are already counted as one point: four more make five.
        pieces + hand.len() + 4 * (majors + u32::from(majors_in_hand))
    }

    /// The outcome if the side to move declares now, or `None` if it may not and would lose.
    ///
    /// The king must be in the three far ranks with ten more pieces, not in check, and the side must have the points of the
    /// rule. In handicap games White adds the points of the pieces that were removed: pass them as `bonus`, otherwise 0.
    ///
    /// ```
    /// use komabako_board::{Position, sfen};
    /// use komabako_rules::{Declaration, DeclarationRule, State};
    /// let sfen = "+P+P+P+P+P+P+P+PK/+P+P7/9/9/9/9/9/9/4k4 b 2R2B2G 1";
    /// let state = State::<u64>::new(&Position::new(sfen::parse(sfen)?.setup)?)?;
    /// assert_eq!(state.declaration_points(), 32);
    /// assert_eq!(state.declare(DeclarationRule::Points27, 0), Some(Declaration::Win));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn declare(&self, rule: DeclarationRule, bonus: u32) -> Option<Declaration> {
        let side = self.side_to_move();
        let king = self.king(side)?;
        let (pieces, _) = self.entered();
        // The king is not one of the ten; `entered` leaves him out.
        if !far_ranks(side).contains(king) || pieces < 10 || self.is_in_check(side) {
            return None;
        }
        let points = self.declaration_points().saturating_add(bonus);
        match rule {
            DeclarationRule::Points24 if points >= 31 => Some(Declaration::Win),
            DeclarationRule::Points24 => (points >= 24).then_some(Declaration::Draw),
            DeclarationRule::Points27 => {
                let needed = if side == Color::Black { 28 } else { 27 };
                (points >= needed).then_some(Declaration::Win)
            }
        }
    }

    /// The pieces of the side to move in the three far ranks, its king aside, and the bishops and rooks among them.
    fn entered(&self) -> (u32, u32) {
        let side = self.side_to_move();
        let entered = self.colors[side.array_index()] & far_ranks(side);
        let kind = |kind: BaseKind| self.kinds[kind as usize];
        let majors = entered & (kind(BaseKind::Bishop) | kind(BaseKind::Rook));
        (entered.without(kind(BaseKind::King)).len(), majors.len())
    }
}

fn far_ranks(side: Color) -> komabako_board::Bitboard {
    match side {
        Color::Black => ranks::promotion_zone::<false>(),
        Color::White => ranks::promotion_zone::<true>(),
    }
}

#[cfg(test)]
mod tests {
    use komabako_board::{Position, sfen};

    use super::*;

    fn state(sfen: &str) -> State {
        State::new(&Position::new(sfen::parse(sfen).unwrap().setup).unwrap()).unwrap()
    }

    fn declared(sfen: &str) -> [Option<Declaration>; 2] {
        [DeclarationRule::Points24, DeclarationRule::Points27].map(|rule| state(sfen).declare(rule, 0))
    }

    #[test]
    fn points_decide_a_declaration() {
        use Declaration::{Draw, Win};
        // Ten pieces entered, the rest of the points in hand.
        for (hand, points, expected) in [
            ("2R10P", 30, [Some(Draw), Some(Win)]),
            ("2R11P", 31, [Some(Win), Some(Win)]),
            ("2R8P", 28, [Some(Draw), Some(Win)]),
            ("2R7P", 27, [Some(Draw), None]),
            ("2R4P", 24, [Some(Draw), None]),
            ("2R3P", 23, [None, None]),
        ] {
            let sfen = format!("K8/+N8/GGGGSSSSL/9/9/9/9/9/4k4 b {hand} 1");
            assert_eq!(state(&sfen).declaration_points(), points, "{sfen}");
            assert_eq!(declared(&sfen), expected, "{sfen}");
        }
    }

    #[test]
    fn white_needs_a_point_less_and_handicaps_add_some() {
        let white = state("4K4/9/9/9/9/9/lssssgggg/8+n/8k w 2r7p 1");
        assert_eq!(white.declaration_points(), 27);
        assert_eq!(white.declare(DeclarationRule::Points27, 0), Some(Declaration::Win));
        assert_eq!(white.declare(DeclarationRule::Points24, 3), Some(Declaration::Draw));
        assert_eq!(white.declare(DeclarationRule::Points24, 4), Some(Declaration::Win));
    }

    #[test]
    fn king_pieces_and_check_decide_a_declaration() {
        // The king on rank 4, nine pieces, a check, no king.
        for sfen in [
            "9/+N8/GGGGSSSSL/K8/9/9/9/9/4k4 b 2R2B10P 1",
            "K8/9/GGGGSSSSL/9/9/9/9/9/4k4 b 2R2B10P 1",
            "K7l/+N8/GGGGSSSSL/9/9/9/9/9/4k4 b 2R10P 1",
        ] {
            let expected = sfen.contains("K7l").then_some(Declaration::Win);
            assert_eq!(declared(sfen)[1], expected, "{sfen}");
        }
        assert_eq!(declared("K7r/+N8/GGGGSSSSL/9/9/9/9/9/4k4 b R2B10P 1"), [None, None]);
        let kingless = sfen::parse("9/+N8/GGGGSSSSL/9/9/9/9/9/4k4 b 2R2B10P 1").unwrap().setup;
        let kingless: State = State::new(&Position::new_tsume(kingless).unwrap()).unwrap();
        assert_eq!(kingless.declare(DeclarationRule::Points27, 0), None);
    }
}
