//! `dump`, `outline` and `sizes`: every value, written while it is walked.

use std::io::{self, Write};

use serde_json::json;
use variant_core::{Error, Extent, Rules, Strictness};
use variant_text::SizeReport;

use crate::account::Account;
use crate::arguments::{Framing, Look, Outline, Sizes};
use crate::batch;
use crate::failure::{Failure, Verdict};
use crate::source;

pub(crate) fn dump(given: &Look) -> Result<Verdict, Failure> {
    let rules = given.reading.rules(Strictness::Engine);
    each_value(given, &rules, true, |bytes, output| variant_text::dump(bytes, &rules, output))
}

pub(crate) fn outline(given: &Outline) -> Result<Verdict, Failure> {
    let rules = given.look.reading.rules(Strictness::Engine);
    let depth = given.depth.unwrap_or(usize::MAX);
    each_value(&given.look, &rules, true, |bytes, output| variant_text::outline(bytes, &rules, depth, output))
}

/// Shows every value of every input. A value that is refused is shown as far as it goes; the others are shown
/// too.
pub(super) fn each_value(
    look: &Look,
    rules: &Rules,
    has_headings: bool,
    show: impl Fn(&[u8], &mut Account<'_>) -> io::Result<Result<Extent, Error>> + Sync,
) -> Result<Verdict, Failure> {
    let are_many = look.inputs.len() > 1 || look.inputs.iter().any(|input| input.is_dir());
    batch::each(look, false, |(path, _), account| {
        let mut values = source::open(path, &look.reading, rules)?;
        if has_headings && (are_many || !values.layers.is_empty()) {
            writeln!(account, "{}{}", values.name, layers(&values.layers))?;
        }
        let is_framed = values.framing != Framing::None;
        while let Some(one) = values.next()? {
            if has_headings && is_framed {
                writeln!(account, "value {}: {} bytes at byte {}", one.at, one.bytes.len(), one.start)?;
            }
            if let Err(error) = show(one.bytes, account)? {
                account.fail(&one.numbered(Failure::refusal(&error, one.bytes)))?;
            }
        }
        Ok(())
    })
}

/// What an input was packed in, in brackets.
pub(super) fn layers(layers: &[&str]) -> String {
    if layers.is_empty() { String::new() } else { format!(" ({})", layers.join(", ")) }
}

pub(crate) fn sizes(given: &Sizes) -> Result<Verdict, Failure> {
    let look = &given.report.look;
    let rules = look.reading.rules(Strictness::Engine);
    batch::each(look, given.report.json, |(path, _), account| {
        let mut values = source::open(path, &look.reading, &rules)?;
        let name = values.name.clone();
        while let Some(one) = values.next()? {
            match variant_text::sizes(one.bytes, &rules) {
                Ok(sizes) => {
                    let table = size_table(&one.name(&name), &sizes, given.most);
                    account.tell(&table, || size_members(one.at, &sizes))?;
                }
                Err(error) => account.fail(&one.numbered(Failure::refusal(&error, one.bytes)))?,
            }
        }
        Ok(())
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

fn size_members(at: u64, sizes: &SizeReport) -> serde_json::Value {
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
