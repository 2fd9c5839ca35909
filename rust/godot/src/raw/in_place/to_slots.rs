//! Builds each value where it will stay, while the walker judges it: a sink. The fallback is the sink
//! `build::ToVariant`, which is asked whenever this one refuses.
//!
//! Values that were built before bytes are refused are dropped. It judges nothing but equal keys, as the engine does.

use godot::builtin::Variant;
use godot::sys;
use variant_core::cursor::Cursor;
use variant_core::token::{Container, Leaf, Text};
use variant_core::{
    CachedName, ErrorKind, ErrorLocation, Extent, FastPath, Refusal, Rules, Run, Sink, VariantType, Walker,
};

use super::super::layout::{PAYLOAD, pointer_at, proven, word_at};
use super::bits::{FLOAT, NAME, NIL, id};
use super::fallback::OpenKeys;
use super::frame::Frame;
use super::keys::{CachedText, KeyCache, MANY};
use super::packed::BorrowedBytes;
use super::packed_strings::TEXT;
use super::path_cache::PathQuery;
use super::slot::{LocalKey, STRIDE};
use super::strings::{self, as_str};
use super::{ahead, calls, scalar};
use crate::build::Partial;
use crate::key_hashes;

/// The outcome of a decoding in place.
#[derive(Clone, Copy, Debug)]
pub(crate) enum DecodeOutcome {
    Built,
    /// The fault is noted in the spot.
    Refused,
    /// The fallback has to make it.
    ByFallback,
}

/// Builds the one value that bytes begin with in the place of a null, under rules that convert and drop
/// nothing. A value that is not whole is let go: the place holds null then. It puts how far it got into
/// `extent`.
pub(crate) fn decode(
    lent: &BorrowedBytes<'_>,
    rules: &Rules,
    (walker, keys, spot): (&mut Walker<Frame>, &mut KeyCache, &mut ErrorLocation),
    root: &mut Variant,
    extent: &mut Extent,
) -> DecodeOutcome {
    if proven().is_none() {
        return DecodeOutcome::ByFallback;
    }
    let mut key = LocalKey::new();
    let mut sink = ToSlots {
        slot: root.var_sys_mut().cast(),
        key: key.place(),
        found: std::ptr::null(),
        is_key_kept: false,
        is_live: rules.limits.live_references,
        open_keys: OpenKeys::default(),
        path: None,
        keys: keys.for_one_walk(rules.limits.max_bytes),
        lent,
    };
    match walker.judged(lent.bytes, rules, &mut sink, spot) {
        Some(((), read)) => {
            *extent = read;
            DecodeOutcome::Built
        }
        None => {
            *root = Variant::nil();
            match spot.kind() {
                ErrorKind::Refused | ErrorKind::TooManyProbes { .. } => DecodeOutcome::ByFallback,
                _ => DecodeOutcome::Refused,
            }
        }
    }
}

pub(super) struct ToSlots<'k> {
    /// Where the next value goes. INVARIANT: a living Variant that nobody else uses lies there: the root, an element
    /// or a value of a container that is being built, `key`, or one of `open_keys`.
    pub(super) slot: *mut u8,
    /// Where a key goes that is no text of the cache. INVARIANT: a Variant that lives longer than the walk.
    pub(super) key: *mut u8,
    /// The key read last where it is one of the cache. It lives until the next call to that.
    pub(super) found: sys::GDExtensionConstVariantPtr,
    /// Whether texts that come as keys go into the cache: those of large dictionaries are no few that come again, they
    /// would only drive the others out.
    pub(super) is_key_kept: bool,
    /// Whether references into the running game come out as the engine makes them.
    pub(super) is_live: bool,
    /// Arrays and Dictionaries that are keys, until their own Dictionary has them.
    pub(super) open_keys: OpenKeys,
    /// The NodePath that is open, as its fallback makes it: nothing else comes before it is complete.
    pub(super) path: Option<Partial>,
    pub(super) keys: &'k mut KeyCache,
    /// The bytes that are walked.
    lent: &'k BorrowedBytes<'k>,
}

type SlotResult = Result<(), Refusal>;

/// Refuses a value that the fallback has to make.
#[inline]
fn taken(done: Option<()>) -> SlotResult {
    done.ok_or(ErrorKind::Refused)
}

