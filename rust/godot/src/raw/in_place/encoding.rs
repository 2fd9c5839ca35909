//! Encodes a whole value through the [`Encoder`], into the answer of a call or behind other bytes. It looks at no value.

use godot::builtin::Variant;
use godot::global::var_to_bytes;
use godot::meta::ToGodot;
use variant_core::Trick;

use super::super::layout::{proven, word_at};
use super::buffer::{Buffer, SCRATCH};
use super::cursor::Cursor;
use super::encoder::{Encoder, MAX_DEPTH, WriteLeaf};
use super::packed::{self, is_numbers};

/// The bounds that a call must not exceed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub(crate) max_depth: u64,
    pub(crate) max_output_bytes: u64,
    /// Whether objects are to be written in full, which runs their getters: not here.
    pub(crate) full_objects: bool,
    pub(crate) write_leaf: WriteLeaf,
}

/// Scratch kept between calls.
#[derive(Debug, Default)]
pub(crate) struct EncodeRoom {
    scratch: Vec<u8>,
    leaf: Vec<u8>,
}

/// Encodes a value into `answer`. `None`: nothing is known here of such a value, or it is refused; the
/// fallback knows why.
pub(crate) fn encode(
    value: &Variant,
    bounds: &Bounds,
    room: &mut EncodeRoom,
    answer: &mut Variant,
) -> Option<()> {
    proven()?;
    // SAFETY: a living Variant, which begins with the number of its type.
    match unsafe { word_at(value.var_sys().cast()) } {
        ty if is_numbers(ty) => packed_array(ty, value, bounds, room, answer),
        _ => write(value, bounds, room, answer),
    }
}

/// Encodes any value into `answer`.
#[inline(always)]
fn write(value: &Variant, bounds: &Bounds, room: &mut EncodeRoom, answer: &mut Variant) -> Option<()> {
    let EncodeRoom { scratch, leaf } = room;
    scratch.clear();
    Encoder::write(value, bounds, scratch, SCRATCH, leaf, |out, end| out.finish(end, answer))
}

/// Encodes a packed array of numbers, as [`write`] does: the engine writes a large one.
#[inline(never)]
fn packed_array(
    ty: u32,
    value: &Variant,
    bounds: &Bounds,
    room: &mut EncodeRoom,
    answer: &mut Variant,
) -> Option<()> {
    let size = packed::size(ty, value).filter(|size| {
        let whole = u64::try_from(*size).unwrap_or(u64::MAX).saturating_add(16);
        bounds.max_depth > 0 && whole < bounds.max_output_bytes.min(i32::MAX as u64)
    });
    if size.is_some_and(|size| size >= packed::LARGE) && !Trick::EnginesArrays.is_off() {
        *answer = var_to_bytes(value).to_variant();
        return Some(());
    }
    write(value, bounds, room, answer)
}

/// Appends a value to the bytes of `output`, which stay as they are when it is `None`. Returns how many bytes
/// were added.
pub(crate) fn append(
    value: &Variant,
    bounds: &Bounds,
    room: &mut EncodeRoom,
    output: &mut Vec<u8>,
) -> Option<usize> {
    let before = output.len();
    let added = Encoder::write(value, bounds, output, usize::MAX, &mut room.leaf, Buffer::keep);
    if added.is_none() {
        output.truncate(before);
    }
    added
}

/// Encodes a value for a look at its bytes.
pub(crate) fn lend_encoded<R>(
    value: &Variant,
    bounds: &Bounds,
    room: &mut EncodeRoom,
    take: impl FnOnce(&[u8]) -> R,
) -> Option<R> {
    let EncodeRoom { scratch, leaf } = room;
    scratch.clear();
    Encoder::write(value, bounds, scratch, SCRATCH, leaf, |out, end| out.lend(end, take))
}

impl<'r> Encoder<'r> {
    /// Writes a value, then does with it what is to be done. The scratch gets `most` bytes of the answer, before that moves to
    /// memory of its own. The buffer is made where it stays: a processor waits for one that is moved at once.
    #[expect(clippy::too_many_arguments, reason = "those of a call, and of the buffer made here")]
    #[inline]
    fn write<R>(
        value: &Variant,
        bounds: &Bounds,
        scratch: &'r mut Vec<u8>,
        most: usize,
        leaf: &'r mut Vec<u8>,
        finish: impl FnOnce(&mut Buffer<'r>, Cursor) -> Option<R>,
    ) -> Option<R> {
        let layout = proven()?;
        if bounds.max_depth == 0 {
            return None;
        }
        let limit = usize::try_from(bounds.max_output_bytes.min(i32::MAX as u64)).ok()?;
        let mut encoder = Encoder {
            buffers: &layout.buffers,
            dictionaries: &layout.dictionaries,
            out: Buffer::new(scratch, most, limit),
            max_depth: bounds.max_depth.min(MAX_DEPTH),
            full_objects: bounds.full_objects,
            depth: 0,
            ahead: 0,
            leaf,
            write_leaf: bounds.write_leaf,
        };
        // SAFETY: a living Variant.
        let end = unsafe { encoder.value(value.var_sys().cast(), encoder.out.start())? };
        finish(&mut encoder.out, end)
    }
}
