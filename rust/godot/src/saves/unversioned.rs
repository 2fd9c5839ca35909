//! Reads files that are no saves of `VariantSave`: what `store_var()`, save jobs and `store_buffer(var_to_bytes())` wrote, also as
//! the engine compresses and encrypts it, and JSON: one value, or one a line. Nothing in them says what version their data has.

use godot::builtin::Variant;
use variant_core::{ErrorKind, Value, VariantType};
use variant_save::SaveFault;
use variant_save::container::{self, Bounds};
use variant_schema::Checker;
use variant_text::json::from_json;

use super::errors;
use super::migrate;
use super::watch::Watch;
use super::{LoadedSave, Plan, decoded};
use crate::call::codec::{Codec, Dialect, Rules, guess_dialect};
use crate::call::form::Call;
use crate::call::problem::Problem;
use crate::call::schema::{COPY, copied};
use crate::call::settings::Settings;
use crate::objects;

/// The largest ratio of compressed files: `max_bytes` bounds what comes out, and honest saves may hold many zeros.
const MOST_RATIO: u64 = 1 << 12;

/// The numbers by which the engines begin an untyped Array.
const ARRAY_OF_GODOT_4: u32 = 28;
const ARRAY_OF_GODOT_3: u32 = 19;

/// The values in a file that is no save.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Values<'b> {
    /// None that makes sense.
    None,
    /// Either of these is the value: the one behind its length, or all bytes. They make sense in these dialects.
    One(Vec<(&'b [u8], Vec<Dialect>)>),
    /// Several, each with its length before it.
    Several(Vec<&'b [u8]>, Vec<Dialect>),
}

impl Plan {
    /// The value in such a file, brought to today's version.
    pub(super) fn loaded_from_other(&self, bytes: &[u8], watch: Watch<'_>) -> Result<LoadedSave, Problem> {
        let Some(version) = self.unversioned else {
            return Err(self.asks_for_unversioned(self.no_save(bytes), bytes));
        };
        let (bytes, is_of_godot_3) = self.unpacked(bytes)?;
        if let Some(payload) = payload_of_json(self, &bytes)? {
            let value = self.value_of_json(&payload, version, watch)?;
            return Ok(LoadedSave { value, version, ..LoadedSave::default() });
        }
        let engine_of = |dialects: &[Dialect]| match dialects.contains(&Dialect::Godot3)
            && (is_of_godot_3 || !dialects.contains(&Dialect::Godot4))
        {
            true => Dialect::Godot3,
            false => Dialect::Godot4,
        };
        let candidates: Vec<(Vec<u8>, Dialect)> = match values_in(&bytes) {
            // A save whose first bytes are damaged looks like any other file, and only damage falls back.
            Values::None => return Err(self.no_save(&bytes)),
            Values::One(values) => {
                values.into_iter().map(|(value, dialects)| (value.to_vec(), engine_of(&dialects))).collect()
            }
            Values::Several(values, _) if !self.takes_several => {
                return Err(errors::several(values.len(), "values of store_var()"));
            }
            Values::Several(values, dialects) => {
                vec![(array_of(&values, engine_of(&dialects)), engine_of(&dialects))]
            }
        };
        let mut refused = None;
        for (value, dialect) in candidates {
            match self.value_of_any_engine(&value, version, dialect, watch) {
                Ok(value) => return Ok(LoadedSave { value, version, ..LoadedSave::default() }),
                Err(problem) => refused = refused.or_else(|| Some(about_objects(problem, &value))),
            }
        }
        Err(refused.unwrap_or_default())
    }

    /// Whether a file that is no save of ours is one that [`Plan::loaded`] reads: others are not overwritten unasked.
    pub(super) fn knows(&self, bytes: &[u8]) -> Result<bool, Problem> {
        let (bytes, _) = self.unpacked(bytes)?;
        match values_in(&bytes) {
            Values::None => payload_of_json(self, &bytes).map(|payload| payload.is_some()),
            Values::Several(values, _) if !self.takes_several => {
                Err(errors::several(values.len(), "values of store_var()"))
            }
            _ => Ok(true),
        }
    }

    /// Brings the value of JSON to today's version, and to the types that the schema declares. With classes, a step makes
    /// objects of it.
    fn value_of_json(&self, payload: &[u8], version: u32, watch: Watch<'_>) -> Result<Variant, Problem> {
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

    /// Takes off what the engine put around a file, and says whether only Godot 3 does so. Where saves are protected, a file
    /// that is not is refused: whoever puts it there has made a save of the game otherwise. GDEC is no protection: its MD5
    /// is public, and its CFB can be changed.
    fn unpacked(&self, bytes: &[u8]) -> Result<(Vec<u8>, bool), Problem> {
        if self.keys.is_some() && !self.takes_unprotected {
            return Err(errors::not_protected());
        }
        let bounds = Bounds { most_bytes: self.opening().most_bytes, max_ratio: MOST_RATIO };
        let unpacked = container::unpack(bytes.to_vec(), self.keys.as_deref(), &bounds);
        let (bytes, layers) = unpacked.map_err(SaveFault::from)?;
        let is_of_godot_3 = layers.iter().any(|layer| layer.is_of_godot_3());
        Ok((bytes, is_of_godot_3))
    }

    fn no_save(&self, bytes: &[u8]) -> Problem {
        self.payload(bytes).err().unwrap_or_default()
    }

    /// Names the property that takes such a file, if any does.
    #[cold]
    fn asks_for_unversioned(&self, problem: Problem, bytes: &[u8]) -> Problem {
        let is_sealed = container::is_encrypted(bytes);
        let unpacked = || self.unpacked(bytes).map(|(bytes, _)| bytes).unwrap_or_default();
        let makes_sense = || values_in(&unpacked()) != Values::None;
        if is_sealed || makes_sense() {
            let what = "a file of the engine, as FileAccess writes them";
            let needs_key = is_sealed && self.keys.is_none();
            let and = if needs_key { ", and its password or key," } else { "" };
            errors::asking_for_unversioned(&problem, what, and)
        } else if !matches!(payload_of_json(self, &unpacked()), Ok(None)) {
            errors::asking_for_unversioned(&problem, "JSON", "")
        } else {
            problem
        }
    }

    /// Builds a value that the engine of this dialect encoded.
    fn value_of_any_engine(
        &self,
        bytes: &[u8],
        version: u32,
        dialect: Dialect,
        watch: Watch<'_>,
    ) -> Result<Variant, Problem> {
        if dialect != Dialect::Godot3 {
            let made = match &self.classes {
                Some(classes) if self.reads_engine_objects => {
                    let compiled = classes();
                    let set = compiled.set()?;
                    let old_names = migrate::old_names(self, set, version);
                    objects::translated(set, &old_names, bytes, self.settings().rules())?
                }
                _ => None,
            };
            return self.value(made.as_deref().unwrap_or(bytes), version, watch);
        }
        let settings = self.settings();
        let old = Settings::new(Rules::safe(*settings.limits()).of_dialect(Dialect::Godot3));
        let value: Variant = decoded(&old, bytes)?;
        self.value(Codec::new().encoded(&Call::plain(&self.writing()), &value)?.as_slice(), version, watch)
    }
}

/// Returns the bytes of the value in a text, or none if it is no JSON. Fails if there are several and the plan takes one.
fn payload_of_json(plan: &Plan, bytes: &[u8]) -> Result<Option<Vec<u8>>, Problem> {
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

/// Says what to do about an object in the engine's bytes.
#[cold]
fn about_objects(problem: Problem, bytes: &[u8]) -> Problem {
    let at = usize::try_from(problem.byte_offset).unwrap_or(usize::MAX);
    let header = bytes.get(at..).and_then(|rest| rest.first_chunk()).map(|word| u32::from_le_bytes(*word));
    let is_of_type = problem.is_any(&[ErrorKind::TypeNotAllowed { ty: VariantType::Object }]);
    match header {
        _ if problem.is_any(&[ErrorKind::ObjectNotAllowed]) => errors::asking_for_classes_to_read(&problem),
        Some(OBJECT) if is_of_type => errors::asking_for_classes_to_read(&problem),
        Some(OBJECT_ID) if is_of_type => errors::of_object_id(&problem),
        _ => problem,
    }
}

/// The beginnings of an object, and of an object's id.
const OBJECT: u32 = VariantType::Object.id() as u32;
const OBJECT_ID: u32 = OBJECT | 1 << 16;

/// Finds the values: a chain of whole ones, each with its length before it, wins over one value without.
pub(super) fn values_in(bytes: &[u8]) -> Values<'_> {
    let framed = frames_in(bytes).and_then(|frames| Some((dialects_of_all(&frames)?, frames)));
    if let Some((dialects, frames)) = framed.as_ref().filter(|(_, frames)| frames.len() > 1) {
        return Values::Several(frames.clone(), dialects.clone());
    }
    let framed = framed.into_iter().filter_map(|(dialects, frames)| Some((*frames.first()?, dialects)));
    let values: Vec<_> = framed.chain(dialects_of(bytes).map(|dialects| (bytes, dialects))).collect();
    if values.is_empty() { Values::None } else { Values::One(values) }
}

/// The parts of bytes that are lengths and as many bytes behind each.
fn frames_in(bytes: &[u8]) -> Option<Vec<&[u8]>> {
    let (mut frames, mut rest) = (Vec::new(), bytes);
    while !rest.is_empty() {
        let (length, behind) = rest.split_first_chunk::<4>()?;
        let length = usize::try_from(u32::from_le_bytes(*length)).ok().filter(|length| *length >= 4)?;
        let (frame, behind) = behind.split_at_checked(length)?;
        frames.push(frame);
        rest = behind;
    }
    (!frames.is_empty()).then_some(frames)
}

/// The dialects of engines in which bytes make sense, if there is one.
fn dialects_of(bytes: &[u8]) -> Option<Vec<Dialect>> {
    let dialects: Vec<_> =
        guess_dialect(bytes).into_iter().filter(|dialect| *dialect != Dialect::Documented).collect();
    (!dialects.is_empty()).then_some(dialects)
}

/// The dialects in which each of these makes sense.
fn dialects_of_all(values: &[&[u8]]) -> Option<Vec<Dialect>> {
    let mut all = vec![Dialect::Godot4, Dialect::Godot3];
    for value in values {
        let own = dialects_of(value)?;
        all.retain(|dialect| own.contains(dialect));
    }
    (!all.is_empty()).then_some(all)
}

fn array_of(values: &[&[u8]], dialect: Dialect) -> Vec<u8> {
    let header = if dialect == Dialect::Godot3 { ARRAY_OF_GODOT_3 } else { ARRAY_OF_GODOT_4 };
    let count = u32::try_from(values.len()).unwrap_or(u32::MAX);
    let mut bytes = [header.to_le_bytes(), count.to_le_bytes()].concat();
    values.iter().for_each(|value| bytes.extend_from_slice(value));
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two values of `store_var()` are also a Transform2D, and `5, null` a Rect2i: they are two values.
    #[test]
    fn a_chain_of_values_is_no_other_value() {
        let words = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
        let two_vectors = words(&[8, 2, 3, 12, 5, 0x42C8_0000, 0x4348_0000]);
        assert_eq!(
            guess_dialect(&two_vectors).first(),
            Some(&Dialect::Godot3),
            "it makes sense as one Transform2D"
        );
        let Values::Several(values, dialects) = values_in(&two_vectors) else { panic!("one value") };
        assert_eq!((values.len(), dialects.first()), (2, Some(&Dialect::Godot4)));
        let int_and_null = words(&[8, 2, 5, 4, 0]);
        assert!(matches!(values_in(&int_and_null), Values::Several(values, _) if values.len() == 2));
        let one = words(&[8, 2, 5]);
        assert!(matches!(values_in(&one), Values::One(_)));
        assert!(matches!(values_in(&words(&[2, 5])), Values::One(_)));
        assert_eq!(values_in(&words(&[999, 5])), Values::None);
        assert_eq!(array_of(&[&words(&[2, 5]), &words(&[0])], Dialect::Godot4), words(&[28, 2, 2, 5, 0]));
    }
}
