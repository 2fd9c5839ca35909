//! Names nodes of a document of objects by the tags that it tells. It reads a few bytes of the document's tables for the nodes
//! that are shown, keeps nothing, and makes no object.

use variant_core::token::{self, Leaf, TextForm, Token};
use variant_core::{Path, Step, VariantType};

use super::list::cursor;
use super::{Nodes, TOP, TreeNode};
use crate::document::is_document;
use crate::extent::between;
use crate::trail::kept;

/// The tables of a document among its parts.
const CLASSES: u64 = 1;
/// Parts of a class.
const NAMES: u64 = 2;
const ROWS: u64 = 3;

impl Nodes {
    /// Names the children of the container that `way` leads to, where the first node of it is a document.
    pub(super) fn name_objects(&self, bytes: &[u8], way: &[TreeNode], children: &mut [TreeNode]) {
        let Some((document, way)) = way.split_first() else { return };
        if !is_document(between(bytes, document.at, document.end)) {
            return;
        }
        let way: Vec<u64> = way.iter().map(|node| node.index).collect();
        for child in children {
            if let Some(name) = self.name_of(bytes, document.at, &way, child) {
                child.name = name;
            }
            if child.ty == Some(VariantType::Rid)
                && let Some(object) = self.object_of(bytes, document.at, child.at)
            {
                child.value = format!("{} = {object}", child.value);
            }
        }
    }

    fn name_of(&self, bytes: &[u8], document: u64, way: &[u64], child: &TreeNode) -> Option<String> {
        let index = child.index;
        let of = |names: &[&str]| names.get(usize::try_from(index).ok()?).map(|name| (*name).to_owned());
        match *way {
            [] => of(&["form", "classes", "value", "containers"]),
            [CLASSES] => Some(path([Step::Key(self.tag(bytes, document, index)?)])),
            [CLASSES, _] => of(&["tag", "version", "names", "rows"]),
            [CLASSES, class, ROWS] => {
                let tag = self.tag(bytes, document, class)?;
                Some(path([Step::Key(tag), Step::Index(index)]))
            }
            [CLASSES, class, ROWS, _] if child.ty.is_some() => {
                let name = self.part(bytes, document, class, NAMES)?;
                let name = self.plain_children(bytes, name.at, index, 1).pop()?;
                Some(path([Step::Key(self.bare_text(bytes, name.at)?)]))
            }
            _ => None,
        }
    }

    /// Returns the object that an RID at this byte refers to: `hero[1]`.
    fn object_of(&self, bytes: &[u8], document: u64, at: u64) -> Option<String> {
        let Ok(Token::Leaf(Leaf::Rid(id))) = token::read(&mut cursor(bytes, at)?, self.rules()) else {
            return None;
        };
        let (class, row) = ((id >> 32).checked_sub(1)?, id & u64::from(u32::MAX));
        let rows = self.part(bytes, document, class, ROWS)?;
        let tag = self.tag(bytes, document, class)?;
        (row < rows.children).then(|| path([Step::Key(tag), Step::Index(row)]))
    }

    fn tag(&self, bytes: &[u8], document: u64, class: u64) -> Option<String> {
        self.text(bytes, self.part(bytes, document, class, 0)?.at)
    }

    fn part(&self, bytes: &[u8], document: u64, class: u64, part: u64) -> Option<TreeNode> {
        let classes = self.plain_children(bytes, document, CLASSES, 1).pop()?;
        let class = self.plain_children(bytes, classes.at, class, 1).pop()?;
        self.plain_children(bytes, class.at, part, 1).pop()
    }

    fn text(&self, bytes: &[u8], at: u64) -> Option<String> {
        match token::read(&mut cursor(bytes, at)?, self.rules()).ok()? {
            Token::Leaf(Leaf::Text(VariantType::String, text)) => Some(kept(text.as_str())),
            _ => None,
        }
    }

    fn bare_text(&self, bytes: &[u8], at: u64) -> Option<String> {
        let text = token::read_text(&mut cursor(bytes, at)?, TextForm::Terminated, self.rules()).ok()?;
        Some(kept(text.as_str()))
    }

    /// Returns the nodes around the container whose header stands at `at`, and itself; none for the stream.
    pub(super) fn way_to(&self, bytes: &[u8], at: u64) -> Vec<TreeNode> {
        let mut way = if at == TOP { Vec::new() } else { self.plain_locate(bytes, at) };
        while way.last().is_some_and(|node| node.at != at) {
            way.pop();
        }
        way
    }
}

fn path<const N: usize>(steps: [Step; N]) -> String {
    Path(steps.to_vec()).to_string()
}
