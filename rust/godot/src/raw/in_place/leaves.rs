//! Leaves of a Variant in place: numbers without a branch on their width, what has lanes as it lies, texts.

use godot::builtin::{Color, PackedArray, PackedStringArray, Variant, Vector2, Vector3, Vector4};
use godot::meta::PackedElement;
use variant_core::VariantType;

use super::super::kernels::narrow::{OVERRUN, utf8};
use super::super::layout::{PAYLOAD, pointer_at, read};
use super::bits::{BOOL, FLOAT, INT, NIL, PLAIN, REAL_FLAG, WIDE_FLAG, id};
use super::encoder::Encoder;
use super::names::Known;
use super::packed;
use super::texts::{self, Characters};

/// Characters between two looks at the room that is left: room for four bytes each is asked for, which for a whole
/// long text would be far too much, and measuring it first takes as long as writing it.
const AT_ONCE: usize = 8192;

impl Encoder<'_> {
    /// Writes nil, a bool, an int or a float; false when it is none of them.
    ///
    /// An int of 32 bits and one of 64 are written the same way, as 8 bytes of which 4 may be written over: which
    /// it will be is the one thing about numbers that no processor can foresee.
    ///
    /// # Safety
    /// A living Variant with this tag lies at `at`; the slack is free.
    #[inline(always)]
    pub(super) unsafe fn number(&mut self, tag: u32, at: *const u8) -> bool {
        // SAFETY: the caller's promise; the payload of these types lies in the Variant.
        unsafe {
            match tag {
                INT => {
                    let value = read::<i64>(at.add(PAYLOAD));
                    let is_wide = value != i64::from(value as i32);
                    self.put_number(INT, value.cast_unsigned(), is_wide);
                }
                FLOAT => {
                    let value = read::<f64>(at.add(PAYLOAD));
                    let narrow = value as f32;
                    // The engine's own test: NaN is wide.
                    let is_wide = f64::from(narrow) != value;
                    let narrow = u64::from(narrow.to_bits());
                    self.put_number(FLOAT, if is_wide { value.to_bits() } else { narrow }, is_wide);
                }
                BOOL => self.out.put(u64::from(BOOL) | (u64::from(read::<u8>(at.add(PAYLOAD)) != 0) << 32)),
                NIL => self.out.put(NIL),
                _ => return false,
            }
        }
        true
    }

    /// # Safety
    /// The slack is free.
    #[inline(always)]
    unsafe fn put_number(&mut self, ty: u32, bits: u64, is_wide: bool) {
        // SAFETY: the caller's promise.
        unsafe {
            self.out.put(ty | (u32::from(is_wide) * WIDE_FLAG));
            self.out.cursor.cast::<u64>().write_unaligned(bits);
        }
        self.out.cursor = self.out.cursor.wrapping_add(4 + 4 * usize::from(is_wide));
    }

    /// Writes a vector, a color, a matrix; false when it is none of them.
    ///
    /// # Safety
    /// As [`Encoder::number`].
    #[inline(always)]
    pub(super) unsafe fn plain(&mut self, tag: u32, at: *const u8) -> bool {
        let Some(plain) = PLAIN.get(tag as usize).filter(|plain| plain.bytes > 0) else { return false };
        // SAFETY: the caller's promise; such a type has so many bytes where the table says, as the probe has seen,
        // and the slack has room for the largest of them. A payload of its own is copied whole, whatever of it
        // counts: a copy of a known length is a few instructions, one of any length a call.
        unsafe {
            let payload = at.add(PAYLOAD);
            self.out.put(tag | plain.flag);
            if plain.is_behind {
                self.out.copy(pointer_at(payload), plain.bytes);
            } else {
                std::ptr::copy_nonoverlapping(payload, self.out.cursor, size_of::<Variant>() - PAYLOAD);
                self.out.cursor = self.out.cursor.wrapping_add(plain.bytes);
            }
        }
        true
    }

    /// Writes everything that is neither number, vector, text nor container.
    ///
    /// # Safety
    /// A living Variant with this tag lies at `at`; the slack is free.
    pub(super) unsafe fn rare(&mut self, tag: u32, at: *const u8) -> Option<()> {
        // SAFETY: the caller's promise.
        unsafe {
            let variant = &*at.cast::<Variant>();
            match tag {
                _ if tag == id(VariantType::Callable) => self.out.put(tag),
                _ if tag == id(VariantType::PackedStringArray) => self.packed_strings(variant)?,
                _ if tag >= id(VariantType::PackedByteArray) => self.packed(tag, variant)?,
                _ => self.by_official_calls(variant)?,
            }
        }
        Some(())
    }

    fn by_official_calls(&mut self, variant: &Variant) -> Option<()> {
        self.leaf.clear();
        (self.write_leaf)(variant, self.leaf)?;
        self.out.reserve(self.leaf.len())?;
        // SAFETY: room has been made.
        unsafe { self.out.copy(self.leaf.as_ptr(), self.leaf.len()) };
        Some(())
    }

    fn packed(&mut self, tag: u32, variant: &Variant) -> Option<()> {
        use VariantType as T;
        match T::from_id(u8::try_from(tag).ok()?)? {
            T::PackedByteArray => self.lanes::<u8>(tag, variant),
            T::PackedInt32Array => self.lanes::<i32>(tag, variant),
            T::PackedInt64Array => self.lanes::<i64>(tag, variant),
            T::PackedFloat32Array => self.lanes::<f32>(tag, variant),
            T::PackedFloat64Array => self.lanes::<f64>(tag, variant),
            T::PackedVector2Array => self.lanes::<Vector2>(tag | REAL_FLAG, variant),
            T::PackedVector3Array => self.lanes::<Vector3>(tag | REAL_FLAG, variant),
            T::PackedColorArray => self.lanes::<Color>(tag, variant),
            T::PackedVector4Array => self.lanes::<Vector4>(tag | REAL_FLAG, variant),
            _ => None,
        }
    }

    /// A packed array's elements have no padding: their bytes are what is written.
    fn lanes<T: PackedElement>(&mut self, header: u32, variant: &Variant) -> Option<()> {
        // SAFETY: the Variant holds such an array; it lives until the end and so does the handle.
        if let Some((first, count)) = unsafe { packed::elements(variant) } {
            // SAFETY: so many elements, which have no padding.
            return unsafe { self.run(header, first, count, size_of::<T>()) };
        }
        let array: PackedArray<T> = variant.try_to().ok()?;
        let elements = array.as_slice();
        // SAFETY: as above.
        unsafe { self.run(header, elements.as_ptr().cast(), elements.len(), size_of::<T>()) }
    }

    /// # Safety
    /// `first` points to so many elements of this size.
    unsafe fn run(&mut self, header: u32, first: *const u8, count: usize, size: usize) -> Option<()> {
        let bytes = count.checked_mul(size)?;
        i32::try_from(bytes).ok()?;
        self.out.reserve(bytes)?;
        // SAFETY: room has been made; the header is within the slack.
        unsafe {
            self.out.put(header);
            self.out.put(count as u32);
            if bytes > 0 {
                self.out.copy(first, bytes);
            }
            self.out.pad(bytes);
        }
        Some(())
    }

    fn packed_strings(&mut self, variant: &Variant) -> Option<()> {
        let strings: PackedStringArray = variant.try_to().ok()?;
        let strings = strings.as_slice();
        let count = u32::try_from(strings.len()).ok().filter(|count| *count <= i32::MAX as u32)?;
        // SAFETY: a GString is its handle; the array lives until the end.
        unsafe {
            self.out.put(id(VariantType::PackedStringArray));
            self.out.put(count);
            for string in strings {
                let text = texts::characters(std::ptr::from_ref(string).cast(), self.containers)?;
                self.text(text, true)?;
            }
        }
        Some(())
    }

    /// A name's text is written once a call and copied from there after that: games say few names often.
    ///
    /// # Safety
    /// `handle` is that of a living StringName.
    pub(super) unsafe fn name(&mut self, handle: *const u8) -> Option<()> {
        // SAFETY: the caller's promise. A name is known by its record, which lives as long as the name does; what was
        // written for it stands in the buffer still.
        unsafe {
            let record = pointer_at(handle);
            if let Some(Known { at, bytes }) = self.names.find(record.addr()) {
                self.out.reserve(bytes)?;
                self.out.repeat(at, bytes);
                return Some(());
            }
            let at = self.out.used();
            self.out.put(id(VariantType::StringName));
            texts::with_name(handle, self.containers, |text| self.text(text?, false))?;
            let known = Known { at, bytes: self.out.used() - at };
            self.names.remember(record.addr(), known);
            Some(())
        }
    }

    /// Writes length, characters and padding; `is_terminated`: with a NUL that is counted.
    ///
    /// # Safety
    /// The characters stay where they are meanwhile.
    #[inline]
    pub(super) unsafe fn text(&mut self, text: Characters, is_terminated: bool) -> Option<()> {
        // A long text takes a byte a character at least: that room is asked for at once, not doubled up to.
        let least = text.count.min(self.out.left());
        self.out.reserve(least.max(text.count.min(AT_ONCE) * 4) + OVERRUN + 12)?;
        // SAFETY: room for four bytes a character and what the kernel writes over has been made.
        unsafe {
            let length_at = self.out.used();
            self.out.put(0_u32);
            let mut done = text.count.min(AT_ONCE);
            let mut bytes = utf8(text.first, done, self.out.cursor)?;
            self.out.cursor = self.out.cursor.wrapping_add(bytes);
            while done < text.count {
                let next = (text.count - done).min(AT_ONCE);
                self.out.reserve(next * 4 + OVERRUN + 12)?;
                let more = utf8(text.first.add(done), next, self.out.cursor)?;
                self.out.cursor = self.out.cursor.wrapping_add(more);
                bytes += more;
                done += next;
            }
            if is_terminated {
                self.out.put(0_u8);
            }
            let counted = bytes + usize::from(is_terminated);
            let length = u32::try_from(counted).ok().filter(|length| *length < i32::MAX as u32)?;
            self.out.place(length_at).cast::<u32>().write_unaligned(length);
            self.out.pad(counted);
        }
        Some(())
    }
}
