//! Certificates of the known answers and changed ones, read by both checkers: `spec/kmcheck.py` knows nothing of this crate.

mod common;

use std::path::Path;
use std::process::Command;

use common::{SOLVER, rows, setup};
use komabako_board::Setup;
use komabako_messages::{Lang, Message};
use komabako_rules::Move16;
use komabako_testkit::cases;
use komabako_testkit::setups::Rng;
use komabako_tsume::{
    Certificate, CertificateFault, CertificateRule, CertifyError, Checked, Claim, Convention, Finding,
    FindingKind, Goal, Limits, Memory, Problem, Reason, Root, Rules, Solver,
};
use sha2::{Digest, Sha256};

/// The certificates of a position: of its exact strict length, or that there is no mate.
fn certificates(setup: &Setup, length: Option<u16>) -> Vec<Certificate> {
    let problem = Problem::new(setup, Rules::default()).expect("a problem");
    SOLVER.with_borrow_mut(|solver| {
        let limits = Limits::default();
        match length {
            Some(length) => {
                let (shown, certificates) =
                    solver.certify_length(&problem, Convention::Strict, &limits).expect("certificates");
                assert_eq!(shown, length, "{setup}");
                certificates.into_iter().map(|(certificate, _)| certificate).collect()
            }
            None => Vec::from([solver
                .certify(&problem, Claim::NoMate, Convention::Strict, &limits)
                .expect("a certificate")
                .0]),
        }
    })
}

/// The certificates of a position's exact tsume length. By free lengths, which may be shorter, the second one may name two plies fewer.
fn tsume_certificates(setup: &Setup, length: u16) -> Vec<(Certificate, Checked)> {
    let problem = Problem::new(setup, Rules::default()).expect("a problem");
    SOLVER.with_borrow_mut(|solver| {
        let limits = Limits::default();
        solver.solve(&problem, Goal::Shortest(Convention::Tsume), &limits);
        let mut certify = |claim| solver.certify(&problem, claim, Convention::Tsume, &limits);
        let mut made = Vec::from([certify(Claim::MateWithin(length)).expect("a certificate")]);
        if length > 1 {
            let shorter = certify(Claim::NoMateWithin(length - 2));
            made.push(shorter.or_else(|_| certify(Claim::NoMateWithin(length - 4))).expect("a certificate"));
        }
        made
    })
}

/// The positions of the files of known answers, each with its strict length.
fn known_answers() -> impl Iterator<Item = (Setup, Option<u16>)> {
    let mates = rows(include_str!("data/mate.tsv")).map(|row| (row.setup(), Some(row.number("mate_length"))));
    let lengths = rows(include_str!("data/lengths.tsv")).map(|row| (row.setup(), Some(row.number("strict"))));
    let no_mates = rows(include_str!("data/no_mate.tsv")).map(|row| (row.setup(), None));
    mates.chain(lengths).chain(no_mates).step_by(cases::one_in())
}

/// What `spec/kmcheck.py` prints for certificates, a line for each; `None` without Python.
fn check_in_python(name: &str, certificates: &[&[u8]]) -> Option<Vec<String>> {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&directory).expect("a directory");
    let files: Vec<_> = (0..certificates.len()).map(|number| directory.join(number.to_string())).collect();
    for (file, certificate) in files.iter().zip(certificates) {
        std::fs::write(file, certificate).expect("a file");
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/spec/kmcheck.py");
    let output = Command::new("python3").arg("-B").arg(script).args(&files).output();
    std::fs::remove_dir_all(&directory).expect("removed");
    let Ok(output) = output else {
        println!("skipped: python3 is not installed");
        return None;
    };
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("text");
    Some(text.lines().map(|line| line.split_once(": ").expect("a name").1.to_owned()).collect())
}

