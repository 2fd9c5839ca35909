//! Tests that peers cost bounded memory, whoever they are.

use super::{CHAT, MOVE, WORLD, join, packet, receive, server, side};
use crate::{Event, Handshake, Offence, Policy, Protocol, Role, SERVER};

fn lonely_server(most_strangers: usize) -> Protocol {
    let policy = Policy { most_strangers, ..Policy::default() };
    side(Role::Server, Handshake::None, policy)
}

#[test]
fn strangers_cost_bounded_memory_and_the_quietest_goes_first() {
    let mut server = lonely_server(4096);
    join(&mut server, 2);
    for peer in 10..20_010 {
        receive(&mut server, peer, &packet(MOVE, 1), 0);
        // This stranger is heard all the time.
        if peer % 1000 == 0 {
            receive(&mut server, 5, &packet(CHAT, 1), 0);
        }
    }
    assert_eq!(server.peer_count(), 4096 + 1);
    assert!(server.peer_counts(5).is_some_and(|counts| counts.packets == 20));
    assert!(server.peer_counts(2).is_some(), "a connected peer is never pushed out");
    assert!(server.peer_counts(10).is_none());
    assert!(server.kept_bytes() <= 4097 * 4 * 16, "{}", server.kept_bytes());
    for peer in 0..20_010 {
        server.leave(peer, crate::LeaveReason::Closed);
    }
    assert_eq!((server.peer_count(), server.strangers.len()), (0, 0));
}

#[test]
fn strangers_become_peers_and_are_refused_where_none_are_wanted() {
    let mut server = lonely_server(1);
    receive(&mut server, 5, &packet(CHAT, 1), 0);
    join(&mut server, 5);
    for peer in 10..20 {
        receive(&mut server, peer, &packet(CHAT, 1), 0);
    }
    assert_eq!(server.peer_count(), 2);
    assert!(server.peer_counts(5).is_some());

    let mut server = lonely_server(0);
    let refusal = receive(&mut server, 5, &packet(CHAT, 1), 0).remove(0).unwrap_err();
    assert_eq!(refusal.offence, Offence::UnknownPeer);
    assert_eq!(server.peer_count(), 0);
}

#[test]
fn a_stranger_says_hello_and_no_more_until_it_is_connected() {
    for handshake in [Handshake::Hello, Handshake::Auth, Handshake::None] {
        let mut server = side(Role::Server, handshake, Policy::default());
        let hello = server.table().hello(9, 0);
        assert!(receive(&mut server, 5, &hello, 0).is_empty(), "nobody is told of a stranger");
        for packet in [packet(CHAT, 1), vec![0, 2, WORLD, 1, 0, 0, 0, 0, 0], vec![0, 3, WORLD]] {
            let refusal = receive(&mut server, 5, &packet, 0).remove(0).unwrap_err();
            assert_eq!(refusal.offence, Offence::UnknownPeer);
        }
        assert!(super::tick(&mut server, 0).is_empty(), "nobody said how to reach it");
        server.connect(5, 0).unwrap();
        let told = receive(&mut server, 5, &packet(CHAT, 1), 0);
        assert!(matches!(told[0], Ok((Event::Greeted { peer: 5 }, _))), "{told:?}");
        assert!(matches!(told[1], Ok((Event::Message { id: 2 }, _))), "{told:?}");
    }
}

#[test]
fn strangers_of_another_version_wait_in_no_list() {
    let mut server = side(Role::Server, Handshake::Hello, Policy::default());
    let other = crate::Table::new(vec![super::message("m", crate::Sender::Both)], &[], 1200).unwrap();
    for peer in 10..10_000 {
        receive(&mut server, peer, &other.hello(1, 0), 0);
    }
    assert_eq!((super::events(&mut server), server.peer_count()), (vec![], 4096));
    server.tick(0, &mut |_, _, _| ());
    assert_eq!((server.peer_count(), server.strangers.len()), (0, 0), "they were turned away");
    server.tick(4_000_000, &mut |_, _, _| ());
    assert_eq!(server.kept_bytes(), 0);
}

#[test]
fn received_states_cost_bounded_memory() {
    let mut client = super::client();
    for seq in 1..2000u16 {
        let mut packet = vec![WORLD];
        packet.extend(seq.to_le_bytes());
        packet.push(0);
        packet.extend(super::sent(1, &[3; 60]));
        let events = receive(&mut client, SERVER, &packet, 0);
        assert!(matches!(events[0], Ok((Event::State { .. }, _))));
        assert!(client.kept_bytes() <= 32 * 62 + 64);
    }
}

#[test]
fn a_thousand_hostile_connections_in_a_row_leave_nothing() {
    let mut server = server();
    let mut now = 0;
    for peer in 100..1100 {
        now += 100_000;
        join(&mut server, peer);
        while receive(&mut server, peer, &packet(super::SCORE, 1), now)
            .pop()
            .is_some_and(|last| last.is_err_and(|refusal| refusal.offence != Offence::Expelled))
        {}
        let mut left = Vec::new();
        for _ in 0..2 {
            server.tick(now, &mut |_, _, _| ());
            left.extend(super::events(&mut server));
        }
        assert!(matches!(left[..], [Event::Left { reason: crate::LeaveReason::ThrownOut, .. }]), "{left:?}");
        assert_eq!(server.peer_count(), 1);
    }
    assert!(server.kept_bytes() < 1000 * 40, "{}", server.kept_bytes());
    server.tick(now + 61_000_000, &mut |_, _, _| ());
    assert_eq!((server.peer_count(), server.kept_bytes(), server.strangers.len()), (1, 0, 0));
}
