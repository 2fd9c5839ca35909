//! Copies graphs of objects, and cuts the references among them so that circles are let go.

use std::collections::HashSet;
use std::sync::Arc;

use godot::builtin::{VarArray, VarDictionary, Variant};
use godot::meta::ToGodot;
use variant_core::{Limits, Rules, VariantType};
use variant_objects::CheckedDocument;

use super::convert::items;
use super::link::MadeObjects;
use super::set::{Bound, ClassSet, CompiledClasses, Slot};
use crate::call::codec::Codec;
use crate::call::form::Call;
use crate::call::problem::Problem;
use crate::call::schema::BoundSchema;
use crate::call::settings::Settings;
use crate::engine::names::DUPLICATE;
use crate::raw::objects;
use crate::raw::variant::type_of;

/// A deep copy of a value: objects that are shared stay shared.
pub(crate) fn copy(classes: &Arc<CompiledClasses>, value: &Variant) -> Result<Variant, Problem> {
    // The copy is freed as the original is.
    let limits = Limits { max_object_depth: u64::MAX, ..Limits::engine() };
    let settings = Settings::new(Rules::safe(limits));
    let mut codec = Codec::new();
    let held = BoundSchema::with_classes(None, Arc::clone(classes));
    let call = Call::under(&settings, Some(&held));
    let bytes = codec.encoded(&call, value)?;
    codec.value(&call, bytes.as_slice())
}

/// Cuts the references among the objects that a value leads to.
pub(crate) fn release(set: &ClassSet, root: &Variant) {
    let (mut known, mut due, mut found) = (HashSet::new(), vec![root.clone()], Vec::new());
    while let Some(value) = due.pop() {
        match type_of(&value) {
            VariantType::Object => {
                let id = objects::id_of(&value);
                if !objects::is_alive(id) {
                    continue;
                }
                let Some((class, _)) = set.identify(&value) else { continue };
                let Some(Bound::Object(of)) = set.class(class) else { continue };
                if known.insert(id) {
                    let held = of.slots.iter().filter(|slot| slot.holds);
                    due.extend(held.map(|slot| objects::property(&value, &slot.name)));
                    found.push((set.class(class), value));
                }
            }
            _ => due.extend(items(&value)),
        }
    }
    cut(found.iter().map(|(of, object)| (*of, object)));
}

/// Cuts the references among objects that were made of a document, which nobody gets.
pub(super) fn cut_made(set: &ClassSet, checked: &CheckedDocument, made: &MadeObjects) {
    let objects = checked.heads.iter().zip(&made.rows).flat_map(|(head, rows)| {
        let of = set.class(head.class);
        rows.iter().map(move |object| (of, object))
    });
    cut(objects);
}

/// Sets every property that may hold objects to nothing.
pub(super) fn cut<'o>(objects: impl Iterator<Item = (Option<&'o Bound>, &'o Variant)>) {
    for (of, object) in objects {
        let Some(Bound::Object(of)) = of else { continue };
        for slot in of.slots.iter().filter(|slot| slot.holds) {
            objects::set_property(object, &slot.name, &slot.nothing());
        }
    }
}

impl Slot {
    /// The value that the property is set to when it is to hold nothing.
    fn nothing(&self) -> Variant {
        match (&self.template, self.declared) {
            (Some(template), _) => template.call(&*DUPLICATE, &[]),
            (None, VariantType::Array) => VarArray::new().to_variant(),
            (None, VariantType::Dictionary) => VarDictionary::new().to_variant(),
            (None, _) => Variant::nil(),
        }
    }
}
