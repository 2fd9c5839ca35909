//! `guess`: nothing in a file names its dialect or framing, so all are tried.

use serde_json::json;
use variant_core::{Dialect, Limits, Rules, guess_dialect, validate};

use super::look::layers;
use crate::arguments::{Framing, Report};
use crate::batch::{self, Answer};
use crate::container::{self, Keys};
use crate::failure::{Failure, Verdict};
use crate::{framing, source};

const FRAMINGS: [(Framing, &str); 3] =
    [(Framing::None, "none"), (Framing::U32, "u32"), (Framing::U32be, "u32be")];

pub(crate) fn run(given: &Report) -> Result<Verdict, Failure> {
    batch::each(given, |(path, _)| {
        let reading = &given.look.reading;
        let unpacked = reading.key().and_then(|key| {
            let keys = Keys { password: reading.password.clone(), key };
            container::unpack(source::read(path, reading)?, &keys, 1 << 30, reading.max_ratio)
        });
        match unpacked {
            Ok((bytes, packed)) => answer(&source::name(path), &bytes, &packed),
            Err(failure) => Answer::failed(failure),
        }
    })
}

fn answer(name: &str, bytes: &[u8], packed: &[&str]) -> Answer {
    let mut guesses = Vec::new();
    for (framing, word) in FRAMINGS {
        let records = framing::records(bytes, framing, &Rules::engine()).map(|(_, records)| records);
        let Ok(records) = records else { continue };
        let in_all = |dialect: &Dialect| {
            let rules = Rules { full_objects: true, dialect: *dialect, ..Rules::safe(Limits::engine()) };
            records.iter().all(|record| validate(&bytes[record.clone()], &rules).is_ok())
        };
        let dialects = match records.as_slice() {
            [] => Vec::new(),
            [one] => guess_dialect(&bytes[one.clone()]),
            _ => Dialect::ALL.into_iter().filter(in_all).collect(),
        };
        guesses.extend(dialects.into_iter().map(|dialect| (dialect_name(dialect), word, records.len())));
    }
    let mut text = String::new();
    for (dialect, framing, count) in &guesses {
        let values = if *count == 1 { "1 value".to_owned() } else { format!("{count} values") };
        text += &format!("{name}: --from {dialect} --framing {framing} ({values}){}\n", layers(packed));
    }
    if guesses.is_empty() {
        text = format!("{name}: no value in any dialect and framing{}\n", layers(packed));
    }
    let list: Vec<_> = guesses
        .iter()
        .map(|(dialect, framing, count)| json!({ "from": dialect, "framing": framing, "values": count }))
        .collect();
    let members = json!({ "ok": !guesses.is_empty(), "layers": packed, "guesses": list });
    Answer { text, members: vec![members], is_bad: guesses.is_empty(), ..Answer::default() }
}

const fn dialect_name(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Godot3 => "godot3",
        Dialect::Documented => "documented",
        _ => "godot4",
    }
}
