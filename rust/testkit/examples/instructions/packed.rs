//! Counts packing: the packets that documents give sizes of, whole and as differences, and what a refusal costs.

use std::hint::black_box;
use std::sync::Arc;

use variant_core::{Limits, Rules, Value};
use variant_pack::{Layout, Packer};
use variant_schema::Schema;

use self::samples::{
    Random, a_move, chat, chat_value, crowd, entities, inventory, inventory_value, move_value, state,
};
use crate::{case, claim, is_tried};

/// The packets of the documents, shared with the tests of `variant-pack`.
#[path = "../../../pack/src/tests/samples.rs"]
mod samples;

fn rules() -> Rules {
    Rules::safe(Limits::network())
}

/// A packet: its layout, its value, and the packed bytes.
struct Packet {
    name: &'static str,
    layout: Layout,
    value: Vec<u8>,
    packed: Vec<u8>,
}

impl Packet {
    fn new(name: &'static str, schema: &Schema, value: &Value) -> Packet {
        let program = schema.compile().expect("it has no mistake");
        let layout = Layout::compile(Arc::new(program)).expect("it can be packed");
        let value = value.encode().expect("it is a value");
        let packed = Packer::new().pack(&layout, &value, &rules()).expect("it fits").to_vec();
        Packet { name, layout, value, packed }
    }

    fn count(&self) {
        let mut packer = Packer::new();
        case(&format!("pack {}", self.name), || {
            assert!(black_box(packer.pack(&self.layout, black_box(&self.value), &rules())).is_ok());
        });
        case(&format!("unpack {}", self.name), || {
            assert!(black_box(packer.unpack(&self.layout, black_box(&self.packed), &rules())).is_ok());
        });
        case(&format!("transcode {}", self.name), || {
            assert!(black_box(packer.transcode(&self.layout, black_box(&self.packed), &rules())).is_ok());
        });
    }

    /// A packet in which one bit is another, so that it is refused as late as can be.
    fn refused(&self) -> Vec<u8> {
        let mut packer = Packer::new();
        let all = (0..self.packed.len() * 8).rev().map(|at| {
            let mut bytes = self.packed.clone();
            bytes[at / 8] ^= 1 << (at % 8);
            bytes
        });
        let mut refused = all.filter(|bytes| packer.unpack(&self.layout, bytes, &rules()).is_err());
        refused.next().unwrap_or_else(|| self.packed[..self.packed.len() - 1].to_vec())
    }
}

fn packets() -> Vec<Packet> {
    let mut random = Random(7);
    let units = state(77, &crowd(&mut random));
    vec![
        Packet::new("a move", &a_move(true), &move_value()),
        Packet::new("a move, lossless", &a_move(false), &move_value()),
        Packet::new("50 entities", &entities(true), &units),
        Packet::new("50 entities, lossless", &entities(false), &units),
        Packet::new("an inventory", &inventory(), &inventory_value(&mut random)),
        Packet::new("a line of chat", &chat(), &chat_value()),
    ]
}

/// Workloads that are recorded.
pub(super) fn count() {
    packets().iter().for_each(Packet::count);
    let mut random = Random(7);
    let mut units = crowd(&mut random);
    let base = Packet::new("a tick before", &entities(true), &state(77, &units));
    for unit in units.iter_mut().step_by(2) {
        unit.pos = unit.pos.map(|at| (at + 0.5).min(512.0).min(190.0));
    }
    let next = Packet::new("a tick", &entities(true), &state(80, &units));
    let mut packer = Packer::new();
    let delta = packer.delta(&base.layout, &base.packed, &next.packed, &rules()).expect("both fit").to_vec();
    case("pack a tick as a difference", || {
        let delta = packer.pack_delta(&base.layout, &base.packed, black_box(&next.value), &rules());
        assert!(black_box(delta).is_ok());
    });
    case("apply a tick", || {
        assert!(black_box(packer.apply(&base.layout, &base.packed, black_box(&delta), &rules())).is_ok());
    });
}

/// A union of sixty cases, in one another at so many levels, told by the last of their keys.
fn nested_unions(levels: usize) -> Packet {
    let part = Schema::reference("u").nullable();
    let case = |kind: i64| {
        let padding = Schema::array(Schema::int().min(0).max(255));
        Schema::dict([("a", part.clone()), ("b", padding), ("kind", Schema::literal(Value::Int(kind)))])
    };
    let schema = Schema::reference("u").define("u", Schema::union((0..60).map(case)));
    let value = (0..levels).fold(Value::Nil, |inner, level| {
        let padding = Value::from((0..8).map(Value::Int).collect::<Vec<_>>());
        Value::from([("a", inner), ("b", padding), ("kind", Value::Int((level % 60) as i64))])
    });
    Packet::new("unions", &schema, &value)
}

/// Claims: a refusal costs no more than an accepted packet, though it says where and why; twice the levels of unions cost
/// twice as much.
pub(super) fn claims() {
    for levels in [12, 24] {
        let packet = nested_unions(levels);
        let mut packer = Packer::new();
        case(&format!("pack {levels} levels of unions"), || {
            assert!(black_box(packer.pack(&packet.layout, black_box(&packet.value), &rules())).is_ok());
        });
        case(&format!("unpack {levels} levels of unions"), || {
            assert!(black_box(packer.unpack(&packet.layout, black_box(&packet.packed), &rules())).is_ok());
        });
    }
    for way in ["pack", "unpack"] {
        claim("2.3", &format!("{way} 24 levels of unions"), &format!("{way} 12 levels of unions"));
    }
    let three = ["a move", "50 entities", "an inventory"];
    for packet in packets().into_iter().filter(|packet| is_tried(packet.name, three)) {
        let refused = packet.refused();
        let mut packer = Packer::new();
        let name = format!("refuse {}", packet.name);
        case(&name, || {
            assert!(black_box(packer.unpack(&packet.layout, black_box(&refused), &rules())).is_err());
        });
        claim("1.0", &name, &format!("unpack {}", packet.name));
    }
}
