//! [`Solver`]: solves goals, step by step.

use alloc::vec::Vec;
use core::fmt;
use core::sync::atomic::{AtomicU64, Ordering};

use komabako_board::Hand;
use komabako_rules::{Move16, MoveList, MoveSet};

use crate::counting::Counting;
use crate::engine::Engine;
use crate::line::Ranking;
use crate::outcome::{
    Convention, Goal, Length, Limits, Mate, Outcome, Progress, Reason, Refutation, Verdict,
};
use crate::problem::{Problem, Root};
use crate::search::TsumeState;
use crate::search::{Question, Stopped};
use crate::session::{Bounds, Prover, Session, any_mate};
use crate::table::UNBOUNDED;
use crate::walk::WalkedLine;

/// The memory that a solver's table may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Memory(usize);

impl Memory {
    /// A size in bytes. At least 1 MiB is used.
    pub const fn bytes(bytes: usize) -> Self {
        Self(bytes)
    }

    /// A size in mebibytes, or all that can be addressed.
    pub const fn mebibytes(mebibytes: usize) -> Self {
        Self(mebibytes.saturating_mul(1 << 20))
    }
}

/// Solves problems, one after the other, with one table.
///
/// The table starts small and grows up to the given memory. When it is full, the entries with the least work below them
/// are dropped: little memory makes a search slower but never wrong.
///
/// ```
/// use komabako_board::sfen;
/// use komabako_tsume::{Convention, Goal, Length, Limits, Memory, Problem, Rules, Solver, Verdict};
/// let setup = sfen::parse("3sks3/9/4S4/9/9/B8/9/9/9 b S2rb4g4n4l18p 1")?.setup;
/// let problem = Problem::new(&setup, Rules::default())?;
/// let mut solver = Solver::new(Memory::mebibytes(16));
/// let outcome = solver.solve(&problem, Goal::Shortest(Convention::Tsume), &Limits::default());
/// let Verdict::Mate(mate) = outcome.verdict else { panic!("a famous problem") };
/// assert_eq!(mate.length, Length::Exact(3));
/// let line: Vec<String> = mate.line.iter().map(ToString::to_string).collect();
/// assert_eq!(line, ["9f5b+", "4a5b", "S*4b"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Solver {
    engine: Engine,
    /// The number of the last analysis.
    last: u64,
}

/// The number of the next analysis of any solver, so that no two solvers can mistake each other's.
static NEXT: AtomicU64 = AtomicU64::new(1);

/// A search in progress: see [`Solver::start`].
pub struct Solving<'a> {
    solver: &'a mut Solver,
    problem: Problem,
    goal: Goal,
    depth: Option<u16>,
    session: Session,
    outcome: Option<Outcome>,
}

/// A paused search, without its solver: see [`Solving::pause`].
pub struct Paused {
    problem: Problem,
    goal: Goal,
    depth: Option<u16>,
    session: Session,
    outcome: Option<Outcome>,
    number: u64,
}

/// The result of a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// The search is not finished.
    Progress(Progress),
    /// The search is finished.
    Done(Outcome),
}

/// The total number of nodes at which the first search for any mate ends, and the total at which the search by bounds ends.
const QUICK: u64 = 5_000;
const DEEPENING: u64 = 10_000;

/// The nodes beyond a search's limit that finding the line of a proven mate may take.
pub(crate) const LINE_NODES: u64 = 100_000;

impl fmt::Debug for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solver").finish_non_exhaustive()
    }
}

impl fmt::Debug for Solving<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solving").field("goal", &self.goal).finish_non_exhaustive()
    }
}

impl fmt::Debug for Paused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Paused").field("goal", &self.goal).finish_non_exhaustive()
    }
}

impl Solver {
    /// A solver whose table takes at most this memory.
    pub fn new(memory: Memory) -> Self {
        Self { engine: Engine::new(memory.0), last: 0 }
    }

