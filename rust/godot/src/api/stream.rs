//! `VariantStream`: static one-liners for trusted code, with a fallback instead of an Error code.
//!
//! They own no state that a script sees but the last error of each thread.

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use godot::builtin::{GString, PackedByteArray, PackedInt32Array, PackedStringArray, VarDictionary, Variant};
use godot::classes::Os;
use godot::obj::{Gd, Singleton};
use godot::register::{GodotClass, godot_api};
use twox_hash::XxHash3_64;
use variant_core::{TypeSet, VariantType};
use variant_save::OldFile;

use super::class_set::VariantClassSet;
use super::offset::{behind, is_told};

use super::error::no_bytes;
use super::job::VariantJob;
use super::method_rows::{makers, methods};
use super::number::{Choice, EnumNumber, argument, saturated};
use super::reader::VariantReader;
use super::schema::VariantSchema;
use super::tap;
use super::text::{dump, from_json, size_report, to_json};
use crate::call::codec::{Codec, Dialect, Extent, Limits, Rules, Target, append, guess_dialect, sorted};
use crate::call::decode::{bytes_argument, with_bytes};
use crate::call::form::Call;
use crate::call::problem::Problem;
use crate::call::schema::BoundSchema;
use crate::call::settings::Settings;
use crate::engine::declared::{is_assignable, type_name};
use crate::objects::{self, CompiledClasses};
use crate::raw::any_thread::AnyThread;
use crate::raw::in_place::{self, EncodeRoom};
use crate::raw::method::{HandRegistered, Maker, Method, Receiver};
use crate::raw::optional::Optional;
use crate::raw::try_lock::{Claim, Home, TryLock};
use crate::raw::variant::type_of;

/// The settings that the engine's own `var_to_bytes` obeys.
static AS_THE_ENGINE: Settings = Settings::new(Rules::engine()).warning_of_ids();
/// The settings for values that are hashed or saved: ids and handles are other ones in each process, so they
/// are refused.
static WITHOUT_HANDLES: Settings =
    Settings::new(Rules { limits: Limits { allowed_types: PLAIN, ..Limits::engine() }, ..Rules::engine() })
        .into_file();
/// The dialect when nobody said which.
const GODOT_4: Optional<EnumNumber<Dialect>> = Optional(EnumNumber(Dialect::Godot4));
const PLAIN: TypeSet = Limits::save_file().allowed_types;
/// The settings for decoding when nobody said how.
static BY_DEFAULT: Settings = by_default(Dialect::Godot4);

const fn by_default(dialect: Dialect) -> Settings {
    Settings::new(Rules::safe(Limits::save_file()).of_dialect(dialect))
}

/// An engine room of the static functions. They are kept here and not in the thread, since threads end later than the
/// engine can still take back what a room holds.
type Room = AnyThread<Option<Codec>>;

/// That of the main thread, which takes everything back in the end.
static HOME: Home<Room> = Home::new(AnyThread(None));
/// Those of all others: a thread uses one, and more threads than these share. Boxed: empty they would take 200 KB of the
/// library's file.
static ROOMS: [TryLock<AnyThread<Option<Box<Codec>>>>; 32] = [const { TryLock::new(AnyThread(None)) }; 32];
static THREADS: AtomicUsize = AtomicUsize::new(0);
/// Threads whose last call failed, those included that have ended so.
static FAILED_THREADS: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// The memory of a thread in one block, so that a call asks for it once.
    static THREAD: Thread =
        const { Thread { home: Cell::new(None), room: Cell::new(None), has_failed: Cell::new(false) } };
    static LAST_PROBLEM: RefCell<Option<Problem>> = const { RefCell::new(None) };
}

