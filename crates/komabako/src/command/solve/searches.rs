//! [`answer`]: the searches of one problem, which share its limits.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use komabako::board::{Setup, color};
use komabako::messages::WithAdvice;
use komabako::tsume::{
    AuthorLine, CheckReport, Convention, FirstCheck, Goal, Limits, LineError, Needless, Outcome, Problem,
    ProblemError, Reason, Root, Rules, Solver, Variation, Verdict,
};

use super::arguments::{ConventionArg, LineArg, Solve};
use super::budget::Budget;
use super::certificate::Proofs;
use super::input::Task;
use super::record::{Answer, ShownLine};
use super::refused::Unsolved;
use crate::message::Lang;

/// An answer, or why the problem has no answer.
pub type Solution<'a> = Result<Answer<'a>, Unsolved>;

pub fn answer<'a>(
    solve: &'a Solve,
    lang: Lang,
    task: Task,
    time: Option<Duration>,
    is_over: &AtomicBool,
    solver: &mut Solver,
) -> Solution<'a> {
    let problem = Problem::new(&task.setup, solve.rules()).map_err(|error| {
        refused(solve, &task, lang.say(&error), advice(&error, &task.setup, solve.rules(), lang), lang)
    })?;
    let illegal = |error: LineError| refused(solve, &task, lang.say(&error), None, lang);
    let budget = Budget::new(time, solve.nodes(), solve.depth, is_over);
    let mut searches = Searches { solve, problem: &problem, budget, solver };
    // The verdict first: a limit that the searches share should end one that matters less.
    let found = if solve.check { searches.check(&task).map_err(illegal)? } else { searches.solve() };
    let Found { outcome, mut report, needless, proofs } = found;
    let is_mate = matches!(outcome.verdict, Verdict::Mate(_));
    let first_checks = if solve.all { searches.first_checks() } else { Vec::new() };
    let wants_author = solve.line == LineArg::Author || solve.has_all_lengths();
    let author = if is_mate && wants_author { searches.author_line() } else { None };
    let author_length = author.as_ref().and_then(|author| u16::try_from(author.line.len()).ok());
    let wants_strict = solve.convention == ConventionArg::Both || solve.has_all_lengths();
    let strict_length = if is_mate && wants_strict { searches.strict_length() } else { None };
    let shown = match (&report, author) {
        (Some(report), _) if shows_main_line(report) => ShownLine::of_report(report),
        (_, Some(author)) if solve.line == LineArg::Author => ShownLine::of_author(author),
        _ => ShownLine::of_verdict(&outcome.verdict),
    };
    let mut variations = Vec::new();
    let mut variations_stopped = None;
    if is_mate && solve.variations > 0 {
        match searches.variations(&shown, report.as_mut()).map_err(illegal)? {
            Ok(found) => variations = found,
            // To the user this is `--nodes` too.
            Err(Reason::ReportNodes) => variations_stopped = Some(Reason::Nodes),
            Err(reason) => variations_stopped = Some(reason),
        }
    }
    let convention = match &outcome.verdict {
        Verdict::Mate(mate) => mate.convention,
        _ => solve.convention(),
    };
    let milliseconds = u64::try_from(searches.budget.elapsed().as_millis()).unwrap_or(u64::MAX);
    Ok(Answer {
        solve,
        task,
        problem,
        convention,
        outcome,
        strict_length,
        shown,
        author_length,
        variations,
        variations_stopped,
        first_checks,
        report,
        needless,
        proofs,
        milliseconds,
    })
}

/// The refusal of a problem, with advice of its own if there is some.
fn refused(solve: &Solve, task: &Task, why: String, advice: Option<String>, lang: Lang) -> Unsolved {
    let what = task.origin.place(lang, why);
    // A position from the command line has no earlier problems.
    let others = task.origin.line.map(|_| {
        // The report of --json would have been written at the end.
        if task.number == 1 || solve.json { lang.solve_others_help() } else { lang.solve_problem_help() }
    });
    let help = match advice {
        Some(advice) => Some(lang.say(&WithAdvice(advice, others))),
        None => others,
    };
    Unsolved::from(task.origin.refuse("problem", what, help))
}

/// What to do about a position that is not a problem.
fn advice(error: &ProblemError, setup: &Setup, rules: Rules, lang: Lang) -> Option<String> {
    let can_defend = |setup: &Setup| Problem::new(setup, Rules { root: Root::Defend, ..rules }).is_ok();
    match error {
        ProblemError::OpponentInCheck if rules.root == Root::Attack => {
            let mut turned = *setup;
            turned.set_side_to_move(color::opponent(setup.side_to_move()));
            can_defend(&turned).then(|| lang.solve_turn_and_defend())
        }
        ProblemError::WrongSideToMove(_) if can_defend(setup) => Some(lang.solve_defend()),
        _ => error.advice().map(|advice| lang.say(&advice)),
    }
}

