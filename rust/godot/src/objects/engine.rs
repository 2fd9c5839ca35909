//! Reads what the engine wrote with objects, where a game asks for it: such bytes become a document first. Nothing in them is
//! loaded, and no script in them is compiled.

use variant_core::{Extent, Rejection, Rules};
use variant_objects::{CheckedDocument, EngineClass, TranslatedDocument, is_encoded_document};

use super::set::ClassSet;
use crate::call::problem::Problem;
use crate::call::schema::BoundSchema;
use crate::call::settings::Settings;

/// Bytes that are read: a document, or what the engine wrote and the document that was made of it.
pub(super) struct Read<'b> {
    set: &'b ClassSet,
    bytes: &'b [u8],
    rules: &'b Rules,
    made: Option<TranslatedDocument>,
}

impl<'b> Read<'b> {
    /// Looks which of both these bytes are.
    pub(super) fn of(
        set: &'b ClassSet,
        held: &BoundSchema,
        s: &'b Settings,
        bytes: &'b [u8],
    ) -> Result<Read<'b>, Problem> {
        let rules = s.rules();
        let made = match held.reads_engine_objects && !is_encoded_document(bytes) {
            true => Some(translate(set, &set.engine, bytes, rules)?),
            false => None,
        };
        Ok(Read { set, bytes, rules, made })
    }

    pub(super) fn document(&self) -> &[u8] {
        self.made.as_ref().map_or(self.bytes, |made| &made.bytes)
    }

    pub(super) fn rules(&self) -> Rules {
        if self.made.is_some() { TranslatedDocument::rules(self.rules) } else { *self.rules }
    }

    pub(super) fn extent(&self, checked: &CheckedDocument) -> Extent {
        self.made.as_ref().map_or(checked.extent, |made| made.extent)
    }

    /// A refusal of the document, which points into the bytes that were given.
    #[cold]
    pub(super) fn problem(&self, refusal: Rejection) -> Problem {
        let refusal = match &self.made {
            Some(_) => self.set.table.located(&self.set.engine, self.bytes, self.rules, refusal),
            None => refusal,
        };
        Problem::of_rejection(&refusal)
    }
}

/// The document of what the engine wrote with objects; that of a document is itself. Properties of a class may have these
/// names besides, which are left as they are.
pub(crate) fn translated(
    set: &ClassSet,
    old_names: &[(u32, String)],
    bytes: &[u8],
    rules: &Rules,
) -> Result<Option<Vec<u8>>, Problem> {
    if is_encoded_document(bytes) {
        return Ok(None);
    }
    let mut names = set.engine.clone();
    for (class, name) in old_names {
        if let Some(names) = usize::try_from(*class).ok().and_then(|class| names.get_mut(class)) {
            names.old_names.push(name.clone());
        }
    }
    translate(set, &names, bytes, rules).map(|made| Some(made.bytes))
}

fn translate(
    set: &ClassSet,
    names: &[EngineClass],
    bytes: &[u8],
    rules: &Rules,
) -> Result<TranslatedDocument, Problem> {
    set.table.translate(names, bytes, rules).map_err(|refusal| Problem::of_rejection(&refusal))
}
