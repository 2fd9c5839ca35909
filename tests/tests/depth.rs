//! Checks depth: 1025 levels are read, one more is refused, and neither costs stack. The drop of a deep
//! `Value` does cost stack, so only sinks that build nothing run on the small one.

use std::thread;

use variant_core::{Encoder, ErrorKind, Extent, Limits, Rules, Skip, Walker, validate};
use variant_testkit::nest::{Level, nested};
use variant_testkit::properties;

const WITH_OBJECTS: Rules = Rules { full_objects: true, ..Rules::engine() };

/// The number of containers around the innermost nil, which is a level itself.
const DEEPEST: usize = 1024;

/// Lists every kind of level alone, and all of them in turn.
fn mixtures() -> Vec<Vec<Level>> {
    Level::ALL.iter().map(|level| vec![*level]).chain([Level::ALL.to_vec()]).collect()
}

/// Lists the rows of FORMAT.md 5.4 for nested arrays and dictionary values: depth, and size where it is read.
const ROWS: [(Level, usize, Option<u64>); 12] = [
    (Level::Array, 10, Some(84)),
    (Level::Array, 1000, Some(8004)),
    (Level::Array, 1023, Some(8188)),
    (Level::Array, 1024, Some(8196)),
    (Level::Array, 1025, None),
    (Level::Array, 1026, None),
    (Level::Array, 2000, None),
    (Level::Array, 100_000, None),
    (Level::Value, 1024, Some(12292)),
    (Level::Value, 1025, None),
    (Level::Key, 1025, None),
    (Level::Object, 1025, None),
];

#[test]
fn the_engines_depth_is_ours() {
    for (level, containers, size) in ROWS {
        let verdict = validate(&nested(&[level], containers), &WITH_OBJECTS);
        match size {
            Some(consumed) => {
                assert_eq!(verdict, Ok(Extent { consumed, trailing: 0 }), "{level:?} {containers}")
            }
            None => {
                let error = verdict.expect_err("too deep");
                assert_eq!(error.kind(), ErrorKind::TooDeep { limit: 1025 }, "{level:?} {containers}");
                assert_eq!(error.path().0.len(), 1025, "{level:?} {containers}");
            }
        }
    }
}

#[test]
fn sinks_and_oracle_agree_at_the_edge() {
    for levels in mixtures() {
        for containers in [DEEPEST - 1, DEEPEST, DEEPEST + 1] {
            let bytes = nested(&levels, containers);
            let verdict = properties::sinks_agree(&bytes, &WITH_OBJECTS);
            assert_eq!(verdict.is_ok(), containers <= DEEPEST, "{levels:?} {containers}");
            assert_eq!(in_ample_stack(&bytes), verdict.is_ok(), "{levels:?} {containers}");
        }
    }
}

/// Asks the oracle, which recurses, on a large stack.
fn in_ample_stack(bytes: &[u8]) -> bool {
    let agree = || properties::oracle_agrees(bytes, true);
    thread::scope(|scope| {
        let builder = thread::Builder::new().stack_size(64 << 20);
        builder.spawn_scoped(scope, agree).expect("a thread").join().expect("they agree")
    })
}

#[test]
fn sinks_that_build_nothing_need_no_stack() {
    let inputs: Vec<(Vec<u8>, bool)> = mixtures()
        .iter()
        .flat_map(|levels| [DEEPEST, DEEPEST + 1].map(|n| (nested(levels, n), n == DEEPEST)))
        .collect();
    let small = thread::Builder::new().stack_size(64 << 10);
    let walk = move || {
        for (bytes, is_accepted) in &inputs {
            assert_eq!(Walker::new().decode(bytes, &WITH_OBJECTS, &mut Skip).is_ok(), *is_accepted);
            assert_eq!(validate(bytes, &WITH_OBJECTS).is_ok(), *is_accepted);
            let mut output = Vec::new();
            let mut encoder = Encoder::new(&mut output, &Limits::engine());
            assert_eq!(Walker::new().decode(bytes, &WITH_OBJECTS, &mut encoder).is_ok(), *is_accepted);
            assert!(!is_accepted || &output == bytes, "written as read");
        }
        inputs.len()
    };
    assert_eq!(small.spawn(walk).expect("a thread").join().expect("64 KiB are enough"), 10);
}
