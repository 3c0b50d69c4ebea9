//! Runs many questions one after the other, each within the limits.

use core::sync::atomic::Ordering;

use crate::counting::Counting;
use crate::engine::Engine;
use crate::line::Ranking;
use crate::outcome::{Convention, Goal, Limits, Reason, Verdict};
use crate::problem::Problem;
use crate::search::TsumeState;
use crate::search::{Question, Stopped};
use crate::session::{Bounds, Prover, Session, any_mate};
use crate::solver::LINE_NODES;
use crate::walk::WalkedLine;

use alloc::vec::Vec;
use komabako_board::Hand;
use komabako_rules::Move16;

/// Asks questions about one problem. The limit of nodes applies to each question, the others to all of them together.
pub(crate) struct Runner<'a> {
    pub engine: &'a mut Engine,
    pub session: Session,
    pub problem: &'a Problem,
    limits: &'a Limits<'a>,
    /// Why the last search that had no answer ended.
    pub stopped: Option<Reason>,
    /// The total number of nodes at which the current share of the report's nodes ends, see [`allow`](Self::allow).
    share_ends: Option<u64>,
    #[cfg(feature = "std")]
    start: std::time::Instant,
}

/// A mate with its exact length and the line that shows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct MateLine {
    pub length: u16,
    pub line: Vec<Move16>,
    /// The attacker's hand at the end of the line.
    pub left: Hand,
}

impl MateLine {
    /// The same mate with a move before it.
    pub fn after(mut self, mv: Move16) -> Self {
        self.line.insert(0, mv);
        self.length += 1;
        self
    }
}

impl<'a> Runner<'a> {
    pub fn new(engine: &'a mut Engine, problem: &'a Problem, limits: &'a Limits<'a>) -> Self {
        engine.forget();
        Self::on_table(engine, problem, limits)
    }

    /// A runner that uses the results of earlier searches.
    pub fn on_table(engine: &'a mut Engine, problem: &'a Problem, limits: &'a Limits<'a>) -> Self {
        let share_ends = limits.report_nodes.map(|nodes| engine.nodes().saturating_add(nodes));
        Self {
            engine,
            session: Session::new(),
            problem,
            limits,
            stopped: None,
            share_ends,
            #[cfg(feature = "std")]
            start: std::time::Instant::now(),
        }
    }

    /// The report's remaining nodes, if they are limited.
    pub fn left(&self) -> Option<u64> {
        self.limits.report_nodes.map(|nodes| nodes.saturating_sub(self.engine.nodes()))
    }

    /// The rest of the current share of the report's nodes, if they are limited.
    fn share_left(&self) -> Option<u64> {
        self.share_ends.map(|end| end.saturating_sub(self.engine.nodes()))
    }

    /// Limits the nodes from here on to a share of the report's nodes; `None` removes the limit.
    pub fn allow(&mut self, share: Option<u64>) {
        self.share_ends = share.map(|share| self.engine.nodes() + share);
    }

    /// Runs `ask`, again after each pause, until it has its answers or a limit is reached.
    pub fn run<T>(&mut self, ask: impl FnMut(&mut Prover<'_>) -> Result<T, Stopped>) -> Result<T, Reason> {
        let answer = self.run_to_limits(ask);
        if let Err(reason) = answer {
            self.stopped = Some(reason);
        }
        answer
    }

    fn run_to_limits<T>(
        &mut self,
        mut ask: impl FnMut(&mut Prover<'_>) -> Result<T, Stopped>,
    ) -> Result<T, Reason> {
        let begin = self.engine.nodes();
        let stride = self.engine.stride();
        loop {
            if self.limits.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
                return Err(Reason::Cancelled);
            }
            #[cfg(feature = "std")]
            if self.limits.time.is_some_and(|time| self.start.elapsed() >= time) {
                return Err(Reason::Time);
            }
            let used = self.engine.nodes() - begin;
            let own = self.limits.nodes.map_or(stride, |nodes| nodes.saturating_sub(used));
            let share = self.share_left().unwrap_or(stride);
            let stride = own.min(share).min(stride);
            if stride == 0 {
                return Err(if own == 0 { Reason::Nodes } else { Reason::ReportNodes });
            }
            self.session.until = self.engine.nodes() + stride;
            let attacker = self.problem.attacker();
            let mut prover = Prover { engine: self.engine, session: &mut self.session, attacker };
            match ask(&mut prover) {
                Ok(answer) => return Ok(answer),
                Err(Stopped::Pause) => {}
                Err(Stopped::Depth) => return Err(Reason::Depth),
                Err(Stopped::Memory) => return Err(Reason::Memory),
            }
        }
    }

    /// What is known of the length of a position's shortest mate.
    pub fn bounds(&self, state: &TsumeState) -> Bounds {
        self.session.bounds(state, Convention::Tsume)
    }

    /// The verdict about the problem for a goal.
    pub fn verdict(&mut self, goal: Goal) -> Verdict {
        let problem = self.problem;
        let depth = self.limits.depth;
        let decided = self.run(|prover| prover.decider(problem, goal, depth).decide());
        decided.unwrap_or_else(|reason| {
            let line_nodes = self.share_left().unwrap_or(LINE_NODES).min(LINE_NODES);
            let mut prover =
                Prover { engine: self.engine, session: &mut self.session, attacker: problem.attacker() };
            prover.decider(problem, goal, depth).verdict_at(reason, line_nodes)
        })
    }

    /// The line of a mate within a bound, as far as a limit allows.
    pub fn line_within(&mut self, state: &TsumeState, attacks: bool, bound: u16) -> MateLine {
        let walked = self.run(|prover| prover.walk(state, attacks, bound, Convention::Tsume));
        let WalkedLine { line, left, .. } = walked.unwrap_or_default();
        MateLine { length: bound, line, left }
    }

    /// Whether any mate exists; with `forbidding`, one without the forbidden positions.
    pub fn mates(&mut self, state: &TsumeState, attacks: bool, forbidding: bool) -> Result<bool, Reason> {
        let question = Question { forbidding, ..any_mate(attacks) };
        self.run(|prover| {
            let answer = prover.ask(state, question)?;
            if answer.mates() {
                prover.bounds_mut(state, Convention::Tsume).add_mate(answer.found.length);
            }
            Ok(answer.mates())
        })
    }

    /// Whether a mate exists by free lengths within a bound: the table then knows the proof.
    pub fn mates_freely(&mut self, state: &TsumeState, attacks: bool, bound: u16) -> Result<bool, Reason> {
        let question = Question { counting: Counting::Free, bound, ..any_mate(attacks) };
        self.run(|prover| Ok(prover.ask(state, question)?.mates()))
    }

    /// The shortest mate, if any.
    pub fn shortest(
        &mut self,
        state: &TsumeState,
        attacks: bool,
        convention: Convention,
    ) -> Result<Option<MateLine>, Reason> {
        let Some(length) = self.length(state, attacks, convention)? else { return Ok(None) };
        let ranking = Ranking::Fewest(convention);
        let (line, left) = self.run(|prover| prover.determined_line(state, attacks, length, ranking))?;
        Ok(Some(MateLine { length, line, left }))
    }

    /// The length of the shortest mate, if any.
    pub fn length(
        &mut self,
        state: &TsumeState,
        attacks: bool,
        convention: Convention,
    ) -> Result<Option<u16>, Reason> {
        self.run(|prover| {
            let found = prover.ask(state, any_mate(attacks))?.found;
            if found.pn > 0 {
                return Ok(None);
            }
            Ok(Some(prover.exact_length(state, attacks, convention, found.length)?))
        })
    }
}
