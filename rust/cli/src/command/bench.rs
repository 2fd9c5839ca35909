//! `bench`: how fast this machine works on a file. Each row repeats its work for a while and takes the best
//! turn.

use std::hint::black_box;
use std::io;
use std::time::{Duration, Instant};

use serde_json::json;
use variant_core::{Strictness, Target, decode, transcode, validate};
use variant_text::json::{Form, write};

use crate::arguments::Report;
use crate::batch::{self, Answer};
use crate::failure::{Failure, Verdict};
use crate::source;

/// How long each row is measured, at least.
const LEAST: Duration = Duration::from_millis(300);

pub(crate) fn run(given: &Report) -> Result<Verdict, Failure> {
    let rules = given.look.reading.rules(Strictness::Engine);
    // One file after another: side by side they would measure each other.
    for file in batch::files(&given.look.inputs) {
        let blob = source::load(&file?.0, &given.look.reading, &rules)?;
        let values: Vec<&[u8]> = blob.values().collect();
        for value in &values {
            validate(value, &rules).map_err(|error| Failure::refusal(&error, value))?;
        }
        let target = Target::newest(rules.dialect);
        let form = Form { compact: true, plain: false };
        let rows = [
            ("check", best(&values, |value| drop(black_box(validate(value, &rules))))),
            ("decode", best(&values, |value| drop(black_box(decode(value, &rules))))),
            ("transcode", best(&values, |value| drop(black_box(transcode(value, &rules, target))))),
            ("json", best(&values, |value| drop(black_box(write(value, &rules, form, &mut io::sink()))))),
        ];
        let answer = answer(&blob.name, blob.bytes.len(), &rows);
        let report = serde_json::to_string(&answer.members[0]).unwrap_or_default();
        print!("{}", if given.json { format!("{report}\n") } else { answer.text });
    }
    Ok(Verdict::Good)
}

/// Seconds of the best turn over all values.
fn best(values: &[&[u8]], work: impl Fn(&[u8])) -> f64 {
    let begin = Instant::now();
    let mut best = f64::INFINITY;
    while begin.elapsed() < LEAST {
        let turn = Instant::now();
        values.iter().for_each(|value| work(value));
        best = best.min(turn.elapsed().as_secs_f64());
    }
    best
}

fn answer(name: &str, bytes: usize, rows: &[(&str, f64)]) -> Answer {
    let mut text = format!("{name}: {bytes} bytes\n");
    let mut figures = serde_json::Map::new();
    for (row, seconds) in rows {
        let rate = bytes as f64 / seconds / 1e6;
        text += &format!("{row:<10} {:>12.1} us {rate:>9.1} MB/s\n", seconds * 1e6);
        figures.insert((*row).to_owned(), json!({ "seconds": seconds, "mb_per_second": rate }));
    }
    Answer {
        text,
        members: vec![json!({ "file": name, "bytes": bytes, "rows": figures })],
        ..Answer::default()
    }
}
