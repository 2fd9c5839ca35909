//! Joins messages that wait for one peer to batches.

use std::collections::VecDeque;

use crate::table::Mode;
use crate::wire::{Control, put_control, put_count};

/// The most bytes that wait for one peer.
pub(crate) const MOST_WAITING: usize = 1 << 20;
/// The bytes of an empty batch.
const HEADER: usize = 2;

#[derive(Debug, Default)]
pub(crate) struct WaitingBatches {
    batches: VecDeque<(Mode, Vec<u8>)>,
    bytes: usize,
}

impl WaitingBatches {
    /// Adds a message to the newest batch of its mode. `false`: `most` bytes wait already.
    pub(crate) fn add(&mut self, mode: Mode, message: &[u8], most_packet_bytes: usize, most: usize) -> bool {
        let mut length = Vec::with_capacity(4);
        put_count(&mut length, message.len());
        let size = length.len().saturating_add(message.len());
        if self.bytes.saturating_add(size).saturating_add(HEADER) > most {
            return false;
        }
        let newest = self.batches.iter_mut().rev().find(|(of, _)| *of == mode);
        let fits = newest.filter(|(_, batch)| batch.len().saturating_add(size) <= most_packet_bytes);
        if let Some((_, batch)) = fits {
            batch.extend_from_slice(&length);
            batch.extend_from_slice(message);
        } else {
            let mut batch = Vec::new();
            put_control(&mut batch, Control::Batch);
            self.bytes = self.bytes.saturating_add(HEADER);
            batch.extend_from_slice(&length);
            batch.extend_from_slice(message);
            self.batches.push_back((mode, batch));
        }
        self.bytes = self.bytes.saturating_add(size);
        true
    }

    pub(crate) fn next_bytes(&self) -> Option<usize> {
        self.batches.front().map(|(_, batch)| batch.len())
    }

    pub(crate) fn take(&mut self) -> Option<(Mode, Vec<u8>)> {
        let (mode, batch) = self.batches.pop_front()?;
        self.bytes = self.bytes.saturating_sub(batch.len());
        Some((mode, batch))
    }

    pub(crate) const fn bytes(&self) -> usize {
        self.bytes
    }
}
