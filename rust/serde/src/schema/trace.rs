//! Asks a type what it reads, by giving it made-up values and noting what it asks for. Where there is more
//! than one answer, it asks again: once for each variant of an enum, and once without each field of a
//! struct. Answers are kept by the place at which they were given, since two types may have one name.

use std::collections::BTreeMap;
use std::fmt::{self, Display};

use serde::de::value::{BorrowedBytesDeserializer, StrDeserializer, U64Deserializer};
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Error as _, IntoDeserializer, MapAccess,
    SeqAccess, VariantAccess, Visitor,
};
use variant_core::token::Lanes;
use variant_core::wire::{Lane, Layout};
use variant_core::{Value, VariantType};
use variant_schema::{Schema, Shape};

use super::TracedKeys;
use crate::de::{Group, LaneReader};
use crate::error::Error;
use crate::mark::Mark;

/// Questions that one type may take.
const MOST_QUESTIONS: usize = 10_000;
/// Levels of types within types.
const DEEPEST: usize = 64;
static ZEROS: [u8; 128] = [0; 128];

/// Why a schema of a type cannot be told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceError(String);

impl Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no schema can be told of this type: {}; write one by hand", self.0)
    }
}

impl std::error::Error for TraceError {}

/// Holds the answers so far, by place.
#[derive(Default)]
struct KnownAnswers {
    enums: BTreeMap<String, Vec<Schema>>,
    structs: BTreeMap<String, Vec<Field>>,
    /// The field that is kept from its struct this time.
    kept: Option<(String, usize)>,
    /// Whether something is still to be asked, in what was gone through last.
    is_open: bool,
    keys: TracedKeys,
}

#[derive(Clone, Default)]
struct Field {
    schema: Option<Schema>,
    may_be_missing: Option<bool>,
}

pub(super) fn schema_of<T: DeserializeOwned>(keys: TracedKeys) -> Result<Schema, TraceError> {
    let mut known = KnownAnswers { keys, ..KnownAnswers::default() };
    for _ in 0..MOST_QUESTIONS {
        known.is_open = false;
        let mut schema = None;
        let outcome =
            T::deserialize(Tracer { known: &mut known, found: &mut schema, place: String::new(), depth: 0 });
        let asked = known.kept.take().and_then(|(place, at)| known.structs.get_mut(&place)?.get_mut(at));
        let answered = asked.map(|field| field.may_be_missing = Some(outcome.is_ok())).is_some();
        match (outcome, schema) {
            (Err(error), _) if !answered => return Err(TraceError(error.kind().to_string())),
            (Ok(_), Some(schema)) if !known.is_open => return Ok(schema),
            _ => {}
        }
    }
    Err(TraceError("it has too many variants and fields".to_owned()))
}

struct Tracer<'k> {
    known: &'k mut KnownAnswers,
    found: &'k mut Option<Schema>,
    place: String,
    depth: usize,
}

impl Tracer<'_> {
    fn is(self, schema: Schema) {
        *self.found = Some(schema);
    }

    /// Asks for a part of this value, and notes its schema.
    fn part<T>(
        &mut self,
        step: &str,
        ask: impl FnOnce(Tracer<'_>) -> Result<T, Error>,
    ) -> Result<(T, Schema), Error> {
        if self.depth >= DEEPEST {
            return Err(Error::custom("it holds itself"));
        }
        let (place, depth) = (format!("{}/{step}", self.place), self.depth.saturating_add(1));
        let mut found = None;
        let value = ask(Tracer { known: &mut *self.known, found: &mut found, place, depth })?;
        Ok((value, found.unwrap_or_else(Schema::any)))
    }
}

macro_rules! scalars {
    ($($method:ident $visit:ident($($value:expr)?) $schema:expr;)*) => {
        $(
            fn $method<V: Visitor<'static>>(self, visitor: V) -> Result<V::Value, Error> {
                self.is($schema);
                visitor.$visit($($value)?)
            }
        )*
    };
}

fn between(least: i64, most: i64) -> Schema {
    Schema::int().min(least).max(most)
}

impl Deserializer<'static> for Tracer<'_> {
    type Error = Error;

