//! The state of a VariantWriter: its settings, the stream it writes, and the refusal of its last call.
//!
//! The locks are those of a codec (`state.rs`): options for moments, work for a whole call and never waited for.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use godot::builtin::{GString, PackedByteArray, Variant, VariantType};
use godot::classes::Engine;
use godot::global::Error;
use godot::meta::ToGodot;
use godot::obj::Singleton;
use variant_core::{ErrorKind, Framing};
use variant_save::{OldFile, Replacement};

use super::guarded::Guarded;
use super::number::argument;
use super::reader_state::{opened_before, path_of};
use super::stream_codec::{KnownCodec, StreamCodec};
use crate::call::problem::Problem;
use crate::call::settings::Settings;
use crate::engine::names;
use crate::raw::instance::State;
use crate::stream::open_container::OpenKind;
use crate::stream::output::{WriterOutput, of_io};
use crate::stream::peer::{Peer, PeerKind};
use crate::stream::trouble;
use crate::stream::writing::Writing;

/// Bytes that may wait for a peer before no more values are taken.
pub(super) const MOST_PENDING: u64 = 8 << 20;

/// The properties of a writer, but for its codec.
pub(super) struct Options {
    pub(super) old: OldFile,
    pub(super) most_pending: u64,
}

/// The state of a writer.
pub(crate) struct WriterState {
    pub(super) codec: StreamCodec,
    options: Mutex<Options>,
    work: Guarded<Work>,
}

#[derive(Default)]
struct Work {
    writing: Option<Writing>,
    known: KnownCodec,
    problem: Option<Problem>,
    /// Why there is no stream, to be told by `close()`.
    unopened: Option<Problem>,
}

impl Work {
    /// Returns the code of the last call.
    fn code(&self) -> Error {
        self.problem.as_ref().map_or(Error::OK, |problem| problem.error)
    }
}

impl Default for WriterState {
    fn default() -> Self {
        let options = Options { old: OldFile::Drop, most_pending: MOST_PENDING };
        Self { codec: StreamCodec::default(), options: Mutex::new(options), work: Guarded::default() }
    }
}

impl Drop for WriterState {
    fn drop(&mut self) {
        if let Some(writing) = self.work.enter().and_then(|mut work| work.writing.take()) {
            writing.warn_of_no_end();
        }
    }
}

impl State for WriterState {
    fn is_at_work(&self) -> bool {
        self.work.is_at_work()
    }
}

// A call can reach scripts before it is done with an argument, and they can let go of what was lent: so each is cloned.
impl WriterState {
    /// A path, or a FileAccess that is open already.
    pub(super) fn open_file(&self, file: &Variant, framing: &Variant) -> Error {
        let (file, framing) = (file.clone(), framing.clone());
        self.open(&framing, || match path_of(&file) {
            Some(path) => {
                let save =
                    globalized(&path).and_then(|it| Replacement::begin(&it).map_err(|error| of_io(&error)));
                save.map(WriterOutput::Save).map_err(|problem| problem.in_file(&path.to_string()))
            }
            None => opened_before(&file).map(WriterOutput::Access),
        })
    }

    pub(super) fn open_peer(&self, peer: &Variant, framing: &Variant) -> Error {
        let (peer, framing) = (peer.clone(), framing.clone());
        self.open(&framing, || Peer::new(&peer, PeerKind::Stream).map(WriterOutput::Stream))
    }

    pub(super) fn open_packet_peer(&self, peer: &Variant) -> Error {
        let peer = peer.clone();
        self.begin_stream(|| {
            let outlet = WriterOutput::of_packets(Peer::new(&peer, PeerKind::Packet)?)?;
            let framing = if outlet.is_packets() { Framing::None } else { Framing::U32 };
            Ok(Writing::new(outlet, framing))
        })
    }

    pub(super) fn open_buffer(&self, framing: &Variant) -> Error {
        self.open(&framing.clone(), || Ok(WriterOutput::Buffer))
    }

    pub(super) fn write(&self, value: &Variant) -> Error {
        let value = value.clone();
        self.add(|writing, settings| writing.write(settings, &value))
    }

    pub(super) fn write_key(&self, key: &Variant) -> Error {
        let key = key.clone();
        self.add(|writing, settings| writing.write_key(settings, &key))
    }

    pub(super) fn write_entry(&self, key: &Variant, value: &Variant) -> Error {
        let (key, value) = (key.clone(), value.clone());
        self.add(|writing, settings| writing.write_entry(settings, &key, &value))
    }

    pub(super) fn begin(&self, kind: OpenKind, count: &Variant) -> Error {
        let count = count.clone();
        self.add(|writing, settings| {
            let declared = match count.get_type() {
                VariantType::NIL => None,
                VariantType::INT if count.to::<i64>() == -1 => None,
                VariantType::INT => Some(counted(count.to())?),
                other => return Err(Problem::wrong_type("count", "int", other.godot_type_name())),
            };
            writing.begin(settings, kind, declared)
        })
    }

    pub(super) fn end(&self) -> Error {
        self.change(|writing, settings| writing.end(settings))
    }

    pub(super) fn flush(&self) -> Error {
        self.change(|writing, _| {
            writing.flush()?;
            if writing.pending() == 0 || writing.depth() > 0 { Ok(()) } else { Err(waiting()) }
        })
    }

