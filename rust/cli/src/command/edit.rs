//! `edit`: one value of a file shown or replaced. All other bytes stay as they are, and so do the lengths before values, the
//! compression and the encryption. The file is replaced in one go, or not at all.

use std::io::Write;
use std::path::Path;

use variant_core::{Rules, Strictness, Target, VariantType, validate};
use variant_text::json::{Form, write};
use variant_text::{Document, Part, fields};

use super::json::encoded;
use crate::arguments::{Edit, EditStep, Framing, Reading, Set};
use crate::arguments_path::{self, Name};
use crate::container::Layers;
use crate::failure::{Failure, Verdict};
use crate::save::OutPath;
use crate::values::{Input, Values};
use crate::{framing, paint, save, source};

pub(crate) fn run(given: &Edit) -> Result<Verdict, Failure> {
    match edited(given) {
        Err(failure @ Failure::Data(_)) => {
            let mut text = Vec::new();
            paint::failure(&mut text, Some(&source::name(&given.file)), &failure);
            paint::told(&text);
            Ok(Verdict::Bad)
        }
        done => done.map(|()| Verdict::Good),
    }
}

fn edited(given: &Edit) -> Result<(), Failure> {
    if source::is_stdin(&given.file) {
        return Err(Failure::misuse("edit takes the name of a file"));
    }
    let opened = EditTarget::new(given)?;
    match &given.step {
        EditStep::Get { place } => {
            let node = opened.node(place)?.ok_or_else(|| nothing_at(place))?;
            let mut output = anstream::stdout().lock();
            let form = Form { plain: false, compact: false, tags_floats: false };
            write(&opened.value()[node.range()], &opened.rules, form, &mut output)?
                .map_err(|error| Failure::data(error.to_string()))?;
            Ok(writeln!(output)?)
        }
        EditStep::Set(set) => {
            let to = To::new(given)?;
            opened.set(&to, set)
        }
        EditStep::Delete { place } => {
            let to = To::new(given)?;
            opened.delete(&to, place)
        }
    }
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
    /// The names of its parts, if it is a document of objects.
    document: Option<Document>,
    /// Where the value begins and ends, without its length.
    start: usize,
    end: usize,
}

/// A value in the value.
struct Node {
    start: usize,
    end: usize,
}

impl Node {
    const fn range(&self) -> std::ops::Range<usize> {
        self.start..self.end
    }
}

impl EditTarget {
    fn new(given: &Edit) -> Result<EditTarget, Failure> {
        let reading: &Reading = &given.reading;
        let rules = reading.rules(Strictness::Safe);
        if reading.hex || reading.base64 {
            return Err(Failure::misuse("edit takes a file of bytes, and no --hex or --base64"));
        }
        let (mut header, layers) = source::layered(&given.file, reading)?;
        let skip = usize::try_from(reading.skip).ok().filter(|skip| *skip <= header.len());
        let bytes =
            header.split_off(skip.ok_or_else(|| Failure::misuse("--skip: the file has fewer bytes"))?);
        let input = Input::Held(bytes);
        let framing =
            framing::of(&given.file, &input, reading).map_err(|error| Failure::file(&given.file, error))?;
        let mut values = Values::new(source::shown(&given.file), input, Vec::new(), framing, &rules);
        let mut place = None;
        while let Some(one) = values.next()? {
            let is_it = given.value == Some(one.at) || given.value.is_none() && one.is_only;
            if is_it {
                let extent = validate(one.bytes, &rules).map_err(|error| one.refused(&error))?;
                one.left_over(&extent).map_or(Ok(()), Err)?;
                let start = usize::try_from(one.start).unwrap_or(usize::MAX);
                place = Some((start, start + one.bytes.len()));
            }
        }
        let count = values.counted();
        let (start, end) = place.ok_or_else(|| {
            Failure::misuse(format!("the file has {count}: name one by --value, counted from 0"))
        })?;
        let Input::Held(bytes) = values.into_input() else {
            return Err(Failure::misuse("the file is too large to be edited"));
        };
        let document = bytes.get(start..end).and_then(|value| Document::of(value, &rules));
        Ok(EditTarget { header, bytes, layers, rules, framing, document, start, end })
    }

