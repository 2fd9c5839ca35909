//! Trust: how much of what a probe finds may be used. Set from outside, read once at load.

use godot::builtin::Variant;
use godot::classes::{Engine, Object};
use godot::meta::ToGodot;
use godot::obj::{Gd, Singleton};

/// `off`, `values`, `walkless`, `all` or anything else; for a run of one's own.
const VARIABLE: &str = "VARIANT_STREAM_RAW";
/// The same as a project setting, for a game that ships.
const SETTING: &str = "variant_stream/raw";

/// From nothing to all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Trust {
    /// Nothing: as if every probe had failed.
    Nothing,
    /// Values are read and written where they lie, texts and containers only through official calls.
    Values,
    /// So are characters and elements; dictionaries only through official calls.
    Buffers,
    /// Whatever the probe finds.
    Everything,
    /// The same, and what it does not find is told: for runs in an engine in which it has to find all.
    All,
}

impl Trust {
    /// What the environment says, else what the project says.
    pub(crate) fn asked_for() -> Trust {
        let word = std::env::var(VARIABLE).ok().filter(|word| !word.is_empty()).or_else(setting);
        match word.as_deref() {
            Some("off") => Trust::Nothing,
            Some("values") => Trust::Values,
            Some("walkless") => Trust::Buffers,
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
