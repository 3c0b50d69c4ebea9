//! Runs the fuzz targets of game records on their corpus, and on files of the test data with a few bytes changed.

mod targets;

use std::{env, fs};

use komabako_testkit::{cases, fuzz};

#[test]
fn kept_inputs_pass() {
    fuzz::replay_kept_inputs(targets::TARGETS);
}

/// Words with a meaning in at least one format.
const WORDS: [&str; 43] = [
    "変化：2手\n",
    "まで3手で先手の勝ち\n",
    "   1 ７六歩(77)\n",
    "投了",
    "▲７六歩",
    "同　",
    "*",
    "&",
    "手合割：その他\n",
    "手合割：二枚落ち\n",
    "|v香 ・",
    "+7776FU\n",
    "%TORYO\n",
    "P+00AL\n",
    "/\n",
    "'*",
    "T1.5\n",
    "\"forks\":[[",
    "{\"move\":",
    "\\ud800",
    "null",
    " moves 7g7f",
    "先手の持駒：歩十八　\n",
    "999999999",
    "N+A\nN-B\n",
    "V2.2\n",
    "'summary:illegal kachi:A lose:B win\n",
    "#SENTE_WIN\n",
    "%KACHI\n",
    ",'v=0.5,8,2726FU,8\n",
    " rep_inf",
    "手番：後手\n",
    "先手の持ち駒：金\n",
    "   2 パス\n",
    "封じ手",
    "後手の反則負け",
    "*反則手にて終局\n",
    "(00)",
    "\t",
    "\n\n",
    "１．７六歩\n",
    "手合割：裸玉\n",
    "|   v玉 歩   .|\n",
];

/// Changes a file in one to four places.
fn mutate(bytes: &mut Vec<u8>, random: &mut impl FnMut(usize) -> usize) {
    for _ in 0..1 + random(4) {
        if bytes.is_empty() {
            return;
        }
        let at = random(bytes.len());
        match random(5) {
            0 => bytes[at] = random(256) as u8,
            1 => {
                let end = (at + random(40)).min(bytes.len());
                bytes.drain(at..end);
            }
            2 => {
                let word = WORDS[random(WORDS.len())].bytes();
                bytes.splice(at..at, word);
            }
            3 => {
                let end = (at + random(200)).min(bytes.len());
                let copied = bytes[at..end].to_vec();
                let to = random(bytes.len());
                bytes.splice(to..to, copied);
            }
            _ => bytes.truncate(at),
        }
    }
}

#[test]
fn mutated_files_give_an_error_or_a_result() {
    let directory = format!("{}/tests/data", env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in ["", "/edge", "/dialects/csa", "/dialects/kif"].map(|folder| format!("{directory}{folder}"))
    {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        files.extend(entries.filter(|path| path.is_file() && path.metadata().unwrap().len() < 6000));
    }
    files.sort();
    let files: Vec<Vec<u8>> = files.into_iter().map(|path| fs::read(path).unwrap()).collect();
    // Ten million of each of the six by hand: KOMABAKO_KIFU_RUNS=60000000 cargo test --release -p komabako-kifu --test all fuzz
    let runs = env::var("KOMABAKO_KIFU_RUNS")
        .ok()
        .and_then(|runs| runs.parse().ok())
        .unwrap_or_else(|| cases::scaled(40_000));
    let mut state = env::var("KOMABAKO_KIFU_SEED")
        .ok()
        .and_then(|seed| seed.parse().ok())
        .unwrap_or(0x1234_5678_9abc_u64);
    let mut random = |limit: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % limit as u64) as usize
    };
    for run in 0..runs {
        let mut bytes = files[random(files.len())].clone();
        mutate(&mut bytes, &mut random);
        targets::TARGETS[run % targets::TARGETS.len()].test(&bytes);
    }
}
