//! Lists the children of a container from any of them on, and finds the path to a byte. It reads a few
//! kilobytes around the requested place, whatever the size of the rest.

use variant_core::cursor::{Cursor, length};
use variant_core::token::{self, Container, TextForm, Token};
use variant_core::{ErrorKind, Framing, Path, Skip, Step, VariantType, Walker};

use super::{ChildMark, Nodes, TOP, TreeNode};
use crate::brief::{LeafText, children, container_name, cut, type_name};
use crate::extent::{between, opening_end, text_end};
use crate::frame::frame;
use crate::sizes::{SizeReport, sizes_of_all};
use crate::trail::{count, kept};

#[derive(Clone, Copy)]
enum Shape {
    Stream,
    Values,
    Entries,
    Properties,
    Texts(TextForm),
}

#[derive(Clone, Copy)]
struct NodePart {
    index: u64,
    start: u64,
    at: u64,
    end: u64,
}

struct NodeParts<'n> {
    nodes: &'n Nodes,
    /// The stream up to the end of the container.
    bytes: &'n [u8],
    shape: Shape,
    count: u64,
    index: u64,
    at: u64,
}

impl Nodes {
    /// Returns up to `most` children of the container whose header stands at `at`, from number `first` on.
    /// `TOP` means the values of the stream. `bytes` are those of the survey. It returns nothing for a value
    /// that is no container.
    ///
    /// Parts of a document of objects have the names that it gives them.
    #[must_use]
    pub fn children(&self, bytes: &[u8], at: u64, first: u64, most: usize) -> Vec<TreeNode> {
        let mut children = self.plain_children(bytes, at, first, most);
        self.name_objects(bytes, &self.way_to(bytes, at), &mut children);
        children
    }

    pub(super) fn plain_children(&self, bytes: &[u8], at: u64, first: u64, most: usize) -> Vec<TreeNode> {
        let Some(parts) = self.parts(bytes, at, |mark| mark.child <= first) else { return Vec::new() };
        let (shape, whole) = (parts.shape, parts.bytes);
        let before = usize::try_from(first.saturating_sub(parts.index)).unwrap_or(usize::MAX);
        parts.skip(before).take(most).map(|part| self.node(whole, shape, part)).collect()
    }

    /// Returns the nodes around a byte, outermost first; the last one is the innermost. It is empty past the
    /// end.
    #[must_use]
    pub fn locate(&self, bytes: &[u8], byte: u64) -> Vec<TreeNode> {
        let mut way = self.plain_locate(bytes, byte);
        for at in 1..way.len() {
            let (around, child) = way.split_at_mut(at);
            self.name_objects(bytes, around, &mut child[..1]);
        }
        way
    }

    pub(super) fn plain_locate(&self, bytes: &[u8], byte: u64) -> Vec<TreeNode> {
        let mut way = Vec::new();
        let mut container = TOP;
        while let Some(mut parts) = self.parts(bytes, container, |mark| mark.start <= byte) {
            let (shape, whole) = (parts.shape, parts.bytes);
            let Some(part) = parts.find(|part| (part.start..part.end).contains(&byte)) else { break };
            let node = self.node(whole, shape, part);
            let is_bare = matches!(shape, Shape::Texts(_));
            container = node.at;
            way.push(node);
            if is_bare || byte < container {
                break;
            }
        }
        way
    }

    /// Measures where the bytes go, for all values of the stream as far as they can be read. `watch` is
    /// called now and then and says whether to go on; `None` means that it refused.
    pub fn sizes(&self, bytes: &[u8], watch: &mut dyn FnMut() -> bool) -> Option<SizeReport> {
        let values = self.parts(bytes, TOP, |_| false).into_iter().flatten();
        let values = values.map(|part| between(bytes, part.at, part.end));
        sizes_of_all(values, &self.rules, watch)
    }

