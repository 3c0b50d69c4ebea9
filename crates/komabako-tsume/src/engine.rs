//! The table and the searches on it: one, or with the feature `std` several that work together on one question.
//!
//! ```text
//! the first search alone, for ALONE nodes
//! rounds: every search, each on a thread of its own, until its share of the nodes is used up
//!         an answer from any search ends the question
//!         a full table is made larger, or half of it evicted, between two rounds
//! ```
//!
//! A search stores its results in the table, where the others find them. Results that hold for its own path only
//! (repetitions) are not in the table. So every answer is as sound as that of a single search. Which mate is found first, and
//! so the length when any mate will do, may differ from run to run.

#[cfg(feature = "std")]
use alloc::vec::Vec;

use komabako_board::Color;

use crate::counting::Counting;
use crate::search::{Answer, Question, Search, Stopped, TsumeState, position_key};
use crate::shared::Shared;
use crate::table::{Known, Query, Table};

/// A table and the searches on it.
pub(crate) struct Engine {
    pub shared: Shared,
    /// The first search, which always exists. Its node count is the total of all searches.
    pub search: Search,
    #[cfg(feature = "std")]
    team: Option<Team>,
}

/// The other searches.
#[cfg(feature = "std")]
struct Team {
    helpers: Vec<Search>,
    /// The threads' marks, kept here while they do not run.
    marks: Option<crate::shared::PathMarks>,
    /// The current question of the first search.
    question: Option<(TsumeState, Color, Question)>,
    /// The number of nodes of each question that the first search does alone.
    alone: u64,
    /// The number of nodes at which the helpers join.
    join_at: u64,
    has_joined: bool,
}

/// The number of nodes of a question that one search does alone: most questions end before threads are worth starting. How it was
/// chosen: `PERFORMANCE.md`.
#[cfg(feature = "std")]
const ALONE: u64 = 1_000;

/// The least number of table slots per search: the entries that all searches may store before the next check for a full table
/// must fit into its last quarter.
#[cfg(feature = "std")]
const SLOTS_OF_A_SEARCH: usize = 1 << 13;

impl Engine {
    /// An engine with one search.
    pub fn new(bytes: usize) -> Self {
        let shared = Shared { table: Table::new(bytes), marks: None };
        Self {
            shared,
            search: Search::new(bytes),
            #[cfg(feature = "std")]
            team: None,
        }
    }

    /// An engine with several searches, fewer than `threads` if the table is too small for them.
    #[cfg(feature = "std")]
    pub fn with_threads(bytes: usize, threads: usize) -> Self {
        let threads = threads.min(bytes / (SLOTS_OF_A_SEARCH * 32));
        let mut engine = Self::new(bytes);
        if threads > 1 {
            let helpers = (1..threads).map(|_| Search::new(bytes)).collect();
            let marks = Some(crate::shared::PathMarks::new());
            engine.team =
                Some(Team { helpers, marks, question: None, alone: ALONE, join_at: 0, has_joined: false });
        }
        engine
    }

    /// The number of nodes between two checks of the clock and the cancel flag. It is larger with several threads, since they
    /// are started anew after each check.
    pub fn stride(&self) -> u64 {
        const STRIDE: u64 = 2_000;
        #[cfg(feature = "std")]
        if let Some(team) = &self.team {
            return 8 * STRIDE * (1 + team.helpers.len() as u64);
        }
        STRIDE
    }

    /// Begins another problem.
    pub fn forget(&mut self) {
        self.shared.table.clear();
        self.search.forget();
        #[cfg(feature = "std")]
        for helper in self.team.iter_mut().flat_map(|team| &mut team.helpers) {
            helper.forget();
        }
    }

    /// The number of nodes that all searches together have searched.
    pub fn nodes(&self) -> u64 {
        self.search.nodes()
    }

    /// Stores that the defender, to move, is mated within a tsume length.
    pub fn note_tsume_mate(&mut self, state: &TsumeState, attacker: Color, within: u16) {
        if self.shared.table.is_full() {
            self.shared.table.grow_or_evict();
        }
        let hand = state.hand(attacker);
        let key = position_key(state, attacker, 0, false);
        let query = Query { key, hand, counting: Counting::Tsume, bound: within };
        let known = Known::Mate { hand, length: within, strict: false };
        self.search.store_known(&self.shared, &query, known);
    }