struct Thread {
    /// The main thread's own room.
    home: Cell<Option<Claim<Room>>>,
    /// The room that another thread uses, once it has used one.
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
    const METHODS: &'static [Method<()>] = methods! {
        transcode("bytes: PackedByteArray", "from_dialect: int", "to_dialect: int") Bytes
            |(), given| transcode(given[0], given[1], given[2]);
        dump("bytes: PackedByteArray") Text |(), given| dump(given[0]);
        to_json("bytes: PackedByteArray") Text |(), given| to_json(given[0]);
        from_json("json: String") Bytes |(), given| from_json(given[0]);
        size_report("bytes: PackedByteArray") Details |(), given| size_report(given[0]);
        get_last_error() Details |(), _| last_error();
    };
    const MAKERS: &'static [Maker<()>] = makers! {
        encode("value") Bytes |(), given, answer| encode(given[0], answer);
        decode("bytes: PackedByteArray"; "fallback", "offset") Value |(), given, answer| match is_told(given[2]) {
            true => decoded(given[1], answer, |codec, place| {
                decode_plain(codec, &BY_DEFAULT, &behind(given[0], given[2])?, place)
            }),
            false => decode(given[0], given[1], answer),
        };
        decode_as("dialect: int", "bytes: PackedByteArray"; "fallback") Value
            |(), given, answer| decode_as(given[0], given[1], given[2], answer);
    };
}

#[godot_api]
impl VariantStream {
    #[func]
    fn tap(bytes: Variant, label: Variant) {
        tap::handed(&bytes, &label);
    }

    #[func]
    fn encoded_size(value: Variant) -> i64 {
        let size = in_room(|codec| codec.encoded_size(&AS_THE_ENGINE, &value));
        size.map_or(-1, saturated)
    }

    /// Returns a number for what a value holds, whatever the order of its entries; 0 where it holds what is another thing in
    /// each process.
    #[func]
    fn hash_of(value: Variant) -> i64 {
        let hash = in_room(|_| {
            let mut bytes = Vec::new();
            append(&WITHOUT_HANDLES, &value, &mut EncodeRoom::default(), &mut bytes)?;
            Ok(XxHash3_64::oneshot(&sorted(&WITHOUT_HANDLES, &bytes)?).cast_signed())
        });
        hash.unwrap_or(0)
    }

    #[func]
    fn guess_dialect(bytes: PackedByteArray) -> PackedInt32Array {
        note_problem(None);
        let dialects = guess_dialect(bytes.as_slice()).into_iter();
        dialects.filter_map(|dialect| i32::try_from(dialect.number()).ok()).collect()
    }

    /// A job that loads.
    #[func]
    fn load_file_async(
        path: GString,
        #[opt(default = Optional::none())] schema: Optional<Option<Gd<VariantSchema>>>,
        #[opt(default = GODOT_4)] dialect: Optional<EnumNumber<Dialect>>,
        #[opt(default = Optional::none())] classes: Optional<Option<Gd<VariantClassSet>>>,
    ) -> Gd<VariantJob> {
        note_problem(None);
        let EnumNumber(dialect) = dialect.0;
        VariantJob::load(path, by_default(dialect), held_by(schema.0, classes.0))
    }

    /// A job that saves what `value` is now: it is encoded here and at once. It always comes back: a value that cannot be
    /// encoded is its error.
    #[func]
    fn save_file_async(
        path: GString,
        value: Variant,
        #[opt(default = false)] keep_backup: bool,
        #[opt(default = Optional::none())] schema: Optional<Option<Gd<VariantSchema>>>,
        #[opt(default = Optional::none())] classes: Optional<Option<Gd<VariantClassSet>>>,
    ) -> Gd<VariantJob> {
        let held = held_by(schema.0, classes.0);
        let bytes = framed(&value, held.as_ref().and_then(|held| held.classes.as_deref()));
        let bytes = bytes.map_err(|problem| problem.in_file(&path.to_string()));
        note_problem(bytes.as_ref().err().cloned());
        match bytes {
            Err(problem) => VariantJob::refused(problem),
            Ok(bytes) => {
                let old = if keep_backup { OldFile::Keep } else { OldFile::Drop };
                VariantJob::save(&path, bytes, old, held)
            }
        }
    }

