//! The table and the searches on it: one, or with the feature `std` several that work on one question together.
//!
//! ```text
//! the first search alone, for ALONE nodes
//! rounds: every search, each on a thread of its own, until its share of the nodes is used up
//!         an answer, whoever finds it, ends the question
//!         a full table is made larger, or half of it forgotten, between two rounds
//! ```
//!
//! A search stores what it finds, so that the others find it there. What it believes for its own path alone (repetitions)
//! is not in the table. So every answer is as sound as that of one search alone; which mate is found first, and so the
//! length where any mate will do, may differ from run to run.

#[cfg(feature = "std")]
use alloc::vec::Vec;

use komabako_board::Color;

use crate::node::TsumeState;
use crate::search::{Answer, Question, Search, Stopped};
use crate::shared::Shared;
use crate::table::Table;

/// A table and the searches on it.
pub(crate) struct Engine {
    pub shared: Shared,
    /// The first search, which is always there. Its nodes are those of all.
    pub search: Search,
    #[cfg(feature = "std")]
    team: Option<Team>,
}

/// The other searches.
#[cfg(feature = "std")]
struct Team {
    helpers: Vec<Search>,
    /// Where the threads are, while they do not work.
    crowd: Option<crate::shared::Crowd>,
    /// The question that the first search is at.
    question: Option<(TsumeState, Color, Question)>,
    /// How many nodes of each question the first search does alone.
    alone: u64,
    /// The number of nodes at which the helpers join.
    join_at: u64,
    has_joined: bool,
}

/// How many nodes of a question one search does alone: most questions end before it is worth while to start threads.
#[cfg(feature = "std")]
const ALONE: u64 = 4_000;

/// How many slots of the table there are for each search: what all may store before the next look whether it is full has to
/// fit into the last quarter of it.
#[cfg(feature = "std")]
const SLOTS_OF_A_SEARCH: usize = 1 << 13;

impl Engine {
    /// One search.
    pub fn new(bytes: usize) -> Self {
        let shared = Shared { table: Table::new(bytes), crowd: None };
        Self {
            shared,
            search: Search::new(bytes),
            #[cfg(feature = "std")]
            team: None,
        }
    }

    /// Several searches, if there are more than one and the table is not too small for them.
    #[cfg(feature = "std")]
    pub fn with_threads(bytes: usize, threads: usize) -> Self {
        let threads = threads.min(bytes / (SLOTS_OF_A_SEARCH * 32));
        let mut engine = Self::new(bytes);
        if threads > 1 {
            let helpers = (1..threads).map(|_| Search::new(bytes)).collect();
            let crowd = Some(crate::shared::Crowd::new());
            engine.team =
                Some(Team { helpers, crowd, question: None, alone: ALONE, join_at: 0, has_joined: false });
        }
        engine
    }

