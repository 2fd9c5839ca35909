//! `transcode`: files for another reader. Each result appears under its name only when it is complete; the
//! sources stay as they are.

use std::path::Path;

use serde_json::json;
use variant_core::{Error, Rules, Strictness};
use variant_text::transcode_without_objects;

use super::check::numbered;
use super::look::layers;
use crate::arguments::{Objects, Transcode};
use crate::batch::{self, Answer, Found};
use crate::failure::{Failure, Verdict};
use crate::{framing, save, source};

pub(crate) fn run(given: &Transcode) -> Result<Verdict, Failure> {
    batch::is_apart(&given.report.look.inputs, &given.out)?;
    let rules = given.report.look.reading.rules(Strictness::Safe);
    let rules = Rules { full_objects: given.objects != Objects::Refuse, ..rules };
    batch::each(&given.report, |file| convert(given, file, &rules).unwrap_or_else(Answer::failed))
}

fn convert(given: &Transcode, (path, below): &Found, rules: &Rules) -> Result<Answer, Failure> {
    let reading = &given.report.look.reading;
    // Values are found with objects allowed, so that a refusal names the object and not the framing.
    let blob = source::load(path, reading, &Rules { full_objects: true, ..*rules })?;
    let out = given.out.join(below);
    if is_same_file(path, &out) {
        return Err(Failure::misuse(format!("{}: the result would take its place", path.display())));
    }
    let mut output = Vec::new();
    let mut warnings = Vec::new();
    for (at, value) in blob.values().enumerate() {
        let (bytes, nulled) = one(given, value, rules)
            .map_err(|error| numbered(Failure::refusal(&error, value), at, blob.records.len()))?;
        warnings.extend(nulled);
        output.extend(framing::framed(&bytes, blob.framing)?);
    }
    save::write(&out, &output)?;
    let (count, size) = (blob.records.len(), output.len());
    let (out, values) = (out.display().to_string(), blob.counted());
    let text = format!("{} -> {out}: {values}, {size} bytes{}\n", blob.name, layers(&blob.layers));
    let members = json!({ "ok": true, "out": out, "values": count, "bytes": size, "warnings": warnings });
    Ok(Answer { text, members: vec![members], warnings, ..Answer::default() })
}

/// The value for its new reader, and a warning for each object that became null.
fn one(given: &Transcode, value: &[u8], rules: &Rules) -> Result<(Vec<u8>, Vec<String>), Error> {
    if given.objects != Objects::Null {
        return variant_core::transcode(value, rules, given.to).map(|bytes| (bytes, Vec::new()));
    }
    let (bytes, nulled) = transcode_without_objects(value, rules, given.to)?;
    let warnings = nulled.iter().map(|nulled| match nulled.class.as_str() {
        "" => format!("an object id became null (byte {})", nulled.offset),
        class => {
            format!(
                "an object of class {} became null (byte {})",
                variant_text::Quoted::cut(class, 64),
                nulled.offset
            )
        }
    });
    Ok((bytes, warnings.collect()))
}

fn is_same_file(path: &Path, out: &Path) -> bool {
    path.canonicalize().ok().zip(out.canonicalize().ok()).is_some_and(|(path, out)| path == out)
}
