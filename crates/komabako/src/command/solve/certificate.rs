//! `--certificate`: proofs of the answers, which `komabako certificate` checks.

use komabako::tsume::{
    Certificate, CertifyError, CheckReport, Checked, Claim, Convention, Goal, Limits, Problem, Refutation,
    Solver, Verdict,
};

use crate::json::{Value, object};

/// The certificates of an answer, each with what the checker read in it.
#[derive(Default)]
pub struct Proofs {
    pub certificates: Vec<(Certificate, Checked)>,
    /// Why one is missing.
    pub missing: Option<CertifyError>,
}

impl Proofs {
    /// The certificates of a verdict, directly after its search.
    pub fn make(
        solver: &mut Solver,
        problem: &Problem,
        goal: Goal,
        verdict: &Verdict,
        limits: &Limits<'_>,
    ) -> Self {
        let made = match (verdict, goal) {
            (Verdict::Mate(_), Goal::Within(plies, convention)) => {
                match one(solver, problem, Claim::MateWithin(plies), convention, limits) {
                    Err(CertifyError::Uncertain) => one(solver, problem, Claim::Mate, convention, limits),
                    made => made,
                }
            }
            // Within no ply there is nothing to show.
            (Verdict::NoMate(Refutation::Longer), Goal::Within(0, _)) => Ok(Vec::new()),
            (Verdict::Mate(mate), Goal::Shortest(convention)) if mate.length.is_exact() => {
                solver.certify_length(problem, convention, limits).map(|(_, certificates)| certificates)
            }
            (Verdict::Mate(_), _) => one(solver, problem, Claim::Mate, Convention::Strict, limits),
            (Verdict::NoMate(Refutation::Longer), Goal::Within(plies, convention)) => {
                let claim = Claim::NoMateWithin(plies);
                match one(solver, problem, claim, convention, limits) {
                    // Where free lengths are shorter, which is rare, what is left to show is that the strict mate takes longer.
                    Err(CertifyError::False) => one(solver, problem, claim, Convention::Strict, limits),
                    made => made,
                }
            }
            (Verdict::NoMate(_), _) => one(solver, problem, Claim::NoMate, Convention::Strict, limits),
            (Verdict::Unknown { .. }, _) => Ok(Vec::new()),
        };
        Proofs::from(made)
    }

    /// The certificates of a report, directly after its search: of the length and of the checks beside the main line.
    pub fn of_report(
        solver: &mut Solver,
        problem: &Problem,
        report: &CheckReport,
        limits: &Limits<'_>,
    ) -> Self {
        match &report.outcome.verdict {
            Verdict::Mate(mate) if mate.length.is_exact() => {
                // The author's line may have useless interpositions, after which the attacker holds a piece more.
                let is_counted = usize::from(report.plies) == report.line.len();
                let line = if is_counted { &report.line } else { &mate.line };
                Proofs::from(solver.certify_soundness(problem, line, limits))
            }
            verdict => Proofs::make(solver, problem, Goal::Shortest(Convention::Tsume), verdict, limits),
        }
    }

    /// The JSON of the certificates.
    pub fn forms(&self) -> impl Iterator<Item = Value> {
        self.certificates.iter().map(|(certificate, checked)| {
            let claim = checked.header.claim;
            object! {
                claim: claim.name(),
                rule: checked.header.rule.name(),
                first: checked.header.first.map(|check| check.to_string()),
                forbidden: checked.header.forbidden.len(),
                within: claim.plies().or(checked.length),
                nodes: checked.nodes,
                bytes: certificate.as_bytes().len(),
            }
        })
    }
}

impl From<Result<Vec<(Certificate, Checked)>, CertifyError>> for Proofs {
    fn from(made: Result<Vec<(Certificate, Checked)>, CertifyError>) -> Proofs {
        match made {
            Ok(certificates) => Proofs { certificates, missing: None },
            Err(error) => Proofs { certificates: Vec::new(), missing: Some(error) },
        }
    }
}

fn one(
    solver: &mut Solver,
    problem: &Problem,
    claim: Claim,
    convention: Convention,
    limits: &Limits<'_>,
) -> Result<Vec<(Certificate, Checked)>, CertifyError> {
    Ok(Vec::from([solver.certify(problem, claim, convention, limits)?]))
}
