//! Tests what is sent: messages, batches, states and their deltas.

use variant_core::VariantType;
use variant_schema::Schema;

use super::{
    MOVE, WORLD, carried, client, form_of, hp, join, message, receive, server, side, state_to, tick, value,
};
use crate::{
    Event, Handshake, History, LARGEST_ID, Message, Mode, Offence, Policy, Protocol, Rate, Role, SERVER,
    SendError, Sender, Table, To,
};

#[test]
fn only_what_the_receiver_takes_is_sent() {
    let (mut server, mut client) = (server(), client());
    let mut out = vec![9];
    assert_eq!(client.encode(1, &value(5, &[6]), &mut out), Ok(Mode::Unreliable));
    assert_eq!(out, [9, MOVE, 5, 4, 6]);
    for (is_server, id, expected) in [
        (true, 1, SendError::WrongDirection),
        (false, 3, SendError::WrongDirection),
        (false, 99, SendError::UnknownMessage),
        (true, 4, SendError::UnknownMessage),
        (false, 4, SendError::WrongDirection),
        (false, 0, SendError::UnknownMessage),
    ] {
        let protocol = if is_server { &mut server } else { &mut client };
        let mut out = vec![9];
        assert_eq!(protocol.encode(id, &hp(5), &mut out), Err(expected.clone()), "{id}");
        assert_eq!(protocol.can_send(id), Err(expected), "before the value is looked at");
        assert_eq!(out, [9]);
    }
    assert_eq!(client.can_send_state(4).unwrap_err().to_string(), "only the server sends states");
    let mut out = vec![9];
    let wrong = super::value(201, &[]);
    assert!(matches!(client.encode(1, &wrong, &mut out), Err(SendError::Unfit(_))));
    assert_eq!(out, [9]);
}

#[test]
fn queued_messages_go_in_one_packet() {
    let (mut server, mut client) = (server(), client());
    for number in 0..20u8 {
        client.queue(2, &hp(number), To::All, 0).unwrap();
    }
    let packets = carried(|carry| client.flush(0, carry));
    assert_eq!(packets.len(), 1);
    let events = receive(&mut server, 7, &packets[0].1, 0);
    let values: Vec<Vec<u8>> = events.into_iter().map(|event| event.unwrap().1).collect();
    assert_eq!(values, (0..20).map(hp).collect::<Vec<_>>());
    assert!(carried(|carry| client.flush(0, carry)).is_empty());
    assert_eq!(server.queue(2, &hp(1), To::One(55), 0), Err(SendError::UnknownPeer(55)));
}

#[test]
fn batches_are_cut_by_size_and_by_mode_and_the_queue_is_bounded() {
    let unreliable = Message { mode: Mode::Unreliable, ..message("aim", Sender::Both) };
    let table = Table::new(vec![message("chat", Sender::Both), unreliable], &[], 1200).unwrap();
    let policy = Policy { most_datagram_bytes: 100, most_packet_bytes: 400, ..Policy::default() };
    let mut client = Protocol::new(table, Role::Client, Handshake::None, policy, 1);
    join(&mut client, SERVER);
    for _ in 0..40 {
        client.queue(1, &value(1, &[1; 28]), To::All, 0).unwrap();
        client.queue(2, &value(1, &[2; 28]), To::All, 0).unwrap();
    }
    let mut sizes = Vec::new();
    client.flush(0, &mut |_, bytes, mode| sizes.push((mode, bytes.len())));
    let count = |mode| sizes.iter().filter(|(of, _)| *of == mode).count();
    assert_eq!((count(Mode::Reliable), count(Mode::Unreliable)), (4, 14));
    assert!(sizes.iter().all(|(mode, size)| *size <= if *mode == Mode::Reliable { 400 } else { 100 }));
    let long = value(1, &[1; 58]);
    let full = (0..100_000).find(|_| client.queue(1, &long, To::All, 0).is_err());
    assert!(full.is_some_and(|count| (10_000..20_000).contains(&count)), "{full:?}");
    assert!(client.kept_bytes() <= 1 << 20);
}

