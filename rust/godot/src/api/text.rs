//! `VariantStream`'s looks into bytes: dump, JSON and back, diff, sizes. No value of Godot is built for them.

use godot::builtin::{Array, GString, PackedByteArray, VarDictionary, Variant, VariantType, vdict};
use godot::register::godot_api;
use variant_core::{Dialect, ErrorKind, Fault, Path};
use variant_text::{Difference, Side, SizeReport, json, looking};

use super::number::saturated;
use super::stream::{VariantStream, in_room, note_problem};
use crate::call::decode::{bytes_argument, bytes_named};
use crate::call::problem::Problem;

#[godot_api(secondary)]
impl VariantStream {
    #[func]
    fn diff(before: Variant, after: Variant) -> Array<VarDictionary> {
        let differences = in_room(|_| {
            let (before, after) = (bytes_named("before", &before)?, bytes_named("after", &after)?);
            let mut differences = Array::new();
            let (a, b) = (before.as_slice(), after.as_slice());
            let told = variant_text::diff_encoded(a, b, &looking(), &mut |difference| {
                differences.push(&difference_of(&difference));
                Ok::<(), Problem>(())
            });
            told?.map(|()| differences).map_err(|(side, error)| match side {
                Side::Before => Problem::of_looked_at(error, a),
                Side::After => Problem::of_looked_at(error, b),
            })
        });
        differences.unwrap_or_default()
    }
}

pub(super) fn dump(bytes: &Variant) -> GString {
    let Some(bytes) = in_room(|_| bytes_argument(bytes)) else { return GString::new() };
    let mut output = Vec::new();
    // A Vec takes everything, so all that is refused is the bytes.
    if let Ok(Err(error)) = variant_text::dump(bytes.as_slice(), &looking(), &mut output) {
        note_problem(Some(Problem::of_looked_at(error, bytes.as_slice())));
    }
    text(&output)
}

pub(super) fn to_json(bytes: &Variant) -> GString {
    let written = in_room(|_| {
        let mut output = Vec::new();
        let bytes = bytes_argument(bytes)?;
        match json::write(bytes.as_slice(), &looking(), json::JsonForm::default(), &mut output) {
            Ok(Err(error)) => Err(Problem::of_looked_at(error, bytes.as_slice())),
            Ok(Ok(extent)) => is_all(bytes.as_slice(), extent.consumed).map(|()| text(&output)),
            Err(_) => Ok(text(&output)),
        }
    });
    written.unwrap_or_default()
}

pub(super) fn from_json(json: &Variant) -> PackedByteArray {
    let bytes = in_room(|_| {
        let given = match json.get_type() {
            VariantType::STRING | VariantType::STRING_NAME => json.stringify().to_string(),
            other => return Err(Problem::wrong_type("json", "String", other.godot_type_name())),
        };
        let limits = looking().limits;
        let value =
            json::from_json(&given, &limits).map_err(|error| Problem::wrong_json(error.to_string()))?;
        let mut bytes = Vec::new();
        value.encode_into(&mut bytes, &limits).map_err(Problem::of_look)?;
        match json::key_twice(&bytes, Dialect::Godot4) {
            Some(error) => Err(Problem::of_look(error)),
            None => Ok(PackedByteArray::from(bytes)),
        }
    });
    bytes.unwrap_or_default()
}

pub(super) fn size_report(bytes: &Variant) -> VarDictionary {
    let report = in_room(|_| {
        let bytes = bytes_argument(bytes)?;
        let sizes = variant_text::sizes(bytes.as_slice(), &looking());
        let sizes = sizes.map_err(|error| Problem::of_looked_at(error, bytes.as_slice()))?;
        is_all(bytes.as_slice(), sizes.total).map(|()| report_of(&sizes))
    });
    report.unwrap_or_default()
}

/// Refuses bytes behind the value, about which the answer would say nothing.
fn is_all(bytes: &[u8], consumed: u64) -> Result<(), Problem> {
    let count = u64::try_from(bytes.len()).unwrap_or(u64::MAX).saturating_sub(consumed);
    if count == 0 {
        return Ok(());
    }
    let fault = Fault::new(ErrorKind::TrailingBytes { count }, consumed);
    Err(Problem::of_looked_at(variant_core::Error::new(fault, Path::default()), bytes))
}

fn text(output: &[u8]) -> GString {
    GString::from(String::from_utf8_lossy(output).as_ref())
}

fn difference_of(difference: &Difference) -> VarDictionary {
    vdict! {
        "path" => difference.path.as_str(),
        "change" => difference.change.name(),
        "before" => difference.before.as_deref().unwrap_or_default(),
        "after" => difference.after.as_deref().unwrap_or_default(),
    }
}

pub(super) fn report_of(sizes: &SizeReport) -> VarDictionary {
    let (mut places, mut types) = (VarDictionary::new(), VarDictionary::new());
    for (place, tally) in &sizes.places {
        places.set(place.as_str(), saturated(tally.bytes));
    }
    for (ty, tally) in &sizes.types {
        types.set(ty.name(), saturated(tally.bytes));
    }
    vdict! { "total" => saturated(sizes.total), "places" => &places, "types" => &types }
}
