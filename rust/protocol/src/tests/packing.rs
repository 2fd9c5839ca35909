//! Tests a server and a client whose values are packed by their schemas.

use variant_core::{Limits, Rules, Value};
use variant_schema::Schema;

use super::receive;
use crate::{
    Declared, Event, Form, Handshake, Offence, Policy, Protocol, Rate, Role, SERVER, SendError, Sender, Spec,
    To,
};

fn side(role: Role) -> Protocol {
    let steps = Schema::dict([
        ("hp", Schema::int().min(0).max(100)),
        ("name", Schema::string().max_chars(8u64).optional()),
        ("bag", Schema::array(Schema::int().min(0).max(9)).max_size(40u64)),
    ]);
    let step = Declared {
        sender: Sender::Client,
        rate: Rate::of(30.0, Some(9)),
        ..Declared::new("step", steps.clone())
    };
    let spec = Spec { messages: vec![step, Declared::state("world", steps)], ..Spec::default() };
    let rules = Rules { limits: Limits::network(), ..Rules::default() };
    let table = spec.table(|schema| Form::of(schema, &rules)).unwrap();
    let mut protocol = Protocol::new(table, role, Handshake::None, Policy::default(), 1);
    super::join(&mut protocol, if role == Role::Server { 7 } else { SERVER });
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
    let (mut server, mut client) = (side(Role::Server), side(Role::Client));
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
    let Err(SendError::Unfit(rejection)) = client.encode(1, &value(101, 2), &mut packet) else {
        panic!("it is sent")
    };
    assert!(matches!(rejection.place, variant_core::Place::Byte(_)), "{rejection}");
    assert_eq!(rejection.path.to_string(), "hp");
}

