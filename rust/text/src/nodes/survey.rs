//! Walks everything once to find where containers end and children begin.
//!
//! The survey keeps its own levels, so that containers which an error leaves open are known as well.

use variant_core::cursor::length;
use variant_core::token::{Container, Leaf, Text};
use variant_core::{ErrorKind, Framing, Refusal, Rules, Sink, VariantType, Walker};

use super::{BrokenValue, ChildMark, MARK_BYTES, MOST_BROKEN, Nodes, SPAN_BYTES, Span, TOP};
use crate::extent::{between, leaf_end, opening_end, text_end};
use crate::frame::{FrameSpan, frame};

/// The bytes between two calls of `watch`.
const WATCH_BYTES: u64 = 64 << 10;

impl Nodes {
    /// Walks a stream of values. `watch` often gets the number of bytes that are done, and says whether to go
    /// on; `None` means that it refused. Bytes that are no value are no error: see [`Nodes::broken`].
    pub fn survey(
        bytes: &[u8],
        framing: Framing,
        rules: &Rules,
        watch: &mut dyn FnMut(u64) -> bool,
    ) -> Option<Nodes> {
        let nodes = Nodes {
            rules: *rules,
            framing,
            spans: Vec::new(),
            marks: Vec::new(),
            count: 0,
            broken: Vec::new(),
        };
        let mut survey =
            Survey { bytes, base: 0, nodes, levels: Vec::new(), watch, watched: 0, goes_on: true };
        survey.stream();
        survey.nodes.marks.sort_unstable();
        survey.goes_on.then_some(survey.nodes)
    }
}

#[derive(Default)]
struct Level {
    at: u64,
    span: usize,
    done: u64,
    /// The key of the entry that is being read.
    key: Option<u64>,
    /// The beginning of the next bare text, and so of an Object's next entry.
    next: u64,
    /// The child that was complete last, where children are values.
    last: Option<CompleteValue>,
    is_object: bool,
    marked: u64,
}

struct Survey<'d, 'w> {
    /// The value that is being walked and, where nothing frames it, everything behind it.
    bytes: &'d [u8],
    /// Their beginning in the stream.
    base: u64,
    nodes: Nodes,
    levels: Vec<Level>,
    watch: &'w mut dyn FnMut(u64) -> bool,
    watched: u64,
    goes_on: bool,
}

/// Describes a complete value: where it begins and, for a container, ends.
#[derive(Clone, Copy)]
struct CompleteValue {
    at: u64,
    end: Option<u64>,
    leaf: Option<VariantType>,
}

impl<'d> Survey<'d, '_> {
    fn stream(&mut self) {
        let stream = self.bytes;
        let mut walker = Walker::new();
        let (mut at, mut marked) = (0, 0);
        while self.goes_on && at < length(stream) {
            if at >= marked + MARK_BYTES {
                self.nodes.marks.push(ChildMark { container: TOP, child: self.nodes.count, start: at });
                marked = at;
            }
            let frame = frame(stream, length(stream), at, self.nodes.framing);
            self.base = frame.value;
            self.bytes = between(stream, frame.value, frame.end);
            at = self.value(&mut walker, &frame);
            self.nodes.count += 1;
        }
    }

    /// Walks one value, and returns where the next one begins.
    fn value(&mut self, walker: &mut Walker<()>, frame: &FrameSpan) -> u64 {
        let rules = self.nodes.rules;
        match walker.decode(self.bytes, &rules, self) {
            Ok(_) if frame.missing > 0 => {
                let message = format!("its frame declares {} bytes more than there are", frame.missing);
                self.note_broken(frame.end, "(root)".to_owned(), message);
            }
            Ok((_, extent)) if self.nodes.framing == Framing::None => {
                return (self.base + extent.consumed).min(frame.end);
            }
            Ok((_, extent)) if extent.trailing == 0 => {}
            Ok((_, extent)) => {
                let kind = ErrorKind::TrailingBytes { count: extent.trailing };
                self.note_broken(self.base + extent.consumed, "(root)".to_owned(), kind.to_string());
            }
            Err(error) => {
                let at = (self.base + error.offset()).min(frame.end);
                self.note_broken(at, error.path().to_string(), error.kind().to_string());
            }
        }
        self.leave_open(frame.end);
        frame.end
    }

    fn note_broken(&mut self, at: u64, path: String, message: String) {
        if self.goes_on && self.nodes.broken.len() < MOST_BROKEN {
            let value = self.nodes.count;
            self.nodes.broken.push(BrokenValue { value, at, path, message });
        }
    }

    /// Ends the open containers after an error, behind which nothing is known: they take the rest.
    fn leave_open(&mut self, end: u64) {
        for level in std::mem::take(&mut self.levels) {
            self.nodes.spans[level.span].end = end;
        }
    }

    fn end_of(&self, done: CompleteValue) -> u64 {
        match (done.end, done.leaf) {
            (Some(end), _) => end,
            (None, Some(ty)) => self.base + leaf_end(self.bytes, done.at - self.base, ty, &self.nodes.rules),
            (None, None) => done.at,
        }
    }

    fn look_up(&mut self, at: u64) -> Result<(), Refusal> {
        if at < self.watched + WATCH_BYTES {
            return Ok(());
        }
        self.watched = at;
        self.goes_on = (self.watch)(at);
        if self.goes_on { Ok(()) } else { Err(ErrorKind::Refused) }
    }

    /// Begins a child of the innermost container here.
    fn child(&mut self, start: u64) {
        let Some(level) = self.levels.last_mut() else { return };
        if start >= level.marked + MARK_BYTES {
            self.nodes.marks.push(ChildMark { container: level.at, child: level.done, start });
            level.marked = start;
        }
        level.done += 1;
    }
}