#[test]
fn certificates_of_all_known_answers_hold_in_both_checkers() {
    // Python takes 5 ms a node. All in both, by hand: KOMABAKO_CERTIFICATE_NODES=100000 KOMABAKO_CASES=all cargo test …
    let most = std::env::var("KOMABAKO_CERTIFICATE_NODES").map_or(60, |text| text.parse().expect("a number"));
    let mut small: Vec<(Certificate, usize)> = Vec::new();
    for (setup, length) in known_answers() {
        let problem = Problem::new(&setup, Rules::default()).expect("a problem");
        for certificate in certificates(&setup, length) {
            let checked = certificate.check().unwrap_or_else(|fault| panic!("{fault}: {setup}"));
            assert_eq!(checked.header.setup, problem.setup());
            match (checked.header.claim, length) {
                (Claim::MateWithin(plies), Some(length)) => {
                    assert_eq!((plies, checked.length), (length, Some(length)), "{setup}");
                }
                (Claim::NoMateWithin(plies), Some(length)) => assert_eq!(plies, length - 2, "{setup}"),
                (Claim::NoMate, None) => {}
                (claim, _) => panic!("{claim:?}: {setup}"),
            }
            if checked.nodes <= most {
                small.push((certificate, checked.nodes));
            }
        }
    }
    assert!(small.len() >= cases::scaled(600), "{}", small.len());
    let bytes: Vec<&[u8]> = small.iter().map(|(certificate, _)| certificate.as_bytes()).collect();
    for (line, (_, nodes)) in check_in_python("known", &bytes).into_iter().flatten().zip(&small) {
        assert!(line.contains(&format!(" {nodes} nodes: ")), "{line}");
    }
}

/// The only row whose free length is shorter: 5, not 7.
const SHORTER: &str = "9/4+N1k2/4+R2P1/9/5p3/4n4/9/9/9 b BNrb4g4sn4l16p 1";

#[test]
fn certificates_of_tsume_lengths_hold_in_both_checkers() {
    let most = std::env::var("KOMABAKO_CERTIFICATE_NODES").map_or(60, |text| text.parse().expect("a number"));
    let mut small: Vec<(Certificate, usize)> = Vec::new();
    let mut shorter = 0;
    let all = rows(include_str!("data/lengths.tsv")).collect::<Vec<_>>();
    let is_shorter = |row: &&common::Row| row.get("tsume") != row.get("strict") || row.get("sfen") == SHORTER;
    let (differing, same): (Vec<_>, Vec<_>) = all.iter().partition(is_shorter);
    for row in differing.into_iter().chain(same.into_iter().step_by(cases::one_in())) {
        let (length, setup) = (row.number("tsume"), row.setup());
        let made = tsume_certificates(&setup, length);
        if made[0].1.header.rule == CertificateRule::Tsume {
            let problem = Problem::new(&setup, Rules::default()).expect("a problem");
            let both = SOLVER.with_borrow_mut(|solver| {
                solver.certify_length(&problem, Convention::Tsume, &Limits::default()).expect("certificates")
            });
            assert_eq!((both.0, both.1.len()), (length, made.len()), "{setup}");
            assert!(
                both.1.iter().all(|(_, checked)| checked.header.rule != CertificateRule::Strict),
                "{setup}"
            );
        }
        for (certificate, checked) in made {
            assert_eq!(certificate.check().as_ref(), Ok(&checked), "{setup}");
            let excluded = if row.get("sfen") == SHORTER { length - 4 } else { length.saturating_sub(2) };
            match (checked.header.claim, checked.header.rule) {
                (Claim::MateWithin(plies), CertificateRule::Strict) => {
                    assert_eq!((plies, row.number("strict")), (length, length), "{setup}");
                }
                (Claim::MateWithin(plies), CertificateRule::Tsume) => {
                    assert_eq!(plies, length, "{setup}");
                    shorter += usize::from(row.number("strict") > length);
                }
                (Claim::NoMateWithin(plies), CertificateRule::Free) => assert_eq!(plies, excluded, "{setup}"),
                (claim, rule) => panic!("{claim:?} {rule:?}: {setup}"),
            }
            if checked.nodes <= most {
                small.push((certificate, checked.nodes));
            }
        }
    }
    assert_eq!(shorter, 26);
    assert!(small.len() >= cases::scaled(200), "{}", small.len());
    let bytes: Vec<&[u8]> = small.iter().map(|(certificate, _)| certificate.as_bytes()).collect();
    for (line, (_, nodes)) in check_in_python("tsume", &bytes).into_iter().flatten().zip(&small) {
        assert!(line.contains(&format!(" {nodes} nodes: ")), "{line}");
    }
}

