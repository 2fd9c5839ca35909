//! `diff`: what became of the values of a file, by path.

use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::slice::from_ref;

use serde_json::json;
use variant_core::Strictness;
use variant_text::{Change, Difference, Side};

use crate::arguments::{Diff, Format};
use crate::failure::{Failure, Outcome};
use crate::{batch, paint, source};

const GREEN: &str = "\x1b[32m";
const RED: &str = "\x1b[31m";
const YELLOW: &str = "\x1b[33m";
const PLAIN: &str = "\x1b[0m";

/// Two files that are compared, and their name where they are of a folder.
struct TwoFiles<'p> {
    before: &'p Path,
    after: &'p Path,
    below: Option<String>,
}

pub(crate) fn run(given: &Diff) -> Result<Outcome, Failure> {
    source::asked_for(&[given.before.clone(), given.after.clone()])?;
    let mut output = BufWriter::new(anstream::stdout().lock());
    let (before, after) = (given.before.as_path(), given.after.as_path());
    let compared = match (before.is_dir(), after.is_dir()) {
        (true, true) => folders(given, &mut output),
        (false, false) => file(given, &TwoFiles { before, after, below: None }, &mut output),
        _ => Err(Failure::misuse("name two files or two folders")),
    };
    output.flush()?;
    compared
}

/// Compares the files that have one name in both folders, and tells of the others.
fn folders(given: &Diff, output: &mut impl Write) -> Result<Outcome, Failure> {
    let [mut before, mut after] =
        [&given.before, &given.after].map(|folder| batch::files(from_ref(folder)).peekable());
    let (mut is_same, mut is_used) = (true, true);
    loop {
        let unread =
            [&mut before, &mut after].into_iter().find_map(|walk| walk.next_if(Result::is_err)?.err());
        if let Some((path, error)) = unread {
            return Err(Failure::file(&path, error));
        }
        let (a, b) = (before.peek(), after.peek());
        let [a, b] =
            [a, b].map(|step| step.and_then(|step| step.as_ref().ok()).map(|(_, below)| below.clone()));
        let Some(first) = [&a, &b].into_iter().flatten().min() else { break };
        let name = source::shown(first);
        let (is_before, is_after) = (a.as_ref() == Some(first), b.as_ref() == Some(first));
        let found = (is_before.then(|| before.next()), is_after.then(|| after.next()));
        if let (Some(Some(Ok((before, _)))), Some(Some(Ok((after, _))))) = found {
            let verdict =
                file(given, &TwoFiles { before: &before, after: &after, below: Some(name) }, output)?;
            is_same &= verdict == Outcome::Good;
            is_used &= verdict != Outcome::Unused;
            continue;
        }
        is_same = false;
        let (mark, change) = if is_before { ('-', "removed") } else { ('+', "added") };
        match given.format.is_json() {
            true => writeln!(output, "{}", json!({ "file": name, "change": change }))?,
            false => writeln!(output, "{mark} {name}")?,
        }
    }
    Ok(if is_used { Outcome::of(is_same) } else { Outcome::Unused })
}

/// Compares two files. The values of both are taken side by side: no more than one of each is held.
fn file(given: &Diff, pair: &TwoFiles<'_>, output: &mut impl Write) -> Result<Outcome, Failure> {
    match compare(given, pair, output) {
        Ok(is_same) => Ok(Outcome::of(is_same)),
        Err((path, failure)) if given.format.is_json() && !failure.is_of_output() => {
            let line = failure.for_scripts(&source::name(path));
            writeln!(output, "{}", paint::shown(&line.to_string()))?;
            Ok(Outcome::Unused)
        }
        Err((path, failure @ Failure::Data(_))) => {
            output.flush()?;
            paint::tell(Some(path), &failure);
            // As of diff and cmp: 1 is a difference, and nothing could be compared here.
            Ok(Outcome::Unused)
        }
        Err((_, failure)) => Err(failure),
    }
}

/// Whether nothing differs; or what could not be compared, and why.
fn compare<'p>(
    given: &Diff,
    pair: &TwoFiles<'p>,
    output: &mut impl Write,
) -> Result<bool, (&'p Path, Failure)> {
    let (first, second) = (pair.before, pair.after);
    let rules = given.reading.rules(Strictness::Engine);
    let open = |path| source::open(path, &given.reading, &rules).map_err(|failure| (path, failure));
    let (mut before, mut after) = (open(first)?, open(second)?);
    let mut is_same = true;
    loop {
        let at = before.count;
        let a = before.next().map_err(|failure| (first, failure))?;
        let b = after.next().map_err(|failure| (second, failure))?;
        let (Some(a), Some(b)) = (a, b) else { break };
        let compared = variant_text::diff_encoded(a.bytes, b.bytes, &rules, &mut |difference| {
            is_same = false;
            tell(output, pair.below.as_deref(), at, &difference, given.format)
        });
        compared.map_err(|error| (first, error.into()))?.map_err(|(side, error)| match side {
            Side::Before => (first, a.refused(&error)),
            Side::After => (second, b.refused(&error)),
        })?;
    }
    while before.next().map_err(|failure| (first, failure))?.is_some() {}
    while after.next().map_err(|failure| (second, failure))?.is_some() {}
    let (before, after) = (before.count, after.count);
    if before == after {
        return Ok(is_same);
    }
    let mut members = json!({ "change": "count", "before": before, "after": after });
    if let Some(below) = &pair.below {
        members["file"] = below.as_str().into();
    }
    let told = match given.format.is_json() {
        true => writeln!(output, "{members}"),
        false => writeln!(output, "{}{before} values before, {after} after", inside(pair.below.as_deref())),
    };
    told.map(|()| false).map_err(|error| (first, error.into()))
}

/// Returns the name of a file of a folder, as it stands in front of a line.
fn inside(below: Option<&str>) -> String {
    below.map_or(String::new(), |name| format!("{name}: "))
}

fn tell(
    output: &mut impl Write,
    below: Option<&str>,
    at: u64,
    difference: &Difference,
    format: Format,
) -> io::Result<()> {
    let Difference { path, change, before, after } = difference;
    if format.is_json() {
        let name = change.name();
        let value = |text: &Option<String>| text.as_deref().and_then(|text| serde_json::from_str(text).ok());
        let (before, after): (Option<serde_json::Value>, _) = (value(before), value(after));
        let mut line = json!({ "value": at, "path": path, "change": name, "before": before, "after": after });
        if let Some(below) = below {
            line["file"] = below.into();
        }
        return writeln!(output, "{}", paint::shown(&line.to_string()));
    }
    let (before, after) = (before.as_deref().unwrap_or_default(), after.as_deref().unwrap_or_default());
    let values = match change {
        Change::Added => after.to_owned(),
        Change::Removed => before.to_owned(),
        Change::Changed => format!("{before} -> {after}"),
        Change::Reordered => format!("the order of its keys: {before} -> {after}"),
        Change::Rewritten => format!("the same, written otherwise: {before} -> {after}"),
    };
    let (colour, mark) = match change {
        Change::Added => (GREEN, '+'),
        Change::Removed => (RED, '-'),
        _ => (YELLOW, '~'),
    };
    writeln!(output, "{colour}{mark} {}{path}: {values}{PLAIN}", inside(below))
}
