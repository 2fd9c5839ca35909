//! Writes Variants as bytes, read where they lie. The fallback is `read::encode`, which is asked whenever
//! this one stops.
//!
//! It recurses, but never deeper than [`MAX_DEPTH`].

use godot::builtin::Variant;
use variant_core::EntryTypes;

use super::super::layout::{Buffers, Dictionaries, PAYLOAD, dictionaries, pointer_at, read, word_at};
use super::ahead;
use super::bits::{ARRAY, BOOL, DICTIONARY, FLOAT, INT, NAME, NIL, OBJECT, STRING};
use super::buffer::Buffer;
use super::cursor::Cursor;
use super::leaves;
use super::slot::STRIDE;
use super::texts;

/// Levels this walk goes down; each takes less than 300 bytes of stack.
pub(super) const MAX_DEPTH: u64 = 256;
/// Elements between two looks at where an array's buffer is, should another thread be changing it against the rules.
const AT_ONCE: usize = 256;
/// Elements for which nothing is asked for ahead: they are done before it comes.
const FEW: usize = 8;
/// The bytes from the characters of a text back to its length, more or less.
const TEXT_HEAD: isize = 16;

/// Writes a leaf that only official calls can read; `None` when it cannot be written.
pub(crate) type WriteLeaf = fn(&Variant, &mut Vec<u8>) -> Option<()>;

pub(super) struct Encoder<'r> {
    pub(super) buffers: &'r Buffers,
    pub(super) dictionaries: &'r Dictionaries,
    pub(super) out: Buffer<'r>,
    /// At most [`MAX_DEPTH`].
    pub(super) max_depth: u64,
    pub(super) depth: u64,
    /// The distance from a part to that part of a later element of the array around.
    pub(super) ahead: isize,
    pub(super) full_objects: bool,
    /// Leaves on their way from official calls.
    pub(super) leaf: &'r mut Vec<u8>,
    pub(super) write_leaf: WriteLeaf,
}

