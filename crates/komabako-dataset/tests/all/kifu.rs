//! Game records in text, converted to training records.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use komabako_board::sfen;
use komabako_dataset::kifu::{
    BadGame, Job, MissingScore, OnBadGame, PositionOptions, Sources, Unfinished, records_of_game,
};
use komabako_dataset::record::{Hcpe, Psv};
use komabako_dataset::{DatasetError, FileFormat, GameResult, Input, Output, Record, convert};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../komabako-kifu/tests/data").join(name)
}

fn floodgate() -> Vec<PathBuf> {
    (0..4).map(|index| data(&format!("floodgate_{index}.csa"))).collect()
}

fn records(bytes: &[u8], format: FileFormat) -> Vec<Record> {
    let size = format.record_size().unwrap();
    bytes.chunks(size).map(|record| format.decode(record).unwrap()).collect()
}

/// A row of the table: file, position, ply, move, score, winner.
struct Row {
    sfen: sfen::Sfen,
    mv: String,
    score: Option<i16>,
    result: Option<GameResult>,
}

fn table() -> Vec<Row> {
    let text = fs::read_to_string(data("floodgate.tsv")).unwrap();
    let row = |line: &str| {
        let fields: Vec<_> = line.split('\t').collect();
        Row {
            sfen: sfen::parse(fields[2]).unwrap(),
            mv: fields[3].to_owned(),
            score: fields[4].parse::<i64>().ok().map(|score| score.clamp(-32_000, 32_000) as i16),
            result: match fields[5] {
                "b" => Some(GameResult::BlackWin),
                "w" => Some(GameResult::WhiteWin),
                "draw" => Some(GameResult::Draw),
                _ => None,
            },
        }
    };
    text.lines().skip(1).map(row).collect()
}

#[test]
fn floodgate_games_match_the_expected_table() {
    let directory = tempfile::tempdir().unwrap();
    for (format, name) in [(FileFormat::Psv, "out.psv"), (FileFormat::Hcpe, "out.hcpe")] {
        for missing in [MissingScore::Skip, MissingScore::Value(7)] {
            for unfinished in [Unfinished::Skip, Unfinished::Draw] {
                for threads in [1, 3] {
                    let positions = PositionOptions { missing, unfinished, ..PositionOptions::default() };
                    let path = directory.path().join(name);
                    let job =
                        Job { positions, threads, force: true, ..Job::new(floodgate(), Output::path(&path)) };
                    let summary = job.run(&mut ()).unwrap();
                    let written = records(&fs::read(&path).unwrap(), format);
                    let rows = table();
                    let expected = rows.iter().filter(|row| {
                        let has_result = row.result.is_some() || unfinished == Unfinished::Draw;
                        let has_score = row.score.is_some() || missing != MissingScore::Skip;
                        has_result && has_score
                    });
                    let mut count = 0;
                    for (row, record) in expected.zip(&written) {
                        count += 1;
                        assert_eq!(record.setup, row.sfen.setup, "{}", row.sfen);
                        assert_eq!(record.labels.score, Some(row.score.unwrap_or(7)), "{}", row.sfen);
                        assert_eq!(record.labels.result, Some(row.result.unwrap_or(GameResult::Draw)));
                        let mv = record.labels.best_move.unwrap().decode().unwrap();
                        assert_eq!(mv.to_string(), row.mv, "{}", row.sfen);
                        if format == FileFormat::Psv {
                            assert_eq!(record.labels.ply, row.sfen.ply);
                        }
                    }
                    assert_eq!(count, written.len());
                    assert_eq!(summary.records, written.len() as u64);
                    assert!(count > 100, "{count}");
                    assert_eq!((summary.games, summary.bad), (4, 0));
                }
            }
        }
    }
    assert_eq!((size_of::<Psv>(), size_of::<Hcpe>()), (40, 38));
}

