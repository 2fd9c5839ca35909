//! The engine room of `VariantSave`: a value becomes the bytes of a save file, and such bytes become a value of today's
//! version. Files, backups and keys are the crate `variant-save`'s part; classes of the extension are `api/`'s.

mod errors;
mod files;
mod judge;
mod list;
mod migrate;
mod parts;
mod unversioned;
mod watch;

use std::collections::BTreeMap;
use std::sync::Arc;

use godot::builtin::{PackedByteArray, Variant};
use godot::classes::Engine;
use godot::classes::file_access::CompressionMode;
use godot::obj::Singleton;
use variant_objects::is_encoded_document;
use variant_save::{
    Compression, Draft, Head, KdfCost, OpenOptions, Protection, SIGNATURE, SaveContents, SaveKeys,
};

use crate::call::codec::{Codec, Dialect, Limits, Rules, Target};
use crate::call::form::Call;
use crate::call::problem::Problem;
use crate::call::schema::BoundSchema;
use crate::call::settings::Settings;
use crate::call::sniff::Beginning;
use crate::objects::{ClassSet, CompiledClasses};

pub(crate) use errors::of_file;
pub(crate) use files::{LoadError, Placing, Report};
pub(crate) use judge::SeenFiles;
pub(crate) use list::{exists, front, is_unversioned, names, newest};
pub(crate) use migrate::{Changes, Step, asks_scripts};
pub(crate) use parts::from_rows;
use parts::{Parts, PartsRules};
pub(crate) use watch::Watch;

/// Which older saves are loaded when the newest one is refused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Fallback {
    /// None: the refusal stands.
    Never,
    /// A backup, where the newest is damaged.
    #[default]
    Damaged,
    /// A backup also where the schema or a migration refuses the newest.
    Refused,
}

/// Makes the classes at the first use, and hands them out.
pub(crate) type Classes = Arc<MakeClasses>;
type MakeClasses = dyn Fn() -> Arc<CompiledClasses> + Send + Sync;

/// Everything that a call of a `VariantSave` goes by, as its properties were when the call began.
#[derive(Clone, Default)]
pub(crate) struct Plan {
    pub(crate) schema: Option<Arc<BoundSchema>>,
    /// Makes or hands out the classes whose objects a save may hold: with them, it is a document.
    pub(crate) classes: Option<Classes>,
    /// Whether files that the engine wrote with objects are read, where other files are.
    pub(crate) reads_engine_objects: bool,
    /// The version of the data that this game reads and writes.
    pub(crate) version: u32,
    /// The version of files that are no saves of ours; none where such files are refused.
    pub(crate) unversioned: Option<u32>,
    /// Whether several values of such a file are an Array of them.
    pub(crate) takes_several: bool,
    pub(crate) steps: BTreeMap<u32, Step>,
    pub(crate) backups: u32,
    pub(crate) backup_interval_ms: i64,
    pub(crate) fallback: Fallback,
    pub(crate) keys: Option<Arc<SaveKeys>>,
    pub(crate) kdf: KdfCost,
    /// With a key: whether the state is sealed, or changes only show.
    pub(crate) shows_state: bool,
    pub(crate) takes_unprotected: bool,
    pub(crate) compression: Compression,
    pub(crate) game: String,
    pub(crate) limits: Option<Limits>,
    pub(crate) embeds_schema: bool,
    pub(crate) discards_damaged: bool,
    pub(crate) discards_refused: bool,
    /// The files that these rules have let pass before.
    pub(crate) seen: Arc<SeenFiles>,
}

/// A value with what lists of saves show, ready to be written on any thread.
pub(crate) struct State {
    payload: Vec<u8>,
    meta: Option<Vec<u8>>,
    thumbnail: Option<Vec<u8>>,
    engine: String,
    time_ms: i64,
}

/// A value out of a save.
#[derive(Clone, Default)]
pub(crate) struct LoadedSave {
    pub(crate) value: Variant,
    pub(crate) meta: Variant,
    pub(crate) thumbnail: PackedByteArray,
    /// The header of the file; none where it is no save of ours.
    pub(crate) head: Option<Head>,
    /// The version of the data in the file.
    pub(crate) version: u32,
    /// Whether a save of today would be written in the same form.
    pub(crate) is_todays: bool,
    /// The classes in the file that have a newer version today, with their version in the file.
    pub(crate) older_classes: Vec<(String, u32)>,
}

