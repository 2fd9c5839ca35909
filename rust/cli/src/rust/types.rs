//! Writes the types of a message's values: a struct for each Dictionary, an enum for listed texts and for cases. A number has the
//! width that its range asks for.

use std::collections::BTreeMap;

use variant_core::{Value, VariantType};
use variant_pack::Layout;
use variant_pack::parts::{Dict, Form, Grid, Key, KeyedEntries, Node, Tuple, Values, Wire};
use variant_schema::Width;

use crate::literals::read;
use crate::names::Names;

const ANY: &str = "variant_serde::Any";
/// The types that are keys of a map, beside listed texts.
const KEYS: &str = "bool i64 i32 i16 i8 u32 u16 u8 String variant_serde::StringName variant_serde::Vector2i \
    variant_serde::Vector3i variant_serde::Vector4i";
/// The words of the language that a field is called by with `r#` in front.
const WORDS: &str = "abstract as async await become box break const continue do dyn else enum extern false final fn for \
    gen if impl in let loop macro match mod move mut override priv pub ref return static struct trait \
    true try type typeof unsafe unsized use virtual where while yield";
fn is_one_of(list: &str, word: &str) -> bool {
    list.split(' ').any(|one| one == word)
}

/// Those that no field is called by.
const NO_FIELDS: [&str; 3] = ["crate", "self", "super"];

pub(super) struct Types<'p> {
    name: &'p str,
    layout: &'p Layout,
    names: &'p mut Names,
    /// The names of structs and enums, by their parts.
    made: BTreeMap<usize, String>,
    texts: Vec<String>,
    /// The parts that are being written, the outermost first.
    open: Vec<usize>,
    pub(super) text: String,
}