    fn value(&self) -> &[u8] {
        &self.bytes[self.start..self.end]
    }

    /// The value at a place, if one is there.
    fn node(&self, place: &str) -> Result<Option<Node>, Failure> {
        let names = arguments_path::steps(place).map_err(Failure::misuse)?;
        self.named(&names)
    }

    /// The levels below the root that a place of so many steps can be at: objects of documents have shorter names.
    const fn depth(&self, names: &[Name]) -> usize {
        if self.document.is_some() { usize::MAX } else { names.len() }
    }

    /// Whether the call names this path, as it is or as it is shown of a document of objects.
    fn is_at(&self, path: &variant_core::Path, names: &[Name]) -> bool {
        let is_shown = |document: &Document| arguments_path::is_it(&document.path(path).0, names);
        arguments_path::is_it(&path.0, names) || self.document.as_ref().is_some_and(is_shown)
    }

    fn named(&self, names: &[Name]) -> Result<Option<Node>, Failure> {
        let mut found = None;
        let told = variant_text::nodes(self.value(), &self.rules, self.depth(names), &mut |node| {
            if found.is_none() && self.is_at(node.path, names) {
                let start = usize::try_from(node.offset).unwrap_or(usize::MAX);
                found = Some(Node { start, end: start + usize::try_from(node.bytes).unwrap_or(usize::MAX) });
            }
            Ok(())
        });
        told?.map_err(|error| Failure::data(error.to_string()))?;
        Ok(found)
    }

    /// Replaces the value at a place, or adds one where that was asked for.
    fn set(mut self, to: &To<'_>, set: &Set) -> Result<(), Failure> {
        let target = Target::newest(self.rules.dialect);
        let encode = |text: &str| {
            encoded(text, "", target, None)
                .map_err(|message| Failure::data(format!("the new value: {message}")))
        };
        let names = arguments_path::steps(&set.place).map_err(Failure::misuse)?;
        let mut new = encode(&set.json)?;
        let mut value = self.value().to_vec();
        match self.named(&names)? {
            Some(node) => {
                let (old_type, new_type) = (self.type_of(&value[node.range()]), self.type_of(&new));
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
                value.splice(node.range(), new);
            }
            None if set.add => self.add(&names, &new, &mut value, &encode)?,
            None => {
                return Err(Failure::data(format!(
                    "nothing is at {} (--add adds it)",
                    paint::shown(&set.place)
                )));
            }
        }
        validate(&value, &self.rules)
            .map_err(|error| Failure::data(format!("with the new value: {error}")))?;
        self.put(to, &value)
    }

    /// Takes out an entry of a Dictionary, with its key, or an element of an Array.
    fn delete(mut self, to: &To<'_>, place: &str) -> Result<(), Failure> {
        let names = arguments_path::steps(place).map_err(Failure::misuse)?;
        let Some((_, around)) = names.split_last() else {
            return Err(Failure::misuse("the root cannot be deleted"));
        };
        let count_at = self.count_at(around)?;
        // A child, with its key, begins where the one before it ends.
        let mut before = count_at + 4;
        let mut found = None;
        let told = variant_text::nodes(self.value(), &self.rules, self.depth(&names), &mut |node| {
            let path = &node.path.0;
            let parent = path.split_last().map(|(_, parent)| variant_core::Path(parent.to_vec()));
            if found.is_none() && parent.is_some_and(|parent| self.is_at(&parent, around)) {
                let start = usize::try_from(node.offset).unwrap_or(usize::MAX);
                let end = start + usize::try_from(node.bytes).unwrap_or(usize::MAX);
                if self.is_at(node.path, &names) {
                    found = Some(before..end);
                }
                before = end;
            }
            Ok(())
        });
        told?.map_err(|error| Failure::data(error.to_string()))?;
        let range = found.ok_or_else(|| nothing_at(place))?;
        let mut value = self.value().to_vec();
        value.drain(range);
        let word = value[count_at..].first_chunk::<4>().copied().map_or(0, u32::from_le_bytes);
        value[count_at..count_at + 4].copy_from_slice(&word.saturating_sub(1).to_le_bytes());
        validate(&value, &self.rules).map_err(|error| Failure::data(format!("without it: {error}")))?;
        self.put(to, &value)
    }

