//! Walks a Variant with a stack of its own and gives its tokens to a [`Listener`] in one pass.
//!
//! Most often the listener is an [`Encoder`], which writes them; a validator checks them (`call/live.rs`). The
//! walk follows the engine's `encode_variant` (4.6.3) in what it writes. It differs in how it fails: with the
//! path of the value that cannot be written, never with half a buffer.

mod container;
mod filter;
mod leaf;
mod listener;
mod object;
mod object_ids;

use godot::builtin::{AnyArray, AnyDictionary, Variant};
use variant_core::token::Container;
use variant_core::{Encoder, Error, ErrorKind, Fault, Limits, Path, VariantType};

use crate::raw::variant::type_of;
use container::OpenContainer;

pub(crate) use container::{dictionary_types, key_step, may_have_text_keys};
pub(crate) use filter::ListenerFilter;
pub(crate) use leaf::RULES;
pub(super) use leaf::taken;
pub(crate) use listener::Listener;
use object::ObjectProperties;
pub(crate) use object_ids::class_of_id;

/// Names the listener of a walk, and says what it is told of objects.
pub(crate) struct Telling<'l, L> {
    pub(crate) listener: &'l mut L,
    /// Whether objects are walked with class and properties; else they are ids.
    pub(crate) full_objects: bool,
}

/// Walks `value`.
/// Fails if the listener refuses a token or a value cannot be written; the error has the value's path. The
/// output of an encoder then ends in an unfinished value.
pub(crate) fn encode<L: Listener>(value: &Variant, telling: Telling<'_, L>) -> Result<(), Error> {
    let mut reader = ValueWalker { telling, stack: Vec::new() };
    reader.tree(value).map_err(|fault| {
        let steps = reader.stack.iter().map(OpenContainer::step).collect();
        Error::new(fault, Path(steps))
    })
}

/// Appends one value without children, for a walk other than this one. Returns `None` when it cannot be
/// written.
pub(crate) fn leaf_alone(value: &Variant, output: &mut Vec<u8>) -> Option<()> {
    let mut encoder = Encoder::new(output, &Limits::engine());
    leaf::write(value, type_of(value), &mut encoder).ok()?;
    encoder.finish().ok().map(drop)
}

/// Appends one value without children; returns `None` for a reference into the running game too.
pub(crate) fn plain_leaf_alone(value: &Variant, output: &mut Vec<u8>) -> Option<()> {
    use VariantType as T;
    match type_of(value) {
        T::Rid | T::Object | T::Callable | T::Signal => None,
        _ => leaf_alone(value, output),
    }
}

/// Appends one value without children; returns `None` for an object too that nobody was warned about.
pub(crate) fn known_leaf_alone(value: &Variant, output: &mut Vec<u8>) -> Option<()> {
    match type_of(value) {
        VariantType::Object if !object_ids::is_known(value) => None,
        _ => leaf_alone(value, output),
    }
}

struct ValueWalker<'e, L: Listener> {
    telling: Telling<'e, L>,
    stack: Vec<OpenContainer>,
}

impl<L: Listener> ValueWalker<'_, L> {
    fn tree(&mut self, root: &Variant) -> Result<(), Fault> {
        self.value(root)?;
        while let Some(open) = self.stack.last_mut() {
            match open.next(&mut self.telling)? {
                Some(child) => self.value(&child)?,
                None => {
                    self.stack.pop();
                    self.telling.listener.close()?;
                }
            }
        }
        Ok(())
    }

    /// Writes a leaf, or opens a container whose children come next.
    fn value(&mut self, value: &Variant) -> Result<(), Fault> {
        match type_of(value) {
            VariantType::Array => self.array(value),
            VariantType::Dictionary => self.dictionary(value),
            VariantType::Object if self.telling.full_objects => self.object(value),
            ty => leaf::write(value, ty, self.telling.listener),
        }
    }

    fn array(&mut self, value: &Variant) -> Result<(), Fault> {
        let array: AnyArray = leaf::taken(value, self.telling.listener)?;
        let declared = self.telling.declared(&array.element_type()).map_err(|k| self.fault(k))?;
        let length = array.len();
        let count = self.count(length)?;
        self.telling.listener.open(&Container::Array { element: declared.borrow(), count })?;
        self.stack.push(OpenContainer::array(array, length));
        Ok(())
    }

    fn dictionary(&mut self, value: &Variant) -> Result<(), Fault> {
        let dictionary: AnyDictionary = leaf::taken(value, self.telling.listener)?;
        let (key, value) = container::dictionary_types(&dictionary);
        let key = self.telling.declared(&key).map_err(|k| self.fault(k))?;
        let value = self.telling.declared(&value).map_err(|k| self.fault(k))?;
        let (keys, values) = (dictionary.keys_array(), dictionary.values_array());
        if values.len() != keys.len() {
            return Err(self.fault(ErrorKind::ChangedWhileEncoding));
        }
        let count = self.count(keys.len())?;
        self.telling.listener.open(&Container::Dictionary {
            key: key.borrow(),
            value: value.borrow(),
            count,
        })?;
        if let Some(key) = self.telling.listener.wanted_key() {
            let told = if container::may_have_text_keys(&dictionary) { dictionary.get(key) } else { None };
            leaf::foretell(told, self.telling.listener);
        }
        self.stack.push(OpenContainer::dictionary(keys, values));
        Ok(())
    }

    fn object(&mut self, value: &Variant) -> Result<(), Fault> {
        let Some(object) = object::live(value) else {
            return leaf::write(&Variant::nil(), VariantType::Nil, self.telling.listener);
        };
        let object = ObjectProperties::of(object).map_err(|kind| self.fault(kind))?;
        let count = self.count(object.len())?;
        self.telling.listener.open(&Container::Object { class: object.class(), count })?;
        self.stack.push(OpenContainer::Object(object));
        Ok(())
    }

    fn count(&self, length: usize) -> Result<u32, Fault> {
        match i32::try_from(length) {
            Ok(count) => Ok(count.cast_unsigned()),
            Err(_) => Err(self.fault(ErrorKind::TooLong)),
        }
    }

    #[cold]
    fn fault(&self, kind: ErrorKind) -> Fault {
        self.telling.listener.fault(kind)
    }
}
