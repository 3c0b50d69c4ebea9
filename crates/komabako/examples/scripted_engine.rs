//! A USI engine for the tests of `rescore`: it does not search, and fails on request.
//!
//! Its score is a number from the position, its move the first legal one. Arguments: `die=N`, `hang=N`, `nonsense=N`
//! at the Nth question of each process; `always=WORD` answers `bestmove WORD` without a score, `refuses=SFEN` answers
//! `bestmove none` at this position; `bounds`, `mate=N`, `cp=N`; `slow=MS` for every answer.

use std::io::{self, BufRead, Write};
use std::thread;
use std::time::Duration;

use komabako::board::{Position, sfen};
use komabako::rules::{MoveList, State};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |name: &str| {
        let prefix = format!("{name}=");
        arguments.iter().find_map(|argument| argument.strip_prefix(&prefix)?.parse::<i64>().ok())
    };
    let always = arguments.iter().find_map(|argument| argument.strip_prefix("always="));
    let refused = arguments.iter().find_map(|argument| argument.strip_prefix("refuses="));
    let mut position = String::new();
    let mut asked = 0;
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { return };
        let mut words = line.split(' ');
        match words.next() {
            Some("usi") => println!("id name scripted\noption name Threads type spin default 1\nusiok"),
            Some("isready") => println!("readyok"),
            Some("position") => position = line["position sfen ".len()..].to_owned(),
            Some("quit") => return,
            Some("go") => {
                asked += 1;
                if number("die") == Some(asked) {
                    eprintln!("I die at question {asked}");
                    std::process::exit(3);
                }
                if number("hang") == Some(asked) {
                    thread::sleep(Duration::from_secs(3600));
                }
                thread::sleep(Duration::from_millis(number("slow").unwrap_or(0) as u64));
                if let Some(word) = always {
                    println!("bestmove {word}");
                } else if refused == Some(position.as_str()) {
                    println!("bestmove none");
                } else if number("nonsense") == Some(asked) {
                    println!("info score cp 12 pv 9i1a\nbestmove 9i1a");
                } else {
                    let score = match (number("mate"), number("cp")) {
                        (Some(plies), _) => format!("mate {plies}"),
                        (_, Some(score)) => format!("cp {score}"),
                        _ => format!(
                            "cp {}",
                            position.bytes().fold(7_i64, |sum, byte| (31 * sum + i64::from(byte)) % 2003)
                                - 1001
                        ),
                    };
                    let bound = if arguments.iter().any(|argument| argument == "bounds") {
                        " lowerbound"
                    } else {
                        ""
                    };
                    println!(
                        "info string score cp 1\ninfo depth 1 score {score}{bound}\nbestmove {}",
                        first_move(&position)
                    );
                }
            }
            _ => {}
        }
        // Lines reach a pipe only when it is flushed.
        let _ = io::stdout().flush();
    }
}

fn first_move(position: &str) -> String {
    let setup = sfen::parse(position).expect("an SFEN").setup;
    let position = Position::new_tsume(setup).expect("a position");
    let mut moves = MoveList::new();
    State::<()>::new(&position).expect("a state").legal_moves(&mut moves);
    moves.first().map_or_else(|| "resign".to_owned(), ToString::to_string)
}
