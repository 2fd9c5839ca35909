//! `edit`: one value of a file shown or replaced. All other bytes stay as they are, and so do the lengths before values, the
//! compression and the encryption. The file is replaced in one go, or not at all.

use std::io::Write;
use std::ops::Range;
use std::path::Path;

use serde_json::json;
use variant_core::{Rules, Strictness, Target, VariantType, validate};
use variant_text::json::{JsonForm, write};
use variant_text::{Document, FieldPart, fields};

use super::json::encoded;
use crate::arguments::{Edit, EditStep, Format, Framing, Reading, Set};
use crate::arguments_path::{self, PathStep};
use crate::container::Layers;
use crate::failure::{Failure, Outcome};
use crate::literals::size;
use crate::save::OutPath;
use crate::values::{EncodedValue, Input, ValueStream, counted};
use crate::{framing, paint, save, source};

pub(crate) fn run(given: &Edit) -> Result<Outcome, Failure> {
    paint::verdict(&given.file, Format::Text, edited(given))
}

fn edited(given: &Edit) -> Result<(), Failure> {
    if source::is_stdin(&given.file) {
        return Err(Failure::misuse("edit takes the name of a file"));
    }
    match &given.step {
        EditStep::Get { place } => get(given, place),
        EditStep::Set(set) => change(given, |target| target.set(set)),
        EditStep::Delete { place } => change(given, |target| target.delete(place)),
    }
}

fn change(
    given: &Edit,
    changed: impl FnOnce(&EditTarget) -> Result<Vec<u8>, Failure>,
) -> Result<(), Failure> {
    let to = To::new(given)?;
    let target = EditTarget::new(given)?;
    let value = changed(&target)?;
    target.put(&to, value)
}

/// Shows the value at a place. It holds a single value of a stream at a time.
fn get(given: &Edit, place: &str) -> Result<(), Failure> {
    let rules = rules(&given.reading)?;
    let names = arguments_path::steps(place).map_err(Failure::misuse)?;
    let mut values = source::open(&given.file, &given.reading, &rules)?;
    while let Some(one) = values.next()? {
        if !is_meant(given, &one) {
            continue;
        }
        one.check(&rules)?;
        let document = Document::of(one.bytes, &rules);
        let tree = NamedValue { bytes: one.bytes, rules: &rules, document: document.as_ref() };
        let node = tree.named(&names)?.ok_or_else(|| nothing_at(place))?;
        let mut output = anstream::stdout().lock();
        let form = JsonForm { plain: false, compact: false, tags_floats: false };
        write(&one.bytes[node], &rules, form, &mut output)?.map_err(Failure::data)?;
        return Ok(writeln!(output)?);
    }
    Err(which_one(&values))
}

fn rules(reading: &Reading) -> Result<Rules, Failure> {
    match reading.hex || reading.base64 {
        true => Err(Failure::misuse("edit takes a file of bytes, and no --hex or --base64")),
        false => Ok(reading.rules(Strictness::Safe)),
    }
}

fn is_meant(given: &Edit, one: &EncodedValue<'_>) -> bool {
    given.value == Some(one.at) || given.value.is_none() && one.is_only
}

fn which_one(values: &ValueStream) -> Failure {
    let count = counted(values.count);
    Failure::misuse(format!("the file has {count}: name one by --value, counted from 0"))
}

/// Where the file with the change goes, and what is kept of the old one.
struct To<'g> {
    file: &'g Path,
    out: OutPath,
    backup: Option<OutPath>,
}

impl<'g> To<'g> {
    fn new(given: &'g Edit) -> Result<To<'g>, Failure> {
        let read = [Some(&*given.file), given.reading.password_file.as_deref()];
        let read = || read.into_iter().flatten();
        let out = match &given.out {
            Some(out) => OutPath::new(out, read())?,
            None => OutPath::replacing(&given.file),
        };
        let backup = given.backup.as_deref().map(|backup| OutPath::new(backup, read())).transpose()?;
        Ok(To { file: &given.file, out, backup })
    }

    fn write(&self, bytes: &[u8]) -> Result<(), Failure> {
        if let Some(backup) = &self.backup {
            save::write(backup, &source::bytes(self.file)?)?;
        }
        save::write(&self.out, bytes)
    }
}

const NOT_ADDED: &str = "only Dictionaries and Arrays can be added to";

fn nothing_at(place: &str) -> Failure {
    Failure::data(format!("nothing is at {}", paint::shown(place)))
}

/// A file, unpacked, and the value in it that is meant.
struct EditTarget {
    /// The bytes that were left out before the values.
    header: Vec<u8>,
    bytes: Vec<u8>,
    layers: Layers,
    rules: Rules,
    framing: Framing,
    document: Option<Document>,
    /// Where the value begins and ends, without its length.
    start: usize,
    end: usize,
}

/// A value, and the names of its parts if it is a document of objects.
struct NamedValue<'v> {
    bytes: &'v [u8],
    rules: &'v Rules,
    document: Option<&'v Document>,
}

