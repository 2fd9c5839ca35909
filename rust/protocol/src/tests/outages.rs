//! Tests that the sequence of a state survives outages of any length: what arrives next is right, and nothing is wrong.

use super::{receive, server, state_to, tick};
use crate::{Event, Protocol, SERVER};

/// Sends a state, and gives it to the client where it is not lost. Returns whether the client took it.
fn pass(server: &mut Protocol, client: &mut Protocol, value: &[u8], is_lost: bool, now: u64) -> bool {
    let packet = state_to(server, 7, value, now);
    if is_lost {
        return false;
    }
    let got = receive(client, SERVER, &packet, now);
    match got.as_slice() {
        [Ok((Event::State { .. }, arrived))] => {
            assert_eq!(arrived, value, "a state that was never sent");
            true
        }
        [] => false,
        other => panic!("{other:?}"),
    }
}

fn acknowledge(server: &mut Protocol, client: &mut Protocol, is_lost: bool, now: u64) {
    for (_, packet) in tick(client, now) {
        if !is_lost {
            assert!(receive(server, 7, &packet, now).is_empty(), "{packet:?}");
        }
    }
}

/// A value of which a difference is shorter than all of it.
fn value(step: u32) -> Vec<u8> {
    super::value(u8::try_from(step % 199).unwrap(), &[9; 40])
}

/// Loses `lost` states, or the acknowledgements of as many.
fn outage(lost: u32, is_upwards: bool) {
    let (mut server, mut client) = (server(), super::client());
    for step in 0..50 {
        assert!(pass(&mut server, &mut client, &value(step), false, 0));
        acknowledge(&mut server, &mut client, false, 0);
    }
    for step in 50..50 + lost {
        pass(&mut server, &mut client, &value(step), !is_upwards, 0);
        acknowledge(&mut server, &mut client, true, 0);
    }
    for step in 50 + lost..150 + lost {
        assert!(pass(&mut server, &mut client, &value(step), false, 1_000_000), "{lost} lost, at {step}");
        acknowledge(&mut server, &mut client, false, 1_000_000);
    }
}

#[test]
fn the_state_after_an_outage_is_right() {
    for lost in [0, 1, 31, 32, 33, 100, 40_000, 65_500, 65_540, 200_000] {
        outage(lost, false);
        outage(lost, true);
    }
}
