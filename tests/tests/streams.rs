//! Checks streams of golden, malformed and mutated messages, cut in every way: each message gives what it
//! gives alone. Its entries give that one by one. There are 20 000 streams by default, 2 000 000 with
//! `VARIANT_LONG=1`.

use std::env;

use variant_core::{Framing, Limits, Rules};
use variant_testkit::mutate::Mutator;
use variant_testkit::properties::RULES;
use variant_testkit::streams::{enough_bytes, entries_agree, stream_agrees};
use variant_testkit::targets;
use variant_testkit::{golden, malformed};

fn messages() -> Vec<Vec<u8>> {
    let rows = malformed::rows().into_iter().map(|row| row.bytes);
    golden::seeds().into_iter().chain(rows).collect()
}

#[test]
fn every_recorded_message_in_one_stream() {
    let messages = messages();
    let stream: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
    assert!(stream.len() > 600, "{} messages", stream.len());
    for rules in &RULES {
        for (framing, lengths) in [
            (Framing::U32, &[1][..]),
            (Framing::U32Be, &[3, 1, 700]),
            (Framing::Varint, &[1, 2]),
            (Framing::U32, &[1 << 20]),
        ] {
            for turn in [0, 1] {
                stream_agrees(&stream, &enough_bytes(rules, &stream, turn), framing, lengths);
            }
        }
    }
}

#[test]
fn every_recorded_message_entry_by_entry() {
    for message in messages() {
        for rules in &RULES {
            for length in [1, 5, 1 << 20] {
                for turn in [0, 1] {
                    let message = message.as_slice();
                    entries_agree(message, &enough_bytes(rules, &[message], turn), &[length]);
                }
            }
        }
    }
}

#[test]
fn mutated_streams() {
    let streams =
        if env::var_os("VARIANT_LONG").is_some_and(|value| value != "0") { 2_000_000 } else { 20_000 };
    let mut mutator = Mutator::new(20_240, messages());
    let mut stream = Vec::new();
    for _ in 0..streams {
        mutator.fill(&mut stream);
        targets::framing(&stream);
    }
}

/// Tests a message that declares more than its frame has, and more than `max_bytes`: the frame's end is
/// reported first.
#[test]
fn what_a_frame_has_not_is_missing() {
    let limits = Limits { max_bytes: 224, ..Limits::network() };
    let message = [4, 0, 0, 0, 0x68, 0x70, 0, 0, 0, 0, 0, 0];
    for (framing, lengths) in
        [(Framing::U32, &[1][..]), (Framing::U32Be, &[5]), (Framing::Varint, &[1]), (Framing::U32, &[64])]
    {
        stream_agrees(&[&message, &[0; 4]], &Rules::safe(limits), framing, lengths);
        entries_agree(&[&[28, 0, 0, 0, 1, 0, 0, 0][..], &message].concat(), &Rules::safe(limits), lengths);
    }
}