    /// How many nodes to search between two looks at the clock and at the flag: with several threads more, since they are
    /// started after each.
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
        self.search.paths.clear();
        self.search.nodes = 0;
        #[cfg(feature = "std")]
        for helper in self.team.iter_mut().flat_map(|team| &mut team.helpers) {
            helper.paths.clear();
        }
    }

    /// How many nodes all searches have searched.
    pub fn nodes(&self) -> u64 {
        self.search.nodes
    }

    /// Begins a question.
    pub fn start(&mut self, state: &TsumeState, attacker: Color, question: Question) {
        #[cfg(feature = "std")]
        if let Some(team) = &mut self.team {
            team.question = Some((state.clone(), attacker, question));
            team.join_at = self.search.nodes + team.alone;
            team.has_joined = false;
        }
        self.search.start(&self.shared, state, attacker, question);
    }

    /// Searches until the answer is known or `until` nodes have been searched in all.
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
                Err(Stopped::Pause) if self.shared.table.is_full() => self.shared.table.make_room(),
                result => return result,
            }
        }
    }

    #[cfg(feature = "std")]
    fn run_together(&mut self, until: u64) -> Result<Answer, Stopped> {
        let Self { shared, search, team } = self;
        let Some(team) = team else { return Err(Stopped::Pause) };
        let threads = 1 + team.helpers.len();
        shared.crowd = team.crowd.take();
        if !team.has_joined {
            team.has_joined = true;
            while shared.table.size() < threads * SLOTS_OF_A_SEARCH {
                shared.table.make_room();
            }
            if let Some(crowd) = &mut shared.crowd {
                crowd.clear();
                search.mark_path(crowd);
            }
            if let Some((state, attacker, question)) = &team.question {
                for helper in &mut team.helpers {
                    helper.forbidden.clone_from(&search.forbidden);
                    helper.start(shared, state, *attacker, *question);
                    search.nodes += 1;
                }
            }
        }
        let result = loop {
            let share = until.saturating_sub(search.nodes).div_ceil(threads as u64);
            match round(shared, search, &mut team.helpers, share) {
                Err(Stopped::Pause) if shared.table.is_full() => shared.table.make_room(),
                Err(Stopped::Pause) if search.nodes < until => {}
                result => break result,
            }
        };
        team.crowd = shared.crowd.take();
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
    let stop = |stop| shared.crowd.iter().for_each(|crowd| crowd.stop(stop));
    stop(false);
    let (own, others) = std::thread::scope(|scope| {
        let threads: Vec<_> = helpers
            .iter_mut()
            .map(|helper| {
                scope.spawn(move || {
                    let before = helper.nodes;
                    let result = helper.run(shared, before + share);
                    if result.is_ok() || shared.table.is_full() {
                        stop(true);
                    }
                    (result, helper.nodes - before)
                })
            })
            .collect();
        let own = search.run(shared, search.nodes + share);
        stop(true);
        let join = |thread: std::thread::ScopedJoinHandle<'_, _>| {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        (own, threads.into_iter().map(join).collect::<Vec<_>>())
    });
    search.nodes += others.iter().map(|(_, nodes)| nodes).sum::<u64>();
    if own.is_ok() {
        return own;
    }
    if let Some(&(result @ Ok(answer), _)) = others.iter().find(|(result, _)| result.is_ok()) {
        search.answer = Some(answer);
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

    /// A solver whose threads work together from the first nodes of every question on.
    fn crowded(threads: usize, mebibytes: usize) -> Solver {
        let mut solver = Solver::with_threads(Memory::mebibytes(mebibytes), threads);
        let team = solver.engine().team.as_mut().expect("several threads");
        assert_eq!(team.helpers.len() + 1, threads);
        team.alone = 30;
        solver
    }

    /// Cells of a row by the names of the header.
    fn cell<'a>(file: &'a str, row: &'a str, name: &str) -> &'a str {
        let header = file.lines().next().expect("a header");
        header.split('\t').zip(row.split('\t')).find(|cell| cell.0 == name).expect("a column").1
    }

    /// Every answer of one thread: verdicts, both exact lengths, and the lines on which ties are settled. Of the rows of each
    /// file one in `of`, from the `first` on; how many answers that were.
    fn agrees(solver: &mut Solver, first: usize, of: usize) -> usize {
        let rows = |file: &'static str| file.lines().skip(1 + first).step_by(of);
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
            let answers = agrees(&mut crowded(threads, mebibytes), first, 6 * cases::one_in());
            assert!(answers > cases::scaled(100), "{answers}");
        }
    }

    /// Every row, many times: what threads find first differs from run to run. Rounds: `KOMABAKO_ROUNDS`, 3 unless set.
    #[test]
    #[ignore = "minutes; run with --ignored in the profile `measured`"]
    fn threads_agree_with_all_known_answers() {
        let rounds = std::env::var("KOMABAKO_ROUNDS").map_or(3, |rounds| rounds.parse().expect("a number"));
        let mut answers = 0;
        for round in 0..rounds {
            for (threads, mebibytes) in [(2, 256), (3, 16), (4, 1)] {
                answers += agrees(&mut crowded(threads, mebibytes), 0, 1);
                std::eprintln!("round {round}, {threads} threads, {mebibytes} MiB: {answers} answers so far");
            }
        }
    }
}
