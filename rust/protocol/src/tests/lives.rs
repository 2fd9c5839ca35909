//! Tests the ends of peers: each is told once, with its reason, and the other side learns it.

use super::{CHAT, SCORE, client, events, hp, join, message, packet, receive, server, side, table, tick};
use crate::{
    Event, Handshake, LeaveReason, Message, Mismatch, Offence, Policy, Protocol, Rate, Role, SERVER,
    SendError, Sender, Table, To,
};

const SECOND: u64 = 1_000_000;

fn left(peer: i32, reason: LeaveReason) -> Event {
    Event::Left { peer, reason, text: "".into() }
}

/// Ticks twice: what is said goes out first, and then the game is told.
fn ends(protocol: &mut Protocol, now: u64) -> Vec<Event> {
    tick(protocol, now);
    assert_eq!(events(protocol), [], "the other side is told first");
    tick(protocol, now);
    events(protocol)
}

/// Takes packets of one side to the other.
fn hear(protocol: &mut Protocol, peer: i32, packets: Vec<(i32, Vec<u8>)>, now: u64) {
    for (_, packet) in packets {
        // Events are looked at by `events`.
        let heard: Vec<Event> =
            receive(protocol, peer, &packet, now).into_iter().flatten().map(|(event, _)| event).collect();
        protocol.events.extend(heard);
    }
}

#[test]
fn a_peer_whose_connection_ends_has_left_once() {
    for reason in [LeaveReason::Closed, LeaveReason::TimedOut] {
        let mut server = server();
        server.leave(7, reason);
        server.leave(7, reason);
        assert_eq!(events(&mut server), [left(7, reason)]);
        assert_eq!((server.peer_count(), server.kept_bytes()), (0, 0));
        assert!(!reason.must_close());
    }
}

#[test]
fn who_is_thrown_out_has_left_and_stays_out_for_a_while() {
    let mut server = server();
    for _ in 0..4 {
        receive(&mut server, 7, &packet(SCORE, 1), 0);
    }
    assert_eq!(ends(&mut server, 0), [left(7, LeaveReason::ThrownOut)]);
    assert_eq!(server.peer_count(), 0);
    // Its connection is not closed yet, or it comes back at once.
    let refusal = receive(&mut server, 7, &packet(CHAT, 1), 0).remove(0).unwrap_err();
    assert_eq!((refusal.offence, refusal.tell, refusal.expel), (Offence::Expelled, false, false));
    assert_eq!(server.compare(&[7], 0), [7], "the transport still has it");
    assert_eq!(server.compare(&[], 0), [0; 0]);
    assert_eq!(
        server.connect(7, 0).unwrap_err().to_string(),
        "peer 7 was thrown out and stays out for a while"
    );
    tick(&mut server, 60 * SECOND);
    assert_eq!(server.connect(7, 60 * SECOND), Ok(()));
}

#[test]
fn a_kicked_client_hears_why() {
    let (mut server, mut client) = (server(), client());
    server.kick(7, "no cheating");
    server.kick(7, "the first reason counts");
    hear(&mut client, SERVER, tick(&mut server, 0), 0);
    tick(&mut server, 0);
    let told = |peer| Event::Left { peer, reason: LeaveReason::Kicked, text: "no cheating".into() };
    assert_eq!(events(&mut server), [told(7)]);
    tick(&mut client, 0);
    assert_eq!(events(&mut client), [told(SERVER)]);
    assert_eq!(
        client.send(2, &hp(1), To::All, 0, &mut |_, _, _| ()),
        Err(SendError::ThrownOut(SERVER)),
        "it was told, so that it does not go on sending"
    );
    // The model found it: who was kicked may join another server at once.
    assert_eq!(client.connect(SERVER, 0), Ok(()));
    let long = "ä".repeat(300);
    let mut server = super::server();
    server.kick(7, &long);
    assert!(tick(&mut server, 0)[0].1.len() <= 3 + 255);
}

#[test]
fn a_mismatch_is_told_on_both_sides_and_ends_the_connection() {
    let other = Table::new(vec![message("move", Sender::Client)], &[], 1200).unwrap();
    let mut server = side(Role::Server, Handshake::Hello, Policy::default());
    let mut client = Protocol::new(other, Role::Client, Handshake::Hello, Policy::for_client(), 5);
    server.connect(7, 0).unwrap();
    client.connect(SERVER, 0).unwrap();
    let hello = tick(&mut client, 0);
    hear(&mut server, 7, hello, 0);
    let answers = tick(&mut server, 0);
    assert_eq!(
        answers.iter().map(|(_, packet)| packet[1]).collect::<Vec<_>>(),
        [1, 5],
        "why, and then the end"
    );
    hear(&mut client, SERVER, answers, 0);
    let mut told = Vec::new();
    for (side, peer) in [(&mut server, 7), (&mut client, SERVER)] {
        for _ in 0..2 {
            tick(side, 0);
        }
        let [Event::Mismatched { mismatch, .. }, end] = &events(side)[..] else { panic!("{peer}") };
        assert_eq!(end, &left(peer, LeaveReason::OtherVersion));
        assert!(!side.is_greeted(peer));
        told.push(mismatch.names().join(" "));
    }
    assert_eq!(told, ["chat score world", ""]);
    assert_eq!(server.connect(7, 0), Ok(()), "it may come back with another version at once");
}

