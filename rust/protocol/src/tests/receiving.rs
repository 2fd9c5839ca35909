//! Tests the order of the checks, and what each refusal says.

use super::{BAD, CHAT, MOVE, SCORE, WORLD, client, hp, join, message, packet, receive, sent, server, side};
use crate::{
    Detail, Difference, Differs, Event, Handshake, Mismatch, Offence, Policy, Protocol, Rate, Role, SERVER,
    Sender, Table,
};

fn offence(protocol: &mut Protocol, peer: i32, packet: &[u8]) -> Offence {
    let events = receive(protocol, peer, packet, 0);
    assert_eq!(events.len(), 1, "{events:?}");
    events[0].clone().unwrap_err().offence
}

#[test]
fn a_message_arrives_with_its_value() {
    let mut server = server();
    let events = receive(&mut server, 7, &[MOVE, 1, 8, 3, 4], 0);
    assert_eq!(events, [Ok((Event::Message { id: 1 }, super::value(1, &[3, 4])))]);
    assert_eq!(server.counts().messages, 1);
    assert_eq!(server.peer_counts(7).unwrap().bytes, 5);
}

#[test]
fn every_kind_of_bad_packet_has_its_own_offence() {
    for (packet, expected) in [
        (&[][..], Offence::Malformed),
        (&[SCORE, 1], Offence::WrongDirection),
        (&[WORLD, 1, 0, 0, 5], Offence::WrongDirection),
        (&[9, 1], Offence::UnknownMessage),
        (&[250], Offence::UnknownMessage),
        (&[251], Offence::UnknownMessage),
        (&[251, 0xFF, 0x7F], Offence::UnknownMessage),
        (&[253, 1], Offence::UnknownMessage),
        (&[MOVE, BAD, 0], Offence::Refused),
        (&[MOVE, 1, 0, 0], Offence::Refused),
        (&[0], Offence::Malformed),
        (&[0, 77], Offence::Foreign),
        (b"\0NF", Offence::Foreign),
        (&[0, 0], Offence::Foreign),
        (&[0, 5, 3], Offence::WrongDirection),
        (&[0, 2, WORLD, 1, 0, 0, 0, 0, 0], Offence::FalseAck),
        (&[0, 2, WORLD, 1, 0], Offence::Malformed),
        (&[0, 3, WORLD], Offence::FalseAck),
        (&[0, 3, WORLD, 1], Offence::Malformed),
        (&[0, 4, 5, 1], Offence::Malformed),
        (&[0, 4, 0], Offence::Malformed),
        (&[0, 4, 2, 0, 4], Offence::Malformed),
    ] {
        let mut server = server();
        assert_eq!(offence(&mut server, 7, packet), expected, "{packet:?}");
        assert_eq!(server.counts().refused[expected.index()], 1);
        assert_eq!(server.peer_counts(7).unwrap().all_refused(), 1);
    }
}

#[test]
fn a_refused_value_is_told_with_its_path() {
    let mut server = server();
    let refusal = receive(&mut server, 7, &packet(MOVE, BAD), 0).remove(0).unwrap_err();
    assert_eq!(refusal.message, Some(1));
    assert_eq!(
        refusal.words(Some("move")),
        "move.hp: expected int 0..200, got bits of something else (bit 0)"
    );
    assert!(matches!(refusal.detail, Detail::Unfit(_)));
}

#[test]
fn cheaper_checks_come_first() {
    let policy = Policy { most_packet_bytes: 8, ..Policy::default() };
    let mut server = side(Role::Server, Handshake::Hello, policy);
    server.connect(7, 0).unwrap();
    // Too long comes before everything that the bytes could say.
    assert_eq!(offence(&mut server, 7, &[0xFF; 9]), Offence::OverLimit);
    // An unknown id before the direction, that before the handshake, that before the rate and the value.
    assert_eq!(offence(&mut server, 7, &[99, BAD]), Offence::UnknownMessage);
    assert_eq!(offence(&mut server, 7, &packet(SCORE, BAD)), Offence::WrongDirection);
    assert_eq!(offence(&mut server, 7, &packet(MOVE, BAD)), Offence::NotGreeted);
    join(&mut server, 7);
    for _ in 0..3 {
        assert_eq!(offence(&mut server, 7, &packet(MOVE, BAD)), Offence::Refused);
    }
    assert_eq!(offence(&mut server, 7, &packet(MOVE, BAD)), Offence::RateLimited);
}