/// Whether the main line of a report is shown instead of the solver's: a mate as short as the one that the solver found, or against a
/// defence that is not the longest.
fn shows_main_line(report: &CheckReport) -> bool {
    match &report.outcome.verdict {
        Verdict::Mate(mate) if mate.length.is_exact() => {
            report.line_complete && report.plies <= mate.length.plies()
        }
        Verdict::Mate(mate) => report.line_complete && report.plies == mate.length.plies(),
        // What the author wrote.
        _ => !report.line.is_empty(),
    }
}

/// The verdict, and what follows its search directly.
struct Found {
    outcome: Outcome,
    report: Option<CheckReport>,
    needless: Option<Needless>,
    proofs: Proofs,
}

/// The searches of one problem.
struct Searches<'a> {
    solve: &'a Solve,
    problem: &'a Problem,
    budget: Budget<'a>,
    solver: &'a mut Solver,
}

impl<'a> Searches<'a> {
    /// Runs a search within the rest of the limits.
    fn run<T>(&mut self, search: impl FnOnce(&mut Solver, &Problem, &Limits<'a>) -> T) -> T {
        let found = search(self.solver, self.problem, &self.budget.limits());
        self.budget.spend(self.solver.nodes());
        found
    }

    fn solve(&mut self) -> Found {
        let goal = self.solve.goal();
        let outcome = self.run(|solver, problem, limits| solver.solve(problem, goal, limits));
        let mut proofs = Proofs::default();
        if self.solve.certificate.is_some() {
            let limits = self.budget.limits();
            proofs = Proofs::make(self.solver, self.problem, goal, &outcome.verdict, &limits);
            // They continue the search.
            self.budget.spend(self.solver.nodes() - outcome.nodes);
        }
        Found { outcome, report: None, needless: None, proofs }
    }

    fn check(&mut self, task: &Task) -> Result<Found, LineError> {
        let solve = self.solve;
        let mut author = task.moves.clone();
        if author.is_empty() && solve.line == LineArg::Author {
            author = self.author_line().map(|author| author.line).unwrap_or_default();
        }
        let author = Some(&author[..]).filter(|moves| !moves.is_empty());
        let limits = self.report_limits(solve.report_nodes());
        let mut report = self.solver.check(self.problem, author, &limits)?;
        let mut proofs = Proofs::default();
        if solve.certificate.is_some() {
            proofs = Proofs::of_report(self.solver, self.problem, &report, &self.budget.limits());
        }
        let left = solve.report_nodes().map(|nodes| nodes.saturating_sub(report.outcome.nodes));
        let limits = self.report_limits(left);
        report.add(self.solver.check_variations(self.problem, &task.variations, &limits));
        let mut needless = None;
        if solve.needless {
            let limits = Limits { report_nodes: solve.report_nodes(), ..limits };
            needless = Some(self.solver.needless_pieces(self.problem, &report, &limits));
        }
        Ok(Found { outcome: report.outcome.clone(), report: Some(report), needless, proofs })
    }

    /// The limits of a report, which has its own nodes, so that it is the same whatever the output shows beside it.
    fn report_limits(&self, report_nodes: Option<u64>) -> Limits<'a> {
        Limits { nodes: self.solve.nodes(), report_nodes, ..self.budget.limits() }
    }

    fn first_checks(&mut self) -> Vec<FirstCheck> {
        let convention = self.solve.convention();
        self.run(|solver, problem, limits| solver.first_checks(problem, convention, limits))
    }

    fn author_line(&mut self) -> Option<AuthorLine> {
        self.run(|solver, problem, limits| solver.author_line(problem, limits)).ok().flatten()
    }

    /// The length by the strict convention.
    fn strict_length(&mut self) -> Option<u16> {
        let goal = Goal::Shortest(Convention::Strict);
        self.run(|solver, problem, limits| solver.solve(problem, goal, limits)).verdict.exact_length()
    }

    /// The variations of a line; the report gets their duals.
    fn variations(
        &mut self,
        shown: &ShownLine,
        report: Option<&mut CheckReport>,
    ) -> Result<Result<Vec<Variation>, Reason>, LineError> {
        let line = &shown.line;
        let depth = self.solve.variations.into();
        let limits = self.budget.limits();
        let found = self.solver.variations(self.problem, line, self.solve.convention(), depth, &limits)?;
        if let (Ok(found), Some(report)) = (&found, report) {
            let limits = self.budget.limits();
            report.add(self.solver.variation_duals(self.problem, line, found, &limits));
        }
        Ok(found)
    }
}