#[test]
fn a_mismatch_takes_back_what_was_agreed_on() {
    let mut client = client();
    let other = Table::new(vec![message("move", Sender::Client)], &[], 1200).unwrap();
    receive(&mut client, SERVER, &other.hello(77, 0), 0);
    assert!(!client.is_greeted(SERVER));
    let state = [super::WORLD, 1, 0, 0, 5, 0];
    assert!(
        receive(&mut client, SERVER, &state, 0)
            .iter()
            .all(|outcome| { outcome.as_ref().is_err_and(|refusal| refusal.offence == Offence::Expelled) })
    );
}

#[test]
fn a_peer_that_says_nothing_is_gone_after_its_time() {
    for handshake in [Handshake::Hello, Handshake::Auth] {
        let mut server = side(Role::Server, handshake, Policy::default());
        server.connect(7, SECOND).unwrap();
        for step in 1..15 {
            tick(&mut server, SECOND + step * 200_000);
        }
        assert_eq!(events(&mut server), []);
        assert_eq!(ends(&mut server, 4 * SECOND), [left(7, LeaveReason::Silent)]);
        assert_eq!(server.peer_count(), 0);
    }
    // While the game stalls, nobody can be heard.
    let mut server = side(Role::Server, Handshake::Hello, Policy::default());
    tick(&mut server, 0);
    server.connect(7, 0).unwrap();
    tick(&mut server, 60 * SECOND);
    assert_eq!(ends(&mut server, 60 * SECOND + 1), []);
    let mut server = side(Role::Server, Handshake::None, Policy::default());
    server.connect(7, 0).unwrap();
    tick(&mut server, 100 * SECOND);
    assert_eq!(events(&mut server), [Event::Greeted { peer: 7 }], "nobody asks for a handshake");
}

#[test]
fn a_hello_that_was_not_carried_is_due_again_at_once() {
    let mut client = side(Role::Client, Handshake::Hello, Policy::for_client());
    client.connect(SERVER, 0).unwrap();
    for frame in 0..300 {
        let now = frame * 20_000;
        assert_eq!(tick(&mut client, now).len(), 1, "the socket is not open yet");
        client.not_carried(SERVER, now);
    }
    assert_eq!(events(&mut client), [], "its time has not begun");
    assert_eq!(tick(&mut client, 6 * SECOND).len(), 1);
    assert_eq!(tick(&mut client, 6 * SECOND + 20_000).len(), 0);
}

#[test]
fn the_transports_list_counts() {
    let mut server = server();
    join(&mut server, 8);
    assert_eq!(server.compare(&[8, 9, 1, -4], 0), [0; 0]);
    assert_eq!(events(&mut server), [left(7, LeaveReason::Closed)]);
    let hello = server.table().hello(3, 0);
    receive(&mut server, 9, &hello, 0);
    assert!(server.listeners().eq([8, 9]), "who is new is connected");
    server.kick(8, "");
    assert_eq!(ends(&mut server, 0), [left(8, LeaveReason::Kicked)]);
    assert_eq!(
        server.compare(&[8, 9], 0),
        [8],
        "the engine lets nobody know of connections that it ended itself"
    );
}

#[test]
fn a_change_of_side_ends_all_that_was() {
    let mut game = side(Role::Server, Handshake::Hello, Policy::default());
    join(&mut game, 7);
    game.set_role(Role::Client, Policy::for_client());
    assert_eq!(events(&mut game), [left(7, LeaveReason::Closed)]);
    assert_eq!((game.role(), game.peer_count(), game.kept_bytes()), (Role::Client, 0, 0));
    game.connect(SERVER, 0).unwrap();
    assert_eq!(tick(&mut game, 0).len(), 1, "it says hello as a client");
}