impl Encoder<'_> {
    /// Writes the Variant that lies at `at`. Returns where the next one goes.
    ///
    /// # Safety
    /// A living Variant lies there, and nobody changes it meanwhile. `to` is where the output ends.
    #[inline(always)]
    pub(super) unsafe fn value(&mut self, at: *const u8, to: Cursor) -> Option<Cursor> {
        let mut to = self.out.reserve(to, 0)?;
        // SAFETY: the caller's promise; the layout says what a Variant begins with. There is room for a number.
        unsafe {
            let tag = word_at(at);
            match tag {
                INT => leaves::int(at, &mut to),
                FLOAT => leaves::float(at, &mut to),
                BOOL => to.put(u64::from(BOOL) | (u64::from(read::<u8>(at.add(PAYLOAD)) != 0) << 32)),
                NIL => to.put(NIL),
                STRING => {
                    // That a key's characters are needed again is more likely than that others lie beside them.
                    ahead::ask(pointer_at(at.add(PAYLOAD)), self.ahead.wrapping_sub(TEXT_HEAD));
                    return self.string(at.add(PAYLOAD), to);
                }
                _ if leaves::plain(tag, at, &mut to) => {}
                _ => return self.other(tag, at, to),
            }
        }
        Some(to)
    }

    /// Writes a key, which most often is a String: one question is predicted by the processor where a choice
    /// of forty is not.
    ///
    /// # Safety
    /// It needs what [`Encoder::value`] needs.
    #[inline(always)]
    unsafe fn key(&mut self, at: *const u8, to: Cursor) -> Option<Cursor> {
        // SAFETY: the caller's promise.
        unsafe {
            if word_at(at) == STRING {
                let to = self.out.reserve(to, 0)?;
                return self.string(at.add(PAYLOAD), to);
            }
            self.value(at, to)
        }
    }

    /// # Safety
    /// It needs what [`Encoder::value`] needs; the slack is free.
    #[inline(never)]
    unsafe fn other(&mut self, tag: u32, at: *const u8, to: Cursor) -> Option<Cursor> {
        // SAFETY: the caller's promise; the payload of these types is their handle.
        unsafe {
            match tag {
                NAME => self.name(at.add(PAYLOAD), to),
                ARRAY => self.array(at.add(PAYLOAD), to),
                DICTIONARY => self.dictionary(at, to),
                OBJECT if self.full_objects => None,
                _ => self.rare(tag, at, to),
            }
        }
    }

    /// # Safety
    /// `handle` is that of a living String; the slack is free.
    #[inline(always)]
    unsafe fn string(&mut self, handle: *const u8, to: Cursor) -> Option<Cursor> {
        // SAFETY: the caller's promise.
        unsafe { self.text(STRING, texts::characters(handle, self.buffers)?, to) }
    }

    /// Enters a container that has children.
    #[inline]
    fn enter(&mut self) -> Option<()> {
        self.depth += 1;
        (self.depth < self.max_depth).then_some(())
    }

    /// # Safety
    /// `handle` is that of a living Array; the slack is free.
    unsafe fn array(&mut self, handle: *const u8, to: Cursor) -> Option<Cursor> {
        // SAFETY: the caller's promise; every element lies at its distance from the first, as the probe has seen,
        // and the place of the first is asked for again before long.
        unsafe {
            let (first, count) = self.elements(handle)?;
            if self.ahead != 0 {
                ahead::ask(pointer_at(handle), self.ahead);
                ahead::ask(first.wrapping_sub(16), self.ahead);
                ahead::ask(first.wrapping_add(STRIDE), self.ahead);
            }
            let ty = self.buffers.element_type(handle)?;
            let mut to = self.array_header(ty, u32::try_from(count).ok()?, to)?;
            if count == 0 {
                return Some(to);
            }
            self.enter()?;
            if count <= FEW {
                for index in 0..count {
                    to = self.value(first.add(index * STRIDE), to)?;
                }
            } else {
                to = self.many(handle, first, count, to)?;
            }
            self.depth -= 1;
            (self.elements(handle)? == (first, count)).then_some(to)
        }
    }

    /// Writes the elements of an array that has more than a few. Out of line: an array of a few is done
    /// sooner without what this has to keep in mind.
    ///
    /// # Safety
    /// It needs what [`Encoder::array`] needs; it has these elements.
    #[inline(never)]
    unsafe fn many(
        &mut self,
        handle: *const u8,
        first: *const u8,
        count: usize,
        mut to: Cursor,
    ) -> Option<Cursor> {
        // SAFETY: the caller's promise, as there.
        unsafe {
            let around = self.ahead;
            let start = self.out.used(to);
            let mut done = 0;
            while done < count {
                self.out.expect(start, to, done, count);
                if self.elements(handle)? != (first, count) {
                    return None;
                }
                let end = count.min(done + AT_ONCE);
                done += self.alike(first.add(done * STRIDE), end - done, &mut to);
                for index in done..end {
                    let at = first.add(index * STRIDE);
                    match word_at(at) {
                        STRING if index + ahead::TEXTS < count => {
                            ahead::ask_text(at.add(ahead::TEXTS * STRIDE + PAYLOAD));
                        }
                        tag if ahead::has_parts(tag) => {
                            self.ahead = ahead::distance(at, count - index - 1, around);
                        }
                        _ => {}
                    }
                    to = self.value(at, to)?;
                }
                done = end;
            }
            self.ahead = around;
            Some(to)
        }
    }

    /// Returns the first element and the count.
    ///
    /// # Safety
    /// It needs what [`Encoder::array`] needs.
    #[inline(always)]
    unsafe fn elements(&self, handle: *const u8) -> Option<(*const u8, usize)> {
        // SAFETY: the caller's promise and the probe's findings.
        unsafe { self.buffers.elements(handle) }
    }

    /// # Safety
    /// A living Variant with a Dictionary lies at `at`; the slack is free.
    unsafe fn dictionary(&mut self, at: *const u8, to: Cursor) -> Option<Cursor> {
        let known = self.dictionaries;
        // SAFETY: the caller's promise and the probe's findings: as many nodes as are counted, the last of which
        // has none after it.
        unsafe {
            let private = pointer_at(at.add(PAYLOAD));
            if self.ahead != 0 {
                ahead::ask(private.add(known.head), self.ahead);
                ahead::ask(private.add(known.last()), self.ahead);
            }
            let count = word_at(private.add(known.size));
            let EntryTypes { keys: key, values: value } = known.types(at.add(PAYLOAD))?;
            let mut to = self.dictionary_header(key, value, count, to)?;
            if count == 0 {
                return Some(to);
            }
            self.enter()?;
            let ahead = self.ahead;
            let mut node = pointer_at(private.add(known.head));
            let start = self.out.used(to);
            for index in 0..count as usize {
                if node.is_null() {
                    return None;
                }
                if index % AT_ONCE == AT_ONCE - 1 {
                    self.out.expect(start, to, index, count as usize);
                }
                if ahead != 0 {
                    ahead::ask(node, ahead);
                    ahead::ask(node.add(dictionaries::VALUE), ahead);
                }
                to = self.key(node.add(dictionaries::KEY), to)?;
                to = self.value(node.add(dictionaries::VALUE), to)?;
                node = pointer_at(node.add(dictionaries::NEXT));
            }
            self.depth -= 1;
            node.is_null().then_some(to)
        }
    }
}
