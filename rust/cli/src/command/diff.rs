//! `diff`: what became of the values of a file, by path.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use serde_json::json;
use variant_core::{Rules, Strictness};
use variant_text::{Change, Difference, Side};

use crate::arguments::Diff;
use crate::failure::{Failure, Verdict};
use crate::values::Values;
use crate::{paint, source};

const GREEN: &str = "\x1b[32m";
const RED: &str = "\x1b[31m";
const YELLOW: &str = "\x1b[33m";
const PLAIN: &str = "\x1b[0m";

/// The values of both are taken side by side: no more than one of each is held.
pub(crate) fn run(given: &Diff) -> Result<Verdict, Failure> {
    source::asked_for(&[given.before.clone(), given.after.clone()])?;
    let rules = given.reading.rules(Strictness::Engine);
    let mut output = BufWriter::new(anstream::stdout().lock());
    let compared = compare(given, &rules, &mut output);
    output.flush()?;
    match compared {
        Ok(is_same) => Ok(Verdict::of(is_same)),
        Err((path, failure)) if given.json && !failure.is_of_output() => {
            let line = failure.for_scripts(&source::name(path));
            writeln!(output, "{}", paint::shown(&line.to_string()))?;
            output.flush()?;
            Ok(Verdict::Unused)
        }
        Err((path, failure @ Failure::Data(_))) => {
            let mut text = Vec::new();
            paint::failure(&mut text, Some(&source::name(path)), &failure);
            paint::told(&text);
            // As of diff and cmp: 1 is a difference, and nothing could be compared here.
            Ok(Verdict::Unused)
        }
        Err((_, failure)) => Err(failure),
    }
}

/// Whether nothing differs; or what could not be compared, and why.
fn compare<'g>(given: &'g Diff, rules: &Rules, output: &mut impl Write) -> Result<bool, (&'g Path, Failure)> {
    let (first, second) = (given.before.as_path(), given.after.as_path());
    let open = |path| source::open(path, &given.reading, rules).map_err(|failure| (path, failure));
    let (mut before, mut after) = (open(first)?, open(second)?);
    let mut is_same = true;
    loop {
        let at = before.count();
        let a = before.next().map_err(|failure| (first, failure))?;
        let b = after.next().map_err(|failure| (second, failure))?;
        let (Some(a), Some(b)) = (a, b) else { break };
        let compared = variant_text::diff_encoded(a.bytes, b.bytes, rules, &mut |difference| {
            is_same = false;
            tell(output, at, &difference, given.json)
        });
        compared.map_err(|error| (first, error.into()))?.map_err(|(side, error)| match side {
            Side::Before => (first, a.refused(&error)),
            Side::After => (second, b.refused(&error)),
        })?;
    }
    is_same &= same_count(given, &mut before, &mut after, output)?;
    Ok(is_same)
}

/// Whether both ended together; if not, how many values each has is told.
fn same_count<'g>(
    given: &'g Diff,
    before: &mut Values,
    after: &mut Values,
    output: &mut impl Write,
) -> Result<bool, (&'g Path, Failure)> {
    while before.next().map_err(|failure| (given.before.as_path(), failure))?.is_some() {}
    while after.next().map_err(|failure| (given.after.as_path(), failure))?.is_some() {}
    let (before, after) = (before.count(), after.count());
    if before == after {
        return Ok(true);
    }
    let told = match given.json {
        true => writeln!(output, "{}", json!({ "change": "count", "before": before, "after": after })),
        false => writeln!(output, "{before} values before, {after} after"),
    };
    told.map(|()| false).map_err(|error| (given.before.as_path(), error.into()))
}

fn tell(output: &mut impl Write, at: u64, difference: &Difference, is_json: bool) -> io::Result<()> {
    let Difference { path, change, before, after } = difference;
    if is_json {
        let name = change.name();
        let value = |text: &Option<String>| text.as_deref().and_then(|text| serde_json::from_str(text).ok());
        let (before, after): (Option<serde_json::Value>, _) = (value(before), value(after));
        let line = json!({ "value": at, "path": path, "change": name, "before": before, "after": after });
        return writeln!(output, "{}", paint::shown(&line.to_string()));
    }
    let (before, after) = (before.as_deref().unwrap_or_default(), after.as_deref().unwrap_or_default());
    match change {
        Change::Added => writeln!(output, "{GREEN}+ {path}: {after}{PLAIN}"),
        Change::Removed => writeln!(output, "{RED}- {path}: {before}{PLAIN}"),
        Change::Changed => writeln!(output, "{YELLOW}~ {path}: {before} -> {after}{PLAIN}"),
        Change::Reordered => {
            writeln!(output, "{YELLOW}~ {path}: the order of its keys: {before} -> {after}{PLAIN}")
        }
        Change::Rewritten => {
            writeln!(output, "{YELLOW}~ {path}: the same, written otherwise: {before} -> {after}{PLAIN}")
        }
    }
}
