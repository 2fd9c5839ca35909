//! Schemas as the engine's side holds them: compiled at first use, and bytes and Variants checked with them.
//!
//! It knows no class of the extension and takes no lock. The crate `variant-schema` says what a schema means.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use godot::builtin::Variant;
use godot::global::push_error;
use variant_core::{
    Encoder, Error, ErrorKind, Limits, Mistakes, Rejection, Rules, TypeSet, Value, VariantType, Walker,
    decode,
};
use variant_pack::Layout;
use variant_schema::{Program, Schema};

use crate::call::checks::Alternatives;
use crate::call::live;
use crate::call::problem::Problem;
use crate::engine::build::{REALS, References, ToVariant};
use crate::engine::read::{self, ListenerFilter, Telling};
use crate::objects::CompiledClasses;

/// Rejections that one check keeps.
pub(crate) const MOST: usize = 32;

/// The types that a copy would not be: an object's id is no object, and a Callable has no encoding at all.
const REFERENCES: TypeSet = TypeSet::of(&[VariantType::Object, VariantType::Callable, VariantType::Signal]);

/// The rules for a copy by a schema: as wide as this build's vectors, and no larger with its defaults than a
/// save may be, since the schema may come from strangers.
pub(crate) const COPY: Rules = {
    let Limits { max_values, max_heap_bytes, .. } = Limits::save_file();
    Rules {
        reals: REALS,
        limits: Limits { max_values, max_heap_bytes, ..Limits::engine() },
        ..Rules::engine()
    }
};

/// A schema and, once it was used, its program.
#[derive(Debug)]
pub(crate) struct BoundSchema {
    pub(crate) schema: Schema,
    /// The JSON it was to be made of, where that says no schema: so that it can be mended.
    pub(crate) text: Option<String>,
    program: OnceLock<Result<Arc<Program>, Mistakes>>,
    layout: OnceLock<Result<Layout, Mistakes>>,
    has_complained: AtomicBool,
    is_used: AtomicBool,
    /// For checks of the game's own.
    pub(crate) alternatives: Alternatives,
    /// The classes of the objects that the value may hold: with them, bytes are documents, and the schema is that of their
    /// value.
    pub(crate) classes: Option<Arc<CompiledClasses>>,
    /// Whether what the engine wrote with objects is read as well.
    pub(crate) reads_engine_objects: bool,
}

/// A document of objects of these classes, whose value is held to the schema.
#[derive(Clone, Copy)]
pub(crate) struct DocumentSchema<'c> {
    pub(crate) held: &'c BoundSchema,
    pub(crate) classes: &'c Arc<CompiledClasses>,
}

impl BoundSchema {
    pub(crate) fn new(schema: Schema) -> BoundSchema {
        BoundSchema {
            schema,
            text: None,
            program: OnceLock::new(),
            layout: OnceLock::new(),
            has_complained: AtomicBool::new(false),
            is_used: AtomicBool::new(false),
            alternatives: Alternatives::default(),
            classes: None,
            reads_engine_objects: false,
        }
    }

    /// Holds the schema, or any value, in documents of objects of these classes.
    pub(crate) fn with_classes(held: Option<&BoundSchema>, classes: Arc<CompiledClasses>) -> BoundSchema {
        let schema = held.map_or_else(Schema::any, |held| {
            held.note_use();
            held.schema.clone()
        });
        BoundSchema { classes: Some(classes), ..BoundSchema::new(schema) }
    }

    /// Whether a check by it may run scripts, or reading under it does.
    pub(crate) fn asks_scripts(&self) -> bool {
        self.classes.is_some() || self.program().is_ok_and(|program| program.has_checks())
    }

    /// For JSON that is no schema, which is kept.
    pub(crate) fn mistaken(text: String, mistakes: Mistakes) -> BoundSchema {
        BoundSchema { text: Some(text), ..BoundSchema::new(Schema::mistaken(mistakes)) }
    }

    /// Whether something was checked by it.
    pub(crate) fn is_used(&self) -> bool {
        self.is_used.load(Ordering::Relaxed)
    }

    /// Returns all that contradicts itself, if anything does. It compiles, but does not complain.
    pub(crate) fn mistakes(&self) -> Option<&Mistakes> {
        self.compiled().as_ref().err()
    }

