//! Says whether codecs in other languages can be written of a protocol: what packs its values has to be known to them.

use serde_json::Value as Json;
use variant_protocol::Spec;

use crate::failure::Failure;

/// The words of `packing` in the JSON of a schema that the runtimes of other languages know.
const KNOWN: [&str; 15] = [
    "alphabet",
    "angle",
    "bits",
    "clamped",
    "elements",
    "from",
    "growing",
    "keyed",
    "lossy",
    "rigid_bits",
    "rigid_step",
    "room_for",
    "step",
    "to",
    "width",
];

/// Refuses a protocol that packs in a way that only Rust knows.
pub(super) fn check(spec: &Spec) -> Result<(), Failure> {
    let document: Json = serde_json::from_str(&spec.to_json()).unwrap_or_default();
    for message in document["messages"].as_array().into_iter().flatten() {
        if let Some(word) = unknown(&message["schema"]) {
            let name = &message["name"];
            return Err(Failure::data(format!(
                "message {name}: codecs of other languages do not know yet how {word} packs values"
            )));
        }
    }
    Ok(())
}

/// Finds the first word that is not known, in a schema or what is below it.
fn unknown(json: &Json) -> Option<String> {
    match json {
        Json::Object(members) => {
            let own = members.get("type").is_some_and(Json::is_string).then(|| of_schema(members)).flatten();
            own.or_else(|| members.values().find_map(unknown))
        }
        Json::Array(items) => items.iter().find_map(unknown),
        _ => None,
    }
}

fn of_schema(schema: &serde_json::Map<String, Json>) -> Option<String> {
    let packing = schema.get("packing")?.as_object()?;
    packing
        .keys()
        .find(|word| !KNOWN.contains(&word.as_str()))
        .map(|word| format!("{word:?} of {}", schema["type"]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_is_found_at_any_depth() {
        let found = |packing: Json, ty: &str| {
            let part = serde_json::json!({ "type": ty, "packing": packing });
            unknown(
                &serde_json::json!({ "type": "dict", "keys": { "packing": part, "type": { "type": "int" } } }),
            )
        };
        assert_eq!(found(serde_json::json!({ "bits": 4 }), "int"), None);
        assert_eq!(found(serde_json::json!({ "keyed": "id" }), "array"), None);
        assert_eq!(found(serde_json::json!({ "keyed": "" }), "map"), None);
        assert_eq!(
            found(serde_json::json!({ "shrinking": 1 }), "dict").as_deref(),
            Some("\"shrinking\" of \"dict\"")
        );
    }
}
