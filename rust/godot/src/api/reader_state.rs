//! The state of a VariantReader: its settings, the stream it reads, and the outcome of its last call.
//!
//! The locks are those of a codec (`state.rs`): options for moments, work for a whole call and never waited for.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use godot::builtin::{GString, Variant, VariantType};
use godot::classes::FileAccess;
use godot::classes::file_access::ModeFlags;
use godot::global::Error;
use godot::obj::Gd;
use variant_core::{Dialect, ErrorKind, Framing};

use super::guarded::Guarded;
use super::number::ReadFraming;
use super::reader_call::{ReadCall, ReadRequest, resumed};
use super::reader_outcome::{Outcome, Status, nothing_open};
use super::stream_codec::{KnownCodec, StreamCodec};
use super::tap;
use crate::call::codec::Codec;
use crate::call::decode::bytes_argument;
use crate::call::problem::Problem;
use crate::call::schema::BoundSchema;
use crate::raw::in_place;
use crate::raw::instance::State;
use crate::stream::framed;
use crate::stream::peer::{Peer, PeerKind};
use crate::stream::reading::Reading;
use crate::stream::{CHUNK, failed, file_closed};

/// Bytes that may wait to be read before no more are taken of a peer.
const MOST_WAITING: usize = 1 << 20;

/// Packets likewise, since an empty one has no bytes.
const MOST_PACKETS: usize = 1 << 16;

/// The properties of a reader, but for its codec.
#[derive(Default)]
pub(super) struct Options {
    pub(super) framing: ReadFraming,
}

/// The state of a reader.
#[derive(Default)]
pub(crate) struct ReaderState {
    pub(super) codec: StreamCodec,
    options: Mutex<Options>,
    /// Microseconds a call may take; 0: no bound. Beside the other options, since each call asks for it.
    pub(super) budget: AtomicU64,
    work: Guarded<Work>,
}

#[derive(Default)]
struct Work {
    /// Made when it is first needed, with the framing of that time.
    reading: Option<Reading>,
    /// Somebody was told that the stream is broken.
    is_break_told: bool,
    /// The peer asked last, which need not be looked at again. The one before it stands first, until the call is over.
    peers: Vec<Peer>,
    /// For values of which all bytes are there.
    codec: Codec,
    known: KnownCodec,
    /// The schema of a value that is being read: it goes on under that one, or under none, whatever was set since.
    begun: Option<Option<Arc<BoundSchema>>>,
    outcome: Outcome,
}

impl State for ReaderState {
    fn is_at_work(&self) -> bool {
        self.work.is_at_work()
    }
}

impl ReaderState {
    pub(super) fn feed(&self, bytes: &Variant) -> Error {
        self.take(|reading, _| {
            reading.pieces.push(bytes_argument(bytes)?);
            Ok(())
        })
    }

    /// Takes the bytes that are there, up to a bound, so that one peer can neither fill the memory nor hold
    /// up a frame.
    pub(super) fn feed_peer(&self, peer: &Variant) -> Error {
        self.take(|reading, peers| {
            let peer = known(peers, peer, PeerKind::Stream)?;
            let room = MOST_WAITING.saturating_sub(reading.pieces.unread());
            let mut there = peer.available()?.min(room);
            while there > 0 {
                let chunk = peer.read(there.min(CHUNK))?;
                if chunk.is_empty() {
                    break;
                }
                there -= chunk.len().min(there);
                reading.pieces.push(chunk);
            }
            Ok(())
        })
    }

    pub(super) fn feed_packet_peer(&self, peer: &Variant) -> Error {
        self.take(|reading, peers| {
            let peer = known(peers, peer, PeerKind::Packet)?;
            let framing = reading.framing;
            let pieces = &mut reading.pieces;
            let is_full = pieces.unread() >= MOST_WAITING;
            let room = if is_full { 0 } else { MOST_PACKETS.saturating_sub(pieces.count()) };
            peer.packets(room, |packet| {
                match framing {
                    Framing::None => pieces.push_packet(packet),
                    _ => pieces.push(packet),
                }
                pieces.unread() < MOST_WAITING
            })
        })
    }

    pub(super) fn next(&self) -> Error {
        self.read(self.budget(), ReadRequest::Value)
    }

    /// Reads the next value however long it takes, for those who cannot come back later.
    pub(super) fn next_at_once(&self) -> Error {
        self.read(None, ReadRequest::Value)
    }

