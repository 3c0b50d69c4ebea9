//! Certificates that a problem is sound, or where it is not.
//!
//! ```text
//! W n, X n - 2                     the length of the problem, by the tsume convention
//! for each check of the line but the last, and each other check c of its position:
//!     N first c                    c does not mate, or only by a detour: through forbidden positions, which are those of the line
//!     M first c                    otherwise: c mates as well
//! ```

use alloc::vec::Vec;

use komabako_board::Hand;
use komabako_rules::Move16;

use super::extract::{Extractor, runner_of};
use super::{Certificate, CertificateRule, CertifyError, Checked, Claim, Header};
use crate::check::{other_checks, validate};
use crate::outcome::{Convention, Limits};
use crate::problem::Problem;
use crate::runner::Runner;
use crate::search::{TsumeState, position_key};
use crate::session::any_mate;
use crate::solver::Solver;
use crate::table::UNBOUNDED;

impl Solver {
    /// Certificates of a problem's length and of all checks beside its line, the last ply excepted: each says that the check does not mate but
    /// through positions of the line, or that it does. So together they show a sound problem, or the duals of another one.
    /// Directly after [`Solver::check`] with the same line most of the work is done already.
    ///
    /// The limit of nodes is of each search, the other limits are of all searches for the checks together.
    ///
    /// # Errors
    /// See [`CertifyError`]; [`CertifyError::False`] if there is no mate.
    ///
    /// ```
    /// use komabako_tsume::{Claim, Limits, Memory, Problem, Rules, Solver};
    /// let setup = "3sks3/9/4S4/9/9/B8/9/9/9 b S2rb4g4n4l18p 1".parse()?;
    /// let problem = Problem::new(&setup, Rules::default())?;
    /// let mut solver = Solver::new(Memory::mebibytes(16));
    /// let report = solver.check(&problem, None, &Limits::default())?;
    /// let certificates = solver.certify_soundness(&problem, &report.line, &Limits::default())?;
    /// assert_eq!(certificates[0].1.header.claim, Claim::MateWithin(3));
    /// let others = certificates[2..].iter().filter(|(_, checked)| checked.header.claim == Claim::NoMate);
    /// assert!(others.count() > 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn certify_soundness(
        &mut self,
        problem: &Problem,
        line: &[Move16],
        limits: &Limits<'_>,
    ) -> Result<Vec<(Certificate, Checked)>, CertifyError> {
        validate(problem, line)?;
        let mut positions = Vec::new();
        let mut state = problem.state.clone();
        for pair in line.chunks(2) {
            positions.push((state.clone(), pair[0]));
            for &mv in pair {
                state.do_move(mv);
            }
        }
        let attacker = problem.attacker();
        let keys: Vec<_> =
            positions.iter().map(|(state, _)| position_key(state, attacker, 0, true)).collect();
        let engine = self.engine();
        // What is in the table holds for the positions that were forbidden.
        if engine.search.forbidden() != keys {
            engine.forget();
            engine.search.forbid(&keys);
        }
        let (_, mut certificates) = self.certify_length(problem, Convention::Tsume, limits)?;
        let forbidden: Vec<_> =
            positions.iter().map(|(state, _)| (state.board_key(), state.hand(attacker))).collect();
        let before_last = positions.split_last().map_or(&[][..], |(_, before)| before);
        let mut runner = runner_of(self, problem, limits)?;
        for (state, own) in before_last {
            for first in other_checks(state, *own) {
                certificates.push(certify_check(&mut runner, state, first, &forbidden)?);
            }
        }
        Ok(certificates)
    }
}

/// A certificate that a check does not mate but through forbidden positions, or that it does.
fn certify_check(
    runner: &mut Runner<'_>,
    state: &TsumeState,
    first: Move16,
    forbidden: &[(u128, Hand)],
) -> Result<(Certificate, Checked), CertifyError> {
    let attacker = runner.problem.attacker();
    let mut after = state.clone();
    after.do_move(first);
    let mut extractor = Extractor::new(runner, state, attacker);
    extractor.first = Some(first);
    let mut header = Header {
        claim: Claim::Mate,
        rule: CertificateRule::Strict,
        setup: state.setup(),
        first: Some(first),
        forbidden: Vec::new(),
    };
    let mates = extractor.results.mates(&after, false, false)?;
    if mates && extractor.results.mates(&after, false, true)? {
        let found = extractor.results.run(|prover| prover.ask(&after, any_mate(false)))?.found;
        let length = extractor.mate(found.length + 1)?;
        return extractor.finish(&header, length);
    }
    if mates {
        extractor.forbidden = forbidden.to_vec();
    }
    extractor.refute(UNBOUNDED)?;
    header.claim = Claim::NoMate;
    header.forbidden = extractor.forbidden_lines.values().cloned().collect();
    extractor.finish(&header, 0)
}
