//! Lets all walks that need not be fast share one function: their sinks are called through a table.

use super::{Refusal, Sink};
use crate::token::{Container, Leaf, Text};
use crate::wire::Cost;

/// A sink that makes nothing of values and containers, for [`Walker::visit`](crate::Walker::visit). Every [`Sink`] without
/// output and frames is one.
pub trait Visit {
    /// Does what [`Sink::leaf`] does.
    fn leaf(&mut self, at: u64, leaf: Leaf<'_>) -> Result<(), Refusal>;
    /// Does what [`Sink::open`] does.
    fn open(&mut self, at: u64, container: Container<'_>, reserve: usize) -> Result<(), Refusal>;
    /// Does what [`Sink::text`] does.
    fn text(&mut self, text: Text<'_>) -> Result<(), Refusal>;
    /// Does what [`Sink::key`] does.
    fn key(&mut self) -> Result<(), Refusal>;
    /// Does what [`Sink::item`] does.
    fn item(&mut self) -> Result<(), Refusal>;
    /// Does what [`Sink::close`] does.
    fn close(&mut self) -> Result<(), Refusal>;
    /// Does what [`Sink::adds`] does.
    fn adds(&mut self) -> (u64, Cost);
    /// Does what [`Sink::key_hash`] does.
    fn key_hash(&self) -> Option<u32>;
}

impl<S: Sink<Output = (), Frame = ()>> Visit for S {
    fn leaf(&mut self, at: u64, leaf: Leaf<'_>) -> Result<(), Refusal> {
        const { assert!(!S::FILLS_TABLES, "the walker would not learn of the tables") };
        Sink::leaf(self, at, leaf)
    }

    fn open(&mut self, at: u64, container: Container<'_>, reserve: usize) -> Result<(), Refusal> {
        Sink::open(self, at, container, reserve)
    }

    fn text(&mut self, text: Text<'_>) -> Result<(), Refusal> {
        Sink::text(self, &mut (), text)
    }

    fn key(&mut self) -> Result<(), Refusal> {
        Sink::key(self, &mut (), ())
    }

    fn item(&mut self) -> Result<(), Refusal> {
        Sink::item(self, &mut (), ())
    }

    fn close(&mut self) -> Result<(), Refusal> {
        Sink::close(self, ())
    }

    fn adds(&mut self) -> (u64, Cost) {
        Sink::adds(self)
    }

    fn key_hash(&self) -> Option<u32> {
        Sink::key_hash(self, &())
    }
}

/// The sink of a visit.
pub(crate) struct Visitor<'v>(pub(crate) &'v mut dyn Visit);

impl Sink for Visitor<'_> {
    type Output = ();
    type Frame = ();

    fn leaf(&mut self, at: u64, leaf: Leaf<'_>) -> Result<(), Refusal> {
        self.0.leaf(at, leaf)
    }

    fn open(&mut self, at: u64, container: Container<'_>, reserve: usize) -> Result<(), Refusal> {
        self.0.open(at, container, reserve)
    }

    fn text(&mut self, (): &mut (), text: Text<'_>) -> Result<(), Refusal> {
        self.0.text(text)
    }

    fn key(&mut self, (): &mut (), (): ()) -> Result<(), Refusal> {
        self.0.key()
    }

    fn item(&mut self, (): &mut (), (): ()) -> Result<(), Refusal> {
        self.0.item()
    }

    fn close(&mut self, (): ()) -> Result<(), Refusal> {
        self.0.close()
    }

    fn adds(&mut self) -> (u64, Cost) {
        self.0.adds()
    }

    fn key_hash(&self, (): &()) -> Option<u32> {
        self.0.key_hash()
    }
}
