//! Keeps who is out: peers that were thrown out or whose connections are not closed yet.

use std::collections::{BTreeMap, VecDeque};

use crate::score::Policy;

/// How long a connection is ended again that was ended for a reason that passes, in microseconds.
const CLOSING: u64 = 3_000_000;

/// Keeps who is out: those that may not come back yet, and those whose connections are not closed yet.
#[derive(Debug, Default)]
pub(crate) struct Outside {
    until: BTreeMap<i32, (u64, bool)>,
    /// In the order in which they were put out.
    order: VecDeque<i32>,
}

impl Outside {
    pub(crate) fn put(&mut self, peer: i32, is_ban: bool, policy: &Policy, now: u64) {
        let time = if is_ban { policy.stay_out.max(CLOSING) } else { CLOSING };
        if self.until.insert(peer, (now.saturating_add(time), is_ban)).is_none() {
            self.order.push_back(peer);
        }
        while self.order.len() > policy.most_strangers.max(1) {
            let Some(oldest) = self.order.pop_front() else { return };
            self.until.remove(&oldest);
        }
    }

    pub(crate) fn has(&self, peer: i32) -> bool {
        self.until.contains_key(&peer)
    }

    pub(crate) fn stays_out(&self, peer: i32, now: u64) -> bool {
        self.until.get(&peer).is_some_and(|(until, is_ban)| *is_ban && now < *until)
    }

    pub(crate) fn remove(&mut self, peer: i32) {
        if self.until.remove(&peer).is_some() {
            self.order.retain(|other| *other != peer);
        }
    }

    pub(crate) fn purge(&mut self, now: u64) {
        if !self.until.is_empty() && self.until.values().any(|(until, _)| now >= *until) {
            self.until.retain(|_, (until, _)| now < *until);
            self.order.retain(|peer| self.until.contains_key(peer));
        }
    }

    pub(crate) fn kept_bytes(&self) -> usize {
        self.order.len().saturating_mul(size_of::<(i32, i32, u64, bool)>())
    }

    /// Takes note that a connection is closed. A peer that may not come back yet stays out.
    pub(crate) fn closed(&mut self, peer: i32) {
        if self.until.get(&peer).is_some_and(|(_, is_ban)| !is_ban) {
            self.remove(peer);
        }
    }

    /// Forgets those whose connections are closed, but for those who may not come back yet.
    pub(crate) fn keep_there(&mut self, there: &[i32]) {
        if !self.until.is_empty() {
            self.until.retain(|peer, (_, is_ban)| *is_ban || there.contains(peer));
            self.order.retain(|peer| self.until.contains_key(peer));
        }
    }
}
