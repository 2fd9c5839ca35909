//! Checks types that derive serde: every recorded, malformed and hostile input gets the codec's verdict;
//! values come back; and a living engine writes 5 000 of them the same. The properties are in
//! `rust/testkit/src/typed.rs`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use variant_core::{Limits, Rules};
use variant_serde::{FrameReader, Framing, Vector3, Writing, to_vec, write_framed};
use variant_testkit::mutate::Mutator;
use variant_testkit::properties::RULES;
use variant_testkit::typed::{Rich, comes_back, verdicts_agree};
use variant_testkit::{attack, golden, malformed};

/// Values that the engine is given.
const VALUES: u64 = 5000;

fn inputs() -> Vec<Vec<u8>> {
    let rich = (0..20).map(|seed| variant_serde::to_vec(&Rich::grown(&[], seed)).expect("it can be written"));
    let malformed = malformed::rows().into_iter().map(|row| row.bytes);
    golden::seeds().into_iter().chain(attack::seeds(4096)).chain(malformed).chain(rich).collect()
}

#[test]
fn values_of_derived_types_come_back() {
    (0..2000).for_each(|seed| comes_back(&[], seed));
}

#[test]
fn recorded_and_hostile_bytes_get_the_codecs_verdict() {
    let few = Rules::safe(Limits { max_values: 20, max_depth: 3, max_heap_bytes: 4000, ..Limits::network() });
    for input in inputs() {
        RULES.iter().chain([&few]).for_each(|rules| verdicts_agree(&input, rules));
    }
}

#[test]
fn spoiled_bytes_get_the_codecs_verdict() {
    let mut mutator = Mutator::new(36, inputs());
    let mut input = Vec::new();
    for at in 0..40_000_usize {
        mutator.fill(&mut input);
        verdicts_agree(&input, &RULES[at % RULES.len()]);
    }
}

/// The engine reads each value and writes it again: the same bytes, which are the same value here.
#[test]
#[ignore = "needs a Godot 4: cargo xtask test"]
fn the_engine_writes_the_same() {
    let godot = std::env::var_os("VARIANT_GODOT").expect("VARIANT_GODOT names an engine");
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let (from, to) = (folder.join("serde_from.bin"), folder.join("serde_to.bin"));
    let (mut wire, mut due) = (Vec::new(), Vec::new());
    for seed in 0..VALUES {
        let rich = grown(seed);
        write_framed(Framing::U32, &rich, &mut wire, &Writing::default()).expect("it can be written");
        let bytes = narrowed(&to_vec(&rich).expect("it can be written"));
        due.extend(u32::try_from(bytes.len()).expect("a small value").to_le_bytes());
        due.extend(bytes);
    }
    fs::write(&from, &wire).expect("a folder for tests");
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("serde");
    let mut engine = Command::new(godot);
    engine.args(["--headless", "--no-header", "--path"]).arg(project).args(["-s", "res://echo.gd", "--"]);
    engine.arg(format!("--from={}", from.display())).arg(format!("--to={}", to.display()));
    let outcome = engine.output().expect("the engine runs");
    assert!(outcome.status.success(), "{}", String::from_utf8_lossy(&outcome.stderr));
    let echo = fs::read(&to).expect("what the engine wrote");
    let mut reader = FrameReader::<Rich>::new(Framing::U32, Rules::safe(Limits::save_file()));
    let mut rest = echo.as_slice();
    for seed in 0..VALUES {
        let read = reader.next(&mut rest).unwrap_or_else(|stop| panic!("value {seed}: {stop}"));
        assert_eq!(read, grown(seed), "value {seed}");
    }
    assert!(rest.is_empty());
    assert!(echo == due, "some bytes are others");
}

/// Grows a value whose vector of 64-bit components an engine of single precision can hold.
fn grown(seed: u64) -> Rich {
    let mut rich = Rich::grown(&[], seed);
    rich.math.wide = Vector3::new(1.5, -2.0, 0.25);
    rich
}

/// Replaces the one vector of 64-bit components by what an engine of single precision writes.
fn narrowed(bytes: &[u8]) -> Vec<u8> {
    let key = [4, 0, 0, 0, 4, 0, 0, 0, b'w', b'i', b'd', b'e', 9, 0, 1, 0];
    let at = bytes.windows(key.len()).position(|window| window == key).expect("the key is there");
    let narrow: Vec<u8> = [1.5_f32, -2.0, 0.25].iter().flat_map(|part| part.to_le_bytes()).collect();
    [&bytes[..at + 12], &[9, 0, 0, 0], &narrow, &bytes[at + 40..]].concat()
}