    /// A reader that a `for` loop takes. It always comes back: a loop over one that could not open its file ends at once.
    #[func]
    fn read_file(
        path: Variant,
        #[opt(default = Optional::none())] schema: Optional<Option<Gd<VariantSchema>>>,
        #[opt(default = GODOT_4)] dialect: Optional<EnumNumber<Dialect>>,
        #[opt(default = Optional::none())] classes: Optional<Option<Gd<VariantClassSet>>>,
    ) -> Gd<VariantReader> {
        let EnumNumber(dialect) = dialect.0;
        VariantReader::of_file_of_values(&path, schema.0, classes.0, dialect)
    }

    #[func]
    fn get_version() -> GString {
        env!("CARGO_PKG_VERSION").into()
    }

    #[func]
    fn get_fallbacks() -> PackedStringArray {
        crate::engine::fallbacks::told().iter().map(GString::from).collect()
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
    if in_room(|codec| codec.encode_plain(&AS_THE_ENGINE, value, answer)).is_none() {
        no_bytes(answer);
    }
}

/// A value that stands alone needs neither a room nor, as long as nothing has failed, this thread's memory.
#[inline]
fn decode(bytes: &Variant, fallback: &Variant, place: &mut Variant) {
    if in_place::bytes(bytes).is_some_and(|lent| Codec::decode_single(&BY_DEFAULT, lent, place)) {
        if is_wanted(place, fallback) {
            return note_success();
        }
        *place = Variant::nil();
    }
    decode_in_room(bytes, fallback, place);
}

/// Out of line: what stands alone should not have to wait until all is ready for what does not.
#[inline(never)]
fn decode_in_room(bytes: &Variant, fallback: &Variant, place: &mut Variant) {
    decoded(fallback, place, |codec, place| decode_plain(codec, &BY_DEFAULT, bytes, place));
}

fn decode_as(dialect: &Variant, bytes: &Variant, fallback: &Variant, place: &mut Variant) {
    decoded(fallback, place, |codec, place| {
        let settings = by_default(argument("dialect", dialect)?);
        decode_plain(codec, &settings, bytes, place)
    });
}

#[inline]
fn decode_plain(
    codec: &mut Codec,
    settings: &Settings,
    bytes: &Variant,
    place: &mut Variant,
) -> Result<Extent, Problem> {
    let call = Call::plain(settings);
    with_bytes(&call, bytes, |bytes| codec.decode(&call, bytes, place))
}

fn transcode(bytes: &Variant, from: &Variant, to: &Variant) -> PackedByteArray {
    let bytes = in_room(|_| {
        let target = Some(Target::newest(argument("to_dialect", to)?));
        let settings = by_default(argument("from_dialect", from)?).for_target(target);
        Codec::transcode(&settings, &bytes_argument(bytes)?)
    });
    bytes.unwrap_or_default()
}

/// Returns the bytes that `FileAccess.store_var` writes.
fn framed(value: &Variant, classes: Option<&CompiledClasses>) -> Result<Vec<u8>, Problem> {
    let (mut bytes, mut room) = (vec![0; 4], EncodeRoom::default());
    match classes {
        Some(classes) => objects::appended(&AS_THE_ENGINE, classes, value, &mut room, &mut bytes)?,
        None => append(&WITHOUT_HANDLES, value, &mut room, &mut bytes)?,
    };
    // No more can be encoded than an i32 can count.
    let size = u32::try_from(bytes.len() - 4).unwrap_or(u32::MAX);
    bytes[..4].copy_from_slice(&size.to_le_bytes());
    Ok(bytes)
}

/// Returns what values are held to: a schema, classes, both or nothing.
fn held_by(
    schema: Option<Gd<VariantSchema>>,
    classes: Option<Gd<VariantClassSet>>,
) -> Option<Arc<BoundSchema>> {
    let held = schema.map(|schema| schema.bind().held());
    let Some(classes) = classes else { return held };
    let compiled = classes.bind().shared().compiled();
    Some(Arc::new(BoundSchema::with_classes(held.as_deref(), compiled)))
}

/// Sets what `get_last_error` says on this thread from now on.
pub(super) fn note_problem(problem: Option<Problem>) {
    match problem {
        None => note_success(),
        Some(problem) => drop(note_failure(problem)),
    }
}

fn decoded(
    fallback: &Variant,
    place: &mut Variant,
    call: impl FnOnce(&mut Codec, &mut Variant) -> Result<Extent, Problem>,
) {
    let is_decoded = in_room(|codec| {
        call(codec, place)?;
        if is_wanted(place, fallback) {
            return Ok(());
        }
        Err(Problem::wrong_type("decoded value", &type_name(fallback), &type_name(place)))
    });
    if is_decoded.is_none() {
        if type_of(place) != VariantType::Nil {
            *place = Variant::nil();
        }
        in_place::copy(fallback, place);
    }
}

/// Runs a call in this thread's room; what it comes to is its caller's.
#[inline]
pub(super) fn with_room<R>(call: impl FnOnce(&mut Codec) -> R) -> R {
    THREAD.with(|thread| {
        let (mut home, mut room);
        let codec = match thread.home.get() {
            Some(claim) => {
                home = claim.enter(|| AnyThread(None));
                home.as_mut().map(|home| match &mut ***home {
                    Some(codec) => codec,
                    empty => furnished(empty),
                })
            }
            None => {
                room = ROOMS[thread.room()].enter(|| AnyThread(None));
                room.as_mut().map(|room| &mut **room.get_or_insert_with(|| Box::new(Codec::new())))
            }
        };
        match codec {
            Some(codec) => call(codec),
            None => elsewhere(call),
        }
    })
}

/// Runs a call in this thread's room and notes its problem as the thread's last one.
pub(super) fn in_room<R>(call: impl FnOnce(&mut Codec) -> Result<R, Problem>) -> Option<R> {
    with_room(|codec| match call(codec) {
        Ok(answer) => {
            note_success();
            Some(answer)
        }
        Err(problem) => {
            codec.reuse(note_failure(problem));
            None
        }
    })
}

/// A room at its first call. Out of line, as is what comes next: a codec is kilobytes, which would be on the stack of every
/// call.
#[cold]
#[inline(never)]
fn furnished(room: &mut Option<Codec>) -> &mut Codec {
    room.insert(Codec::new())
}

/// Runs the call with another codec, while the thread is in its own already (a getter of an encoded object
/// encodes), or a thread with its number is.
#[cold]
#[inline(never)]
fn elsewhere<R>(call: impl FnOnce(&mut Codec) -> R) -> R {
    call(&mut Codec::new())
}

/// Whether a value is what a caller with this fallback wants: any, or one that can go where the fallback could.
#[inline]
fn is_wanted(value: &Variant, fallback: &Variant) -> bool {
    type_of(fallback) == VariantType::Nil || is_assignable(value, fallback)
}

/// Makes `get_last_error` say nothing on this thread from now on.
#[inline]
fn note_success() {
    // This thread's own failures it sees at once. Those of others only lead it into its own memory.
    if FAILED_THREADS.load(Ordering::Relaxed) > 0 && THREAD.with(|thread| thread.has_failed.replace(false)) {
        FAILED_THREADS.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Makes `get_last_error` say this on this thread from now on, and hands back what it said before.
#[cold]
fn note_failure(problem: Problem) -> Option<Problem> {
    if !THREAD.with(|thread| thread.has_failed.replace(true)) {
        FAILED_THREADS.fetch_add(1, Ordering::Relaxed);
    }
    LAST_PROBLEM.replace(Some(problem))
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

/// Gives the main thread its room, if this is that thread and has none yet.
pub(super) fn settle() {
    let os = Os::singleton();
    if os.get_thread_caller_id() == os.get_main_thread_id() {
        THREAD.with(|thread| thread.home.set(thread.home.get().or_else(|| HOME.claim())));
    }
}

/// Empties every room: what is in there must go before the engine does.
pub(super) fn release() {
    let home = THREAD.with(|thread| thread.home.get());
    if let Some(mut room) = home.and_then(|home| home.enter(|| AnyThread(None))) {
        room.take();
    }
    for room in &ROOMS {
        if let Some(mut room) = room.enter(|| AnyThread(None)) {
            room.take();
        }
    }
}
