//! `bench`: how fast this machine works on a file. Each row repeats its work for a while and takes the best
//! turn.

use std::hint::black_box;
use std::io;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::json;
use variant_core::{Strictness, Target, decode, transcode, validate};
use variant_text::json::{JsonForm, write};

use crate::arguments::Report;
use crate::batch;
use crate::batch_report::Account;
use crate::failure::{Failure, Outcome};
use crate::source;

/// How long each row is measured, at least.
const LEAST: Duration = Duration::from_millis(300);

pub(crate) fn run(given: &Report) -> Result<Outcome, Failure> {
    let reading = &given.look.reading;
    let rules = reading.rules(Strictness::Engine);
    // One file at a time, in whatever order the lock lets them pass: parallel work would change the figures.
    let turn = Mutex::new(());
    batch::each(&given.look, given.format, |(path, _), account| {
        let _turn = turn.lock().unwrap_or_else(PoisonError::into_inner);
        let mut values = source::open(path, reading, &rules)?;
        let mut all: Vec<Vec<u8>> = Vec::new();
        let mut held = 0;
        while let Some(one) = values.next()? {
            one.check(&rules)?;
            held += one.bytes.len() as u64;
            if held > source::most_held(reading) {
                return Err(source::too_large(source::most_held(reading)));
            }
            all.push(one.bytes.to_vec());
        }
        let target = Target::newest(rules.dialect);
        let form = JsonForm { compact: true, plain: false, tags_floats: false };
        let rows = [
            ("check", best(&all, |value| drop(black_box(validate(value, &rules))))),
            ("decode", best(&all, |value| drop(black_box(decode(value, &rules))))),
            ("transcode", best(&all, |value| drop(black_box(transcode(value, &rules, target))))),
            ("json", best(&all, |value| drop(black_box(write(value, &rules, form, &mut io::sink()))))),
        ];
        Ok(tell(account, &values.name, values.position, &rows)?)
    })
}

fn best(values: &[Vec<u8>], work: impl Fn(&[u8])) -> f64 {
    let begin = Instant::now();
    let mut best = f64::INFINITY;
    while begin.elapsed() < LEAST {
        let turn = Instant::now();
        values.iter().for_each(|value| work(value));
        best = best.min(turn.elapsed().as_secs_f64());
    }
    best
}

fn tell(account: &mut Account, name: &str, bytes: u64, rows: &[(&str, f64)]) -> io::Result<()> {
    let mut text = format!("{name}: {bytes} bytes\n");
    let mut figures = serde_json::Map::new();
    for (row, seconds) in rows {
        let rate = bytes as f64 / seconds / 1e6;
        text += &format!("{row:<10} {:>12.1} us {rate:>9.1} MB/s\n", seconds * 1e6);
        figures.insert((*row).to_owned(), json!({ "seconds": seconds, "mb_per_second": rate }));
    }
    account.tell(&text, || json!({ "bytes": bytes, "rows": figures }))
}