impl Sink for Survey<'_, '_> {
    type Output = CompleteValue;
    type Frame = ();

    fn leaf(&mut self, at: u64, leaf: Leaf<'_>) -> Result<CompleteValue, Refusal> {
        let at = self.base + at;
        self.look_up(at)?;
        Ok(CompleteValue { at, end: None, leaf: Some(leaf.ty()) })
    }

    fn open(&mut self, at: u64, container: Container<'_>, _: usize) -> Result<(), Refusal> {
        let opened = self.base + opening_end(self.bytes, at, &container);
        let at = self.base + at;
        self.look_up(at)?;
        let span = self.nodes.spans.len();
        self.nodes.spans.push(Span { at, end: opened });
        let is_object = matches!(container, Container::Object { .. });
        self.levels.push(Level { at, span, next: opened, is_object, marked: at, ..Level::default() });
        Ok(())
    }

    fn text(&mut self, (): &mut (), _: Text<'_>) -> Result<(), Refusal> {
        let Some(level) = self.levels.last_mut() else { return Ok(()) };
        let start = level.next;
        level.next = self.base + text_end(self.bytes, start - self.base);
        if level.is_object {
            // The name begins an entry that its value completes.
            level.key = Some(start);
        } else {
            self.child(start);
        }
        self.look_up(start)
    }

    fn key(&mut self, (): &mut (), key: CompleteValue) -> Result<(), Refusal> {
        if let Some(level) = self.levels.last_mut() {
            level.key = Some(key.at);
        }
        Ok(())
    }

    fn item(&mut self, (): &mut (), item: CompleteValue) -> Result<(), Refusal> {
        let key = self.levels.last_mut().and_then(|level| level.key.take());
        self.child(key.unwrap_or(item.at));
        let is_object = self.levels.last().is_some_and(|level| level.is_object);
        let next = if is_object { Some(self.end_of(item)) } else { None };
        if let Some(level) = self.levels.last_mut() {
            level.next = next.unwrap_or(level.next);
            level.last = Some(item);
        }
        Ok(())
    }

    fn close(&mut self, (): ()) -> Result<CompleteValue, Refusal> {
        let Some(level) = self.levels.pop() else { return Err(ErrorKind::Refused) };
        let end = level.last.map_or(level.next, |last| self.end_of(last));
        if end - level.at < SPAN_BYTES {
            // Its own containers are smaller still and removed already.
            self.nodes.spans.truncate(level.span);
        } else {
            self.nodes.spans[level.span].end = end;
        }
        Ok(CompleteValue { at: level.at, end: Some(end), leaf: None })
    }
}
