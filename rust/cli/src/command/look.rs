//! `dump`, `outline` and `sizes`: every value, written while it is walked.

use std::io::{self, Write};

use serde_json::json;
use variant_core::{Error, Extent, Path, Rules, Strictness};
use variant_text::{Document, Field, FieldPart, Hex, OutlineNode, ShownPath, SizeReport, Tally};

use crate::arguments::{Dump, Format, Outline, ReadOptions, Report, Sizes};
use crate::batch;
use crate::batch_report::Account;
use crate::failure::{Failure, Outcome};
use crate::source;
use crate::values::EncodedValue;

pub(crate) fn dump(given: &Dump) -> Result<Outcome, Failure> {
    let Dump { report: given, packed } = given;
    if let Some(schema) = &packed.schema {
        return super::packed::dump(&given.look, schema, packed.tag, given.format);
    }
    let rules = given.look.reading.rules(Strictness::Engine);
    each_value(&given.look, &rules, given.format, Heading::Shown, |one, output| {
        match given.format.is_json() {
            true => {
                let document = Document::of(one.bytes, &rules);
                let tell = &mut |field: &Field<'_>| tell_field(output, one, field, document.as_ref());
                variant_text::fields(one.bytes, &rules, tell)
            }
            false => variant_text::dump(one.bytes, &rules, output),
        }
    })
}

pub(crate) fn outline(given: &Outline) -> Result<Outcome, Failure> {
    let Report { look, format } = &given.report;
    let rules = look.reading.rules(Strictness::Engine);
    let depth = given.depth.unwrap_or(usize::MAX);
    if let Some(schema) = &given.packed.schema {
        return super::packed::outline(look, schema, given.packed.tag, depth, *format);
    }
    each_value(look, &rules, *format, Heading::Shown, |one, output| match format.is_json() {
        true => {
            let document = Document::of(one.bytes, &rules);
            let tell = &mut |node: &OutlineNode<'_>| tell_node(output, one, node, document.as_ref());
            variant_text::nodes(one.bytes, &rules, depth, tell)
        }
        false => variant_text::outline(one.bytes, &rules, depth, output),
    })
}

/// Writes a field for scripts. The value and all bytes, which may be large, are written as they go, behind
/// the rest.
fn tell_field(
    output: &mut Account,
    one: &EncodedValue<'_>,
    field: &Field<'_>,
    document: Option<&Document>,
) -> io::Result<()> {
    let mut members = json!({
        "value": one.at,
        "value_start": one.start,
        "byte_offset": field.offset,
        "bytes": field.bytes.len(),
        "field": field.part.name(),
        "path": ShownPath::told(field.path).to_string(),
        "flags": field.flags,
        "text": field.text,
    });
    if !field.type_name.is_empty() {
        members["type"] = field.type_name.as_str().into();
    }
    name_objects(&mut members, document, field.path, |document| field.reference(document));
    output.begin(members)?;
    write!(output, ",\"hex\":\"{}\"", Hex(field.bytes))?;
    if field.part == FieldPart::Value {
        output.write_all(b",\"data\":")?;
        field.write_json(output)?;
    }
    output.write_all(b"}\n")
}

/// Names a place in a document of objects, and the object that a reference is to.
fn name_objects(
    members: &mut serde_json::Value,
    document: Option<&Document>,
    path: &Path,
    reference: impl FnOnce(&Document) -> Option<String>,
) {
    let Some(document) = document else { return };
    members["place"] = ShownPath::told(&document.path(path)).to_string().into();
    if let Some(object) = reference(document) {
        members["object"] = object.into();
    }
}

fn tell_node(
    output: &mut Account,
    one: &EncodedValue<'_>,
    node: &OutlineNode<'_>,
    document: Option<&Document>,
) -> io::Result<()> {
    let mut members = json!({
        "value": one.at,
        "path": ShownPath::told(node.path).to_string(),
        "byte_offset": node.offset,
        "depth": node.depth,
        "type": node.type_name,
        "bytes": node.bytes,
        "text": node.text,
    });
    if let Some(count) = node.count {
        members["count"] = count.into();
    }
    name_objects(&mut members, document, node.path, |document| document.reference(node.rid?));
    output.begin(members)?;
    output.write_all(b"}\n")
}

