//! The solver against the slow oracle on random positions, and the oracle against the known answers.
//!
//! `cargo test` compares 250 positions, `cargo run --release -p komabako-tsume --example against_oracle -- 100000` as many
//! as it is told to.

mod common;

use common::{Generated, rows};
use komabako_board::Move;
use komabako_rules::Move16;
use komabako_testkit::setups::Rng;
use komabako_testkit::tsume_oracle::Oracle;
use komabako_tsume::{Memory, Solver};

#[path = "common/random.rs"]
mod random;

fn text(line: &[Move]) -> String {
    let usi = |&mv: &Move| Move16::from_move(mv).expect("a legal move").to_string();
    line.iter().map(usi).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_oracle_knows_the_known_answers() {
    let mut reached = 0;
    for row in rows(include_str!("data/lengths.tsv")) {
        let setup = row.setup();
        let attacker = setup.side_to_move();
        for (tsume, prefix) in [(false, "strict"), (true, "tsume")] {
            let length = row.number(prefix);
            let mut oracle = Oracle::new(Generated, attacker, tsume, 2_000);
            let Ok(found) = oracle.attack(&setup, length) else { continue };
            assert_eq!(found, Some(length), "{prefix} {}", row.get("sfen"));
            if let Ok((line, left)) = oracle.line(&setup, length) {
                assert_eq!(text(&line), row.get(&format!("{prefix}_line")));
                assert_eq!(left, u32::from(row.number(&format!("{prefix}_left"))));
                reached += 1;
            }
            if let (true, Ok((line, _))) = (tsume, oracle.author_line(&setup, length)) {
                assert_eq!(text(&line), row.get("author_line"), "{}", row.get("sfen"));
            }
        }
    }
    assert!(reached > 100, "{reached}");
}

#[test]
fn random_positions_agree_with_the_oracle() {
    let mut rng = Rng::new(1);
    let mut solver = Solver::new(Memory::mebibytes(1));
    let mut counts = random::Counts::default();
    for _ in 0..250 {
        let problem = random::random_problem(&mut rng);
        let differences = random::compare(&mut solver, &problem, &mut counts);
        assert!(differences.is_empty(), "{differences:?}");
    }
    assert!(counts.mates > 40 && counts.refuted > 100, "{counts:?}");
}