/// What a report says about other checks before the last ply, and what its certificates show.
#[test]
fn certificates_of_soundness_say_what_the_report_says() {
    let mut small: Vec<Certificate> = Vec::new();
    let mut duals = 0;
    let mut detours = 0;
    let mut refuted = 0;
    let short = rows(include_str!("data/mate.tsv")).filter(|row| row.number("mate_length") <= 7);
    // With a dual, with a detour, and with a check after which the attacker may come back to a position of the line.
    let known = [
        "9/5gS1k/9/9/9/9/9/9/9 b GS2r2b2g2s4n4l18p 1",
        "9/9/8l/8k/9/8N/8p/9/9 b 2R2b4g4s3n3l17p 1",
        "9/9/9/9/9/9/4+R4/4B4/4kN1+L1 b rb4g4s3n3l18p 1",
    ];
    let problems = known.into_iter().map(setup).chain(short.map(|row| row.setup()).step_by(cases::one_in()));
    for setup in problems {
        let problem = Problem::new(&setup, Rules::default()).expect("a problem");
        let limits = Limits { nodes: Some(20_000), ..Limits::default() };
        let (report, made) = SOLVER.with_borrow_mut(|solver| {
            let report = solver.check(&problem, None, &limits).expect("a line");
            let is_decided = report.findings.iter().all(|finding| finding.kind != FindingKind::Undecided);
            let made =
                is_decided.then(|| solver.certify_soundness(&problem, &report.line, &Limits::default()));
            (report, made)
        });
        let Some(made) = made else { continue };
        let made = made.expect("certificates");
        let is_of_length = |checked: &Checked| checked.header.first.is_none();
        assert_eq!(
            made.iter().filter(|(_, checked)| is_of_length(checked)).count(),
            2 - usize::from(report.line.len() == 1)
        );
        let last = report.line.len() as u16;
        let found = |kinds: &[FindingKind]| -> Vec<String> {
            let is_dual = |finding: &&Finding| kinds.contains(&finding.kind) && finding.ply < last;
            let mut checks: Vec<String> = report
                .findings
                .iter()
                .filter(is_dual)
                .filter_map(|finding| finding.mv)
                .map(|mv| mv.to_string())
                .collect();
            checks.sort();
            checks
        };
        let shown = |is_shown: fn(&Checked) -> bool| -> Vec<String> {
            let of_check = made.iter().map(|(_, checked)| checked).filter(|checked| is_shown(checked));
            let mut checks: Vec<String> =
                of_check.filter_map(|checked| checked.header.first).map(|mv| mv.to_string()).collect();
            checks.sort();
            checks
        };
        let mates = shown(|checked| checked.header.claim == Claim::Mate);
        assert_eq!(mates, found(&[FindingKind::Dual, FindingKind::Unspecified]), "{}", problem.setup());
        for (_, checked) in &made {
            let text = checked.in_lang(Lang::En).to_string();
            assert_eq!(text.contains(" after "), checked.header.first.is_some(), "{text}");
            assert_eq!(text.contains("forbidden"), !checked.header.forbidden.is_empty(), "{text}");
        }
        let by_detour = shown(|checked| !checked.header.forbidden.is_empty());
        assert_eq!(by_detour, found(&[FindingKind::Rejoin]), "{}", problem.setup());
        duals += mates.len();
        detours += by_detour.len();
        refuted += shown(|checked| checked.header.claim == Claim::NoMate).len();
        small.extend(
            made.into_iter().filter(|(_, checked)| checked.nodes <= 4).map(|(certificate, _)| certificate),
        );
    }
    println!("{duals} duals, {detours} detours, {refuted} refuted checks");
    assert!(refuted > cases::scaled(250) && duals > 0 && detours > 0);
    let few: Vec<&[u8]> = small.iter().map(Certificate::as_bytes).take(cases::scaled(600)).collect();
    for line in check_in_python("soundness", &few).into_iter().flatten() {
        assert!(!line.starts_with("NOT SHOWN"), "{line}");
    }
}

