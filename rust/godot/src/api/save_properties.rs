//! The properties of `VariantSave`: what a save is held to and how it is written. A call takes them as they are when it
//! begins.

use std::sync::Arc;

use godot::builtin::{GString, PackedByteArray, VarDictionary, VariantType, vdict};
use godot::obj::{Gd, GodotClass};
use godot::register::godot_api;
use godot::register::info::{PropertyInfo, PropertyUsageFlags};
use variant_save::{Compression, KdfCost, SaveKeys};

use super::class_set::VariantClassSet;
use super::limits::VariantLimits;
use super::number::EnumNumber;
use super::property_argument::{PropertyArgument, properties};
use super::save::{VariantSave, complain};
use super::schema::VariantSchema;
use crate::raw::register::{plain_info, property, variant_info};
use crate::saves::{self, Fallback};

properties! {
    VariantSave;
    itself, itself {
        get_schema, set_schema, "schema": Option<Gd<VariantSchema>> = Option<Gd<VariantSchema>>,
            |save| save.options().schema.clone(), |save, schema| {
                let held = schema.as_ref().map(|schema| schema.bind().held());
                save.replace(|options| {
                    let held = std::mem::replace(&mut options.plan.schema, held);
                    (held, std::mem::replace(&mut options.schema, schema))
                });
            };
        get_classes, set_classes, "classes": Option<Gd<VariantClassSet>> = Option<Gd<VariantClassSet>>,
            |save| save.options().classes.clone(), |save, classes| {
                let shared = classes.as_ref().map(|classes| classes.bind().shared());
                let made = shared.map(|shared| Arc::new(move || shared.compiled()) as saves::Classes);
                save.replace(|options| {
                    let made = std::mem::replace(&mut options.plan.classes, made);
                    (made, std::mem::replace(&mut options.classes, classes))
                });
            };
        get_limits, set_limits, "limits": Option<Gd<VariantLimits>> = Option<Gd<VariantLimits>>,
            |save| save.options().limits.clone(),
            |save, limits| save.replace(|options| std::mem::replace(&mut options.limits, limits));
    }
    plan_options, plan_options {
        get_read_engine_objects, set_read_engine_objects, "read_engine_objects": bool = bool,
            |plan| plan.reads_engine_objects, |plan, value| plan.reads_engine_objects = value;
        get_version, set_version, "version": i64 = i64, |plan| i64::from(plan.version),
            |plan, value| plan.version = number(value);
        get_unversioned, set_unversioned, "unversioned": i64 = i64, |plan| plan.unversioned.map_or(-1, i64::from),
            |plan, value| plan.unversioned = u32::try_from(value).ok();
        is_unversioned_array, set_unversioned_array, "unversioned_array": bool = bool, |plan| plan.takes_several,
            |plan, value| plan.takes_several = value;
        get_backups, set_backups, "backups": i64 = i64, |plan| i64::from(plan.backups),
            |plan, value| plan.backups = number(value).min(MOST_BACKUPS);
        get_backup_interval_sec, set_backup_interval_sec, "backup_interval_sec": i64 = i64,
            |plan| plan.backup_interval_ms / 1000,
            |plan, value| plan.backup_interval_ms = value.clamp(0, i64::from(u32::MAX)) * 1000;
        get_fallback, set_fallback, "fallback": EnumNumber<Fallback> = Fallback, |plan| EnumNumber(plan.fallback),
            |plan, value| plan.fallback = value;
        get_compression, set_compression, "compression": EnumNumber<Compression> = Compression,
            |plan| EnumNumber(plan.compression), |plan, value| plan.compression = value;
        get_game_version, set_game_version, "game_version": GString = GString, |plan| plan.game.as_str().into(),
            |plan, value| plan.game = value.to_string();
        is_embedding_schema, set_embed_schema, "embed_schema": bool = bool, |plan| plan.embeds_schema,
            |plan, value| plan.embeds_schema = value;
        is_discarding_damaged, set_discard_damaged, "discard_damaged": bool = bool, |plan| plan.discards_damaged,
            |plan, value| plan.discards_damaged = value;
        is_discarding_refused, set_discard_refused, "discard_refused": bool = bool, |plan| plan.discards_refused,
            |plan, value| plan.discards_refused = value;
        is_encrypting, set_encrypt, "encrypt": bool = bool, |plan| !plan.shows_state,
            |plan, value| plan.shows_state = !value;
        is_accepting_unprotected, set_accept_unprotected, "accept_unprotected": bool = bool, |plan| plan.takes_unprotected,
            |plan, value| plan.takes_unprotected = value;
    }
}

