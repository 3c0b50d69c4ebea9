//! Every format gives the records that a conversion to PSV gives.

use komabako_dataset::convert;
use komabako_dataset::record::Psv;
use komabako_dataset::sample_check::MoveReading;
use komabako_dataset::{
    DatasetError, FileFormat, Input, Inputs, JobOptions, Output as FileOutput, RecordReader,
};
use komabako_loader::{LoaderError, OnBadRecord, Order, Plan, Record, Source};
use komabako_record::games;

use crate::common::{Files, epoch, numbered, small};

/// The records of an epoch, in order.
fn records(plan: &Plan) -> Vec<Record> {
    let mut loader = plan.start().unwrap();
    epoch(&mut loader).unwrap().iter().flat_map(|batch| batch.records.clone()).collect()
}

fn sorted(mut records: Vec<Record>) -> Vec<Record> {
    records.sort_unstable();
    records
}

/// The records of a file as a conversion to PSV gives them.
fn converted(files: &Files, path: &std::path::Path) -> Vec<Record> {
    let psv = files.path("converted.psv");
    let job = convert::Job::new(vec![Input::path(path)], FileOutput::path(psv.clone()));
    job.plan().unwrap().run(&mut ()).unwrap();
    let bytes = std::fs::read(&psv).unwrap();
    std::fs::remove_file(psv).unwrap();
    bytes.as_chunks().0.to_vec()
}

#[test]
fn files_with_places_of_records_come_in_any_order() {
    let files = Files::new();
    for name in ["a.psv", "a.hcpe", "a.compact32", "a.kmb"] {
        if name != "a.kmb" && FileFormat::from_extension(&name[2..]).is_none() {
            continue;
        }
        let path = files.convert(name, &numbered(1_500));
        let expected = sorted(converted(&files, &path));
        for order in [Order::Riffle, Order::File, Order::Stream] {
            let plan = Plan { order, ..small(vec![Source::new(&path)]) };
            assert_eq!(sorted(records(&plan)), expected, "{name} {order:?}");
        }
        let file = Plan { order: Order::File, ..small(vec![Source::new(&path)]) };
        assert_eq!(records(&file), converted(&files, &path), "{name}");
    }
}

#[test]
fn records_in_memory_come_as_from_a_file() {
    let files = Files::new();
    for name in ["a.psv", "a.hcpe"] {
        let path = files.convert(name, &numbered(1_500));
        let format = FileFormat::from_extension(&name[2..]);
        let mut bytes = std::fs::read(&path).unwrap();
        // Not a whole record.
        bytes.push(0);
        let in_memory = Source { records: Some(bytes.into()), format, ..Source::new("array 0") };
        for order in [Order::Riffle, Order::File, Order::Stream, Order::Uniform] {
            let of_file = Plan { order, ..small(vec![Source::new(&path)]) };
            let of_memory = Plan { order, ..small(vec![in_memory.clone()]) };
            assert_eq!(records(&of_memory), records(&of_file), "{name} {order:?}");
        }
        let weighted = |first: &Source| {
            let sources = vec![first.clone().weight(3), Source::new(&path).weight(1)];
            Plan { epoch_records: Some(800), ..small(sources) }
        };
        assert_eq!(records(&weighted(&in_memory)), records(&weighted(&Source::new(&path))), "{name}");
    }
    let games = Source {
        records: Some(decisive_games().into()),
        format: Some(FileFormat::Hcpe3),
        ..Source::new("array 0")
    };
    assert!(matches!(small(vec![games]).start(), Err(LoaderError::NoRandomAccess(_))));
}

#[test]
fn compressed_and_text_files_are_read_from_their_start() {
    let files = Files::new();
    for name in ["a.psv.zst", "a.hcpe.gz", "a.sfen", "a.jsonl.xz", "a.csv"] {
        let path = files.convert(name, &numbered(1_000));
        let expected = converted(&files, &path);
        let plan = Plan { order: Order::File, ..small(vec![Source::new(&path)]) };
        assert_eq!(records(&plan), expected, "{name}");
        let stream = Plan { order: Order::Stream, ..plan.clone() };
        let mixed = records(&stream);
        assert_ne!(mixed, expected);
        assert_eq!(sorted(mixed), sorted(expected), "{name}");
        for order in [Order::Riffle, Order::Uniform] {
            let refused = Plan { order, ..plan.clone() }.start().map(drop).unwrap_err();
            assert!(
                matches!(&refused, LoaderError::NoRandomAccess(name) if **name == *path.display().to_string())
            );
            assert!(refused.to_string().contains("convert it to .kmb"));
        }
    }
    // The same order as the file that is not compressed.
    let plain = Plan { order: Order::Stream, ..small(vec![Source::new(files.path("a.psv.zst.psv"))]) };
    let compressed = Plan { order: Order::Stream, ..small(vec![Source::new(files.path("a.psv.zst"))]) };
    assert_eq!(records(&plain), records(&compressed));
}