    /// A solver that searches each problem with `threads` threads on one table. Verdicts and exact lengths are the same as with
    /// one thread; the length of a mate that need not be the shortest, its line, and the number of nodes vary from run to run.
    ///
    /// The threads start after some thousand nodes of a question, so that short problems cost no more than with one thread. A
    /// table too small for all threads is searched by fewer.
    #[cfg(feature = "std")]
    pub fn with_threads(memory: Memory, threads: usize) -> Self {
        Self { engine: Engine::with_threads(memory.0, threads), last: 0 }
    }

    /// The number of nodes of the last analysis: a search, a report of the checker, first checks, variations or an author's line.
    /// Callers with one limit for several of them subtract it.
    pub fn nodes(&self) -> u64 {
        self.engine.nodes()
    }

    /// The engine for an analysis that overwrites the table, so that no earlier search can be [resumed](Solver::resume).
    pub(crate) fn engine(&mut self) -> &mut Engine {
        self.last = NEXT.fetch_add(1, Ordering::Relaxed);
        &mut self.engine
    }

    /// Solves a problem.
    pub fn solve(&mut self, problem: &Problem, goal: Goal, limits: &Limits<'_>) -> Outcome {
        #[cfg(feature = "std")]
        let start = std::time::Instant::now();
        let stride = self.engine.stride();
        let mut solving = self.start(problem, goal);
        solving.depth = limits.depth;
        loop {
            let left = limits.nodes.map_or(stride, |nodes| nodes.saturating_sub(solving.nodes()).min(stride));
            if let Step::Done(outcome) = solving.step(left) {
                return outcome;
            }
            if limits.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
                return solving.stop(Reason::Cancelled);
            }
            if limits.nodes.is_some_and(|nodes| solving.nodes() >= nodes) {
                return solving.stop(Reason::Nodes);
            }
            #[cfg(feature = "std")]
            if limits.time.is_some_and(|time| start.elapsed() >= time) {
                return solving.stop(Reason::Time);
            }
        }
    }

    /// Starts to solve a problem; [`Solving::step`] continues.
    pub fn start(&mut self, problem: &Problem, goal: Goal) -> Solving<'_> {
        self.engine().forget();
        Solving {
            solver: self,
            problem: problem.clone(),
            goal,
            depth: None,
            session: Session::new(),
            outcome: None,
        }
    }
}

impl Solver {
    /// Resumes a paused search. Returns `None` if it is another solver's, or if this one has started another search or analysis since,
    /// which overwrote the table.
    ///
    /// ```
    /// use komabako_tsume::{Goal, Memory, Problem, Rules, Solver, Step};
    /// let setup = "3sks3/9/4S4/9/9/B8/9/9/9 b S2rb4g4n4l18p 1".parse()?;
    /// let problem = Problem::new(&setup, Rules::default())?;
    /// let mut solver = Solver::new(Memory::mebibytes(1));
    /// // An event loop keeps the two side by side.
    /// let mut paused = solver.start(&problem, Goal::Any).pause();
    /// let outcome = loop {
    ///     let mut solving = solver.resume(paused).expect("the last search");
    ///     match solving.step(100) {
    ///         Step::Done(outcome) => break outcome,
    ///         Step::Progress(_) => paused = solving.pause(),
    ///     }
    /// };
    /// assert!(outcome.nodes > 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn resume(&mut self, paused: Paused) -> Option<Solving<'_>> {
        let Paused { problem, goal, depth, session, outcome, number } = paused;
        let is_last = number == self.last;
        is_last.then_some(Solving { solver: self, problem, goal, depth, session, outcome })
    }
}

