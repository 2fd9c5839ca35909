//! Takes entries of small dictionaries for `ToSlots`, many in a call: those of a known template, and their
//! values. The fallback is `leaf` and `key` of the same sink, one by one.

use variant_core::Run;
use variant_core::cursor::Cursor;
use variant_core::token::{Record, short_string};

use super::super::layout::PAYLOAD;
use super::bits::{NIL, STRING};
use super::frame::Frame;
use super::scalar;
use super::slot::tag;
use super::strings::{self, as_str};
use super::templates::Keys;
use super::to_slots::ToSlots;

impl ToSlots<'_> {
    /// Takes entries of a Dictionary whose keys are there already, in the order in which they come. `None`: none are
    /// known.
    #[inline(always)]
    pub(super) fn follow(
        &mut self,
        frame: &mut Frame,
        cursor: &mut Cursor<'_>,
        most: u32,
        bytes: u64,
    ) -> Option<Run> {
        let Frame::Dictionary { own, count, there, keys } = frame else { return None };
        let mut run = Run::default();
        let mut rest = cursor.rest();
        if let Keys::Unasked = keys {
            // SAFETY: the Dictionary is new, untyped and ours alone.
            *keys = unsafe { self.keys.templates.begin(*own, *count, rest) };
        }
        let Keys::Copied(template) = keys else { return None };
        let mut is_same = true;
        while run.entries < most && template.left > 0 {
            let field = template.key(rest).map(Record::field);
            is_same = field.is_some();
            let Some(field) = field.filter(|field| run.text_bytes + field <= bytes) else { break };
            rest = &rest[field as usize..];
            run.text_bytes += field;
            *there += 1;
            // SAFETY: this key has just been found; the slot of its value is null so far.
            unsafe {
                let slot = template.step(rest.len());
                let Some(used) = value(rest, slot, bytes, &mut run) else {
                    (self.slot, run.open_key) = (slot, field);
                    break;
                };
                rest = &rest[used..];
                run.entries += 1;
            }
        }
        let used = cursor.rest().len() - rest.len();
        // They are all there.
        let _ = cursor.take(used as u64);
        if !is_same {
            self.keys.templates.failed(template.number);
        }
        Some(run)
    }

    /// # Safety
    /// A Variant that holds a complete Dictionary lies at `own`.
    #[inline(always)]
    pub(super) unsafe fn learn(&mut self, keys: Keys, own: *mut u8) {
        match keys {
            Keys::Copied(template) => self.keys.templates.succeeded(template.number),
            // SAFETY: the caller's promise.
            Keys::ToBeLearnt(number) => unsafe { self.keys.templates.learn(number, &*own.cast()) },
            Keys::Unasked | Keys::OneByOne => {}
        }
    }
}

/// Takes the scalar or short String that comes next, within so many bytes of texts. Returns how many bytes it has.
///
/// # Safety
/// A living Variant that nobody else uses lies at `slot`, and owns nothing.
#[inline(always)]
unsafe fn value(rest: &[u8], slot: *mut u8, bytes: u64, run: &mut Run) -> Option<usize> {
    // SAFETY: the caller's promise.
    unsafe {
        if let Some(used) = scalar::take(rest, slot, NIL) {
            return Some(used);
        }
        let (text, used) = short_string(rest).filter(|(_, used)| run.text_bytes + used <= bytes)?;
        strings::string_of(slot.add(PAYLOAD), as_str(&text), true)?;
        tag(slot, STRING);
        run.text_bytes += used;
        Some(used as usize)
    }
}
