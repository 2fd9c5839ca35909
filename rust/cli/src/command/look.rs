//! `dump`, `outline` and `sizes`: one input after another, written while it is walked.

use std::io::{self, BufWriter, Write};

use serde_json::json;
use variant_core::{Error, Extent, Rules, Strictness};
use variant_text::SizeReport;

use crate::arguments::{Framing, Look, Outline, Sizes};
use crate::batch::{self, Answer};
use crate::failure::{Failure, Verdict};
use crate::{paint, source};

pub(crate) fn dump(given: &Look) -> Result<Verdict, Failure> {
    let rules = given.reading.rules(Strictness::Engine);
    each_value(given, &rules, true, |bytes, output| variant_text::dump(bytes, &rules, output))
}

pub(crate) fn outline(given: &Outline) -> Result<Verdict, Failure> {
    let rules = given.look.reading.rules(Strictness::Engine);
    let depth = given.depth.unwrap_or(usize::MAX);
    each_value(&given.look, &rules, true, |bytes, output| variant_text::outline(bytes, &rules, depth, output))
}

/// The standard output, without colours where none are wanted.
pub(super) type Output = BufWriter<anstream::AutoStream<io::StdoutLock<'static>>>;

/// Shows every value of every input. A value that is refused is shown as far as it goes; the others are shown
/// too.
pub(super) fn each_value(
    look: &Look,
    rules: &Rules,
    has_headings: bool,
    mut show: impl FnMut(&[u8], &mut Output) -> io::Result<Result<Extent, Error>>,
) -> Result<Verdict, Failure> {
    let mut output = BufWriter::new(anstream::stdout().lock());
    let mut is_good = true;
    for file in batch::files(&look.inputs) {
        let (path, _) = file?;
        let blob = match source::load(&path, &look.reading, rules) {
            Ok(blob) => blob,
            Err(failure @ Failure::Data(_)) => {
                is_good = false;
                output.flush()?;
                paint::failure(Some(&source::name(&path)), &failure);
                continue;
            }
            Err(failure) => return Err(failure),
        };
        if has_headings && (look.inputs.len() > 1 || path.is_dir() || !blob.layers.is_empty()) {
            writeln!(output, "{}{}", blob.name, layers(&blob.layers))?;
        }
        for (at, (value, record)) in blob.values().zip(&blob.records).enumerate() {
            if has_headings && blob.framing != Framing::None {
                writeln!(output, "value {at}: {} bytes at byte {}", value.len(), record.start)?;
            }
            if let Err(error) = show(value, &mut output)? {
                is_good = false;
                output.flush()?;
                paint::failure(Some(&blob.name_of(at)), &Failure::refusal(&error, value));
            }
        }
    }
    output.flush()?;
    Ok(Verdict::of(is_good))
}

/// What an input was packed in, in brackets.
pub(super) fn layers(layers: &[&str]) -> String {
    if layers.is_empty() { String::new() } else { format!(" ({})", layers.join(", ")) }
}

pub(crate) fn sizes(given: &Sizes) -> Result<Verdict, Failure> {
    let report = &given.report;
    let rules = report.look.reading.rules(Strictness::Engine);
    batch::each(report, |(path, _)| {
        let blob = match source::load(path, &report.look.reading, &rules) {
            Ok(blob) => blob,
            Err(failure) => return Answer::failed(failure),
        };
        let mut answer = Answer::default();
        for (at, value) in blob.values().enumerate() {
            match variant_text::sizes(value, &rules) {
                Ok(sizes) => {
                    answer.text += &size_table(&blob.name_of(at), &sizes, given.most);
                    answer.members.push(size_members(at, &sizes));
                }
                Err(error) => answer.failure = Some(Failure::refusal(&error, value)),
            }
        }
        answer
    })
}

fn size_table(name: &str, sizes: &SizeReport, most: usize) -> String {
    let mut text = format!("{name}: {} bytes\n", sizes.total);
    let share = |bytes: u64| bytes as f64 * 100.0 / sizes.total.max(1) as f64;
    for (place, tally) in sizes.places.iter().take(most) {
        text +=
            &format!("{:>10}  {:>5.1} %  {:>7} x  {place}\n", tally.bytes, share(tally.bytes), tally.values);
    }
    if let Some(hidden) = sizes.places.len().checked_sub(most).filter(|hidden| *hidden > 0) {
        text += &format!("            {hidden} more places\n");
    }
    text += "by type\n";
    for (ty, tally) in &sizes.types {
        text += &format!("{:>10}  {:>5.1} %  {:>7} x  {ty}\n", tally.bytes, share(tally.bytes), tally.values);
    }
    text
}

fn size_members(at: usize, sizes: &SizeReport) -> serde_json::Value {
    let places = sizes
        .places
        .iter()
        .map(|(place, tally)| json!({ "path": place, "bytes": tally.bytes, "values": tally.values }));
    let types = sizes
        .types
        .iter()
        .map(|(ty, tally)| json!({ "type": ty.name(), "bytes": tally.bytes, "values": tally.values }));
    let (places, types): (Vec<_>, Vec<_>) = (places.collect(), types.collect());
    json!({ "value": at, "total": sizes.total, "places": places, "types": types })
}
