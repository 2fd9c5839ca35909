//! Defines the receiver of a Variant's tokens. It walks nothing.

use variant_core::token::{Container, Leaf, Output, Text, TextForm};
use variant_core::{Encoder, ErrorKind, Fault, VariantType};

/// Receives the tokens of a Variant, in the order of its encoding. A fault ends the walk.
pub(crate) trait Listener {
    /// Takes a value without children.
    fn leaf(&mut self, leaf: &Leaf<'_>) -> Result<(), Fault>;

    /// Takes a `String` or `StringName`, as characters.
    fn chars(&mut self, ty: VariantType, chars: &[char]) -> Result<(), Fault>;

    /// Takes the opening of a container, whose children come next.
    fn open(&mut self, container: &Container<'_>) -> Result<(), Fault>;

    /// Takes a bare text of the container opened last.
    fn text(&mut self, form: TextForm, text: &str) -> Result<(), Fault>;

    /// Takes a bare text of the container opened last, as characters.
    fn text_chars(&mut self, form: TextForm, chars: &[char]) -> Result<(), Fault>;

    /// Takes the end of the container opened last.
    fn close(&mut self) -> Result<(), Fault>;

    /// Makes a fault of this kind at the current position.
    fn fault(&self, kind: ErrorKind) -> Fault;

    /// Returns the key whose value the listener wants before all other entries of the Dictionary that was
    /// just opened.
    fn wanted_key(&self) -> Option<&str> {
        None
    }

    /// Takes the value of the wanted key, if it is a leaf.
    fn foretell(&mut self, _leaf: Option<&Leaf<'_>>) {}
}

impl<O: Output> Listener for Encoder<'_, O> {
    fn leaf(&mut self, leaf: &Leaf<'_>) -> Result<(), Fault> {
        Encoder::leaf(self, leaf)
    }

    fn chars(&mut self, ty: VariantType, chars: &[char]) -> Result<(), Fault> {
        Encoder::chars(self, ty, chars)
    }

    fn open(&mut self, container: &Container<'_>) -> Result<(), Fault> {
        Encoder::open(self, container)
    }

    fn text(&mut self, form: TextForm, text: &str) -> Result<(), Fault> {
        Encoder::text(self, form, text)
    }

    fn text_chars(&mut self, form: TextForm, chars: &[char]) -> Result<(), Fault> {
        Encoder::text_chars(self, form, chars)
    }

    fn close(&mut self) -> Result<(), Fault> {
        Encoder::close(self);
        Ok(())
    }

    fn fault(&self, kind: ErrorKind) -> Fault {
        Encoder::fault(self, kind)
    }
}

/// Passes a limited number of values to another listener: a value that contains one container many times can
/// be larger than any memory.
pub(crate) struct BoundedListener<'l, L> {
    listener: &'l mut L,
    limit: u64,
    told: u64,
}

impl<'l, L: Listener> BoundedListener<'l, L> {
    pub(crate) fn new(listener: &'l mut L, limit: u64) -> BoundedListener<'l, L> {
        BoundedListener { listener, limit, told: 0 }
    }

    /// Returns the number of values that were passed on.
    pub(crate) fn told(&self) -> u64 {
        self.told
    }

    fn one_more(&mut self) -> Result<&mut L, Fault> {
        if self.told == self.limit {
            return Err(self.fault(ErrorKind::TooManyValues { limit: self.limit, declared: 0 }));
        }
        self.told += 1;
        Ok(self.listener)
    }
}

impl<L: Listener> Listener for BoundedListener<'_, L> {
    fn leaf(&mut self, leaf: &Leaf<'_>) -> Result<(), Fault> {
        self.one_more()?.leaf(leaf)
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

/// Passes a single leaf on to `foretell`. It takes leaves only.
pub(super) struct LeafListener<'l, L>(&'l mut L);

impl<'l, L: Listener> LeafListener<'l, L> {
    pub(super) fn new(listener: &'l mut L) -> LeafListener<'l, L> {
        LeafListener(listener)
    }
}

impl<L: Listener> Listener for LeafListener<'_, L> {
    fn leaf(&mut self, leaf: &Leaf<'_>) -> Result<(), Fault> {
        self.0.foretell(Some(leaf));
        Ok(())
    }

    fn chars(&mut self, ty: VariantType, chars: &[char]) -> Result<(), Fault> {
        let text: String = chars.iter().collect();
        self.leaf(&Leaf::Text(ty, Text::new(&text)))
    }

    fn open(&mut self, _: &Container<'_>) -> Result<(), Fault> {
        Err(self.fault(ErrorKind::Refused))
    }

    fn text(&mut self, _: TextForm, _: &str) -> Result<(), Fault> {
        Err(self.fault(ErrorKind::Refused))
    }

    fn text_chars(&mut self, _: TextForm, _: &[char]) -> Result<(), Fault> {
        Err(self.fault(ErrorKind::Refused))
    }

    fn close(&mut self) -> Result<(), Fault> {
        Err(self.fault(ErrorKind::Refused))
    }

    fn fault(&self, kind: ErrorKind) -> Fault {
        self.0.fault(kind)
    }
}
