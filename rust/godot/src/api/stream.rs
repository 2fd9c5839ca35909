//! `VariantStream`: static one-liners for trusted code, with a fallback instead of an Error code.
//!
//! They own no state that a script sees but the last error of each thread.

use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicUsize, Ordering};

use godot::builtin::{GString, PackedByteArray, PackedInt32Array, VarDictionary, Variant, VariantType};
use godot::meta::ToGodot;
use godot::obj::Gd;
use godot::register::{GodotClass, godot_api};

use super::dialect;
use super::error::{bytes_argument, decode_argument, no_bytes};
use super::job::VariantJob;
use super::reader::VariantReader;
use super::schema::VariantSchema;
use crate::codec::{Codec, Dialect, Limits, Problem, Settings, Strictness, Target, append, guess_dialect};
use crate::raw::any_thread::AnyThread;
use crate::raw::in_place::EncodeRoom;
use crate::raw::method::{Answer, HandRegistered, Maker, Method, Receiver, Returns};
use crate::raw::try_lock::TryLock;

/// What the engine's own `var_to_bytes` obeys.
const AS_THE_ENGINE: Settings = Settings {
    strictness: Strictness::Engine,
    full_objects: false,
    limits: Limits::engine(),
    dialect: Dialect::Godot4,
    target: Some(Target::newest(Dialect::Godot4)),
};
/// What is decoded when nobody said how.
const BY_DEFAULT: Settings =
    Settings { strictness: Strictness::Safe, limits: Limits::save_file(), ..AS_THE_ENGINE };

/// Engine rooms of the static functions: a thread uses one, and more threads than these share. They are kept
/// here and not in the thread, since threads end later than the engine can still take back what a room holds.
static ROOMS: [TryLock<AnyThread<Option<Codec>>>; 32] = [const { TryLock::new(AnyThread(None)) }; 32];
static THREADS: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// One block, so that a call asks for its thread's memory once.
    static THREAD: Thread = const { Thread { room: Cell::new(None), has_failed: Cell::new(false) } };
    static LAST_PROBLEM: RefCell<Option<Problem>> = const { RefCell::new(None) };
}

struct Thread {
    /// The room it uses, once it has used one.
    room: Cell<Option<usize>>,
    /// Whether its last call failed. Apart from the problem itself, which costs more to look at.
    has_failed: Cell<bool>,
}

/// Static functions only: encode, decode, size, last error.
#[derive(GodotClass)]
#[class(tool, no_init, base = Object)]
pub struct VariantStream {}

impl HandRegistered for VariantStream {
    type State = ();
    const RECEIVER: Receiver<Self, ()> = Receiver::Static(&());
    const METHODS: &'static [Method<()>] = &[
        Method {
            name: "decode",
            arguments: &["bytes", "fallback"],
            optional: 1,
            returns: Returns::Value,
            run: |(), given| Answer::Value(decode(given[0], given[1])),
        },
        Method {
            name: "decode_as",
            arguments: &["dialect", "bytes", "fallback"],
            optional: 1,
            returns: Returns::Value,
            run: |(), given| Answer::Value(decode_as(given[0], given[1], given[2])),
        },
        Method {
            name: "load_file_async",
            arguments: &["path", "schema"],
            optional: 1,
            returns: Returns::Value,
            run: |(), given| Answer::Value(load_file(given[0], given[1])),
        },
        Method {
            name: "save_file_async",
            arguments: &["path", "value"],
            optional: 0,
            returns: Returns::Value,
            run: |(), given| Answer::Value(save_file(given[0], given[1])),
        },
        Method {
            name: "read_file",
            arguments: &["path", "schema"],
            optional: 1,
            returns: Returns::Value,
            run: |(), given| Answer::Value(read_file(given[0], given[1])),
        },
        Method {
            name: "transcode",
            arguments: &["bytes", "from", "to"],
            optional: 0,
            returns: Returns::Bytes,
            run: |(), given| Answer::Bytes(transcode(given[0], given[1], given[2])),
        },
        Method {
            name: "get_last_error",
            arguments: &[],
            optional: 0,
            returns: Returns::Details,
            run: |(), _| Answer::Details(last_error()),
        },
    ];
    const MAKERS: &'static [Maker<()>] = &[Maker {
        name: "encode",
        arguments: &["value"],
        optional: 0,
        returns: Returns::Bytes,
        run: |(), given, answer| encode(given[0], answer),
    }];
}

#[godot_api]
impl VariantStream {
    #[func]
    fn encoded_size(value: Variant) -> i64 {
        let size = in_room(|codec| codec.encoded_size(&AS_THE_ENGINE, &value));
        size.map_or(-1, |bytes| i64::try_from(bytes).unwrap_or(i64::MAX))
    }

    #[func]
    fn guess_dialect(bytes: Variant) -> PackedInt32Array {
        let numbers = |bytes: PackedByteArray| {
            let dialects = guess_dialect(bytes.as_slice()).into_iter();
            dialects.filter_map(|dialect| i32::try_from(dialect::number(dialect)).ok()).collect()
        };
        in_room(|_| bytes_argument(&bytes).map(numbers)).unwrap_or_default()
    }

    #[func]
    fn get_version() -> GString {
        env!("CARGO_PKG_VERSION").into()
    }
}

/// The problem of this thread's last call as scripts see it; empty when there was none.
fn last_error() -> VarDictionary {
    if !THREAD.with(|thread| thread.has_failed.get()) {
        return VarDictionary::default();
    }
    LAST_PROBLEM.with_borrow(|last| last.as_ref().map(Problem::to_dictionary)).unwrap_or_default()
}

