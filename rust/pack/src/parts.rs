//! Names what the parts of a layout are made of, for tools that write codecs in other languages. A codec that follows
//! docs/PACKED_FORMAT.md needs nothing else.

pub use crate::count::Count;
pub use crate::grid::Grid;
pub use crate::layout::{Dict, Key, KeyedEntries, Node, Tell, Tuple, Values, Wire};
pub use crate::math_types::Solid;
pub use crate::number_codec::{Form, Start};
pub use crate::text::Chars;