    scalars! {
        deserialize_bool visit_bool(false) Schema::of_type(VariantType::Bool);
        deserialize_i8 visit_i8(1) between(i8::MIN.into(), i8::MAX.into());
        deserialize_i16 visit_i16(1) between(i16::MIN.into(), i16::MAX.into());
        deserialize_i32 visit_i32(1) between(i32::MIN.into(), i32::MAX.into());
        deserialize_i64 visit_i64(1) Schema::int();
        deserialize_i128 visit_i64(1) Schema::int();
        deserialize_u8 visit_u8(1) between(0, u8::MAX.into());
        deserialize_u16 visit_u16(1) between(0, u16::MAX.into());
        deserialize_u32 visit_u32(1) between(0, u32::MAX.into());
        deserialize_u64 visit_u64(1) Schema::int().min(0);
        deserialize_u128 visit_u64(1) Schema::int().min(0);
        deserialize_f32 visit_f32(0.0) Schema::float().allow_non_finite();
        deserialize_f64 visit_f64(0.0) Schema::float().allow_non_finite();
        deserialize_char visit_char('a') Schema::string().min_chars(1_u64).max_chars(1_u64);
        deserialize_str visit_borrowed_str("") Schema::string();
        deserialize_string visit_borrowed_str("") Schema::string();
        deserialize_bytes visit_borrowed_bytes(&[]) Schema::of_type(VariantType::PackedByteArray);
        deserialize_byte_buf visit_borrowed_bytes(&[]) Schema::of_type(VariantType::PackedByteArray);
        deserialize_unit visit_unit() Schema::of_type(VariantType::Nil);
        deserialize_ignored_any visit_unit() Schema::any();
    }

    fn deserialize_any<V: Visitor<'static>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::custom("it reads whatever comes, as enums do whose tag stands inside or which have none"))
    }

    fn deserialize_identifier<V: Visitor<'static>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::custom("its keys are not told, as those of structs with a flattened field"))
    }

    fn deserialize_option<V: Visitor<'static>>(mut self, visitor: V) -> Result<V::Value, Error> {
        let (value, inner) = self.part("?", |part| visitor.visit_some(part))?;
        self.is(inner.nullable());
        Ok(value)
    }

    fn deserialize_unit_struct<V: Visitor<'static>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'static>>(
        mut self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        match Mark::of(name) {
            None => visitor.visit_newtype_struct(self),
            Some(Mark::Own(ty)) => self.own(ty, visitor),
            Some(Mark::Any) => {
                self.is(Schema::any());
                visitor.visit_newtype_struct(BorrowedBytesDeserializer::new(&[0; 4]))
            }
            Some(Mark::Key(_)) => visitor.visit_newtype_struct(self),
            Some(Mark::Element(_) | Mark::Value(_)) => {
                let (value, inner) = self.part("typed", |part| visitor.visit_newtype_struct(part))?;
                self.is(inner.typed());
                Ok(value)
            }
        }
    }

    fn deserialize_seq<V: Visitor<'static>>(mut self, visitor: V) -> Result<V::Value, Error> {
        let mut items = ItemTrace { from: &mut self, left: 1, schemas: Vec::new() };
        let value = visitor.visit_seq(&mut items)?;
        let item = items.schemas.pop().unwrap_or_else(Schema::any);
        self.is(Schema::array(item));
        Ok(value)
    }

    fn deserialize_tuple<V: Visitor<'static>>(
        mut self,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        let mut items = ItemTrace { from: &mut self, left: length, schemas: Vec::new() };
        let value = visitor.visit_seq(&mut items)?;
        let schemas = items.schemas;
        self.is(Schema::tuple(schemas));
        Ok(value)
    }

    fn deserialize_tuple_struct<V: Visitor<'static>>(
        self,
        _: &'static str,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_tuple(length, visitor)
    }

    fn deserialize_map<V: Visitor<'static>>(mut self, visitor: V) -> Result<V::Value, Error> {
        let mut entries = TracedEntry { from: &mut self, is_over: false, key: None, value: None };
        let value = visitor.visit_map(&mut entries)?;
        let (key, item) = (entries.key.take(), entries.value.take());
        self.is(Schema::map(key.unwrap_or_else(Schema::any), item.unwrap_or_else(Schema::any)));
        Ok(value)
    }

    fn deserialize_struct<V: Visitor<'static>>(
        mut self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let place = self.place.clone();
        let kept = self.ask_about_a_field(&place, fields.len());
        let mut given = TracedFields { from: &mut self, names: fields, at: 0, kept };
        let value = visitor.visit_map(&mut given)?;
        let known = self.known.structs.get(&place).cloned().unwrap_or_default();
        self.known.is_open |= known.iter().any(|field| field.may_be_missing.is_none());
        let keys = fields.iter().zip(known).filter_map(|(name, field)| {
            let schema = field.schema?;
            let is_optional = field.may_be_missing == Some(true);
            Some(((*name).to_owned(), if is_optional { schema.optional() } else { schema }))
        });
        let open = self.known.keys == TracedKeys::All;
        let schema = Schema::new(Shape::Dict { keys: keys.collect(), open });
        self.is(schema);
        Ok(value)
    }

    fn deserialize_enum<V: Visitor<'static>>(
        mut self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let place = self.place.clone();
        let told = self.known.enums.entry(place.clone()).or_default().len();
        let at = if told < variants.len() { told } else { 0 };
        let Some(name) = variants.get(at).copied() else { return Err(Error::custom("it has no variants")) };
        let is_open = std::mem::replace(&mut self.known.is_open, false);
        let (value, schema) = self.part(name, |from| visitor.visit_enum(Variant { from, name }))?;
        let is_whole = !std::mem::replace(&mut self.known.is_open, is_open);
        let known = self.known.enums.entry(place).or_default();
        if is_whole && told < variants.len() {
            known.push(schema);
        }
        let is_left = known.len() < variants.len();
        let schema = union_of(known);
        self.known.is_open |= is_left;
        self.is(schema);
        Ok(value)
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

