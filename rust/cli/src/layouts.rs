//! Holds a message of a protocol with the layout of its bits: what codecs in other languages and test vectors are made of.

use variant_pack::Layout;
use variant_protocol::Declared;

pub(crate) struct MessageLayout<'s> {
    pub(crate) declared: &'s Declared,
    pub(crate) id: u16,
    pub(crate) layout: Layout,
    pub(crate) parts: u8,
}