/// Two games in hcpe3, one won by Black, one by White, of the moves 7g7f 3c3d …
pub fn decisive_games() -> Vec<u8> {
    let moves = ["7g7f", "3c3d", "2g2f", "8c8d", "2f2e", "8d8e", "6i7h"];
    let mut bytes = Vec::new();
    for (winner, count) in [(1, 7), (2, 6)] {
        let start = komabako_variants::WordFormat::Hcp.pack(&komabako_board::Setup::START).unwrap();
        bytes.extend_from_slice(&start);
        bytes.extend_from_slice(&(count as u16).to_le_bytes());
        bytes.extend_from_slice(&[winner, 0]);
        for (number, text) in (0_u16..).zip(&moves[..count]) {
            let mv: komabako_rules::Move16 = text.parse().unwrap();
            let bits = komabako_rules::move16::MoveEncoding::Apery.encode(mv).unwrap();
            bytes.extend_from_slice(&bits.to_le_bytes());
            bytes.extend_from_slice(&(10 * number).to_le_bytes());
            bytes.extend_from_slice(&1_u16.to_le_bytes());
            bytes.extend_from_slice(&bits.to_le_bytes());
            bytes.extend_from_slice(&100_u16.to_le_bytes());
        }
    }
    bytes
}

#[test]
fn results_of_games_are_those_of_the_side_to_move() {
    let files = Files::new();
    let path = files.write("a.hcpe3", &decisive_games());
    let plan = Plan { order: Order::File, ..small(vec![Source::new(&path)]) };
    let found = records(&plan);
    assert_eq!(found, converted(&files, &path));
    let results: Vec<i8> = found.iter().map(|record| Psv::from_bytes(record).result).collect();
    assert_eq!(results, [1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1]);
    let bytes = std::fs::read(&path).unwrap();
    let games: Vec<_> = games::records(FileFormat::Hcpe3, &bytes).map(Result::unwrap).collect();
    assert_eq!(games.len(), 7);
}

#[test]
fn games_are_read_in_blocks_of_whole_games() {
    let files = Files::new();
    let bytes = decisive_games().repeat(40);
    let path = files.write("a.hcpe3", &bytes);
    let inputs = Inputs::examine(vec![Input::path(&path)], None, false).unwrap();
    let file = inputs.sources()[0].block_file(64).unwrap().unwrap();
    assert_eq!((file.records(), file.blocks()), (520, 8));
    // 5 times both games are 65 records.
    assert_eq!((file.records_of(0), file.first_record(7)), (65, 455));
    let expected = converted(&files, &path);
    let file = Plan { order: Order::File, ..small(vec![Source::new(&path)]) };
    assert_eq!(records(&file), expected);
    let riffle = small(vec![Source::new(&path)]);
    assert_eq!(sorted(records(&riffle)), sorted(expected.clone()));
    // The records that a selection of whole games sees.
    let select = crate::selection::where_("plies_left == 1");
    let last = records(&Plan { order: Order::File, select, ..riffle });
    assert_eq!(last.len(), 80);
    assert_eq!(last[0], expected[6]);
}

#[test]
fn moves_that_repeat_a_position_are_left_out() {
    let files = Files::new();
    let start = komabako_variants::WordFormat::Hcp.pack(&komabako_board::Setup::START).unwrap();
    let moves = ["5i5h", "5a5b", "5h5i", "5b5a", "5i5h", "5a5b"];
    let mut bytes = start.to_vec();
    bytes.extend_from_slice(&[6, 0, 0, 0]);
    for text in moves {
        let mv: komabako_rules::Move16 = text.parse().unwrap();
        let bits = komabako_rules::move16::MoveEncoding::Apery.encode(mv).unwrap();
        bytes.extend_from_slice(&bits.to_le_bytes());
        bytes.extend_from_slice(&[0, 0, 0, 0]);
    }
    let path = files.write("a.hcpe3", &bytes);
    let source = Source { skip_repetition: true, ..Source::new(&path) };
    let plan = Plan { order: Order::File, ..small(vec![source]) };
    let plies: Vec<u16> = records(&plan).iter().map(|record| Psv::from_bytes(record).ply).collect();
    // 5b5a leads to the start position, and those after it to positions that followed it.
    assert_eq!(plies, [1, 2, 3]);
}

