//! `transcode`: files for another reader. Each result appears under its name only when it is complete; the
//! sources stay as they are.

use std::io::Write;

use serde_json::json;
use variant_core::{Error, Rules, Strictness, validate};
use variant_text::transcode_without_objects;

use super::look::layers;
use crate::arguments::{ObjectPolicy, Transcode};
use crate::batch::{self, FoundFile};
use crate::batch_report::Account;
use crate::failure::{Failure, Outcome};
use crate::save::{Results, UnfinishedFile};
use crate::values::counted;
use crate::{framing, source};

/// Warnings of one file, and values with bytes behind them, that are told one by one.
const MOST_TOLD: usize = 1000;

pub(crate) fn run(given: &Transcode) -> Result<Outcome, Failure> {
    let look = &given.report.look;
    let results = Results::new(look, &given.out)?;
    let rules = look.reading.rules(Strictness::Safe);
    let rules = Rules { full_objects: given.objects != ObjectPolicy::Refuse, ..rules };
    batch::each_claimed(
        look,
        given.report.format,
        |(_, below)| results.claim(below),
        |file, account| convert(given, file, &rules, &results, account),
    )
}

fn convert(
    given: &Transcode,
    (path, below): &FoundFile,
    rules: &Rules,
    results: &Results<'_>,
    account: &mut Account,
) -> Result<(), Failure> {
    // Values are found with objects allowed, so that a refusal names the object and not the framing.
    let mut values = source::open(path, &given.report.look.reading, &Rules { full_objects: true, ..*rules })?;
    let framing = values.framing;
    let out = results.place(below)?;
    // Made when there is something to write.
    let mut part = None;
    let (mut warnings, mut left_over) = (PendingNotes::default(), PendingNotes::default());
    let mut size = 0;
    while let Some(one) = values.next()? {
        let (bytes, nulled) = convert_one(given, one.bytes, rules).map_err(|error| one.refused(&error))?;
        nulled.into_iter().for_each(|warning| warnings.add(|| warning));
        // Only ENGINE takes what has bytes behind it.
        if let Ok(extent) = validate(one.bytes, rules)
            && extent.trailing > 0
        {
            left_over.add(|| one.left_over(&extent));
        }
        let framed = framing::framed(&bytes, framing)?;
        size += framed.len() as u64;
        let part = match &mut part {
            Some(part) => part,
            none => none.insert(UnfinishedFile::new(&out)?),
        };
        part.write_all(&framed).map_err(|error| Failure::file(out.path(), error))?;
    }
    part.map_or_else(|| UnfinishedFile::new(&out), Ok)?.finish()?;
    let (count, shown) = (values.count, source::shown(out.path()));
    let text =
        format!("{} -> {shown}: {}, {size} bytes{}\n", values.name, counted(count), layers(&values.layers));
    account.tell(&text, || {
        let mut members = json!({
            "ok": left_over.first.is_empty(),
            "out": source::name(out.path()),
            "values": count,
            "bytes": size,
            "warnings": warnings.first,
        });
        if warnings.more > 0 {
            members["more_warnings"] = warnings.more.into();
        }
        members
    })?;
    tell(&left_over, &warnings, account)
}

fn tell(
    left_over: &PendingNotes<Option<Failure>>,
    warnings: &PendingNotes<String>,
    account: &mut Account,
) -> Result<(), Failure> {
    left_over.first.iter().flatten().try_for_each(|failure| account.fail(failure))?;
    if left_over.more > 0 {
        account.fail(&Failure::data(format!("{} more values with bytes behind them", left_over.more)))?;
    }
    warnings.first.iter().try_for_each(|warning| account.warn(warning))?;
    match warnings.more {
        0 => Ok(()),
        more => Ok(account.warn(&format!("{more} more objects became null"))?),
    }
}

/// Notes to be told when the result is whole: the first one, and how many more there were. A stream may have
/// any number.
#[derive(Default)]
struct PendingNotes<T> {
    first: Vec<T>,
    more: u64,
}

impl<T> PendingNotes<T> {
    fn add(&mut self, one: impl FnOnce() -> T) {
        if self.first.len() < MOST_TOLD { self.first.push(one()) } else { self.more += 1 }
    }
}

fn convert_one(given: &Transcode, value: &[u8], rules: &Rules) -> Result<(Vec<u8>, Vec<String>), Error> {
    if given.objects != ObjectPolicy::Null {
        return variant_core::transcode(value, rules, given.to).map(|bytes| (bytes, Vec::new()));
    }
    let (bytes, nulled) = transcode_without_objects(value, rules, given.to)?;
    let warnings = nulled.iter().map(|nulled| match nulled.class.as_str() {
        "" => format!("an object id became null (byte {})", nulled.offset),
        class => {
            format!(
                "an object of class {} became null (byte {})",
                variant_core::QuotedText::cut(class, 64),
                nulled.offset
            )
        }
    });
    Ok((bytes, warnings.collect()))
}