/// Joins the schemas of all variants told so far: a name alone, or a Dictionary of one entry under one of
/// the others' names. That it is one entry a schema does not say where there are several; the type does.
fn union_of(variants: &[Schema]) -> Schema {
    let (mut names, mut tagged) = (Vec::new(), Vec::new());
    for schema in variants {
        match schema.shape() {
            Shape::Enum(name) => names.extend(name.iter().cloned()),
            Shape::Dict { keys, .. } => tagged.extend(keys.iter().cloned()),
            _ => {}
        }
    }
    let values = match tagged.len() {
        0 => return Schema::enumeration(names),
        1 => Schema::new(Shape::Dict { keys: tagged, open: false }),
        _ => {
            let keys = tagged.into_iter().map(|(name, schema)| (name, schema.optional())).collect();
            Schema::new(Shape::Dict { keys, open: false })
        }
    };
    if names.is_empty() { values } else { Schema::union([Schema::enumeration(names), values]) }
}

impl Tracer<'_> {
    /// Which field of a struct at this place is kept from it now: none the first time, and while another
    /// one is.
    fn ask_about_a_field(&mut self, place: &str, count: usize) -> Option<usize> {
        let Some(fields) = self.known.structs.get(place) else {
            self.known.structs.insert(place.to_owned(), vec![Field::default(); count]);
            return None;
        };
        if self.known.kept.is_some() {
            return None;
        }
        let at = fields.iter().position(|field| field.schema.is_some() && field.may_be_missing.is_none())?;
        self.known.kept = Some((place.to_owned(), at));
        Some(at)
    }

    /// A type of ours, which is given zeros.
    fn own<V: Visitor<'static>>(self, ty: VariantType, visitor: V) -> Result<V::Value, Error> {
        let schema = Schema::of_type(ty);
        let layout = ty.layout();
        let has_reals = matches!(layout, Layout::Math(Lane::Real | Lane::F32, _))
            || matches!(layout, Layout::Packed(Lane::Real | Lane::F32 | Lane::F64, _));
        self.is(if has_reals { schema.allow_non_finite() } else { schema });
        let none = Group(LaneReader::of(zeros(Lane::F32, 0)?));
        match layout {
            Layout::Math(lane, count) => {
                visitor.visit_newtype_struct(Group(LaneReader::of(zeros(lane, count)?)))
            }
            Layout::Packed(..) | Layout::PackedStrings => visitor.visit_newtype_struct(none),
            Layout::Text => visitor.visit_newtype_struct(StrDeserializer::new("")),
            Layout::Rid => visitor.visit_newtype_struct(U64Deserializer::new(0)),
            _ => visitor.visit_newtype_struct(BorrowedBytesDeserializer::new(&PATH)),
        }
    }
}

static PATH: [u8; 16] = [22, 0, 0, 0, 0, 0, 0, 0x80, 0, 0, 0, 0, 0, 0, 0, 0];

