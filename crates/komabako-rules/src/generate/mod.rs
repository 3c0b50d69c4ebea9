//! Move generation.
//!
//! Legality is decided here, without making moves: the state keeps checks and pins, the pieces that are not pinned move
//! within one target set, each pinned piece within its line, the king to squares that are not attacked, and a pawn drop
//! that gives check is tested for mate.

mod checks;
mod mate;
mod sink;

use komabako_bits::{Backend, BitOps, Kernel};
use komabako_board::{BaseKind, Bitboard};

use crate::army::{Army, indices};
use crate::attacks::{self, SquareIndex, bit};
use crate::checks::{Threats, is_single};
use crate::generator::Generator;
use crate::hands;
use crate::list::{MoveList, Writer};
use crate::ranks::{forward, last, last_two, promotion_zone};
use crate::state::Keyless;

use checks::Checks;
pub(crate) use mate::is_mate_by_pawn_drop;

pub(crate) use sink::{Bulk, Count, Sink};
use sink::{KNIGHT, LANCE, PAWN};

/// The set of moves to generate.
///
/// All but [`PseudoLegal`](MoveSet::PseudoLegal) are fully legal; in check they hold only moves that answer the check.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum MoveSet {
    /// Every legal move.
    #[default]
    Legal,
    /// The legal moves that capture.
    Captures,
    /// The legal moves on the board that capture nothing.
    Quiets,
    /// The legal drops.
    Drops,
    /// The legal moves that give check.
    Checks,
    /// The moves that the pieces can make even if they leave the king in check, and drops, even of a pawn that mates.
    PseudoLegal,
}

/// The ways to answer a check, in the order in which a mate solver tries them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EvasionClass {
    /// The king steps away or captures.
    KingMoves,
    /// Another piece captures the checker.
    Captures,
    /// A piece on the board moves between the checker and the king.
    Interpositions,
    /// A piece is dropped between the checker and the king.
    Drops,
}

impl EvasionClass {
    /// All classes, in order.
    pub const ALL: [Self; 4] = [Self::KingMoves, Self::Captures, Self::Interpositions, Self::Drops];
}

pub(crate) struct Generate<'a> {
    pub state: &'a Keyless,
    pub set: MoveSet,
    pub moves: &'a mut MoveList,
}

impl Kernel for Generate<'_> {
    type Output = ();

    #[inline(always)]
    fn run<B: BitOps>(self, ops: B) {
        let writer = self.moves.write(ops);
        if self.state.white {
            chosen::<true, false, B>(self.state, self.set, writer);
        } else {
            chosen::<false, true, B>(self.state, self.set, writer);
        }
    }
}

pub(crate) struct Evasions<'a> {
    pub state: &'a Keyless,
    /// A single class, or `None` for all.
    pub class: Option<EvasionClass>,
    pub moves: &'a mut MoveList,
}

impl Kernel for Evasions<'_> {
    type Output = ();

    #[inline(always)]
    fn run<B: BitOps>(self, ops: B) {
        let mut writer = self.moves.write(ops);
        if self.state.white {
            evasions::<true, false, _>(self.state, self.class, &mut writer);
        } else {
            evasions::<false, true, _>(self.state, self.class, &mut writer);
        }
        writer.finish();
    }
}

pub(crate) struct CountLegal<'a>(pub &'a Keyless);

impl Kernel for CountLegal<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<B: BitOps>(self, _: B) -> usize {
        let mut count = Count::all();
        legal(self.0, self.0.threats, &mut count);
        count.moves() as usize
    }
}

/// Counts the moves of a side in check, class by class, until there are `most`.
pub(crate) struct CountEvasions<'a> {
    pub state: &'a Keyless,
    pub most: u32,
}

impl Kernel for CountEvasions<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<B: BitOps>(self, _: B) -> usize {
        let Self { state, most } = self;
        let mut count = Count::up_to(most);
        if state.white {
            evasions::<true, false, _>(state, None, &mut count);
        } else {
            evasions::<false, true, _>(state, None, &mut count);
        }
        count.moves() as usize
    }
}