impl NamedValue<'_> {
    /// Whether the call names this path, as it is or as it is shown of a document of objects.
    fn is_at(&self, path: &variant_core::Path, names: &[PathStep]) -> bool {
        let is_shown = |document: &Document| arguments_path::is_it(&document.path(path).0, names);
        arguments_path::is_it(&path.0, names) || self.document.is_some_and(is_shown)
    }

    /// Tells the path and the bytes of each value that is no deeper than a place of so many names.
    fn each(
        &self,
        names: &[PathStep],
        mut tell: impl FnMut(&variant_core::Path, Range<usize>),
    ) -> Result<(), Failure> {
        // Objects of documents have shorter names.
        let depth = if self.document.is_some() { usize::MAX } else { names.len() };
        let told = variant_text::nodes(self.bytes, self.rules, depth, &mut |node| {
            let start = usize::try_from(node.offset).unwrap_or(usize::MAX);
            tell(node.path, start..start + usize::try_from(node.bytes).unwrap_or(usize::MAX));
            Ok(())
        });
        told?.map(drop).map_err(Failure::data)
    }

    fn named(&self, names: &[PathStep]) -> Result<Option<Range<usize>>, Failure> {
        let mut found = None;
        self.each(names, |path, range| {
            if found.is_none() && self.is_at(path, names) {
                found = Some(range);
            }
        })?;
        Ok(found)
    }

    fn count_at(&self, around: &[PathStep]) -> Result<usize, Failure> {
        let mut count_at = None;
        let told = fields(self.bytes, self.rules, &mut |field| {
            if count_at.is_none() && field.part == FieldPart::Count && self.is_at(field.path, around) {
                count_at = Some(usize::try_from(field.offset).unwrap_or(usize::MAX));
            }
            Ok(())
        });
        told?.map_err(Failure::data)?;
        count_at.ok_or_else(|| Failure::data("only a Dictionary or an Array has entries to change"))
    }
}

impl EditTarget {
    fn new(given: &Edit) -> Result<EditTarget, Failure> {
        let reading: &Reading = &given.reading;
        let rules = rules(reading)?;
        let (mut header, layers) = source::layered(&given.file, reading)?;
        let skip = usize::try_from(reading.skip).ok().filter(|skip| *skip <= header.len());
        let bytes =
            header.split_off(skip.ok_or_else(|| Failure::misuse("--skip: the file has fewer bytes"))?);
        let input = Input::Held(bytes);
        let framing =
            framing::of(&given.file, &input, reading).map_err(|error| Failure::file(&given.file, error))?;
        let mut values = ValueStream::new(source::shown(&given.file), input, Vec::new(), framing, &rules);
        let mut place = None;
        while let Some(one) = values.next()? {
            if is_meant(given, &one) {
                one.check(&rules)?;
                let start = usize::try_from(one.start).unwrap_or(usize::MAX);
                place = Some((start, start + one.bytes.len()));
            }
        }
        let (start, end) = place.ok_or_else(|| which_one(&values))?;
        let Input::Held(bytes) = values.input else {
            return Err(Failure::misuse("the file is too large to be edited"));
        };
        let document = bytes.get(start..end).and_then(|value| Document::of(value, &rules));
        Ok(EditTarget { header, bytes, layers, rules, framing, document, start, end })
    }

    fn value(&self) -> &[u8] {
        &self.bytes[self.start..self.end]
    }

