//! Passes the tokens of a Variant on to another listener as far as they may be: a limited number of values, since a value that
//! contains one container many times can be larger than any memory, and leaves of some types only, for files, which should hold
//! nothing that their readers refuse.

use variant_core::token::{Container, Leaf, TextForm};
use variant_core::wire::TypeSet;
use variant_core::{ErrorKind, Fault, VariantType};

use super::listener::Listener;
use super::object_ids::UnwarnedClasses;

pub(crate) struct ListenerFilter<'l, L> {
    listener: &'l mut L,
    limit: u64,
    /// The number of values that were passed on.
    pub(crate) told: u64,
    types: TypeSet,
    /// The classes of the objects that were written as instance ids, where that is noted.
    pub(crate) passed: Option<UnwarnedClasses>,
    /// The instance id of the object that was refused.
    pub(crate) refused: Option<u64>,
}

impl<'l, L: Listener> ListenerFilter<'l, L> {
    /// Passes a limited number of values.
    pub(crate) fn bounded(listener: &'l mut L, limit: u64) -> ListenerFilter<'l, L> {
        ListenerFilter { listener, limit, told: 0, types: TypeSet::ALL, passed: None, refused: None }
    }

    /// Passes leaves of these types, and takes note of objects.
    pub(crate) fn of_types(listener: &'l mut L, types: TypeSet) -> ListenerFilter<'l, L> {
        let passed = Some(UnwarnedClasses::default());
        ListenerFilter { types, passed, ..ListenerFilter::bounded(listener, u64::MAX) }
    }

    fn one_more(&mut self) -> Result<&mut L, Fault> {
        if self.told == self.limit {
            return Err(self.fault(ErrorKind::TooManyValues { limit: self.limit, declared: 0 }));
        }
        self.told += 1;
        Ok(self.listener)
    }
}

impl<L: Listener> Listener for ListenerFilter<'_, L> {
    fn leaf(&mut self, leaf: &Leaf<'_>) -> Result<(), Fault> {
        let ty = leaf.ty();
        let is_allowed = self.types.contains(ty);
        match (leaf, &mut self.passed) {
            (Leaf::ObjectId(id), Some(passed)) if is_allowed => passed.note(*id),
            (Leaf::ObjectId(id), _) => self.refused = Some(*id),
            _ => {}
        }
        match is_allowed {
            true => self.one_more()?.leaf(leaf),
            false => Err(self.fault(ErrorKind::TypeNotAllowed { ty })),
        }
    }

    fn chars(&mut self, ty: VariantType, chars: &[char]) -> Result<(), Fault> {
        self.one_more()?.chars(ty, chars)
    }

    fn open(&mut self, container: &Container<'_>) -> Result<(), Fault> {
        self.one_more()?.open(container)
    }

    fn text(&mut self, form: TextForm, text: &str) -> Result<(), Fault> {
        self.one_more()?.text(form, text)
    }

    fn text_chars(&mut self, form: TextForm, chars: &[char]) -> Result<(), Fault> {
        self.one_more()?.text_chars(form, chars)
    }

    fn close(&mut self) -> Result<(), Fault> {
        self.listener.close()
    }

    fn fault(&self, kind: ErrorKind) -> Fault {
        self.listener.fault(kind)
    }

    fn wanted_key(&self) -> Option<&str> {
        self.listener.wanted_key()
    }

    fn foretell(&mut self, leaf: Option<&Leaf<'_>>) {
        self.listener.foretell(leaf);
    }
}
