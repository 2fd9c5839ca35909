//! `schema infer`, and schema files for other commands. What a schema means, `variant-schema` says.

use std::io::Write;
use std::path::Path;

use variant_core::{Strictness, ToValue, Walker};
use variant_schema::{Program, Samples, Schema};

use super::check::numbered;
use crate::arguments::Look;
use crate::failure::{Failure, Verdict};
use crate::{batch, paint, source};

/// The schema of a file. A mistake in it is a wrong call: the data is not to blame.
pub(crate) fn load(path: &Path) -> Result<Program, Failure> {
    let text = String::from_utf8(source::raw(path)?)
        .map_err(|_| Failure::misuse(format!("{}: expected JSON in UTF-8", source::name(path))))?;
    let program = Schema::from_json(&text).and_then(|schema| schema.compile());
    program.map_err(|error| Failure::misuse(format!("{}: {error}", source::name(path))))
}

/// One sample after another: only what was seen is kept, so the samples may be many.
pub(crate) fn infer(given: &Look) -> Result<Verdict, Failure> {
    let rules = given.reading.rules(Strictness::Safe);
    let mut samples = Samples::new();
    let mut is_good = true;
    for file in batch::files(&given.inputs) {
        let (path, _) = file?;
        let added = source::load(&path, &given.reading, &rules).and_then(|blob| {
            for (at, bytes) in blob.values().enumerate() {
                let (value, _) = Walker::new()
                    .decode(bytes, &rules, &mut ToValue)
                    .map_err(|error| numbered(Failure::refusal(&error, bytes), at, blob.records.len()))?;
                samples.add(&value);
            }
            Ok(())
        });
        match added {
            Ok(()) => {}
            Err(failure @ Failure::Data(_)) => {
                is_good = false;
                paint::failure(Some(&source::name(&path)), &failure);
            }
            Err(failure) => return Err(failure),
        }
    }
    write!(anstream::stdout().lock(), "{}", samples.schema().to_json())?;
    Ok(Verdict::of(is_good))
}