impl Keyless {
    /// Replaces the list's content with the legal moves. The order is unspecified, but the same for equal states.
    ///
    /// Does not allocate. About 60 to 300 ns.
    pub fn legal_moves(&self, moves: &mut MoveList) {
        self.generate(MoveSet::Legal, moves);
    }

    /// Replaces the list's content with the moves of a set.
    ///
    /// ```
    /// use komabako_rules::{MoveList, MoveSet, State};
    /// let mut moves = MoveList::new();
    /// State::<u64>::start().generate(MoveSet::Captures, &mut moves);
    /// assert!(moves.is_empty());
    /// ```
    pub fn generate(&self, set: MoveSet, moves: &mut MoveList) {
        Generator::new(Backend::detect()).generate(self, set, moves);
    }

    /// Replaces the list's content with the legal moves of a side in check, in the order in which a mate solver tries them:
    /// king moves, captures of the checker, interpositions by pieces on the board, then drops, square by square from the king
    /// outward and on each from the pawn to the rook.
    ///
    /// ```
    /// use komabako_board::{Position, sfen};
    /// use komabako_rules::{MoveList, State};
    /// let setup = sfen::parse("4k4/9/9/4L4/9/9/9/9/9 w rp 1")?.setup;
    /// let mut moves = MoveList::new();
    /// State::<u64>::new(&Position::new_tsume(setup)?)?.evasions(&mut moves);
    /// let drops: Vec<String> = moves[4..].iter().map(ToString::to_string).collect();
    /// assert_eq!(drops, ["P*5b", "R*5b", "P*5c", "R*5c"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// The list is empty if the side is not in check.
    pub fn evasions(&self, moves: &mut MoveList) {
        Generator::new(Backend::detect()).evasions(self, moves);
    }

    /// Replaces the list's content with the [`evasions`](Keyless::evasions) of one class, so that a search that finds its move in
    /// an earlier class does not pay for the later ones.
    ///
    /// ```
    /// use komabako_board::{Position, sfen};
    /// use komabako_rules::{EvasionClass, MoveList, State};
    /// let setup = sfen::parse("4k4/3g5/9/4L4/9/9/9/9/9 w r 1")?.setup;
    /// let state = State::<u64>::new(&Position::new_tsume(setup)?)?;
    /// let mut moves = MoveList::new();
    /// let count = EvasionClass::ALL.map(|class| {
    ///     state.evasions_of(class, &mut moves);
    ///     moves.len()
    /// });
    /// assert_eq!(count, [3, 0, 2, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn evasions_of(&self, class: EvasionClass, moves: &mut MoveList) {
        Generator::new(Backend::detect()).evasions_of(self, class, moves);
    }

    /// The number of legal moves; no list is made.
    pub fn count_legal_moves(&self) -> usize {
        Generator::new(Backend::detect()).count_legal_moves(self)
    }

    /// The number of legal moves, at most `most`. In check, where king moves are counted first, this takes less time than
    /// counting all.
    ///
    /// ```
    /// use komabako_rules::State;
    /// let state = State::<u64>::start();
    /// assert_eq!([10, 100].map(|most| state.count_legal_moves_up_to(most)), [10, 30]);
    /// ```
    pub fn count_legal_moves_up_to(&self, most: u32) -> usize {
        Generator::new(Backend::detect()).count_legal_moves_up_to(self, most)
    }
}

/// Sends the legal moves to a sink. `threats` must be the state's threats: a caller that has just made a move has them in
/// registers.
#[inline(always)]
// Both colours are parameters from here on: stable Rust does not accept `{ !US }` as an argument.
pub(crate) fn legal<S: Sink>(state: &Keyless, threats: Threats, sink: &mut S) {
    let all = Bitboard::ALL;
    if state.white {
        legal_within::<true, false, S>(state, threats, all, all, all, sink);
    } else {
        legal_within::<false, true, S>(state, threats, all, all, all, sink);
    }
}

