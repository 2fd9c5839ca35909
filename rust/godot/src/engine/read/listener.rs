//! Defines the receiver of a Variant's tokens. It walks nothing.

use variant_core::token::{Container, Leaf, Output, TextForm};
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