impl Sink for ToSlots<'_> {
    type Output = ();
    type Frame = Frame;

    /// The engine's table does not grow by a key that is there.
    const FILLS_TABLES: bool = true;

    #[inline]
    fn leaf(&mut self, _: u64, leaf: Leaf<'_>) -> SlotResult {
        // SAFETY: the invariant of `slot`; cleared, it owns nothing.
        unsafe {
            self.clear();
            taken(self.write(&leaf))
        }
    }

    #[inline(always)]
    fn open(&mut self, _: u64, container: Container<'_>, reserve: usize) -> Result<Frame, Refusal> {
        if self.open_keys.are_some() {
            self.open_keys.open()?;
        }
        // SAFETY: as in `leaf`.
        unsafe {
            self.clear();
            self.begin(&container, reserve).ok_or(ErrorKind::Refused)
        }
    }

    fn text(&mut self, frame: &mut Frame, text: Text<'_>) -> SlotResult {
        taken(match frame {
            Frame::Strings { next, left, .. } if *left > 0 => {
                let place = *next;
                (*next, *left) = (place.wrapping_add(TEXT), *left - 1);
                // SAFETY: the frame's invariant.
                unsafe { strings::fill(place, as_str(&text), text.is_ascii()) }
            }
            Frame::Path { .. } => self.path.as_mut().and_then(|path| path.text(&text).ok()),
            Frame::Strings { .. } | Frame::Array { .. } | Frame::Dictionary { .. } => None,
        })
    }

    #[inline]
    fn key_hash(&self, (): &()) -> Option<u32> {
        let key = if self.found.is_null() { self.slot.cast_const() } else { self.found.cast() };
        // SAFETY: the key that is complete: an entry of the cache, or what lies in the slot.
        key_hashes::of(unsafe { &*key.cast::<Variant>() })
    }

    #[inline]
    fn key(&mut self, frame: &mut Frame, (): ()) -> SlotResult {
        let found = std::mem::replace(&mut self.found, std::ptr::null());
        // SAFETY: the Dictionary is new and ours alone. What the key holds is living, and let go when it is in.
        unsafe {
            if !found.is_null() {
                self.slot = frame.insert(found).ok_or(ErrorKind::DuplicateKey)?;
                return Ok(());
            }
            if self.slot != self.key {
                return self.container_key(frame);
            }
            let ty = word_at(self.key);
            self.slot = frame.insert(self.key.cast()).ok_or(ErrorKind::DuplicateKey)?;
            if ty > FLOAT {
                calls::clear(self.key);
            }
        }
        Ok(())
    }

    #[inline]
    fn item(&mut self, frame: &mut Frame, (): ()) -> SlotResult {
        self.slot = frame.next(self.slot, self.key);
        if let Frame::Dictionary { count, .. } = frame {
            self.is_key_kept = *count <= MANY;
        }
        Ok(())
    }

    #[inline(always)]
    fn close(&mut self, frame: Frame) -> SlotResult {
        if self.open_keys.are_some() {
            self.open_keys.close();
        }
        self.slot = frame.own();
        match frame {
            Frame::Array { .. } | Frame::Strings { .. } => {}
            // SAFETY: a Dictionary lies there, complete.
            Frame::Dictionary { own, keys, .. } => unsafe { self.learn(keys, own) },
            Frame::Path { .. } => {
                let path = self.path.take().ok_or(ErrorKind::Refused)?.close()?;
                // SAFETY: the slot of a path that is complete only now owns nothing.
                unsafe { self.slot.cast::<Variant>().write(path) };
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn fast_path(&mut self) -> Option<&mut impl FastPath<Self>> {
        Some(self)
    }
}

impl FastPath<Self> for ToSlots<'_> {
    #[inline]
    fn scalars(
        &mut self,
        frame: &mut Frame,
        cursor: &mut Cursor<'_>,
        declared: Option<VariantType>,
        most: u32,
    ) -> u32 {
        let declared = declared.map_or(NIL, id);
        if let Frame::Array { end, .. } = frame {
            // SAFETY: the slots from here to the end are those of a new array's elements, and `most` are left of them.
            let (used, count) = unsafe { scalar::run(cursor.rest(), self.slot, declared, most) };
            if count > 0 {
                let next = self.slot.wrapping_add(count as usize * STRIDE);
                self.slot = if next < *end { next } else { self.key };
            }
            return if cursor.take(used as u64).is_ok() { count } else { 0 };
        }
        let mut rest = cursor.rest();
        let mut count = 0;
        while count < most {
            // SAFETY: the invariant of `slot`, which `next` keeps.
            let Some(used) = (unsafe { scalar::take(rest, self.slot, declared) }) else { break };
            rest = &rest[used..];
            self.slot = frame.next(self.slot, self.key);
            count += 1;
        }
        let used = cursor.rest().len() - rest.len();
        if cursor.take(used as u64).is_ok() { count } else { 0 }
    }

    #[inline]
    fn entries(&mut self, frame: &mut Frame, cursor: &mut Cursor<'_>, most: u32, bytes: u64) -> Run {
        let run = if self.is_key_kept { self.follow(frame, cursor, most, bytes) } else { None };
        run.unwrap_or_default()
    }

    #[inline(always)]
    fn known_name(&mut self, input: &[u8]) -> Option<CachedName<()>> {
        if input.first_chunk() != Some(&NAME.to_le_bytes()) {
            return None;
        }
        let CachedText { key, record, is_again } = self.keys.known(input)?;
        // SAFETY: the invariant of `slot`; the entry's Variant lives.
        unsafe {
            self.clear();
            calls::copy(self.slot.cast(), key);
        }
        Some(CachedName { length: record.length(), is_again, output: () })
    }

    #[inline]
    fn path(&mut self, record: &[u8], may_come_again: bool, count: impl FnOnce() -> bool) -> Option<()> {
        let wanted = PathQuery::new(record);
        let found = self.keys.path(wanted);
        let is_free = may_come_again && found.is_some_and(|found| found.is_again);
        if !is_free && !count() {
            return None;
        }
        // SAFETY: the invariant of `slot`; the cache's Variant lives.
        unsafe {
            let Some(found) = found else { return self.keys.make_path(wanted, self.lent, self.slot) };
            self.clear();
            calls::copy(self.slot.cast(), found.path);
        }
        if !is_free {
            // SAFETY: a NodePath has just been put there.
            self.keys.keep_path(wanted, unsafe { &*self.slot.cast() });
        }
        Some(())
    }

    #[inline(always)]
    fn foresee_key(&mut self, frame: &mut Frame, hash: u32) {
        if let Frame::Dictionary { own, .. } = frame
            && let Some(layout) = proven()
        {
            // SAFETY: a living Dictionary lies there.
            unsafe { ahead::ask_place(pointer_at(own.add(PAYLOAD)), &layout.dictionaries, hash) }
        }
    }
}
