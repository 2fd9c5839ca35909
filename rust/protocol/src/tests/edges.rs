//! Tests the last byte and the first one too many, and what statistics and sentences say.

use variant_core::{ErrorKind, Path, Place, Rejection, Step, VariantType};
use variant_schema::Schema;

use super::{
    CHAT, MOVE, SCORE, WORLD, client, form_of, hp, join, message, packet, receive, server, side, state_to,
    table, value,
};
use crate::{
    Declared, Event, Handshake, History, Message, Mismatch, Mode, Offence, Policy, Protocol, Rate, Role,
    SERVER, SendError, Sender, Table, To,
};

fn refused(protocol: &mut Protocol, packet: &[u8], now: u64) -> Option<Offence> {
    receive(protocol, 7, packet, now).pop().and_then(Result::err).map(|refusal| refusal.offence)
}

#[test]
fn a_packet_may_be_exactly_as_long_as_allowed() {
    let policy = Policy { most_packet_bytes: 8, ..Policy::default() };
    let mut server = side(Role::Server, Handshake::None, policy);
    join(&mut server, 7);
    assert_eq!(refused(&mut server, &[CHAT, 1, 20, 1, 1, 1, 1, 1], 0), None);
    assert_eq!(refused(&mut server, &[CHAT, 1, 24, 1, 1, 1, 1, 1, 1], 0), Some(Offence::OverLimit));
    let mut out = Vec::new();
    assert_eq!(server.encode(2, &value(1, &[1; 5]), &mut out), Ok(Mode::Reliable));
    assert_eq!(out.len(), 8);
    let too_large = SendError::TooLarge { size: 9, most: 8, largest: "chat.items".to_owned() };
    assert_eq!(server.encode(2, &value(1, &[1; 6]), &mut out), Err(too_large));
    assert_eq!(out.len(), 8);
}

#[test]
fn a_state_may_be_exactly_as_long_as_its_packet() {
    let fits = |most| {
        let state = Some(History { entries: 32, most_packet_bytes: most, parts: None });
        Table::new(vec![Message { state, ..message("world", Sender::Server) }], &[], 1200).is_ok()
    };
    // 4 in front, 63 items and two bytes before them.
    assert!(fits(69) && !fits(68));
    assert_eq!(state_to(&mut server(), 7, &value(1, &[1; 63]), 0).len(), 69);
}

#[test]
fn a_delta_that_is_as_long_as_the_state_is_not_sent() {
    let mut server = server();
    state_to(&mut server, 7, &hp(1), 0);
    receive(&mut server, 7, &[0, 2, WORLD, 1, 0, 0, 0, 0, 0], 0);
    // The hash of the base and a bit against two bytes.
    assert_eq!(state_to(&mut server, 7, &hp(1), 0), [WORLD, 2, 0, 0, 1, 0]);
}

#[test]
fn the_queue_counts_what_waits() {
    let mut client = client();
    client.queue(2, &value(1, &[1; 8]), To::All, 0).unwrap();
    assert_eq!(client.kept_bytes(), 2 + 1 + 11);
    client.flush(0, &mut |_, _, _| ());
    assert_eq!(client.kept_bytes(), 0);
}

#[test]
fn kept_bytes_are_those_of_buckets_and_states() {
    let mut server = server();
    assert_eq!(server.kept_bytes(), 0);
    receive(&mut server, 7, &packet(MOVE, 1), 0);
    assert_eq!(server.kept_bytes(), 4 * 16, "a bucket for each of four messages");
    state_to(&mut server, 7, &value(1, &[1; 48]), 0);
    assert_eq!(server.kept_bytes(), 4 * 16 + 50);
    assert!((200..1024).contains(&Protocol::peer_struct_bytes()), "under a kilobyte for each peer");
    assert_eq!(receive(&mut client(), SERVER, &[WORLD, 1, 0, 0, 5, 0], 0).len(), 1);
}

#[test]
fn handshakes_and_acknowledgements_have_their_own_budget() {
    let policy = Policy { control: Rate::per_second(1, 3), disconnect_at: None, ..Policy::default() };
    let mut server = side(Role::Server, Handshake::Hello, policy);
    let hello = server.table().hello(9, 0);
    let offences: Vec<_> = (0..5).map(|_| refused(&mut server, &hello, 0)).collect();
    assert_eq!(offences, [None, None, None, Some(Offence::RateLimited), Some(Offence::RateLimited)]);
    // A client takes four acknowledgements for each frame of a second and more.
    let policy = Policy::for_client();
    assert_eq!((policy.control.burst, policy.disconnect_at), (4096, None));
}