    /// Runs a call that wants no value.
    pub(super) fn go_on(&self, wanted: ReadRequest) -> Error {
        self.read(self.budget(), wanted)
    }

    /// Opens a file by its path, or takes one that is open already, from where it stands.
    pub(super) fn open_file(&self, file: &Variant) -> Error {
        self.open(file, |file, dialect| framed::of_file(file, dialect).unwrap_or_default())
    }

    /// Opens a file that has to be one of values.
    pub(super) fn open_values(&self, file: &Variant) -> Error {
        self.open(file, framed::of_values)
    }

    fn open(&self, file: &Variant, find: impl FnOnce(&mut Gd<FileAccess>, Dialect) -> Framing) -> Error {
        let found = self.options(|options| options.framing);
        let settings = self.codec.state().settings();
        let opened = opened(file).map(|mut file| {
            let framing = match found {
                ReadFraming::As(framing) => framing,
                ReadFraming::Auto => find(&mut file, settings.rules().dialect),
            };
            watched(Reading::of_file(framing, &settings, file))
        });
        self.replace(opened)
    }

    /// Back to the start of a stream: file, pieces and outcome are let go.
    pub(super) fn clear(&self) -> Error {
        self.change(|work| *work = Work::default())
    }

    /// No more will come.
    pub(super) fn finish(&self) -> Error {
        self.take(|reading, _| {
            reading.ends = true;
            Ok(())
        })
    }

    /// A part of the last outcome; while a call is unfinished, of an outcome that says so.
    pub(super) fn outcome<R>(&self, read: impl FnOnce(&Outcome) -> R) -> R {
        match self.work.enter() {
            Some(work) => read(&work.outcome),
            None => {
                read(&Outcome { problem: Some(Problem::busy()), status: Status::Busy, ..Outcome::default() })
            }
        }
    }

    /// Returns what the stream says of itself; nothing while a call is unfinished, or before the first byte.
    pub(super) fn reading<R>(&self, read: impl FnOnce(&Reading) -> R) -> Option<R> {
        self.work.enter()?.reading.as_ref().map(read)
    }

    pub(super) fn options<R>(&self, change: impl FnOnce(&mut Options) -> R) -> R {
        // Only plain moves happen under this lock, so even after a panic what is inside is whole.
        change(&mut self.options.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn budget(&self) -> Option<Duration> {
        let budget = self.budget.load(Ordering::Relaxed);
        (budget > 0).then(|| Duration::from_micros(budget))
    }

    /// Runs a call that reads on; its outcome replaces the last one.
    fn read(&self, budget: Option<Duration>, wanted: ReadRequest) -> Error {
        let Some(mut work) = self.work.enter() else { return Error::ERR_BUSY };
        if let (None, Status::Broken, Some(problem)) =
            (&work.reading, work.outcome.status, &work.outcome.problem)
        {
            return problem.error;
        }
        // Who set a framing waits for what will be fed.
        if work.reading.is_none() && self.options(|options| options.framing == ReadFraming::Auto) {
            let (code, told) = nothing_open();
            let before = std::mem::replace(&mut work.outcome, told);
            drop(work);
            drop(before);
            return code;
        }
        let former = in_place::take(&mut work.outcome.data);
        let Work { reading, codec, known, begun, outcome, .. } = &mut **work;
        let reading = self.reading_of(reading, known);
        let call = &known.ready.call;
        let former_schema = begun.take();
        let schema = former_schema.as_ref().unwrap_or(&call.held).as_ref();
        let (resumed, passed_over) = resumed(reading, wanted);
        let asked = resumed.unwrap_or_else(|| {
            let (keeps_rules, place) = (reading.keeps_rules, &mut outcome.data);
            let mut asking = ReadCall { codec, call, schema, wanted, budget, keeps_rules, place };
            reading.ask(&call.settings, budget, |frames, input| asking.read(frames, input))
        });
        let asked =
            asked.map_err(|halt| reading.first_fault(&call.settings, schema.map(|held| &**held), halt));
        let asked = asked.and_then(|given| reading.made(given, budget, &mut outcome.data));
        if reading.frames.is_begun() {
            *begun = Some(schema.cloned());
        }
        let (code, shown, before) = outcome.replaced(reading, asked, wanted.misplaced(call));
        let ended = std::mem::take(&mut codec.ended);
        // Ending the former value can run scripts, and those may ask this reader: not under the lock.
        drop(work);
        drop((former, former_schema, passed_over, before, ended));
        if let Some((bytes, reason)) = shown {
            tap::refused("VariantReader", &bytes, &reason);
        }
        code
    }

    /// The stream that is being read, by what the properties say now.
    fn reading_of<'r>(&self, reading: &'r mut Option<Reading>, known: &mut KnownCodec) -> &'r mut Reading {
        let are_new = self.codec.refreshed(known);
        let settings = &known.ready.call.settings;
        match reading {
            Some(reading) => {
                if are_new {
                    reading.go_by(settings);
                }
                reading
            }
            none => {
                let framing = self.options(|options| options.framing).of_feed();
                none.insert(watched(Reading::new(framing, settings)))
            }
        }
    }

