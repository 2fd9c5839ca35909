//! Schema: the tree that people write, by builders and modifiers. It checks nothing; `compile` finds mistakes.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use variant_core::{Mistakes, Value, VariantType};

use crate::definitions::Definitions;
use crate::packing::Packing;
use crate::size::{SchemaSize, TOO_LARGE};
use crate::trail::mistake_of_whole;

/// Describes how a value must look. It is cheap to clone; every modifier makes a new one.
#[derive(Clone, Debug, PartialEq)]
pub struct Schema(pub(crate) Arc<Body>);

/// The parts of a schema.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Body {
    pub(crate) shape: Arc<Shape>,
    pub(crate) demands: Demands,
    pub(crate) nullable: bool,
    pub(crate) presence: Presence,
    /// The key was said to be required: nothing makes it optional for being there by default.
    pub(crate) insists: bool,
    /// For people: `to_markdown` shows it, no check looks at it.
    pub(crate) description: String,
    /// Schemas that references below may name.
    pub(crate) definitions: Definitions,
    /// A check that somebody else runs, after everything here.
    pub(crate) check: Option<Check>,
    /// Why this is no schema at all.
    pub(crate) mistakes: Option<Mistakes>,
    /// The size of the shape's parts, and of all parts; set whenever a schema is put together.
    pub(crate) below: SchemaSize,
    pub(crate) size: SchemaSize,
}

/// A check that this crate cannot run, kept for those who can. It lives as long as a schema that has it.
#[derive(Clone)]
pub struct Check(Arc<dyn Any + Send + Sync>);

impl Check {
    /// Keeps whatever is needed to run it.
    #[must_use]
    pub fn new(check: impl Any + Send + Sync) -> Check {
        Check(Arc::new(check))
    }

    /// Returns the value that was kept, if it is of this type.
    #[must_use]
    pub fn get<T: Any>(&self) -> Option<&T> {
        self.0.downcast_ref()
    }
}

impl PartialEq for Check {
    fn eq(&self, other: &Check) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl fmt::Debug for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Check")
    }
}

/// The kind of a schema.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Shape {
    /// Any value.
    Any,
    /// A value of one type, without a say about its children.
    Type(VariantType),
    /// Any of these values.
    Enum(Vec<Value>),
    /// A value that one of these accepts.
    Union(Vec<Schema>),
    /// An Array whose elements are all alike.
    Array(Schema),
    /// An Array of exactly these elements; an open one may have more.
    Tuple(Vec<Schema>),
    /// A Dictionary of these keys; open ones may have more.
    Dict {
        /// Keys, in the order they were written.
        keys: Vec<(String, Schema)>,
        /// Whether other keys may be there.
        open: bool,
    },
    /// A Dictionary whose keys are all alike, and whose values are.
    Map(Schema, Schema),
    /// The schema of the definition of this name.
    Ref(String),
    /// A Dictionary that one of its values tells the rest of.
    Discriminated {
        /// The key of that value.
        key: String,
        /// The value, and what the Dictionary is then.
        cases: Vec<(Value, Schema)>,
    },
}

impl Shape {
    /// Its parts in their order. Definitions are none of them.
    #[must_use]
    pub fn parts(&self) -> Vec<&Schema> {
        match self {
            Shape::Any | Shape::Type(_) | Shape::Enum(_) | Shape::Ref(_) => Vec::new(),
            Shape::Array(item) => vec![item],
            Shape::Map(key, value) => vec![key, value],
            Shape::Union(parts) | Shape::Tuple(parts) => parts.iter().collect(),
            Shape::Dict { keys, .. } => keys.iter().map(|(_, part)| part).collect(),
            Shape::Discriminated { cases, .. } => cases.iter().map(|(_, part)| part).collect(),
        }
    }

    /// Returns the size of all parts together.
    pub(crate) fn size(&self) -> SchemaSize {
        self.parts().into_iter().fold(SchemaSize::default(), |size, part| size.beside(part.0.size))
    }
}

/// Whether a Dictionary's key has to be there.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Presence {
    /// It has to.
    #[default]
    Required,
    /// It may be missing.
    Optional,
    /// It may be missing, and decoding fills this in.
    Default(Value),
}

impl Presence {
    pub(crate) const fn default_value(&self) -> Option<&Value> {
        match self {
            Presence::Default(value) => Some(value),
            Presence::Required | Presence::Optional => None,
        }
    }
}

/// A bound, of the type it was written in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// Bounds of an int.
    Int(i64),
    /// Bounds of a float.
    Float(f64),
}