#[test]
fn states_are_deltas_in_bits() {
    let (mut server, mut client) = (side(Role::Server), side(Role::Client));
    let mut sizes = Vec::new();
    for hp in 0..6 {
        let mut packets = Vec::new();
        server
            .send_state(2, &value(hp, 30), To::All, 0, &mut |_, packet, _| packets.push(packet.to_vec()))
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
    assert!(sizes[0] > 15 && sizes[1..].iter().all(|size| *size <= 9), "{sizes:?}");
}

#[test]
fn what_cannot_be_packed_or_bounded_is_told_when_the_table_is_made() {
    let rules = Rules::default();
    let table = |schema: Schema| {
        let message = Declared { sender: Sender::Client, ..Declared::new("m", schema) };
        Spec { messages: vec![message], ..Spec::default() }.table(|schema| Form::of(schema, &rules))
    };
    let error = table(Schema::dict([("text", Schema::string())])).unwrap_err().to_string();
    assert!(error.contains("m.text has no largest size"), "{error}");
    let error = table(Schema::of_type(variant_core::VariantType::Object)).unwrap_err().to_string();
    assert!(error.starts_with("m: "), "{error}");
}

#[test]
fn what_breaks_a_limit_says_so() {
    let text = Schema::string().max_chars(90u64);
    let side = |role, most| {
        let message = Declared { sender: Sender::Client, ..Declared::new("text", text.clone()) };
        let spec = Spec { messages: vec![message], ..Spec::default() };
        let rules = Rules::safe(Limits { max_string_bytes: most, ..Limits::network() });
        let table = spec.table(|schema| Form::of(schema, &rules)).unwrap();
        let mut side = Protocol::new(table, role, Handshake::None, Policy::default(), 1);
        super::join(&mut side, if role == Role::Server { 7 } else { SERVER });
        side
    };
    let (mut server, mut client) = (side(Role::Server, 40), side(Role::Client, 90));
    let mut packet = Vec::new();
    client.encode(1, &Value::from("a".repeat(41)).encode().unwrap(), &mut packet).unwrap();
    let refusal = receive(&mut server, 7, &packet, 0).remove(0).unwrap_err();
    assert_eq!((refusal.offence, server.score(7, 0)), (Offence::OverLimit, 25.0));
}

/// Sides whose bits are the same, and the server of which asks for more. The caller judges what the server receives.
fn strict_server() -> (Protocol, Protocol) {
    let side = |role: Role, most: f64| {
        let hit = Schema::dict([("dir", Schema::vector2().max_length(most))]);
        let message = Declared { sender: Sender::Client, ..Declared::new("hit", hit.clone()) };
        let spec = Spec { messages: vec![message, Declared::state("world", hit)], ..Spec::default() };
        let rules = Rules { limits: Limits::network(), ..Rules::default() };
        let table = spec.table(|schema| Form::of(schema, &rules)).unwrap();
        let mut protocol = Protocol::new(table, role, Handshake::None, Policy::default(), 1);
        super::join(&mut protocol, if role == Role::Server { 7 } else { SERVER });
        protocol
    };
    (side(Role::Server, 1.0), side(Role::Client, 100.0))
}

fn hit(x: f32) -> Vec<u8> {
    Value::from([("dir", Value::Vector2([x, 0.0].into()))]).encode().unwrap()
}

#[test]
fn values_that_the_caller_judges_are_refused_as_if_they_were_judged_here() {
    let (mut server, mut client) = strict_server();
    let mut packet = Vec::new();
    client.encode(1, &hit(50.0), &mut packet).unwrap();
    let judged = receive(&mut server, 7, &packet, 0).remove(0).unwrap_err();
    assert_eq!(judged.offence, Offence::Refused);
    server.leave_judging();
    let mut incoming = server.open(7, &packet, 0).unwrap();
    let mut value = Vec::new();
    let event = server.next(&packet, &mut incoming, &mut value).unwrap();
    assert_eq!(event, Ok(Event::Message { id: 1 }));
    assert_eq!(
        (tree(&value), incoming.sent(&packet), incoming.is_done()),
        (tree(&hit(50.0)), &packet[1..], true)
    );
    assert_eq!(server.counts().messages, 1);
    let refusal = server.refuse_value(7, 1, incoming.sent(&packet), 0);
    assert_eq!(refusal, judged);
    let counts = server.peer_counts(7).unwrap();
    assert_eq!((counts.messages, counts.all_refused(), server.score(7, 0)), (0, 2, 20.0));
    // What the schema has nothing against was refused by the caller for a reason of its own.
    let good = server.refuse_value(7, 1, &[0; 8], 0);
    assert_eq!((good.offence, good.detail), (Offence::Refused, crate::Detail::None));
}

#[test]
fn values_in_a_batch_are_found_again() {
    let (mut server, mut client) = strict_server();
    server.leave_judging();
    for x in [1.0, 2.0] {
        client.queue(1, &hit(x), To::All, 0).unwrap();
    }
    let mut packet = Vec::new();
    client.flush(0, &mut |_, batch, _| packet = batch.to_vec());
    let mut incoming = server.open(7, &packet, 0).unwrap();
    let (mut value, mut sent) = (Vec::new(), Vec::new());
    while let Some(event) = server.next(&packet, &mut incoming, &mut value) {
        assert_eq!(event, Ok(Event::Message { id: 1 }));
        sent.push(f32::from_le_bytes(incoming.sent(&packet)[..4].try_into().unwrap()));
    }
    assert_eq!(sent, [1.0, 2.0]);
}

#[test]
fn states_are_judged_here_whoever_judges_messages() {
    let (strict, mut lax) = strict_server();
    let mut client =
        Protocol::new(strict.table().clone(), Role::Client, Handshake::None, Policy::default(), 1);
    super::join(&mut client, SERVER);
    client.leave_judging();
    lax = Protocol::new(lax.table().clone(), Role::Server, Handshake::None, Policy::default(), 1);
    super::join(&mut lax, 7);
    let mut packets = Vec::new();
    lax.send_state(2, &hit(50.0), To::All, 0, &mut |_, packet, _| packets.push(packet.to_vec())).unwrap();
    let refusal = receive(&mut client, SERVER, &packets[0], 0).remove(0).unwrap_err();
    assert_eq!(refusal.offence, Offence::Refused);
}

#[test]
fn values_that_their_bits_judge_need_no_other_look() {
    let lives = Schema::int().min(0).max(9).default_value(Value::Int(3));
    let by_bits = Schema::dict([("hp", Schema::int().min(0).max(200)), ("lives", lives)]);
    // Whether elements are equal takes a walk: the caller judges it in a message, and nobody again what a state was judged by.
    let beyond = Schema::array(Schema::int().min(0).max(9)).max_size(9u64).unique();
    let spec = Spec {
        messages: vec![
            Declared::new("by bits", by_bits.clone()),
            Declared::new("beyond", beyond.clone()),
            Declared::state("state by bits", by_bits),
            Declared::state("state beyond", beyond),
        ],
        ..Spec::default()
    };
    let side = |role| {
        let table = spec.table(|schema| Form::of(schema, &Rules::safe(Limits::network()))).unwrap();
        let mut side = Protocol::new(table, role, Handshake::None, Policy::default(), 1);
        super::join(&mut side, if role == Role::Server { 7 } else { SERVER });
        side
    };
    let (mut server, mut client) = (side(Role::Server), side(Role::Client));
    client.leave_judging();
    let bag = Value::from(vec![Value::Int(3), Value::Int(4)]).encode().unwrap();
    let alive = Value::from([("hp", Value::Int(5))]).encode().unwrap();
    let filled = Value::from([("hp", Value::Int(5)), ("lives", Value::Int(3))]).encode().unwrap();
    for (id, value, made, is_complete) in [
        (1, &alive, &filled, true),
        (2, &bag, &bag, false),
        (3, &alive, &filled, true),
        (4, &bag, &bag, true),
    ] {
        let mut packets = Vec::new();
        let carry = &mut |_, packet: &[u8], _| packets.push(packet.to_vec());
        match id {
            1 | 2 => server.send(id, value, To::All, 0, carry).map(drop).unwrap(),
            _ => server.send_state(id, value, To::All, 0, carry).map(drop).unwrap(),
        }
        let got = receive(&mut client, SERVER, &packets[0], 0).remove(0).unwrap().1;
        assert_eq!((id, tree(&got), client.is_value_complete()), (id, tree(made), is_complete));
    }
}
