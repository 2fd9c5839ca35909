//! Are Variants what they are taken for? Tried type by type: what the engine's constructor wrote, what its reader
//! makes of what we wrote.

use std::mem::{MaybeUninit, size_of};
use std::slice;

use godot::builtin::{
    Aabb, Basis, Color, GString, Plane, Projection, Quaternion, Rect2, Rect2i, Rid, StringName, Transform2D,
    Transform3D, VarArray, VarDictionary, Variant, Vector2, Vector2i, Vector3, Vector3i, Vector4, Vector4i,
    real,
};
use godot::classes::RefCounted;
use godot::meta::{FromGodot, ToGodot};
use godot::obj::NewGd;
use godot::sys::GodotFfi;
use variant_core::VariantType;

use super::{PAYLOAD, asked, pointer_at, read, word_at};

/// Whether every type that is read or written in place lies as expected.
pub(super) fn are_as_expected() -> bool {
    numbers() && vectors() && matrices() && handles() && slots()
}

/// Whether the payload of an object begins with its instance id.
pub(super) fn have_object_ids() -> bool {
    let object = RefCounted::new_gd();
    let variant = asked::variant(&object);
    let at = start(&variant);
    // SAFETY: a Variant is at least so many initialised bytes; only compared, and the payload when the tag is right.
    let found =
        unsafe { (word_at(at) == u32::from(VariantType::Object.id())).then(|| read::<i64>(at.add(PAYLOAD))) };
    found == Some(object.instance_id().to_i64())
}

fn numbers() -> bool {
    in_place(VariantType::Bool, true)
        && in_place(VariantType::Int, 0x0123_4567_89AB_CDEF_i64)
        && in_place(VariantType::Float, -1.234_567_891e100_f64)
        && in_place(VariantType::Rid, Rid::new(0x0123_4567_89AB))
}

fn vectors() -> bool {
    let (a, b) = (Vector2::new(1.5, -2.25), Vector2::new(3.125, 4.5));
    let (ints, more) = (Vector2i::new(-7, 0x0102_0304), Vector2i::new(11, -13));
    in_place(VariantType::Vector2, a)
        && in_place(VariantType::Vector2i, ints)
        && in_place(VariantType::Rect2, Rect2 { position: a, size: b })
        && in_place(VariantType::Rect2i, Rect2i { position: ints, size: more })
        && in_place(VariantType::Vector3, Vector3::new(1.5, -2.5, 3.25))
        && in_place(VariantType::Vector3i, Vector3i::new(1, -2, 3))
        && in_place(VariantType::Vector4, Vector4::new(1.5, 2.5, 3.5, 4.5))
        && in_place(VariantType::Vector4i, Vector4i::new(1, -2, 3, -4))
        && in_place(VariantType::Plane, Plane { normal: Vector3::new(0.0, 1.0, 0.0), d: 5.5 })
        && in_place(VariantType::Quaternion, Quaternion { x: 0.5, y: -0.5, z: 0.25, w: 0.75 })
        && in_place(VariantType::Color, Color::from_rgba(0.1, 0.2, 0.3, 0.4))
}

fn matrices() -> bool {
    let rows = [Vector3::new(1.5, 2.5, 3.5), Vector3::new(4.5, 5.5, 6.5), Vector3::new(7.5, 8.5, 9.5)];
    let [a, b, origin] = [Vector2::new(1.5, 2.5), Vector2::new(3.5, 4.5), Vector2::new(5.5, 6.5)];
    let column = |n: real| Vector4::new(n, 2.5, 3.5, 4.5);
    behind(VariantType::Transform2D, Transform2D { a, b, origin })
        && behind(VariantType::Aabb, Aabb { position: rows[0], size: rows[1] })
        && behind(VariantType::Basis, Basis { rows })
        && behind(VariantType::Transform3D, Transform3D { basis: Basis { rows }, origin: rows[2] })
        && behind(
            VariantType::Projection,
            Projection { cols: [column(1.5), column(5.5), column(6.5), column(7.5)] },
        )
}