#[test]
fn clients_take_server_messages_only_from_the_server() {
    let mut client = client();
    assert_eq!(receive(&mut client, SERVER, &packet(SCORE, 1), 0).len(), 1);
    assert_eq!(offence(&mut client, 9, &[SCORE, 1]), Offence::WrongDirection);
    assert_eq!(offence(&mut client, 9, &[0, 0]), Offence::WrongDirection);
    assert_eq!(offence(&mut client, SERVER, &[MOVE, 1]), Offence::WrongDirection);
    let relayed = receive(&mut client, 9, &packet(CHAT, 5), 0);
    assert_eq!(relayed, [Ok((Event::Message { id: 2 }, hp(5)))]);

    let table = Table::new(vec![message("chat", Sender::Both)], &[], 1200).unwrap();
    let mut client = Protocol::new(table, Role::Client, Handshake::Hello, Policy::for_client(), 1);
    assert_eq!(offence(&mut client, 9, &[1, 5]), Offence::WrongDirection, "not relayed");
}

#[test]
fn ids_that_no_peer_has_are_refused_in_words_and_cost_nothing() {
    let mut server = server();
    for id in [SERVER, 0, -1, i32::MIN] {
        let refusal = receive(&mut server, id, &packet(MOVE, 1), 0).remove(0).unwrap_err();
        assert_eq!((refusal.offence, server.peer_count()), (Offence::UnknownPeer, 1));
        let words = format!("packet: no client has the id {id}; clients begin at 2, 1 is the server");
        assert_eq!(refusal.words(None), words);
        assert_eq!(server.connect(id, 0).unwrap_err().to_string(), &words["packet: ".len()..]);
    }
    let mut client = client();
    for id in [0, -7] {
        assert!(client.connect(id, 0).is_err());
        assert_eq!(offence(&mut client, id, &packet(CHAT, 1)), Offence::UnknownPeer);
    }
}

#[test]
fn budgets_of_packets_and_bytes_are_exact() {
    let policy = Policy {
        packets: Some(Rate::per_second(2, 4)),
        bytes: Some(Rate::per_second(100, 100)),
        ..Policy::default()
    };
    let mut server = side(Role::Server, Handshake::None, policy);
    join(&mut server, 7);
    let accepted = |server: &mut Protocol, size: usize, now| {
        let packet = [&[CHAT][..], &sent(0, &vec![0; size - 3])].concat();
        (0..50).filter(|_| receive(server, 7, &packet, now)[0].is_ok()).count()
    };
    assert_eq!(accepted(&mut server, 3, 0), 4);
    for quiet in [200_000, 400_000] {
        server.tick(quiet, &mut |_, _, _| ());
    }
    assert_eq!(accepted(&mut server, 3, 500_000), 1);
    for quiet in 3..50 {
        server.tick(quiet * 200_000, &mut |_, _, _| ());
    }
    assert_eq!(accepted(&mut server, 60, 9_900_000), 1, "the second has no bytes left");
    assert_eq!(server.counts().refused[Offence::RateLimited.index()], 46 + 49 + 49);
}

#[test]
fn a_batch_gives_all_that_is_right_in_it() {
    let mut server = server();
    let batch = [0, 4, 3, CHAT, 5, 0, 3, MOVE, BAD, 0, 4, CHAT, 6, 4, 7];
    let events = receive(&mut server, 7, &batch, 0);
    assert_eq!(events.len(), 3);
    assert_eq!(events[0], Ok((Event::Message { id: 2 }, hp(5))));
    assert_eq!(events[1].clone().unwrap_err().offence, Offence::Refused);
    assert_eq!(events[2], Ok((Event::Message { id: 2 }, super::value(6, &[7]))));
}

#[test]
fn a_peer_that_goes_too_far_is_expelled_once_and_then_ignored() {
    let mut server = server();
    let mut expelled = 0;
    for _ in 0..20 {
        for event in receive(&mut server, 7, &[SCORE, 1], 0) {
            expelled += usize::from(event.unwrap_err().expel);
        }
    }
    assert_eq!(expelled, 1);
    assert_eq!(server.counts().refused[Offence::WrongDirection.index()], 4);
    assert_eq!(server.counts().refused[Offence::Expelled.index()], 16);
    assert_eq!(offence(&mut server, 7, &[CHAT, 1]), Offence::Expelled);
    // What is in the same packet behind the last straw is not read either.
    let mut server = super::server();
    let mut batch = vec![0, 4];
    for _ in 0..10 {
        batch.extend([2, SCORE, 1]);
    }
    batch.extend([3, CHAT, 1, 0]);
    assert_eq!(receive(&mut server, 7, &batch, 0).len(), 4);
}

