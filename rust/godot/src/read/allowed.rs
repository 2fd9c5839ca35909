//! Passes leaves of some types only to a listener and refuses others, for files, which should hold nothing
//! that their readers refuse.

use variant_core::token::{Container, Leaf, TextForm};
use variant_core::wire::TypeSet;
use variant_core::{ErrorKind, Fault, VariantType};

use super::listener::Listener;

pub(crate) struct Allowed<'l, L> {
    listener: &'l mut L,
    types: TypeSet,
}

impl<'l, L: Listener> Allowed<'l, L> {
    pub(crate) const fn new(listener: &'l mut L, types: TypeSet) -> Allowed<'l, L> {
        Allowed { listener, types }
    }
}

impl<L: Listener> Listener for Allowed<'_, L> {
    fn leaf(&mut self, leaf: &Leaf<'_>) -> Result<(), Fault> {
        let ty = leaf.ty();
        match self.types.contains(ty) {
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