#[inline(always)]
fn chosen<const US: bool, const THEM: bool, B: BitOps>(
    state: &Keyless,
    set: MoveSet,
    mut writer: Writer<'_, B>,
) {
    let enemy = state.colors[usize::from(THEM)];
    let all = Bitboard::ALL;
    let none = Bitboard::EMPTY;
    if set == MoveSet::Checks {
        let mut sink = Checks::new::<US, THEM>(state, &mut writer);
        let movers = sink.candidates::<THEM>(&Army::of::<US>(state));
        legal_within::<US, THEM, _>(state, state.threats, movers, all, all, &mut sink);
        return writer.finish();
    }
    let mut sink = Bulk(writer);
    let moved_to = match set {
        MoveSet::Legal | MoveSet::PseudoLegal | MoveSet::Checks => all,
        MoveSet::Captures => enemy,
        MoveSet::Quiets => !enemy,
        MoveSet::Drops => none,
    };
    let dropped_on = if matches!(set, MoveSet::Captures | MoveSet::Quiets) { none } else { all };
    if set == MoveSet::PseudoLegal {
        pseudo_legal::<US, THEM, _>(state, &mut sink);
    } else {
        legal_within::<US, THEM, _>(state, state.threats, all, moved_to, dropped_on, &mut sink);
    }
    sink.0.finish();
}

/// Sends the legal moves of the pieces on the board to a sink.
#[inline(always)]
pub(crate) fn moves_on_board<const US: bool, const THEM: bool, S: Sink>(state: &Keyless, sink: &mut S) {
    let all = Bitboard::ALL;
    legal_within::<US, THEM, S>(state, state.threats, all, all, Bitboard::EMPTY, sink);
}

/// Sends to a sink the legal moves of `US`: moves of the pieces `moving` to `moved_to` and drops on `dropped_on`. `THEM` is
/// the other colour.
#[inline(always)]
fn legal_within<const US: bool, const THEM: bool, S: Sink>(
    state: &Keyless,
    threats: Threats,
    moving: Bitboard,
    moved_to: Bitboard,
    dropped_on: Bitboard,
    sink: &mut S,
) {
    let own = state.colors[usize::from(US)];
    let occupied = own | state.colors[usize::from(THEM)];
    let king = usize::from(state.kings[usize::from(US)]);

    if moving.intersects(bit(king)) {
        king_moves::<US, THEM, S>(king, own, &Army::of::<THEM>(state), moved_to, sink);
    }

    let mut targets = !own;
    let mut empty = !occupied;
    let mut pinned = threats.pinned & moving;
    if !threats.checkers.is_empty() {
        if !is_single(threats.checkers) {
            return;
        }
        // A piece captures the checker or interposes; a pinned one can do neither.
        empty = attacks::between(king, threats.checkers.first_index());
        targets = empty | threats.checkers;
        pinned = Bitboard::EMPTY;
    }
    let movers = moving.without(threats.pinned);
    board_moves::<US, S>(state, movers, targets & moved_to, pinned, king, occupied, sink);
    drops::<US, THEM, true, S>(state, empty & dropped_on, sink);
}

/// Sends the evasions of `US` to a sink, class by class, or only those of one class.
#[inline(always)]
fn evasions<const US: bool, const THEM: bool, S: Sink>(
    state: &Keyless,
    class: Option<EvasionClass>,
    sink: &mut S,
) {
    let threats = state.threats;
    if threats.checkers.is_empty() {
        return;
    }
    let own = Army::of::<US>(state);
    let enemy = Army::of::<THEM>(state);
    let occupied = own.all | enemy.all;
    let king = usize::from(state.kings[usize::from(US)]);
    if is_wanted(class, EvasionClass::KingMoves) {
        king_moves::<US, THEM, S>(king, own.all, &enemy, Bitboard::ALL, sink);
    }
    // A full sink is checked between classes, where this saves whole loops over pieces: a counter needs only a few moves.
    if !is_single(threats.checkers) || sink.is_full() {
        return;
    }
    let movers = own.only(!threats.pinned);
    let checker = threats.checkers.first_index();
    let between = attacks::between(king, checker);
    // Usually no piece or one can do this. They are found from the target squares, so that the others are not looked at; all
    // pieces move as they capture. `moves_within` is inlined and large, hence one call in a loop instead of one per class.
    for (of_class, targets) in
        [(EvasionClass::Captures, threats.checkers), (EvasionClass::Interpositions, between)]
    {
        if !is_wanted(class, of_class) {
            continue;
        }
        let mut movable = Bitboard::EMPTY;
        for square in indices(targets) {
            movable |= movers.attackers::<US>(square, occupied);
        }
        if !movable.is_empty() {
            moves_within::<US, S>(&movers.only(movable), targets, occupied, sink);
        }
        if sink.is_full() {
            return;
        }
    }
    if between.is_empty() || !is_wanted(class, EvasionClass::Drops) {
        return;
    }
    let kinds = hands::kinds(state.hands[usize::from(US)]);
    let pawns = pawn_drops::<US, THEM, true>(state, kinds, between);
    let mut rest = between;
    while !rest.is_empty() {
        // Indices grow or shrink along a line, so that the square nearest to the king is the first or the last.
        let square = if checker > king { rest.first_index() } else { last_index(rest) };
        let target = bit(square);
        rest ^= target;
        sink.pawn_drops(pawns & target);
        for kind in 1..7 {
            let dead_end = match 1 << kind {
                LANCE => last::<US>(),
                KNIGHT => last_two::<US>(),
                _ => Bitboard::EMPTY,
            };
            if kinds >> kind & 1 == 1 && !dead_end.intersects(target) {
                sink.drops(1 << kind, target);
            }
        }
    }
}

