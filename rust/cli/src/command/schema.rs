//! `schema infer`, and schema files for other commands. `variant-schema` says what a schema means.

use std::io::Write;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use variant_core::{Mistakes, Strictness, ToValue, VariantType, Walker};
use variant_schema::{Program, Samples, Schema};

use crate::arguments::{Format, ReadOptions};
use crate::failure::{Failure, Outcome};
use crate::{batch, paint, source};

/// The schema of a file. A mistake in it is a wrong call: the data is not to blame.
pub(crate) fn load(path: &Path) -> Result<(Schema, Program), Failure> {
    let text = String::from_utf8(source::text(path)?)
        .map_err(|_| Failure::misuse(format!("{}: expected JSON in UTF-8", source::shown(path))))?;
    // Objects stand in documents alone; elsewhere, a reference to one is an RID.
    let program = Schema::from_json(&text).and_then(|schema| {
        Ok((schema.clone(), variant_objects::with_objects_as(&schema, VariantType::Rid).compile()?))
    });
    program.map_err(|mistakes| mistaken(path, &mistakes))
}

/// Tells all mistakes of the schema in a file, each on a line of its own.
pub(crate) fn mistaken(path: &Path, mistakes: &Mistakes) -> Failure {
    let lines = mistakes
        .iter()
        .map(|mistake| format!("{}: {}", source::shown(path), paint::shown(&mistake.to_string())));
    Failure::misuse(lines.collect::<Vec<_>>().join("\n"))
}

/// Only what was seen is kept, so the samples may be many.
pub(crate) fn infer(given: &ReadOptions) -> Result<Outcome, Failure> {
    let rules = given.reading.rules(Strictness::Safe);
    // Of nothing there is no schema: that accepts everything.
    let all: Mutex<Option<Samples>> = Mutex::default();
    let verdict = batch::each(given, Format::Text, |(path, _), _| {
        let mut values = source::open(path, &given.reading, &rules)?;
        let mut seen: Option<Samples> = None;
        let mut walked = Ok(());
        while let (Ok(()), Some(one)) = (&walked, values.next()?) {
            match Walker::new().decode(one.bytes, &rules, &mut ToValue) {
                Ok((value, _)) => seen.get_or_insert_default().add(&value),
                Err(error) => walked = Err(one.refused(&error)),
            }
        }
        if let Some(seen) = seen {
            all.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_default().merge(seen);
        }
        walked
    })?;
    let all = all.into_inner().unwrap_or_else(PoisonError::into_inner);
    let Some(all) = all else { return Ok(verdict) };
    write!(anstream::stdout().lock(), "{}", paint::shown_lines(&all.schema().to_json()))?;
    Ok(verdict)
}