impl Solving<'_> {
    /// Releases the solver. [`Solver::resume`] continues the search later.
    pub fn pause(self) -> Paused {
        let Self { solver, problem, goal, depth, session, outcome } = self;
        Paused { problem, goal, depth, session, outcome, number: solver.last }
    }

    /// The number of nodes searched so far.
    pub fn nodes(&self) -> u64 {
        self.solver.engine.nodes()
    }

    /// Searches `nodes` more nodes, or a few above that, because the captures of a drop are tested in one go. The verdict does
    /// not depend on the sizes of the steps.
    pub fn step(&mut self, nodes: u64) -> Step {
        if let Some(outcome) = &self.outcome {
            return Step::Done(outcome.clone());
        }
        self.session.until = self.solver.engine.nodes().saturating_add(nodes);
        match self.decider().decide() {
            Ok(verdict) => Step::Done(self.end(verdict)),
            Err(Stopped::Pause) => Step::Progress(self.progress()),
            Err(Stopped::Depth) => Step::Done(self.end_at(Reason::Depth)),
            Err(Stopped::Memory) => Step::Done(self.end_at(Reason::Memory)),
        }
    }

    /// Ends the search with the result so far; a finished one keeps its result.
    pub fn stop(mut self, reason: Reason) -> Outcome {
        match self.outcome.take() {
            Some(outcome) => outcome,
            None => self.end_at(reason),
        }
    }

    fn end_at(&mut self, reason: Reason) -> Outcome {
        let verdict = self.decider().verdict_at(reason, LINE_NODES);
        self.end(verdict)
    }

    fn end(&mut self, verdict: Verdict) -> Outcome {
        let engine = &self.solver.engine;
        let outcome =
            Outcome { verdict, nodes: engine.nodes(), collections: engine.shared.table.collections };
        self.outcome = Some(outcome.clone());
        outcome
    }

    fn decider(&mut self) -> Decider<'_> {
        let attacker = self.problem.attacker();
        let prover = Prover { engine: &mut self.solver.engine, session: &mut self.session, attacker };
        Decider { prover, problem: &self.problem, goal: self.goal, depth: self.depth }
    }

    fn progress(&self) -> Progress {
        let Engine { search, shared, .. } = &self.solver.engine;
        let (proof, disproof, best) = search.outlook();
        Progress {
            nodes: search.nodes(),
            proof,
            disproof,
            depth: search.depth(),
            hashfull: shared.table.permille(),
            best,
            shortest: self.bounds().shortest,
        }
    }

    /// What is known of the length.
    fn bounds(&self) -> Bounds {
        let Solving { problem, goal, session, .. } = self;
        session.bounds(&problem.state, goal.convention())
    }
}

/// The verdict of a mate whose length need not be exact.
fn at_most(length: u16, convention: Convention, walked: WalkedLine) -> Verdict {
    mate_of(Length::AtMost(length), convention, walked)
}

/// A mate with a walked line.
fn mate_of(length: Length, convention: Convention, walked: WalkedLine) -> Verdict {
    let WalkedLine { line, left, is_complete } = walked;
    let length = if length.plies() <= 1 { Length::Exact(length.plies()) } else { length };
    Verdict::Mate(Mate { length, convention, line, line_complete: is_complete, left, ties_settled: false })
}

impl<'a> Prover<'a> {
    /// What decides which questions to ask for a goal.
    pub fn decider<'b>(&'b mut self, problem: &'b Problem, goal: Goal, depth: Option<u16>) -> Decider<'b> {
        let prover = Prover { engine: self.engine, session: self.session, attacker: self.attacker };
        Decider { prover, problem, goal, depth }
    }
}

/// Decides which questions to ask for a goal.
pub(crate) struct Decider<'a> {
    pub prover: Prover<'a>,
    pub problem: &'a Problem,
    pub goal: Goal,
    pub depth: Option<u16>,
}