#[test]
fn a_state_goes_in_full_and_then_as_deltas_on_what_was_acknowledged() {
    let (mut server, mut client) = (server(), client());
    let mut items = [1u8; 40];
    let first = state_to(&mut server, 7, &value(1, &items), 0);
    assert_eq!((&first[..4], first.len()), (&[WORLD, 1, 0, 0][..], 46));
    items[3] = 9;
    assert_eq!(state_to(&mut server, 7, &value(1, &items), 0).len(), 46, "nothing is acknowledged");
    let arrived = receive(&mut client, SERVER, &first, 0);
    assert_eq!(arrived, [Ok((Event::State { id: 4, seq: 1 }, value(1, &[1; 40])))]);
    let acks = tick(&mut client, 0);
    assert_eq!(acks, [(SERVER, vec![0, 2, WORLD, 1, 0, 0, 0, 0, 0])]);
    assert!(receive(&mut server, 7, &acks[0].1, 0).is_empty());
    assert!(tick(&mut client, 1).is_empty(), "one acknowledgement for each state");
    let third = state_to(&mut server, 7, &value(9, &[1; 40]), 0);
    assert_eq!(third[..4], [WORLD, 3, 0, 2]);
    let base = super::sent(1, &[1; 40]).into();
    assert_eq!(third[4..6], crate::wire::base_hash(&[(0, &base)], &[]).to_le_bytes());
    assert!(third.len() < 12, "{third:?}");
    let arrived = receive(&mut client, SERVER, &third, 0);
    assert_eq!(arrived, [Ok((Event::State { id: 4, seq: 3 }, value(9, &[1; 40])))]);
    assert!(receive(&mut client, SERVER, &third, 0).is_empty(), "twice is late, not wrong");
    assert_eq!(client.counts().late, 1);
}

#[test]
fn a_delta_on_another_state_of_that_number_is_never_applied() {
    let (mut server, mut client) = (server(), client());
    let first = state_to(&mut server, 7, &value(1, &[1; 40]), 0);
    receive(&mut client, SERVER, &first, 0);
    for (_, ack) in tick(&mut client, 0) {
        receive(&mut server, 7, &ack, 0);
    }
    let mut delta = state_to(&mut server, 7, &value(9, &[1; 40]), 0);
    delta[4] ^= 1;
    let refusal = receive(&mut client, SERVER, &delta, 0).remove(0).unwrap_err();
    assert_eq!(refusal.offence, Offence::LostBaseline);
    for reserved in [64, 128, 160] {
        delta[3] = 1 | reserved;
        let refusal = receive(&mut client, SERVER, &delta, 0).remove(0).unwrap_err();
        assert_eq!(refusal.offence, Offence::Malformed);
    }
}

#[test]
fn a_lost_baseline_asks_for_a_full_state() {
    let (mut server, mut client) = (server(), client());
    let first = state_to(&mut server, 7, &value(1, &[1; 40]), 0);
    receive(&mut client, SERVER, &first, 0);
    for (_, ack) in tick(&mut client, 0) {
        receive(&mut server, 7, &ack, 0);
    }
    // The client starts anew; the server does not know.
    let mut client = super::client();
    let delta = state_to(&mut server, 7, &value(2, &[1; 40]), 0);
    assert_ne!(delta[3], 0);
    let refusal = receive(&mut client, SERVER, &delta, 0).remove(0).unwrap_err();
    assert_eq!(refusal.offence, Offence::LostBaseline);
    let asks = tick(&mut client, 0);
    assert_eq!(asks, [(SERVER, vec![0, 3, WORLD])]);
    assert!(receive(&mut server, 7, &asks[0].1, 0).is_empty());
    let full = state_to(&mut server, 7, &value(3, &[1; 40]), 0);
    assert_eq!(full[3], 0);
    assert!(receive(&mut client, SERVER, &full, 0)[0].is_ok());
    assert_eq!(server.score(7, 0), 0.0);
}

#[test]
fn peers_with_one_baseline_share_one_delta() {
    let mut server = server();
    join(&mut server, 8);
    let send = |server: &mut Protocol, hp| {
        carried(|carry| {
            server.send_state(4, &value(hp, &[1; 40]), To::All, 0, carry).unwrap();
        })
    };
    send(&mut server, 1);
    for peer in [7, 8] {
        receive(&mut server, peer, &[0, 2, WORLD, 1, 0, 0, 0, 0, 0], 0);
    }
    let packets = send(&mut server, 2);
    assert_eq!(packets[0].1, packets[1].1);
    assert!(packets[0].1.len() < 12);
}

#[test]
fn a_state_goes_to_whom_it_can() {
    let mut server = server();
    let mut peers = Vec::new();
    let outcome = server.send_state(4, &hp(1), To::Each(&[55, 7]), 0, &mut |peer, _, _| peers.push(peer));
    assert_eq!((outcome, peers), (Err(SendError::UnknownPeer(55)), vec![7]));
    let outcome = server.send_state(3, &hp(1), To::All, 0, &mut |_, _, _| {});
    assert_eq!(outcome, Err(SendError::UnknownMessage));
}

