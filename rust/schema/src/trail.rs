//! SchemaPath: where in a schema something stands, cheap to keep for every part of it, and mistakes there. Text is made of it
//! only for those.

use std::fmt::{self, Display};
use std::rc::Rc;

use variant_core::{EscapedText, Mistake, Mistakes};

/// The name of the schema itself.
const ROOT: &str = "(root)";

/// Segments from the root on, shared with all that stand below the same part.
#[derive(Clone, Debug, Default)]
pub(crate) struct SchemaPath(Option<Rc<Segment>>);

#[derive(Debug)]
struct Segment {
    around: SchemaPath,
    name: String,
    length: usize,
}

impl SchemaPath {
    /// A part of what stands here.
    pub(crate) fn below(&self, name: String) -> SchemaPath {
        SchemaPath(Some(Rc::new(Segment {
            around: self.clone(),
            name,
            length: self.length().saturating_add(1),
        })))
    }

    pub(crate) fn length(&self) -> usize {
        self.0.as_ref().map_or(0, |last| last.length)
    }

    pub(crate) fn is_root(&self) -> bool {
        self.0.is_none()
    }
}

impl Display for SchemaPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_root() {
            return f.write_str(ROOT);
        }
        let around = std::iter::successors(self.0.as_deref(), |segment| segment.around.0.as_deref());
        let segments: Vec<_> = around.map(|segment| segment.name.as_str()).collect();
        segments.iter().rev().try_for_each(|segment| f.write_str(segment))
    }
}

/// Both are shown on one line: keys and names of a schema may come from a file.
pub(crate) fn mistake_at(path: &impl Display, message: &str) -> Mistake {
    Mistake::new(EscapedText(&path.to_string()).to_string(), EscapedText(message).to_string())
}

pub(crate) fn mistake_of_whole(message: &str) -> Mistakes {
    mistake_at(&SchemaPath::default(), message).into()
}