    /// Iterates over the children of a container from the last mark on for which `is_before` is true.
    fn parts<'n>(
        &'n self,
        bytes: &'n [u8],
        at: u64,
        is_before: impl Fn(&ChildMark) -> bool,
    ) -> Option<NodeParts<'n>> {
        let mut parts = if at == TOP {
            NodeParts { nodes: self, bytes, shape: Shape::Stream, count: self.count, index: 0, at: 0 }
        } else {
            self.opened(bytes, at)?
        };
        let from = self.marks.partition_point(|mark| mark.container < at);
        let own = &self.marks[from..];
        let passed = own.partition_point(|mark| mark.container == at && is_before(mark));
        if let Some(mark) = own[..passed].last() {
            (parts.index, parts.at) = (mark.child, mark.start);
        }
        Some(parts)
    }

    fn opened<'n>(&'n self, bytes: &'n [u8], at: u64) -> Option<NodeParts<'n>> {
        let token = token::read(&mut cursor(bytes, at)?, &self.rules).ok()?;
        let Token::Open(container) = token else { return None };
        let shape = match container {
            Container::Array { .. } => Shape::Values,
            Container::Dictionary { .. } => Shape::Entries,
            Container::Object { .. } => Shape::Properties,
            Container::PackedStrings { .. } => Shape::Texts(TextForm::Terminated),
            Container::NodePath { .. } => Shape::Texts(TextForm::PathName),
        };
        let count = count(&container);
        let first = opening_end(bytes, at, &container);
        let whole = between(bytes, 0, self.end_of(bytes, at));
        Some(NodeParts { nodes: self, bytes: whole, shape, count, index: 0, at: first })
    }

    /// Returns the end of the value that begins at `at`, or the end of `bytes` if it cannot be read.
    fn end_of(&self, bytes: &[u8], at: u64) -> u64 {
        let whole = length(bytes);
        if let Ok(span) = self.spans.binary_search_by_key(&at, |span| span.at) {
            return self.spans[span].end.min(whole);
        }
        let Some(mut cursor) = cursor(bytes, at) else { return whole };
        match token::read(&mut cursor, &self.rules) {
            Ok(Token::Leaf(_)) => cursor.at().min(whole),
            Ok(Token::Open(_)) => {
                let walked = Walker::new().decode(between(bytes, at, whole), &self.rules, &mut Skip);
                walked.map_or(whole, |(_, extent)| (at + extent.consumed).min(whole))
            }
            // It is text that only Godot 3 accepts: its length says where it ends.
            Err(fault) if fault.kind == ErrorKind::InvalidUtf8 && self.rules.dialect.has_lax_text() => {
                text_end(bytes, at + 4).min(whole)
            }
            Err(_) => whole,
        }
    }

    fn node(&self, bytes: &[u8], shape: Shape, part: NodePart) -> TreeNode {
        let NodePart { index, start, at, end } = part;
        let name = self.name(bytes, shape, part);
        let mut node = TreeNode {
            index,
            start,
            at,
            end,
            name,
            ty: None,
            type_name: String::new(),
            value: String::new(),
            children: 0,
        };
        let Some(mut cursor) = cursor(bytes, at) else { return node };
        if let Shape::Texts(form) = shape {
            node.ty = Some(VariantType::String);
            "text".clone_into(&mut node.type_name);
            if let Ok(text) = token::read_text(&mut cursor, form, &self.rules) {
                node.value = cut(&text).to_string();
            }
            return node;
        }
        match token::read(&mut cursor, &self.rules) {
            Ok(Token::Leaf(leaf)) => {
                node.ty = Some(leaf.ty());
                node.type_name = type_name(&leaf);
                node.value = LeafText(&leaf).to_string();
            }
            Ok(Token::Open(container)) => {
                node.ty = Some(container.ty());
                node.type_name = container_name(&container);
                node.value = children(&container);
                node.children = count(&container);
            }
            Err(fault) => node.value = fault.kind.to_string(),
        }
        node
    }

    fn name(&self, bytes: &[u8], shape: Shape, part: NodePart) -> String {
        let index = part.index;
        let step = match shape {
            Shape::Stream => return format!("#{index}"),
            Shape::Values | Shape::Texts(_) => Step::Index(index),
            Shape::Properties => match cursor(bytes, part.start).map(|mut cursor| {
                token::read_text(&mut cursor, TextForm::Plain, &self.rules).map(|text| kept(text.as_str()))
            }) {
                Some(Ok(name)) => Step::Property(name),
                _ => Step::Entry(index),
            },
            Shape::Entries => {
                let key = cursor(bytes, part.start).map(|mut cursor| token::read(&mut cursor, &self.rules));
                match key {
                    Some(Ok(Token::Leaf(leaf))) => match leaf.key_step() {
                        Some(step @ (Step::Key(_) | Step::IntKey(_))) => step,
                        _ => return format!("[{}]", LeafText(&leaf)),
                    },
                    _ => Step::Entry(index),
                }
            }
        };
        Path(vec![step]).to_string()
    }
}

impl Iterator for NodeParts<'_> {
    type Item = NodePart;

    fn next(&mut self) -> Option<NodePart> {
        let whole = length(self.bytes);
        if self.index >= self.count || self.at >= whole {
            return None;
        }
        let start = self.at;
        let end_of = |at: u64| self.nodes.end_of(self.bytes, at);
        let (at, end) = match self.shape {
            Shape::Stream => {
                let frame = frame(self.bytes, whole, start, self.nodes.framing);
                match self.nodes.framing {
                    Framing::None => (start, end_of(start)),
                    _ => (frame.value, frame.end),
                }
            }
            Shape::Values => (start, end_of(start)),
            Shape::Texts(_) => (start, text_end(self.bytes, start)),
            Shape::Entries => {
                let at = end_of(start);
                (at, end_of(at))
            }
            Shape::Properties => {
                let at = text_end(self.bytes, start);
                (at, end_of(at))
            }
        };
        let part = NodePart { index: self.index, start, at: at.min(whole), end: end.min(whole) };
        self.index += 1;
        // Every value has bytes of its own; if one had none, nothing would come after it.
        self.at = if part.end > start { part.end } else { whole };
        Some(part)
    }
}

pub(super) fn cursor(bytes: &[u8], at: u64) -> Option<Cursor<'_>> {
    let rest = bytes.get(usize::try_from(at).ok()?..)?;
    Some(Cursor::last_piece(rest, at))
}
