//! The enums of `VariantSave`, and what a save says of itself as a Dictionary.

use std::path::Path;

use godot::builtin::{GString, PackedByteArray, PackedStringArray, VarDictionary, Variant, vdict};
use godot::classes::Time;
use godot::meta::ToGodot;
use godot::obj::Singleton;
use variant_save::{Compression, Disk, Head, Order, RealDisk, SaveFront, SaveId};

use super::number::{choices, saturated};
use crate::call::problem::Problem;
use crate::saves::{Fallback, decoded, front, is_unversioned, of_meta};

pub(super) const ORDERS: [(&str, i64); 5] = [
    ("ORDER_SAME", 0),
    ("ORDER_OLDER", 1),
    ("ORDER_NEWER", 2),
    ("ORDER_DIVERGED", 3),
    ("ORDER_UNRELATED", 4),
];

choices! {
    Fallback, "VariantSave.Fallback", "Never,Damaged,Refused" {
        Fallback::Never, 0, "FALLBACK_NEVER";
        Fallback::Damaged, 1, "FALLBACK_DAMAGED";
        Fallback::Refused, 2, "FALLBACK_REFUSED";
    }
    Compression, "VariantSave.Compression", "None,Zstd,Deflate" {
        Compression::None, 0, "COMPRESSION_NONE";
        Compression::Zstd, 1, "COMPRESSION_ZSTD";
        Compression::Deflate, 2, "COMPRESSION_DEFLATE";
    }
}

/// Returns what the front of a file says, also of a file that cannot be read.
pub(super) fn peeked(path: &Path, shown: &GString) -> VarDictionary {
    let mut facts = match front(path, variant_save::Thumbnail::Read) {
        Ok((peeked, used)) => {
            let mut facts = of_peeked(&peeked);
            facts.set("is_backup", used != RealDisk.target(path));
            facts
        }
        Err(problem) => unreadable(&problem),
    };
    facts.set("path", &shown.to_variant());
    let about = std::fs::metadata(path).ok();
    facts.set("bytes", saturated(about.as_ref().map_or(0, |about| about.len())));
    let is_other = !facts.contains_key("id") && is_unversioned(path);
    facts.set("is_unversioned", is_other);
    if is_other && let Some(changed) = about.and_then(|about| about.modified().ok()) {
        let since = changed.duration_since(std::time::UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64());
        facts.set("time", since);
        facts.set("local_time", &local_time(since));
    }
    facts
}

fn unreadable(problem: &Problem) -> VarDictionary {
    vdict! {
        "is_readable" => false,
        "is_backup" => false,
        "error" => problem.message().as_ref(),
        "metadata" => &Variant::nil(),
        "thumbnail" => &PackedByteArray::new(),
    }
}

fn of_peeked(peeked: &SaveFront) -> VarDictionary {
    let mut facts = of_head(&peeked.head);
    let meta = peeked.meta.as_deref().map(|meta| decoded(&of_meta(), meta)).transpose();
    facts.set("is_readable", meta.is_ok());
    facts.set(
        "error",
        meta.as_ref().err().map(|problem| problem.message().into_owned()).unwrap_or_default().as_str(),
    );
    facts.set("metadata", &meta.ok().flatten().unwrap_or_default());
    let thumbnail = PackedByteArray::from(peeked.thumbnail.as_deref().unwrap_or_default());
    facts.set("thumbnail", &thumbnail.to_variant());
    facts
}

/// Returns what a header says.
pub(super) fn of_head(head: &Head) -> VarDictionary {
    let ancestors: PackedStringArray = head.ancestors.iter().map(|id| GString::from(&hex(*id))).collect();
    vdict! {
        "version" => i64::from(head.version),
        "time" => head.time_ms as f64 / 1000.0,
        "local_time" => &local_time(head.time_ms as f64 / 1000.0),
        "game_version" => head.game.as_str(),
        "engine_version" => head.engine.as_str(),
        "library_version" => head.library.as_str(),
        "is_encrypted" => head.is_encrypted,
        "generation" => saturated(head.generation),
        "id" => hex(head.id).as_str(),
        "ancestors" => &ancestors,
    }
}

/// Returns a time as text, as clocks of this machine show it now.
fn local_time(time: f64) -> GString {
    let clock = Time::singleton();
    let minutes = clock.get_time_zone_from_system().get("bias").and_then(|bias| bias.try_to::<i64>().ok());
    let seconds = time as i64 + minutes.unwrap_or(0) * 60;
    clock.get_datetime_string_from_unix_time_ex(seconds).use_space(true).done()
}

/// Returns classes by tag, with the version that a save has of each.
pub(super) fn of_classes(classes: &[(String, u32)]) -> VarDictionary {
    let mut facts = VarDictionary::new();
    for (tag, version) in classes {
        facts.set(tag.as_str(), i64::from(*version));
    }
    facts
}

fn hex(id: SaveId) -> String {
    format!("{:032x}", id.0)
}

/// Compares two saves by what `peek()` says of them; unrelated where one of them says nothing.
pub(super) fn order(first: &VarDictionary, second: &VarDictionary) -> i64 {
    let known = lineage(first).zip(lineage(second));
    // They are declared in the order of their numbers.
    known.map_or(Order::Unrelated, |(first, second)| variant_save::compare(&first, &second)) as i64
}

fn lineage(facts: &VarDictionary) -> Option<Head> {
    let id = |text: &GString| u128::from_str_radix(&text.to_string(), 16).ok().map(SaveId);
    let ancestors =
        facts.get("ancestors").and_then(|it| it.try_to::<PackedStringArray>().ok()).unwrap_or_default();
    Some(Head {
        id: id(&facts.get("id")?.try_to().ok()?)?,
        ancestors: ancestors.as_slice().iter().filter_map(id).collect(),
        ..Head::default()
    })
}