    /// Where the count of a Dictionary or an Array stands in the value.
    fn count_at(&self, around: &[Name]) -> Result<usize, Failure> {
        let mut count_at = None;
        let told = fields(self.value(), &self.rules, &mut |field| {
            if count_at.is_none() && field.part == Part::Count && self.is_at(field.path, around) {
                count_at = Some(usize::try_from(field.offset).unwrap_or(usize::MAX));
            }
            Ok(())
        });
        told?.map_err(|error| Failure::data(error.to_string()))?;
        count_at.ok_or_else(|| Failure::data("only a Dictionary or an Array has entries to change"))
    }

    fn type_of(&self, value: &[u8]) -> Option<VariantType> {
        self.rules.dialect.type_with_id(u16::from(*value.first()?))
    }

    /// Puts an entry at the end of a Dictionary, or an element at the end of an Array.
    fn add(
        &self,
        names: &[Name],
        new: &[u8],
        value: &mut Vec<u8>,
        encode: &impl Fn(&str) -> Result<Vec<u8>, Failure>,
    ) -> Result<(), Failure> {
        let Some((last, around)) = names.split_last() else {
            return Err(Failure::misuse("the root is there already"));
        };
        let container =
            self.named(around)?.ok_or_else(|| Failure::data("what should hold it is not there"))?;
        let at = self.count_at(around)?;
        let word = value[at..].first_chunk::<4>().copied().map_or(0, u32::from_le_bytes);
        // The uppermost bit is a mark of Godot's and no part of the count.
        let count = word & 0x7FFF_FFFF;
        let added = match (self.type_of(&value[container.range()]), last) {
            (Some(VariantType::Array), Name::Number(index)) if *index == i64::from(count) => new.to_vec(),
            (Some(VariantType::Array), _) => {
                return Err(Failure::data(format!("the next element of this Array is [{count}]")));
            }
            (Some(VariantType::Dictionary), Name::Text(key)) => {
                [encode(&serde_json::json!(key).to_string())?, new.to_vec()].concat()
            }
            (Some(VariantType::Dictionary), Name::Number(key)) => {
                [encode(&key.to_string())?, new.to_vec()].concat()
            }
            (Some(VariantType::Dictionary), Name::Vector(ty, numbers)) => {
                let size = numbers.len().min(match ty {
                    VariantType::Vector2i => 2,
                    VariantType::Vector3i => 3,
                    _ => 4,
                });
                let key = serde_json::json!({ format!("${}", ty.name()): numbers[..size] });
                [encode(&key.to_string())?, new.to_vec()].concat()
            }
            _ => return Err(Failure::data("only Dictionaries and Arrays can be added to")),
        };
        value.splice(container.end..container.end, added);
        value[at..at + 4].copy_from_slice(&(word + 1).to_le_bytes());
        Ok(())
    }

    /// Replaces the file by one that is read as it was, but for the value.
    fn put(&mut self, to: &To<'_>, value: &[u8]) -> Result<(), Failure> {
        let framed = framing::framed(value, self.framing)?;
        let length = u32::try_from(self.end - self.start).unwrap_or(u32::MAX);
        let start = self.start - self.framing.length(length).len();
        self.bytes.splice(start..self.end, framed);
        let packed = self.layers.pack([&self.header[..], &self.bytes].concat())?;
        to.write(&packed)
    }
}
