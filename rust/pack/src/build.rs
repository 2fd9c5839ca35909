//! Build: receives a value part by part and makes something of it. The pass over codes ([`crate::make`]) tells the parts; bytes
//! of Godot's format are one thing to make of them, the engine's own values are another.

use variant_core::token::{Container, ContainerType, Leaf, Writer};
use variant_core::{Target, VariantType};

/// Makes a value of parts, which come in the order of its bytes: a container before its parts, a key before its value. A
/// container is complete with as many parts as it has declared. `None` gives the value up, and no more of it comes.
pub trait Build {
    /// Makes a leaf: no text, and nothing that points into a running game.
    fn leaf(&mut self, leaf: &Leaf<'_>) -> Option<()>;
    /// Makes a leaf or an empty Array of all its bytes in Godot's format.
    fn whole(&mut self, bytes: &[u8]) -> Option<()>;
    /// Opens an Array of so many elements.
    fn array(&mut self, count: u32) -> Option<()>;
    /// Opens a Dictionary of so many entries. All those of one value that come with the same number have the same keys, which
    /// are Strings, in the same order.
    fn dictionary(&mut self, count: u32, alike: Option<usize>) -> Option<()>;
    /// Takes the next key of the Dictionary: all its bytes in Godot's format.
    fn key(&mut self, bytes: &[u8]) -> Option<()>;
    /// The bytes so far, of who makes bytes. Some values are looked at again; who has none gives those up.
    fn bytes(&mut self) -> Option<&mut Vec<u8>> {
        None
    }
}

/// Makes bytes of Godot's format.
impl Build for Vec<u8> {
    #[inline(always)]
    fn leaf(&mut self, leaf: &Leaf<'_>) -> Option<()> {
        Writer::new(self, Target::default()).leaf(leaf);
        Some(())
    }

    #[inline(always)]
    fn whole(&mut self, bytes: &[u8]) -> Option<()> {
        self.extend_from_slice(bytes);
        Some(())
    }

    #[inline(always)]
    fn array(&mut self, count: u32) -> Option<()> {
        open(self, VariantType::Array, count);
        Some(())
    }

    #[inline(always)]
    fn dictionary(&mut self, count: u32, _: Option<usize>) -> Option<()> {
        open(self, VariantType::Dictionary, count);
        Some(())
    }

    #[inline(always)]
    fn key(&mut self, bytes: &[u8]) -> Option<()> {
        self.extend_from_slice(bytes);
        Some(())
    }

    #[inline(always)]
    fn bytes(&mut self) -> Option<&mut Vec<u8>> {
        Some(self)
    }
}

/// Makes nothing: for a verdict.
impl Build for () {
    #[inline(always)]
    fn leaf(&mut self, _: &Leaf<'_>) -> Option<()> {
        Some(())
    }

    #[inline(always)]
    fn whole(&mut self, _: &[u8]) -> Option<()> {
        Some(())
    }

    #[inline(always)]
    fn array(&mut self, _: u32) -> Option<()> {
        Some(())
    }

    #[inline(always)]
    fn dictionary(&mut self, _: u32, _: Option<usize>) -> Option<()> {
        Some(())
    }

    #[inline(always)]
    fn key(&mut self, _: &[u8]) -> Option<()> {
        Some(())
    }
}

fn open(out: &mut Vec<u8>, ty: VariantType, count: u32) {
    let none = ContainerType::None;
    let container = match ty {
        VariantType::Array => Container::Array { element: none, count },
        _ => Container::Dictionary { key: none, value: none, count },
    };
    Writer::new(out, Target::default()).open(&container);
}