/// The bytes with their checksum.
fn seal(mut bytes: Vec<u8>) -> Vec<u8> {
    let hash = Sha256::digest(&bytes);
    bytes.extend_from_slice(&hash);
    bytes
}

/// A certificate with a change in its body. Its bound and the length of its SFEN take one byte each.
fn changed(certificate: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut bytes = certificate[..certificate.len() - 32].to_vec();
    let header = 9 + usize::from(certificate[8]) + 2;
    let place = header + rng.below(bytes.len() - header);
    match rng.below(4) {
        0 => bytes[place] ^= 1 << rng.below(8),
        1 => bytes[place] = rng.below(256) as u8,
        2 => drop(bytes.remove(place)),
        _ => bytes.insert(place, rng.below(256) as u8),
    }
    seal(bytes)
}

/// Changes certificates and compares the checkers. Small ones with references, other hands and bounds: Python reads all of them.
fn compare_on_changed(name: &str, originals: &[Certificate]) {
    let mut rng = Rng::new(1);
    let count = cases::scaled(1_000);
    let all: Vec<Vec<u8>> =
        (0..count).map(|number| changed(originals[number % originals.len()].as_bytes(), &mut rng)).collect();
    let shown: Vec<bool> = all.iter().map(|bytes| check(bytes).is_ok()).collect();
    assert!(shown.iter().filter(|&&shown| !shown).count() * 10 > count * 9);
    let bytes: Vec<&[u8]> = all.iter().map(Vec::as_slice).collect();
    for ((line, shown), bytes) in check_in_python(name, &bytes).into_iter().flatten().zip(shown).zip(&all) {
        assert_eq!(!line.starts_with("NOT SHOWN"), shown, "{line} and {:?}", check(bytes));
    }
}

#[test]
fn changed_certificates_are_refused_by_both_or_by_none() {
    let certificates = known_answers().step_by(7).flat_map(|(setup, length)| certificates(&setup, length));
    let originals: Vec<Certificate> =
        certificates.filter(|own| (4..20).contains(&own.check().expect("it holds").nodes)).collect();
    compare_on_changed("changed", &originals);
}

#[test]
fn changed_certificates_of_tsume_lengths_are_refused_by_both_or_by_none() {
    let all = rows(include_str!("data/lengths.tsv"));
    let differing = all.filter(|row| row.get("tsume") != row.get("strict"));
    let certificates = differing.flat_map(|row| tsume_certificates(&row.setup(), row.number("tsume")));
    let is_small = |(_, checked): &(Certificate, Checked)| (2..20).contains(&checked.nodes);
    let originals: Vec<Certificate> =
        certificates.filter(is_small).map(|(certificate, _)| certificate).collect();
    assert!(originals.len() > 20);
    compare_on_changed("changed_tsume", &originals);
}

#[test]
fn first_position_without_its_rules_is_refused_by_both() {
    let gold = ["G*1b".parse::<Move16>().expect("a move").bits().to_le_bytes()].concat();
    let certificate = |sfen: &str| by_hand(b'W', 1, sfen, &gold);
    let legal = certificate("8k/9/8P/9/9/9/9/9/9 b G 1");
    let illegal = [
        "8k/9/8P/8P/9/9/9/9/9 b G 1",
        "8k/9/8P/9/9/9/9/9/p8 b G 1",
        "L7k/9/8P/9/9/9/9/9/9 b G 1",
        "8k/N8/8P/9/9/9/9/9/9 b G 1",
        "8k/9/8P/9/9/9/9/9/k8 b G 1",
    ]
    .map(certificate);
    assert_eq!(check(&legal), Ok(()));
    for bytes in &illegal {
        assert!(check(bytes).is_err());
    }
    let bytes: Vec<&[u8]> = illegal.iter().chain([&legal]).map(Vec::as_slice).collect();
    let refused = check_in_python("illegal", &bytes)
        .map(|lines| lines.iter().map(|line| line.starts_with("NOT SHOWN")).collect::<Vec<bool>>());
    if let Some(refused) = refused {
        assert_eq!(refused, [true, true, true, true, true, false]);
    }
}

