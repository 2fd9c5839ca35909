//! Framing: where the values of an input begin and end.

use std::ops::Range;

use variant_core::{Rules, validate};

use crate::arguments::Framing;
use crate::failure::{BadData, Excerpt, Failure};

/// Bytes of the smallest value: zeros are no stream of empty ones.
const LEAST_VALUE: usize = 4;

/// The framing of an input that did not say, and the places of its values.
pub(crate) fn records(
    bytes: &[u8],
    framing: Framing,
    rules: &Rules,
) -> Result<(Framing, Vec<Range<usize>>), Failure> {
    match framing {
        Framing::Auto => Ok(guess(bytes, rules)),
        Framing::None => Ok((Framing::None, whole(bytes))),
        Framing::U32 | Framing::U32be => frames(bytes, framing).map(|records| (framing, records)),
    }
}

/// The whole as one value.
fn whole(bytes: &[u8]) -> Vec<Range<usize>> {
    std::iter::once(0..bytes.len()).collect()
}

/// One value, where the input is one or its lengths do not add up.
fn guess(bytes: &[u8], rules: &Rules) -> (Framing, Vec<Range<usize>>) {
    let is_value = validate(bytes, rules).is_ok_and(|extent| extent.trailing == 0);
    match frames(bytes, Framing::U32) {
        Ok(records)
            if !is_value
                && !records.is_empty()
                && records.iter().all(|record| record.len() >= LEAST_VALUE) =>
        {
            (Framing::U32, records)
        }
        _ => (Framing::None, whole(bytes)),
    }
}

/// Every value with its length before it.
pub(crate) fn frames(bytes: &[u8], framing: Framing) -> Result<Vec<Range<usize>>, Failure> {
    let mut records = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let length = bytes[at..].first_chunk().map(|word| match framing {
            Framing::U32be => u32::from_be_bytes(*word),
            _ => u32::from_le_bytes(*word),
        });
        let end = length.and_then(|length| usize::try_from(length).ok()?.checked_add(at + 4));
        let Some(end) = end.filter(|end| *end <= bytes.len()) else {
            let message = format!("a length that the input does not have (byte {at})");
            let excerpt = Excerpt::around(bytes, at as u64);
            return Err(Failure::Data(Box::new(BadData {
                message,
                excerpt: Some(excerpt),
                ..BadData::default()
            })));
        };
        records.push(at + 4..end);
        at = end;
    }
    Ok(records)
}

/// A value as it is written in a framing.
pub(crate) fn framed(value: &[u8], framing: Framing) -> Result<Vec<u8>, Failure> {
    let length = u32::try_from(value.len()).map_err(|_| Failure::data("a value too long for a frame"))?;
    let head = match framing {
        Framing::Auto | Framing::None => Vec::new(),
        Framing::U32 => length.to_le_bytes().to_vec(),
        Framing::U32be => length.to_be_bytes().to_vec(),
    };
    Ok([head, value.to_vec()].concat())
}
