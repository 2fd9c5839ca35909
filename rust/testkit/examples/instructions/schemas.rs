//! Measures the check of a game's packet against its schema: on the fast path, by a walk, and refused. The
//! cost of a schema for a save is not here, since it is that of a walk.

use variant_core::{Limits, Rules, Skip, Strictness, Value, Walker};
use variant_schema::{Program, Schema, Scratch, Validator, Verdict};

use crate::shapes::{packet, text};
use crate::{case, claim, walk};

pub(crate) fn count() {
    let vector = || Schema::of_type(variant_core::VariantType::Vector3).max_length(100.0);
    let schema = Schema::dict([
        ("t", Schema::int().min(0).max(9)),
        ("pos", vector()),
        ("vel", vector()),
        ("id", Schema::int().min(1).max(99_999)),
        ("name", Schema::enumeration(["player", "enemy", "door"].map(text))),
        ("note?", Schema::string().max_chars(64u64)),
    ]);
    let program = schema.compile().unwrap_or_else(|error| panic!("{error}"));
    let bytes = |value: &Value| value.encode().unwrap_or_else(|error| panic!("{error}"));
    let good = bytes(&packet());
    // The fault stands at the very end, so that all of the packet is checked.
    let bad = bytes(&renamed(&packet(), "plaque"));
    let rules = Rules::safe(Limits::network());
    let straight = |bytes: &[u8]| program.straight(bytes, &rules);
    case("schema packet", || assert_eq!(straight(&good), Some(Verdict::Fits { reshapes: false })));
    case("schema packet, refused", || assert!(matches!(straight(&bad), Some(Verdict::Refused(_)))));
    claim("1.0", "schema packet", "validate packet");
    let mut walker = Walker::new();
    case("walk packet", || assert!(walk(&mut walker, &good, &rules, &mut Skip)));
    claim("1.0", "schema packet, refused", "walk packet");
    claim("1.2", "schema packet, refused", "schema packet");
    for (name, value) in [
        ("schema packet, key missing", without(&packet(), "vel")),
        ("schema packet, key unknown", with(&without(&packet(), "name"), "more", text("player"))),
        ("schema packet, type wrong", with(&packet(), "note", Value::Int(1))),
        ("schema packet, container wrong", with(&packet(), "note", Value::Array(Box::default()))),
    ] {
        let bytes = bytes(&value);
        case(name, || assert!(matches!(straight(&bytes), Some(Verdict::Refused(_))), "{name}"));
        claim("1.2", name, "schema packet");
    }
    let walked = Rules { strictness: Strictness::Canonical, ..rules };
    walk_under("schema packet, walked", &program, (&good, true), &walked);
    walk_under("schema packet, walked and refused", &program, (&bad, false), &walked);
    claim("0.2", "schema packet", "schema packet, walked");
    claim("1.2", "schema packet, walked and refused", "schema packet, walked");
}

fn walk_under(name: &str, program: &Program, (bytes, is_good): (&[u8], bool), rules: &Rules) {
    let (mut walker, mut scratch) = (Walker::new(), Scratch::default());
    case(name, || {
        let mut validator = Validator::new(program, &mut scratch, bytes, rules);
        assert_eq!(walk(&mut walker, bytes, rules, &mut validator), is_good);
    });
}

/// Returns the packet with one entry more.
fn with(packet: &Value, key: &str, value: Value) -> Value {
    let Value::Dictionary(packet) = packet else { panic!("a packet is a Dictionary") };
    let mut longer = packet.clone();
    longer.entries.push((text(key), value));
    Value::Dictionary(longer)
}

/// Returns the packet with one entry less.
fn without(packet: &Value, key: &str) -> Value {
    let Value::Dictionary(packet) = packet else { panic!("a packet is a Dictionary") };
    let mut shorter = packet.clone();
    shorter.entries.retain(|(name, _)| *name != text(key));
    Value::Dictionary(shorter)
}

/// Returns the packet with another value in its last entry, the name.
fn renamed(packet: &Value, name: &str) -> Value {
    let Value::Dictionary(packet) = packet else { panic!("a packet is a Dictionary") };
    let mut renamed = packet.clone();
    if let Some((_, value)) = renamed.entries.last_mut() {
        *value = text(name);
    }
    Value::Dictionary(renamed)
}
