//! What the fuzz target `replay` of `fuzz/` runs, so that `cargo test` replays its kept inputs.

use komabako_dataset::convert::{Job, OnError};
use komabako_dataset::games::check;
use komabako_dataset::{
    Block, Compression, DatasetError, FileFormat, Input, Output, Record, RecordFault, RecordReader,
};

/// Any bytes as games: every record is read or refused, a game that is refused is found by the check of games, and the good
/// records make games that are read as the same records.
///
/// # Panics
/// If not.
pub fn replay(input: &[u8]) {
    // A stream that begins as compressed data do is taken for such.
    if Compression::from_magic(input) != Compression::None {
        return;
    }
    for format in [FileFormat::Pack, FileFormat::Hcpe3] {
        let (good, _) = records(format, input);
        let mut written = Vec::new();
        let stream = Input::Stream("input".into(), Box::new(input));
        let mut job = Job::new(vec![stream], Output::Stream("output".into(), Box::new(&mut written)));
        job.from = Some(format);
        job.to = Some(format);
        job.threads = 1;
        job.on_error = OnError::Skip;
        job.salvage = true;
        let plan = match job.plan() {
            // A stream that begins as an archive or the like does is refused as such.
            Err(DatasetError::Unsupported { .. }) => return,
            plan => plan.expect("streams need no looking at"),
        };
        let summary = plan.run(&mut ()).expect("memory holds it");
        assert_eq!(summary.written, good.len() as u64, "{format}");
        let (again, refused) = records(format, &written);
        assert_eq!(refused, 0, "{format}");
        let said = |records: &[Record]| records.iter().map(said).collect::<Vec<_>>();
        assert_eq!(said(&again), said(&good), "{format}");
    }
}

/// A record but for what a game that is written may change: why it ended, and of hcpe3 the ply, counted from its start.
fn said(record: &Record) -> Record {
    let mut record = *record;
    record.labels.extras = Default::default();
    record.labels.ply = None;
    record
}

/// The good records and the number of others.
fn records(format: FileFormat, bytes: &[u8]) -> (Vec<Record>, usize) {
    let mut reader = RecordReader::new(bytes, format, "input");
    let (mut good, mut refused) = (Vec::new(), 0);
    let mut block = Block::default();
    // An error is the end of a stream that is no game.
    while reader.next_block(&mut block).is_ok_and(|is_some| is_some) {
        let findings = check(format, &block);
        for index in 0..block.len() {
            let place = block.place(index).expect("a format of games");
            match block.decode(format, index) {
                Ok(record) => good.push(record),
                Err(RecordFault::Game(fault)) => {
                    assert_eq!(fault.place, place);
                    assert!(findings.iter().any(|finding| finding.game == place.game), "{fault}");
                    refused += 1;
                }
                Err(fault) => {
                    assert_eq!(fault, RecordFault::Unreached);
                    refused += 1;
                }
            }
        }
    }
    (good, refused)
}