#[test]
fn acknowledgements_before_the_handshake_are_refused() {
    let mut server = side(Role::Server, Handshake::Hello, Policy::default());
    server.connect(7, 0).unwrap();
    for packet in [&[0, 2, WORLD, 1, 0, 0, 0, 0, 0][..], &[0, 3, WORLD]] {
        assert_eq!(refused(&mut server, packet, 0), Some(Offence::NotGreeted));
    }
    assert!(!server.is_greeted(7) && !server.is_greeted(99));
}

#[test]
fn listeners_are_connected_greeted_and_not_expelled() {
    let mut server = server();
    server.connect(8, 0).unwrap();
    join(&mut server, 9);
    join(&mut server, 10);
    for _ in 0..4 {
        receive(&mut server, 10, &[SCORE, 1], 0);
    }
    // A stranger that greeted is no listener: nobody said how to reach it.
    let hello = server.table().hello(9, 0);
    receive(&mut server, 11, &hello, 0);
    assert!(server.is_greeted(11));
    let mut listeners: Vec<i32> = server.listeners().collect();
    listeners.sort_unstable();
    assert_eq!(listeners, [7, 9]);
}

#[test]
fn a_score_can_be_asked_for_and_fades() {
    let mut server = server();
    receive(&mut server, 7, &[SCORE, 1], 0);
    assert_eq!((server.score(7, 0), server.score(7, 1_000_000), server.score(8, 0)), (25.0, 15.0, 0.0));
}

#[test]
fn points_are_the_policys() {
    let mut policy = Policy::default();
    policy.set_points(Offence::WrongDirection, 100.0);
    let mut server = server();
    server.set_policy(policy);
    let refusal = receive(&mut server, 7, &[SCORE, 1], 0).remove(0).unwrap_err();
    assert!(refusal.expel, "exactly as many points as throw it out");
    // Nothing throws a peer out that costs no points, though it has too many.
    let mut policy = Policy { disconnect_at: Some(0.0), ..Policy::default() };
    policy.set_points(Offence::UnknownMessage, 0.0);
    let mut server = super::server();
    server.set_policy(policy);
    assert!(!receive(&mut server, 7, &[99], 0).remove(0).unwrap_err().expel);
}

#[test]
fn handshakes_are_asked_for_again_each_second() {
    let policy = Policy { greet_timeout: None, ..Policy::for_client() };
    let mut client = side(Role::Client, Handshake::Hello, policy);
    client.connect(SERVER, 0).unwrap();
    let times: Vec<u64> = (0..40u64)
        .map(|step| step * 100_000)
        .filter(|now| {
            let mut count = 0;
            client.tick(*now, &mut |_, _, _| count += 1);
            count > 0
        })
        .collect();
    assert_eq!(times, [0, 1_000_000, 2_000_000, 3_000_000]);
    let mut server = side(Role::Server, Handshake::None, Policy::default());
    server.connect(7, 0).unwrap();
    server.tick(0, &mut |_, _, _| panic!("nobody asks for handshakes here"));
}

#[test]
fn messages_that_we_lack_are_counted() {
    let table = |ids: &[u16]| {
        let messages =
            ids.iter().map(|id| Message { id: Some(*id), ..message(&format!("m{id}"), Sender::Both) });
        Table::new(messages.collect(), &[], 1200).unwrap()
    };
    let side = |ids: &[u16]| Protocol::new(table(ids), Role::Server, Handshake::Hello, Policy::default(), 1);
    let unknown = |ours: &[u16], theirs: &[u16]| side(ours).check_hello(&side(theirs).table().hello(1, 0));
    assert_eq!(unknown(&[1, 4], &[1, 4]), Ok(()));
    for (ours, theirs, count) in [(&[1, 4][..], &[1, 2, 4][..], 1), (&[1, 4], &[1, 2, 3, 4, 6, 9], 4)] {
        assert_eq!(unknown(ours, theirs), Err(Mismatch::Messages { ours: vec![], unknown: count }));
    }
    let words = unknown(&[1, 4], &[1, 2]).unwrap_err().to_string();
    assert_eq!(
        words,
        "the other side runs another version of the game: \"m4\" is missing there; it has 1 that this side lacks"
    );
    let words = unknown(&[1], &[1, 2]).unwrap_err().to_string();
    assert_eq!(words, "the other side runs another version of the game: it has 1 that this side lacks");
}