#[test]
fn reports_are_limited_and_counted_nevertheless() {
    let mut policy = Policy { disconnect_at: None, reports: Rate::per_second(2, 2), ..Policy::default() };
    policy.set_points(Offence::UnknownMessage, 0.0);
    let mut server = side(Role::Server, Handshake::None, policy);
    join(&mut server, 7);
    let told = |server: &mut Protocol, now| {
        (0..30).filter(|_| receive(server, 7, &[99], now)[0].as_ref().unwrap_err().tell).count()
    };
    assert_eq!(told(&mut server, 0), 2);
    assert_eq!(told(&mut server, 500_000), 1);
    assert_eq!(server.peer_counts(7).unwrap().all_refused(), 60);
}

#[test]
fn a_handshake_names_our_messages_that_differ() {
    let other = Table::new(
        vec![
            message("move", Sender::Client),
            message("chat", Sender::Both),
            message("score", Sender::Server),
        ],
        &[],
        1200,
    )
    .unwrap();
    let other = Protocol::new(other, Role::Client, Handshake::Hello, Policy::for_client(), 1);
    let mut server = server();
    let own = server.table().hello(5, 6);
    assert_eq!(server.check_hello(&own), Ok(()));
    let mismatch = server.check_hello(&other.table().hello(1, 0)).unwrap_err();
    assert_eq!(
        mismatch.to_string(),
        "the other side runs another version of the game: \"chat\" is sent by another side there, \"world\" is missing there"
    );
    assert_eq!(mismatch.names(), ["chat", "world"]);
    let reverse = other.check_hello(&own).unwrap_err();
    let chat = Difference { name: "chat".into(), what: Differs::Direction };
    assert_eq!(reverse, Mismatch::Messages { ours: vec![chat], unknown: 1 });
    assert_eq!(offence_of_hello(&mut server, &other.table().hello(1, 0)), Offence::OtherProtocol);
    assert_eq!(server.score(7, 0), 0.0, "another version is nobody's fault");

    for cut in 0..own.len() {
        assert_eq!(server.check_hello(&own[..cut]), Err(Mismatch::NotAHello), "{cut}");
    }
    let mut longer = own.clone();
    longer.push(0);
    assert_eq!(server.check_hello(&longer), Err(Mismatch::NotAHello));
    for at in 0..own.len() {
        let mut changed = own.clone();
        changed[at] ^= 1;
        // Byte 1 tells a question from an answer; the numbers of sessions follow the version.
        assert_eq!(server.check_hello(&changed).is_ok(), at == 1 || (6..14).contains(&at), "{at}");
    }
}

/// The refusal, which the event of the mismatch follows.
fn offence_of_hello(protocol: &mut Protocol, packet: &[u8]) -> Offence {
    receive(protocol, 7, packet, 0)[0].clone().unwrap_err().offence
}

#[test]
fn a_mismatch_says_what_differs() {
    use variant_schema::Schema;
    let side = |schema: Schema, is_state: bool| {
        let state = is_state.then_some(crate::History { entries: 9, most_packet_bytes: 900, parts: None });
        let message = crate::Message { form: super::form_of(&schema), state, ..message("m", Sender::Server) };
        let table = Table::new(vec![message], &[], 1200).unwrap();
        Protocol::new(table, Role::Server, Handshake::Hello, Policy::default(), 1)
    };
    let range = |max| Schema::dict([("hp", Schema::int().min(0).max(max))]);
    let ours = side(range(100), false);
    for (theirs, what) in [
        (side(range(101), false), Differs::Range),
        (side(Schema::dict([("hp", Schema::float())]), false), Differs::Type),
        (side(Schema::dict([("mp", Schema::int().min(0).max(100))]), false), Differs::Type),
        (side(range(100), true), Differs::State),
    ] {
        let mismatch = ours.check_hello(&theirs.table().hello(1, 0)).unwrap_err();
        let difference = Difference { name: "m".into(), what };
        assert_eq!(mismatch, Mismatch::Messages { ours: vec![difference], unknown: 0 });
    }
}

#[test]
fn names_rates_and_modes_can_differ() {
    let renamed = Table::new(vec![message("walk", Sender::Client)], &[], 1200).unwrap();
    let own = Table::new(vec![message("move", Sender::Client)], &[], 1200).unwrap();
    assert_eq!(renamed.hash(), own.hash());
    let reserved = Table::new(vec![message("move", Sender::Client)], &[1], 1200).unwrap();
    assert_ne!(reserved.hash(), own.hash(), "another id");
}