/// A node of one check says nothing about the position's other checks.
#[test]
fn nodes_of_the_only_first_check_are_refused_as_references_by_both() {
    let mv = |text: &str| text.parse::<Move16>().expect("a move").bits().to_le_bytes();
    // The rook goes back to the first position; before that the king could capture it.
    let body = [&mv("1e1f")[..], &[1], &mv("1f1e"), &[1], &mv("1f1e"), &[5]].concat();
    let claims = [(b'N', 0), (b'X', 9)];
    let certificates = claims.map(|(claim, bound)| {
        let start = header(claim, bound, "9/9/9/9/8k/4R4/9/9/9 b - 1", &[0], "5f5e");
        seal([&start[..], &body].concat())
    });
    for bytes in &certificates {
        let fault = check(bytes).expect_err("a fault").to_string();
        assert_eq!(fault, "node 2, after 5f5e 1e1f 5e5f 1f1e: node 0 has another board or claim");
    }
    for line in check_in_python("first", &certificates.each_ref().map(Vec::as_slice)).into_iter().flatten() {
        assert!(line.starts_with("NOT SHOWN"), "{line}");
    }
}

#[test]
fn positions_have_one_text_in_both() {
    let gold = "G*1b".parse::<Move16>().expect("a move").bits().to_le_bytes();
    let texts = [
        "8k/9/8P/9/9/9/9/9/9 b G",
        "8k/9/8P/9/9/9/9/9/9 b G 2",
        "8k/9/8P/9/9/9/9/9/9 b G -1",
        "8k/9/8P/9/9/9/9/9/9 b G 1 foo",
        "sfen 8k/9/8P/9/9/9/9/9/9 b G 1",
        "8k/9/8P/9/9/9/9/9 b G 1",
        "8k/9/8P/9/9/9/9/9/9/9 b G 1",
        "k8k/9/8P/9/9/9/9/9/9 b G 1",
        "8k/90/8P/9/9/9/9/9/9 b G 1",
        "8k/45/8P/9/9/9/9/9/9 b G 1",
        "8k/٩/8P/9/9/9/9/9/9 b G 1",
        "8+k/9/8P/9/9/9/9/9/9 b G 1",
        "8k/9/8P/9/9/9/9/9/8+G b G 1",
        "8k/9/8P/9/9/9/9/9/9  b G 1",
        "8k/9/8P/9/9/9/9/9/9 b 1G 1",
        "8k/9/8P/9/9/9/9/9/9 b 01G 1",
        "8k/9/8P/9/9/9/9/9/9 b G0p 1",
        "8k/9/8P/9/9/9/9/9/9 b GR 1",
        "8k/9/8P/9/9/9/9/9/9 b Gp2p 1",
    ];
    let certificates = texts.map(|text| by_hand(b'W', 1, text, &gold));
    for bytes in &certificates {
        let fault = check(bytes).expect_err("a fault");
        assert!(matches!(fault, CertificateFault::Form | CertificateFault::Sfen(_)), "{fault}");
    }
    for line in check_in_python("texts", &certificates.each_ref().map(Vec::as_slice)).into_iter().flatten() {
        assert!(line.starts_with("NOT SHOWN"), "{line}");
    }
}

fn check(bytes: &[u8]) -> Result<(), CertificateFault> {
    Certificate::new(bytes)?.check().map(drop)
}

/// A certificate by hand: a bound or an SFEN below 128, no forbidden positions, all first checks.
fn by_hand(claim: u8, bound: u8, sfen: &str, body: &[u8]) -> Vec<u8> {
    by_rule(claim, b's', bound, sfen, body)
}

fn by_rule(claim: u8, rule: u8, bound: u8, sfen: &str, body: &[u8]) -> Vec<u8> {
    let mut bytes = start_of_header(claim, rule, bound, sfen);
    bytes.extend_from_slice(&[0, 0]);
    bytes.extend_from_slice(body);
    seal(bytes)
}