impl<'p> Types<'p> {
    pub(super) fn new(name: &'p str, layout: &'p Layout, names: &'p mut Names) -> Types<'p> {
        let (made, texts, open, text) = (BTreeMap::new(), Vec::new(), Vec::new(), String::new());
        Types { name, layout, names, made, texts, open, text }
    }

    pub(super) fn ty(&mut self, at: usize) -> Result<String, String> {
        let Some(part) = self.layout.node(at) else { return Ok(ANY.to_owned()) };
        let ty = self.not_null(at, part)?;
        Ok(if part.nullable { format!("Option<{ty}>") } else { ty })
    }

    fn not_null(&mut self, at: usize, part: &'p Node) -> Result<String, String> {
        match (self.made.get(&at), self.open.contains(&at)) {
            (Some(name), true) => return Ok(format!("Box<{name}>")),
            (Some(name), false) => return Ok(name.clone()),
            // A list of itself has no type that ends.
            (None, true) => return Ok(ANY.to_owned()),
            (None, false) => {}
        }
        self.open.push(at);
        let ty = self.kind(at, part);
        self.open.pop();
        ty
    }

    fn kind(&mut self, at: usize, part: &'p Node) -> Result<String, String> {
        Ok(match &part.wire {
            Wire::Nothing(bytes) => self.listed(at, std::slice::from_ref(bytes))?,
            Wire::Enum(Values { all, .. }) => self.listed(at, all)?,
            Wire::Same(other) => self.ty(*other)?,
            Wire::Bool => "bool".to_owned(),
            Wire::Number(VariantType::Int, form) => whole(form).to_owned(),
            Wire::Number(_, form) => real(form).to_owned(),
            Wire::Text(VariantType::String, _) => "String".to_owned(),
            Wire::Solid { ty, .. } | Wire::Text(ty, _) | Wire::Packed { ty, .. } => of_type(*ty),
            Wire::Strings { .. } => of_type(VariantType::PackedStringArray),
            Wire::NodePath => of_type(VariantType::NodePath),
            Wire::Dict(_) => self.structure(at, &self.place(at))?,
            Wire::Cases { name, values, cases, .. } => self.cases(at, name, &values.all, cases)?,
            Wire::Array { item, .. } | Wire::Keyed(KeyedEntries { key: None, item, .. }) => {
                format!("Vec<{}>", self.ty(*item)?)
            }
            Wire::Tuple(Tuple { items, least, .. }) => self.tuple(items, *least)?,
            Wire::Map { key, value, .. } | Wire::Keyed(KeyedEntries { key: Some(key), item: value, .. }) => {
                let (key, value) = (self.ty(*key)?, self.ty(*value)?);
                let is_key = is_one_of(KEYS, &key) || self.texts.contains(&key);
                if is_key { format!("std::collections::BTreeMap<{key}, {value}>") } else { ANY.to_owned() }
            }
            _ => ANY.to_owned(),
        })
    }

    /// Returns the type of a tuple of which so many elements are always there.
    fn tuple(&mut self, items: &[usize], there: usize) -> Result<String, String> {
        let each = items.iter().map(|item| self.ty(*item)).collect::<Result<Vec<_>, _>>()?;
        Ok(match each.split_first() {
            // serde knows no longer ones.
            Some((first, rest)) if there == each.len() && each.len() <= 16 => {
                format!("({first}, {})", rest.join(", "))
            }
            Some((first, rest)) if rest.iter().all(|ty| ty == first) => format!("Vec<{first}>"),
            _ => format!("Vec<{ANY}>"),
        })
    }

    fn place(&self, at: usize) -> String {
        let path = self.layout.node(at).map_or("", |part| &part.path);
        format!("{} {path}", self.name)
    }

    fn named(&mut self, at: usize, words: &str) -> String {
        let otherwise = format!("Part{at}");
        let name = self.names.of(words, &otherwise);
        self.made.insert(at, name.clone());
        name
    }

    fn structure(&mut self, at: usize, words: &str) -> Result<String, String> {
        let Some(Wire::Dict(Dict { keys, declared, .. })) = self.layout.node(at).map(|part| &part.wire)
        else {
            return self.ty(at);
        };
        let name = self.named(at, words);
        let mut names = Names::new("");
        let mut fields = String::new();
        for key in declared.iter().filter_map(|at| keys.get(*at)) {
            fields.push_str(&self.field(&name, key, &mut names)?);
        }
        if !fields.is_empty() {
            fields.insert(0, '\n');
        }
        self.text.push_str(&format!(
            "\n#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]\npub struct {name} {{{fields}}}\n"
        ));
        Ok(name)
    }

    fn field(&mut self, of: &str, key: &Key, names: &mut Names) -> Result<String, String> {
        let field = names.take(snake(&key.name), &format!("key{}", key.node));
        let mut ty = self.ty(key.node)?;
        let mut attributes = Vec::new();
        if field.strip_prefix("r#").unwrap_or(&field) != key.name {
            attributes.push(format!("rename = {:?}", key.name));
        }
        let default = key.default.as_deref().map(|codes| self.layout.bytes_of(key.node, codes));
        let default = default.and_then(|bytes| scalar(&read(&bytes).ok()?, &ty));
        if let Some(default) = default {
            let made = format!("default_{}_{}", snake(of), field.trim_start_matches("r#"));
            self.text.push_str(&format!("\nfn {made}() -> {ty} {{\n    {default}\n}}\n"));
            attributes.push(format!("default = {made:?}"));
        } else if key.is_optional {
            attributes.push("default, skip_serializing_if = \"Option::is_none\"".to_owned());
            if ty.starts_with("Option<") {
                attributes.push("deserialize_with = \"variant_protocol::typed::there\"".to_owned());
            }
            ty = format!("Option<{ty}>");
        }
        let attributes = if attributes.is_empty() {
            String::new()
        } else {
            format!("    #[serde({})]\n", attributes.join(", "))
        };
        Ok(format!("{attributes}    pub {field}: {ty},\n"))
    }

    /// Writes the enum of Dictionaries that a text in them tells apart.
    fn cases(&mut self, at: usize, key: &str, values: &[Vec<u8>], cases: &[usize]) -> Result<String, String> {
        let layout = self.layout;
        let is_dict =
            |case: &usize| layout.node(*case).is_some_and(|part| matches!(part.wire, Wire::Dict(_)));
        let Some(texts) = texts(values).filter(|_| cases.iter().all(is_dict)) else {
            return Ok(ANY.to_owned());
        };
        let name = self.named(at, &self.place(at));
        let mut names = Names::new("Self");
        let mut variants = String::new();
        for (number, (text, case)) in texts.iter().zip(cases).enumerate() {
            let variant = names.of(text, &format!("Case{number}"));
            let ty = self.structure(*case, &format!("{name} {text}"))?;
            variants.push_str(&format!("    #[serde(rename = {text:?})]\n    {variant}({ty}),\n"));
        }
        self.text.push_str(&format!(
            "\n#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]\n#[serde(tag = {key:?})]\npub enum {name} {{\n{variants}}}\n"
        ));
        Ok(name)
    }

    /// Returns the type of listed values: an enum of texts, or what all of them are.
    fn listed(&mut self, at: usize, values: &[Vec<u8>]) -> Result<String, String> {
        if let Some(texts) = texts(values) {
            return Ok(self.enumeration(at, &texts));
        }
        let values = values.iter().map(|bytes| read(bytes)).collect::<Result<Vec<Value>, _>>()?;
        let ints: Vec<i64> = values.iter().filter_map(Value::as_int).collect();
        let of = |ty: VariantType| values.iter().all(|value| value.ty() == ty);
        Ok(if of(VariantType::Int) {
            let (least, most) = (ints.iter().min().copied(), ints.iter().max().copied());
            narrowest(least.unwrap_or(0).into(), most.unwrap_or(0).into()).to_owned()
        } else if of(VariantType::Nil) {
            "()".to_owned()
        } else if of(VariantType::Bool) {
            "bool".to_owned()
        } else if of(VariantType::Float) {
            "f64".to_owned()
        } else if of(VariantType::StringName) {
            of_type(VariantType::StringName)
        } else {
            ANY.to_owned()
        })
    }

    fn enumeration(&mut self, at: usize, texts: &[String]) -> String {
        let name = self.named(at, &self.place(at));
        let mut names = Names::new("Self");
        let mut variants = String::new();
        for (number, text) in
            texts.iter().enumerate().filter(|(number, text)| !texts[..*number].contains(text))
        {
            let variant = names.of(text, &format!("Value{number}"));
            variants.push_str(&format!("    #[serde(rename = {text:?})]\n    {variant},\n"));
        }
        self.text.push_str(&format!(
            "\n#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]\npub enum {name} {{\n{variants}}}\n"
        ));
        self.texts.push(name.clone());
        name
    }
}

/// Writes a default of a type that has words for it. A key with another default may be missing.
fn scalar(value: &Value, ty: &str) -> Option<String> {
    match value {
        Value::Bool(is) if ty == "bool" => Some(is.to_string()),
        Value::Int(number) if is_one_of(KEYS, ty) => Some(number.to_string()),
        Value::Float(number) if matches!(ty, "f32" | "f64") && number.is_finite() => {
            Some(format!("{number:?}"))
        }
        Value::String(text) if ty == "String" => Some(format!("{text:?}.to_owned()")),
        _ => None,
    }
}

fn texts(values: &[Vec<u8>]) -> Option<Vec<String>> {
    let text = |bytes: &Vec<u8>| match read(bytes) {
        Ok(Value::String(text)) => Some(text),
        _ => None,
    };
    values.iter().map(text).collect()
}

/// Returns the type of `variant-serde` that stands for one of Godot's.
fn of_type(ty: VariantType) -> String {
    let name = if ty == VariantType::Aabb { "Aabb" } else { ty.name() };
    format!("variant_serde::{name}")
}

fn whole(form: &Form) -> &'static str {
    match *form {
        Form::Span { min, step, last, .. } => {
            narrowest(min.into(), i128::from(min) + i128::from(step) * i128::from(last))
        }
        _ => "i64",
    }
}