#[test]
fn a_state_that_no_packets_carry_is_no_table() {
    let entry = || Schema::dict([("id", Schema::int().min(0).max(999)), ("x", Schema::int())]);
    let list = |schema: Schema| Schema::dict([("tick", Schema::int()), ("all", schema)]);
    let words = |schema: &Schema, parts| {
        let state = Some(History { entries: 32, most_packet_bytes: 200, parts });
        let world = Message { form: form_of(schema), state, ..message("world", Sender::Server) };
        Table::new(vec![world], &[], 1200)
            .map(|table| table.parts(1))
            .map_err(|error| error.first().message.clone())
    };
    let open = list(Schema::array(entry()));
    let bounded = list(Schema::array(entry()).max_size(100u64));
    let keyed = list(Schema::array(entry()).keyed("id").max_size(1000u64));
    let few = list(Schema::array(entry()).keyed("id").max_size(40u64));
    assert_eq!(
        words(&open, None).unwrap_err(),
        "world.all has no largest size, and a state has to fit packets; give it one: max_size(), max_chars()"
    );
    assert_eq!(
        words(&bounded, None).unwrap_err(),
        "part 0, which has all that is in no keyed array below the root, can reach 985 bytes, and its packet carries \
         200: world.all is the largest; shorten it, make it a keyed() array, or raise max_packet"
    );
    assert_eq!(words(&keyed, None), Ok(48));
    assert_eq!(
        words(&keyed, Some(9)).unwrap_err(),
        "in 9 parts one can reach 967 bytes, and its packet carries 200: world.all is the largest; give it a smaller \
         max_size() or keys of a smaller range, or raise max_packet"
    );
    assert_eq!((words(&keyed, Some(64)), words(&few, None)), (Ok(64), Ok(48)));
    assert_eq!(words(&few, Some(65)).unwrap_err(), "a state has 1 to 64 parts");
}

#[test]
fn a_sender_holds_the_rate_that_the_receiver_holds() {
    let (mut server, mut client) = (server(), client());
    let (mut went, mut refused) = (0, 0);
    // 144 frames a second for ten seconds, of a message that may come 10 times.
    for frame in 0..1440u64 {
        let now = frame * 6944;
        let mut packets = Vec::new();
        match client.send(1, &hp(1), To::All, now, &mut |_, packet, _| packets.push(packet.to_vec())) {
            Ok(delivery) => went += delivery.peers,
            Err(SendError::RateLimited { what: "messages", .. }) => refused += 1,
            Err(other) => panic!("{other}"),
        }
        for packet in packets {
            assert!(receive(&mut server, 7, &packet, now)[0].is_ok(), "frame {frame}");
        }
        server.tick(now, &mut |_, _, _| ());
    }
    assert_eq!((went, refused), (3 + 99, 1440 - 102));
    assert_eq!(server.score(7, 10_000_000), 0.0);
    let error = SendError::RateLimited { peer: 1, what: "messages", rate: Rate::per_second(10, 3) };
    assert_eq!(error.to_string(), "peer 1 takes 10 messages a second and 3 at once; this is more");
}

#[test]
fn a_client_holds_the_budget_of_packets_that_a_server_has_by_default() {
    let (mut server, mut client) = (server(), client());
    for step in 0..1000u64 {
        let now = step * 5_000;
        let mut packets = Vec::new();
        let sent = client.send(2, &hp(1), To::All, now, &mut |_, packet, _| packets.push(packet.to_vec()));
        assert!(matches!(sent, Ok(_) | Err(SendError::RateLimited { what: "packets", .. })), "{sent:?}");
        for packet in packets {
            assert!(receive(&mut server, 7, &packet, now)[0].is_ok());
        }
    }
    assert_eq!(server.score(7, 5_000_000), 0.0);
}

#[test]
fn what_waits_in_a_queue_comes_within_the_burst() {
    let rate = Some(Rate::per_second(20, 5));
    let table = Table::new(vec![Message { rate, ..message("chat", Sender::Both) }], &[], 1200).unwrap();
    let side = |role| {
        let mut side = Protocol::new(table.clone(), role, Handshake::None, Policy::default(), 1);
        join(&mut side, if role == Role::Server { 7 } else { SERVER });
        side
    };
    let (mut server, mut client) = (side(Role::Server), side(Role::Client));
    // The game flushes once in two seconds.
    let queued = (0..40).filter(|at| client.queue(1, &hp(1), To::All, at * 50_000).is_ok()).count();
    assert_eq!(queued, 5);
    for (_, packet) in carried(|carry| client.flush(2_000_000, carry)) {
        assert!(receive(&mut server, 7, &packet, 0).iter().all(Result::is_ok));
    }
    assert!(client.queue(1, &hp(1), To::All, 2_000_000).is_ok());
}

