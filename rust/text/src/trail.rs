//! Tracks the path of the value that a walk is at, for sinks that show places without stopping.
//!
//! The walker's own path is only made for errors. A [`View`] gets every token together with its place; it
//! writes text and builds nothing.

use std::io;

use variant_core::token::{Container, Leaf, Text};
use variant_core::{Error, ErrorKind, Extent, Path, Refusal, Rules, Sink, Step, VariantType, Walker};

/// The characters of a key that are kept for a path: one more than a path shows.
const KEPT_CHARS: usize = 65;

/// Receives every token of a walk with its place. An error ends the walk.
pub trait View {
    /// Takes a value without children, whose header stands at byte `at`.
    fn leaf(&mut self, trail: &Trail, at: u64, leaf: &Leaf<'_>) -> io::Result<()>;
    /// Opens a container; its children come next.
    fn open(&mut self, trail: &Trail, at: u64, container: &Container<'_>) -> io::Result<()>;
    /// Takes a bare text: a NodePath's name, a PackedStringArray's entry, the name of an Object's next
    /// property.
    fn text(&mut self, _trail: &Trail, _text: Text<'_>) -> io::Result<()> {
        Ok(())
    }
    /// Completes the container at this place.
    fn close(&mut self, _trail: &Trail) -> io::Result<()> {
        Ok(())
    }
}

#[derive(Debug)]
struct Level {
    ty: VariantType,
    /// The children declared; in a dictionary, the entries.
    count: u64,
    done: u64,
    awaits_key: bool,
    /// The names of a NodePath; the rest are its sub-names.
    names: u64,
}

/// Holds the place of a walk.
#[derive(Debug, Default)]
pub struct Trail {
    levels: Vec<Level>,
    path: Path,
}

impl Trail {
    /// Returns the place as a path.
    #[must_use]
    pub const fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the number of containers around the place.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.levels.len()
    }

    /// Tells whether the place is a Dictionary's key.
    #[must_use]
    pub fn is_key(&self) -> bool {
        self.levels.last().is_some_and(|level| level.awaits_key)
    }

    /// Returns the type of the container around the place, or `None` at the root.
    #[must_use]
    pub fn parent(&self) -> Option<VariantType> {
        self.levels.last().map(|level| level.ty)
    }

    /// Returns how many children of the container around the place are complete, and how many it declares.
    #[must_use]
    pub fn position(&self) -> (u64, u64) {
        self.levels.last().map_or((0, 1), |level| (level.done, level.count))
    }

    /// Tells whether the place is a sub-name of a NodePath.
    #[must_use]
    pub fn is_subname(&self) -> bool {
        self.levels.last().is_some_and(|level| level.ty == VariantType::NodePath && level.done >= level.names)
    }

    fn push(&mut self, container: &Container<'_>) {
        let count = count(container);
        let names = match *container {
            Container::NodePath { names, .. } => u64::from(names),
            _ => 0,
        };
        let ty = container.ty();
        self.levels.push(Level { ty, count, done: 0, awaits_key: ty == VariantType::Dictionary, names });
        self.path.0.push(numbered(ty, 0));
    }

    /// Names the value that comes after this key or property name.
    fn name(&mut self, step: Step) {
        if let Some(last) = self.path.0.last_mut() {
            *last = step;
        }
    }

    /// Completes a child: the next one is named by its number, or is a key or property name.
    fn item_done(&mut self) {
        let (Some(level), Some(step)) = (self.levels.last_mut(), self.path.0.last_mut()) else { return };
        level.done += 1;
        level.awaits_key = level.ty == VariantType::Dictionary;
        *step = numbered(level.ty, level.done);
    }

    /// Keeps a key that can name its value. Others are named by their number.
    fn note_key(&mut self, leaf: Option<&Leaf<'_>>) {
        if !self.is_key() {
            return;
        }
        let entry = self.position().0;
        self.name(leaf.and_then(Leaf::key_step).unwrap_or(Step::Entry(entry)));
    }
}

/// Returns the children that are declared; in a dictionary, the entries.
pub(crate) fn count(container: &Container<'_>) -> u64 {
    match *container {
        Container::Array { count, .. }
        | Container::Dictionary { count, .. }
        | Container::Object { count, .. }
        | Container::PackedStrings { count } => u64::from(count),
        Container::NodePath { names, subnames, .. } => u64::from(names) + u64::from(subnames),
    }
}

/// Returns the step to a child that has no name yet.
const fn numbered(ty: VariantType, at: u64) -> Step {
    match ty {
        VariantType::Dictionary | VariantType::Object => Step::KeyOf(at),
        _ => Step::Index(at),
    }
}

/// Returns as much of a key as is kept for a path.
pub(crate) fn kept(key: &str) -> String {
    key.chars().take(KEPT_CHARS).collect()
}

/// Feeds a [`View`] from a walk: a sink that keeps its [`Trail`].
#[derive(Debug)]
pub struct ViewSink<'v, V> {
    trail: Trail,
    view: &'v mut V,
    error: Option<io::Error>,
}

impl<'v, V: View> ViewSink<'v, V> {
    /// Starts at the root.
    pub fn new(view: &'v mut V) -> ViewSink<'v, V> {
        ViewSink { trail: Trail::default(), view, error: None }
    }

    /// Calls the view, and keeps the error that a refusal cannot hold.
    fn tell(&mut self, tell: impl FnOnce(&mut V, &Trail) -> io::Result<()>) -> Result<(), Refusal> {
        tell(self.view, &self.trail).map_err(|error| {
            self.error = Some(error);
            ErrorKind::Refused
        })
    }
}

impl<V: View> Sink for ViewSink<'_, V> {
    type Output = ();
    type Frame = ();

    fn leaf(&mut self, at: u64, leaf: Leaf<'_>) -> Result<(), Refusal> {
        self.tell(|view, trail| view.leaf(trail, at, &leaf))?;
        self.trail.note_key(Some(&leaf));
        Ok(())
    }

    fn open(&mut self, at: u64, container: Container<'_>, _: usize) -> Result<(), Refusal> {
        self.tell(|view, trail| view.open(trail, at, &container))?;
        self.trail.push(&container);
        Ok(())
    }

    fn text(&mut self, (): &mut (), text: Text<'_>) -> Result<(), Refusal> {
        self.tell(|view, trail| view.text(trail, text))?;
        if self.trail.parent() == Some(VariantType::Object) {
            self.trail.name(Step::Property(kept(text.as_str())));
        } else {
            self.trail.item_done();
        }
        Ok(())
    }

    fn key(&mut self, (): &mut (), (): ()) -> Result<(), Refusal> {
        if let Some(level) = self.trail.levels.last_mut() {
            level.awaits_key = false;
        }
        Ok(())
    }

    fn item(&mut self, (): &mut (), (): ()) -> Result<(), Refusal> {
        self.trail.item_done();
        Ok(())
    }

    fn close(&mut self, (): ()) -> Result<(), Refusal> {
        self.trail.levels.pop();
        self.trail.path.0.pop();
        self.tell(|view, trail| view.close(trail))?;
        self.trail.note_key(None);
        Ok(())
    }
}

/// Walks the one value of `bytes` for a view. The inner result is the verdict on the bytes; the output up to
/// an error stays written.
///
/// # Errors
/// Returns the errors of the view.
pub fn view<V: View>(bytes: &[u8], rules: &Rules, view: &mut V) -> io::Result<Result<Extent, Error>> {
    let mut sink = ViewSink::new(view);
    let verdict = Walker::new().visit(bytes, rules, &mut sink);
    match sink.error {
        Some(error) => Err(error),
        None => Ok(verdict),
    }
}
