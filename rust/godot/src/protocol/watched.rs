//! Remembers what a protocol sent and received since the last tick, for the editor's panel. It is off where no debugger is.

use std::collections::BTreeMap;

/// Messages that are remembered between two ticks. All are counted.
const MOST_RECENT: usize = 16;
/// The time between two summaries, in microseconds.
const EVERY: u64 = 1_000_000;

/// Holds what happened since it was taken last.
#[derive(Default)]
pub(crate) struct TrafficLog {
    pub(crate) is_on: bool,
    recent: Vec<MessageRecord>,
    traffic: BTreeMap<String, Traffic>,
    summed_at: u64,
}

pub(crate) struct MessageRecord {
    /// The message's name, or an empty text where nobody knows it.
    pub(crate) name: String,
    pub(crate) is_sent: bool,
    /// The peer that sent it, or that it was sent to; 0 for several.
    pub(crate) peer: i32,
    /// The bytes on the wire, for one peer.
    pub(crate) size: usize,
    /// The value in Godot's binary format, or the packet as it came where it was refused.
    pub(crate) bytes: Vec<u8>,
    pub(crate) reason: String,
}

/// Counts the messages of one name in both directions, for all peers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Traffic {
    pub(crate) received: u64,
    pub(crate) received_bytes: u64,
    pub(crate) sent: u64,
    pub(crate) sent_bytes: u64,
    pub(crate) refused: u64,
}

impl TrafficLog {
    /// Notes a message that goes to this many peers. `seen` is made only where somebody watches.
    pub(crate) fn note(&mut self, peers: usize, seen: impl FnOnce() -> MessageRecord) {
        if !self.is_on {
            return;
        }
        let seen = seen();
        let size = u64::try_from(seen.size).unwrap_or(u64::MAX);
        let peers = u64::try_from(peers).unwrap_or(u64::MAX);
        let traffic = self.traffic.entry(seen.name.clone()).or_default();
        if !seen.reason.is_empty() {
            traffic.refused = traffic.refused.saturating_add(1);
        } else if seen.is_sent {
            traffic.sent = traffic.sent.saturating_add(peers);
            traffic.sent_bytes = traffic.sent_bytes.saturating_add(size.saturating_mul(peers));
        } else {
            traffic.received = traffic.received.saturating_add(1);
            traffic.received_bytes = traffic.received_bytes.saturating_add(size);
        }
        if self.recent.len() < MOST_RECENT {
            self.recent.push(seen);
        }
    }

    pub(crate) fn take_recent(&mut self) -> Vec<MessageRecord> {
        std::mem::take(&mut self.recent)
    }

    /// Takes the counts, once a second.
    pub(crate) fn take_traffic(&mut self, now: u64) -> Option<BTreeMap<String, Traffic>> {
        if !self.is_on || now.saturating_sub(self.summed_at) < EVERY {
            return None;
        }
        self.summed_at = now;
        Some(std::mem::take(&mut self.traffic))
    }
}

#[cfg(test)]
mod tests {
    use super::{EVERY, MOST_RECENT, MessageRecord, Traffic, TrafficLog};

    fn seen(name: &str, is_sent: bool, reason: &str) -> MessageRecord {
        let (name, reason) = (name.to_owned(), reason.to_owned());
        MessageRecord { name, is_sent, peer: 7, size: 10, bytes: Vec::new(), reason }
    }

    #[test]
    fn nothing_is_kept_where_nobody_watches() {
        let mut watched = TrafficLog::default();
        watched.note(1, || unreachable!("it is made"));
        assert!(watched.take_recent().is_empty() && watched.take_traffic(EVERY).is_none());
    }

    #[test]
    fn all_is_counted_and_a_bounded_number_is_kept() {
        let mut watched = TrafficLog { is_on: true, ..TrafficLog::default() };
        for _ in 0..100 {
            watched.note(3, || seen("move", true, ""));
            watched.note(1, || seen("move", false, ""));
            watched.note(1, || seen("move", false, "wrong"));
        }
        assert_eq!(watched.take_recent().len(), MOST_RECENT);
        assert!(watched.take_recent().is_empty());
        let counts =
            Traffic { received: 100, received_bytes: 1000, sent: 300, sent_bytes: 3000, refused: 100 };
        let traffic = watched.take_traffic(EVERY).unwrap();
        assert_eq!(traffic.get("move"), Some(&counts));
        assert!(watched.take_traffic(EVERY + 1).is_none(), "a second has to pass");
        assert!(watched.take_traffic(2 * EVERY).unwrap().is_empty());
    }
}