/// Lists what is asked of a value besides its type. Everything is optional; `compile` tells what does not
/// apply.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "each field is the modifier of its name")]
pub struct Demands {
    pub min: Option<Number>,
    pub max: Option<Number>,
    pub multiple_of: Option<Number>,
    pub min_size: Option<u64>,
    pub max_size: Option<u64>,
    pub min_chars: Option<u64>,
    pub max_chars: Option<u64>,
    pub pattern: Option<String>,
    pub min_length: Option<f64>,
    pub max_length: Option<f64>,
    /// Position and size: 4 numbers of a Rect2 or 6 of an AABB.
    pub within: Option<Vec<f64>>,
    pub normalized: bool,
    pub allow_non_finite: bool,
    pub unique: bool,
    pub typed: bool,
    /// For a tuple: more elements may follow. A dict has this in its shape.
    pub open: bool,
    /// How values are packed into bits.
    pub packing: Packing,
}

impl From<i64> for Number {
    fn from(number: i64) -> Number {
        Number::Int(number)
    }
}

impl From<f64> for Number {
    fn from(number: f64) -> Number {
        Number::Float(number)
    }
}

/// Builders.
impl Schema {
    /// A schema of this shape, without further demands.
    #[must_use]
    pub fn new(shape: Shape) -> Schema {
        let below = shape.size();
        Schema::of(Body {
            shape: Arc::new(shape),
            demands: Demands::default(),
            nullable: false,
            presence: Presence::Required,
            insists: false,
            description: String::new(),
            definitions: Definitions::default(),
            check: None,
            mistakes: None,
            below,
            size: SchemaSize::default(),
        })
    }

    /// Puts a schema together. A schema that is too large is let go and becomes a mistake, before anything
    /// recurses over it.
    fn of(mut body: Body) -> Schema {
        body.size = body.below.beside(body.definitions.size()).with_itself();
        if body.size.is_too_large() { Schema::mistake(TOO_LARGE) } else { Schema(Arc::new(body)) }
    }

    /// Makes the schema for arguments that a builder cannot use: every check answers with this message.
    #[must_use]
    pub fn mistake(message: &str) -> Schema {
        Schema::mistaken(mistake_of_whole(message))
    }

    /// Makes the schema of a document in which parts are no schemas.
    #[must_use]
    pub fn mistaken(mistakes: Mistakes) -> Schema {
        Schema::any().with(|body| body.mistakes = Some(mistakes))
    }

    /// Any value.
    #[must_use]
    pub fn any() -> Schema {
        Schema::new(Shape::Any)
    }

    /// A value of this type.
    #[must_use]
    pub fn of_type(ty: VariantType) -> Schema {
        Schema::new(Shape::Type(ty))
    }

    /// Exactly this value.
    #[must_use]
    pub fn literal(value: Value) -> Schema {
        Schema::new(Shape::Enum(vec![value]))
    }

    /// Accepts each of these values.
    #[must_use]
    pub fn enumeration(values: impl IntoIterator<Item = Value>) -> Schema {
        Schema::new(Shape::Enum(values.into_iter().collect()))
    }

    /// Accepts each value that one of these accepts.
    #[must_use]
    pub fn union(alternatives: impl IntoIterator<Item = Schema>) -> Schema {
        Schema::new(Shape::Union(alternatives.into_iter().collect()))
    }

    /// An Array of elements like this.
    #[must_use]
    pub fn array(item: Schema) -> Schema {
        Schema::new(Shape::Array(item))
    }

    /// An Array of exactly these elements.
    #[must_use]
    pub fn tuple(items: impl IntoIterator<Item = Schema>) -> Schema {
        Schema::new(Shape::Tuple(items.into_iter().collect()))
    }

    /// A Dictionary of these keys and no others. A key that ends in `?` may be missing.
    #[must_use]
    pub fn dict<K: AsRef<str>>(keys: impl IntoIterator<Item = (K, Schema)>) -> Schema {
        let keys = keys.into_iter().map(|(key, schema)| match key.as_ref().strip_suffix('?') {
            Some(key) => (key.to_owned(), schema.may_be_missing()),
            None => (key.as_ref().to_owned(), schema.settled()),
        });
        Schema::new(Shape::Dict { keys: keys.collect(), open: false })
    }

    /// A Dictionary of such keys and values.
    #[must_use]
    pub fn map(key: Schema, value: Schema) -> Schema {
        Schema::new(Shape::Map(key, value))
    }

    /// Refers to the definition of this name.
    #[must_use]
    pub fn reference(name: &str) -> Schema {
        Schema::new(Shape::Ref(name.to_owned()))
    }

    /// A Dictionary whose value under `key` tells which of these it is. The cases need not list the key.
    #[must_use]
    pub fn discriminated(key: &str, cases: impl IntoIterator<Item = (Value, Schema)>) -> Schema {
        Schema::new(Shape::Discriminated { key: key.to_owned(), cases: cases.into_iter().collect() })
    }
}

