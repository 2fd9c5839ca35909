//! The codec of a reader or a writer, by whose settings values are read and written: made with the stream, or given to
//! several. A stream uses only the settings of a codec, never its memory or its lock.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use godot::builtin::VariantType;
use godot::obj::{Gd, GodotClass, NewGd};
use godot::register::info::{PropertyInfo, PropertyUsageFlags};

use super::codec::VariantCodec;
use super::state::{CodecState, Ready};
use crate::raw::any_thread::AnyThread;
use crate::raw::register::plain_info;

/// The codec that a stream goes by.
pub(super) struct StreamCodec {
    chosen: Mutex<SharedCodec>,
    /// How often another one was set.
    changes: AtomicU64,
}

struct SharedCodec {
    object: AnyThread<Gd<VariantCodec>>,
    state: Arc<CodecState>,
}

/// The codec and its settings as a stream knows them since it last looked.
#[derive(Default)]
pub(super) struct KnownCodec {
    /// The codec, and the count of changes at that time.
    codec: Option<(Arc<CodecState>, u64)>,
    /// The settings that a call goes by.
    pub(super) ready: Ready,
}

impl From<Gd<VariantCodec>> for SharedCodec {
    fn from(codec: Gd<VariantCodec>) -> SharedCodec {
        let state = codec.bind().state.shared();
        SharedCodec { object: AnyThread(codec), state }
    }
}

impl Default for StreamCodec {
    fn default() -> Self {
        Self { chosen: Mutex::new(VariantCodec::new_gd().into()), changes: AtomicU64::new(0) }
    }
}

impl StreamCodec {
    pub(super) fn object(&self) -> Gd<VariantCodec> {
        self.lock().object.0.clone()
    }

    pub(super) fn state(&self) -> Arc<CodecState> {
        Arc::clone(&self.lock().state)
    }

    /// Takes another codec; null stands for a new one.
    pub(super) fn set(&self, codec: Option<Gd<VariantCodec>>) {
        let chosen = SharedCodec::from(codec.unwrap_or_else(VariantCodec::new_gd));
        let before = std::mem::replace(&mut *self.lock(), chosen);
        self.changes.fetch_add(1, Ordering::Release);
        // With the last handle to a codec scripts may end: not under the lock.
        drop(before);
    }

    /// Brings the settings of a call to what the codec says now. Tells whether they may be others than before.
    #[inline]
    pub(super) fn refreshed(&self, known: &mut KnownCodec) -> bool {
        let changes = self.changes.load(Ordering::Acquire);
        match &known.codec {
            Some((state, seen)) if *seen == changes => state.refreshed(&mut known.ready),
            _ => self.refreshed_by_another(known, changes),
        }
    }

    #[cold]
    fn refreshed_by_another(&self, known: &mut KnownCodec, changes: u64) -> bool {
        let state = self.state();
        *known = KnownCodec::default();
        state.refreshed(&mut known.ready);
        known.codec = Some((state, changes));
        true
    }

    fn lock(&self) -> MutexGuard<'_, SharedCodec> {
        // Only plain moves happen under this lock, so even after a panic what is inside is whole.
        self.chosen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Describes the property. Nothing stores it or shows it in an inspector, where each class keeps an example of its own.
pub(super) fn codec_info() -> PropertyInfo {
    PropertyInfo {
        class_name: VariantCodec::class_id().to_string_name(),
        usage: PropertyUsageFlags::NONE,
        ..plain_info("codec", VariantType::OBJECT)
    }
}
