//! Finds the file on the computer that a path of a save means. A path that would lead elsewhere on each computer is refused.

use std::path::{Path, PathBuf};

use godot::builtin::GString;
use godot::classes::Os;
use godot::global::Error;
use godot::obj::Singleton;
use variant_core::ErrorKind;

use super::writer_state::globalized;
use crate::call::problem::Problem;
use crate::stream::trouble;

/// Returns the file that a path means.
pub(super) fn place_of(path: &GString) -> Result<PathBuf, Problem> {
    let refused = |words: &str| trouble(ErrorKind::FileFailed, Error::ERR_FILE_BAD_PATH, words);
    if path.begins_with("res://") && Os::singleton().has_feature("template") {
        return Err(refused("an exported game cannot write to res://; use user://"));
    }
    if !path.is_absolute_path() {
        return Err(refused("a relative path leads to where the game was started; use user://"));
    }
    globalized(path)
}

/// Returns a path as a game names it: below `user://` where it is there.
pub(super) fn shown(path: &Path) -> String {
    let folder = Os::singleton().get_user_data_dir().to_string();
    match path.strip_prefix(&folder).ok().filter(|_| !folder.is_empty()) {
        Some(below) => format!("user://{}", below.to_string_lossy().replace('\\', "/")),
        None => path.to_string_lossy().into_owned(),
    }
}
