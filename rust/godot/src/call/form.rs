//! Says what a call goes by: its settings, and the form of its bytes, which judges them.

use std::num::NonZeroU16;
use std::sync::Arc;

use variant_pack::{Bases, Tagging};
use variant_schema::Program;

use crate::call::problem::Problem;
use crate::call::schema::{BoundSchema, DocumentSchema};
use crate::call::settings::Settings;

/// How values stand in bytes, and what they are held to.
#[derive(Clone, Copy)]
pub(crate) enum CallForm<'c> {
    /// Godot's format, within the limits of the settings.
    Plain,
    /// Godot's format under a schema.
    Schema(&'c BoundSchema),
    /// Bytes of which it is known that the schema accepts them, limits and all, and that nothing is to be filled in or declared.
    Judged(&'c BoundSchema),
    /// Bits, by a schema.
    Packed(Packing<'c>),
    Document(DocumentSchema<'c>),
}

/// Holds everything that a call goes by.
#[derive(Clone, Copy)]
pub(crate) struct Call<'c> {
    pub(crate) settings: &'c Settings,
    pub(crate) form: CallForm<'c>,
}

/// Keeps what calls go by between them.
#[derive(Clone)]
pub(crate) struct KeptCall {
    pub(crate) settings: Settings,
    pub(crate) held: Option<Arc<BoundSchema>>,
    /// How values are packed, if they are.
    pub(crate) packing: Option<KeptPacking>,
}

impl KeptCall {
    #[inline]
    pub(crate) fn lent(&self) -> Result<Call<'_>, Problem> {
        Call::new(&self.settings, self.held.as_deref(), self.packing.as_ref())
    }
}

impl<'c> From<&'c BoundSchema> for CallForm<'c> {
    fn from(held: &'c BoundSchema) -> CallForm<'c> {
        match &held.classes {
            Some(classes) => CallForm::Document(DocumentSchema { held, classes }),
            None => CallForm::Schema(held),
        }
    }
}

impl<'c> CallForm<'c> {
    /// Returns the schema that values are held to in a walk.
    pub(crate) fn schema(&self) -> Option<&'c BoundSchema> {
        match self {
            CallForm::Plain => None,
            CallForm::Schema(held)
            | CallForm::Judged(held)
            | CallForm::Document(DocumentSchema { held, .. }) => Some(held),
            CallForm::Packed(packing) => Some(packing.held),
        }
    }

    pub(crate) fn program(&self) -> Result<Option<&'c Program>, Problem> {
        self.schema().map(BoundSchema::program).transpose()
    }

    /// Tells whether reading may run scripts, which could change the bytes, or let go of them.
    #[inline]
    pub(crate) fn asks_scripts(&self) -> Result<bool, Problem> {
        match self {
            CallForm::Plain => Ok(false),
            // Objects are made by scripts, too.
            CallForm::Document(_) => Ok(true),
            _ => self.program().map(|program| program.is_some_and(Program::has_checks)),
        }
    }
}

impl<'c> Call<'c> {
    pub(crate) const fn plain(settings: &'c Settings) -> Call<'c> {
        Call { settings, form: CallForm::Plain }
    }

    /// Reads what is held to a schema, if there is one.
    pub(crate) fn under(settings: &'c Settings, held: Option<&'c BoundSchema>) -> Call<'c> {
        Call { settings, form: held.map_or(CallForm::Plain, CallForm::from) }
    }

    /// Packed values are nothing without a schema.
    #[inline]
    pub(crate) fn new(
        settings: &'c Settings,
        held: Option<&'c BoundSchema>,
        packing: Option<&'c KeptPacking>,
    ) -> Result<Call<'c>, Problem> {
        let Some(packing) = packing else { return Ok(Call::under(settings, held)) };
        match held {
            None => Err(Problem::wrong_type("schema", "a VariantSchema for packed values", "null")),
            Some(held) if held.classes.is_some() => {
                Err(Problem::wrong_type("classes", "null: objects are not packed", "a VariantClassSet"))
            }
            Some(held) => Ok(Call { settings, form: CallForm::Packed(Packing { held, kept: packing }) }),
        }
    }
}

/// How packed values stand in bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Packing<'b> {
    pub(crate) held: &'b BoundSchema,
    pub(crate) kept: &'b KeptPacking,
}

impl<'b> Packing<'b> {
    /// Returns the packed values that differences are from; without one, values stand there in full.
    pub(crate) fn baseline(&self) -> Option<Bases<'b>> {
        self.kept.baseline.as_ref().map(KeptBases::lent)
    }
}

/// A form of packed values that is kept, for whatever schema.
#[derive(Clone, Debug)]
pub(crate) struct KeptPacking {
    pub(crate) tagging: Tagging,
    pub(crate) baseline: Option<KeptBases<Arc<[u8]>>>,
}

/// Packed values that differences are from: one, or a newer and an older, and how many states lie from the newer to what is
/// told, and between both.
#[derive(Clone, Debug)]
pub(crate) struct KeptBases<B> {
    pub(crate) newer: B,
    pub(crate) older: Option<(B, [NonZeroU16; 2])>,
}

impl<B: std::ops::Deref<Target = [u8]>> KeptBases<B> {
    pub(crate) fn lent(&self) -> Bases<'_> {
        match &self.older {
            None => Bases::one(&self.newer),
            Some((older, [ahead, gap])) => Bases::apart(&self.newer, older, *ahead, *gap),
        }
    }
}