fn narrowest(least: i128, most: i128) -> &'static str {
    let fits = |low: i128, high: i128| least >= low && most <= high;
    match () {
        () if fits(0, u8::MAX.into()) => "u8",
        () if fits(i8::MIN.into(), i8::MAX.into()) => "i8",
        () if fits(0, u16::MAX.into()) => "u16",
        () if fits(i16::MIN.into(), i16::MAX.into()) => "i16",
        () if fits(0, u32::MAX.into()) => "u32",
        () if fits(i32::MIN.into(), i32::MAX.into()) => "i32",
        () => "i64",
    }
}

fn real(form: &Form) -> &'static str {
    match form {
        Form::Raw { width: Width::Half | Width::Single, .. }
        | Form::Grid(Grid { is_narrow: true, .. })
        | Form::Steps { is_narrow: true, .. } => "f32",
        _ => "f64",
    }
}

/// Makes a field's name of a text: small letters, with `_` between words. Empty if that makes no name.
fn snake(text: &str) -> String {
    let mut made = String::new();
    let mut was_small = false;
    for letter in text.chars() {
        if was_small && letter.is_ascii_uppercase() {
            made.push('_');
        }
        was_small = letter.is_ascii_lowercase() || letter.is_ascii_digit();
        made.push(if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '_' });
    }
    let is_name = made.starts_with(|letter: char| letter.is_ascii_lowercase() || letter == '_')
        && made.contains(|letter: char| letter.is_ascii_alphanumeric());
    match made.as_str() {
        word if is_one_of(WORDS, word) => format!("r#{word}"),
        word if NO_FIELDS.contains(&word) => format!("{word}_"),
        _ if is_name => made,
        _ => String::new(),
    }
}