    /// Ends the stream. A peer that has not taken everything keeps it open: the same call again goes on.
    pub(super) fn close(&self) -> Error {
        let old = self.options(|options| options.old);
        let Some(mut work) = self.work.enter() else { return Error::ERR_BUSY };
        let Some(writing) = &mut work.writing else {
            work.problem = work.unopened.take();
            return work.code();
        };
        let outcome = writing.check_end().and_then(|()| writing.flush());
        if outcome.is_ok() && writing.pending() > 0 {
            work.problem = Some(waiting());
            return Error::ERR_BUSY;
        }
        // Whatever it was, the stream is over; a file that is not whole goes with it.
        let mut ended = work.writing.take();
        let outcome = outcome.and_then(|()| ended.as_mut().map_or(Ok(()), |writing| writing.finish(old)));
        work.problem = outcome.err();
        let code = work.code();
        // Scripts may end with a peer, and those may ask this writer: not under the lock.
        drop(work);
        drop(ended);
        code
    }

    /// Ends the stream as if it had not begun, as far as that can be.
    pub(super) fn discard(&self) -> Error {
        let Some(mut work) = self.work.enter() else { return Error::ERR_BUSY };
        let before = std::mem::take(&mut **work);
        drop(work);
        drop(before);
        Error::OK
    }

    pub(super) fn buffer(&self) -> PackedByteArray {
        self.writing(|writing| writing.buffer()).unwrap_or_default()
    }

    /// Returns what the stream says of itself; nothing when there is none, or a call is unfinished.
    pub(super) fn writing<R>(&self, read: impl FnOnce(&Writing) -> R) -> Option<R> {
        self.work.enter()?.writing.as_ref().map(read)
    }

    pub(super) fn problem<R>(&self, read: impl FnOnce(&Problem) -> R) -> Option<R> {
        match self.work.enter() {
            Some(work) => work.problem.as_ref().map(read),
            None => Some(read(&Problem::busy())),
        }
    }

    pub(super) fn options<R>(&self, change: impl FnOnce(&mut Options) -> R) -> R {
        // Only plain moves happen under this lock, so even after a panic what is inside is whole.
        change(&mut self.options.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Begins a stream; one that was not closed is given up.
    fn open(&self, number: &Variant, outlet: impl FnOnce() -> Result<WriterOutput, Problem>) -> Error {
        self.begin_stream(|| {
            let framing = if number.is_nil() { Framing::None } else { argument("framing", number)? };
            Ok(Writing::new(outlet()?, framing))
        })
    }

    fn begin_stream(&self, begin: impl FnOnce() -> Result<Writing, Problem>) -> Error {
        let Some(mut work) = self.work.enter() else { return Error::ERR_BUSY };
        let former = work.writing.take();
        former.iter().for_each(Writing::warn_of_no_end);
        let begun = begin();
        let problem = begun.as_ref().err().cloned();
        (work.writing, work.unopened, work.problem) = (begun.ok(), problem.clone(), problem);
        let code = work.code();
        // As in `close`.
        drop(work);
        drop(former);
        code
    }

    /// A call that adds to the stream: not while too much is waiting for a peer.
    fn add(&self, call: impl FnOnce(&mut Writing, &Settings) -> Result<(), Problem>) -> Error {
        self.change(|writing, settings| {
            if writing.waits_for_peer() {
                let most = self.options(|options| options.most_pending);
                let is_full = |writing: &Writing| u64::try_from(writing.pending()).unwrap_or(u64::MAX) > most;
                if is_full(writing) {
                    writing.flush()?;
                    if is_full(writing) {
                        return Err(waiting());
                    }
                }
            }
            call(writing, settings)
        })
    }

    fn change(&self, call: impl FnOnce(&mut Writing, &Settings) -> Result<(), Problem>) -> Error {
        let Some(mut work) = self.work.enter() else { return Error::ERR_BUSY };
        let Work { writing, problem, known, .. } = &mut **work;
        self.codec.refreshed(known);
        let kept = &known.ready.call;
        let outcome = match writing {
            Some(writing) => {
                writing.go_by(kept);
                call(writing, &kept.settings).inspect_err(|problem| writing.note_refusal(problem))
            }
            None => Err(trouble(
                ErrorKind::InvalidArgument,
                Error::ERR_UNCONFIGURED,
                "nothing is open: open_file(), open_buffer() or another open comes first",
            )),
        };
        *problem = outcome.err();
        let checking = writing.as_mut().and_then(|writing| writing.checking.as_mut());
        let ended = checking.map(|codec| std::mem::take(&mut codec.ended));
        let code = work.code();
        // As in `close`.
        drop(work);
        drop(ended);
        code
    }
}

#[cold]
fn waiting() -> Problem {
    trouble(
        ErrorKind::Busy,
        Error::ERR_BUSY,
        "the peer has not taken yet what was written before: try again later",
    )
}

/// A count that the format can hold; -1 is for one that is not known.
fn counted(number: i64) -> Result<u32, Problem> {
    i32::try_from(number).ok().and_then(|count| u32::try_from(count).ok()).ok_or_else(|| {
        let wanted = "int from 0 to 2147483647, or -1 for as many as will come";
        Problem::wrong_type("count", wanted, &format!("int {number}"))
    })
}

/// The path of a file for the computer.
pub(super) fn globalized(path: &GString) -> Result<PathBuf, Problem> {
    let settings = Engine::singleton().get_singleton("ProjectSettings");
    let full = settings.and_then(|mut it| it.try_call(&*names::GLOBALIZE_PATH, &[path.to_variant()]).ok());
    let full: Option<GString> = full.and_then(|full| full.try_to().ok());
    match full {
        Some(full) if !full.is_empty() && full.find("://").is_none() => Ok(PathBuf::from(full.to_string())),
        _ => Err(trouble(
            ErrorKind::FileFailed,
            Error::ERR_FILE_BAD_PATH,
            "this path leads to no file on the computer",
        )),
    }
}
