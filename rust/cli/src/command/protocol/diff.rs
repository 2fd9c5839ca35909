//! `protocol diff`: what changed between two versions of a protocol, and whether both can still talk to each other.

use std::io::Write;

use serde_json::json;
use variant_protocol::Change;

use super::load;
use crate::arguments::ProtocolDiff;
use crate::failure::{Failure, Outcome};
use crate::{paint, source};

const RED: &str = "\x1b[31m";
const GREEN: &str = "\x1b[32m";
const PLAIN: &str = "\x1b[0m";

pub(super) fn run(given: &ProtocolDiff) -> Result<Outcome, Failure> {
    source::asked_for(&[given.before.clone(), given.after.clone()])?;
    let mut loaded = Vec::new();
    for file in [&given.before, &given.after] {
        paint::verdict(file, given.format, load(file).map(|protocol| loaded.push(protocol)))?;
    }
    let [before, after] = &loaded[..] else { return Ok(Outcome::Bad) };
    let changes = variant_protocol::diff(&before.spec, &before.table, &after.spec, &after.table);
    let mut output = anstream::stdout().lock();
    for change in &changes {
        if given.format.is_json() {
            let Change { message, words, category } = change;
            let (breaks, category) = (change.breaks(), category.name());
            let line = json!({ "message": message, "change": words, "breaks": breaks, "category": category });
            writeln!(output, "{}", paint::shown(&line.to_string()))?;
        } else {
            let (colour, word) = if change.breaks() { (RED, "breaks") } else { (GREEN, "keeps") };
            writeln!(
                output,
                "{colour}{word:<6}{PLAIN} {}",
                paint::shown(&format!("{}: {}", change.message, change.words))
            )?;
        }
    }
    Ok(Outcome::of(changes.iter().all(|change| change.category > given.breaking)))
}