/// From one line a modifier: its argument, and what it changes of a schema.
macro_rules! modifiers {
    ($($(#[$doc:meta])+ $name:ident($($argument:ident: $ty:ty),*) |$body:ident| $change:expr;)*) => {
        impl Schema {
            $(
                $(#[$doc])+
                #[must_use]
                pub fn $name(&self $(, $argument: $ty)*) -> Schema {
                    self.with(|$body| $change)
                }
            )*
        }
    };
}
pub(crate) use modifiers;

modifiers! {
    /// The least number, itself allowed.
    min(min: impl Into<Number>) |it| it.demands.min = Some(min.into());
    /// The largest number, itself allowed.
    max(max: impl Into<Number>) |it| it.demands.max = Some(max.into());
    /// Only whole multiples of this.
    multiple_of(multiple_of: impl Into<Number>) |it| it.demands.multiple_of = Some(multiple_of.into());
    /// At least so many elements or entries.
    min_size(min_size: impl Into<u64>) |it| it.demands.min_size = Some(min_size.into());
    /// At most so many elements or entries.
    max_size(max_size: impl Into<u64>) |it| it.demands.max_size = Some(max_size.into());
    /// At least so many characters (code points).
    min_chars(min_chars: impl Into<u64>) |it| it.demands.min_chars = Some(min_chars.into());
    /// At most so many characters (code points).
    max_chars(max_chars: impl Into<u64>) |it| it.demands.max_chars = Some(max_chars.into());
    /// Text that this regular expression matches somewhere; `^` and `$` tie it to the ends.
    pattern(pattern: impl Into<String>) |it| it.demands.pattern = Some(pattern.into());
    /// A vector at least so long.
    min_length(min_length: impl Into<f64>) |it| it.demands.min_length = Some(min_length.into());
    /// A vector at most so long.
    max_length(max_length: impl Into<f64>) |it| it.demands.max_length = Some(max_length.into());
    /// A point inside: position and size, 4 numbers of a Rect2 or 6 of an AABB, edges included.
    within(within: impl Into<Vec<f64>>) |it| it.demands.within = Some(within.into());
    /// A vector or quaternion of length 1, a plane with such a normal, as Godot's `is_normalized()` has it.
    normalized() |it| it.demands.normalized = true;
    /// Infinite numbers and NaN too.
    allow_non_finite() |it| it.demands.allow_non_finite = true;
    /// An Array without two equal elements.
    unique() |it| it.demands.unique = true;
    /// Decoding makes a typed container of it.
    typed() |it| it.demands.typed = true;
    /// Null is as good.
    nullable() |it| it.nullable = true;
    /// The key of this value may be missing.
    optional() |it| (it.presence, it.insists) = (Presence::Optional, false);
    /// The key of this value may be missing; decoding fills this in.
    default_value(value: Value) |it| (it.presence, it.insists) = (Presence::Default(value), false);
    /// The key of this value has to be there, also where a data class has a value for it.
    required() |it| (it.presence, it.insists) = (Presence::Required, true);
    /// A text for people.
    describe(description: &str) |it| it.description = description.to_owned();
    /// Makes a name known to this schema and all below it.
    define(name: &str, schema: Schema) |it| it.definitions.push(name, schema);
    /// Notes a check that somebody else is to run, after everything else.
    check_with(check: Check) |it| it.check = Some(check);
}

impl Schema {
    /// Returns the schema as a part of a Dictionary, where its key is required anyway.
    #[must_use]
    pub fn settled(&self) -> Schema {
        if self.0.insists { self.with(|body| body.insists = false) } else { self.clone() }
    }

    /// Whether [`Schema::required`] said so last.
    #[must_use]
    pub fn is_required(&self) -> bool {
        self.0.insists
    }

    /// Returns what [`describe`](Schema::describe) said.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.0.description
    }

    /// Returns the shape.
    #[must_use]
    pub fn shape(&self) -> &Shape {
        &self.0.shape
    }

    /// Returns what is asked of a value besides its shape.
    #[must_use]
    pub fn demands(&self) -> &Demands {
        &self.0.demands
    }

    /// Whether null is as good.
    #[must_use]
    pub fn is_nullable(&self) -> bool {
        self.0.nullable
    }

    /// Whether its key may be missing.
    #[must_use]
    pub fn presence(&self) -> &Presence {
        &self.0.presence
    }

    /// The definitions made here.
    #[must_use]
    pub fn definitions(&self) -> &Definitions {
        &self.0.definitions
    }

    /// The check that somebody else runs, if there is one.
    #[must_use]
    pub fn check(&self) -> Option<&Check> {
        self.0.check.as_ref()
    }

    /// Tells this schema from others that live at the same time, equal ones too.
    #[must_use]
    pub fn address(&self) -> usize {
        Arc::as_ptr(&self.0).addr()
    }

    /// Optional, unless it says already what is to be filled in.
    pub(crate) fn may_be_missing(self) -> Schema {
        if self.0.presence == Presence::Required { self.optional() } else { self }
    }

    pub(crate) fn with(&self, change: impl FnOnce(&mut Body)) -> Schema {
        let mut body = Body::clone(&self.0);
        change(&mut body);
        if !Arc::ptr_eq(&body.shape, &self.0.shape) {
            body.below = body.shape.size();
        }
        Schema::of(body)
    }
}
