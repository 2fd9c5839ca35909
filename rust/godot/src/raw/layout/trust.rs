//! Trust: how much of what a probe finds may be used. Set from outside, read once at load.

use godot::builtin::Variant;
use godot::classes::{Engine, Object};
use godot::meta::ToGodot;
use godot::obj::{Gd, Singleton};

/// The environment variable that says `off`, `all` or anything else; for a run of one's own.
const VARIABLE: &str = "VARIANT_STREAM_RAW";
/// The name of the project setting with these words, for a game that ships.
const SETTING: &str = "variant_stream/raw";

/// From nothing to all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trust {
    /// Nothing: as if every probe had failed.
    Nothing,
    /// Whatever the probe finds.
    Everything,
    /// Everything, and a warning of what it does not find: for runs in an engine in which it has to find all.
    All,
}

impl Trust {
    /// Returns what the environment says, else what the project says.
    pub(crate) fn asked_for() -> Trust {
        let word = std::env::var(VARIABLE).ok().filter(|word| !word.is_empty()).or_else(setting);
        match word.as_deref() {
            Some("off") => Trust::Nothing,
            Some("all") => Trust::All,
            _ => Trust::Everything,
        }
    }
}

fn setting() -> Option<String> {
    let settings: Gd<Object> = Engine::singleton().get_singleton("ProjectSettings")?;
    let word = settings.clone().call("get_setting", &[SETTING.to_variant(), Variant::nil()]);
    word.try_to::<String>().ok()
}
