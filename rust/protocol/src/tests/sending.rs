//! Tests what is sent: messages, batches, states and their deltas.

use super::{BAD, MOVE, WORLD, client, message, receive, server, table};
use crate::{
    Event, Handshake, History, LARGEST_ID, Message, Mode, Offence, Policy, Protocol, Role, SERVER, SendError,
    Sender, Table,
};

/// Calls `make` and returns all that it sends.
fn carried(make: impl FnOnce(&mut dyn FnMut(i32, &[u8], Mode))) -> Vec<(i32, Vec<u8>)> {
    let mut packets = Vec::new();
    make(&mut |peer, bytes, _| packets.push((peer, bytes.to_vec())));
    packets
}

#[test]
fn only_what_the_receiver_takes_is_sent() {
    let (server, client) = (server(), client());
    let mut out = vec![9];
    assert_eq!(client.encode(1, &[5, 6], &mut out), Ok(Mode::Reliable));
    assert_eq!(out, [9, MOVE, 5, 6]);
    for (protocol, id, value, expected) in [
        (&server, 1, &[5][..], SendError::WrongDirection),
        (&client, 3, &[5], SendError::WrongDirection),
        (&client, 99, &[5], SendError::UnknownMessage),
        (&server, 4, &[5], SendError::UnknownMessage),
        (&client, 0, &[5], SendError::UnknownMessage),
    ] {
        let mut out = vec![9];
        assert_eq!(protocol.encode(id, value, &mut out), Err(expected), "{id}");
        assert_eq!(out, [9]);
    }
    let mut out = vec![9];
    assert!(matches!(client.encode(1, &[BAD], &mut out), Err(SendError::Unfit(_))));
    assert_eq!(out, [9]);
}

#[test]
fn queued_messages_go_in_one_packet() {
    let (mut server, mut client) = (server(), client());
    for value in 0..20u8 {
        client.queue(2, &[value, 0], &[SERVER]).unwrap();
    }
    let packets = carried(|carry| client.flush(carry));
    assert_eq!(packets.len(), 1);
    let events = receive(&mut server, 7, &packets[0].1, 0);
    let values: Vec<u8> = events.into_iter().map(|event| event.unwrap().1[0]).collect();
    assert_eq!(values, (0..20).collect::<Vec<u8>>());
    assert!(carried(|carry| client.flush(carry)).is_empty());
    assert_eq!(client.queue(2, &[1], &[55]), Err(SendError::UnknownPeer(55)));
}

#[test]
fn batches_are_cut_by_size_and_by_mode_and_the_queue_is_bounded() {
    let unreliable = Message { mode: Mode::Unreliable, ..message("aim", Sender::Both) };
    let table = Table::new(vec![message("chat", Sender::Both), unreliable], &[], 1200).unwrap();
    let policy = Policy { most_datagram_bytes: 100, most_packet_bytes: 400, ..Policy::default() };
    let mut client = Protocol::new(table, Role::Client, Handshake::None, policy);
    client.connect(SERVER, 0);
    for _ in 0..40 {
        client.queue(1, &[1; 30], &[SERVER]).unwrap();
        client.queue(2, &[2; 30], &[SERVER]).unwrap();
    }
    let mut sizes = Vec::new();
    client.flush(&mut |_, bytes, mode| sizes.push((mode, bytes.len())));
    let count = |mode| sizes.iter().filter(|(of, _)| *of == mode).count();
    assert_eq!((count(Mode::Reliable), count(Mode::Unreliable)), (4, 14));
    assert!(sizes.iter().all(|(mode, size)| *size <= if *mode == Mode::Reliable { 400 } else { 100 }));
    let full = (0..100_000).find(|_| client.queue(1, &[1; 60], &[SERVER]).is_err());
    assert!(full.is_some_and(|count| (10_000..20_000).contains(&count)), "{full:?}");
    assert!(client.kept_bytes() <= 1 << 20);
}