#[test]
fn a_stall_throws_nobody_out() {
    for (stall, passes) in [(SECOND, true), (3 * SECOND, true), (60 * SECOND, false)] {
        let rate = Some(Rate::per_second(60, 20));
        let step = Message { rate, mode: crate::Mode::Unreliable, ..message("move", Sender::Client) };
        let table = Table::new(vec![step], &[], 1200).unwrap();
        let mut server = Protocol::new(table, Role::Server, Handshake::None, Policy::default(), 1);
        join(&mut server, 7);
        tick(&mut server, 10 * SECOND);
        // What came meanwhile is handed over within one frame.
        let now = 10 * SECOND + stall;
        let (mut taken, mut told) = (0, 0);
        for _ in 0..stall / 16_666 {
            match receive(&mut server, 7, &packet(1, 5), now).remove(0) {
                Ok(_) => taken += 1,
                Err(refusal) => {
                    assert_eq!((refusal.offence, refusal.expel), (Offence::RateLimited, false));
                    told += 1;
                }
            }
        }
        assert_eq!(server.score(7, now), 0.0);
        assert_eq!(told == 0, passes, "{taken} taken, {told} dropped");
        // After it, everything is as before.
        for frame in 0..100 {
            tick(&mut server, now + frame * 16_666);
        }
        let after = now + 100 * 16_666;
        let flood = (0..200).filter(|_| receive(&mut server, 7, &packet(1, 5), after)[0].is_ok()).count();
        assert_eq!(flood, 20);
        assert!(server.score(7, after) > 90.0);
    }
}

/// The model found it: a server that forgot a client, and stalled before both shook hands again, threw it out.
#[test]
fn packets_that_came_in_a_stall_before_the_handshake_cost_nothing() {
    let mut server = server();
    tick(&mut server, SECOND);
    server.leave(7, LeaveReason::Closed);
    server.connect(7, SECOND).unwrap();
    events(&mut server);
    for _ in 0..60 {
        let refusal = receive(&mut server, 7, &packet(CHAT, 1), 3 * SECOND).remove(0);
        assert!(refusal.is_err_and(|refusal| refusal.offence == Offence::NotGreeted && !refusal.expel));
    }
    assert_eq!(server.score(7, 3 * SECOND), 0.0);
}

#[test]
fn another_protocol_on_the_connection_costs_an_honest_client_nothing() {
    let mut server = server();
    for _ in 0..30 {
        let refusal = receive(&mut server, 7, &[0x00, 0x4E, 0x46, 1, 2, 3], 0).remove(0).unwrap_err();
        assert_eq!((refusal.offence, refusal.expel), (Offence::Foreign, false));
        assert!(refusal.words(None).contains("prefix"));
    }
    assert_eq!(server.score(7, 0), 0.0);
}

#[test]
fn a_message_that_nothing_handles_is_counted_and_told_once() {
    let mut server = server();
    assert!(server.unhandled(7, 2) && !server.unhandled(7, 2) && server.unhandled(7, 1));
    assert_eq!((server.counts().unhandled, server.peer_counts(7).unwrap().unhandled), (3, 3));
}

#[test]
fn a_handshake_that_the_game_carries_is_told_on_both_sides() {
    let (mut server, mut client) = (
        side(Role::Server, Handshake::Auth, Policy::default()),
        side(Role::Client, Handshake::Auth, Policy::for_client()),
    );
    let (ours, theirs) = (server.hello_to(7, 0).unwrap(), client.hello_to(SERVER, 0).unwrap());
    assert_eq!(server.take_hello(7, &theirs, 0), Ok(()));
    assert_eq!(client.take_hello(SERVER, &ours, 0), Ok(()));
    assert_eq!((events(&mut server), events(&mut client)), (vec![], vec![]), "they are not connected yet");
    server.connect(7, 0).unwrap();
    client.connect(SERVER, 0).unwrap();
    assert_eq!(events(&mut server), [Event::Greeted { peer: 7 }]);
    assert_eq!(events(&mut client), [Event::Greeted { peer: SERVER }]);
    assert!(tick(&mut server, 0).is_empty(), "nothing is said twice");

    let mut server = side(Role::Server, Handshake::Auth, Policy::default());
    let other = Table::new(vec![message("move", Sender::Client)], &[], 1200).unwrap();
    assert!(matches!(server.take_hello(7, &other.hello(3, 0), 0), Ok(())), "nobody was asked");
    server.hello_to(7, 0).unwrap();
    let mismatch = server.take_hello(7, &other.hello(3, 0), 0).unwrap_err();
    assert!(matches!(mismatch, Mismatch::Messages { .. }));
    assert!(matches!(events(&mut server)[..], [Event::Mismatched { peer: 7, .. }]));
    tick(&mut server, 0);
    assert_eq!(server.peer_count(), 0);
    assert_eq!(table().id("move"), Some(1));
}