#[inline]
fn encode(value: &Variant, answer: &mut Variant) {
    if in_room(|codec| codec.encode(&AS_THE_ENGINE, value, answer)).is_none() {
        no_bytes(answer);
    }
}

fn decode(bytes: &Variant, fallback: &Variant) -> Variant {
    decoded(bytes, fallback, || Ok(BY_DEFAULT))
}

fn decode_as(dialect: &Variant, bytes: &Variant, fallback: &Variant) -> Variant {
    decoded(bytes, fallback, || {
        Ok(Settings { dialect: dialect::argument("dialect", dialect)?, ..BY_DEFAULT })
    })
}

fn transcode(bytes: &Variant, from: &Variant, to: &Variant) -> PackedByteArray {
    let bytes = in_room(|_| {
        let target = Some(Target::newest(dialect::argument("to", to)?));
        let settings = Settings { dialect: dialect::argument("from", from)?, target, ..BY_DEFAULT };
        Codec::transcode(&settings, &bytes_argument(bytes)?)
    });
    bytes.unwrap_or_default()
}

/// A reader that a `for` loop takes. It always comes back: a loop over one that could not open its file ends at once.
fn read_file(path: &Variant, schema: &Variant) -> Variant {
    let reader = match schema_argument(schema) {
        Ok(schema) => VariantReader::of_framed_file(path, schema),
        Err(problem) => VariantReader::refused(problem),
    };
    reader.to_variant()
}

/// A job that loads. It always comes back: what is wrong with an argument is its error.
fn load_file(path: &Variant, schema: &Variant) -> Variant {
    let job = match path_argument(path).and_then(|path| Ok((path, schema_argument(schema)?))) {
        Err(problem) => VariantJob::refused(problem),
        Ok((path, schema)) => VariantJob::load(path, BY_DEFAULT, schema.map(|schema| schema.bind().held())),
    };
    job.to_variant()
}

/// A job that saves what `value` is now: it is encoded here and at once.
fn save_file(path: &Variant, value: &Variant) -> Variant {
    let job = match path_argument(path) {
        Err(problem) => VariantJob::refused(problem),
        Ok(path) => VariantJob::save(&path, framed(value)),
    };
    job.to_variant()
}

/// What `FileAccess.store_var` writes.
fn framed(value: &Variant) -> Result<Vec<u8>, Problem> {
    let mut bytes = vec![0; 4];
    let size = append(&AS_THE_ENGINE, value, &mut EncodeRoom::default(), &mut bytes)?;
    // No more can be encoded than an i32 can count.
    let size = u32::try_from(size).unwrap_or(u32::MAX);
    bytes[..4].copy_from_slice(&size.to_le_bytes());
    Ok(bytes)
}

fn path_argument(path: &Variant) -> Result<GString, Problem> {
    match path.get_type() {
        VariantType::STRING => Ok(path.to()),
        other => Err(Problem::wrong_type("path", "String", other.godot_type_name())),
    }
}

/// A schema, or none.
fn schema_argument(schema: &Variant) -> Result<Option<Gd<VariantSchema>>, Problem> {
    if schema.is_nil() {
        return Ok(None);
    }
    let wrong = |_| Problem::wrong_type("schema", "VariantSchema", schema.get_type().godot_type_name());
    schema.try_to().map(Some).map_err(wrong)
}

/// What `get_last_error` says on this thread from now on.
pub(super) fn note_problem(problem: Option<Problem>) {
    THREAD.with(|thread| thread.has_failed.set(problem.is_some()));
    LAST_PROBLEM.set(problem);
}

fn decoded(
    bytes: &Variant,
    fallback: &Variant,
    settings: impl FnOnce() -> Result<Settings, Problem>,
) -> Variant {
    let value = in_room(|codec| {
        let (value, _) = decode_argument(codec, &settings()?, bytes)?;
        if fallback.is_nil() {
            return Ok(value);
        }
        let (wanted, got) = (fallback.get_type(), value.get_type());
        if wanted == got {
            return Ok(value);
        }
        Err(Problem::wrong_type("decoded value", wanted.godot_type_name(), got.godot_type_name()))
    });
    value.unwrap_or_else(|| fallback.clone())
}

/// Runs a call in this thread's room and notes its problem as the thread's last one.
pub(super) fn in_room<R>(call: impl FnOnce(&mut Codec) -> Result<R, Problem>) -> Option<R> {
    THREAD.with(|thread| {
        let room = &ROOMS[thread.room()];
        // After a bug of ours broke off a call in there: a fresh one.
        let result = match room.enter(|| AnyThread(None)) {
            Some(mut room) => call(room.get_or_insert_with(Codec::new)),
            // The thread is in there already (a getter of an encoded object encodes), or another one with its
            // number.
            None => call(&mut Codec::new()),
        };
        thread.has_failed.set(result.is_err());
        result.map_err(|problem| LAST_PROBLEM.set(Some(problem))).ok()
    })
}

impl Thread {
    #[inline]
    fn room(&self) -> usize {
        self.room.get().unwrap_or_else(|| {
            let number = THREADS.fetch_add(1, Ordering::Relaxed) % ROOMS.len();
            self.room.set(Some(number));
            number
        })
    }
}

/// Empties every room: what is in there must go before the engine does.
pub(super) fn release() {
    for room in &ROOMS {
        if let Some(mut room) = room.enter(|| AnyThread(None)) {
            room.take();
        }
    }
}