impl Plan {
    fn settings(&self) -> Settings {
        let limits = self.limits.unwrap_or(Limits::save_file());
        let settings = Settings::new(Rules::safe(limits));
        if self.classes.is_some() { settings.reading_documents() } else { settings }
    }

    /// Returns what the state is held to: the schema, the classes, both or nothing.
    fn held(&self) -> Option<Arc<BoundSchema>> {
        match &self.classes {
            Some(classes) => Some(Arc::new(BoundSchema::with_classes(self.schema.as_deref(), classes()))),
            None => self.schema.clone(),
        }
    }

    pub(crate) fn opening(&self) -> OpenOptions<'_> {
        OpenOptions {
            keys: self.keys.as_deref(),
            takes_unprotected: self.takes_unprotected,
            most_bytes: self.settings().limits().max_bytes,
            unpacker: Some(unpacked_by_engine),
        }
    }

    /// Encodes a value, which may run getters of scripts, and checks that it could be loaded again.
    pub(crate) fn state(&self, value: &Variant, meta: &Variant, thumbnail: &[u8]) -> Result<State, Problem> {
        let mut codec = Codec::new();
        let settings = self.writing();
        let held = self.held();
        let payload = codec.encoded(&Call::under(&settings, held.as_deref()), value);
        let payload = payload.map_err(|problem| match &held {
            Some(_) => problem,
            None => errors::asking_for_classes_to_write(problem),
        })?;
        // Objects are checked here, where their scripts may run; other values when they are written.
        if let Some(held) = held.filter(|held| held.classes.is_some()) {
            codec.validate(&Call::under(&self.settings(), Some(&held)), payload.as_slice())?;
        }
        let meta = match meta.is_nil() {
            true => None,
            false => {
                let bytes = codec.encoded(&Call::plain(&settings), meta)?;
                codec.validate(&Call::plain(&of_meta()), bytes.as_slice())?;
                Some(bytes.to_vec())
            }
        };
        Ok(State {
            payload: payload.to_vec(),
            meta,
            thumbnail: (!thumbnail.is_empty()).then(|| thumbnail.to_vec()),
            engine: engine_version(),
            time_ms: now_ms(),
        })
    }

    /// The bytes of a save that goes on from `parent`.
    pub(crate) fn written(&self, state: &State, parent: Option<&Head>) -> Result<Vec<u8>, Problem> {
        // Nothing is written that no load would take back, whatever its limits are.
        if self.classes.is_none() {
            Codec::new().validate(&Call::plain(&self.settings()), &state.payload)?;
        }
        let schema = self.schema.as_ref().filter(|_| self.embeds_schema);
        let schema = schema.map(|held| held.schema.to_json());
        let protection = match (&self.keys, self.shows_state) {
            (None, _) => Protection::None,
            (Some(keys), true) => Protection::Keyed(keys),
            (Some(keys), false) => Protection::Encrypted(keys),
        };
        let draft = Draft {
            version: self.version,
            is_document: self.classes.is_some(),
            class_hash: self.class_hash(),
            schema_hash: self.schema.as_ref().map_or(0, |held| held.schema.hash()),
            time_ms: state.time_ms,
            parent,
            game: &self.game,
            engine: &state.engine,
            meta: state.meta.as_deref(),
            thumbnail: state.thumbnail.as_deref(),
            schema: schema.as_deref(),
            compression: self.compression,
            packer: Some(&|raw| packed_by_engine(raw, self.compression)),
            protection,
            ..Draft::new(&state.payload)
        };
        variant_save::write(&draft).map_err(|unwritten| errors::of_unwritten(&unwritten))
    }

    /// A number that tells the classes from others; 0 where there are none.
    fn class_hash(&self) -> u64 {
        let hash = |classes: &Classes| classes().set().map_or(0, |set| set.table.hash());
        self.classes.as_ref().map_or(0, hash)
    }

    /// The value in a file, brought to today's version.
    pub(crate) fn loaded(&self, bytes: &[u8], watch: Watch<'_>) -> Result<LoadedSave, Problem> {
        watch.at(watch::OPENING)?;
        if !bytes.starts_with(&SIGNATURE) {
            return self.loaded_from_other(bytes, watch);
        }
        let mut goes_on =
            |share| watch.at(watch::OPENING + share * (watch::MIGRATING - watch::OPENING)).is_ok();
        let opened = variant_save::open_watched(bytes, &self.opening(), &mut goes_on);
        watch.at(watch::MIGRATING)?;
        let SaveContents { head, payload, meta, thumbnail, .. } = opened?;
        self.fits_head(&head)?;
        let value = self.value(&payload, head.version, watch)?;
        let older_classes = self.older_classes(&head, &payload);
        let is_todays = older_classes.is_empty() && self.keeps_as(&head).is_none();
        let meta = meta.map(|meta| decoded(&of_meta(), &meta)).transpose()?.unwrap_or_default();
        let thumbnail = PackedByteArray::from(thumbnail.unwrap_or_default().as_slice());
        Ok(LoadedSave {
            value,
            meta,
            thumbnail,
            version: head.version,
            head: Some(head),
            is_todays,
            older_classes,
        })
    }

    pub(crate) fn payload(&self, bytes: &[u8]) -> Result<Vec<u8>, Problem> {
        let beginning = || Beginning::of(bytes, Dialect::Godot4);
        let opened = variant_save::open(bytes, &self.opening());
        opened.map(|opened| opened.payload).map_err(|fault| errors::of_file_fault(fault, beginning))
    }

    /// Checks and builds a value, through every step from its version to today's.
    fn value(&self, payload: &[u8], version: u32, watch: Watch<'_>) -> Result<Variant, Problem> {
        if version > self.version {
            return Err(errors::newer(version, self.version));
        }
        let is_document = is_encoded_document(payload);
        if is_document && self.classes.is_none() {
            return Err(errors::no_classes());
        }
        if version == self.version && is_document == self.classes.is_some() {
            watch.at(watch::BUILDING)?;
            return self.checked(payload);
        }
        let checked = |payload: &[u8]| {
            watch.at(watch::BUILDING)?;
            self.checked(payload).map_err(|problem| errors::after_steps(&problem))
        };
        if let Some(classes) = &self.classes {
            return checked(&self.document_of_today(classes().set()?, payload, version, watch)?);
        }
        let value = migrate::migrated(self, decoded(&self.settings(), payload)?, version, watch)?;
        checked(Codec::new().encoded(&Call::plain(&self.writing()), &value)?.as_slice())
    }

    /// The document of data of an older version, or of a save from before there were classes, after all steps.
    fn document_of_today(
        &self,
        set: &ClassSet,
        payload: &[u8],
        version: u32,
        watch: Watch<'_>,
    ) -> Result<Vec<u8>, Problem> {
        let (settings, writing) = (self.settings(), self.writing());
        let value = decoded(&settings, payload)?;
        let rules = PartsRules { set, reading: &settings, writing: &writing };
        let mut parts = match is_encoded_document(payload) {
            true => Parts::of_document(rules, &value).ok_or_else(errors::no_document)?,
            false => Parts::of_value(rules, value),
        };
        migrate::parts_migrated(self, &mut parts, version, watch)?;
        parts.into_document()
    }

    fn writing(&self) -> Settings {
        self.settings().for_target(Some(Target::newest(Dialect::Godot4))).into_file()
    }

    fn checked(&self, payload: &[u8]) -> Result<Variant, Problem> {
        Codec::new().value(&Call::under(&self.settings(), self.held().as_deref()), payload)
    }
}