#[test]
fn moves_and_scores_are_read_as_asked() {
    let files = Files::new();
    let path = files.write("a.psv", numbered(300).as_flattened());
    let source = Source { score_scale: Some(0.5), ..Source::new(&path) };
    let halved = records(&Plan { order: Order::File, ..small(vec![source]) });
    for (record, original) in halved.iter().zip(numbered(300)) {
        let original = Psv::from_bytes(&original);
        let rescale = convert::Rescale { scale: 0.5, clamp: None, mate: None };
        let expected = Psv { score: rescale.apply(original.score).0, ..original };
        assert_eq!(*record, expected.to_bytes());
    }
    // Bits of Apery's encoding in a PSV file, as some programs write them.
    let apery = komabako_rules::move16::MoveEncoding::Apery;
    let mut wrong = numbered(300);
    for record in &mut wrong {
        let mut psv = Psv::from_bytes(record);
        psv.best_move = apery.encode(komabako_rules::Move16::from_bits(psv.best_move)).unwrap();
        *record = psv.to_bytes();
    }
    let path = files.write("b.psv", wrong.as_flattened());
    let source = Source { moves: Some(apery), ..Source::new(&path) };
    assert_eq!(records(&Plan { order: Order::File, ..small(vec![source]) }), numbered(300));
    // Without that they would be other moves, legal or not: no order reads them, nor an archive of them.
    let archive = files.path("b.kmb");
    let job = convert::Job {
        copy: true,
        options: JobOptions { moves: MoveReading::AsIs, ..JobOptions::default() },
        ..convert::Job::new(vec![Input::path(&path)], FileOutput::path(archive.clone()))
    };
    job.plan().unwrap().run(&mut ()).unwrap();
    for path in [&path, &archive] {
        for order in [Order::File, Order::Stream, Order::Riffle] {
            let sources = vec![Source::new(files.path("a.psv")), Source::new(path)];
            let error = Plan { order, ..small(sources) }.start().err().unwrap();
            assert!(matches!(&error, LoaderError::Source(DatasetError::Mismatch(_))), "{error:?}");
        }
    }
}

/// The reader of the program gives the same blocks.
#[test]
fn blocks_of_an_archive_are_its_own() {
    let files = Files::new();
    let path = files.convert("a.kmb", &numbered(3_000));
    let inputs = Inputs::examine(vec![Input::path(&path)], None, false).unwrap();
    let source = &inputs.sources()[0];
    let file = source.block_file(64).unwrap().unwrap();
    assert_eq!(file.records(), 3_000);
    let mut reader: RecordReader<_> = source.read_again().unwrap();
    let mut block = komabako_dataset::Block::default();
    let mut streamed = Vec::new();
    while reader.next_block(&mut block).unwrap() {
        streamed.extend_from_slice(block.bytes());
    }
    let mut buffer = Vec::new();
    let mut found = Vec::new();
    for number in 0..file.blocks() {
        file.read_block(number, &mut buffer, &mut block).unwrap();
        assert_eq!(block.len() as u64, file.records_of(number));
        assert_eq!(block.first_record(), file.first_record(number));
        found.extend_from_slice(block.bytes());
    }
    assert_eq!(found, streamed);
    assert_eq!(found, numbered(3_000).as_flattened());
}

