//! `diff`: what became of the values of a file, by path.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use serde_json::json;
use variant_core::{Rules, Strictness, Value};
use variant_text::{Change, Difference};

use crate::arguments::Diff;
use crate::failure::{Failure, Verdict};
use crate::{paint, source};

const GREEN: &str = "\x1b[32m";
const RED: &str = "\x1b[31m";
const YELLOW: &str = "\x1b[33m";
const PLAIN: &str = "\x1b[0m";

pub(crate) fn run(given: &Diff) -> Result<Verdict, Failure> {
    let rules = given.reading.rules(Strictness::Engine);
    let mut values = Vec::new();
    for path in [&given.before, &given.after] {
        match read(path, given, &rules) {
            Ok(read) => values.push(read),
            Err(failure @ Failure::Data(_)) => {
                paint::failure(Some(&source::name(path)), &failure);
                return Ok(Verdict::Bad);
            }
            Err(failure) => return Err(failure),
        }
    }
    let [before, after] = values.as_slice() else { return Ok(Verdict::Bad) };
    let mut output = BufWriter::new(anstream::stdout().lock());
    let mut is_same = before.len() == after.len();
    if !is_same {
        writeln!(output, "{} values before, {} after", before.len(), after.len())?;
    }
    for (at, (before, after)) in before.iter().zip(after).enumerate() {
        variant_text::diff(before, after, &mut |difference| {
            is_same = false;
            tell(&mut output, at, &difference, given.json)
        })?;
    }
    output.flush()?;
    Ok(Verdict::of(is_same))
}

fn read(path: &Path, given: &Diff, rules: &Rules) -> Result<Vec<Value>, Failure> {
    let blob = source::load(path, &given.reading, rules)?;
    let read = |bytes| variant_core::decode(bytes, rules).map_err(|error| Failure::refusal(&error, bytes));
    blob.values().map(read).collect()
}

fn tell(output: &mut impl Write, at: usize, difference: &Difference, is_json: bool) -> io::Result<()> {
    let Difference { path, change, before, after } = difference;
    if is_json {
        let name = change.name();
        let value = |text: &Option<String>| text.as_deref().and_then(|text| serde_json::from_str(text).ok());
        let (before, after): (Option<serde_json::Value>, _) = (value(before), value(after));
        return writeln!(
            output,
            "{}",
            json!({ "value": at, "path": path, "change": name, "before": before, "after": after })
        );
    }
    let (before, after) = (before.as_deref().unwrap_or_default(), after.as_deref().unwrap_or_default());
    match change {
        Change::Added => writeln!(output, "{GREEN}+ {path}: {after}{PLAIN}"),
        Change::Removed => writeln!(output, "{RED}- {path}: {before}{PLAIN}"),
        Change::Changed => writeln!(output, "{YELLOW}~ {path}: {before} -> {after}{PLAIN}"),
    }
}