#[test]
fn a_state_goes_in_full_and_then_as_deltas_on_what_was_acknowledged() {
    let (mut server, mut client) = (server(), client());
    let mut state = vec![1u8; 40];
    let send = |server: &mut Protocol, state: &[u8]| {
        let mut packets = carried(|carry| server.send_state(4, state, &[7], carry).unwrap());
        assert_eq!(packets.len(), 1);
        packets.remove(0).1
    };
    let first = send(&mut server, &state);
    assert_eq!(first[..4], [WORLD, 1, 0, 0]);
    assert_eq!(first.len(), 44);
    state[3] = 9;
    assert_eq!(send(&mut server, &state).len(), 44, "nothing is acknowledged");
    assert_eq!(receive(&mut client, SERVER, &first, 0), [Ok((Event::State { id: 4, seq: 1 }, vec![1; 40]))]);
    let acks = carried(|carry| client.tick(0, carry));
    assert_eq!(acks, [(SERVER, vec![0, 2, WORLD, 1, 0, 0, 0, 0, 0])]);
    assert!(receive(&mut server, 7, &acks[0].1, 0).is_empty());
    assert!(carried(|carry| client.tick(1, carry)).is_empty(), "one acknowledgement for each state");
    state[4] = 8;
    let third = send(&mut server, &state);
    assert_eq!(third[..4], [WORLD, 3, 0, 2]);
    assert_eq!(third.len(), 4 + 2 + 4);
    assert_eq!(
        receive(&mut client, SERVER, &third, 0),
        [Ok((Event::State { id: 4, seq: 3 }, state.clone()))]
    );
    assert!(receive(&mut client, SERVER, &third, 0).is_empty(), "twice is late, not wrong");
    assert_eq!(client.counts().late, 1);
}

#[test]
fn a_lost_baseline_asks_for_a_full_state() {
    let (mut server, mut client) = (server(), client());
    let mut packets = carried(|carry| server.send_state(4, &[1; 40], &[7], carry).unwrap());
    receive(&mut client, SERVER, &packets.remove(0).1, 0);
    for (_, ack) in carried(|carry| client.tick(0, carry)) {
        receive(&mut server, 7, &ack, 0);
    }
    // The client starts anew; the server does not know.
    let mut client = super::client();
    let delta = carried(|carry| server.send_state(4, &[2; 40], &[7], carry).unwrap()).remove(0).1;
    // All bytes changed, so that the full form is shorter; one byte makes a delta.
    assert_eq!(delta[3], 0);
    let mut state = [1; 40];
    state[0] = 3;
    let delta = carried(|carry| server.send_state(4, &[1; 40], &[7], carry).unwrap()).remove(0).1;
    assert_ne!(delta[3], 0);
    let refusal = receive(&mut client, SERVER, &delta, 0).remove(0).unwrap_err();
    assert_eq!(refusal.offence, Offence::LostBaseline);
    let asks = carried(|carry| client.tick(0, carry));
    assert_eq!(asks, [(SERVER, vec![0, 3, WORLD])]);
    assert!(receive(&mut server, 7, &asks[0].1, 0).is_empty());
    let full = carried(|carry| server.send_state(4, &state, &[7], carry).unwrap()).remove(0).1;
    assert_eq!(full[3], 0);
    assert!(receive(&mut client, SERVER, &full, 0)[0].is_ok());
    assert_eq!(server.score(7, 0), 0);
}

#[test]
fn peers_with_one_baseline_share_one_delta() {
    let mut server = server();
    server.connect(8, 0);
    server.greet(8);
    carried(|carry| server.send_state(4, &[1; 40], &[7, 8], carry).unwrap());
    for peer in [7, 8] {
        receive(&mut server, peer, &[0, 2, WORLD, 1, 0, 0, 0, 0, 0], 0);
    }
    let mut state = [1; 40];
    state[39] = 0;
    let packets = carried(|carry| server.send_state(4, &state, &[7, 8], carry).unwrap());
    assert_eq!(packets[0].1, packets[1].1);
    assert_eq!(packets[0].1.len(), 8);
}