#[test]
fn broken_game_is_named_and_the_others_are_written_in_order() {
    let directory = tempfile::tempdir().unwrap();
    let folder = directory.path().join("games/deep");
    fs::create_dir_all(&folder).unwrap();
    let good = "V2.2\nPI\n+\n+7776FU\n'** 30\n-3334FU\n'** -20\n%TORYO\n";
    for number in 0..200 {
        let text = if number == 37 { good.replace("-3334FU", "-3335FU") } else { good.to_owned() };
        let folder = if number % 2 == 0 { &folder } else { folder.parent().unwrap() };
        fs::write(folder.join(format!("{number:03}.csa")), text).unwrap();
    }
    fs::write(folder.join("notes.txt"), "no game").unwrap();
    let archive = directory.path().join("a.zip");
    let mut zip = ZipWriter::new(File::create(&archive).unwrap());
    for (name, text) in [
        ("z.csa", good),
        ("b.csa", "V2.2\nPI\n+\n+7776FU\n-3334XX\n"),
        ("sub/c.kif", "   1 ７六歩(77)\n   2 投了\n"),
    ] {
        zip.start_file(name, SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap();

    let run = |threads, on_bad_game, name: &str| {
        let output = directory.path().join(name);
        let job = Job {
            recursive: true,
            threads,
            on_bad_game,
            positions: PositionOptions { missing: MissingScore::Value(0), ..PositionOptions::default() },
            ..Job::new(vec![directory.path().join("games"), archive.clone()], Output::path(&output))
        };
        (job.run(&mut ()), output)
    };
    let (summary, one) = run(1, OnBadGame::Skip, "one.psv");
    let summary = summary.unwrap();
    assert_eq!((summary.files, summary.games, summary.bad), (203, 201, 2));
    assert_eq!(summary.records, 199 * 2 + 1 + 2);
    let named: Vec<String> = summary.samples.iter().map(ToString::to_string).collect();
    assert!(named[0].contains("037.csa: line 6, column 1: "), "{named:?}");
    assert!(named[1].contains("a.zip!b.csa: line 5, column 6: "), "{named:?}");
    let (summary, four) = run(4, OnBadGame::Skip, "four.psv");
    assert_eq!(summary.unwrap().bad, 2);
    assert_eq!(fs::read(one).unwrap(), fs::read(four).unwrap());

    let list = directory.path().join("bad.tsv");
    let (summary, listed) = run(2, OnBadGame::List(list.clone()), "listed.psv");
    assert_eq!(summary.unwrap().bad, 2);
    assert_eq!(fs::metadata(listed).unwrap().len(), 40 * (199 * 2 + 1 + 2));
    let rows = fs::read_to_string(&list).unwrap();
    let rows: Vec<Vec<&str>> = rows.lines().map(|row| row.split('\t').collect()).collect();
    assert_eq!(rows[0], ["input", "line", "column", "fault", "message"]);
    assert_eq!((rows.len(), &rows[1][1..4]), (3, &["6", "1", "ILLEGAL_MOVE"][..]));
    assert!(rows[2][0].ends_with("a.zip!b.csa"), "{rows:?}");
    let (refused, output) = run(2, OnBadGame::List(list), "refused.psv");
    assert!(matches!(refused, Err(DatasetError::Exists(_))), "the list is there already");
    assert!(!output.exists());

    let (stopped, output) = run(2, OnBadGame::Stop, "none.psv");
    let error = stopped.unwrap_err();
    assert!(error.of_job::<BadGame>().is_some_and(|game| game.input.ends_with("037.csa")));
    assert!(!output.exists());
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 6, "no temporary file is left");
}

#[test]
fn a_hundred_thousand_games_in_one_file_are_read_one_by_one() {
    const GAMES: u64 = 100_000;
    let directory = tempfile::tempdir().unwrap();
    let input = directory.path().join("many.csa");
    let mut text = "V2.2\nPI\n+\n+7776FU\n%TORYO\n/\n".repeat(GAMES as usize - 1);
    text.push_str("V2.2\nPI\n+\n+7775FU\n%TORYO\n");
    fs::write(&input, text).unwrap();
    let output = directory.path().join("out.psv");
    let job = Job {
        positions: PositionOptions { missing: MissingScore::Value(0), ..PositionOptions::default() },
        ..Job::new(vec![input], Output::path(&output))
    };
    let summary = job.run(&mut ()).unwrap();
    assert_eq!((summary.games, summary.records, summary.bad), (GAMES - 1, GAMES - 1, 1));
    assert!(summary.samples[0].to_string().contains("line 599998, column 1: "), "{}", summary.samples[0]);
    assert_eq!(fs::metadata(output).unwrap().len(), 40 * (GAMES - 1));
}

#[test]
fn formats_of_games_keep_whole_games() {
    let directory = tempfile::tempdir().unwrap();
    for name in ["out.hcpe3", "out.pack"] {
        let path = directory.path().join(name);
        let job = Job {
            positions: PositionOptions { unfinished: Unfinished::Draw, ..PositionOptions::default() },
            ..Job::new(floodgate(), Output::path(&path))
        };
        let summary = job.run(&mut ()).unwrap();
        assert_eq!(summary.games_written, 4, "{name}");
        assert_eq!(summary.records, table().len() as u64, "{name}");
        assert!(fs::metadata(&path).unwrap().len() > 500, "{name}");
    }
}

/// One path from games to text leads through records, the other does not.
#[test]
fn text_of_games_equals_the_text_of_their_records() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    let job = |output: &Path| Job {
        positions: PositionOptions { missing: MissingScore::Value(7), ..PositionOptions::default() },
        ..Job::new(floodgate(), Output::path(output))
    };
    job(&path("out.psv")).run(&mut ()).unwrap();
    let mut formats = 0;
    for &format in FileFormat::ALL.iter().filter(|format| format.is_text() && format.can_write()) {
        let outputs = [path(&format!("games.{format}")), path(&format!("records.{format}"))];
        Job { to: Some(format), ..job(&outputs[0]) }.run(&mut ()).unwrap();
        let inputs = vec![Input::path(path("out.psv"))];
        convert::Job { to: Some(format), ..convert::Job::new(inputs, Output::path(&outputs[1])) }
            .plan()
            .and_then(|plan| plan.run(&mut ()))
            .unwrap();
        let [games, records] = outputs.map(|output| fs::read_to_string(output).unwrap());
        assert!(games.lines().count() > 100, "{format}");
        assert_eq!(games, records, "{format}");
        formats += 1;
    }
    assert!(formats >= 5, "{formats}");
}

