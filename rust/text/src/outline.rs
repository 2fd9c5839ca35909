//! Writes an outline: the tree indented, each line with the bytes it takes and its share of the whole.

use std::io::{self, Write};

use variant_core::token::{Container, Leaf, Text};
use variant_core::{Error, Extent, Path, Rules, Step};

use crate::MOST_INDENTED;
use crate::brief::{LeafText, children, container_name, type_name};
use crate::document::Document;
use crate::extent::leaf_end;
use crate::trail::{Trail, View, count, view};

/// Describes one value of the tree.
#[derive(Debug)]
pub struct OutlineNode<'n> {
    /// The number of containers around it.
    pub depth: usize,
    /// The path of the value.
    pub path: &'n Path,
    /// The offset of its first byte.
    pub offset: u64,
    /// The type as GDScript writes it, typed containers with what they hold.
    pub type_name: String,
    /// The bytes that it takes, children and keys of children included.
    pub bytes: u64,
    /// The number of children that are declared; `None` for a value without children.
    pub count: Option<u64>,
    /// The number of an RID, which stands for an object in a document.
    pub rid: Option<u64>,
    /// The value, or how many children it has, in a few words.
    pub text: String,
}

/// Writes a line for each value, children below their containers, down to `depth` levels.
///
/// # Errors
/// Returns the errors of the output.
pub fn outline<W: Write>(
    bytes: &[u8],
    rules: &Rules,
    depth: usize,
    output: &mut W,
) -> io::Result<Result<Extent, Error>> {
    let document = Document::of(bytes, rules);
    nodes(bytes, rules, depth, &mut |node| line(output, node, document.as_ref()))
}

fn line<W: Write>(output: &mut W, node: &OutlineNode<'_>, document: Option<&Document>) -> io::Result<()> {
    let OutlineNode { depth, type_name, bytes, text, .. } = node;
    write!(output, "{bytes:>10}  {:indent$}", "", indent = (*depth).min(MOST_INDENTED) * 2)?;
    if let Some(label) = document.and_then(|document| label(node.path, document)) {
        write!(output, "{label}: ")?;
    } else if let Some(step) = node.path.0.last() {
        let colon = if matches!(step, Step::Index(_)) { "" } else { ":" };
        write!(output, "{}{colon} ", Path(vec![step.clone()]))?;
    }
    write!(output, "{type_name}{} {text}", if node.count.is_some() { "," } else { "" })?;
    match document.and_then(|document| document.reference(node.rid?)) {
        Some(object) => writeln!(output, " = {object}"),
        None => writeln!(output),
    }
}

/// Names a part of a document of objects that is not inside of a value.
fn label(path: &Path, document: &Document) -> Option<String> {
    let named = document.path(path);
    match path.0.len() {
        // A row, by its tag; its number is of its class.
        4 if named.0.len() == 2 => Some(named.to_string()),
        1 | 3 | 5 if named != *path => named.0.last().map(|step| Path(vec![step.clone()]).to_string()),
        2 => match path.0.as_slice() {
            [Step::Index(1), Step::Index(class)] => {
                document.tag(*class).map(|tag| Path(vec![Step::Key(tag.to_owned())]).to_string())
            }
            _ => None,
        },
        _ => None,
    }
    .filter(|label| !label.starts_with('['))
}

/// Reports each value, down to `depth` levels, up to a refusal. It takes two walks: the first measures the
/// containers, 16 bytes each.
///
/// # Errors
/// Returns the errors of `tell`.
pub fn nodes(
    bytes: &[u8],
    rules: &Rules,
    depth: usize,
    tell: &mut impl FnMut(&OutlineNode<'_>) -> io::Result<()>,
) -> io::Result<Result<Extent, Error>> {
    let mut measure = Measure { bytes, rules, open: Vec::new(), sizes: Vec::new(), end: 0 };
    let measured = view(bytes, rules, &mut measure)?;
    // Containers that an error left open end with the bytes that were read.
    while let Some((index, at)) = measure.open.pop() {
        measure.sizes[index] = measure.end.saturating_sub(at);
    }
    let mut nodes = Nodes { bytes, rules, depth, tell, sizes: measure.sizes.into_iter() };
    let verdict = view(bytes, rules, &mut nodes)?;
    debug_assert_eq!(measured, verdict, "the same walk");
    Ok(verdict)
}

struct Measure<'d> {
    bytes: &'d [u8],
    rules: &'d Rules,
    /// The index and offset of the containers that are not closed.
    open: Vec<(usize, u64)>,
    sizes: Vec<u64>,
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

struct Nodes<'d, T> {
    bytes: &'d [u8],
    rules: &'d Rules,
    depth: usize,
    tell: &'d mut T,
    sizes: std::vec::IntoIter<u64>,
}

impl<T> Nodes<'_, T> {
    fn is_shown(&self, trail: &Trail) -> bool {
        trail.depth() <= self.depth && !trail.is_key()
    }
}

impl<T: FnMut(&OutlineNode<'_>) -> io::Result<()>> View for Nodes<'_, T> {
    fn leaf(&mut self, trail: &Trail, at: u64, leaf: &Leaf<'_>) -> io::Result<()> {
        let (depth, path) = (trail.depth(), trail.path());
        if !self.is_shown(trail) {
            return Ok(());
        }
        let bytes = leaf_end(self.bytes, at, leaf.ty(), self.rules).saturating_sub(at);
        let (type_name, text) = (type_name(leaf), LeafText(leaf).to_string());
        let rid = match leaf {
            Leaf::Rid(id) => Some(*id),
            _ => None,
        };
        (self.tell)(&OutlineNode { depth, path, offset: at, type_name, bytes, count: None, rid, text })
    }

    fn open(&mut self, trail: &Trail, at: u64, container: &Container<'_>) -> io::Result<()> {
        let bytes = self.sizes.next().unwrap_or(0);
        let (depth, path) = (trail.depth(), trail.path());
        if !self.is_shown(trail) {
            return Ok(());
        }
        let (type_name, count, text) =
            (container_name(container), Some(count(container)), children(container));
        (self.tell)(&OutlineNode { depth, path, offset: at, type_name, bytes, count, rid: None, text })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{JsonForm, write};
    use crate::looking;

    /// Nulls deep down are lines of some dozen characters, and no kilobytes each.
    #[test]
    fn deep_values_become_no_longer_text() {
        let words = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
        let nulls = 20_000;
        let bytes = [words(&[28, 1]).repeat(1000), words(&[28, nulls]), vec![0; 4 * nulls as usize]].concat();
        let (mut tree, mut json) = (Vec::new(), Vec::new());
        outline(&bytes, &looking(), usize::MAX, &mut tree).unwrap().unwrap();
        write(&bytes, &looking(), JsonForm { plain: false, compact: false, tags_floats: false }, &mut json)
            .unwrap()
            .unwrap();
        for (text, most) in [(tree, 50), (json, 40)] {
            assert!(text.len() < most * bytes.len(), "{} times", text.len() / bytes.len());
            let read = String::from_utf8(text).unwrap();
            assert!(read.lines().any(|line| line.contains("                    ")), "it is indented");
        }
    }
}
