//! Names the parts of a document of objects as people do: `hero[0].hp` and not `[1][0][3][0][0]`. It reads the tags and
//! names of properties that the document itself tells, and judges nothing; that is the crate `variant-objects`' part.

use std::io;

use variant_core::token::{Container, Leaf, Text};
use variant_core::{Path, Rules, Step, VariantType};

use crate::trail::{Trail, View, kept, view};

/// The first element of every document: the form and its version.
const FORM: &[u8] = b"variant_objects/1";

/// The most names that are kept; parts beyond have numbers.
const MOST_NAMES: usize = 1 << 16;

/// Holds what a document calls its classes and their properties.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    classes: Vec<Class>,
    names: usize,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Class {
    tag: String,
    names: Vec<String>,
    rows: u64,
    /// Whether a row is one value, which stands for the object.
    is_by_key: bool,
}

/// Tells whether bytes begin as those of a document do.
#[must_use]
pub fn is_document(bytes: &[u8]) -> bool {
    // An untyped Array of 3 or 4, and a String of 17 bytes.
    match bytes {
        [28, 0, 0, 0, 3 | 4, 0, 0, 0, 4, 0, 0, 0, 17, 0, 0, 0, rest @ ..] => rest.starts_with(FORM),
        _ => false,
    }
}

impl Document {
    /// Reads the names, if the bytes are a document; as far as they can be read.
    #[must_use]
    pub fn of(bytes: &[u8], rules: &Rules) -> Option<Document> {
        if !is_document(bytes) {
            return None;
        }
        let mut document = Document::default();
        // Nothing is written, and whoever shows the bytes tells what is refused.
        let _ = view(bytes, rules, &mut document);
        Some(document)
    }

    /// Returns the path of a part as people say it: `hero[0].hp`, `classes[1].tag`, `value.team[2]`.
    #[must_use]
    pub fn path(&self, path: &Path) -> Path {
        let key = |name: &str| Step::Key(name.to_owned());
        let Some((Step::Index(first), rest)) = path.0.split_first() else { return path.clone() };
        let (start, rest) = match (first, rest) {
            (0, rest) => (vec![key("form")], rest),
            (1, [Step::Index(class), Step::Index(3), Step::Index(row), rest @ ..]) => {
                return self.in_row(*class, *row, rest).unwrap_or_else(|| path.clone());
            }
            (1, [class @ Step::Index(_), Step::Index(field), rest @ ..]) => {
                let field = ["tag", "version", "names", "rows"].get(usize::try_from(*field).unwrap_or(9));
                let Some(field) = field else { return path.clone() };
                (vec![key("classes"), class.clone(), key(field)], rest)
            }
            (1, rest) => (vec![key("classes")], rest),
            (2, rest) => (vec![key("value")], rest),
            (3, rest) => (vec![key("containers")], rest),
            _ => return path.clone(),
        };
        Path(start.into_iter().chain(rest.iter().cloned()).collect())
    }

    fn in_row(&self, class: u64, row: u64, rest: &[Step]) -> Option<Path> {
        let class = self.class(class)?;
        let mut steps = vec![Step::Key(class.tag.clone()), Step::Index(row)];
        let names = |column: &u64| class.names.get(usize::try_from(*column).ok()?);
        match rest.split_first() {
            Some((Step::Index(column), rest)) if !class.is_by_key => {
                steps.push(names(column).map_or(Step::Index(*column), |name| Step::Key(name.clone())));
                steps.extend(rest.iter().cloned());
            }
            _ => steps.extend(rest.iter().cloned()),
        }
        Some(Path(steps))
    }

    /// Returns the object that an RID stands for: `hero[1]`; `None` where it is no reference to one.
    #[must_use]
    pub fn reference(&self, id: u64) -> Option<String> {
        let class = self.class((id >> 32).checked_sub(1)?)?;
        let row = id & u64::from(u32::MAX);
        let path = Path(vec![Step::Key(class.tag.clone()), Step::Index(row)]);
        (row < class.rows).then(|| path.to_string())
    }

    /// Returns the tag of a class, by its number in the document.
    pub(crate) fn tag(&self, class: u64) -> Option<&str> {
        self.class(class).map(|class| class.tag.as_str())
    }

    /// Returns the names of a class's properties; `None` where a row is one value.
    pub(crate) fn names(&self, class: u64) -> Option<&[String]> {
        self.class(class).filter(|class| !class.is_by_key).map(|class| class.names.as_slice())
    }

    fn class(&self, number: u64) -> Option<&Class> {
        self.classes.get(usize::try_from(number).ok()?)
    }

    fn reading<'p>(&mut self, path: &'p Path) -> Option<(&mut Class, &'p [Step])> {
        let [Step::Index(1), Step::Index(number), rest @ ..] = path.0.as_slice() else { return None };
        let at = usize::try_from(*number).ok().filter(|at| *at < MOST_NAMES)?;
        while self.classes.len() <= at {
            self.classes.push(Class::default());
        }
        self.classes.get_mut(at).map(|class| (class, rest))
    }
}