/// Returns the rules of metadata: lists of saves read it, and it may come from anybody.
pub(crate) fn of_meta() -> Settings {
    Settings::new(Rules::safe(Limits::network()))
}

pub(crate) fn decoded(settings: &Settings, bytes: &[u8]) -> Result<Variant, Problem> {
    Codec::new().value(&Call::plain(settings), bytes)
}

/// Compresses a slice by the engine, whose Zstandard is smaller and faster than ours.
fn packed_by_engine(raw: &[u8], compression: Compression) -> Option<Vec<u8>> {
    let mode = match compression {
        Compression::None => return None,
        Compression::Zstd => CompressionMode::ZSTD,
        Compression::Deflate => CompressionMode::DEFLATE,
    };
    PackedByteArray::from(raw).compress(mode).ok().map(|packed| packed.to_vec())
}

/// Decompresses a slice by the engine's Zstandard, which takes a quarter of the time of ours. The engine prints nothing
/// about bytes that are no frame.
fn unpacked_by_engine(packed: &[u8], size: usize) -> Option<Vec<u8>> {
    let raw = PackedByteArray::from(packed).decompress(size, CompressionMode::ZSTD);
    raw.ok().map(|raw| raw.to_vec())
}

fn engine_version() -> String {
    let info = Engine::singleton().get_version_info();
    info.get("string").map(|text| text.to_string()).unwrap_or_default()
}

fn now_ms() -> i64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}
