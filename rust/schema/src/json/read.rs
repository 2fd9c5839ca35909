//! A schema from JSON. Every word has to be known: a misspelt demand that is passed over would be one not checked.

use variant_core::Mistakes;

use super::tree::Json;
use super::{VERSION, demands, value};
use crate::builders::TYPE_WORDS;
use crate::schema::{Number, Presence, Schema, Shape};
use crate::trail::{SchemaPath, mistake_at};

pub(super) type Outcome<T> = Result<T, String>;

/// A JSON object on its way to a schema; what has been used is crossed off.
pub(super) struct Fields<'j> {
    entries: &'j [(String, Json)],
    used: Vec<&'static str>,
}

/// Reads the parts of a schema and keeps all that is wrong with them.
#[derive(Default)]
pub(super) struct SchemaReader {
    path: SchemaPath,
    mistakes: Option<Mistakes>,
}

impl SchemaReader {
    /// Reads the part of this name. A mistake in it is kept, and any schema stands in its place.
    fn part<T>(&mut self, segment: String, read: impl FnOnce(&mut SchemaReader) -> Outcome<T>) -> Option<T> {
        if self.mistakes.as_ref().is_some_and(Mistakes::is_full) {
            return None;
        }
        let below = self.path.below(segment);
        let around = std::mem::replace(&mut self.path, below);
        let outcome = read(self);
        let made = self.noted(outcome);
        self.path = around;
        made
    }

    fn noted<T>(&mut self, outcome: Outcome<T>) -> Option<T> {
        outcome.map_err(|message| Mistakes::add(&mut self.mistakes, mistake_at(&self.path, &message))).ok()
    }
}

/// The schema at the root, its version checked.
pub(super) fn schema(json: &Json) -> Result<Schema, Mistakes> {
    let mut reading = SchemaReader::default();
    let schema = match json {
        Json::Map(entries) => {
            let version = entries.iter().find(|(key, _)| key == "schema_version");
            match version {
                Some((_, Json::Int(version))) if *version == VERSION => read(json, &mut reading),
                Some(_) => Err(format!("schema_version has to be {VERSION}")),
                None => Err("schema_version is missing".to_owned()),
            }
        }
        _ => Err("a schema has to be an object".to_owned()),
    };
    let schema = reading.noted(schema).unwrap_or_else(Schema::any);
    Mistakes::unless(reading.mistakes, Ok(schema))
}

/// The schema of the elements of packed arrays.
pub(super) fn elements(json: &Json) -> Outcome<Schema> {
    let mut reading =
        SchemaReader { path: SchemaPath::default().below("elements".to_owned()), mistakes: None };
    let elements = read(json, &mut reading)?;
    Mistakes::unless(reading.mistakes, Ok(elements)).map_err(|mistakes| mistakes.lines())
}

fn read(json: &Json, reading: &mut SchemaReader) -> Outcome<Schema> {
    let mut fields = Fields::of(json).ok_or("a schema has to be an object")?;
    if reading.path.is_root() {
        fields.take("schema_version");
    }
    let description = fields.text("description")?.unwrap_or_default();
    let mistakes = fields.text("mistake")?.and_then(|lines| mistakes_of(&lines));
    let word = fields.text("type")?.ok_or("type is missing")?;
    let shape = read_shape(&word, &mut fields, reading)?;
    let mut demands = demands::read(&mut fields)?;
    demands.open = matches!(shape, Shape::Tuple(_)) && fields.flag("open")?;
    let nullable = fields.flag("nullable")?;
    let is_optional = fields.flag("optional")?;
    let presence = match fields.take("default") {
        Some(json) => Presence::Default(value::read(json)?),
        None if is_optional => Presence::Optional,
        None => Presence::Required,
    };
    let definitions = match fields.take("define") {
        Some(json) => named(json, reading, |name| format!("<{name}>"))?,
        None => Vec::new(),
    };
    let definitions = definitions.into_iter().collect();
    fields.end()?;
    Ok(Schema::new(shape).with(|body| {
        body.demands = demands;
        body.nullable = nullable;
        body.presence = presence;
        body.description = description;
        body.definitions = definitions;
        body.mistakes = mistakes;
    }))
}

/// The mistakes of a schema that was written with them, each on a line.
fn mistakes_of(lines: &str) -> Option<Mistakes> {
    let mut mistakes = None;
    lines.split('\n').for_each(|line| Mistakes::add(&mut mistakes, mistake_at(&SchemaPath::default(), line)));
    mistakes
}

