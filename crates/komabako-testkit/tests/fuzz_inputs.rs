//! Replays the kept inputs of every fuzz target: `fuzz/corpus/NAME/*` and `fuzz/regressions/NAME/*`.

use std::fs;
use std::path::Path;

use komabako_testkit::fuzz::TARGETS;

#[test]
fn kept_inputs_pass() {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz");
    for (name, target) in TARGETS {
        assert!(
            fuzz.join("fuzz_targets").join(name).with_extension("rs").is_file(),
            "{name} is no fuzz target"
        );
        let mut inputs = 0;
        for directory in ["corpus", "regressions"] {
            let Ok(entries) = fs::read_dir(fuzz.join(directory).join(name)) else { continue };
            for entry in entries {
                let path = entry.unwrap().path();
                println!("{}", path.display());
                target(&fs::read(path).unwrap());
                inputs += 1;
            }
        }
        assert!(inputs > 0, "{name} has no inputs");
    }
}
