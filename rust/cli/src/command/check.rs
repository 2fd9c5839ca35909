//! `check`: is every value of every file what strictness, limits and a schema allow?

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use serde_json::json;
use variant_core::{Error, ErrorKind, Fault, Progress, PushDecoder, Rules, Skip, Strictness, validate};
use variant_schema::{Checker, Program};

use super::look::layers;
use super::schema;
use crate::arguments::Check;
use crate::batch;
use crate::failure::{BadData, Excerpt, Failure, Verdict};
use crate::source;
use crate::values::{One, Values};

pub(crate) fn run(given: &Check) -> Result<Verdict, Failure> {
    let look = &given.report.look;
    let rules = look.reading.rules(Strictness::Safe);
    let program = given.schema.as_deref().map(schema::load).transpose()?;
    batch::each(look, given.report.json, |(path, _), account| {
        let mut values = source::open(path, &look.reading, &rules)?;
        if program.is_none() && values.is_large_whole() {
            judge_in_pieces(&mut values, path, &rules)?;
        }
        while let Some(one) = values.next()? {
            judge(&one, &rules, program.as_ref(), given.most)?;
        }
        let (counted, bytes, layers_told) = (values.counted(), values.bytes(), layers(&values.layers));
        Ok(account.tell(
            &format!("{}: ok, {counted}, {bytes} bytes{layers_told}\n", values.name),
            || json!({ "ok": true, "values": values.count(), "bytes": bytes, "layers": values.layers }),
        )?)
    })
}

fn judge(one: &One<'_>, rules: &Rules, program: Option<&Program>, most: usize) -> Result<(), Failure> {
    validate(one.bytes, rules).map_err(|error| one.refused(&error))?;
    let Some(program) = program else { return Ok(()) };
    // One is always asked for: the verdict has to be right whatever is shown.
    let found = Checker::new().violations(program, one.bytes, rules, most.max(1));
    if found.is_empty() { Ok(()) } else { Err(one.numbered(Failure::violations(found, one.bytes))) }
}

/// One value that is not held: it may have any size that the limits allow.
fn judge_in_pieces(values: &mut Values, path: &Path, rules: &Rules) -> Result<(), Failure> {
    let mut decoder = PushDecoder::new(Skip, *rules);
    let mut verdict = None;
    let mut trailing = 0;
    let mut end = 0;
    values.pieces(|piece| {
        match &verdict {
            Some(Ok(())) => trailing += piece.len() as u64,
            Some(Err(_)) => {}
            None => match decoder.feed(piece) {
                Ok(Progress::NeedMore { .. }) => end += piece.len() as u64,
                Ok(Progress::Done { unused, .. }) => {
                    end += (piece.len() - unused) as u64;
                    trailing = unused as u64;
                    verdict = Some(Ok(()));
                }
                Err(error) => verdict = Some(Err(error)),
            },
        }
        !matches!(verdict, Some(Err(_)))
    })?;
    let verdict = verdict.unwrap_or_else(|| decoder.finish());
    let verdict = verdict.and_then(|()| match trailing {
        count @ 1.. if rules.is_safe() => {
            let fault = Fault::new(ErrorKind::TrailingBytes { count }, end);
            Err(Error::new(fault, variant_core::Path::default()))
        }
        _ => Ok(()),
    });
    verdict.map_err(|error| {
        let around = window(path, error.offset()).unwrap_or_default();
        let (start, bytes) = around;
        Failure::Data(Box::new(BadData::refusal(&error, Excerpt { bytes, start, at: error.offset() })))
    })
}

/// The bytes around a place of a file, and where they begin.
fn window(path: &Path, at: u64) -> Option<(u64, Vec<u8>)> {
    let start = at.saturating_sub(32) / 16 * 16;
    let mut file = File::open(path).ok()?;
    file.seek(SeekFrom::Start(start)).ok()?;
    let mut bytes = Vec::new();
    file.take(at - start + 16).read_to_end(&mut bytes).ok()?;
    Some((start, bytes))
}
