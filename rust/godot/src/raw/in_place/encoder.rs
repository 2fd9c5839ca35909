//! Variant to bytes, read where it lies. The plain twin is `read::encode`, which is asked whenever this one stops.
//!
//! It recurses, but never deeper than [`MAX_DEPTH`].

use godot::builtin::{PackedByteArray, Variant};
use godot::global::var_to_bytes;
use variant_core::wire::ContainerKind;

use super::super::layout::{Containers, PAYLOAD, containers, pointer_at, proven, read, word_at};
use super::bits::{ARRAY, DICTIONARY, NIL, OBJECT};
use super::buffer::Buffer;
use super::names::Names;
use super::packed::bytes;
use super::slots::array_slot;
use super::texts;

/// Levels this walk goes down; each takes less than 300 bytes of stack.
const MAX_DEPTH: u64 = 256;
/// Elements between two looks at where an array's buffer is, should another thread be changing it against the rules.
const AT_ONCE: usize = 256;
const STRIDE: usize = size_of::<Variant>();
/// From so many bytes on a bare PackedByteArray is written by the engine. All that there is to do is to copy it once,
/// and what an extension may ask of the engine fills the copy with zeros first.
const LARGE: usize = 64 * 1024;
/// What is written for a container of objects when objects are written as ids.
const OBJECT_CLASS: &[u8; 17] = b"EncodedObjectAsID";

/// What a call must not exceed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub(crate) max_depth: u64,
    pub(crate) max_output_bytes: u64,
    /// Whether objects are to be written in full, which runs their getters: not here.
    pub(crate) full_objects: bool,
}

/// Writes a leaf that only official calls can read; `None` when it cannot be written.
pub(crate) type WriteLeaf = fn(&Variant, &mut Vec<u8>) -> Option<()>;

/// Scratch kept between calls.
#[derive(Debug, Default)]
pub(crate) struct EncodeRoom {
    scratch: Vec<u8>,
    pub(super) leaf: Vec<u8>,
    names: Names,
}

/// Encodes a value. `None`: nothing is known here of such a value, or it is refused; the plain walk knows why.
pub(crate) fn encode(
    value: &Variant,
    bounds: &Bounds,
    room: &mut EncodeRoom,
    write_leaf: WriteLeaf,
) -> Option<PackedByteArray> {
    let layout = proven()?;
    if let Some(array) = bytes(value)
        && array.len() >= LARGE
        && (array.len() as u64).saturating_add(16) < bounds.max_output_bytes
    {
        return Some(var_to_bytes(value));
    }
    written(value, bounds, room, write_leaf, layout.containers.as_ref())?.finish()
}

/// Encodes a value to look at its bytes. `None`: as [`encode`].
pub(crate) fn lend_encoded<R>(
    value: &Variant,
    bounds: &Bounds,
    room: &mut EncodeRoom,
    write_leaf: WriteLeaf,
    take: impl FnOnce(&[u8]) -> R,
) -> Option<R> {
    written(value, bounds, room, write_leaf, proven()?.containers.as_ref())?.lend(take)
}

fn written<'r>(
    value: &Variant,
    bounds: &Bounds,
    room: &'r mut EncodeRoom,
    write_leaf: WriteLeaf,
    containers: Option<&'r Containers>,
) -> Option<Buffer<'r>> {
    let limit = usize::try_from(bounds.max_output_bytes.min(i32::MAX as u64)).ok()?;
    let EncodeRoom { scratch, leaf, names } = room;
    let mut encoder = Encoder {
        containers,
        out: Buffer::new(scratch, limit),
        max_depth: bounds.max_depth.min(MAX_DEPTH),
        full_objects: bounds.full_objects,
        depth: 0,
        names: names.for_one_call(),
        leaf,
        write_leaf,
    };
    if bounds.max_depth == 0 {
        return None;
    }
    // SAFETY: a living Variant.
    unsafe { encoder.value(value.var_sys().cast())? };
    Some(encoder.out)
}

pub(super) struct Encoder<'r> {
    pub(super) containers: Option<&'r Containers>,
    pub(super) out: Buffer<'r>,
    max_depth: u64,
    depth: u64,
    pub(super) full_objects: bool,
    pub(super) names: &'r mut Names,
    /// Leaves on their way from official calls.
    pub(super) leaf: &'r mut Vec<u8>,
    pub(super) write_leaf: WriteLeaf,
}

