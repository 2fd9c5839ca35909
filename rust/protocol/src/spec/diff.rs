//! Compares two versions of a protocol: what changed, and whether both can still talk to each other.

use std::collections::BTreeMap;

use variant_schema::{PartInWords, Schema};

use super::{Declared, Spec};
use crate::named::named;
use crate::table::Table;

/// Describes one difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The message, as the newer version calls it where it has it.
    pub message: String,
    /// The sentence that says what changed.
    pub words: String,
    /// Its category: what may stop working because of it.
    pub category: Category,
}

impl Change {
    /// Tells whether the two versions cannot talk to each other because of it.
    #[must_use]
    pub const fn breaks(&self) -> bool {
        matches!(self.category, Category::Wire)
    }
}

named! {
    /// Names what a change may break, the gravest first.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    #[non_exhaustive]
    pub enum Category {
        /// The bytes: the two versions cannot talk to each other.
        Wire = "wire",
        /// The peers' use of the same bytes: a check, a rate, how it is carried.
        Meaning = "meaning",
        /// The programs: a name that they use.
        Source = "source",
    }
}

/// Lists the differences between an older and a newer protocol, in the order of the ids.
///
/// Both come with their tables, which know what the bits of each message depend on.
#[must_use]
pub fn diff(older: &Spec, older_table: &Table, newer: &Spec, newer_table: &Table) -> Vec<Change> {
    let (before, after) = (older.with_ids(), newer.with_ids());
    let most = older_table.largest_id().max(newer_table.largest_id());
    let mut changes = Vec::new();
    for id in 1..=most {
        let find = |spec: &Spec| spec.messages.iter().find(|message| message.id == Some(id)).cloned();
        match (find(&before), find(&after)) {
            (None, None) => {}
            (Some(gone), None) => removed(&gone, id, &after, &mut changes),
            (None, Some(new)) => changes.push(Change {
                message: new.name,
                words: format!("is new, with the id {id}"),
                category: Category::Wire,
            }),
            (Some(old), Some(new)) => {
                // A mark has only some of the bits of the hash.
                let hash = |table: &Table| table.message(id).map(|message| message.form.hash());
                let is_same =
                    older_table.mark(id) == newer_table.mark(id) && hash(older_table) == hash(newer_table);
                let parts = [older_table, newer_table].map(|table| table.parts(id));
                if parts[0] != parts[1] {
                    let words = format!("is sent in {} parts, before in {}", parts[1], parts[0]);
                    changes.push(Change { message: new.name.clone(), words, category: Category::Wire });
                }
                let breaks =
                    if parts[0] == parts[1] { !is_same } else { hash(older_table) != hash(newer_table) };
                changed(&old, &new, breaks, &mut changes);
            }
        }
    }
    changes
}

fn removed(gone: &Declared, id: u16, after: &Spec, changes: &mut Vec<Change>) {
    let hint = if after.reserved.contains(&id) {
        ""
    } else {
        "; add it to \"reserved\", so that nothing else gets it"
    };
    let words = format!("was removed; its id was {id}{hint}");
    changes.push(Change { message: gone.name.clone(), words, category: Category::Wire });
}

fn changed(old: &Declared, new: &Declared, breaks: bool, changes: &mut Vec<Change>) {
    let is = |is: bool| if is { "is" } else { "is no longer" };
    let (was_state, is_state) = (old.state.is_some(), new.state.is_some());
    let is_told = old.sender != new.sender || old.relay != new.relay || was_state != is_state;
    let by = format!("is sent by {:?}, before by {:?}", new.sender, old.sender).to_lowercase();
    let parts = changed_parts(&old.schema, &new.schema);
    let bits = format!("packs its values in another way{parts}");
    let values = format!("checks its values in another way; their bits are those of before{parts}");
    let rows = [
        (old.name != new.name, format!("was called {:?}", old.name), Category::Source),
        (old.sender != new.sender, by, Category::Wire),
        (old.relay != new.relay, format!("{} relayed between clients", is(new.relay)), Category::Wire),
        (was_state != is_state, format!("{} a state", is(is_state)), Category::Wire),
        (breaks && !is_told, bits, Category::Wire),
        (!breaks && old.schema != new.schema, values, Category::Meaning),
        (old.local != new.local, format!("{} heard by its own sender", is(new.local)), Category::Meaning),
        (old.rate != new.rate, "may be sent at another rate".to_owned(), Category::Meaning),
        (old.mode != new.mode, "is carried in another way".to_owned(), Category::Meaning),
    ];
    let told = rows.into_iter().filter(|(is_so, ..)| *is_so);
    changes.extend(told.map(|(_, words, category)| Change { message: new.name.clone(), words, category }));
}

/// Parts that a sentence names; the others are counted.
const NAMED_PARTS: usize = 4;

/// Says which parts of a message's values changed, and from what to what: `: hp: int 0..100 -> int 0..200`.
fn changed_parts(old: &Schema, new: &Schema) -> String {
    let (before, after) = (old.parts_in_words(), new.parts_in_words());
    let by_path = |parts: &[PartInWords]| -> BTreeMap<String, PartInWords> {
        parts.iter().map(|part| (part.path.clone(), part.clone())).collect()
    };
    let (of_before, of_after) = (by_path(&before), by_path(&after));
    let whole = |part: &PartInWords| match part.presence.as_str() {
        "required" => part.accepts.clone(),
        presence => format!("{}, {presence}", part.accepts),
    };
    let mut told: Vec<String> = Vec::new();
    for part in &before {
        match of_after.get(&part.path) {
            None => told.push(format!("{} is gone", part.path)),
            Some(now) if whole(now) != whole(part) => {
                told.push(format!("{}: {} -> {}", part.path, whole(part), whole(now)));
            }
            Some(_) => {}
        }
    }
    let is_new = |part: &&PartInWords| !of_before.contains_key(&part.path);
    told.extend(after.iter().filter(is_new).map(|part| format!("{} is new: {}", part.path, whole(part))));
    let more = told.len().saturating_sub(NAMED_PARTS);
    told.truncate(NAMED_PARTS);
    match (told.is_empty(), more) {
        (true, _) => String::new(),
        (false, 0) => format!(": {}", told.join("; ")),
        (false, more) => format!(": {}; and {more} more", told.join("; ")),
    }
}
