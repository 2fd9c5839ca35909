//! Tests that peers cost bounded memory, whoever they are.

use super::{CHAT, MOVE, WORLD, receive, table};
use crate::{Event, Handshake, Offence, Policy, Protocol, Role, SERVER};

#[test]
fn strangers_cost_bounded_memory_and_the_quietest_goes_first() {
    let mut server = Protocol::new(table(), Role::Server, Handshake::None, Policy::default());
    server.connect(2, 0);
    for peer in 10..20_010 {
        receive(&mut server, peer, &[MOVE, 1], 0);
        // This stranger is heard all the time.
        if peer % 1000 == 0 {
            assert!(receive(&mut server, 5, &[CHAT, 1], 0)[0].is_ok());
        }
    }
    assert_eq!(server.peer_count(), 4096 + 1);
    assert!(server.peer_counts(5).is_some_and(|counts| counts.messages == 20));
    assert!(server.peer_counts(2).is_some(), "a connected peer is never pushed out");
    assert!(server.peer_counts(10).is_none());
    assert!(server.kept_bytes() <= 4097 * 4 * 16, "{}", server.kept_bytes());
    for peer in 0..20_010 {
        server.forget(peer);
    }
    assert_eq!((server.peer_count(), server.strangers_kept()), (0, 0));
}

#[test]
fn strangers_become_peers_and_are_refused_where_none_are_wanted() {
    let policy = Policy { most_strangers: 1, ..Policy::default() };
    let mut server = Protocol::new(table(), Role::Server, Handshake::None, policy);
    receive(&mut server, 5, &[CHAT, 1], 0);
    server.connect(5, 0);
    for peer in 10..20 {
        receive(&mut server, peer, &[CHAT, 1], 0);
    }
    assert_eq!(server.peer_count(), 2);
    assert!(server.peer_counts(5).is_some());

    let policy = Policy { most_strangers: 0, ..Policy::default() };
    let mut server = Protocol::new(table(), Role::Server, Handshake::None, policy);
    let refusal = receive(&mut server, 5, &[CHAT, 1], 0).remove(0).unwrap_err();
    assert_eq!(refusal.offence, Offence::UnknownPeer);
    assert_eq!(server.peer_count(), 0);
}

#[test]
fn received_states_cost_bounded_memory() {
    let mut client = Protocol::new(table(), Role::Client, Handshake::None, Policy::for_client());
    for seq in 1..2000u16 {
        let mut packet = vec![WORLD];
        packet.extend(seq.to_le_bytes());
        packet.push(0);
        packet.resize(60_000, 3);
        let events = receive(&mut client, SERVER, &packet, 0);
        assert!(matches!(events[0], Ok((Event::State { .. }, _))));
        assert!(client.kept_bytes() <= 256 * 1024 + 1024);
    }
}
