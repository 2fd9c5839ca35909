//! Says in words how a schema's values are packed, for documents.

use super::{Packing, Width};
use crate::describe;
use crate::schema::Schema;

/// The words behind those for what is accepted, each with its comma.
pub(crate) fn words(schema: &Schema) -> String {
    let packing = &schema.demands().packing;
    let mut words = numbers(packing);
    let mut say = |text: String| {
        words.push_str(", ");
        words.push_str(&text);
    };
    for (is_said, word) in [(packing.lossy, "rounded"), (packing.clamped, "clamped when packed")] {
        if is_said {
            say(word.to_owned());
        }
    }
    if let Some(alphabet) = &packing.alphabet {
        say(format!("of the characters {}", describe::quoted(alphabet)));
    }
    if let Some(elements) = &packing.elements {
        say(format!("each {}{}", elements.accepts(), self::words(elements)));
    }
    if let Some(key) = &packing.keyed {
        say(if key.is_empty() {
            "sorted by its keys".to_owned()
        } else {
            format!("a set by {}", describe::quoted(key))
        });
    }
    if let Some(names) = &packing.growing {
        let names: Vec<String> = names.iter().map(|name| describe::quoted(name)).collect();
        say(if names.is_empty() { "may grow".to_owned() } else { format!("grown by {}", names.join(", ")) });
    }
    if let Some(room) = packing.room_for {
        say(format!("with room for {room}"));
    }
    words
}

/// Writes the words for the forms of numbers.
fn numbers(packing: &Packing) -> String {
    let mut words = String::new();
    let mut say = |text: String| {
        words.push_str(", ");
        words.push_str(&text);
    };
    if let Some(grid) = &packing.quantized {
        say(format!("in steps of {}", describe::float(grid.step)));
    }
    if let Some(bits) = packing.bits {
        say(format!("packed in {bits} bits"));
    }
    if let Some(bits) = packing.angle {
        say(format!("an angle packed in {bits} bits"));
    }
    if let Some(rigid) = &packing.rigid {
        say(format!("rigid, in steps of {} and {} bits", describe::float(rigid.step), rigid.bits));
    }
    match packing.width {
        Some(Width::Half) => say("in 16 bits".to_owned()),
        Some(Width::Single) => say("in 32 bits".to_owned()),
        Some(Width::Double) => say("in 64 bits".to_owned()),
        None => {}
    }
    words
}