#[test]
fn output_stays_as_it_was_if_no_game_can_be_read() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    fs::write(path("bad.kif"), "   1 ７七歩(77)\n").unwrap();
    fs::create_dir(path("empty")).unwrap();
    for (old, name) in [(Some("old"), "old.psv"), (None, "new.csv"), (Some("old"), "old.hcpe3")] {
        let output = path(name);
        if let Some(old) = old {
            fs::write(&output, old).unwrap();
        }
        for (input, bad) in [("bad.kif", 1), ("empty", 0)] {
            let job =
                Job { force: true, recursive: true, ..Job::new(vec![path(input)], Output::path(&output)) };
            let summary = job.run(&mut ()).unwrap();
            assert_eq!((summary.games, summary.bad, summary.has_output), (0, bad, false), "{name}");
            assert_eq!(fs::read_to_string(&output).ok().as_deref(), old, "{name}");
        }
    }
    // The list of bad games is written nevertheless.
    let list = OnBadGame::List(path("bad.tsv"));
    let job = Job { on_bad_game: list, ..Job::new(vec![path("bad.kif")], Output::path(path("none.psv"))) };
    assert!(!job.run(&mut ()).unwrap().has_output && path("bad.tsv").exists() && !path("none.psv").exists());
}

#[test]
fn found_files_are_not_replaced_by_the_output() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    let game = "startpos moves 7g7f resign\n";
    fs::write(path("a.usi"), game).unwrap();
    let sources = Sources::find(&[directory.path().to_owned()], true).unwrap();
    let inputs = sources.input_files();
    assert!(inputs.check_output(&path("b.usi")).is_ok());
    let other = directory.path().join(".").join("a.usi");
    assert!(matches!(inputs.check_output(&other), Err(DatasetError::SameFile(known)) if known == other));
    // A format's usual name may be that of game records, too.
    fs::write(path("out.json"), "old").unwrap();
    let job = Job {
        recursive: true,
        force: true,
        to: Some(FileFormat::Jsonl),
        ..Job::new(vec![directory.path().to_owned()], Output::path(path("out.json")))
    };
    assert!(matches!(job.run(&mut ()), Err(DatasetError::SameFile(known)) if known == path("out.json")));
    assert_eq!(fs::read_to_string(path("out.json")).unwrap(), "old");
}

