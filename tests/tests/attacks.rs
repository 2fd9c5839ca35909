//! Checks that each line of the attack corpus gives its answer, under every preset and strictness. It does so
//! on a small stack and in little memory, and every sink and the oracle must agree. `tests/attacks/README.md`
//! describes the lines.

use std::collections::HashSet;
use std::thread;

use allocation_counter::measure;
use variant_core::token::Count;
use variant_core::{Encoder, Error, Extent, Limits, Rules, Sink, Skip, ToValue, Walker};
use variant_testkit::attack::{self, Preset, Row};
use variant_testkit::pieces::pieces_agree;
use variant_testkit::properties::{self, Properties};

/// The most memory that a decode may need: a fixed part, and `PER_BYTE` for each byte that was read. A
/// `Value` makes room for all children that the remaining bytes could be, so for it every byte of the input
/// counts.
const FLAT: u64 = 64 << 10;
const PER_BYTE: u64 = 40;

/// The length in bytes up to which a line is cut at every byte.
const LONGEST_CUT: usize = 400;

/// The number of lines of the corpus.
const ROWS: usize = 768;

type Verdict = Result<Extent, Error>;

fn answer(verdict: &Verdict) -> String {
    match verdict {
        Ok(_) => "ok".to_owned(),
        Err(error) => format!("{}@{}", error.kind().name(), error.offset()),
    }
}

/// Decodes into one sink, and returns the verdict and the most bytes that were held at once.
fn measured<S: Sink>(bytes: &[u8], rules: &Rules, sink: &mut S) -> (Verdict, u64) {
    let mut verdict = None;
    let info = measure(|| {
        let decoded = Walker::new().decode(bytes, rules, sink);
        verdict = Some(decoded.map(|(_, extent)| extent));
    });
    (verdict.expect("it was measured"), info.bytes_max)
}

/// Lists the faults of our answers to one row.
fn faults(row: &Row) -> Vec<String> {
    let bytes = row.bytes();
    let length = u64::try_from(bytes.len()).expect("an input in memory");
    let mut faults = Vec::new();
    for (preset, rules, due) in row.answers() {
        let (skipped, skip_peak) = measured(&bytes, &rules, &mut Skip);
        let read = skipped.as_ref().map_or_else(Error::offset, |extent| extent.consumed);
        let (mut output, limits) = (Count::default(), Limits::engine());
        let (written, encoder_peak) = measured(&bytes, &rules, &mut Encoder::new(&mut output, &limits));
        // Dropping a deep `Value` costs stack: see depth.rs.
        let (valued, value_peak) = match preset {
            Preset::Engine => (skipped.clone(), 0),
            _ => measured(&bytes, &rules, &mut ToValue),
        };
        let mut expect = |holds: bool, what: String| {
            if !holds {
                faults.push(format!("{} ({preset:?}, {:?}): {what}", row.name, rules.strictness));
            }
        };
        expect(answer(&skipped) == due, format!("{}, not {due}", answer(&skipped)));
        expect(written == skipped, format!("Encoder says {written:?}, Skip {skipped:?}"));
        expect(valued == skipped, format!("ToValue says {valued:?}, Skip {skipped:?}"));
        let peak = skip_peak.max(encoder_peak);
        expect(peak <= FLAT + PER_BYTE * read, format!("{peak} bytes at once after {read} read"));
        expect(value_peak <= FLAT + PER_BYTE * length, format!("ToValue: {value_peak} bytes of {length}"));
    }
    faults
}

/// Runs `work` on a thread with a stack of `bytes` bytes.
fn on_stack<T: Send + 'static>(bytes: usize, work: impl FnOnce() -> T + Send + 'static) -> T {
    thread::Builder::new()
        .stack_size(bytes)
        .spawn(work)
        .expect("a thread")
        .join()
        .expect("the stack is enough")
}

