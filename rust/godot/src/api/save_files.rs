//! The methods of `VariantSave` for saves as files: they list, compare, copy, move and remove them.

use std::path::Path;

use godot::builtin::{Array, GString, VarDictionary, vdict};
use godot::global::Error;
use godot::register::godot_api;

use super::save::{VariantSave, in_turn};
use super::save_arguments::place_of;
use super::save_facts::{order, peeked};
use crate::saves::{self, LoadError, Plan, Report};

#[godot_api(secondary)]
impl VariantSave {
    #[func]
    fn remove(&self, path: GString) -> Error {
        let removed = place_of(&path).and_then(|target| {
            let _turn = in_turn(&target)?;
            Plan::removed(&target)
        });
        self.note(&path, removed.map(|()| (None, Report::default())))
    }

    #[func]
    fn copy(&self, from: GString, to: GString) -> Error {
        let plan = self.plan();
        let copied = place_of(&from).map_err(LoadError::from).and_then(|from| {
            let to = place_of(&to)?;
            Plan::are_two(&from, &to)?;
            let (_from, _to) = (in_turn(&from)?, in_turn(&to)?);
            plan.copied(&from, &to)
        });
        self.note(&from, copied.map(|report| (None, Report { head: None, ..report })))
    }

    #[func]
    fn move_to(&self, from: GString, to: GString) -> Error {
        let moved = place_of(&from).and_then(|from| {
            let to = place_of(&to)?;
            Plan::are_two(&from, &to)?;
            let (_from, _to) = (in_turn(&from)?, in_turn(&to)?);
            Plan::moved(&from, &to)
        });
        self.note(&from, moved.map(|()| (None, Report::default())))
    }

    #[func]
    fn exists(path: GString) -> bool {
        place_of(&path).is_ok_and(|target| saves::exists(&target))
    }

    #[func]
    fn newest(folder: GString) -> GString {
        let newest = place_of(&folder).ok().and_then(|folder| saves::newest(&folder));
        newest.map_or_else(GString::new, |name| folder.path_join(name.as_str()))
    }

    #[func]
    fn peek(path: GString) -> VarDictionary {
        match place_of(&path) {
            Ok(target) => peeked(&target, &path),
            Err(problem) => {
                vdict! { "path" => &path, "is_readable" => false, "error" => problem.message().as_ref() }
            }
        }
    }

    #[func]
    fn list(folder: GString) -> Array<VarDictionary> {
        let Ok(target) = place_of(&folder) else { return Array::new() };
        let names = saves::names(&target).unwrap_or_default();
        let shown = |path: &Path| {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            folder.path_join(name.as_str())
        };
        names.iter().map(|path| peeked(path, &shown(path))).collect()
    }

    #[func]
    fn compare(first: VarDictionary, second: VarDictionary) -> i64 {
        order(&first, &second)
    }
}