// A function, since a closure might be compiled without the backend's instructions.
#[inline(always)]
fn is_wanted(asked: Option<EvasionClass>, class: EvasionClass) -> bool {
    match asked {
        None => true,
        Some(asked) => asked as u8 == class as u8,
    }
}

/// The index of the highest square of a set that is not empty.
#[inline(always)]
fn last_index(set: Bitboard) -> SquareIndex {
    127 - set.to_u128().leading_zeros() as usize
}

#[inline(always)]
fn pseudo_legal<const US: bool, const THEM: bool, S: Sink>(state: &Keyless, sink: &mut S) {
    let own = Army::of::<US>(state);
    let king = usize::from(state.kings[usize::from(US)]);
    let occupied = state.occupied();
    sink.steps(king, attacks::reach(US, king).king.without(own.all), false);
    moves_within::<US, S>(&own, !own.all, occupied, sink);
    drops::<US, THEM, false, S>(state, !occupied, sink);
}

/// The king's moves to squares that are not attacked.
#[inline(always)]
fn king_moves<const US: bool, const THEM: bool, S: Sink>(
    king: SquareIndex,
    own: Bitboard,
    enemy: &Army,
    moved_to: Bitboard,
    sink: &mut S,
) {
    let mut to = attacks::reach(US, king).king.without(own) & moved_to;
    let near = enemy.near(attacks::zone(US, king));
    // Usually no enemy piece is near enough, and no square needs to be tested.
    if !near.is_empty() {
        // Without the king: he does not shield the squares behind him.
        let occupied = (own | enemy.all).without(bit(king));
        to = to.without(near.attacked::<THEM>(occupied));
    }
    sink.steps(king, to, false);
}

/// The moves of all pieces but the king: `movers` within `targets`, then each pinned piece also within its line.
#[inline(always)]
fn board_moves<const US: bool, S: Sink>(
    state: &Keyless,
    movers: Bitboard,
    targets: Bitboard,
    pinned: Bitboard,
    king: SquareIndex,
    occupied: Bitboard,
    sink: &mut S,
) {
    let mut movers = movers;
    let mut within = targets;
    let mut pinned = indices(pinned);
    loop {
        // Inlined and large, hence one call in a loop instead of one for the free pieces and one for the pinned ones.
        moves_within::<US, S>(&Army::within::<US>(state, movers), within, occupied, sink);
        let Some(square) = pinned.next() else { return };
        movers = bit(square);
        within = targets & attacks::ray_through(king, square);
    }
}

