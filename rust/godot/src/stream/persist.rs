//! Persist: in a browser files lie in memory, and the engine copies them to where they last when it was told of a change.
//! Its own FileAccess tells it of each; who writes past that has to tell it. Elsewhere there is nothing to do.

/// Tells the engine that files have changed. They are copied a frame later at the soonest.
#[cfg(target_os = "emscripten")]
pub(crate) fn tell_of_change() {
    use godot::classes::Engine;
    use godot::obj::Singleton;

    // By name, since the binding leaves the class out.
    if let Some(mut browser) = Engine::singleton().get_singleton("JavaScriptBridge") {
        browser.call("force_fs_sync", &[]);
    }
}

#[cfg(not(target_os = "emscripten"))]
pub(crate) const fn tell_of_change() {}