fn start_of_header(claim: u8, rule: u8, bound: u8, sfen: &str) -> Vec<u8> {
    let mut bytes = b"KMTC\x01".to_vec();
    bytes.extend_from_slice(&[claim, rule, bound, sfen.len() as u8]);
    bytes.extend_from_slice(sfen.as_bytes());
    bytes
}

/// A header with the bytes of its forbidden positions and the only first check, which takes three bytes.
fn header(claim: u8, bound: u8, sfen: &str, forbidden: &[u8], first: &str) -> Vec<u8> {
    let first = first.parse::<Move16>().expect("a move").bits();
    let first = [first as u8 | 0x80, (first >> 7) as u8 | 0x80, (first >> 14) as u8];
    [&start_of_header(claim, b's', bound, sfen)[..], forbidden, &first].concat()
}

#[test]
fn faults_name_the_node_and_the_moves_to_it() {
    let gold = "8k/9/8P/9/9/9/9/9/9 b Gr2b3g4s4n4l17p 1";
    let rook = "8k/9/9/9/9/9/9/9/9 b Rr2b4g4s4n4l18p 1";
    let mv = |text: &str| text.parse::<Move16>().expect("a move").bits().to_le_bytes();
    let g1b = mv("G*1b");
    let after = |tokens: &[u8]| [&mv("R*1e")[..], tokens].concat();
    let to_and_fro = [&mv("5b5a")[..], &[1], &mv("5a5b"), &[1]].concat().repeat(17_000);
    let not_shown = |bytes: Vec<u8>| check(&bytes).expect_err("a fault").to_string();
    assert_eq!(check(&by_hand(b'W', 1, gold, &g1b)), Ok(()));
    for (bytes, fault) in [
        (b"KIF".to_vec(), "not a certificate of format KMTC 1"),
        (by_hand(b'W', 1, gold, &g1b)[1..].to_vec(), "not a certificate of format KMTC 1"),
        (
            [&by_hand(b'W', 1, gold, &g1b)[..], &[0]].concat(),
            "the checksum does not fit: the file is damaged",
        ),
        (by_hand(b'Y', 1, gold, &g1b), "claim Y by rule s is not known to this program"),
        (
            by_hand(b'W', 1, "9/9/9/9/9/9/9/9/9 b - 1", &g1b),
            "the position is no problem: the king of White, who is to be mated, is missing",
        ),
        (
            by_hand(b'W', 1, "9/9/9 b - 1", &g1b),
            "the position is no SFEN: column 6: the board ends after 3 of nine ranks",
        ),
        (by_hand(b'W', 1, gold, &[&g1b[..], &[7; 3]].concat()), "3 bytes left over"),
        (by_hand(b'W', 1, gold, &[]), "node 0, after the root: the certificate ends too early"),
        (by_hand(b'W', 1, gold, &mv("G*9b")), "node 0, after the root: G*9b is no legal check"),
        (by_hand(b'W', 1, gold, &mv("1c1d")), "node 0, after the root: 1c1d is no legal check"),
        (by_hand(b'M', 1, rook, &after(&[0])), "node 0, after R*1e 1a2a: 0 is no reference in a mate"),
        (by_hand(b'M', 1, rook, &after(&[4])), "node 0, after R*1e 1a2a: token 4 refers to no node"),
        (by_hand(b'M', 1, rook, &after(&[3])), "node 0, after R*1e 1a2a: node 0 has another board or claim"),
        (
            by_hand(b'M', 1, rook, &after(&[2, 1, 0, 0, 0, 0, 0, 0])),
            "node 0, after R*1e 1a2a: pieces of kind P change hands that nobody holds",
        ),
        (
            by_hand(b'M', 1, rook, &after(&[0xff; 10])),
            "node 0, after R*1e 1a2a: exceeds a limit of the format",
        ),
        (by_hand(b'X', 1, gold, &[]), "node 0, after G*1b: is mate"),
        // A rook and a king go to and fro.
        (
            by_hand(b'M', 1, "8k/4R4/9/9/9/9/9/9/9 b - 1", &to_and_fro),
            "node 32766, after 5b5a 1a1b 5a5b 1b1a 5b5a 1a1b 5a5b 1b1a 5b5a 1a1b …(65514)… \
            5b5a 1a1b 5a5b 1b1a 5b5a 1a1b 5a5b 1b1a 5b5a 1a1b: exceeds a limit of the format",
        ),
        (by_hand(b'X', 3, rook, &mv("9a9b")), "node 0, after R*1b: the reply 9a9b is illegal"),
        (
            by_hand(b'N', 0, rook, &[&mv("1a1b")[..], &[0]].concat()),
            "node 0, after R*1b 1a1b: is not a forbidden position",
        ),
    ] {
        assert_eq!(not_shown(bytes), fault);
    }
    let of_another_check = seal([header(b'M', 1, gold, &[0], "G*2b"), g1b.to_vec()].concat());
    assert_eq!(
        not_shown(of_another_check),
        "node 0, after G*1b: G*1b is not the check that is claimed about"
    );
    let of_a_mate = [header(b'M', 1, gold, &[1, 0], "G*1b"), g1b.to_vec()].concat();
    let of_the_defender = header(b'N', 0, rook, &[&[1, 1][..], &mv("R*1b")].concat(), "R*1b");
    for forbidding in [of_a_mate, of_the_defender] {
        assert_eq!(
            not_shown(seal(forbidding)),
            "node 0, after the root: only strict refutations have forbidden positions, with the attacker to move"
        );
    }
    let useless = "8k/8l/7R1/8G/6R2/9/9/9/9 b 2B3g4s4n3l18p 1";
    let captured = |capture: &str| [&mv("B*3c")[..], &[0], &mv(capture)].concat();
    for (rule, claim) in [(b'f', b'W'), (b't', b'X'), (b'f', b'M'), (b't', b'N'), (b'u', b'W')] {
        let fault = format!("claim {} by rule {} is not known to this program", claim as char, rule as char);
        assert_eq!(not_shown(by_rule(claim, rule, 1, useless, &captured("2c2b+"))), fault);
    }
    for (bytes, fault) in [
        (by_hand(b'W', 1, useless, &captured("2c2b+")), "0 is no reference in a mate"),
        (by_rule(b'W', b't', 1, useless, &captured("2d2c")), "2d2c is no legal check"),
        (by_rule(b'W', b't', 1, useless, &captured("2c2b+")), "the certificate ends too early"),
    ] {
        assert!(not_shown(bytes).ends_with(&format!(": {fault}")), "{fault}");
    }
    let mate_in_3 = certificates(&setup("3sks3/9/4S4/9/9/B8/9/9/9 b S2rb4g4n4l18p 1"), Some(3));
    let mut bytes = mate_in_3[0].as_bytes().to_vec();
    bytes.truncate(bytes.len() - 32);
    bytes[7] = 1;
    assert_eq!(not_shown(seal(bytes)), "shows a mate in 3, not within 1");
}

