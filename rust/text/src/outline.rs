//! Outline: the tree indented, each line with the bytes it takes and its share of the whole.

use std::io::{self, Write};

use variant_core::token::{Container, Leaf, Text};
use variant_core::{Error, Extent, Rules, Step};

use crate::brief::{Brief, children, container_name, type_name};
use crate::extent::leaf_end;
use crate::trail::{Trail, View, view};

/// Writes a line for each value, children below their containers, down to `depth` levels. Two walks: the
/// first measures the containers, 16 bytes each.
///
/// # Errors
/// The output's.
pub fn outline<W: Write>(
    bytes: &[u8],
    rules: &Rules,
    depth: usize,
    output: &mut W,
) -> io::Result<Result<Extent, Error>> {
    let mut measure = Measure { bytes, rules, open: Vec::new(), sizes: Vec::new(), end: 0 };
    let measured = view(bytes, rules, &mut measure)?;
    // Containers that an error left open end with the bytes that were read.
    while let Some((index, at)) = measure.open.pop() {
        measure.sizes[index] = measure.end.saturating_sub(at);
    }
    let mut outline = Outline { bytes, rules, depth, output, sizes: measure.sizes.into_iter() };
    let verdict = view(bytes, rules, &mut outline)?;
    debug_assert_eq!(measured, verdict, "the same walk");
    Ok(verdict)
}

/// The size of every container, in the order in which they open.
struct Measure<'d> {
    bytes: &'d [u8],
    rules: &'d Rules,
    /// Number and offset of the containers that are not closed.
    open: Vec<(usize, u64)>,
    sizes: Vec<u64>,
    /// The end of what was read last.
    end: u64,
}

impl View for Measure<'_> {
    fn leaf(&mut self, _: &Trail, at: u64, leaf: &Leaf<'_>) -> io::Result<()> {
        self.end = leaf_end(self.bytes, at, leaf.ty(), self.rules);
        Ok(())
    }

    fn open(&mut self, _: &Trail, at: u64, container: &Container<'_>) -> io::Result<()> {
        self.open.push((self.sizes.len(), at));
        self.sizes.push(0);
        self.end = crate::extent::opening_end(self.bytes, at, container);
        Ok(())
    }

    fn text(&mut self, _: &Trail, _: Text<'_>) -> io::Result<()> {
        self.end = crate::extent::text_end(self.bytes, self.end);
        Ok(())
    }

    fn close(&mut self, _: &Trail) -> io::Result<()> {
        if let Some((index, at)) = self.open.pop() {
            self.sizes[index] = self.end.saturating_sub(at);
        }
        Ok(())
    }
}

struct Outline<'d, W> {
    bytes: &'d [u8],
    rules: &'d Rules,
    depth: usize,
    output: &'d mut W,
    sizes: std::vec::IntoIter<u64>,
}

impl<W: Write> Outline<'_, W> {
    fn line(&mut self, trail: &Trail, size: u64, what: &str) -> io::Result<()> {
        if trail.depth() > self.depth || trail.is_key() {
            return Ok(());
        }
        write!(self.output, "{size:>10}  {:indent$}", "", indent = trail.depth() * 2)?;
        match trail.path().0.last() {
            None => writeln!(self.output, "{what}"),
            Some(step) => {
                let name = variant_core::Path(vec![step.clone()]);
                writeln!(
                    self.output,
                    "{name}{} {what}",
                    if matches!(step, Step::Index(_)) { "" } else { ":" }
                )
            }
        }
    }
}

impl<W: Write> View for Outline<'_, W> {
    fn leaf(&mut self, trail: &Trail, at: u64, leaf: &Leaf<'_>) -> io::Result<()> {
        let size = leaf_end(self.bytes, at, leaf.ty(), self.rules).saturating_sub(at);
        self.line(trail, size, &format!("{} {}", type_name(leaf), Brief(leaf)))
    }

    fn open(&mut self, trail: &Trail, _: u64, container: &Container<'_>) -> io::Result<()> {
        let size = self.sizes.next().unwrap_or(0);
        self.line(trail, size, &format!("{}, {}", container_name(container), children(container)))
    }

    fn text(&mut self, _: &Trail, _: Text<'_>) -> io::Result<()> {
        Ok(())
    }

    fn close(&mut self, _: &Trail) -> io::Result<()> {
        Ok(())
    }
}