fn read_shape(word: &str, fields: &mut Fields<'_>, reading: &mut SchemaReader) -> Outcome<Shape> {
    Ok(match word {
        "any" => Shape::Any,
        "enum" => Shape::Enum(fields.list("values")?.iter().map(value::read).collect::<Outcome<_>>()?),
        "union" => Shape::Union(parts(fields.list("of")?, reading, |at| format!("({at})"))),
        "array" => Shape::Array(part(fields.needed("items")?, reading, "[]".to_owned())),
        "tuple" => Shape::Tuple(parts(fields.list("items")?, reading, |at| format!("[{at}]"))),
        "dict" => {
            let is_first = reading.path.is_root();
            let segment = |name: &str| if is_first { name.to_owned() } else { format!(".{name}") };
            Shape::Dict { keys: named(fields.needed("keys")?, reading, segment)?, open: fields.flag("open")? }
        }
        "map" => Shape::Map(
            part(fields.needed("key")?, reading, "{key}".to_owned()),
            part(fields.needed("value")?, reading, "{value}".to_owned()),
        ),
        "ref" => Shape::Ref(fields.text("name")?.ok_or("name is missing")?),
        "discriminated" => {
            let key = fields.text("by")?.ok_or("by is missing")?;
            let cases = fields.list("cases")?.iter().enumerate();
            let cases = cases
                .filter_map(|(at, case)| reading.part(format!("({at})"), |reading| read_case(case, reading)));
            Shape::Discriminated { key, cases: cases.collect() }
        }
        word => match TYPE_WORDS.iter().find(|(known, _)| *known == word) {
            Some((_, ty)) => Shape::Type(*ty),
            None => return Err(format!("there is no type {}{}", crate::describe::quoted(word), near(word))),
        },
    })
}

fn read_case(json: &Json, reading: &mut SchemaReader) -> Outcome<(variant_core::Value, Schema)> {
    let mut fields = Fields::of(json).ok_or("a case has to be an object")?;
    let value = value::read(fields.needed("value")?)?;
    let schema = read(fields.needed("is")?, reading)?;
    fields.end()?;
    Ok((value, schema))
}

/// Words of `type` that are no type of a value.
const SHAPES: [&str; 9] = ["any", "enum", "union", "array", "tuple", "dict", "map", "ref", "discriminated"];

/// Names the types that a word that is none is nearest to, in its letters or by what others call them.
fn near(word: &str) -> String {
    let known = TYPE_WORDS.iter().map(|(word, _)| *word).chain(SHAPES);
    let lower: Vec<char> = word.chars().take(64).flat_map(char::to_lowercase).collect();
    let most = (lower.len() / 3).max(1);
    let meant = MEANT.iter().find(|(other, _)| lower.iter().copied().eq(other.chars()));
    let mut found: Vec<(usize, &str)> = meant.map(|(_, word)| (0, *word)).into_iter().collect();
    found.extend(known.map(|known| (steps(&lower, known), known)).filter(|(steps, _)| *steps <= most));
    found.sort_unstable();
    found.dedup_by(|other, first| other.1 == first.1);
    let names: Vec<String> = found.iter().take(3).map(|(_, known)| crate::describe::quoted(known)).collect();
    if names.is_empty() { String::new() } else { format!("; near it: {}", names.join(", ")) }
}

/// Names of types in JSON Schema and in other languages, and the type that is meant.
const MEANT: [(&str, &str); 12] = [
    ("integer", "int"),
    ("number", "float"),
    ("double", "float"),
    ("real", "float"),
    ("boolean", "bool"),
    ("str", "string"),
    ("text", "string"),
    ("null", "nil"),
    ("object", "dict"),
    ("dictionary", "dict"),
    ("list", "array"),
    ("bytes", "packed_byte_array"),
];

/// Counts the letters to be added, left out or changed between two words.
fn steps(word: &[char], other: &str) -> usize {
    let mut row: Vec<usize> = (0..=word.len()).collect();
    for (at, letter) in other.chars().enumerate() {
        let mut before = std::mem::replace(row.first_mut().unwrap_or(&mut 0), at.saturating_add(1));
        let mut left = at.saturating_add(1);
        for (mine, cell) in word.iter().zip(row.iter_mut().skip(1)) {
            let changed = before.saturating_add(usize::from(*mine != letter));
            before = *cell;
            left = changed.min(before.saturating_add(1)).min(left.saturating_add(1));
            *cell = left;
        }
    }
    row.last().copied().unwrap_or(0)
}