/// The payload is the value, and nothing but tag and payload counts.
fn in_place<T: ToGodot + FromGodot + PartialEq + Copy>(ty: VariantType, value: T) -> bool {
    let variant = asked::variant(&value);
    let at = start(&variant);
    if PAYLOAD + size_of::<T>() > size_of::<Variant>() {
        return false;
    }
    // SAFETY: a Variant is at least so many initialised bytes; only compared, as bytes, when the tag is right.
    let same = unsafe { word_at(at) == u32::from(ty.id()) && lies_at(at.add(PAYLOAD), &value) };
    same && written(ty, value).is_some_and(|read| read == value)
}

/// Returns what the engine reads from a Variant of ours.
fn written<T: FromGodot + Copy>(ty: VariantType, value: T) -> Option<T> {
    let mut ours = MaybeUninit::<Variant>::zeroed();
    let at = ours.as_mut_ptr().cast::<u8>();
    // SAFETY: within the Variant, as `in_place` has checked; the types it comes for own nothing, so that reading is
    // all that can happen to them and nothing is to be freed.
    unsafe {
        at.cast::<u32>().write(u32::from(ty.id()));
        at.add(PAYLOAD).cast::<T>().write_unaligned(value);
        asked::value(ours.assume_init_ref())
    }
}

/// The payload is a pointer to the value.
fn behind<T: ToGodot + Copy>(ty: VariantType, value: T) -> bool {
    let variant = asked::variant(&value);
    let at = start(&variant);
    // SAFETY: a Variant is at least so large. The pointer is followed only when the tag is right and it looks like
    // one; by then `in_place` has proven the place of payloads, and such a value is too large to be one itself.
    unsafe {
        if word_at(at) != u32::from(ty.id()) {
            return false;
        }
        let target = pointer_at(at.add(PAYLOAD));
        !target.is_null() && target.addr().is_multiple_of(4) && lies_at(target, &value)
    }
}

/// Texts and containers: the payload is the handle's own word.
fn handles() -> bool {
    let text = GString::from("a text of some length");
    let name = StringName::from("a_name_of_its_own");
    let (array, dictionary) = (VarArray::new(), VarDictionary::new());
    is_word(VariantType::String, &asked::variant(&text), text.sys().cast())
        && is_word(VariantType::StringName, &asked::variant(&name), name.sys().cast())
        && is_word(VariantType::Array, &asked::variant(&array), array.sys().cast())
        && is_word(VariantType::Dictionary, &asked::variant(&dictionary), dictionary.sys().cast())
}

fn is_word(ty: VariantType, variant: &Variant, handle: *const u8) -> bool {
    let at = start(variant);
    // SAFETY: Variants are that large, and these handles are one pointer's size.
    unsafe { word_at(at) == u32::from(ty.id()) && pointer_at(at.add(PAYLOAD)) == pointer_at(handle) }
}

/// Elements of an array follow one another without gaps.
fn slots() -> bool {
    let array: VarArray = (0..5_i64).map(|n| n.to_variant()).collect();
    let Some(first) = asked::element(&array, 0) else { return false };
    (0..5_u8).all(|index| {
        let at = first.wrapping_add(usize::from(index) * size_of::<Variant>());
        asked::element(&array, index.into()) == Some(at)
    })
}

/// # Safety
/// `at` points to as many readable bytes as a `T` has.
unsafe fn lies_at<T: Copy>(at: *const u8, value: &T) -> bool {
    // SAFETY: the caller's promise; the types that come here have no padding.
    unsafe {
        slice::from_raw_parts(at, size_of::<T>())
            == slice::from_raw_parts(std::ptr::from_ref(value).cast::<u8>(), size_of::<T>())
    }
}

fn start(variant: &Variant) -> *const u8 {
    variant.var_sys().cast()
}
