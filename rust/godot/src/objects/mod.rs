//! Objects of a game's own classes: written as documents, and made of checked ones.
//!
//! The form and every check are the crate `variant-objects`'; this module knows scripts, properties and when code of the
//! game runs. It knows no class of the extension and takes no lock.

mod assets;
mod collect;
mod construct;
mod convert;
mod copy;
mod engine;
mod link;
mod marks;
mod rows;
mod set;
mod write;

pub(crate) use assets::Assets;
use construct::Building;
pub(crate) use convert::{items, replaced};
pub(crate) use copy::{copy, release};
use engine::Read;
pub(crate) use engine::translated;
use link::MadeObjects;
pub(crate) use marks::{TakenMarks, mark_containers};
pub(crate) use rows::MADE_NOTHING;
use rows::{Built, ByChunk};
pub(crate) use set::{Bound, ClassSet, CompiledClasses, EnumNames, Fits, Of, Slot, inherits};
pub(crate) use write::document;

use godot::builtin::{PackedByteArray, Variant};
use godot::meta::ToGodot;
use variant_core::{Dialect, ErrorKind, Limits, Place, Rejection, Rules, Target};
use variant_schema::Schema;

use crate::call::codec::{Codec, Extent, sorted};
use crate::call::problem::Problem;
use crate::call::schema::DocumentSchema;
use crate::call::settings::Settings;
use crate::engine::build::{REALS, References, ToVariant};
use crate::stream::job;

impl Codec {
    /// Checks a document and makes its objects; puts the value into `value`, which is null.
    pub(crate) fn decode_document(
        &mut self,
        s: &Settings,
        document: DocumentSchema<'_>,
        bytes: &[u8],
        value: &mut Variant,
    ) -> Result<Extent, Problem> {
        let DocumentSchema { held, classes } = document;
        let (set, of_value) = (classes.set()?, Some(&held.schema));
        let read = Read::of(set, held, s, bytes)?;
        // In slices of the main thread, objects are made of a built document: that thread builds no rows, and the bytes are not
        // kept so long.
        let is_at_once = set.builds_on_thread || !job::has_main_thread_elsewhere();
        if is_at_once && let Some(checked) = self.checked_for_chunks(set, of_value, &read)? {
            let extent = read.extent(&checked);
            let (rows, root) = ByChunk::of(self, s, read.document());
            let made = MadeObjects { is_of_document: true, ..MadeObjects::new(classes, &checked)? };
            *value = Building::begin(held, checked, root, made)?.at_once(rows)?;
            return Ok(extent);
        }
        let build = ToVariant::new(References::Live);
        let built = set.table.build(&mut self.objects, read.document(), &read.rules(), of_value, build);
        let (document, checked) = built.map_err(|refusal| read.problem(refusal))?;
        let extent = read.extent(&checked);
        let (mut rows, root) = Built::of(&document).ok_or_else(|| Problem::of_call(ErrorKind::Refused))?;
        // Scripts run from here on.
        rows.migrate(set, &checked, &mut self.objects, s.rules())?;
        let made = MadeObjects::new(classes, &checked)?;
        let building = Building::begin(held, checked, root, made)?;
        *value = if is_at_once { building.at_once(rows)? } else { building.on_main_thread(rows, set)? };
        Ok(extent)
    }

    /// Checks a document before anything of it is built. `None`: something of it is built otherwise than it stands in the bytes,
    /// is for the steps of older versions, or the engine's memory is not trusted.
    fn checked_for_chunks(
        &mut self,
        set: &ClassSet,
        of_value: Option<&Schema>,
        read: &Read<'_>,
    ) -> Result<Option<variant_objects::CheckedDocument>, Problem> {
        if !crate::raw::in_place::is_possible() {
            return Ok(None);
        }
        let checked = set.table.check(&mut self.objects, read.document(), &read.rules(), of_value);
        let checked = checked.map_err(|refusal| read.problem(refusal))?;
        let is_other = self.objects.reshapes()
            || checked.has_typed_containers()
            || checked.heads.iter().any(|head| head.migrates);
        Ok((!is_other).then_some(checked))
    }

    pub(crate) fn validate_document(
        &mut self,
        s: &Settings,
        document: DocumentSchema<'_>,
        bytes: &[u8],
    ) -> Result<Extent, Problem> {
        let DocumentSchema { held, classes } = document;
        let set = classes.set()?;
        let read = Read::of(set, held, s, bytes)?;
        let checked = set.table.check(&mut self.objects, read.document(), &read.rules(), Some(&held.schema));
        checked.map(|checked| read.extent(&checked)).map_err(|refusal| read.problem(refusal))
    }

    /// The bytes of the document of a value, with the objects that it leads to.
    pub(crate) fn document_of(
        &mut self,
        set: &ClassSet,
        s: &Settings,
        value: &Variant,
    ) -> Result<Vec<u8>, Problem> {
        let mut bytes = Vec::new();
        document(set, s, value, self.room(), &mut bytes)?;
        Ok(bytes)
    }

    /// Makes `answer` the bytes of the document of a value, which a reader with the same classes and schema takes.
    pub(crate) fn encode_document(
        &mut self,
        s: &Settings,
        document: DocumentSchema<'_>,
        value: &Variant,
        answer: &mut Variant,
    ) -> Result<(), Problem> {
        check_dialect(s)?;
        let DocumentSchema { held, classes } = document;
        let set = classes.set()?;
        let mut bytes = self.document_of(set, s, value)?;
        let rules = own_rules(s.limits());
        if s.target.is_some_and(Target::is_newest_godot_4) {
            let checked = set.table.check(&mut self.objects, &bytes, &rules, Some(&held.schema));
            checked.map_err(|refusal| Problem::of_live(&refusal))?;
        }
        if s.sorts_keys {
            bytes = sorted(&s.for_document(), &bytes)?;
        }
        *answer = PackedByteArray::from(bytes).to_variant();
        Ok(())
    }
}

/// Puts the document of a value behind other bytes: for a stream, which checks what it has written.
pub(crate) fn appended(
    s: &Settings,
    held: &CompiledClasses,
    value: &Variant,
    room: &mut crate::raw::in_place::EncodeRoom,
    bytes: &mut Vec<u8>,
) -> Result<u64, Problem> {
    check_dialect(s)?;
    write::document(held.set()?, s, value, room, bytes)
}

/// References are RIDs of a kind that only Godot 4 has.
fn check_dialect(s: &Settings) -> Result<(), Problem> {
    if s.rules().dialect == Dialect::Godot4 {
        return Ok(());
    }
    let fault = variant_core::Fault::new(ErrorKind::NotInDialect { ty: variant_core::VariantType::Rid }, 0);
    Err(Problem::of_value(variant_core::Error::new(fault, variant_core::Path::default())))
}

/// The rules by which what was written is held to the schemas: sizes are the writer's own matter, but for objects.
fn own_rules(limits: &Limits) -> Rules {
    let Limits { max_objects, max_object_depth, circles, .. } = *limits;
    let limits = Limits { max_objects, max_object_depth, circles, ..Limits::engine() };
    Rules { reals: REALS, ..Rules::safe(limits) }
}

#[cold]
pub(crate) fn refusal(
    kind: ErrorKind,
    path: Vec<variant_core::Step>,
    expected: &str,
    got: String,
) -> Problem {
    let (path, expected) = (variant_core::Path(path), expected.to_owned());
    Problem::of_live(&Rejection { kind, path, place: Place::None, expected, got })
}
