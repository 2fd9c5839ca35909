//! Digest: tells whether two elements are equal by a keyed hash of 128 bits and not by keeping them.
//!
//! The key is a secret of this process, so nobody outside can make two elements that are taken for one. Equal
//! means: of the same type, numbers by value (0.0 is -0.0, NaN is NaN), containers by their parts in order.
//! The types that a container declares make no difference, as in the engine.

use std::hash::{BuildHasher, Hasher, RandomState};

use variant_core::token::{Container, Lanes, Leaf};
use variant_core::wire::Lane;

pub(crate) type Digest = [u64; 2];

#[derive(Debug, Default)]
pub(crate) struct Digester {
    secrets: [RandomState; 2],
}

impl Digester {
    /// Digests a value without children.
    pub(crate) fn leaf(&self, leaf: &Leaf<'_>) -> Digest {
        self.of(|hasher| put_leaf(hasher, leaf))
    }

    /// Digests a container so far and its next child, key or text.
    pub(crate) fn join(&self, container: Digest, child: Digest) -> Digest {
        self.of(|hasher| container.iter().chain(&child).for_each(|word| hasher.write_u64(*word)))
    }

    /// Digests a container that has opened, of whose parts nothing is known yet.
    pub(crate) fn container(&self, container: &Container<'_>) -> Digest {
        self.of(|hasher| {
            hasher.write_u16(0x100 | u16::from(container.ty().id()));
            match container {
                // `a/b`, `/a/b` and `a:b` have the same parts.
                Container::NodePath { absolute, names, .. } => {
                    hasher.write_u8(u8::from(*absolute));
                    hasher.write_u32(*names);
                }
                Container::Object { class, .. } => hasher.write(class.as_str().as_bytes()),
                _ => {}
            }
        })
    }

    pub(crate) fn text(&self, text: &str) -> Digest {
        self.of(|hasher| hasher.write(text.as_bytes()))
    }

    /// Digests anything else by its bytes.
    pub(crate) fn bytes(&self, bytes: &[u8]) -> Digest {
        self.of(|hasher| hasher.write(bytes))
    }

    fn of(&self, put: impl Fn(&mut dyn Hasher)) -> Digest {
        self.secrets.each_ref().map(|secret| {
            let mut hasher = secret.build_hasher();
            put(&mut hasher);
            hasher.finish()
        })
    }
}

fn put_leaf(hasher: &mut dyn Hasher, leaf: &Leaf<'_>) {
    hasher.write_u8(leaf.ty().id());
    match leaf {
        Leaf::Nil | Leaf::Callable => {}
        Leaf::Bool(value) => hasher.write_u8(u8::from(*value)),
        Leaf::Int(value) => hasher.write_i64(*value),
        Leaf::Float(value) => hasher.write_u64(normal(*value)),
        Leaf::Text(_, text) => hasher.write(text.as_str().as_bytes()),
        Leaf::Math(_, lanes) | Leaf::Packed(_, lanes) => put_lanes(hasher, lanes),
        Leaf::Rid(id) | Leaf::ObjectId(id) => hasher.write_u64(*id),
        Leaf::Signal(name, id) => {
            hasher.write(name.as_str().as_bytes());
            hasher.write_u64(*id);
        }
    }
}

fn put_lanes(hasher: &mut dyn Hasher, lanes: &Lanes<'_>) {
    match lanes.lane() {
        Lane::F32 | Lane::F64 => lanes.widened().for_each(|number| hasher.write_u64(normal(number))),
        _ => hasher.write(lanes.bytes()),
    }
}

fn normal(number: f64) -> u64 {
    match number {
        n if n.is_nan() => f64::NAN.to_bits(),
        0.0 => 0,
        n => n.to_bits(),
    }
}