#[test]
fn a_message_that_nobody_can_get_is_an_error() {
    let mut client = side(Role::Client, Handshake::Hello, Policy::for_client());
    let mut sent = 0;
    let mut send =
        |client: &mut Protocol, id, to| client.send(id, &hp(1), to, 0, &mut |_, _, _| sent += 1).unwrap_err();
    assert_eq!(send(&mut client, 2, To::All), SendError::NoServer);
    client.connect(SERVER, 0).unwrap();
    assert_eq!(send(&mut client, 1, To::All), SendError::NotGreeted(SERVER));
    join(&mut client, SERVER);
    assert_eq!(send(&mut client, 1, To::One(9)), SendError::NotRelayed(9));
    assert_eq!(send(&mut client, 2, To::One(9)), SendError::UnknownPeer(9));
    let mut server = server();
    assert_eq!(send(&mut server, 2, To::One(9)), SendError::UnknownPeer(9));
    server.kick(7, "");
    assert_eq!(send(&mut server, 2, To::One(7)), SendError::ThrownOut(7));
    for _ in 0..3 {
        server.tick(0, &mut |_, _, _| ());
    }
    assert_eq!(send(&mut server, 2, To::One(7)), SendError::ThrownOut(7));
    // A server alone may talk to everybody.
    let to_all = server.send(2, &hp(1), To::All, 0, &mut |_, _, _| sent += 1);
    assert_eq!(to_all.map(|delivery| delivery.peers), Ok(0));
    assert_eq!(sent, 0);
}

#[test]
fn a_client_reaches_others_with_what_is_relayed() {
    let mut client = client();
    client.connect(9, 0).unwrap();
    assert_eq!(super::events(&mut client), [Event::Greeted { peer: 9 }], "the server greeted it");
    let mut reached = Vec::new();
    let mut send = |client: &mut Protocol, id, to| {
        client.send(id, &hp(1), to, 0, &mut |peer, _, _| reached.push((id, peer))).map(|sent| sent.peers)
    };
    assert_eq!(send(&mut client, 2, To::All), Ok(2));
    assert_eq!(send(&mut client, 2, To::AllBut(SERVER)), Ok(1));
    assert_eq!(send(&mut client, 2, To::One(9)), Ok(1));
    assert_eq!(send(&mut client, 1, To::All), Ok(1));
    assert_eq!(reached, [(2, 1), (2, 9), (2, 9), (2, 9), (1, 1)]);
    assert!(tick(&mut client, 0).is_empty(), "clients do not shake hands");
}

#[test]
fn mistakes_of_a_table_name_the_message_and_the_cure() {
    let bytes = || Schema::of_type(VariantType::PackedByteArray);
    let items = |schema: Schema| form_of(&Schema::dict([("items", schema)]));
    let unbounded = || Message { form: items(bytes()), ..message("chat", Sender::Client) };
    let large = || Message {
        form: items(bytes().min_size(1300u64).max_size(1300u64)),
        mode: Mode::Unreliable,
        ..message("aim", Sender::Both)
    };
    let state = Some(History { entries: 1, most_packet_bytes: 1, parts: None });
    for (messages, words) in [
        (vec![message("", Sender::Both)], "it has no name"),
        (vec![message("a", Sender::Both), message("a", Sender::Both)], "this name stands twice"),
        (vec![unbounded()], "chat.items has no largest size"),
        (vec![large()], "it can reach 1300 bytes"),
        (vec![Message { relay: true, ..message("a", Sender::Client) }], "relayed"),
        (vec![Message { state, ..message("a", Sender::Client) }], "a state is sent by the server"),
        (
            vec![Message {
                state: Some(History { entries: 33, most_packet_bytes: 1, parts: None }),
                ..message("a", Sender::Server)
            }],
            "a state keeps 1 to 32 entries of history",
        ),
        (vec![Message { id: Some(0), ..message("a", Sender::Both) }], "its id is 0"),
        (vec![Message { id: Some(LARGEST_ID + 1), ..message("a", Sender::Both) }], "its id is 4097"),
        (vec![Message { id: Some(5), ..message("a", Sender::Both) }], "reserved"),
        (
            vec![message("a", Sender::Both), Message { id: Some(6), ..message("b", Sender::Both) }],
            "its id 6 is the id of \"a\"",
        ),
    ] {
        let error = Table::new(messages, &[5], 1200).unwrap_err();
        assert!(error.first().message.contains(words), "{error}");
    }
}

#[test]
fn the_largest_ids_have_a_form() {
    let many = (0..usize::from(LARGEST_ID)).map(|at| message(&at.to_string(), Sender::Both)).collect();
    let table = Table::new(many, &[], 1200).unwrap();
    assert_eq!((table.largest_id(), table.id("300")), (LARGEST_ID, Some(301)));
    let mut server = Protocol::new(table, Role::Server, Handshake::None, Policy::default(), 1);
    join(&mut server, 7);
    let mut packet = Vec::new();
    server.encode(301, &hp(5), &mut packet).unwrap();
    assert_eq!(packet, [251, 50, 5, 0]);
    assert_eq!(receive(&mut server, 7, &packet, 0), [Ok((Event::Message { id: 301 }, hp(5)))]);
}
