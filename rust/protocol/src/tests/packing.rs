//! Tests a server and a client whose values are packed by their schemas.

use variant_core::{Limits, Rules, Value};
use variant_schema::Schema;

use super::receive;
use crate::{
    Declared, Event, Handshake, Offence, Packed, Policy, Protocol, Rate, Role, SERVER, SendError, Sender,
    Spec,
};

fn side(role: Role) -> Protocol {
    let steps = Schema::dict([
        ("hp", Schema::int().min(0).max(100)),
        ("name", Schema::string().max_chars(8u64).optional()),
        ("bag", Schema::array(Schema::int().min(0).max(9)).max_size(40u64)),
    ]);
    let step = Declared {
        from: Sender::Client,
        rate: Rate::of(30.0, Some(9)),
        ..Declared::new("step", steps.clone())
    };
    let spec = Spec { messages: vec![step, Declared::state("world", steps)], ..Spec::default() };
    let rules = Rules { limits: Limits::network(), ..Rules::default() };
    let table = spec.table(|schema| Packed::of(schema, &rules)).unwrap();
    let mut protocol = Protocol::new(table, role, Handshake::None, Policy::default());
    protocol.connect(if role == Role::Server { 7 } else { SERVER }, 0);
    protocol
}

fn tree(bytes: &[u8]) -> Value {
    variant_core::decode(bytes, &Rules::default()).unwrap()
}

fn value(hp: i64, bag: usize) -> Vec<u8> {
    let bag = Value::from(vec![Value::Int(3); bag]);
    Value::from([("hp", Value::Int(hp)), ("bag", bag)]).encode().unwrap()
}

#[test]
fn values_come_back_and_bad_bits_are_told_by_path_and_bit() {
    let (mut server, client) = (side(Role::Server), side(Role::Client));
    let mut packet = Vec::new();
    client.encode(1, &value(80, 2), &mut packet).unwrap();
    assert!(packet.len() <= 4, "{packet:?}");
    let events = receive(&mut server, 7, &packet, 0);
    let (event, bytes) = events[0].clone().unwrap();
    assert_eq!(event, Event::Message { id: 1 });
    let (sent, got) = (tree(&value(80, 2)), tree(&bytes));
    assert_eq!(got["hp"], sent["hp"]);
    assert_eq!(got["bag"], sent["bag"]);
    // Seven bits can say 127, and hp ends at 100.
    let refusal = receive(&mut server, 7, &[1, 0xFF, 0xFF, 0xFF], 0).remove(0).unwrap_err();
    assert_eq!(refusal.offence, Offence::Refused);
    assert!(refusal.words(Some("step")).contains("(bit "), "{}", refusal.words(Some("step")));
    let Err(SendError::Unfit(unfit)) = client.encode(1, &value(101, 2), &mut packet) else {
        panic!("it is sent")
    };
    assert_eq!((unfit.path.as_str(), unfit.bit), ("hp", None));
}

#[test]
fn states_are_deltas_in_bits() {
    let (mut server, mut client) = (side(Role::Server), side(Role::Client));
    let mut sizes = Vec::new();
    for hp in 0..6 {
        let mut packets = Vec::new();
        server
            .send_state(2, &value(hp, 30), &[7], &mut |_, packet, _| packets.push(packet.to_vec()))
            .unwrap();
        sizes.push(packets[0].len());
        let (event, bytes) = receive(&mut client, SERVER, &packets[0], 0).remove(0).unwrap();
        assert!(matches!(event, Event::State { id: 2, .. }));
        assert_eq!(tree(&bytes)["hp"], Value::Int(hp));
        let mut acks = Vec::new();
        client.tick(0, &mut |_, packet, _| acks.push(packet.to_vec()));
        for ack in acks {
            assert!(receive(&mut server, 7, &ack, 0).is_empty());
        }
    }
    assert!(sizes[0] > 15 && sizes[1..].iter().all(|size| *size <= 7), "{sizes:?}");
}

#[test]
fn what_cannot_be_packed_or_bounded_is_told_when_the_table_is_made() {
    let rules = Rules::default();
    let table = |schema: Schema| {
        let message = Declared { from: Sender::Client, ..Declared::new("m", schema) };
        Spec { messages: vec![message], ..Spec::default() }.table(|schema| Packed::of(schema, &rules))
    };
    let error = table(Schema::dict([("text", Schema::string())])).unwrap_err().to_string();
    assert!(error.contains("m.text has no largest size"), "{error}");
    let error = table(Schema::of_type(variant_core::VariantType::Object)).unwrap_err().to_string();
    assert!(error.starts_with("message \"m\": "), "{error}");
}