fn zeros(lane: Lane, count: u8) -> Result<Lanes<'static>, Error> {
    let lane = if lane == Lane::Real { Lane::F32 } else { lane };
    let bytes = ZEROS.get(..lane.size().saturating_mul(count.into()));
    bytes.and_then(|bytes| Lanes::new(bytes, lane)).ok_or_else(|| Error::custom("a matrix of a new size"))
}

struct ItemTrace<'t, 'k> {
    from: &'t mut Tracer<'k>,
    left: usize,
    schemas: Vec<Schema>,
}

impl SeqAccess<'static> for ItemTrace<'_, '_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'static>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        self.left = left;
        let number = self.schemas.len().to_string();
        let (value, schema) = self.from.part(&number, |part| seed.deserialize(part))?;
        self.schemas.push(schema);
        Ok(Some(value))
    }
}

struct TracedEntry<'t, 'k> {
    from: &'t mut Tracer<'k>,
    is_over: bool,
    key: Option<Schema>,
    value: Option<Schema>,
}

impl MapAccess<'static> for TracedEntry<'_, '_> {
    type Error = Error;

    fn next_key_seed<T: DeserializeSeed<'static>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        if std::mem::replace(&mut self.is_over, true) {
            return Ok(None);
        }
        let (key, schema) = self.from.part("key", |part| seed.deserialize(part))?;
        self.key = Some(schema);
        Ok(Some(key))
    }

    fn next_value_seed<T: DeserializeSeed<'static>>(&mut self, seed: T) -> Result<T::Value, Error> {
        let (value, schema) = self.from.part("value", |part| seed.deserialize(part))?;
        self.value = Some(schema);
        Ok(value)
    }
}

/// The fields of a struct, but for the one that is kept from it.
struct TracedFields<'t, 'k> {
    from: &'t mut Tracer<'k>,
    names: &'static [&'static str],
    at: usize,
    kept: Option<usize>,
}

impl MapAccess<'static> for TracedFields<'_, '_> {
    type Error = Error;

    fn next_key_seed<T: DeserializeSeed<'static>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        if self.kept == Some(self.at) {
            self.at = self.at.saturating_add(1);
        }
        let Some(name) = self.names.get(self.at) else { return Ok(None) };
        seed.deserialize(IntoDeserializer::<Error>::into_deserializer(*name)).map(Some)
    }

    fn next_value_seed<T: DeserializeSeed<'static>>(&mut self, seed: T) -> Result<T::Value, Error> {
        let name = self.names.get(self.at).copied().unwrap_or_default();
        let (value, schema) = self.from.part(name, |part| seed.deserialize(part))?;
        let fields = self.from.known.structs.get_mut(&self.from.place);
        if let Some(field) = fields.and_then(|fields| fields.get_mut(self.at)) {
            field.schema = Some(schema);
        }
        self.at = self.at.saturating_add(1);
        Ok(value)
    }
}

struct Variant<'k> {
    from: Tracer<'k>,
    name: &'static str,
}

impl Variant<'_> {
    /// Asks for its value, which stands in a Dictionary of one entry under its name.
    fn value<T>(mut self, step: &str, ask: impl FnOnce(Tracer<'_>) -> Result<T, Error>) -> Result<T, Error> {
        let (value, schema) = self.from.part(step, ask)?;
        let keys = vec![(self.name.to_owned(), schema)];
        self.from.is(Schema::new(Shape::Dict { keys, open: false }));
        Ok(value)
    }
}

impl EnumAccess<'static> for Variant<'_> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<T: DeserializeSeed<'static>>(self, seed: T) -> Result<(T::Value, Self), Error> {
        let name = seed.deserialize(IntoDeserializer::<Error>::into_deserializer(self.name))?;
        Ok((name, self))
    }
}

impl VariantAccess<'static> for Variant<'_> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        let name = self.name;
        self.from.is(Schema::enumeration([Value::from(name)]));
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'static>>(self, seed: T) -> Result<T::Value, Error> {
        self.value("value", |part| seed.deserialize(part))
    }

    fn tuple_variant<V: Visitor<'static>>(self, length: usize, visitor: V) -> Result<V::Value, Error> {
        self.value("values", |part| part.deserialize_tuple(length, visitor))
    }

    fn struct_variant<V: Visitor<'static>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.value("fields", |part| part.deserialize_struct("", fields, visitor))
    }
}
