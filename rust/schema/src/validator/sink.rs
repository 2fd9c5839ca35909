//! Takes what the walker tells: each leaf and container is held to the node that is expected there.

use variant_core::token::{Container, Leaf, Text};
use variant_core::{Cost, ErrorKind, Refusal, Sink, VariantType};

use super::open::{ContainerForm, NextPart, OpenContainer};
use super::{Validator, declared};
use crate::judge;
use crate::program::{ANY, ShapeRules};

impl Sink for Validator<'_> {
    type Output = ();
    type Frame = ();

    /// Holds a value without its defaults to the limits as the one that decoding makes of it.
    fn adds(&mut self) -> (u64, Cost) {
        let may_fill = self.program.fills && self.scratch.passed == 0;
        if may_fill { self.filled_in() } else { (0, Cost::default()) }
    }

    fn leaf(&mut self, at: u64, leaf: Leaf<'_>) -> Result<(), Refusal> {
        if self.scratch.passed > 0 {
            return Ok(());
        }
        self.check_declared(at, leaf.ty())?;
        // A null object is null.
        let leaf = if leaf == Leaf::ObjectId(0) { Leaf::Nil } else { leaf };
        if self.scratch.top.turn == NextPart::Key {
            self.key_leaf(at, &leaf)?;
        } else {
            if self.scratch.top.choosing.is_some() {
                self.chosen(Some(&leaf))?;
            }
            let node = self.scratch.top.child;
            if let Err(kind) = judge::leaf(self.program, self.program.node(node), &leaf) {
                self.report_leaf(at, kind, node, &leaf)?;
            }
        }
        if self.scratch.unique > 0 {
            let digest = self.scratch.digester.leaf(&leaf);
            // To a Dictionary, a String and a StringName are one key.
            let counted = match (&leaf, self.scratch.top.turn) {
                (Leaf::Text(_, text), NextPart::Key) => {
                    self.scratch.digester.leaf(&Leaf::Text(VariantType::String, *text))
                }
                _ => digest,
            };
            self.join_as(at, digest, counted);
        }
        self.advance();
        Ok(())
    }

    fn open(&mut self, at: u64, container: Container<'_>, _: usize) -> Result<(), Refusal> {
        if self.scratch.passed > 0 {
            self.scratch.passed = self.scratch.passed.saturating_add(1);
            return Ok(());
        }
        self.opened(at, &container)
    }

    fn text(&mut self, (): &mut (), text: Text<'_>) -> Result<(), Refusal> {
        if self.scratch.passed > 0 { Ok(()) } else { self.text_of_list(&text) }
    }

    fn close(&mut self, (): ()) -> Result<(), Refusal> {
        match self.scratch.passed {
            0 => return self.closed(),
            1 => self.advance(),
            _ => {}
        }
        self.scratch.passed = self.scratch.passed.saturating_sub(1);
        Ok(())
    }
}

impl Validator<'_> {
    /// A container that is not passed over opens.
    fn opened(&mut self, at: u64, container: &Container<'_>) -> Result<(), Refusal> {
        self.check_declared(at, container.ty())?;
        if self.scratch.top.turn == NextPart::Key {
            self.key_container(at, container)?;
        } else if self.scratch.top.choosing.is_some() {
            // A value with children tells nothing.
            self.chosen(None)?;
        }
        let expected = self.expected();
        let node = match self.resolve(expected, container) {
            Ok(node) if declared::fits(self.program, node, container) => node,
            Ok(node) => {
                let program = self.program;
                self.report(at, ErrorKind::WrongType, || declared::words(program, node, container))?;
                ANY
            }
            Err(kind) => {
                self.report_container(at, kind, expected, container)?;
                ANY
            }
        };
        if self.is_passed(node) {
            self.scratch.passed = 1;
        } else {
            self.enter(node, at, container);
        }
        Ok(())
    }

    /// A text of packed strings or of a NodePath.
    fn text_of_list(&mut self, text: &Text<'_>) -> Result<(), Refusal> {
        if self.scratch.unique > 0 {
            let digest = self.scratch.digester.text(text.as_str());
            self.join(0, digest);
        }
        let node = self.scratch.top.node;
        if let ShapeRules::PackedStrings(texts) = &self.program.node(node).what
            && let Err(kind) = judge::text(texts, text)
        {
            let at = self.scratch.top.at;
            self.report_leaf(at, kind, node, &Leaf::Text(VariantType::String, *text))?;
        }
        if self.scratch.top.form == ContainerForm::List {
            self.scratch.top.done = self.scratch.top.done.saturating_add(1);
        }
        Ok(())
    }

    /// A container that was not passed over closes.
    fn closed(&mut self) -> Result<(), Refusal> {
        self.check_unique()?;
        let keys = self.counted_keys();
        let OpenContainer { at, digest, name, seen, node, .. } = self.scratch.top;
        self.scratch.top = self.scratch.around.pop().unwrap_or_default();
        self.scratch.names.truncate(name);
        self.check_missing(node, seen, at)?;
        if let Some(count) = keys {
            self.check_keys(node, at, count)?;
        }
        self.scratch.seen.truncate(seen);
        if self.scratch.unique > 0 {
            self.join(at, digest);
        }
        self.advance();
        Ok(())
    }
}