#[test]
fn compressed_files_are_read_of_any_size() {
    let directory = tempfile::tempdir().unwrap();
    let text = fs::read(data("floodgate_0.csa")).unwrap();
    let gz = directory.path().join("a.csa.gz");
    let mut encoder = flate2::write::GzEncoder::new(File::create(&gz).unwrap(), flate2::Compression::fast());
    encoder.write_all(&text).unwrap();
    encoder.finish().unwrap();
    let blank = directory.path().join("blank.zip");
    let mut zip = ZipWriter::new(File::create(&blank).unwrap());
    zip.start_file("big.csa", SimpleFileOptions::default()).unwrap();
    let zeros = vec![b'\n'; 1 << 20];
    zip.write_all(&zeros).unwrap();
    zip.finish().unwrap();
    let output = directory.path().join("out.psv");
    let positions = PositionOptions { unfinished: Unfinished::Draw, ..PositionOptions::default() };
    let job = Job { positions, ..Job::new(vec![blank, gz], Output::path(&output)) };
    let summary = job.run(&mut ()).unwrap();
    assert_eq!((summary.games, summary.bad), (1, 1));
    assert_eq!(summary.samples[0].fault.name(), "EMPTY", "there is no game in it");
    assert!(summary.samples[0].input.ends_with("blank.zip!big.csa"));
}

#[test]
fn variations_become_records_once_on_request() {
    let directory = tempfile::tempdir().unwrap();
    let run = |variations, name: &str| {
        let path = directory.path().join(name);
        let unfinished = Unfinished::Draw;
        let missing = MissingScore::Value(0);
        let positions = PositionOptions { variations, missing, unfinished, ..PositionOptions::default() };
        let job = Job { positions, ..Job::new(vec![data("000.kifu")], Output::path(path)) };
        job.run(&mut ()).unwrap()
    };
    assert_eq!(run(false, "a.psv").records, 37);
    let all = run(true, "b.psv");
    assert_eq!((all.records, all.variations), (37 + 2 + 4 + 7, 3));
}

/// Each line is finished or not by itself; what it shares with the main line has the main line's result.
#[test]
fn variations_have_their_own_results() {
    let main = "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n";
    let results = |text: &str, unfinished| {
        let game = komabako_kifu::read(text.as_bytes(), None).unwrap().remove(0).record;
        let missing = MissingScore::Value(0);
        let options = PositionOptions { variations: true, missing, unfinished, ..PositionOptions::default() };
        let records = records_of_game(&game, &options);
        records.iter().map(|(ply, record)| (*ply, record.labels.result.unwrap())).collect::<Vec<_>>()
    };
    use GameResult::{BlackWin, Draw, WhiteWin};
    let open = format!("{main}   3 投了\n\n変化：2手\n   2 ８四歩(83)\n");
    assert_eq!(results(&open, Unfinished::Skip), [(1, WhiteWin), (2, WhiteWin)]);
    assert_eq!(results(&open, Unfinished::Draw), [(1, WhiteWin), (2, WhiteWin), (2, Draw)]);
    let ended = format!("{main}\n変化：2手\n   2 ８四歩(83)\n   3 ２六歩(27)\n   4 投了\n");
    assert_eq!(results(&ended, Unfinished::Skip), [(2, BlackWin), (3, BlackWin)]);
    assert_eq!(results(&ended, Unfinished::Draw), [(1, Draw), (2, Draw), (2, BlackWin), (3, BlackWin)]);
}