impl Decider<'_> {
    /// The verdict if the search ends now, for this reason.
    ///
    /// `line_nodes`: the nodes that finding the line of a proven mate may still take.
    pub fn verdict_at(&mut self, reason: Reason, line_nodes: u64) -> Verdict {
        let (state, attacks) = self.root();
        let convention = self.goal.convention();
        let bounds = self.prover.bounds(&state, convention);
        let Some(length) = bounds.shortest else {
            return Verdict::Unknown { reason, excluded: bounds.excluded };
        };
        let found = |walked: WalkedLine| {
            let length = bounds.exact().map_or(Length::AtMost(length), Length::Exact);
            mate_of(length, convention, walked)
        };
        // The line of the first mate may be longer than the best bound, which was proven later, and shorter than an exact length.
        for (bound, counting) in [(UNBOUNDED, Convention::Strict), (length, convention)] {
            self.prover.session.until = self.prover.engine.nodes() + line_nodes;
            let may_be_shorter = bound != UNBOUNDED || bounds.exact().is_none();
            if let Ok(walked) = self.prover.walk(&state, attacks, bound, counting)
                && walked.fits(length)
                && (may_be_shorter || walked.line.len() == usize::from(length))
            {
                return found(walked);
            }
        }
        found(self.prover.walked(&state, length).unwrap_or_default())
    }

    pub fn decide(&mut self) -> Result<Verdict, Stopped> {
        match self.goal {
            Goal::Any => self.any(),
            Goal::Within(plies, convention) => self.within(plies, convention),
            Goal::Shortest(convention) => self.shortest(convention),
        }
    }

    fn root(&self) -> (TsumeState, bool) {
        (self.problem.state.clone(), self.problem.root() == Root::Attack)
    }

    /// The question whether any mate exists within the limit of depth.
    fn any_question(&self) -> Question {
        let attacks = self.problem.root() == Root::Attack;
        let bound = self.depth.map_or(UNBOUNDED, |depth| with_parity(depth, attacks));
        Question { bound, ..any_mate(attacks) }
    }

    /// The length of some mate within the limit of depth, or else the verdict.
    fn find_mate(&mut self) -> Result<Result<u16, Verdict>, Stopped> {
        let state = self.root().0;
        let found = self.prover.ask(&state, self.any_question())?.found;
        if found.pn == 0 {
            self.bounds_mut().add_mate(found.length);
            return Ok(Ok(found.length));
        }
        if found.length < UNBOUNDED {
            // The bound counts every move, so a mate by tsume lengths may be within it.
            let is_strict = self.goal.convention() == Convention::Strict;
            let excluded = is_strict.then_some(found.length);
            return Ok(Err(Verdict::Unknown { reason: Reason::Depth, excluded }));
        }
        Ok(Err(Verdict::NoMate(self.refutation()?)))
    }

    /// What is known of the length.
    fn bounds_mut(&mut self) -> &mut Bounds {
        self.prover.bounds_mut(&self.problem.state, self.goal.convention())
    }

    fn any(&mut self) -> Result<Verdict, Stopped> {
        match self.find_mate()? {
            Ok(length) => self.walked(length, Convention::Strict),
            Err(verdict) => Ok(verdict),
        }
    }

    /// The verdict of a mate, with a line from the proofs in the table.
    fn walked(&mut self, length: u16, convention: Convention) -> Result<Verdict, Stopped> {
        let (state, attacks) = self.root();
        let mut walked = self.prover.walk(&state, attacks, UNBOUNDED, Convention::Strict)?;
        if !walked.fits(length) {
            walked = self.prover.walk(&state, attacks, length, convention)?;
        }
        Ok(at_most(length, convention, walked))
    }

    fn within(&mut self, plies: u16, convention: Convention) -> Result<Verdict, Stopped> {
        let (state, attacks) = self.root();
        if attacks && plies == 0 {
            return Ok(Verdict::NoMate(Refutation::Longer));
        }
        let depth = self.depth.unwrap_or(plies);
        let bound = with_parity(plies.min(depth), attacks);
        let longer = if depth < plies {
            Verdict::Unknown { reason: Reason::Depth, excluded: Some(bound) }
        } else {
            Verdict::NoMate(Refutation::Longer)
        };
        let counting = if convention == Convention::Tsume { Counting::Free } else { Counting::Strict };
        let question = Question { bound, counting, ..any_mate(attacks) };
        let found = self.prover.ask(&state, question)?.found;
        if found.pn > 0 {
            return Ok(if found.length == UNBOUNDED { Verdict::NoMate(self.refutation()?) } else { longer });
        }
        if found.strict {
            return self.walked(found.length, convention);
        }
        // A free length is a lower bound.
        if !self.prover.mates(&state, attacks, Counting::Tsume, bound)? {
            return Ok(longer);
        }
        self.bounds_mut().add_mate(bound);
        self.exactly(bound, convention)
    }

    /// [`find_mate`](Self::find_mate), for the goal of a shortest mate:
    ///
    /// ```text
    /// any mate, within QUICK nodes
    /// for each bound 1, 3, 5, … or 0, 2, 4, …, within DEEPENING nodes in all: is there a mate within it?
    ///     yes      it is the shortest
    ///     no       the answer if no longer mate exists either; otherwise the next bound
    /// any mate
    /// ```
    ///
    /// The search for any mate follows small numbers, which may lead past a short mate into a large tree. Most positions are
    /// settled before that matters; with bounds from the first node on, refuting positions without a mate took six times as
    /// many nodes. For a long mate each bound costs a multiple of the one before, so the search by bounds is limited too.
    fn find_short_mate(&mut self, convention: Convention) -> Result<Result<u16, Verdict>, Stopped> {
        let (state, attacks) = self.root();
        if self.prover.ask_before(&state, self.any_question(), QUICK)?.is_some() {
            return self.find_mate();
        }
        let is_strict = convention == Convention::Strict;
        let mut bound = u16::from(attacks);
        while self.depth.is_none_or(|depth| bound <= depth) {
            let question = Question { bound, ..any_mate(attacks) };
            let Some(answer) = self.prover.ask_before(&state, question, DEEPENING)? else { break };
            if answer.mates() {
                self.bounds_mut().add_mate(answer.found.length);
                return Ok(Ok(answer.found.length));
            }
            if answer.found.length == UNBOUNDED {
                return Ok(Err(Verdict::NoMate(self.refutation()?)));
            }
            if is_strict {
                self.bounds_mut().exclude(answer.found.length.max(bound));
            }
            bound = answer.found.length.max(bound) + 2;
        }
        self.find_mate()
    }

    fn shortest(&mut self, convention: Convention) -> Result<Verdict, Stopped> {
        let length = match self.find_short_mate(convention)? {
            Ok(length) => length,
            Err(verdict) => return Ok(verdict),
        };
        // If a limit ends the search for a shorter mate, this line is shown.
        let (state, attacks) = self.root();
        self.prover.walk(&state, attacks, UNBOUNDED, Convention::Strict)?;
        self.exactly(length, convention)
    }

    /// The verdict of the shortest mate, given the length of one, with its determined line.
    fn exactly(&mut self, length: u16, convention: Convention) -> Result<Verdict, Stopped> {
        let (state, attacks) = self.root();
        let length = self.prover.exact_length(&state, attacks, convention, length)?;
        let ranking = Ranking::Fewest(convention);
        let (line, left): (Vec<Move16>, Hand) =
            self.prover.determined_line(&state, attacks, length, ranking)?;
        let length = Length::Exact(length);
        Ok(Verdict::Mate(Mate { length, convention, line, line_complete: true, left, ties_settled: true }))
    }

    /// The reason why there is no mate.
    fn refutation(&mut self) -> Result<Refutation, Stopped> {
        let (mut state, attacks) = self.root();
        if !attacks {
            return Ok(self.escape(&state)?.map_or(Refutation::NoCheck, Refutation::Escape));
        }
        let mut checks = MoveList::new();
        state.generate(MoveSet::Checks, &mut checks);
        let mut replies = Vec::new();
        for &check in &checks {
            let undo = state.do_move(check);
            let escape = self.escape(&state);
            state.undo_move(undo);
            replies.extend(escape?.map(|escape| (check, escape)));
        }
        Ok(if checks.is_empty() { Refutation::NoCheck } else { Refutation::Replies(replies) })
    }

    /// A reply after which there is no mate, as found by the search.
    fn escape(&mut self, state: &TsumeState) -> Result<Option<Move16>, Stopped> {
        Ok(self.prover.ask(state, any_mate(false))?.best)
    }
}

