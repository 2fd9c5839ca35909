//! Makes an allow-list of the classes that a document itself tells, for tools that know no game: with it, a check finds
//! whatever every reader refuses, and nothing of what a property has to be.

use variant_core::token::{Container, Leaf, Text};
use variant_core::{Refusal as Kind, Rules, Sink, VariantType, Walker};
use variant_schema::Schema;

use crate::check::rules_of;
use crate::place::{Part, Place};
use crate::table::{BuildError, Class, Kind as Of, Property, Table};

impl Table {
    /// Makes the allow-list of the classes, versions and names that a document tells, with any values. Entries that
    /// are no classes are left out; a check refuses them then.
    ///
    /// # Errors
    /// More classes than an allow-list may have.
    pub fn of_document(bytes: &[u8], rules: &Rules) -> Result<Table, BuildError> {
        let mut told = Told { place: Place::START, classes: Vec::new(), in_names: false };
        // A check says what is refused.
        let _ = Walker::new().decode(bytes, &rules_of(rules), &mut told);
        let mut classes: Vec<Class> = Vec::new();
        let mut tags = std::collections::HashSet::new();
        for Own { tag, version, names } in told.classes {
            if tag.is_empty() || !tags.insert(tag.clone()) {
                continue;
            }
            if version == 0 {
                classes.push(Class::by_key(&tag, Schema::any()));
                continue;
            }
            let mut seen = std::collections::HashSet::new();
            let names = names.into_iter().filter(|name| seen.insert(name.clone()));
            let mut class = Class::new(&tag, names.map(|name| Property::new(&name, Schema::any())));
            if let Of::Properties { version: own, .. } = &mut class.kind {
                *own = version;
            }
            classes.push(class);
        }
        Table::new(classes)
    }
}

/// A class as a document tells it.
#[derive(Default)]
struct Own {
    tag: String,
    version: u32,
    names: Vec<String>,
}

struct Told {
    place: Place,
    classes: Vec<Own>,
    in_names: bool,
}

impl Told {
    fn class(&mut self) -> Option<&mut Own> {
        self.classes.last_mut()
    }
}

impl Sink for Told {
    type Output = ();
    type Frame = ();

    fn leaf(&mut self, _: u64, leaf: Leaf<'_>) -> Result<(), Kind> {
        match (self.place.part(), leaf) {
            (Part::Tag(_), Leaf::Text(VariantType::String, text)) => {
                self.classes.push(Own { tag: text.as_str().to_owned(), ..Own::default() });
            }
            (Part::Version(_), Leaf::Int(version)) => {
                if let Some(class) = self.class() {
                    class.version = u32::try_from(version.max(0)).unwrap_or(u32::MAX);
                }
            }
            _ => {}
        }
        self.place.advance();
        Ok(())
    }

    fn open(&mut self, _: u64, container: Container<'_>, _: usize) -> Result<(), Kind> {
        let are_names = matches!(container, Container::PackedStrings { .. });
        self.in_names = are_names && matches!(self.place.part(), Part::Names(_));
        self.place.open();
        Ok(())
    }

    fn text(&mut self, (): &mut (), text: Text<'_>) -> Result<(), Kind> {
        if let (true, Some(class)) = (self.in_names, self.class()) {
            class.names.push(text.as_str().to_owned());
        }
        Ok(())
    }

    fn key(&mut self, (): &mut (), (): ()) -> Result<(), Kind> {
        Ok(())
    }

    fn item(&mut self, (): &mut (), (): ()) -> Result<(), Kind> {
        Ok(())
    }

    fn close(&mut self, (): ()) -> Result<(), Kind> {
        self.in_names = false;
        self.place.close();
        Ok(())
    }
}