    /// Begins a question.
    pub fn start(&mut self, state: &TsumeState, attacker: Color, question: Question) {
        #[cfg(feature = "std")]
        if let Some(team) = &mut self.team {
            team.question = Some((state.clone(), attacker, question));
            team.join_at = self.search.nodes() + team.alone;
            team.has_joined = false;
        }
        self.search.start(&self.shared, state, attacker, question);
    }

    /// Searches until the answer is known or the total reaches `until` nodes.
    pub fn run(&mut self, until: u64) -> Result<Answer, Stopped> {
        #[cfg(feature = "std")]
        if let Some(team) = &self.team {
            let alone = team.join_at.min(until);
            return match self.run_alone(alone) {
                Err(Stopped::Pause) if alone < until => self.run_together(until),
                result => result,
            };
        }
        self.run_alone(until)
    }

    fn run_alone(&mut self, until: u64) -> Result<Answer, Stopped> {
        loop {
            match self.search.run(&self.shared, until) {
                Err(Stopped::Pause) if self.shared.table.is_full() => self.shared.table.grow_or_evict(),
                result => return result,
            }
        }
    }

    #[cfg(feature = "std")]
    fn run_together(&mut self, until: u64) -> Result<Answer, Stopped> {
        let Self { shared, search, team } = self;
        let Some(team) = team else { return Err(Stopped::Pause) };
        let threads = 1 + team.helpers.len();
        shared.marks = team.marks.take();
        if !team.has_joined {
            team.has_joined = true;
            while shared.table.size() < threads * SLOTS_OF_A_SEARCH {
                shared.table.grow_or_evict();
            }
            if let Some(marks) = &mut shared.marks {
                marks.clear();
                search.mark_path(marks);
            }
            if let Some((state, attacker, question)) = &team.question {
                for helper in &mut team.helpers {
                    helper.forbid(search.forbidden());
                    helper.start(shared, state, *attacker, *question);
                    search.add_nodes(1);
                }
            }
        }
        let result = loop {
            let share = until.saturating_sub(search.nodes()).div_ceil(threads as u64);
            match round(shared, search, &mut team.helpers, share) {
                Err(Stopped::Pause) if shared.table.is_full() => shared.table.grow_or_evict(),
                Err(Stopped::Pause) if search.nodes() < until => {}
                result => break result,
            }
        };
        team.marks = shared.marks.take();
        result
    }
}