#[test]
fn claims_that_are_false_or_too_hard_have_no_certificate() {
    let problem = |sfen: &str| Problem::new(&setup(sfen), Rules::default()).expect("a problem");
    let mate_in_3 = problem("3sks3/9/4S4/9/9/B8/9/9/9 b S2rb4g4n4l18p 1");
    let long = problem("g3p3+r/3lPG3/1s4ppp/1l1B4P/L2b1kPl1/3+p3+R+p/3+p2+s1S/+NP+p1gS3/1g+p2P3 b 4P3n 1");
    let mut solver = Solver::new(Memory::mebibytes(1));
    for (claim, holds) in [
        (Claim::Mate, true),
        (Claim::MateWithin(1), false),
        (Claim::MateWithin(5), true),
        (Claim::MateWithin(0), false),
        (Claim::NoMateWithin(1), true),
        (Claim::NoMateWithin(3), false),
        (Claim::NoMate, false),
    ] {
        match solver.certify(&mate_in_3, claim, Convention::Strict, &Limits::default()) {
            Ok((certificate, checked)) => {
                assert_eq!((checked.header.claim, certificate.check().as_ref()), (claim, Ok(&checked)));
            }
            Err(error) => assert_eq!((error, holds), (CertifyError::False, false), "{claim:?}"),
        }
    }
    // Even numbers: a mate in 3 is no mate within 2.
    let even = solver
        .certify(&mate_in_3, Claim::NoMateWithin(2), Convention::Strict, &Limits::default())
        .expect("a certificate");
    assert_eq!(even.1.header.claim, Claim::NoMateWithin(1));
    let even = solver
        .certify(&mate_in_3, Claim::MateWithin(4), Convention::Strict, &Limits::default())
        .expect("a certificate");
    assert_eq!(even.1.header.claim, Claim::MateWithin(3));
    let few = Limits { nodes: Some(1_000), ..Limits::default() };
    assert_eq!(
        solver.certify(&long, Claim::Mate, Convention::Strict, &few),
        Err(CertifyError::Stopped(Reason::Nodes))
    );
    let defends = Rules { root: Root::Defend, ..Rules::default() };
    let in_check =
        Problem::new(&setup("8k/8G/8P/9/9/9/9/9/9 w r2b3g4s4n4l17p 1"), defends).expect("a problem");
    let refused = solver.certify(&in_check, Claim::Mate, Convention::Strict, &Limits::default());
    assert_eq!(refused, Err(CertifyError::DefenderToMove));
}