#[test]
fn a_state_that_no_packet_carries_is_an_error_with_its_largest_part() {
    let mut server = server();
    let mut sent = 0;
    let error = server.send_state(4, &[1; 200], &[7], &mut |_, _, _| sent += 1).unwrap_err();
    assert_eq!(sent, 0);
    assert_eq!(
        error.to_string(),
        "the packet takes 204 bytes, and 120 are allowed; world.items is the largest part"
    );
    let mut peers = Vec::new();
    let outcome = server.send_state(4, &[1; 20], &[55, 7], &mut |peer, _, _| peers.push(peer));
    assert_eq!((outcome, peers), (Err(SendError::UnknownPeer(55)), vec![7]));
    assert_eq!(server.send_state(3, &[1], &[7], &mut |_, _, _| {}), Err(SendError::UnknownMessage));
}

#[test]
fn both_sides_greet_each_other_although_packets_are_lost() {
    for lost in 0..6u32 {
        let mut server = Protocol::new(table(), Role::Server, Handshake::Hello, Policy::default());
        let mut client = Protocol::new(table(), Role::Client, Handshake::Hello, Policy::for_client());
        server.connect(7, 0);
        client.connect(SERVER, 0);
        let (mut count, mut greeted) = (0u32, 0u32);
        for now in (0..10u64).map(|step| step * 400_000) {
            let ours = carried(|carry| server.tick(now, carry));
            let theirs = carried(|carry| client.tick(now, carry));
            let packets =
                ours.iter().map(|packet| (true, packet)).chain(theirs.iter().map(|packet| (false, packet)));
            for (to_client, (_, packet)) in packets {
                count += 1;
                if count <= lost {
                    continue;
                }
                let (side, from) = if to_client { (&mut client, SERVER) } else { (&mut server, 7) };
                greeted += u32::try_from(receive(side, from, packet, now).len()).unwrap();
            }
        }
        assert!(server.is_greeted(7) && client.is_greeted(SERVER), "{lost}");
        assert_eq!(greeted, 2, "each side is told once");
        assert!(count <= lost + 6, "{count} packets: nobody answers answers");
    }
}

#[test]
fn mistakes_of_a_table_name_the_message_and_the_cure() {
    let unbounded = || Message {
        form: std::sync::Arc::new(super::Plain { hash: 1, most: None }),
        ..message("chat", Sender::Client)
    };
    let large = || Message {
        form: std::sync::Arc::new(super::Plain { hash: 1, most: Some(1300) }),
        mode: Mode::Unreliable,
        ..message("aim", Sender::Both)
    };
    let state = Some(History { entries: 1, most_packet_bytes: 1 });
    for (messages, words) in [
        (vec![message("", Sender::Both)], "it has no name"),
        (vec![message("a", Sender::Both), message("a", Sender::Both)], "this name stands twice"),
        (vec![unbounded()], "chat.items has no largest size"),
        (vec![large()], "it can reach 1300 bytes"),
        (vec![Message { relay: true, ..message("a", Sender::Client) }], "relayed"),
        (vec![Message { state, ..message("a", Sender::Client) }], "a state is sent by the server"),
        (vec![Message { id: Some(0), ..message("a", Sender::Both) }], "its id is 0"),
        (vec![Message { id: Some(LARGEST_ID + 1), ..message("a", Sender::Both) }], "its id is 4097"),
        (vec![Message { id: Some(5), ..message("a", Sender::Both) }], "reserved"),
        (
            vec![message("a", Sender::Both), Message { id: Some(6), ..message("b", Sender::Both) }],
            "its id 6 is the id of \"a\"",
        ),
    ] {
        let error = Table::new(messages, &[5], 1200).unwrap_err();
        assert!(error.words.contains(words), "{error}");
    }
    let many = (0..usize::from(LARGEST_ID)).map(|at| message(&at.to_string(), Sender::Both)).collect();
    let table = Table::new(many, &[], 1200).unwrap();
    assert_eq!((table.largest_id(), table.id("300")), (LARGEST_ID, Some(301)));
    let mut server = Protocol::new(table, Role::Server, Handshake::None, Policy::default());
    let mut packet = Vec::new();
    server.encode(301, &[5], &mut packet).unwrap();
    assert_eq!(packet, [251, 50, 5]);
    assert_eq!(receive(&mut server, 7, &packet, 0), [Ok((Event::Message { id: 301 }, vec![5]))]);
}
