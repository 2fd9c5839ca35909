//! Makes values of which only their bytes can tell whether packing makes them, and those that are nothing but bytes.

use variant_core::cursor::Cursor;
use variant_core::token::{Container, ContainerType, Writer};
use variant_core::{ErrorKind, Limits, Rules, Skip, Step, Target, Walker};

use super::{Maker, low};
use crate::build::Build;
use crate::fault::{Fault, Outcome};
use crate::layout::Wire;
use crate::text::{Chars, length, pull_bytes, size};
use crate::unions;

impl<'l, B: Build> Maker<'l, B> {
    fn open(&mut self, container: &Container<'_>) -> Outcome<()> {
        Writer::new(self.bytes()?, Target::default()).open(container);
        Ok(())
    }

    pub(super) fn rare(&mut self, wire: &'l Wire, start: usize) -> Outcome<()> {
        match wire {
            Wire::Map { key, value, .. } | Wire::KeyedMap { key, value, .. } => {
                let none = ContainerType::None;
                let count = self.next();
                self.open(&Container::Dictionary { key: none, value: none, count: low(count) })?;
                (0..count).try_for_each(|at| {
                    self.value(*key).map_err(|fault| fault.below(Step::KeyOf(at)))?;
                    self.value(*value).map_err(|fault| fault.below(Step::Entry(at)))
                })
            }
            Wire::Union { alternatives, tell, .. } => {
                let code = self.at;
                let number = self.next();
                let Some(node) = alternatives.get(size(number)) else {
                    return Err(self.fault(ErrorKind::NoAlternative));
                };
                self.value(*node)?;
                let layout = self.layout;
                let made = Cursor::new(self.bytes()?.get(start..).unwrap_or_default());
                match unions::choose(layout, alternatives, tell.as_deref(), made) {
                    Some((chosen, _)) if chosen == number => Ok(()),
                    _ => Err(Fault::new(ErrorKind::NotCanonical, length(code))),
                }
            }
            Wire::NodePath => self.node_path(),
            Wire::Strings { chars, .. } => self.strings(chars),
            _ => self.any(start),
        }
    }

    fn strings(&mut self, chars: &Chars) -> Outcome<()> {
        let count = self.next();
        self.open(&Container::PackedStrings { count: low(count) })?;
        for at in 0..count {
            let count = self.next();
            let codes = self.many(chars.rest(count));
            let mut text = Vec::new();
            chars.make(count, codes, &mut text);
            let text = self.checked(&text).map_err(|fault| fault.below(Step::Index(at)))?;
            Writer::new(self.bytes()?, Target::default()).terminated(text);
            self.written().map_err(|kind| self.fault(kind))?;
        }
        Ok(())
    }

    fn node_path(&mut self) -> Outcome<()> {
        let (absolute, names, subnames) = (self.next() == 1, low(self.next()), low(self.next()));
        self.open(&Container::NodePath { absolute, names, subnames })?;
        for _ in 0..names.saturating_add(subnames) {
            let count = self.next();
            let codes = self.many(size(count.div_ceil(8)));
            let mut text = Vec::new();
            pull_bytes(count, codes, &mut text);
            let text = self.checked(&text)?;
            Writer::new(self.bytes()?, Target::default()).text(text);
            self.written().map_err(|kind| self.fault(kind))?;
        }
        Ok(())
    }

    /// Whole bytes of one value, and nothing else.
    fn any(&mut self, start: usize) -> Outcome<()> {
        let code = self.at;
        let count = self.next();
        let codes = self.many(size(count.div_ceil(8)));
        let limits = self.limits;
        let out = self.bytes()?;
        pull_bytes(count, codes, out);
        let rules = Rules::safe(Limits { max_bytes: u64::MAX, ..limits });
        let made = out.get(start..).unwrap_or_default();
        match Walker::new().decode(made, &rules, &mut Skip) {
            Ok(_) => Ok(()),
            Err(error) => Err(Fault::new(error.kind(), length(code))),
        }
    }
}