/// A certificate is also made after its results are dropped: in a table of 1 MiB.
#[test]
fn small_tables_give_certificates_too() {
    let mut solver = Solver::new(Memory::mebibytes(1));
    for (setup, length) in known_answers().step_by(16) {
        let Some(length) = length else { continue };
        let problem = Problem::new(&setup, Rules::default()).expect("a problem");
        let (_, certificates) =
            solver.certify_length(&problem, Convention::Strict, &Limits::default()).expect("certificates");
        for (certificate, _) in certificates {
            assert!(certificate.check().is_ok(), "{length} {setup}");
        }
    }
}

#[test]
fn certificates_of_famous_problems_hold() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/certificates");
    let files =
        std::fs::read_dir(directory).expect("the directory").map(|entry| entry.expect("an entry").path());
    let mut shown = Vec::new();
    for file in files.filter(|path| path.extension().is_some_and(|extension| extension == "kmc")) {
        let bytes = std::fs::read(&file).expect("a file");
        let checked = Certificate::new(&bytes).expect("undamaged").check().expect("it holds");
        shown.push(checked.length.expect("a mate"));
    }
    assert_eq!((shown.len(), shown.iter().max()), (13, Some(&611)));
}

/// Changes a part of a certificate that it holds once or several times: the first of them.
fn with(certificate: &Certificate, from: &[u8], to: &[u8]) -> Vec<u8> {
    let bytes = certificate.as_bytes();
    let body = &bytes[..bytes.len() - 32];
    let place = body.windows(from.len()).position(|part| part == from).expect("its bytes");
    seal([&body[..place], to, &body[place + from.len()..]].concat())
}

/// What shows that a drop is useless must be a reply without that drop.
#[test]
fn a_useless_drop_does_not_show_that_it_is_useless() {
    let (setup, length) = (setup("9/9/2+n1g4/1k7/2pL5/R2+pl4/3P5/9/9 b RBb3g4s3n2l15p 1"), 9);
    let (mate, _) = tsume_certificates(&setup, length).swap_remove(0);
    // After a mate within 4 that begins with the capture of P*8b: the a piece moves, and a node follows.
    let mv = |text: &str| text.parse::<Move16>().expect("a move").bits().to_le_bytes();
    let moved = [&mv("7b7a")[..], &[1]].concat();
    let drop = [&mv("P*8b")[..], &[1]].concat();
    let fault = check(&with(&mate, &moved, &drop)).expect_err("a fault").to_string();
    assert!(fault.ends_with("the reply P*8b is illegal"), "{fault}");
}