    /// Whether the stream is broken, and nobody was told of it before.
    pub(super) fn breaks_anew(&self) -> bool {
        self.work.enter().is_some_and(|mut work| {
            work.outcome.status == Status::Broken && !std::mem::replace(&mut work.is_break_told, true)
        })
    }

    /// Runs a call that takes bytes in. It changes nothing of the outcome but the refusal.
    fn take(&self, call: impl FnOnce(&mut Reading, &mut Vec<Peer>) -> Result<(), Problem>) -> Error {
        let Some(mut work) = self.work.enter() else { return Error::ERR_BUSY };
        let Work { reading, peers, known, outcome, .. } = &mut **work;
        if outcome.status == Status::Broken {
            return Error::ERR_INVALID_DATA;
        }
        outcome.problem = call(self.reading_of(reading, known), peers).err();
        let code = outcome.problem.as_ref().map_or(Error::OK, |problem| problem.error);
        let former = peers.drain(..peers.len().saturating_sub(1)).next();
        // Scripts may end with it, and those may ask this reader: not under the lock.
        drop(work);
        drop(former);
        code
    }

    /// Begins another stream, or says why it cannot be begun; a reader without a stream is broken.
    pub(super) fn replace(&self, reading: Result<Reading, Problem>) -> Error {
        let (code, reading, outcome) = match reading {
            Ok(reading) => (Error::OK, Some(reading), Outcome::default()),
            Err(problem) => (
                problem.error,
                None,
                Outcome { problem: Some(problem), status: Status::Broken, ..Outcome::default() },
            ),
        };
        let changed = self.change(|work| *work = Work { reading, outcome, ..Work::default() });
        if changed == Error::OK { code } else { changed }
    }

    fn change(&self, change: impl FnOnce(&mut Work)) -> Error {
        let Some(mut work) = self.work.enter() else { return Error::ERR_BUSY };
        let before = std::mem::take(&mut **work);
        change(&mut work);
        drop(work);
        drop(before);
        Error::OK
    }
}

/// Lets the editor's panel see what a stream refuses.
fn watched(mut reading: Reading) -> Reading {
    if tap::is_watched() {
        reading.watch();
    }
    reading
}

/// The peer of the last call, or another one that is made sure of.
fn known<'a>(peers: &'a mut Vec<Peer>, value: &Variant, kind: PeerKind) -> Result<&'a mut Peer, Problem> {
    if !peers.last().is_some_and(|peer| peer.kind() == kind && peer.is(value)) {
        peers.push(Peer::new(value, kind)?);
    }
    peers.last_mut().ok_or_else(Problem::busy)
}

/// A file by its path, or one that is open already.
pub(super) fn opened(file: &Variant) -> Result<Gd<FileAccess>, Problem> {
    match path_of(file) {
        Some(path) => FileAccess::open(&path, ModeFlags::READ).ok_or_else(|| {
            let problem = failed(ErrorKind::FileFailed, FileAccess::get_open_error(), "opening the file");
            problem.in_file(&path.to_string())
        }),
        None => opened_before(file),
    }
}

/// A path, as a String or a StringName.
pub(super) fn path_of(file: &Variant) -> Option<GString> {
    matches!(file.get_type(), VariantType::STRING | VariantType::STRING_NAME).then(|| file.stringify())
}

/// A file that the caller has opened, and not closed again.
pub(super) fn opened_before(file: &Variant) -> Result<Gd<FileAccess>, Problem> {
    let access: Option<Gd<FileAccess>> = match file.get_type() {
        VariantType::OBJECT => file.try_to().ok(),
        _ => None,
    };
    let got = || file.get_type().godot_type_name();
    let access = access.ok_or_else(|| Problem::wrong_type("file", "a path or an open FileAccess", got()))?;
    if access.is_open() { Ok(access) } else { Err(file_closed()) }
}