    fn tree(&self) -> NamedValue<'_> {
        NamedValue { bytes: self.value(), rules: &self.rules, document: self.document.as_ref() }
    }

    /// Returns the bytes with another value at a place, or with a new one where that was asked for.
    fn set(&self, set: &Set) -> Result<Vec<u8>, Failure> {
        let target = Target::newest(self.rules.dialect);
        let encode = |text: &str| {
            encoded(text, "", target, None)
                .map_err(|message| Failure::data(format!("the new value: {message}")))
        };
        let names = arguments_path::steps(&set.place).map_err(Failure::misuse)?;
        let mut new = encode(&set.json)?;
        let mut value = self.value().to_vec();
        match self.tree().named(&names)? {
            Some(node) => {
                let (old_type, new_type) = (self.type_of(&value[node.clone()]), self.type_of(&new));
                // A whole number where a float is means a float.
                if (old_type, new_type) == (Some(VariantType::Float), Some(VariantType::Int)) {
                    new = encode(&format!("{}.0", set.json.trim()))?;
                } else if old_type != new_type && !set.retype {
                    let name = |ty: Option<VariantType>| ty.map_or("something else", VariantType::name);
                    let words = format!(
                        "{} is {}, and this is {}",
                        paint::shown(&set.place),
                        name(old_type),
                        name(new_type)
                    );
                    return Err(Failure::data(format!("{words} (--retype makes it that)")));
                }
                value.splice(node, new);
            }
            None if set.add => self.add(&names, &new, &mut value, &encode)?,
            None => {
                return Err(Failure::data(format!(
                    "nothing is at {} (--add adds it)",
                    paint::shown(&set.place)
                )));
            }
        }
        let checked = validate(&value, &self.rules);
        checked.map(|_| value).map_err(|error| Failure::data(format!("with the new value: {error}")))
    }

    /// Returns the bytes without an entry of a Dictionary and its key, or without an element of an Array.
    fn delete(&self, place: &str) -> Result<Vec<u8>, Failure> {
        let names = arguments_path::steps(place).map_err(Failure::misuse)?;
        let Some((_, around)) = names.split_last() else {
            return Err(Failure::misuse("the root cannot be deleted"));
        };
        let count_at = self.tree().count_at(around)?;
        // A child, with its key, begins where the one before it ends.
        let mut before = count_at + 4;
        let mut found = None;
        let tree = self.tree();
        tree.each(&names, |path, range| {
            let parent = path.0.split_last().map(|(_, parent)| variant_core::Path(parent.to_vec()));
            if found.is_none() && parent.is_some_and(|parent| tree.is_at(&parent, around)) {
                let end = range.end;
                if tree.is_at(path, &names) {
                    found = Some(before..end);
                }
                before = end;
            }
        })?;
        let range = found.ok_or_else(|| nothing_at(place))?;
        let mut value = self.value().to_vec();
        value.drain(range);
        let word = value[count_at..].first_chunk::<4>().copied().map_or(0, u32::from_le_bytes);
        value[count_at..count_at + 4].copy_from_slice(&word.saturating_sub(1).to_le_bytes());
        let checked = validate(&value, &self.rules);
        checked.map(|_| value).map_err(|error| Failure::data(format!("without it: {error}")))
    }

    fn type_of(&self, value: &[u8]) -> Option<VariantType> {
        self.rules.dialect.type_with_id(u16::from(*value.first()?))
    }

    fn add(
        &self,
        names: &[PathStep],
        new: &[u8],
        value: &mut Vec<u8>,
        encode: &impl Fn(&str) -> Result<Vec<u8>, Failure>,
    ) -> Result<(), Failure> {
        let Some((last, around)) = names.split_last() else {
            return Err(Failure::misuse("the root is there already"));
        };
        let container =
            self.tree().named(around)?.ok_or_else(|| Failure::data("what should hold it is not there"))?;
        let at = self.tree().count_at(around)?;
        let word = value[at..].first_chunk::<4>().copied().map_or(0, u32::from_le_bytes);
        // The uppermost bit is a mark of Godot's and no part of the count.
        let count = word & 0x7FFF_FFFF;
        let added = match (self.type_of(&value[container.clone()]), last) {
            (Some(VariantType::Array), PathStep::Number(index)) if *index == i64::from(count) => new.to_vec(),
            (Some(VariantType::Array), _) => {
                return Err(Failure::data(format!("the next element of this Array is [{count}]")));
            }
            (Some(VariantType::Dictionary), step) => {
                let key = match step {
                    PathStep::Text(key) => json!(key),
                    PathStep::Number(key) => json!(key),
                    PathStep::Vector(ty, numbers) => {
                        json!({ format!("${ty}"): numbers[..usize::from(size(*ty))] })
                    }
                    PathStep::Entry(_) => return Err(Failure::data(NOT_ADDED)),
                };
                [encode(&key.to_string())?, new.to_vec()].concat()
            }
            _ => return Err(Failure::data(NOT_ADDED)),
        };
        value.splice(container.end..container.end, added);
        value[at..at + 4].copy_from_slice(&(word + 1).to_le_bytes());
        Ok(())
    }

    /// Replaces the file by one that is read as it was, but for the value.
    fn put(mut self, to: &To<'_>, value: Vec<u8>) -> Result<(), Failure> {
        let length =
            |bytes: usize| u32::try_from(bytes).map_err(|_| Failure::data("a value too long for a frame"));
        let start = self.start - self.framing.length(length(self.end - self.start)?).len();
        let framed = self.framing.length(length(value.len())?).into_iter().chain(value);
        self.bytes.splice(start..self.end, framed);
        let bytes = if self.header.is_empty() { self.bytes } else { [self.header, self.bytes].concat() };
        let packed = self.layers.pack(bytes)?;
        to.write(&packed.bytes)?;
        packed.warn(to.out.path());
        Ok(())
    }
}
