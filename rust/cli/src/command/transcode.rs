//! `transcode`: files for another reader. Each result appears under its name only when it is complete; the
//! sources stay as they are.

use std::io::Write;

use serde_json::json;
use variant_core::{Error, Rules, Strictness, validate};
use variant_text::transcode_without_objects;

use super::look::layers;
use crate::account::Account;
use crate::arguments::{Objects, Transcode};
use crate::batch::{self, Found};
use crate::failure::{Failure, Verdict};
use crate::save::{Part, Results};
use crate::{framing, paint, source};

pub(crate) fn run(given: &Transcode) -> Result<Verdict, Failure> {
    let look = &given.report.look;
    let results = Results::new(&look.inputs, &given.out)?;
    let rules = look.reading.rules(Strictness::Safe);
    let rules = Rules { full_objects: given.objects != Objects::Refuse, ..rules };
    batch::each_claimed(
        look,
        given.report.json,
        |(_, below)| results.claim(below),
        |file, account| convert(given, file, &rules, &results, account),
    )
}

fn convert(
    given: &Transcode,
    (path, below): &Found,
    rules: &Rules,
    results: &Results<'_>,
    account: &mut Account<'_>,
) -> Result<(), Failure> {
    // Values are found with objects allowed, so that a refusal names the object and not the framing.
    let mut values = source::open(path, &given.report.look.reading, &Rules { full_objects: true, ..*rules })?;
    let framing = values.framing;
    let out = results.place(below)?;
    // Made when there is something to write.
    let mut part = None;
    let mut warnings = Vec::new();
    let mut left_over = Vec::new();
    let mut size = 0;
    while let Some(one) = values.next()? {
        let (bytes, nulled) = convert_one(given, one.bytes, rules).map_err(|error| one.refused(&error))?;
        warnings.extend(nulled);
        // Only ENGINE takes what has bytes behind it.
        if let Ok(extent) = validate(one.bytes, rules) {
            left_over.extend(one.left_over(&extent));
        }
        let framed = framing::framed(&bytes, framing)?;
        size += framed.len() as u64;
        let part = match &mut part {
            Some(part) => part,
            none => none.insert(Part::new(&out)?),
        };
        part.write_all(&framed).map_err(|error| Failure::file(&out, error))?;
    }
    part.map_or_else(|| Part::new(&out), Ok)?.finish()?;
    let (count, counted, shown) = (values.count(), values.counted(), paint::shown(&source::name(&out)));
    let text = format!("{} -> {shown}: {counted}, {size} bytes{}\n", values.name, layers(&values.layers));
    account.tell(
        &text,
        || json!({ "ok": left_over.is_empty(), "out": source::name(&out), "values": count, "bytes": size, "warnings": warnings }),
    )?;
    left_over.iter().try_for_each(|failure| account.fail(failure))?;
    Ok(warnings.iter().try_for_each(|warning| account.warn(warning))?)
}

/// The value for its new reader, and a warning for each object that became null.
fn convert_one(given: &Transcode, value: &[u8], rules: &Rules) -> Result<(Vec<u8>, Vec<String>), Error> {
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