#[test]
fn every_line_gives_its_answer_on_a_small_stack() {
    let faults = on_stack(64 << 10, || attack::rows().iter().flat_map(faults).collect::<Vec<_>>());
    assert!(faults.is_empty(), "{} wrong:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn the_corpus_is_whole() {
    let rows = attack::rows();
    let names: HashSet<&str> = rows.iter().map(|row| row.name.as_str()).collect();
    assert_eq!((rows.len(), names.len()), (ROWS, ROWS), "rows, and different names");
    let small = rows.iter().filter(|row| row.bytes().len() <= 1024).count();
    assert!(small >= 300, "{small} small inputs");
    for preset in 0..3 {
        let refused = rows.iter().filter(|row| row.safe[preset] != "ok").count();
        assert!(
            refused * 4 > rows.len() && refused * 20 < rows.len() * 19,
            "{refused} refused: one side is hardly tried"
        );
    }
    // CANONICAL accepts nothing that SAFE refuses, and refuses a good part of what SAFE accepts.
    let pairs = || rows.iter().flat_map(|row| row.canonical.iter().zip(&row.safe));
    assert!(pairs().all(|(canonical, safe)| canonical != "ok" || safe == "ok"), "CANONICAL is within SAFE");
    let stricter = pairs().filter(|(canonical, safe)| *canonical != "ok" && *safe == "ok").count();
    assert!(stricter >= 100, "{stricter} answers of CANONICAL are stricter: it is hardly tried");
    assert!(rows.iter().all(|row| !row.reason.is_empty()), "every row has a reason");
}

/// Tests on a large stack, since the oracle and the drop of a `Value` recurse.
/// Tests all small lines, and of the large ones a tenth: they take ten times as long, and the test on a small stack above has
/// them all. The long form has all here, too.
#[test]
fn every_sink_and_the_oracle_agree() {
    let is_long = std::env::var_os("VARIANT_LONG").is_some();
    on_stack(256 << 20, move || {
        for (index, row) in attack::rows().into_iter().enumerate() {
            let bytes = row.bytes();
            if bytes.len() > LONGEST_CUT && index % 10 != 0 && !is_long {
                continue;
            }
            for (_, rules, due) in row.answers() {
                let verdict = properties::sinks_agree(&bytes, &rules);
                assert_eq!(answer(&verdict), due, "{}", row.name);
            }
            assert_eq!(properties::oracle_agrees(&bytes, false), row.engine[2] == "ok", "{}", row.name);
            properties::safe_is_within_engine(&bytes);
            properties::canonical_is_what_is_written(&bytes);
            pieces_agree(&bytes, &Rules::safe(Limits::engine()), &[1400]);
        }
    });
}

/// Tests that a line which is cut in two at any byte gives what the whole gives. Large lines only repeat what
/// small ones have.
#[test]
fn every_cut_of_every_small_line_gives_the_whole() {
    let mut lines = 0;
    for row in attack::rows() {
        let bytes = row.bytes();
        if bytes.len() > LONGEST_CUT {
            continue;
        }
        lines += 1;
        // Under other limits, a prefix that asks for more than `max_bytes` is refused at once.
        let widest = row.answers().into_iter().filter(|(preset, ..)| *preset == Preset::Engine);
        for (_, rules, _) in widest {
            for cut in 1..=bytes.len() {
                pieces_agree(&bytes, &rules, &[cut, bytes.len()]);
            }
        }
    }
    assert!(lines > 600, "{lines} lines are small");
}

#[test]
fn every_bit_flip_of_a_rich_value_holds_every_property() {
    let rich = attack::rich();
    let mut properties = Properties::new();
    let accepted = attack::flips(&rich).filter(|flipped| properties.hold(flipped, flipped.len() / 2)).count();
    let share = accepted * 100 / (rich.len() * 8);
    assert!((30..95).contains(&share), "{share} % accepted");
}

#[test]
fn every_truncation_of_a_rich_value_is_incomplete() {
    let rich = attack::rich();
    properties::prefixes_are_incomplete(&rich, &Rules::engine());
    properties::prefixes_are_incomplete(&rich, &Rules::safe(Limits::engine()));
}