#[test]
fn every_offence_has_a_name_and_a_sentence_of_its_own() {
    let mut names = std::collections::HashSet::new();
    for offence in Offence::ALL {
        let refusal = server().report(7, None, offence, 0);
        let words = refusal.words(None);
        assert!(words.starts_with("packet: ") && words.len() > 25, "{words}");
        assert!(names.insert(words) && names.insert(offence.name().to_owned()), "{offence:?}");
        assert!(offence.name().chars().all(|char| char.is_ascii_lowercase() || char == '_'));
    }
}

#[test]
fn paths_join_the_name_of_their_message() {
    let (hp, second) = (Step::Key("hp".into()), Step::Index(2));
    let rejection = |path: &[Step]| Rejection {
        kind: ErrorKind::OutOfRange,
        place: Place::Byte(3),
        path: Path(path.to_vec()),
        expected: "less".to_owned(),
        got: "more".to_owned(),
    };
    let mut refusal = server().report(7, Some(1), Offence::Refused, 0);
    for (path, place) in [(&[hp.clone()][..], "move.hp"), (&[second, hp], "move[2].hp"), (&[], "move")] {
        refusal.detail = crate::Detail::Unfit(Box::new(rejection(path)));
        assert_eq!(refusal.words(Some("move")), format!("{place}: expected less, got more (byte 3)"));
    }
}

#[test]
fn sizes_are_demanded_of_what_is_unreliable_or_a_clients() {
    let bytes = |most: Option<u64>| {
        let bytes = Schema::of_type(VariantType::PackedByteArray);
        form_of(&most.map_or_else(|| bytes.clone(), |most| bytes.clone().min_size(most).max_size(most)))
    };
    let with = |most: Option<u64>, mode: Mode, sender: Sender| {
        let form = bytes(most);
        Table::new(vec![Message { form, mode, ..message("m", sender) }], &[], 1200).is_ok()
    };
    assert!(with(None, Mode::Reliable, Sender::Server), "a server may send any text reliably");
    assert!(with(Some(1 << 20), Mode::Reliable, Sender::Client));
    assert!(with(Some(1197), Mode::Unreliable, Sender::Client), "3 bytes are the id's");
    assert!(!with(Some(1198), Mode::Unreliable, Sender::Client));
    assert!(!with(Some(1198), Mode::UnreliableOrdered, Sender::Server));
    assert!(!with(None, Mode::Unreliable, Sender::Server));
    assert!(!with(None, Mode::Reliable, Sender::Both));
    let state = |most| {
        let history = Some(History { entries: 1, most_packet_bytes: 1200, parts: None });
        let (form, mode) = (bytes(most), Mode::Unreliable);
        Table::new(vec![Message { form, mode, state: history, ..message("m", Sender::Server) }], &[], 1200)
            .is_ok()
    };
    assert!(state(Some(1190)) && !state(Some(1198)) && !state(None), "a state has to fit, too");
}

#[test]
fn marks_depend_on_the_bits_of_values() {
    let mark = |most: i64| {
        let form = form_of(&Schema::int().min(0).max(most));
        Table::new(vec![Message { form, ..message("m", Sender::Both) }], &[], 1200).unwrap().mark(1)
    };
    let marks: std::collections::HashSet<u32> = (0..64).map(mark).collect();
    assert!(marks.len() >= 63, "{}", marks.len());
    assert!(marks.iter().all(|mark| mark & 0b1111 == 3), "both sides send it");
    let names: Vec<String> =
        table().messages().map(|(id, message)| format!("{id} {}", message.name)).collect();
    assert_eq!(names, ["1 move", "2 chat", "3 score", "4 world"]);
}

#[test]
fn a_state_is_declared_as_one() {
    let declared = Declared::state("world", variant_schema::Schema::int());
    assert_eq!(declared.mode, Mode::Unreliable);
    assert_eq!(declared.state, Some(History { entries: 32, most_packet_bytes: 1200, parts: None }));
    assert_eq!(declared.sender, Sender::Server);
}

#[test]
fn the_rest_of_a_packet_survives_a_refusal() {
    let mut server = server();
    let packet = [0, 4, 2, 99, 1, 3, CHAT, 8, 0];
    let events = receive(&mut server, 7, &packet, 0);
    assert_eq!(events[0].clone().unwrap_err().offence, Offence::UnknownMessage);
    assert_eq!(events[1], Ok((Event::Message { id: 2 }, hp(8))));
}