/// The line that stands above a value, for people: in JSON every line names its file and value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Heading {
    /// Nothing: the values alone.
    None,
    /// The input's name where there are more, and the value's place.
    Shown,
}

/// Shows every value of every input. A value that is refused is shown as far as it goes; the others are shown
/// too.
pub(super) fn each_value(
    look: &ReadOptions,
    rules: &Rules,
    format: Format,
    heading: Heading,
    show: impl Fn(&EncodedValue<'_>, &mut Account) -> io::Result<Result<Extent, Error>> + Sync,
) -> Result<Outcome, Failure> {
    let has_headings = heading == Heading::Shown && !format.is_json();
    batch::each(look, format, |(path, _), account| {
        let mut values = source::open(path, &look.reading, rules)?;
        if has_headings && (look.are_many() || !values.layers.is_empty()) {
            writeln!(account, "{}{}", values.name, layers(&values.layers))?;
        }
        let (is_framed, is_live) = (values.framing.has_lengths(), values.is_live());
        while let Some(one) = values.next()? {
            if has_headings && (is_framed || !one.is_only) {
                writeln!(account, "value {}: {} bytes at byte {}", one.at, one.bytes.len(), one.start)?;
            }
            match show(&one, account)? {
                Err(error) => account.fail(&one.refused(&error))?,
                Ok(extent) => one.left_over(&extent).iter().try_for_each(|failure| account.fail(failure))?,
            }
            if is_live {
                account.send()?;
            }
        }
        Ok(())
    })
}

/// Returns, in brackets, what an input was packed in.
pub(super) fn layers(layers: &[&str]) -> String {
    if layers.is_empty() { String::new() } else { format!(" ({})", layers.join(", ")) }
}

pub(crate) fn sizes(given: &Sizes) -> Result<Outcome, Failure> {
    let look = &given.report.look;
    let rules = look.reading.rules(Strictness::Engine);
    batch::each(look, given.report.format, |(path, _), account| {
        let mut values = source::open(path, &look.reading, &rules)?;
        let name = values.name.clone();
        while let Some(one) = values.next()? {
            match variant_text::sizes_merging(one.bytes, &rules, &given.merge_keys) {
                Ok(sizes) => {
                    let table = size_table(&one.name(&name), &sizes, given.most);
                    account.tell(&table, || size_members(one.at, &sizes))?;
                    let trailing = (one.bytes.len() as u64).saturating_sub(sizes.total);
                    let extent = Extent { consumed: sizes.total, trailing };
                    one.left_over(&extent).iter().try_for_each(|failure| account.fail(failure))?;
                }
                Err(error) => account.fail(&one.refused(&error))?,
            }
        }
        Ok(())
    })
}

fn size_table(name: &str, sizes: &SizeReport, most: usize) -> String {
    let mut text = format!("{name}: {} bytes\n", sizes.total);
    let row = |name: &str, tally: &Tally| {
        let share = tally.bytes as f64 * 100.0 / sizes.total.max(1) as f64;
        format!("{:>10}  {share:>5.1} %  {:>7} x  {name}\n", tally.bytes, tally.values)
    };
    sizes.places.iter().take(most).for_each(|(place, tally)| text += &row(place, tally));
    if let Some(hidden) = sizes.places.len().checked_sub(most).filter(|hidden| *hidden > 0) {
        text += &format!("            {hidden} more places\n");
    }
    text += "by type\n";
    sizes.types.iter().for_each(|(ty, tally)| text += &row(ty.name(), tally));
    text
}

fn size_members(at: u64, sizes: &SizeReport) -> serde_json::Value {
    let row = |kind: &str, name: &str, tally: &Tally| json!({ kind: name, "bytes": tally.bytes, "values": tally.values });
    let places: Vec<_> = sizes.places.iter().map(|(place, tally)| row("path", place, tally)).collect();
    let types: Vec<_> = sizes.types.iter().map(|(ty, tally)| row("type", ty.name(), tally)).collect();
    json!({ "value": at, "total": sizes.total, "places": places, "types": types })
}
