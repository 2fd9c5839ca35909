//! `protocol vectors`: values of each message beside their bytes, differences, and bytes that are refused. A codec in another
//! language is right where it agrees with all of them.

use std::num::NonZeroU16;

use serde_json::{Value as Json, json};
use variant_core::{Place, Reals, Rejection, Rules, Value};
use variant_pack::{Bases, Packer};
use variant_schema::Checker;
use variant_text::json::JsonForm;

use super::{load, rules};
use crate::arguments;
use crate::draw::{self, Random};
use crate::failure::Failure;
use crate::layouts::MessageLayout;

/// The version of the form. A reader refuses a later one.
const VERSION: u32 = 1;
/// The draws after which a message has no more vectors: its schema asks for what is not drawn, such as a pattern.
const MOST_DRAWS: u32 = 200;

pub(super) fn run(given: &arguments::Vectors) -> Result<String, Failure> {
    let loaded = load(&given.of.file)?;
    let mut messages = Vec::new();
    for message in &loaded.messages()? {
        // Each message has a sequence of its own, so that another one does not change its vectors.
        let seed = given.seed.wrapping_add(u64::from(message.id) << 32);
        let mut vectors =
            Vectors { message, random: Random::new(seed), packer: Packer::new(), rules: rules() };
        messages.push(vectors.all(given.count)?);
    }
    let hash = format!("{:016x}", loaded.table.hash());
    let document = json!({
        "vectors": VERSION,
        "protocol_hash": hash,
        "hello": hex(&loaded.table.hello(0, 0)),
        "messages": messages,
    });
    let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
    text.push('\n');
    Ok(text)
}

struct Vectors<'m> {
    message: &'m MessageLayout<'m>,
    random: Random,
    packer: Packer,
    rules: Rules,
}