/// Runs all searches until one has an answer or is out of nodes.
#[cfg(feature = "std")]
fn round(
    shared: &Shared,
    search: &mut Search,
    helpers: &mut [Search],
    share: u64,
) -> Result<Answer, Stopped> {
    let stop = |stop| shared.marks.iter().for_each(|marks| marks.stop(stop));
    stop(false);
    let (own, others) = std::thread::scope(|scope| {
        // If the system refuses a thread, the search runs on fewer.
        let threads: Vec<_> = helpers
            .iter_mut()
            .map_while(|helper| {
                let run = move || {
                    let before = helper.nodes();
                    let result = helper.run(shared, before + share);
                    if result.is_ok() || shared.table.is_full() {
                        stop(true);
                    }
                    (result, helper.nodes() - before)
                };
                std::thread::Builder::new().spawn_scoped(scope, run).ok()
            })
            .collect();
        let own = search.run(shared, search.nodes() + share);
        stop(true);
        let join = |thread: std::thread::ScopedJoinHandle<'_, _>| {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        (own, threads.into_iter().map(join).collect::<Vec<_>>())
    });
    search.add_nodes(others.iter().map(|(_, nodes)| nodes).sum());
    if own.is_ok() {
        return own;
    }
    if let Some(&(result @ Ok(answer), _)) = others.iter().find(|(result, _)| result.is_ok()) {
        search.set_answer(answer);
        return result;
    }
    own
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use alloc::string::{String, ToString};

    use komabako_testkit::cases;

    use super::*;
    use crate::{Convention, Goal, Length, Limits, Memory, Problem, Rules, Solver, Verdict};

    const LENGTHS: &str = include_str!("../tests/data/lengths.tsv");
    const MATES: &str = include_str!("../tests/data/mate.tsv");
    const NO_MATES: &str = include_str!("../tests/data/no_mate.tsv");

    fn problem(sfen: &str) -> Problem {
        let setup = komabako_board::sfen::parse(sfen).expect("SFEN").setup;
        Problem::new(&setup, Rules::default()).expect("a problem")
    }

    /// A solver whose threads join almost at the start of every question.
    fn joined_solver(threads: usize, mebibytes: usize) -> Solver {
        let mut solver = Solver::with_threads(Memory::mebibytes(mebibytes), threads);
        let team = solver.engine().team.as_mut().expect("several threads");
        assert_eq!(team.helpers.len() + 1, threads);
        team.alone = 30;
        solver
    }

    /// The cell of a row under this name in the header.
    fn cell<'a>(file: &'a str, row: &'a str, name: &str) -> &'a str {
        let header = file.lines().next().expect("a header");
        header.split('\t').zip(row.split('\t')).find(|cell| cell.0 == name).expect("a column").1
    }

    /// Asserts that the solver agrees with the files: verdicts, both exact lengths, and the lines with ties settled. It takes one
    /// row in `step` of each file, starting at row `first`. Returns the number of answers.
    fn assert_agrees(solver: &mut Solver, first: usize, step: usize) -> usize {
        let rows = |file: &'static str| file.lines().skip(1 + first).step_by(step);
        let mut answers = 0;
        let mut exact = |row, convention: Convention, plies: &str, line: Option<&str>| {
            let outcome = solver.solve(&problem(row), Goal::Shortest(convention), &Limits::default());
            let Verdict::Mate(mate) = outcome.verdict else { panic!("no mate: {row}") };
            let plies = plies.parse().expect("a number");
            assert_eq!(mate.length, Length::Exact(plies), "{convention:?}: {row}");
            if let Some(line) = line {
                let moves: Vec<String> = mate.line.iter().map(ToString::to_string).collect();
                assert_eq!(moves.join(" "), line, "{convention:?}: {row}");
            }
            answers += 1;
        };
        for row in rows(LENGTHS) {
            for (convention, name) in [(Convention::Strict, "strict"), (Convention::Tsume, "tsume")] {
                let line = cell(LENGTHS, row, &[name, "_line"].concat());
                exact(cell(LENGTHS, row, "sfen"), convention, cell(LENGTHS, row, name), Some(line));
            }
        }
        for row in rows(MATES) {
            let length = cell(MATES, row, "mate_length");
            exact(cell(MATES, row, "sfen"), Convention::Strict, length, None);
        }
        for row in rows(NO_MATES) {
            let outcome = solver.solve(&problem(cell(NO_MATES, row, "sfen")), Goal::Any, &Limits::default());
            assert!(matches!(outcome.verdict, Verdict::NoMate(_)), "{row}");
            answers += 1;
        }
        answers
    }

    #[test]
    fn threads_agree_with_the_known_answers() {
        for (threads, mebibytes, first) in [(2, 16, 0), (4, 16, 2), (3, 1, 4)] {
            let answers = assert_agrees(&mut joined_solver(threads, mebibytes), first, 6 * cases::one_in());
            assert!(answers > cases::scaled(100), "{answers}");
        }
    }

    /// Every row, many times, since the order in which threads find results differs from run to run. `KOMABAKO_ROUNDS` sets the
    /// number of rounds; the default is 3.
    #[test]
    #[ignore = "minutes; run with --ignored in the profile `measured`"]
    fn threads_agree_with_all_known_answers() {
        let rounds = std::env::var("KOMABAKO_ROUNDS").map_or(3, |rounds| rounds.parse().expect("a number"));
        let mut answers = 0;
        for round in 0..rounds {
            for (threads, mebibytes) in [(2, 256), (3, 16), (4, 1)] {
                answers += assert_agrees(&mut joined_solver(threads, mebibytes), 0, 1);
                std::eprintln!("round {round}, {threads} threads, {mebibytes} MiB: {answers} answers so far");
            }
        }
    }
}
