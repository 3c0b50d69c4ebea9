//! Runs many questions one after the other, each within the limits.

use core::sync::atomic::Ordering;

use crate::engine::Engine;
use crate::line::Ranking;
use crate::outcome::{Convention, Limits, Reason};
use crate::problem::Problem;
use crate::search::TsumeState;
use crate::search::{Question, Stopped};
use crate::session::{Prover, Session, any_mate};

use alloc::vec::Vec;
use komabako_rules::Move16;

/// Asks questions about one problem. The limit of nodes applies to each question, the others to all of them together.
pub(crate) struct Runner<'a> {
    pub engine: &'a mut Engine,
    pub session: Session,
    pub problem: &'a Problem,
    limits: &'a Limits<'a>,
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
    /// The number of pieces left over by the line.
    pub left: u32,
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
            share_ends,
            #[cfg(feature = "std")]
            start: std::time::Instant::now(),
        }
    }

    /// The report's remaining nodes, if they are limited.
    pub fn left(&self) -> Option<u64> {
        self.limits.report_nodes.map(|nodes| nodes.saturating_sub(self.engine.nodes()))
    }

    /// Limits the nodes from here on to a share of the report's nodes; `None` removes the limit.
    pub fn allow(&mut self, share: Option<u64>) {
        self.share_ends = share.map(|share| self.engine.nodes() + share);
    }

    /// Runs `ask`, again after each pause, until it has its answers or a limit is reached.
    pub fn run<T>(
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
            let share = self.share_ends.map_or(stride, |end| end.saturating_sub(self.engine.nodes()));
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

    /// Whether any mate exists; with `forbidding`, one without the forbidden positions.
    pub fn mates(&mut self, state: &TsumeState, attacks: bool, forbidding: bool) -> Result<bool, Reason> {
        let question = Question { forbidding, ..any_mate(attacks) };
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
        Ok(Some(MateLine { length, line, left: left.len() }))
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
            let mut length = found.length;
            while length >= 2 + u16::from(attacks) {
                let question =
                    Question { bound: length - 2, counting: convention.into(), ..any_mate(attacks) };
                let found = prover.ask(state, question)?.found;
                if found.pn > 0 {
                    break;
                }
                length = found.length;
            }
            Ok(Some(length))
        })
    }
}
