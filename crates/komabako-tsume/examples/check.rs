//! Checks a problem: `check SFEN [MOVE]...`, where the moves are the author's line in USI.

use komabako_board::sfen;
use komabako_rules::Move16;
use komabako_tsume::{Limits, Memory, Problem, Rules, Solver};

fn text(line: &[Move16]) -> String {
    line.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let setup = sfen::parse(&arguments.next().ok_or("no SFEN")?)?.setup;
    let author = arguments.map(|mv| mv.parse()).collect::<Result<Vec<Move16>, _>>()?;
    let problem = Problem::new(&setup, Rules::default())?;
    let limits = Limits { nodes: Some(1_000_000), ..Limits::default() };
    let report = Solver::new(Memory::mebibytes(64)).check(&problem, Some(&author), &limits)?;
    println!("{:?}, length {:?}: {}", report.soundness, report.length(), text(&report.line));
    for finding in report.findings {
        let kind = finding.kind;
        let ply = finding.ply;
        let length = finding.length;
        println!("{ply} {kind:?} {length:?} defect {}: {}", finding.is_defect, text(&finding.line));
    }
    Ok(())
}
