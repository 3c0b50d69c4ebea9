//! The commands of `docs/recipes.md`, run by a shell on a small year of games.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

use komabako::rules::{MoveList, State};
use komabako_testkit::setups::Rng;
use serde_json::Value;

use crate::support::{Place, program, run, scripted_engine};

/// The page in a language.
fn page(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name)).unwrap()
}

/// The blocks of shell commands on a page.
fn blocks(page: &str) -> Vec<&str> {
    page.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect()
}

/// A game of random moves as floodgate writes it, with the ratings and scores of both programs, and whether the page chooses it.
fn game(number: usize, rng: &mut Rng) -> (String, bool) {
    let rating = 2_500 + 10 * (number % 100);
    let mut plies = 0;
    let mut text = format!("V2.2\nN+black{number}\nN-white\n$EVENT:floodgate+{number}\n");
    write!(text, "'black_rate:black{number}:{rating}.0\n'white_rate:white:3000.0\nPI\n+\n").unwrap();
    let mut state = <State>::start();
    let mut list = MoveList::new();
    let mut score = 0;
    for _ in 0..40 + rng.below(40) {
        state.legal_moves(&mut list);
        if list.is_empty() {
            break;
        }
        let mv = list[rng.below(list.len())];
        score += rng.below(201) as i32 - 100;
        writeln!(text, "{}\nT1\n'** {score}", state.csa(mv).unwrap()).unwrap();
        state.do_move(mv);
        plies += 1;
    }
    (text + "%TORYO\n", rating.min(3_000) >= 2_700 && plies >= 50)
}

#[test]
fn both_languages_have_the_same_commands() {
    let english = page("recipes.md");
    let japanese = page("recipes.ja.md");
    assert_eq!(blocks(&english), blocks(&japanese));
    assert_eq!(blocks(&english).len(), 3);
    assert_eq!(blocks(&english)[0].lines().count(), 8);
}

#[test]
fn the_commands_make_a_training_set_of_a_year() {
    let place = Place::new();
    let mut rng = Rng::new(2025);
    fs::create_dir(place.path("2025")).unwrap();
    let mut chosen = 0;
    for number in 0..120 {
        let (text, is_chosen) = game(number, &mut rng);
        place.file(&format!("2025/{number}.csa"), &text);
        // The same game again is left out.
        place.file(&format!("2025/again-{number}.csa"), text);
        chosen += usize::from(is_chosen);
    }
    std::os::unix::fs::symlink(scripted_engine(), place.path("YaneuraOu")).unwrap();
    let binaries = Path::new(env!("CARGO_BIN_EXE_komabako")).parent().unwrap();
    let script = blocks(&page("recipes.md")).join("\n");
    let path = format!("{}:{}", binaries.display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("sh");
    shell.args(["-e", "-x", "-c", &script]).env("PATH", path).env("LC_ALL", "C").current_dir(place.path(""));
    let ran = shell.output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));

    let report = |name: &str| -> Value {
        let manifest: Value = serde_json::from_slice(&fs::read(place.path(name)).unwrap()).unwrap();
        manifest["report"].clone()
    };
    let count = |name: &str| report(name)["written"].as_u64().unwrap();
    assert_eq!(report("2.json")["games"], chosen, "{:#}", report("1.json"));
    assert!((20..100).contains(&chosen));
    let counts: Vec<u64> = (2..9).map(|number| count(&format!("{number}.json"))).collect();
    // Each step leaves something, and steps 3 to 5 leave something out.
    assert!(counts[6] > 300 && counts[..4].is_sorted_by(|one, next| one > next), "{counts:?}");
    assert!(counts[3..5].is_sorted_by(|one, next| one == next), "{counts:?}");
    let not_quiet = ["filter", "train.kmb", "-", "--to", "psv", "--where", "not (quiet and ply > 24)"];
    let rest = program().current_dir(place.path("")).args(not_quiet).output().unwrap();
    assert!(rest.status.success() && rest.stdout.is_empty(), "{}", String::from_utf8_lossy(&rest.stderr));
    let diff = ["diff", "train.psv", "valid.psv", "--json"];
    let diff = program().current_dir(place.path("")).args(diff).output().unwrap();
    let diff: Value = serde_json::from_slice(&diff.stdout).unwrap();
    assert_eq!(diff["same"], 0, "{diff}");
    // The engine's scores are within ±1001, those of the games are not all.
    let stats = ["stats", place.path("r-train.kmb").to_str().unwrap(), "--json"].map(str::to_owned);
    let stats: Value = serde_json::from_str(&run(stats).ok()).unwrap();
    assert!(
        stats["scores"]["max"].as_i64().unwrap() <= 1001 && stats["records"].as_u64() > Some(300),
        "{stats}"
    );
    let card = fs::read_to_string(place.path("README.md")).unwrap();
    assert!(card.starts_with("---\nlicense: \"cc0-1.0\"\npretty_name: \"Floodgate 2025\"\n"), "{card}");
    assert!(
        card.contains("`train.kmb`") && card.contains("`valid.psv`") && card.contains("`2025`"),
        "{card}"
    );
}
