//! The mate solver in steps: between calls the page checks its clock and its messages.

use std::collections::BTreeMap;

use komabako::board::sfen::{self, Sfen};
use komabako::board::{BaseKind, Hand};
use komabako::messages::Phrase;
use komabako::rules::{Move16, State};
use komabako::tsume::{
    Convention, Goal, Hands, Limits, Mate, Memory, Outcome, Paused, Problem, ProblemError, Reason,
    Refutation, Root, Rules, Solver, Step, Verdict,
};
use serde::{Deserialize, Serialize};

use crate::check::{Check, Report, check};
use crate::failure::Failure;
use crate::moves::{MoveText, PlayedMove, read_usi};
use crate::vocabulary::ColorName;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Start {
    sfen: String,
    goal: GoalName,
    hide_useless: bool,
    /// The size of the table in MiB.
    memory: usize,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum GoalName {
    Any,
    Shortest,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Continue {
    nodes: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stop {
    reason: StopReason,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum StopReason {
    Time,
    Cancelled,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Children {
    path: Vec<String>,
    nodes: u64,
}

#[derive(Serialize)]
pub struct Started {
    attacker: ColorName,
    sfen: String,
    complement: bool,
}

#[derive(Serialize)]
#[serde(tag = "state", rename_all = "lowercase")]
pub enum Stepped {
    Running { progress: ProgressText },
    Done { outcome: OutcomeText },
}

#[derive(Serialize)]
pub struct ProgressText {
    nodes: u64,
    proof: u32,
    disproof: u32,
    depth: usize,
    hashfull: u32,
    line: Vec<String>,
    shortest: Option<u16>,
}

#[derive(Serialize)]
pub struct OutcomeText {
    nodes: u64,
    verdict: VerdictText,
}

#[derive(Serialize)]
#[serde(tag = "is", rename_all = "kebab-case")]
enum VerdictText {
    #[serde(rename_all = "camelCase")]
    Mate {
        length: u16,
        exact: bool,
        line: Vec<PlayedMove>,
        line_complete: bool,
        left: BTreeMap<char, u8>,
    },
    NoMate {
        why: &'static str,
        replies: Vec<RefutedCheck>,
        escape: Option<String>,
    },
    Unknown {
        reason: &'static str,
        excluded: Option<u16>,
    },
}

/// A check and the reply that refutes it.
#[derive(Serialize)]
struct RefutedCheck {
    check: MoveText,
    reply: String,
}

#[derive(Serialize)]
pub struct Child {
    #[serde(flatten)]
    text: MoveText,
    status: &'static str,
    length: Option<u16>,
}

/// A search: running, or finished and ready for queries about the tree below its moves.
pub struct Search {
    solver: Solver,
    memory: usize,
    problem: Problem,
    convention: Convention,
    /// The paused search; `None` when it is finished.
    paused: Option<Paused>,
}

impl Search {
    /// Starts a search. It reuses the memory of `previous`, because the memory of a page never shrinks.
    ///
    /// # Errors
    /// The position is not a mate problem.
    pub fn start(request: &Start, previous: Option<Search>) -> Result<(Self, Started), Failure> {
        let setup = sfen::parse(&request.sfen)?.setup;
        let problem = Problem::new(&setup, Rules::default()).map_err(problem_failure)?;
        let convention = if request.hide_useless { Convention::Tsume } else { Convention::Strict };
        let goal = match request.goal {
            GoalName::Any => Goal::Any,
            GoalName::Shortest => Goal::Shortest(convention),
        };
        let memory = request.memory.clamp(1, 1024);
        let mut solver = match previous {
            Some(search) if search.memory == memory => search.solver,
            // The old table is freed before the new one is allocated: together they might exceed a page's memory.
            other => {
                drop(other);
                Solver::new(Memory::mebibytes(memory))
            }
        };
        let paused = Some(solver.start(&problem, goal).pause());
        let started = Started {
            attacker: problem.attacker().into(),
            sfen: Sfen { setup: problem.setup(), ply: None }.to_string(),
            complement: problem.is_complement(),
        };
        Ok((Self { solver, memory, problem, convention, paused }, started))
    }

    /// Continues the search.
    ///
    /// # Errors
    /// The search has ended.
    pub fn step(&mut self, request: &Continue) -> Result<Stepped, Failure> {
        let paused = self.paused.take().ok_or_else(not_solving)?;
        let mut solving = self.solver.resume(paused).ok_or_else(not_solving)?;
        let outcome = match solving.step(request.nodes) {
            Step::Done(outcome) => outcome,
            Step::Progress(progress) => {
                self.paused = Some(solving.pause());
                return Ok(Stepped::Running {
                    progress: ProgressText {
                        nodes: progress.nodes,
                        proof: progress.proof,
                        disproof: progress.disproof,
                        depth: progress.depth,
                        hashfull: progress.hashfull,
                        line: progress.best.iter().map(ToString::to_string).collect(),
                        shortest: progress.shortest,
                    },
                });
            }
        };
        Ok(Stepped::Done { outcome: self.outcome_text(&outcome)? })
    }

    /// Stops the search and returns the result so far.
    ///
    /// # Errors
    /// The search has ended.
    pub fn stop(&mut self, request: &Stop) -> Result<OutcomeText, Failure> {
        let paused = self.paused.take().ok_or_else(not_solving)?;
        let solving = self.solver.resume(paused).ok_or_else(not_solving)?;
        let outcome = solving.stop(match request.reason {
            StopReason::Time => Reason::Time,
            StopReason::Cancelled => Reason::Cancelled,
        });
        self.outcome_text(&outcome)
    }

    fn outcome_text(&self, outcome: &Outcome) -> Result<OutcomeText, Failure> {
        let state = self.root()?;
        let verdict = match &outcome.verdict {
            Verdict::Mate(Mate { length, line, line_complete, left, .. }) => VerdictText::Mate {
                length: length.plies(),
                exact: length.is_exact(),
                line: played(&state, line),
                line_complete: *line_complete,
                left: in_hand(*left),
            },
            Verdict::NoMate(refutation) => {
                let none: &[(Move16, Move16)] = &[];
                let (why, replies, escape) = match refutation {
                    Refutation::NoCheck => ("no-check", none, None),
                    Refutation::Replies(replies) => ("escapes", &replies[..], None),
                    Refutation::Escape(mv) => ("escapes", none, Some(mv.to_string())),
                    _ => ("longer", none, None),
                };
                let refuted = |&(check, reply): &(Move16, Move16)| RefutedCheck {
                    check: MoveText::new(&state, check, None),
                    reply: reply.to_string(),
                };
                VerdictText::NoMate { why, replies: replies.iter().map(refuted).collect(), escape }
            }
            &Verdict::Unknown { reason, excluded } => {
                VerdictText::Unknown { reason: reason_name(reason), excluded }
            }
        };
        Ok(OutcomeText { nodes: outcome.nodes, verdict })
    }

    fn root(&self) -> Result<State<()>, Failure> {
        problem_state(&self.problem)
    }

    /// Checks the problem for duals and other defects. The call ends only with its result: its limits bound the time.
    ///
    /// # Errors
    /// The search has not ended.
    pub fn check(&mut self, request: &Check) -> Result<Report, Failure> {
        if self.paused.is_some() {
            return Err(Failure::new("SOLVING", &SOLVING));
        }
        check(&mut self.solver, &self.problem, request)
    }

    /// The moves below a position of the tree, with the lengths of their mates.
    ///
    /// # Errors
    /// The path contains an illegal move, or the search has not ended.
    pub fn children(&mut self, request: &Children) -> Result<Vec<Child>, Failure> {
        if self.paused.is_some() {
            return Err(Failure::new("SOLVING", &SOLVING));
        }
        let mut state = self.root()?;
        let mut previous = None;
        for (index, text) in request.path.iter().enumerate() {
            let mv = read_usi(&state, text).map_err(|failure| failure.at_move(index, text))?;
            previous = mv.to();
            state.do_move(mv);
        }
        let attacks = request.path.len().is_multiple_of(2);
        let root = if attacks { Root::Attack } else { Root::Defend };
        let rules = Rules { hands: Hands::AsGiven, root };
        let problem = match Problem::new(&state.setup(), rules) {
            Ok(problem) => problem,
            // A path may leave the tree with a move that is not a check; nothing follows it.
            Err(ProblemError::NotInCheck) => return Ok(Vec::new()),
            Err(error) => return Err(problem_failure(error)),
        };
        let limits = Limits { nodes: Some(request.nodes), ..Limits::default() };
        let child = |mv, status, length| Child { text: MoveText::new(&state, mv, previous), status, length };
        if attacks {
            let checks = self.solver.first_checks(&problem, self.convention, &limits);
            let judged = checks.into_iter().map(|check| match check.length {
                Ok(Some(length)) => child(check.mv, "mate", Some(length)),
                Ok(None) => child(check.mv, "no-mate", None),
                Err(_) => child(check.mv, "unknown", None),
            });
            let key = |child: &Child| (child.status != "mate", child.length);
            let mut children: Vec<Child> = Vec::new();
            for child in judged {
                children.insert(children.partition_point(|other| key(other) <= key(&child)), child);
            }
            return Ok(children);
        }
        let outcome = self.solver.solve(&problem, Goal::Shortest(self.convention), &limits);
        let (line, length) = match outcome.verdict {
            Verdict::Mate(Mate { line, length, .. }) => (line, length),
            Verdict::NoMate(Refutation::Escape(escape)) => return Ok(vec![child(escape, "no-mate", None)]),
            _ => return Ok(Vec::new()),
        };
        let Some(&first) = line.first() else { return Ok(Vec::new()) };
        let mut children = vec![child(first, "mate", Some(length.plies()))];
        // The convention omits useless interpositions.
        if let Ok(Ok(others)) = self.solver.variations(&problem, &line[..1], self.convention, 1, &limits) {
            children.extend(others.into_iter().filter_map(|variation| {
                Some(child(*variation.line.first()?, "mate", Some(variation.line.len() as u16)))
            }));
        }
        Ok(children)
    }
}

const SOLVING: Phrase = Phrase::new("the search has not ended", "まだ探索しています");

/// The failure of a call that requires a running search.
pub fn not_solving() -> Failure {
    Failure::new("NOT_SOLVING", &Phrase::new("no search is running", "探索していません"))
}

/// The first position of a problem.
pub fn problem_state(problem: &Problem) -> Result<State<()>, Failure> {
    crate::moves::state(&Sfen { setup: problem.setup(), ply: None })
}

/// The moves of a line with their texts and the positions after them.
fn played(root: &State<()>, line: &[Move16]) -> Vec<PlayedMove> {
    played_after(root, &[], line)
}

/// The moves of a line after other moves, with their texts and the positions after them.
pub fn played_after(root: &State<()>, before: &[Move16], line: &[Move16]) -> Vec<PlayedMove> {
    let mut state = root.clone();
    let mut previous = None;
    let mut moves = Vec::new();
    for &mv in before {
        previous = mv.to();
        state.do_move(mv);
    }
    for &mv in line {
        let text = MoveText::new(&state, mv, previous);
        previous = mv.to();
        state.do_move(mv);
        moves.push(PlayedMove::new(text, &state));
    }
    moves
}

fn in_hand(hand: Hand) -> BTreeMap<char, u8> {
    let mut counts = BTreeMap::new();
    for kind in BaseKind::IN_HAND {
        if hand.count(kind) > 0 {
            counts.insert(kind.letter(), hand.count(kind));
        }
    }
    counts
}

pub const fn reason_name(reason: Reason) -> &'static str {
    match reason {
        Reason::Time => "time",
        Reason::Depth => "depth",
        Reason::Memory => "memory",
        Reason::Cancelled => "cancelled",
        _ => "nodes",
    }
}

fn problem_failure(error: ProblemError) -> Failure {
    let name = match error {
        ProblemError::KingMissing(_) => "PROBLEM_KING_MISSING",
        ProblemError::WrongSideToMove(_) => "PROBLEM_WRONG_SIDE",
        ProblemError::Position(_) => "POSITION",
        ProblemError::OpponentInCheck => "OPPONENT_IN_CHECK",
        ProblemError::NotInCheck => "PROBLEM",
    };
    Failure::new(name, &error.with_advice())
}