impl View for Document {
    fn leaf(&mut self, trail: &Trail, _: u64, leaf: &Leaf<'_>) -> io::Result<()> {
        if trail.depth() != 3 {
            return Ok(());
        }
        let Some((class, rest)) = self.reading(trail.path()) else { return Ok(()) };
        match (rest, leaf) {
            ([Step::Index(0)], Leaf::Text(VariantType::String, tag)) => class.tag = kept(tag.as_str()),
            ([Step::Index(1)], Leaf::Int(version)) => class.is_by_key = *version == 0,
            _ => {}
        }
        Ok(())
    }

    fn open(&mut self, trail: &Trail, _: u64, container: &Container<'_>) -> io::Result<()> {
        if trail.depth() == 3
            && let Some((class, [Step::Index(3)])) = self.reading(trail.path())
            && let Container::Array { count, .. } = container
        {
            class.rows = u64::from(*count);
        }
        Ok(())
    }

    fn text(&mut self, trail: &Trail, name: Text<'_>) -> io::Result<()> {
        if trail.depth() != 4 || self.names >= MOST_NAMES {
            return Ok(());
        }
        if let Some((class, [Step::Index(2), Step::Index(_)])) = self.reading(trail.path()) {
            class.names.push(kept(name.as_str()));
            self.names += 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::looking;
    use variant_core::{Array, Value};

    fn list(items: Vec<Value>) -> Value {
        Value::Array(Box::new(Array { items, ..Array::default() }))
    }

    /// Encodes a hero who is their own rival, and an item by key.
    fn bytes() -> Vec<u8> {
        let text = |text: &str| Value::String(text.to_owned());
        let names = Value::PackedStringArray(vec!["hp".into(), "best of\nall".into()]);
        let hero = list(vec![Value::Int(7), list(vec![Value::Rid(1 << 32), Value::Rid(2 << 32)])]);
        let heroes = list(vec![text("hero"), Value::Int(1), names, list(vec![hero])]);
        let keys = Value::PackedStringArray(Vec::new());
        let items = list(vec![text("item"), Value::Int(0), keys, list(vec![text("sword")])]);
        let value = list(vec![Value::Rid(1 << 32)]);
        list(vec![text("variant_objects/1"), list(vec![heroes, items]), value]).encode().expect("bytes")
    }

    fn told(document: &Document, steps: &[u64]) -> String {
        document.path(&Path(steps.iter().map(|step| Step::Index(*step)).collect())).to_string()
    }

    #[test]
    fn parts_are_named_by_tags() {
        let document = Document::of(&bytes(), &looking()).expect("a document");
        for (steps, name) in [
            (&[][..], "(root)"),
            (&[0], "form"),
            (&[1], "classes"),
            (&[1, 0], "classes[0]"),
            (&[1, 0, 0], "classes[0].tag"),
            (&[1, 0, 2, 1], "classes[0].names[1]"),
            (&[1, 0, 3], "classes[0].rows"),
            (&[1, 0, 3, 0], "hero[0]"),
            (&[1, 0, 3, 0, 0], "hero[0].hp"),
            (&[1, 0, 3, 0, 1, 1], "hero[0][\"best of\\nall\"][1]"),
            (&[1, 0, 3, 0, 2], "hero[0][2]"),
            (&[1, 1, 3, 0], "item[0]"),
            (&[1, 7, 3, 0], "[1][7][3][0]"),
            (&[2, 0], "value[0]"),
            (&[3], "containers"),
            (&[4], "[4]"),
        ] {
            assert_eq!(told(&document, steps), name);
        }
        assert_eq!(document.reference(1 << 32).as_deref(), Some("hero[0]"));
        assert_eq!(document.reference(2 << 32).as_deref(), Some("item[0]"));
        for id in [0, 1, (1 << 32) | 1, 3 << 32, u64::MAX] {
            assert_eq!(document.reference(id), None);
        }
    }

    #[test]
    fn what_is_cut_short_is_named_as_far_as_it_goes() {
        let bytes = bytes();
        for cut in 0..bytes.len() {
            let document = Document::of(&bytes[..cut], &looking());
            assert_eq!(document.is_some(), cut >= 33, "{cut}");
            let Some(document) = document else { continue };
            assert!(
                ["hero[0].hp", "[0][0].hp", "[1][0][3][0][0]", "hero[0][0]", "[\"\"][0][0]"]
                    .contains(&told(&document, &[1, 0, 3, 0, 0]).as_str())
            );
        }
        // Plain JSON of whatever looks like a document is JSON.
        let mut read = 0;
        for at in 36..bytes.len() {
            for bit in 0..8 {
                let mut spoiled = bytes.clone();
                spoiled[at] ^= 1 << bit;
                let mut json = Vec::new();
                let form = crate::json::JsonForm { plain: true, compact: bit % 2 == 0, tags_floats: false };
                if crate::json::write(&spoiled, &looking(), form, &mut json).expect("a vector").is_ok() {
                    let text = String::from_utf8_lossy(&json);
                    assert!(
                        serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok(),
                        "{at} {bit}: {text}"
                    );
                    read += 1;
                }
            }
        }
        assert!(read > 100, "{read}");
        let plain = list(vec![Value::Int(1), Value::Int(2), Value::Int(3)]).encode().expect("bytes");
        assert_eq!(Document::of(&plain, &looking()), None);
    }
}