    /// The program. A mistake in code is told where code is watched, once; every call gets it as an error.
    #[inline]
    pub(crate) fn program(&self) -> Result<&Program, Problem> {
        self.shared_program().map(|program| &**program)
    }

    /// Notes that something is checked by it: from then on it does not change.
    pub(crate) fn note_use(&self) {
        if !self.is_used() {
            self.is_used.store(true, Ordering::Relaxed);
        }
    }

    /// Returns the program for those who keep it and hold a lock: a mistake in code is not logged.
    #[inline]
    pub(crate) fn quiet_program(&self) -> Result<&Arc<Program>, &Mistakes> {
        self.note_use();
        self.compiled().as_ref()
    }

    /// Returns the program for those who keep it.
    #[inline]
    pub(crate) fn shared_program(&self) -> Result<&Arc<Program>, Problem> {
        self.quiet_program().map_err(|error| {
            if !self.has_complained.swap(true, Ordering::Relaxed) {
                push_error(&[Variant::from(format!("VariantSchema: {error}").as_str())]);
            }
            Problem::ill_formed(error)
        })
    }

    /// How its values are packed, or the part that cannot be.
    pub(crate) fn layout(&self) -> Result<&Layout, Problem> {
        let program = self.shared_program()?;
        let layout = self.layout.get_or_init(|| Layout::compile(Arc::clone(program)));
        layout.as_ref().map_err(Problem::unpackable)
    }

    #[inline]
    fn compiled(&self) -> &Result<Arc<Program>, Mistakes> {
        self.program.get_or_init(|| self.schema.compile().map(Arc::new))
    }
}

/// The tree of a Variant. Objects become ids in it.
pub(crate) fn tree(value: &Variant) -> Result<Value, Error> {
    let bytes = encoded_within(value, live::MOST_VALUES)?;
    decode(&bytes, &Rules::engine())
}

/// Returns the tree of a value, if one can stand for it: none can for Objects, Callables and Signals.
pub(crate) fn copied(value: &Variant) -> Result<Value, Rejection> {
    let mut rules = Rules::engine();
    rules.limits.allowed_types = TypeSet::ALL.without(REFERENCES);
    let bytes = encoded_within(value, live::MOST_VALUES).map_err(|error| Rejection::from(&error))?;
    decode(&bytes, &rules).map_err(|error| match error.kind() {
        ErrorKind::TypeNotAllowed { ty } => Rejection {
            kind: ErrorKind::WrongType,
            expected: "a value that can be copied".to_owned(),
            got: ty.name().to_owned(),
            ..Rejection::from(&error)
        },
        _ => Rejection::from(&error),
    })
}

/// Makes the Variant of a tree. The value that it was copied from held no reference into the running game,
/// and a default that a schema's JSON states makes none.
pub(crate) fn variant(value: &Value) -> Result<Variant, Error> {
    let bytes = value.encode()?;
    let mut sink = ToVariant::new(References::PlainData);
    Walker::new().decode(&bytes, &Rules::engine(), &mut sink).map(|(value, _)| value)
}

/// A live value of at most so many values as bytes, with objects as ids.
pub(crate) fn encoded_within(value: &Variant, most_values: u64) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    let limits = Limits::engine();
    let mut encoder = Encoder::new(&mut bytes, &limits);
    let listener = &mut ListenerFilter::bounded(&mut encoder, most_values);
    read::encode(value, Telling { listener, full_objects: false })?;
    encoder.finish().map_err(|fault| Error::new(fault, variant_core::Path::default()))?;
    Ok(bytes)
}

/// Lists what the schema or the rules refuse of the bytes, up to `most`.
pub(crate) fn violations(
    held: &BoundSchema,
    bytes: &[u8],
    rules: &Rules,
    most: usize,
) -> Result<Vec<Rejection>, Problem> {
    let mut checker = variant_schema::Checker::new();
    Ok(checker.violations(held.program()?, bytes, rules, most))
}

impl Problem {
    #[cold]
    fn unpackable(mistakes: &Mistakes) -> Problem {
        Problem::told(ErrorKind::Unpackable, mistakes.first().path.clone(), mistakes.to_string())
    }

    #[cold]
    fn ill_formed(mistakes: &Mistakes) -> Problem {
        let message = format!("the schema contradicts itself: {mistakes}");
        Problem::told(ErrorKind::IllFormedSchema, mistakes.first().path.clone(), message)
    }
}
