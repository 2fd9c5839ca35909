//! Reads saves that scripts wrote as JSON: one value, or one a line. Numbers, vectors and the like are made by the schema.

use godot::builtin::Variant;
use variant_core::Value;
use variant_schema::Checker;
use variant_text::json::from_json;

use super::watch::Watch;
use super::{Plan, decoded, errors, migrate};
use crate::call::problem::Problem;
use crate::call::schema::{COPY, copied};

/// Returns the bytes of the value in a text; none where it is no JSON.
/// Fails: there are several values, and the plan takes one.
pub(super) fn payload_of(plan: &Plan, bytes: &[u8]) -> Result<Option<Vec<u8>>, Problem> {
    let Some(text) = std::str::from_utf8(bytes).ok().filter(|text| text.trim_start().starts_with(['{', '[']))
    else {
        return Ok(None);
    };
    let limits = *plan.settings().limits();
    if let Ok(value) = from_json(text, &limits) {
        return encoded(&value, plan).map(Some);
    }
    // Read as one text, so that the limits are those of all lines.
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    match from_json(&format!("[{}]", lines.join(",")), &limits) {
        Ok(value) if matches!(&value, Value::Array(array) if array.items.len() == lines.len()) => {
            if plan.takes_several {
                encoded(&value, plan).map(Some)
            } else {
                Err(errors::several(lines.len(), "lines of JSON"))
            }
        }
        _ => Ok(None),
    }
}

fn encoded(value: &Value, plan: &Plan) -> Result<Vec<u8>, Problem> {
    let mut bytes = Vec::new();
    value.encode_into(&mut bytes, plan.settings().limits()).map_err(Problem::of_look)?;
    Ok(bytes)
}

impl Plan {
    /// Brings the value of JSON to today's version, and to the types that the schema declares. With classes, a step makes
    /// objects of it.
    pub(super) fn value_of_json(
        &self,
        payload: &[u8],
        version: u32,
        watch: Watch<'_>,
    ) -> Result<Variant, Problem> {
        let Some(held) = self.schema.as_ref().filter(|_| self.classes.is_none() && version <= self.version)
        else {
            return self.value(payload, version, watch);
        };
        let value = migrate::migrated(self, decoded(&self.settings(), payload)?, version, watch)?;
        let tree = copied(&value).map_err(|rejection| Problem::of_live(&rejection))?;
        let coerced = Checker::new().coerce_as(held.program()?, &tree, &COPY, 1);
        let coerced = coerced.map_err(|found| found.first().map(Problem::of_live).unwrap_or_default())?;
        let payload = encoded(&coerced, self)?;
        self.checked(&payload)
    }
}