impl Encoder<'_> {
    /// Writes the Variant that lies at `at`.
    ///
    /// # Safety
    /// A living Variant lies there, and nobody changes it meanwhile.
    #[inline(always)]
    pub(super) unsafe fn value(&mut self, at: *const u8) -> Option<()> {
        self.out.reserve(0)?;
        // SAFETY: the caller's promise; the layout says what a Variant begins with. There is room for a number.
        unsafe {
            let tag = word_at(at);
            if self.number(tag, at) || self.plain(tag, at) {
                return Some(());
            }
            self.other(tag, at)
        }
    }

    /// # Safety
    /// As [`Encoder::value`].
    #[inline(never)]
    unsafe fn other(&mut self, tag: u32, at: *const u8) -> Option<()> {
        // SAFETY: the caller's promise; the payload of these types is their handle.
        unsafe {
            match tag {
                super::bits::STRING => self.string(at.add(PAYLOAD)),
                super::bits::NAME => self.name(at.add(PAYLOAD)),
                ARRAY => self.array(at.add(PAYLOAD)),
                DICTIONARY => self.dictionary(at),
                OBJECT if self.full_objects => None,
                _ => self.rare(tag, at),
            }
        }
    }

    /// For the children of a container that has some.
    #[inline]
    fn enter(&mut self) -> Option<()> {
        self.depth += 1;
        (self.depth < self.max_depth).then_some(())
    }

    /// # Safety
    /// `handle` is that of a living Array.
    unsafe fn array(&mut self, handle: *const u8) -> Option<()> {
        // SAFETY: the caller's promise; every element lies at its distance from the first, as the probe has seen,
        // and the place of the first is asked for again before long.
        unsafe {
            let (_, count) = self.elements(handle)?;
            let ty = match self.containers {
                Some(known) => word_at(pointer_at(handle).add(known.element_type)),
                None => super::slots::element_type(handle)?,
            };
            let kind = self.kind(ty)?;
            self.out.put(ARRAY | kind << 16);
            self.declared(ty)?;
            self.out.put(u32::try_from(count).ok().filter(|count| *count <= i32::MAX as u32)?);
            if count == 0 {
                return Some(());
            }
            self.enter()?;
            let mut done = 0;
            while done < count {
                let (first, now) = self.elements(handle)?;
                if now != count {
                    return None;
                }
                let end = count.min(done + AT_ONCE);
                for index in done..end {
                    self.value(first.add(index * STRIDE))?;
                }
                done = end;
            }
            self.depth -= 1;
            (self.elements(handle)?.1 == count).then_some(())
        }
    }

    /// First element and count.
    ///
    /// # Safety
    /// As [`Encoder::array`].
    #[inline]
    unsafe fn elements(&self, handle: *const u8) -> Option<(*const u8, usize)> {
        // SAFETY: the caller's promise and the probe's findings; without those, official calls.
        unsafe {
            let Some(known) = self.containers else {
                let count = super::slots::array_length(handle)?;
                return Some((if count == 0 { handle } else { array_slot(handle.cast(), 0) }, count));
            };
            let first = pointer_at(pointer_at(handle).add(known.elements));
            if first.is_null() {
                return Some((first, 0));
            }
            usize::try_from(read::<i64>(first.sub(known.length_back))).ok().map(|count| (first, count))
        }
    }

    /// # Safety
    /// A living Variant with a Dictionary lies at `at`.
    unsafe fn dictionary(&mut self, at: *const u8) -> Option<()> {
        let Some(known) = self.containers else {
            // SAFETY: the caller's promise.
            return unsafe { self.dictionary_by_lists(at) };
        };
        // SAFETY: the caller's promise and the probe's findings: as many nodes as are counted, the last of which
        // has none after it.
        unsafe {
            let private = pointer_at(at.add(PAYLOAD));
            let count = word_at(private.add(known.size));
            let (key, value) = (word_at(private.add(known.key_type)), word_at(private.add(known.value_type)));
            self.dictionary_header(key, value, count)?;
            if count == 0 {
                return Some(());
            }
            self.enter()?;
            let mut node = pointer_at(private.add(known.head));
            for _ in 0..count {
                if node.is_null() {
                    return None;
                }
                self.value(node.add(containers::KEY))?;
                self.value(node.add(containers::VALUE))?;
                node = pointer_at(node.add(containers::NEXT));
            }
            self.depth -= 1;
            node.is_null().then_some(())
        }
    }

    /// By copies of its keys and values, which official calls make.
    ///
    /// # Safety
    /// As [`Encoder::dictionary`].
    #[inline(never)]
    unsafe fn dictionary_by_lists(&mut self, at: *const u8) -> Option<()> {
        // SAFETY: the caller's promise; both lists live until the end, and have one element an entry.
        unsafe {
            let lists = super::slots::Lists::of(&*at.cast::<Variant>())?;
            self.dictionary_header(lists.key_type, lists.value_type, u32::try_from(lists.count).ok()?)?;
            if lists.count == 0 {
                return Some(());
            }
            self.enter()?;
            let (keys, values) = lists.first();
            for index in 0..lists.count {
                self.value(keys.add(index * STRIDE))?;
                self.value(values.add(index * STRIDE))?;
            }
            self.depth -= 1;
            Some(())
        }
    }

    fn dictionary_header(&mut self, key: u32, value: u32, count: u32) -> Option<()> {
        let (key_kind, value_kind) = (self.kind(key)?, self.kind(value)?);
        // SAFETY: `value()` has left the slack free, and `declared` makes room again.
        unsafe {
            self.out.put(DICTIONARY | key_kind << 16 | value_kind << 18);
            self.declared(key)?;
            self.declared(value)?;
            self.out.put(Some(count).filter(|count| *count <= i32::MAX as u32)?);
        }
        Some(())
    }

    /// The two bits of a header that say how a declared type follows.
    #[inline]
    fn kind(&self, ty: u32) -> Option<u32> {
        match ty {
            NIL => Some(ContainerKind::None as u32),
            // The class decides, and a script's path: not here.
            OBJECT if self.full_objects => None,
            OBJECT => Some(ContainerKind::Class as u32),
            _ => Some(ContainerKind::Builtin as u32),
        }
    }

    /// What follows the header of a typed container.
    #[inline]
    fn declared(&mut self, ty: u32) -> Option<()> {
        // SAFETY: room is made for both.
        unsafe {
            match ty {
                NIL => {}
                OBJECT => {
                    self.out.reserve(64)?;
                    self.out.put(OBJECT_CLASS.len() as u32);
                    self.out.copy(OBJECT_CLASS.as_ptr(), OBJECT_CLASS.len());
                    self.out.pad(OBJECT_CLASS.len());
                }
                _ => self.out.put(ty),
            }
        }
        Some(())
    }

    /// # Safety
    /// `handle` is that of a living String.
    #[inline(always)]
    unsafe fn string(&mut self, handle: *const u8) -> Option<()> {
        // SAFETY: the caller's promise.
        unsafe {
            let text = texts::characters(handle, self.containers)?;
            self.out.put(super::bits::STRING);
            self.text(text, false)
        }
    }
}
