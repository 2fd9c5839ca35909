//! `check`: is every value of every file what strictness, limits and a schema allow?

use std::path::Path;

use serde_json::json;
use variant_core::{Error, ErrorKind, Fault, Rules, Strictness};
use variant_objects::{Scratch, Table, is_encoded_document as is_document};
use variant_schema::{Checker, Program, Schema};
use variant_text::sniff::{InputHead, LOOKED_AT};

use super::look::layers;
use super::schema;
use crate::arguments::{Check, Framing};
use crate::batch;
use crate::failure::{BadData, Excerpt, Failure, Outcome};
use crate::pieces::{PieceRun, RunEnd};
use crate::values::{EncodedValue, ValueStream, counted, numbered};
use crate::{hint, source};

pub(crate) fn run(given: &Check) -> Result<Outcome, Failure> {
    let look = &given.report.look;
    let rules = look.reading.rules(Strictness::Safe);
    let schema = given.schema.as_deref().map(schema::load).transpose()?;
    batch::each(look, given.report.format, |(path, _), account| {
        let mut values = source::open(path, &look.reading, &rules)?;
        let first = || source::part(path, values.skipped, LOOKED_AT as u64).unwrap_or_default();
        if schema.is_none() && values.is_large_whole() && !is_document(&first()) {
            judge_in_pieces(&mut values, path, &rules)?;
        }
        while let Some(one) = values.next()? {
            judge(&one, &rules, schema.as_ref(), given.most)?;
        }
        let ValueStream { name, layers: packed, count, position: bytes, .. } = &values;
        let text = format!("{name}: ok, {}, {bytes} bytes{}\n", counted(*count), layers(packed));
        Ok(account
            .tell(&text, || json!({ "ok": true, "values": count, "bytes": bytes, "layers": packed }))?)
    })
}

fn judge(
    one: &EncodedValue<'_>,
    rules: &Rules,
    schema: Option<&(Schema, Program)>,
    most: usize,
) -> Result<(), Failure> {
    if is_document(one.bytes) {
        return judge_document(one, rules, schema.map(|(schema, _)| schema));
    }
    one.check(rules)?;
    let Some((_, program)) = schema else { return Ok(()) };
    // One more is asked for: the verdict has to be right whatever is shown, and that there are more is told.
    let found = Checker::new().violations(program, one.bytes, rules, most.saturating_add(1));
    if found.is_empty() { Ok(()) } else { Err(one.numbered(Failure::violations(found, most, one.bytes))) }
}

/// A document of objects: its form, every reference and every row, by the classes that it tells itself. A schema is that of
/// its value, and may define what the properties of classes have to be.
fn judge_document(one: &EncodedValue<'_>, rules: &Rules, schema: Option<&Schema>) -> Result<(), Failure> {
    let table = match schema {
        Some(schema) => Table::of_document_by(one.bytes, rules, schema),
        None => Table::of_document(one.bytes, rules),
    };
    let table = table.map_err(Failure::data)?;
    let checked = table.check(&mut Scratch::default(), one.bytes, rules, schema);
    let checked =
        checked.map_err(|rejection| one.numbered(Failure::violations(vec![rejection], 1, one.bytes)))?;
    one.left_over(&checked.extent).map_or(Ok(()), Err)
}

/// Values one after another that are not held: each may have any size that the limits allow.
fn judge_in_pieces(values: &mut ValueStream, path: &Path, rules: &Rules) -> Result<(), Failure> {
    let mut run = PieceRun::new(values.framing, *rules);
    values.pieces(|piece| run.feed(piece))?;
    run.memory().map_err(|error| Failure::file(path, error))?;
    let ended = run.finish();
    values.count = run.count;
    let (error, start, at) = match ended {
        RunEnd::Whole => return Ok(()),
        RunEnd::Refused { began, error } => (error, began, run.count),
        RunEnd::LeftOver { began, ended } => {
            let count = values.size().unwrap_or(0).saturating_sub(ended);
            let fault = Fault::new(ErrorKind::TrailingBytes { count }, ended - began);
            (Error::new(fault, variant_core::Path::default()), began, run.count - 1)
        }
    };
    let (first, bytes) = window(path, values.skipped + start, error.offset()).unwrap_or_default();
    let excerpt = Excerpt { bytes, start: first, at: error.offset() };
    let mut refused = BadData::refusal(&error, excerpt);
    if (at == 0 || values.framing == Framing::Auto)
        && let Ok(first) = source::part(path, values.skipped, LOOKED_AT as u64)
    {
        let head = InputHead::new(&first, values.size().unwrap_or(0));
        refused.hint = hint::on(&head, rules.dialect, error.kind(), values.framing == Framing::Auto);
    }
    Err(numbered(Failure::Data(Box::new(refused)), at, at == 0))
}

/// The bytes around a place of the value that begins there, and where in it they begin.
fn window(path: &Path, value: u64, at: u64) -> Option<(u64, Vec<u8>)> {
    let start = at.saturating_sub(32) / 16 * 16;
    Some((start, source::part(path, value + start, at - start + 16).ok()?))
}