#[test]
fn visits_are_probabilities_of_classes() {
    use komabako_board::Color;
    use komabako_features::label;
    use komabako_loader::error::PolicyFault;
    use komabako_loader::{Output, Policy, PolicyLayout};

    // 2g2f with three visits and 7g7f with one; the move after it has no candidates, and is not for training.
    let files = Files::new();
    let start = komabako_variants::WordFormat::Hcp.pack(&komabako_board::Setup::START).unwrap();
    let bits = |text: &str| {
        let mv: komabako_rules::Move16 = text.parse().unwrap();
        komabako_rules::move16::MoveEncoding::Apery.encode(mv).unwrap().to_le_bytes()
    };
    let class = |text: &str| label::label(text.parse().unwrap(), Color::Black).unwrap();
    let mut game = start.to_vec();
    game.extend_from_slice(&[2, 0, 1, 0]);
    game.extend_from_slice(&bits("2g2f"));
    game.extend_from_slice(&[0, 0, 2, 0]);
    for (text, visits) in [("2g2f", 3), ("7g7f", 1)] {
        game.extend_from_slice(&bits(text));
        game.extend_from_slice(&[visits, 0]);
    }
    game.extend_from_slice(&bits("3c3d"));
    game.extend_from_slice(&[0, 0, 0, 0]);
    let path = files.write("a.hcpe3", &game.repeat(100));
    let compressed = files.path("a.hcpe3.zst");
    let job = convert::Job::new(vec![Input::path(&path)], FileOutput::path(compressed.clone()));
    job.plan().unwrap().run(&mut ()).unwrap();
    let plan = |path: &std::path::Path, order, layout| {
        let policy = Some(Policy::Visits { temperature: 1.0, layout });
        Plan { order, output: Output { policy, ..Output::none() }, ..small(vec![Source::new(path)]) }
    };
    for (path, order) in [(&path, Order::Riffle), (&path, Order::File), (&compressed, Order::Stream)] {
        let mut records = 0;
        for batch in epoch(&mut plan(path, order, PolicyLayout::Csr).start().unwrap()).unwrap() {
            records += batch.len();
            assert_eq!(batch.class_offsets.len(), batch.len() + 1);
            for number in 0..batch.len() {
                let range = batch.class_offsets[number] as usize..batch.class_offsets[number + 1] as usize;
                assert_eq!(batch.classes[range.clone()], [class("2g2f") as i16, class("7g7f") as i16]);
                assert_eq!(batch.probabilities[range], [0.75, 0.25]);
            }
        }
        assert_eq!(records, 100);
        for batch in epoch(&mut plan(path, order, PolicyLayout::Dense).start().unwrap()).unwrap() {
            for row in batch.probabilities.chunks(label::LABELS) {
                assert_eq!(row[usize::from(class("2g2f"))], 0.75);
                assert_eq!(row.iter().sum::<f32>(), 1.0);
            }
        }
    }
    // Several candidates without visits have no shares.
    let mut unvisited = game.clone();
    unvisited[44] = 0;
    unvisited[48] = 0;
    let mut games = game.repeat(100);
    games.splice(30 * game.len()..31 * game.len(), unvisited);
    let bad = files.write("bad.hcpe3", &games);
    for layout in [PolicyLayout::Csr, PolicyLayout::Dense] {
        let plan = |on_bad_record| Plan { on_bad_record, ..plan(&bad, Order::File, layout) };
        let error = epoch(&mut plan(OnBadRecord::Raise).start().unwrap()).unwrap_err();
        let LoaderError::BadRecord(error) = error else { panic!("{error}") };
        assert_eq!((error.record, error.fault.name()), (60, "NO_VISITS"));
        let mut loader = plan(OnBadRecord::Skip).start().unwrap();
        assert_eq!(epoch(&mut loader).unwrap().iter().map(|batch| batch.len()).sum::<usize>(), 99);
        assert_eq!(loader.counts().bad, 1);
        let batches = epoch(&mut plan(OnBadRecord::Weight0).start().unwrap()).unwrap();
        let weights: Vec<f32> = batches.iter().flat_map(|batch| batch.weights.clone()).collect();
        assert_eq!((weights.len(), weights.iter().sum::<f32>(), weights[30]), (100, 99.0, 0.0));
        let shares: f32 = batches.iter().flat_map(|batch| batch.probabilities.clone()).sum();
        assert_eq!(shares, 99.0);
    }
    // Without a policy those positions are kept for their values.
    assert_eq!(records(&Plan { order: Order::File, ..small(vec![Source::new(&path)]) }).len(), 200);
    let psv = files.write("b.psv", numbered(10).as_flattened());
    let refused = plan(&psv, Order::File, PolicyLayout::Csr).start().map(drop).unwrap_err();
    assert!(matches!(refused, LoaderError::Policy(PolicyFault::Missing(_))));
}
