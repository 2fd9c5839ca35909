//! Finds what would run code, or reach into a running game, if an engine opened the bytes with objects
//! allowed. It only reads names; nothing is loaded or built.

use std::io;

use variant_core::token::{Container, ContainerType, Leaf, Text};
use variant_core::{Error, Rules, VariantType};

use crate::document::Document;
use crate::place::ShownPath;
use crate::trail::{Trail, View, view};

/// The properties that hold a script's source in objects of Godot 3.
const SOURCE: [&str; 2] = ["script/source", "source_code"];
/// The property that holds an object's script: in Godot 4 its path.
const SCRIPT: &str = "script";

/// Names a kind of finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FindingKind {
    /// An object that would be made: its class.
    Object,
    /// A script that would be loaded and run: its path.
    ScriptPath,
    /// A script that would be compiled and run: the length of its source.
    ScriptSource,
    /// A typed container that names a script: its path.
    TypedByScript,
    /// A handle of a running game: its type.
    Handle,
}

impl FindingKind {
    /// Returns a name for scripts.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            FindingKind::Object => "object",
            FindingKind::ScriptPath => "script_path",
            FindingKind::ScriptSource => "script_source",
            FindingKind::TypedByScript => "typed_by_script",
            FindingKind::Handle => "handle",
        }
    }
}

/// Holds one finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The kind of the finding.
    pub danger: FindingKind,
    /// The path of the value, in at most 256 characters.
    pub path: String,
    /// The byte of its header.
    pub offset: u64,
    /// The name or path, as it stands in the bytes; for a source its length in bytes.
    pub what: String,
}

/// Reports every finding of the value that `bytes` begin with. The inner result is the verdict on the bytes.
///
/// # Errors
/// Returns the errors of `found`.
pub fn scan(
    bytes: &[u8],
    rules: &Rules,
    found: &mut dyn FnMut(Finding) -> io::Result<()>,
) -> io::Result<Result<(), Error>> {
    let mut scan = Scan { found, property: None, document: Document::of(bytes, rules) };
    Ok(view(bytes, rules, &mut scan)?.map(drop))
}

struct Scan<'f> {
    found: &'f mut dyn FnMut(Finding) -> io::Result<()>,
    /// The kind of the next value when its property is one of a script's.
    property: Option<FindingKind>,
    /// The names of a document of objects, in which RIDs stand for these.
    document: Option<Document>,
}

impl Scan<'_> {
    fn tell(&mut self, danger: FindingKind, trail: &Trail, offset: u64, what: String) -> io::Result<()> {
        let named = self.document.as_ref().map(|document| document.path(trail.path()));
        let path = ShownPath::told(named.as_ref().unwrap_or(trail.path())).to_string();
        (self.found)(Finding { danger, path, offset, what })
    }

    /// Tells whether an RID is a reference of a document, which reaches into no game.
    fn is_reference(&self, id: u64) -> bool {
        self.document.as_ref().is_some_and(|document| document.reference(id).is_some())
    }
}

impl View for Scan<'_> {
    fn leaf(&mut self, trail: &Trail, at: u64, leaf: &Leaf<'_>) -> io::Result<()> {
        match (self.property.take(), leaf) {
            (Some(FindingKind::ScriptSource), Leaf::Text(_, source)) => {
                let length = format!("{} bytes", source.as_str().len());
                self.tell(FindingKind::ScriptSource, trail, at, length)
            }
            (Some(danger), Leaf::Text(_, path)) => self.tell(danger, trail, at, path.as_str().to_owned()),
            (_, Leaf::Rid(id)) if *id != 0 && !self.is_reference(*id) => {
                self.tell(FindingKind::Handle, trail, at, format!("RID {id}"))
            }
            (_, Leaf::ObjectId(id)) if *id != 0 => {
                self.tell(FindingKind::Handle, trail, at, format!("Object id {id}"))
            }
            (_, Leaf::Signal(..)) => self.tell(FindingKind::Handle, trail, at, "Signal".to_owned()),
            _ => Ok(()),
        }
    }

    fn open(&mut self, trail: &Trail, at: u64, container: &Container<'_>) -> io::Result<()> {
        self.property = None;
        let by_script = |declared: &ContainerType<'_>| match declared {
            ContainerType::Script(path) => Some(path.as_str().to_owned()),
            _ => None,
        };
        let paths = match container {
            Container::Object { class, .. } => {
                return self.tell(FindingKind::Object, trail, at, class.as_str().to_owned());
            }
            Container::Array { element, .. } => [by_script(element), None],
            Container::Dictionary { key, value, .. } => [by_script(key), by_script(value)],
            _ => [None, None],
        };
        let mut paths = paths.into_iter().flatten();
        paths.try_for_each(|path| self.tell(FindingKind::TypedByScript, trail, at, path))
    }

    fn text(&mut self, trail: &Trail, text: Text<'_>) -> io::Result<()> {
        if trail.parent() == Some(VariantType::Object) {
            self.property = match text.as_str() {
                SCRIPT => Some(FindingKind::ScriptPath),
                name if SOURCE.contains(&name) => Some(FindingKind::ScriptSource),
                _ => None,
            };
        }
        Ok(())
    }
}