impl Vectors<'_> {
    fn all(&mut self, count: u32) -> Result<Json, Failure> {
        let mut packed: Vec<Vec<u8>> = Vec::new();
        let mut accepted = Vec::new();
        for _ in 0..MOST_DRAWS.max(count) {
            if packed.len() as u64 >= u64::from(count) {
                break;
            }
            if let Some((bytes, value)) = self.one()
                && !packed.contains(&bytes)
            {
                accepted.push(json!({ "value": value, "packed": hex(&bytes) }));
                packed.push(bytes);
            }
        }
        Ok(json!({
            "name": self.message.declared.name,
            "id": self.message.id,
            "layout_hash": format!("{:016x}", self.message.layout.hash()),
            "accepted": accepted,
            "deltas": self.deltas(&packed),
            "deltas_from_two": self.deltas_from_two(&packed),
            "refused": self.refused(&packed),
        }))
    }

    /// Draws a value; returns its bytes, and the value that a receiver gets as tagged JSON.
    fn one(&mut self) -> Option<(Vec<u8>, Json)> {
        let layout = &self.message.layout;
        let drawn: Value = draw::value(&self.message.declared.schema, &mut self.random);
        let packed = self.packer.pack(layout, &drawn.encode().ok()?, &self.rules).ok()?.to_vec();
        let made = self.packer.unpack(layout, &packed, &self.rules).ok()?;
        let value =
            Checker::new().decode(layout.program(), made, &variant_pack::made_rules(&self.rules)).ok()?;
        let mut text = Vec::new();
        let form = JsonForm { plain: false, compact: true, tags_floats: false };
        variant_text::json::write(&value.encode().ok()?, &Rules::engine(), form, &mut text).ok()?.ok()?;
        Some((packed, serde_json::from_slice(&text).ok()?))
    }

    /// Makes the differences from each to the next, and from the last to itself.
    fn deltas(&mut self, packed: &[Vec<u8>]) -> Vec<Json> {
        let pairs = packed.iter().zip(packed.iter().skip(1).chain(packed.last()));
        let made = pairs.filter_map(|(base, new)| {
            let delta = self.packer.delta(&self.message.layout, base, new, &self.rules).ok()?;
            Some(json!({ "base": hex(base), "new": hex(new), "delta": hex(delta) }))
        });
        made.collect()
    }

    /// Makes differences from two bases, of values that move on and of others, at distances that are equal and not.
    fn deltas_from_two(&mut self, packed: &[Vec<u8>]) -> Vec<Json> {
        let mut states: Vec<[Vec<u8>; 3]> =
            packed.windows(3).filter_map(|three| three.to_vec().try_into().ok()).collect();
        let layout = &self.message.layout;
        for at in 0..MOST_DRAWS {
            if states.len() >= packed.len().saturating_mul(2) {
                break;
            }
            let drawn = draw::value(&self.message.declared.schema, &mut self.random);
            let moved = [0, 1, 2].map(|steps| moved(&drawn, steps, &mut Random::new(u64::from(at))));
            let moved = moved.map(|value| {
                let bytes = value.encode().ok()?;
                self.packer.pack(layout, &bytes, &self.rules).ok().map(<[u8]>::to_vec)
            });
            if let [Some(older), Some(newer), Some(new)] = moved {
                states.push([older, newer, new]);
            }
        }
        let apart = [(1, 1), (2, 1), (1, 3)].iter().cycle();
        let made = states.iter().zip(apart).filter_map(|([older, newer, new], (ahead, gap))| {
            let bases = Bases::apart(newer, older, NonZeroU16::new(*ahead)?, NonZeroU16::new(*gap)?);
            let delta = self.packer.delta(&self.message.layout, bases, new, &self.rules).ok()?;
            Some(json!({
                "older": hex(older), "newer": hex(newer), "ahead": ahead, "gap": gap, "new": hex(new), "delta": hex(delta),
            }))
        });
        made.collect()
    }

    /// Breaks accepted bytes: cuts them, adds to them, changes a bit.
    fn refused(&mut self, packed: &[Vec<u8>]) -> Vec<Json> {
        let mut broken: Vec<Vec<u8>> = Vec::new();
        for bytes in packed {
            if let Some((_, cut)) = bytes.split_last() {
                broken.push(cut.to_vec());
            }
            broken.push([bytes, &[0][..]].concat());
            for bit in 0..8 {
                let mut changed = bytes.clone();
                let at = self.random.below(bytes.len() as u64);
                if let Some(byte) = usize::try_from(at).ok().and_then(|at| changed.get_mut(at)) {
                    *byte ^= 1 << bit;
                    broken.push(changed);
                }
            }
        }
        broken.sort();
        broken.dedup();
        let judged = broken.iter().filter_map(|bytes| {
            let problem = self.packer.unpack(&self.message.layout, bytes, &self.rules).err()?;
            Some(json!({ "packed": hex(bytes), "error": as_json(&problem) }))
        });
        judged.collect()
    }
}

/// A value after so many steps on its way. Keys stay what they are.
fn moved(value: &Value, steps: i32, random: &mut Random) -> Value {
    let mut far = |small: f64| (random.below(7) as f64 - 3.0) * small * f64::from(steps);
    match value {
        Value::Int(number) => Value::Int(number.saturating_add(far(1.0) as i64)),
        Value::Float(number) => Value::Float(number + far(0.02)),
        Value::Vector2(Reals::Single(all)) => {
            Value::Vector2(all.map(|number| number + far(0.3) as f32).into())
        }
        Value::Vector3(Reals::Single(all)) => {
            Value::Vector3(all.map(|number| number + far(0.03) as f32).into())
        }
        Value::Quaternion(Reals::Single(all)) => {
            Value::Quaternion(all.map(|number| number + far(0.05) as f32).into())
        }
        Value::Array(array) => {
            Value::from(array.items.iter().map(|item| moved(item, steps, random)).collect::<Vec<Value>>())
        }
        Value::Dictionary(dictionary) => {
            let mut new = (**dictionary).clone();
            for (key, value) in &mut new.entries {
                if !matches!(key, Value::String(name) if name == "id" || name == "slot") {
                    *value = moved(value, steps, random);
                }
            }
            Value::Dictionary(Box::new(new))
        }
        other => other.clone(),
    }
}

fn as_json(problem: &Rejection) -> Json {
    let bit = match problem.place {
        Place::Bit(bit) => bit,
        Place::Byte(byte) => byte.saturating_mul(8),
        Place::None => 0,
    };
    json!({ "kind": problem.kind.name(), "path": problem.path.to_string(), "bit": bit })
}

fn hex(bytes: &[u8]) -> String {
    variant_text::Hex(bytes).to_string()
}