/// The largest possible length up to a bound: attacks have odd lengths, defences even ones.
pub(crate) fn with_parity(plies: u16, attacks: bool) -> u16 {
    if plies % 2 == u16::from(attacks) { plies } else { plies.saturating_sub(1) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Rules;

    #[test]
    fn a_search_is_not_resumed_after_another_analysis() {
        let setup = komabako_board::sfen::parse("7nl/5+B1k1/6ppp/9/9/9/9/9/9 b GSrb2g3s2n3l15p 1")
            .expect("SFEN")
            .setup;
        let problem = Problem::new(&setup, Rules::default()).expect("a problem");
        let mut solver = Solver::new(Memory::mebibytes(1));
        let pause = |solver: &mut Solver| {
            let mut solving = solver.start(&problem, Goal::Any);
            let _ = solving.step(1);
            solving.pause()
        };
        let paused = pause(&mut solver);
        assert!(solver.resume(paused).is_some());
        let limits = Limits { nodes: Some(10), ..Limits::default() };
        let analyses: [fn(&mut Solver, &Problem, &Limits); 4] = [
            |solver, problem, limits| drop(solver.author_line(problem, limits)),
            |solver, problem, limits| drop(solver.first_checks(problem, Convention::Tsume, limits)),
            |solver, problem, limits| drop(solver.variations(problem, &[], Convention::Tsume, 1, limits)),
            |solver, problem, limits| drop(solver.solve(problem, Goal::Any, limits)),
        ];
        for analysis in analyses {
            let paused = pause(&mut solver);
            analysis(&mut solver, &problem, &limits);
            assert!(solver.resume(paused).is_none());
        }
    }

    #[test]
    fn a_search_is_resumed_by_its_own_solver() {
        let setup = "3sks3/9/4S4/9/9/B8/9/9/9 b S2rb4g4n4l18p 1".parse().expect("SFEN");
        let problem = Problem::new(&setup, Rules::default()).expect("a problem");
        let mut solvers = [0; 2].map(|_| Solver::new(Memory::mebibytes(1)));
        let [first, second] = solvers.each_mut().map(|solver| {
            let mut solving = solver.start(&problem, Goal::Any);
            let _ = solving.step(1);
            solving.pause()
        });
        assert!(solvers[1].resume(first).is_none());
        assert!(solvers[1].resume(second).is_some());
    }

    #[test]
    fn mate_without_a_whole_line_is_still_a_mate() {
        let sfen = "g3p3+r/3lPG3/1s4ppp/1l1B4P/L2b1kPl1/3+p3+R+p/3+p2+s1S/+NP+p1gS3/1g+p2P3 b 4P3n 1";
        let setup = komabako_board::sfen::parse(sfen).expect("SFEN").setup;
        let problem = Problem::new(&setup, Rules::default()).expect("a problem");
        let mut solver = Solver::new(Memory::mebibytes(1));
        let mut solving = solver.start(&problem, Goal::Any);
        let _ = solving.step(1);
        // As if the proof had been found and dropped from the table since.
        solving.decider().bounds_mut().add_mate(611);
        let Verdict::Mate(mate) = solving.stop(Reason::Time).verdict else { panic!("no mate") };
        assert_eq!((mate.length, mate.line_complete), (Length::AtMost(611), false));
        assert!(mate.line.len() < 611, "{:?}", mate.line);
    }

    #[test]
    fn full_stack_ends_the_search_without_a_verdict() {
        let sfen = "8k/5B2n/9/9/5n3/9/9/P8/9 b RGrb3g4s2n4l17p 1";
        let setup = komabako_board::sfen::parse(sfen).expect("SFEN").setup;
        let problem = Problem::new(&setup, Rules::default()).expect("a problem");
        let mut solver = Solver::new(Memory::mebibytes(1));
        let goal = Goal::Shortest(Convention::Tsume);
        solver.engine.search.limit_children(60);
        let verdict = solver.solve(&problem, goal, &Limits::default()).verdict;
        assert!(matches!(verdict, Verdict::Unknown { reason: Reason::Memory, .. }), "{verdict:?}");
        solver.engine.search.limit_children(2_000);
        let verdict = solver.solve(&problem, goal, &Limits::default()).verdict;
        assert!(matches!(verdict, Verdict::Mate(Mate { length: Length::Exact(9), .. })), "{verdict:?}");
    }
}