#[inline(always)]
fn moves_within<const US: bool, S: Sink>(movers: &Army, targets: Bitboard, occupied: Bitboard, sink: &mut S) {
    let zone = promotion_zone::<US>();
    let reach = |from| attacks::reach(US, from);

    // Pawns move all at once by a shift, since a target determines its origin. The other pieces move one by one.
    let to = forward::<US>(movers.pawns) & targets;
    sink.pawns::<US>(to.without(last::<US>()), false);
    if to.intersects(zone) {
        sink.pawns::<US>(to & zone, true);
    }
    for from in indices(movers.lances) {
        let to = attacks::lance(US, from, occupied) & targets;
        sink.lance(from, to.without(last::<US>()), false);
        if to.intersects(zone) {
            sink.lance(from, to & zone, true);
        }
    }
    for from in indices(movers.knights) {
        let to = reach(from).knight & targets;
        sink.slides(from, to.without(last_two::<US>()), false);
        if to.intersects(zone) {
            sink.slides(from, to & zone, true);
        }
    }
    for from in indices(movers.silvers) {
        let to = reach(from).silver & targets;
        sink.steps(from, to, false);
        let promotions = promotions(from, to, zone);
        if !promotions.is_empty() {
            sink.steps(from, promotions, true);
        }
    }
    for from in indices(movers.golds) {
        sink.steps(from, reach(from).gold & targets, false);
    }
    for from in indices(movers.bishops.without(movers.majors)) {
        let to = attacks::bishop(from, occupied) & targets;
        sink.bishop(from, to, false);
        let promotions = promotions(from, to, zone);
        if !promotions.is_empty() {
            sink.bishop(from, promotions, true);
        }
    }
    for from in indices(movers.rooks.without(movers.majors)) {
        let to = attacks::rook(from, occupied) & targets;
        sink.rook(from, to, false);
        let promotions = promotions(from, to, zone);
        if !promotions.is_empty() {
            sink.rook(from, promotions, true);
        }
    }
    for from in indices(movers.bishops & movers.majors) {
        sink.horse(from, (attacks::bishop(from, occupied) | reach(from).king) & targets);
    }
    for from in indices(movers.rooks & movers.majors) {
        sink.dragon(from, (attacks::rook(from, occupied) | reach(from).king) & targets);
    }
}

/// The targets on which a piece may promote: all if it starts in the zone, otherwise those in the zone.
#[inline(always)]
fn promotions(from: SquareIndex, to: Bitboard, zone: Bitboard) -> Bitboard {
    if zone.intersects(bit(from)) { to } else { to & zone }
}

/// The drops on these empty squares. If `MIND_MATE`, a pawn drop that mates is left out.
#[inline(always)]
fn drops<const US: bool, const THEM: bool, const MIND_MATE: bool, S: Sink>(
    state: &Keyless,
    targets: Bitboard,
    sink: &mut S,
) {
    let kinds = hands::kinds(state.hands[usize::from(US)]);
    sink.pawn_drops(pawn_drops::<US, THEM, MIND_MATE>(state, kinds, targets));
    let others = kinds & !PAWN;
    if others != 0 {
        sink.drops_with_moves::<US>(others, targets);
    }
}

/// The squares among `targets`, which are empty, on which `US`, with these kinds in hand, may drop a pawn.
#[inline(always)]
fn pawn_drops<const US: bool, const THEM: bool, const MIND_MATE: bool>(
    state: &Keyless,
    kinds: usize,
    targets: Bitboard,
) -> Bitboard {
    if kinds & PAWN == 0 {
        return Bitboard::EMPTY;
    }
    let own = state.colors[usize::from(US)];
    let pawns = (state.kinds[BaseKind::Pawn as usize] & own).without(state.promoted);
    let to = hands::free_files(pawns).without(last::<US>()) & targets;
    let king = usize::from(state.kings[usize::from(THEM)]);
    // A pawn gives check from only one square, so that at most one drop is tested for mate.
    let head = attacks::reach(THEM, king).pawn & to;
    let mates = MIND_MATE && !head.is_empty() && is_mate::<US, THEM>(state, king, head);
    if mates { to.without(head) } else { to }
}

/// [`is_mate_by_pawn_drop`], called and not inlined: it is seldom asked, and its two armies would fill the caller's registers.
#[cold]
#[inline(never)]
fn is_mate<const US: bool, const THEM: bool>(state: &Keyless, king: SquareIndex, head: Bitboard) -> bool {
    is_mate_by_pawn_drop::<US, THEM>(&Army::of::<US>(state), &Army::of::<THEM>(state), king, head)
}
