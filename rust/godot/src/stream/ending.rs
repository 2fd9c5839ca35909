//! Ending: hears that the scene tree is about to go, which is while scripts can still run. The scripting languages end soon
//! after, and a load whose schema asks a script in that moment would take the process with it.
//!
//! The root of the tree tells of it. A main loop without a tree tells nobody: there, such loads run where they are asked for.

use std::sync::atomic::{AtomicU8, Ordering};

use godot::builtin::{Callable, Variant};
use godot::classes::{Engine, Object, Os};
use godot::meta::ToGodot;
use godot::obj::{Gd, Singleton};

/// Whether scripts may run on other threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scripts {
    /// Nobody would tell of their end.
    Unwatched,
    Watched,
    /// They are about to end, or have.
    Over,
}

const UNWATCHED: u8 = 0;
const WATCHED: u8 = 1;
const OVER: u8 = 2;

static SCRIPTS: AtomicU8 = AtomicU8::new(UNWATCHED);

/// Whether scripts may run on other threads.
pub(crate) fn scripts(conclude: fn()) -> Scripts {
    match SCRIPTS.load(Ordering::SeqCst) {
        OVER => Scripts::Over,
        WATCHED => Scripts::Watched,
        _ if root().is_none() => Scripts::Unwatched,
        _ => {
            let os = Os::singleton();
            if os.get_thread_caller_id() == os.get_main_thread_id() {
                watch(conclude);
            } else {
                watch_later(conclude);
            }
            Scripts::Watched
        }
    }
}

/// From the next frame on `conclude` is called when scripts are about to be over. Signals are connected where they are emitted.
pub(crate) fn watch_later(conclude: fn()) {
    once_idle("VariantJob watches the tree", move |_| watch(conclude));
}

/// Calls this when the main thread is idle.
pub(crate) fn once_idle(name: &'static str, call: impl FnMut(&[&Variant]) + Send + Sync + 'static) {
    callable(name, call).call_deferred(&[]);
}

fn watch(conclude: fn()) {
    let Some(mut root) = root() else { return };
    if SCRIPTS.compare_exchange(UNWATCHED, WATCHED, Ordering::SeqCst, Ordering::SeqCst).is_err() {
        return;
    }
    let over = callable("VariantJob ends with the tree", move |_| {
        SCRIPTS.store(OVER, Ordering::SeqCst);
        conclude();
    });
    // By the engine's own method: gdext remembers what its `connect` connects in an editor, and warns of it when the editor ends,
    // since a library that is loaded anew would leave such calls behind. Ours is not (`reloadable = false`).
    root.call("connect", &["tree_exiting".to_variant(), over.to_variant()]);
}

/// The root of the scene tree, where the main loop is one. By name: the binding needs no class of it.
fn root() -> Option<Gd<Object>> {
    let tree = Engine::singleton().get_main_loop().filter(|it| it.is_class("SceneTree"))?;
    tree.get("root").try_to().ok()
}

fn callable(name: &'static str, call: impl FnMut(&[&Variant]) + Send + Sync + 'static) -> Callable {
    let mut call = call;
    let call = move |given: &[&Variant]| {
        call(given);
        Variant::nil()
    };
    #[cfg(feature = "threads")]
    return Callable::from_sync_fn(name, call);
    // Then every job runs on the main thread, and the binding has no other callables.
    #[cfg(not(feature = "threads"))]
    return Callable::from_fn(name, call);
}