#[test]
fn games_in_sfen_files_are_found_in_folders() {
    let directory = tempfile::tempdir().unwrap();
    let files = [
        ("a.sfen", "startpos moves 7g7f\n"),
        ("b.sfen", "4k4/9/9/9/9/9/9/9/4K4 b 2G 1\n"),
        ("c.sfen", "\nposition startpos\n"),
        ("d.sfen", "sfen 4k4/9/9/9/9/9/9/9/4K4 b 2G 1 moves G*5b\r\n"),
    ];
    for (name, text) in files {
        fs::write(directory.path().join(name), text).unwrap();
    }
    let found = Sources::find(&[directory.path().to_owned()], true).unwrap();
    let names: Vec<_> = found.paths().map(|path| path.file_name().unwrap().to_owned()).collect();
    assert_eq!(names, ["a.sfen", "c.sfen", "d.sfen"]);
}

#[test]
fn games_without_moves_are_counted() {
    let directory = tempfile::tempdir().unwrap();
    let input = directory.path().join("a.usi");
    fs::write(&input, "startpos resign\nstartpos moves 7g7f resign\nstartpos\n").unwrap();
    for name in ["a.hcpe3", "a.pack", "a.psv"] {
        let positions = PositionOptions { missing: MissingScore::Value(0), ..PositionOptions::default() };
        let output = Output::path(directory.path().join(name));
        let summary = Job { positions, ..Job::new(vec![input.clone()], output) }.run(&mut ()).unwrap();
        let counts = [summary.games, summary.records, summary.without_moves, summary.unfinished];
        assert_eq!(counts, [3, 1, 1, 1], "{name}");
    }
}

/// Files of servers: the result is in the server's summary, and `AobaZero`'s searches are in comments after a comma.
#[test]
fn results_of_servers_and_visits_of_searches_reach_the_records() {
    let directory = tempfile::tempdir().unwrap();
    let input = directory.path().join("games.csa");
    let write = |lines: &str| {
        let moves =
            "+6978KI,'v=0.545,800,6978KI,500,2726FU,300\n-3334FU,'v=0.455,800,3334FU,700,8384FU,70000\n";
        fs::write(&input, format!("V2.2\nN+A\nN-B\nPI\n+\n{moves}{lines}")).unwrap();
    };
    let convert = |name: &str| {
        let output = directory.path().join(name);
        let job = Job { force: true, ..Job::new(vec![input.clone()], Output::path(&output)) };
        (job.run(&mut ()).unwrap(), fs::read(output).unwrap())
    };
    for (lines, results) in [
        ("%TORYO\n", ["-1", "1"]),
        // A refused declaration loses.
        ("%KACHI\n'summary:illegal kachi:A lose:B win\n", ["-1", "1"]),
        ("%KACHI\n'summary:kachi:A win:B lose\n", ["1", "-1"]),
        ("'summary:max_moves:A draw:B draw\n", ["0", "0"]),
        ("'summary:time up:A lose:B win\n", ["-1", "1"]),
        ("%TORYO\n'summary:abnormal:A win:B lose\n", ["1", "-1"]),
    ] {
        write(lines);
        let (summary, text) = convert("out.tsv");
        assert_eq!((summary.records, summary.scores, summary.unfinished), (2, 2, 0), "{lines}");
        let text = String::from_utf8(text).unwrap();
        let heading: Vec<_> = text.lines().next().unwrap().split('\t').collect();
        let column = |name: &str| heading.iter().position(|known| *known == name).unwrap();
        let rows = text.lines().skip(1).map(|row| row.split('\t').collect::<Vec<_>>());
        let found: Vec<_> =
            rows.map(|row| (row[column("score")].to_owned(), row[column("result")].to_owned())).collect();
        let expected = [("108", results[0]), ("-108", results[1])].map(|(a, b)| (a.to_owned(), b.to_owned()));
        assert_eq!(found, expected, "{lines}");
    }
    write("%TORYO\n");
    let (_, bytes) = convert("out.hcpe3");
    // After the position: 2 moves, White won, self-play; then each move, its score, and its candidates.
    let words: Vec<_> = bytes[32..].chunks_exact(2).map(|two| u16::from_le_bytes([two[0], two[1]])).collect();
    let [2, 2, gold, 108, 2, first, 500, _, 300, pawn, score, 2, second, 700, _, u16::MAX] = words[..] else {
        panic!("{words:?}")
    };
    assert_eq!((first, second, score.cast_signed()), (gold, pawn, -108));
}
