//! Buckets agree with known answers, and progress with its definition.

use komabako_board::{Color, Setup, sfen};
use komabako_features::bucket::{Buckets, PROGRESS_WEIGHTS, ProgressTable};
use komabako_features::nnue::{FeatureSet, Missing, has_both_kings, kings};
use komabako_features::turn::flipped;
use komabako_testkit::setups::{self, Rng};

const KNOWN: &str = include_str!("../data/buckets.tsv");
const POSITIONS: &str = include_str!("../data/features.tsv");

fn position(id: &str) -> Setup {
    let mut lines = POSITIONS.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let cells = lines.find(|cells| cells[0] == id).unwrap();
    sfen::parse(cells[1]).unwrap().setup
}

#[test]
fn buckets_equal_known_answers() {
    let names: Vec<&str> = KNOWN.lines().next().unwrap().split('\t').collect();
    let mut count = 0;
    for line in KNOWN.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let setup = position(cells[0]);
        assert_eq!(setup.side_to_move() == Color::Black, cells[1] == "b");
        for (name, expected) in names.iter().zip(&cells).skip(2) {
            let buckets: Buckets = name.parse().unwrap();
            let index = buckets.indexer(None).unwrap().index(&setup).unwrap();
            assert_eq!(index.to_string(), **expected, "{name}: {line}");
            assert!(index < buckets.count());
            count += 1;
        }
    }
    assert_eq!((names.len(), count), (16, 280));
}

#[test]
fn numbers_of_buckets_are_those_of_the_names() {
    for (name, count) in [
        ("hand4", 4),
        ("hand16", 16),
        ("hand64", 64),
        ("hand64z", 64),
        ("hand256", 256),
        ("hand1024", 1024),
        ("k3k3", 9),
        ("k9k9", 81),
        ("k9k9z", 81),
        ("k13k13z", 169),
        ("k21k21", 441),
        ("k29k29", 841),
        ("progress32", 32),
        ("k29k29_hand1024_progress32", 841 * 1024 * 32),
    ] {
        let buckets: Buckets = name.parse().unwrap();
        assert_eq!(buckets.count(), count, "{name}");
        assert_eq!(buckets.needs_table(), name.contains("progress"));
    }
}

/// 256 times the logistic function, as the number of thresholds below the sum.
fn value(sum: i64) -> usize {
    let threshold = |value: f64| (65536.0 * (value / (256.0 - value)).ln()).round() as i64;
    (1..=255).filter(|&value| threshold(f64::from(value)) <= sum).count()
}

#[test]
fn progress_is_that_of_the_definition() {
    let mut rng = Rng::new(50);
    let weights: Vec<i32> = (0..PROGRESS_WEIGHTS).map(|_| rng.below(20_001) as i32 - 10_000).collect();
    let table = ProgressTable::new(&weights, 2_500).unwrap();
    let mut values = std::collections::BTreeSet::new();
    for setup in setups::random(51).take(800) {
        let sum = has_both_kings(&setup).then(|| {
            let mut sum = 2_500;
            for color in [Color::Black, Color::White] {
                let [king, _] = kings(&setup, color).unwrap();
                for &p in &*FeatureSet::Pieces.indices(&setup, color, Missing::Omit).unwrap() {
                    sum += i64::from(weights[1548 * usize::from(king) + p as usize]);
                }
            }
            sum
        });
        values.extend(sum.map(value));
        for count in [2, 3, 4, 8, 16, 32] {
            let expected = sum.map(|sum| (value(sum) * count / 256).min(count - 1));
            let index =
                |name: &str| name.parse::<Buckets>().unwrap().indexer(Some(table)).unwrap().index(&setup);
            assert_eq!(index(&format!("progress{count}")), expected, "{setup}");
            let combined = index("hand256_k9k9z").zip(expected).map(|(index, value)| index * count + value);
            assert_eq!(index(&format!("progress{count}_k9k9z_hand256")), combined, "{setup}");
        }
    }
    assert!(values.len() > 100, "{values:?}");
}

#[test]
fn flipped_positions_are_in_the_same_bucket_and_missing_kings_in_none() {
    let names = ["hand1024", "k29k29", "hand64z_k21k21"];
    for setup in setups::random(52).take(400) {
        for name in names {
            let indexer = name.parse::<Buckets>().unwrap().indexer(None).unwrap();
            let index = indexer.index(&setup);
            assert_eq!(index, indexer.index(&flipped(&setup)), "{name}: {setup}");
            assert_eq!(index.is_some(), has_both_kings(&setup) || name == "hand1024");
            let mut written = [7, 7];
            indexer.write(&[setup], &mut written);
            assert_eq!(written, [index.unwrap_or(0) as i32, 7]);
        }
    }
}