#[godot_api(secondary)]
impl VariantSave {
    /// A secret can be set and not be read: no debugger, dump or inspector shows it.
    #[func]
    fn get_password(&self) -> GString {
        GString::new()
    }

    #[func]
    fn set_password(&self, password: PropertyArgument<GString>) {
        password.put("VariantSave.password", |password| {
            let plan = &mut self.options().plan;
            let keys = || Arc::new(SaveKeys::password_at(&password.to_string(), plan.kdf));
            plan.keys = (!password.is_empty()).then(keys);
        });
    }

    #[func]
    fn get_kdf(&self) -> VarDictionary {
        let KdfCost { memory_kib, passes, lanes } = self.options().plan.kdf;
        vdict! {
            "memory_kib" => i64::from(memory_kib), "passes" => i64::from(passes), "lanes" => i64::from(lanes)
        }
    }

    #[func]
    fn set_kdf(&self, cost: VarDictionary) {
        match kdf(&cost) {
            Some(cost) => {
                let plan = &mut self.options().plan;
                plan.kdf = cost;
                plan.keys = plan.keys.as_ref().map(|keys| Arc::new(keys.at(cost)));
            }
            None => complain(
                "VariantSave.kdf: expected a Dictionary of memory_kib (8 to 1048576, at least 8 a lane), passes (1 to \
                 64) and lanes (1 to 16), or of some of them; it stays as it is",
            ),
        }
    }

    #[func]
    fn get_key(&self) -> PackedByteArray {
        PackedByteArray::new()
    }

    #[func]
    fn set_key(&self, key: PackedByteArray) {
        let keys = match <[u8; 32]>::try_from(key.as_slice()) {
            Ok(key) => Some(Arc::new(SaveKeys::key(key))),
            Err(_) if key.is_empty() => None,
            Err(_) => {
                let got = key.len();
                return complain(&format!(
                    "VariantSave.key: expected 32 bytes, got {got}; it stays as it is"
                ));
            }
        };
        self.options().plan.keys = keys;
    }
}

impl VariantSave {
    fn itself<R>(&self, call: impl FnOnce(&Self) -> R) -> R {
        call(self)
    }
}

/// The cost that a game chooses; by default where it names nothing.
fn kdf(given: &VarDictionary) -> Option<KdfCost> {
    let mut cost = KdfCost::default();
    for (key, value) in given.iter_shared() {
        let value = u32::try_from(value.try_to::<i64>().ok()?).ok()?;
        match key.stringify().to_string().as_str() {
            "memory_kib" => cost.memory_kib = value,
            "passes" => cost.passes = value,
            "lanes" => cost.lanes = value,
            _ => return None,
        }
    }
    let is_possible = (1..=16).contains(&cost.lanes)
        && (1..=64).contains(&cost.passes)
        && (8 * cost.lanes..=1 << 20).contains(&cost.memory_kib);
    is_possible.then_some(cost)
}

/// More backups than this are no backups but an archive.
const MOST_BACKUPS: u32 = 99;

/// A count of a property; what is less than none is none.
fn number(value: i64) -> u32 {
    u32::try_from(value.max(0)).unwrap_or(u32::MAX)
}

/// The properties of the class.
pub(super) fn register_properties() {
    let class = VariantSave::class_id();
    let secret = |name: &str, ty| PropertyInfo { usage: PropertyUsageFlags::NONE, ..plain_info(name, ty) };
    let read_only = PropertyInfo { usage: PropertyUsageFlags::NIL_IS_VARIANT, ..variant_info("data") };
    let meta = PropertyInfo { usage: PropertyUsageFlags::NIL_IS_VARIANT, ..variant_info("metadata") };
    VariantSave::register_table();
    property(class, &secret("password", VariantType::STRING), "set_password", "get_password");
    property(class, &secret("key", VariantType::PACKED_BYTE_ARRAY), "set_key", "get_key");
    property(class, &plain_info("kdf", VariantType::DICTIONARY), "set_kdf", "get_kdf");
    property(class, &read_only, "", "get_data");
    property(class, &meta, "", "get_metadata");
    property(class, &secret("thumbnail", VariantType::PACKED_BYTE_ARRAY), "", "get_thumbnail");
}
