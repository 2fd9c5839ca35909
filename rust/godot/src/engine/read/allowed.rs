//! Passes leaves of some types only to a listener and refuses others, for files, which should hold nothing
//! that their readers refuse. Takes note of objects that are written as instance ids.

use variant_core::token::{Container, Leaf, TextForm};
use variant_core::wire::TypeSet;
use variant_core::{ErrorKind, Fault, VariantType};

use super::listener::Listener;
use super::object_ids::UnwarnedClasses;

pub(crate) struct Allowed<'l, L> {
    listener: &'l mut L,
    types: TypeSet,
    /// The classes of the objects that were passed.
    pub(crate) passed: UnwarnedClasses,
    /// The instance id of the object that was refused.
    pub(crate) refused: Option<u64>,
}

impl<'l, L: Listener> Allowed<'l, L> {
    pub(crate) fn new(listener: &'l mut L, types: TypeSet) -> Allowed<'l, L> {
        Allowed { listener, types, passed: UnwarnedClasses::default(), refused: None }
    }
}

impl<L: Listener> Listener for Allowed<'_, L> {
    fn leaf(&mut self, leaf: &Leaf<'_>) -> Result<(), Fault> {
        let ty = leaf.ty();
        let is_allowed = self.types.contains(ty);
        match leaf {
            Leaf::ObjectId(id) if is_allowed => self.passed.note(*id),
            Leaf::ObjectId(id) => self.refused = Some(*id),
            _ => {}
        }
        match is_allowed {
            true => self.listener.leaf(leaf),
            false => Err(self.listener.fault(ErrorKind::TypeNotAllowed { ty })),
        }
    }

    fn chars(&mut self, ty: VariantType, chars: &[char]) -> Result<(), Fault> {
        self.listener.chars(ty, chars)
    }

    fn open(&mut self, container: &Container<'_>) -> Result<(), Fault> {
        self.listener.open(container)
    }

    fn text(&mut self, form: TextForm, text: &str) -> Result<(), Fault> {
        self.listener.text(form, text)
    }

    fn text_chars(&mut self, form: TextForm, chars: &[char]) -> Result<(), Fault> {
        self.listener.text_chars(form, chars)
    }

    fn close(&mut self) -> Result<(), Fault> {
        self.listener.close()
    }

    fn fault(&self, kind: ErrorKind) -> Fault {
        self.listener.fault(kind)
    }
}
