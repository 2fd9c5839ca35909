//! The packets that the documents give sizes of: a move, 50 entities, an inventory, a line of chat.

use variant_core::Value;
use variant_schema::Schema;

/// Numbers that are each time the same.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % end
    }

    pub(crate) fn within(&mut self, min: f64, max: f64) -> f64 {
        min + (max - min) * (self.below(1 << 40) as f64 / (1_u64 << 40) as f64)
    }
}

fn int(min: i64, max: i64) -> Schema {
    Schema::int().min(min).max(max)
}

fn texts(texts: &[&str]) -> Schema {
    Schema::enumeration(texts.iter().map(|text| Value::from(*text)))
}

pub(crate) fn a_move(is_rounded: bool) -> Schema {
    let (dir, aim) = match is_rounded {
        true => (Schema::vector2().max_length(1.01).quantized_within(0.005, -1.01, 1.01), Schema::angle(13)),
        false => (Schema::vector2().max_length(1.01), Schema::float()),
    };
    Schema::dict([
        ("seq", int(0, 0xFFFF_FFFF)),
        ("dir", dir),
        ("aim", aim),
        ("act", texts(&["none", "jump", "fire"])),
        (
            "items",
            Schema::array(Schema::dict([("id", int(1, 4096)), ("count", int(1, 99))])).max_size(16_u64),
        ),
        ("note", Schema::string().max_chars(64_u64).default_value(Value::from(""))),
    ])
}

pub(crate) fn move_value() -> Value {
    let item = Value::from([("id", Value::Int(5)), ("count", Value::Int(25))]);
    Value::from([
        ("seq", Value::Int(123_456)),
        ("dir", Value::Vector2([0.6_f32, -0.8].into())),
        ("aim", Value::Float(1.234_567_891)),
        ("act", Value::from("jump")),
        ("items", Value::from(vec![item])),
        ("note", Value::from("")),
    ])
}

pub(crate) fn entities(is_rounded: bool) -> Schema {
    let pos = Schema::vector3().within(vec![-512.0, -64.0, -512.0, 1024.0, 256.0, 1024.0]);
    let (pos, vel, rot) = match is_rounded {
        true => (
            pos.quantized(0.01),
            Schema::vector3().quantized_within(0.05, -20.0, 20.0),
            Schema::quaternion().bits(10),
        ),
        false => (pos, Schema::vector3(), Schema::quaternion()),
    };
    let entity = Schema::dict([
        ("id", int(0, 65535)),
        ("pos", pos),
        ("vel", vel),
        ("rot", rot),
        ("hp", int(0, 100)),
        ("state", texts(&["idle", "run", "jump"]).room_for(8)),
    ]);
    let list = Schema::array(entity).keyed("id").max_size(200_u64);
    Schema::dict([("tick", int(0, 0xFFFF_FFFF)), ("entities", list)])
}

#[derive(Clone, Debug)]
pub(crate) struct Entity {
    pub(crate) id: i64,
    pub(crate) pos: [f64; 3],
    pub(crate) vel: [f64; 3],
    pub(crate) rot: [f64; 4],
    pub(crate) hp: i64,
    pub(crate) state: u64,
}

impl Entity {
    pub(crate) fn random(id: i64, random: &mut Random) -> Entity {
        let mut rot = [0.0; 4];
        rot.fill_with(|| random.within(-1.0, 1.0));
        let length = rot.iter().map(|n| n * n).sum::<f64>().sqrt().max(1e-6);
        Entity {
            id,
            pos: [random.within(-512.0, 512.0), random.within(-64.0, 192.0), random.within(-512.0, 512.0)],
            vel: [random.within(-20.0, 20.0), random.within(-20.0, 20.0), random.within(-20.0, 20.0)],
            rot: rot.map(|n| n / length),
            hp: random.below(101) as i64,
            state: random.below(3),
        }
    }

    pub(crate) fn value(&self) -> Value {
        Value::from([
            ("id", Value::Int(self.id)),
            ("pos", Value::Vector3(self.pos.map(|n| n as f32).into())),
            ("vel", Value::Vector3(self.vel.map(|n| n as f32).into())),
            ("rot", Value::Quaternion(self.rot.map(|n| n as f32).into())),
            ("hp", Value::Int(self.hp)),
            ("state", Value::from(["idle", "run", "jump"][self.state as usize])),
        ])
    }
}

pub(crate) fn crowd(random: &mut Random) -> Vec<Entity> {
    let mut ids: Vec<i64> = Vec::new();
    while ids.len() < 50 {
        let id = random.below(2000) as i64;
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    ids.into_iter().map(|id| Entity::random(id, random)).collect()
}

pub(crate) fn state(tick: i64, crowd: &[Entity]) -> Value {
    let list: Vec<Value> = crowd.iter().map(Entity::value).collect();
    Value::from([("tick", Value::Int(tick)), ("entities", Value::from(list))])
}

pub(crate) fn inventory() -> Schema {
    let slot = Schema::dict([
        ("slot", int(0, 39)),
        ("item", int(1, 4096)),
        ("count", int(1, 99)),
        ("durability", Schema::float().min(0.0).max(1.0).bits(10)),
        ("bound", Schema::bool()),
    ]);
    Schema::dict([("slots", Schema::array(slot).keyed("slot").max_size(40_u64))])
}

pub(crate) fn inventory_value(random: &mut Random) -> Value {
    let slots = (0..30).map(|slot| {
        Value::from([
            ("slot", Value::Int(slot)),
            ("item", Value::Int(1 + random.below(4096) as i64)),
            ("count", Value::Int(1 + random.below(99) as i64)),
            ("durability", Value::Float(random.within(0.0, 1.0))),
            ("bound", Value::Bool(random.below(2) == 1)),
        ])
    });
    Value::from([("slots", Value::from(slots.collect::<Vec<Value>>()))])
}

pub(crate) fn chat() -> Schema {
    Schema::dict([
        ("from", int(1, 0x7FFF_FFFF)),
        ("channel", texts(&["all", "team", "whisper"])),
        ("text", Schema::string().min_chars(1_u64).max_chars(200_u64)),
    ])
}

pub(crate) fn chat_value() -> Value {
    Value::from([
        ("from", Value::Int(1_767_887_483)),
        ("channel", Value::from("team")),
        ("text", Value::from("regroup at the old bridge, two of them are low on health")),
    ])
}