fn part(json: &Json, reading: &mut SchemaReader, segment: String) -> Schema {
    reading.part(segment, |reading| read(json, reading)).unwrap_or_else(Schema::any)
}

fn parts(list: &[Json], reading: &mut SchemaReader, segment: impl Fn(usize) -> String) -> Vec<Schema> {
    list.iter().enumerate().map(|(at, json)| part(json, reading, segment(at))).collect()
}

fn named(
    json: &Json,
    reading: &mut SchemaReader,
    segment: impl Fn(&str) -> String,
) -> Outcome<Vec<(String, Schema)>> {
    let Json::Map(entries) = json else { return Err("names and schemas have to be an object".to_owned()) };
    Ok(entries.iter().map(|(name, json)| (name.clone(), part(json, reading, segment(name)))).collect())
}

fn real(json: &Json) -> Option<f64> {
    match json {
        Json::Float(number) => Some(*number),
        Json::Int(number) => Some(crate::lint::as_f64(Number::Int(*number))),
        Json::Text(word) if matches!(word.as_str(), "inf" | "-inf" | "NaN") => word.parse().ok(),
        _ => None,
    }
}

impl<'j> Fields<'j> {
    /// `None` for what is no object.
    pub(super) fn of(json: &'j Json) -> Option<Fields<'j>> {
        let Json::Map(entries) = json else { return None };
        Some(Fields { entries, used: Vec::new() })
    }

    pub(super) fn take(&mut self, name: &'static str) -> Option<&'j Json> {
        self.used.push(name);
        self.entries.iter().find(|(key, _)| key == name).map(|(_, json)| json)
    }

    pub(super) fn needed(&mut self, name: &'static str) -> Outcome<&'j Json> {
        self.take(name).ok_or_else(|| format!("{name} is missing"))
    }

    /// Takes a field and makes of it what it has to be.
    pub(super) fn made<T>(
        &mut self,
        name: &'static str,
        what: &str,
        make: impl FnOnce(&'j Json) -> Option<T>,
    ) -> Outcome<Option<T>> {
        let wrong = || format!("{name} has to be {what}");
        self.take(name).map(|json| make(json).ok_or_else(wrong)).transpose()
    }

    pub(super) fn text(&mut self, name: &'static str) -> Outcome<Option<String>> {
        self.made(name, "text", |json| if let Json::Text(text) = json { Some(text.clone()) } else { None })
    }

    pub(super) fn flag(&mut self, name: &'static str) -> Outcome<bool> {
        let flag = |json: &Json| if let Json::Bool(flag) = json { Some(*flag) } else { None };
        self.made(name, "true or false", flag).map(Option::unwrap_or_default)
    }

    pub(super) fn list(&mut self, name: &'static str) -> Outcome<&'j [Json]> {
        let list = |json: &'j Json| if let Json::List(items) = json { Some(items.as_slice()) } else { None };
        self.made(name, "a list", list)?.ok_or_else(|| format!("{name} is missing"))
    }

    pub(super) fn number(&mut self, name: &'static str) -> Outcome<Option<Number>> {
        self.made(name, "a number", |json| match json {
            Json::Int(number) => Some(Number::Int(*number)),
            json => real(json).map(Number::Float),
        })
    }

    pub(super) fn real(&mut self, name: &'static str) -> Outcome<Option<f64>> {
        self.made(name, "a number", real)
    }

    pub(super) fn reals(&mut self, name: &'static str) -> Outcome<Option<Vec<f64>>> {
        self.made(name, "a list of numbers", |json| match json {
            Json::List(numbers) => numbers.iter().map(real).collect(),
            _ => None,
        })
    }

    pub(super) fn count(&mut self, name: &'static str) -> Outcome<Option<u64>> {
        let int = |json: &Json| if let Json::Int(count) = json { Some(*count) } else { None };
        let count = self.made(name, "a whole number", int)?.map(u64::try_from).transpose();
        count.map_err(|_| format!("{name} cannot be negative"))
    }

    pub(super) fn end(&self) -> Outcome<()> {
        let mut seen: Vec<&str> = Vec::new();
        for (key, _) in self.entries {
            if !self.used.contains(&key.as_str()) {
                return Err(format!("there is no {} here", crate::describe::quoted(key)));
            }
            if seen.contains(&key.as_str()) {
                return Err(format!("{} is there twice", crate::describe::quoted(key)));
            }
            seen.push(key);
        }
        Ok(())
    }
}
