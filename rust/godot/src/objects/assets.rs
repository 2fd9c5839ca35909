//! Defines assets: resources of the game that are saved by a key. Only keys that were listed are ever loaded.

use std::collections::HashMap;

use godot::builtin::Variant;
use godot::classes::{Object, Resource};
use godot::obj::Gd;

use crate::engine::names::GET_PATH;

pub(crate) struct Assets {
    /// Keys in order, for the schema.
    pub(crate) keys: Vec<String>,
    by_key: HashMap<String, Asset>,
    /// Keys by path, of those that are listed and not loaded.
    by_path: HashMap<String, String>,
    /// Keys by instance id, of those that were given.
    by_id: HashMap<i64, String>,
    /// Keys of older saves: each with today's, or with none where the asset is no more.
    pub(crate) old: Vec<(String, Option<String>)>,
}

enum Asset {
    Given(Variant),
    At(String),
}

impl Assets {
    pub(crate) fn given(assets: Vec<(String, Gd<Resource>)>) -> Assets {
        let keys = assets.iter().map(|(key, _)| key.clone()).collect();
        let by_id = assets.iter().map(|(key, it)| (it.instance_id().to_i64(), key.clone())).collect();
        let by_key = assets.into_iter().map(|(key, it)| (key, Asset::Given(Variant::from(it)))).collect();
        Assets { keys, by_key, by_path: HashMap::new(), by_id, old: Vec::new() }
    }

    /// Files of a folder, by their names in it.
    pub(crate) fn listed(folder: &str, names: Vec<String>) -> Assets {
        let path = |name: &String| format!("{}/{name}", folder.trim_end_matches('/'));
        let by_path = names.iter().map(|name| (path(name), name.clone())).collect();
        let by_key = names.iter().map(|name| (name.clone(), Asset::At(path(name)))).collect();
        Assets { keys: names, by_key, by_path, by_id: HashMap::new(), old: Vec::new() }
    }

    /// The key of an object, if it is one of these.
    pub(crate) fn key_of(&self, object: &Gd<Object>) -> Option<Variant> {
        let key = match self.by_id.get(&object.instance_id().to_i64()) {
            Some(key) => key,
            None if self.by_path.is_empty() || !object.is_class("Resource") => return None,
            None => {
                let path = object.clone().call(&*GET_PATH, &[]).stringify().to_string();
                self.by_path.get(&path)?
            }
        };
        Some(Variant::from(key.as_str()))
    }

    pub(crate) fn is_forgotten(&self, key: &str) -> bool {
        self.old.iter().any(|(old, todays)| old == key && todays.is_none())
    }

    /// The resource of a key that was checked to be one of these.
    pub(crate) fn load(&self, key: &str) -> Option<Variant> {
        let old = self.old.iter().find(|(old, _)| old == key);
        let key = old.and_then(|(_, todays)| todays.as_deref()).unwrap_or(key);
        match self.by_key.get(key)? {
            Asset::Given(asset) => Some(asset.clone()),
            Asset::At(path) => godot::tools::try_load::<Resource>(path.as_str()).ok().map(Variant::from),
        }
    }
}
