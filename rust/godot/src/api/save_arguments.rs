//! Reads arguments of `VariantSave`: paths, of which those are refused that would lead elsewhere on each computer, those of steps, and
//! thumbnails.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use godot::builtin::{AnyArray, AnyDictionary, GString, PackedByteArray, Variant, VariantType};
use godot::classes::{Engine, Object, Os};
use godot::global::Error;
use godot::obj::{Gd, Singleton};
use variant_core::ErrorKind;

use super::class_set::{pairs as pairs_of, texts as texts_of};
use super::schema::VariantSchema;
use super::schema::arguments::ArgumentResult;
use super::writer_state::globalized;
use crate::call::problem::Problem;
use crate::call::schema::BoundSchema;
use crate::raw::optional::Optional;
use crate::stream::trouble;

/// The version that a step leads from, and the tag of the class that it is for; none is the state.
pub(super) type StepPlace = (u32, Option<String>);

/// Reads where a step is to be taken.
pub(super) fn place(call: &str, from: i64, class_tag: &GString) -> ArgumentResult<StepPlace> {
    let from = u32::try_from(from).map_err(|_| format!("{call}(): {from} is no version"))?;
    Ok((from, Some(class_tag.to_string()).filter(|tag| !tag.is_empty())))
}

/// Old names, each with its new one.
pub(super) fn pairs(call: &str, names: &AnyDictionary) -> ArgumentResult<Vec<(String, String)>> {
    pairs_of(names).map_err(|message| format!("{call}(): {message}"))
}

pub(super) fn texts(call: &str, names: &AnyArray) -> ArgumentResult<Vec<String>> {
    texts_of(&format!("{call}(): names"), names)
}

/// The options of a step's function: the schema of its version, and whether it may make nothing of something.
pub(super) fn options(options: &AnyDictionary) -> ArgumentResult<(Option<Arc<BoundSchema>>, bool)> {
    let (mut schema, mut allows_empty) = (None, false);
    for (key, value) in options.iter_shared() {
        match key.stringify().to_string().as_str() {
            "schema" => {
                let given = value.try_to::<Gd<VariantSchema>>();
                let given = given.map_err(|_| "migrate(): options: schema is no VariantSchema")?;
                schema = Some(given.bind().held());
            }
            "allow_empty" => {
                allows_empty = value.try_to().map_err(|_| "migrate(): options: allow_empty is no bool")?;
            }
            _ => return Err("migrate(): options: expected schema and allow_empty".to_owned()),
        }
    }
    Ok((schema, allows_empty))
}

/// The bytes of an image file: given as such, or made of an Image.
pub(super) fn picture(thumbnail: &Optional) -> Result<PackedByteArray, Problem> {
    let given = &thumbnail.0;
    match given.get_type() {
        VariantType::NIL => Ok(PackedByteArray::new()),
        VariantType::PACKED_BYTE_ARRAY => Ok(given.to()),
        other => match given.try_to::<Gd<Object>>() {
            // By name, since the binding leaves the class out.
            Ok(image) if image.is_class("Image") => {
                Ok(given.call("save_png_to_buffer", &[]).try_to().unwrap_or_default())
            }
            _ => Err(Problem::wrong_type("thumbnail", "Image or PackedByteArray", other.godot_type_name())),
        },
    }
}

/// The version of the game by its project settings.
pub(super) fn game_version() -> String {
    // By name, since the binding leaves the class out.
    let settings = Engine::singleton().get_singleton("ProjectSettings");
    let name = Variant::from("application/config/version");
    let version = settings.map(|mut settings| settings.call("get_setting", &[name])).unwrap_or_default();
    if version.is_nil() { String::new() } else { version.stringify().to_string() }
}

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
