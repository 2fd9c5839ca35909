//! `VariantReader`: values out of streams, peers and files, however they come in, and containers entry by entry.
//!
//! The state of such an object, and the lock around it, is in `reader_state.rs`.

use std::sync::atomic::Ordering;

use godot::builtin::{VarDictionary, Variant};
use godot::classes::{IRefCounted, RefCounted};
use godot::global::Error;
use godot::meta::ToGodot;
use godot::obj::{Base, Gd, GodotClass, NewGd};
use godot::register::info::{PropertyInfo, PropertyUsageFlags};
use godot::register::{GodotClass, godot_api};

use super::class_set::VariantClassSet;
use super::codec::VariantCodec;
use super::method_rows::methods;
use super::number::{Choice, EnumNumber, ReadFraming, saturated};
use super::property_argument::{PropertyArgument, properties};
use super::reader_call::ReadRequest;
use super::reader_outcome::Status;
use super::reader_state::{Options, ReaderState};
use super::schema::VariantSchema;
use super::stream::note_problem;
use super::stream_codec::codec_info;
use crate::call::codec::Dialect;
use crate::call::problem::Problem;
use crate::raw::instance::Anchor;
use crate::raw::method::{HandRegistered, Method, Receiver};
use crate::raw::register::{property, variant_info};

/// Reads values out of a stream.
#[derive(GodotClass)]
#[class(tool, base = RefCounted)]
pub struct VariantReader {
    state: Anchor<ReaderState>,
    base: Base<RefCounted>,
}

#[godot_api]
impl IRefCounted for VariantReader {
    fn init(base: Base<RefCounted>) -> Self {
        Self { state: Anchor::new(ReaderState::default()), base }
    }
}

impl HandRegistered for VariantReader {
    type State = ReaderState;
    const RECEIVER: Receiver<Self, ReaderState> = Receiver::Object(|reader| &reader.state);
    const METHODS: &'static [Method<ReaderState>] = methods! {
        feed("bytes") Code |reader, given| reader.feed(given[0]);
        feed_peer("peer: StreamPeer") Code |reader, given| reader.feed_peer(given[0]);
        feed_packet_peer("peer: PacketPeer") Code |reader, given| reader.feed_packet_peer(given[0]);
        open_file("file") Code |reader, given| reader.open_file(given[0]);
        next() Code |reader, _| reader.next();
        skip() Code |reader, _| reader.go_on(ReadRequest::Skip);
        enter() Code |reader, _| reader.go_on(ReadRequest::Enter);
        leave() Code |reader, _| reader.go_on(ReadRequest::Leave);
        finish() Code |reader, _| reader.finish();
        clear() Code |reader, _| reader.clear();
        get_data() Value |reader, _| reader.outcome(|outcome| outcome.data.clone());
        get_key() Value |reader, _| reader.outcome(|outcome| outcome.key.clone());
    };
    const QUESTIONS: &'static [Method<ReaderState>] = methods! {
        get_status() Number(Returns::Choice(Status::ENUM))
            |reader, _| reader.outcome(|outcome| outcome.status.number());
        get_bytes_needed() Number |reader, _| reader.outcome(|outcome| saturated(outcome.needed));
        has_partial_value() Truth |reader, _| reader.reading(|reading| !reading.is_between()).unwrap_or(false);
        get_error() Details |reader, _| error(reader);
        get_error_message() Text
            |reader, _| reader.outcome(|last| last.problem.as_ref().map(Problem::to_text)).unwrap_or_default();
    };
}

/// Returns the Dictionary for `get_error()`.
fn error(reader: &ReaderState) -> VarDictionary {
    reader.outcome(|last| last.problem.as_ref().map(Problem::to_dictionary)).unwrap_or_default()
}

// Every method takes `&self` or no borrow at all: the state has its own locks, and handlers of signals may call back.
#[godot_api]
impl VariantReader {
    #[signal]
    fn value_received(value: Variant);

    #[signal]
    fn rejected(error: VarDictionary);

    #[signal]
    fn broken(error: VarDictionary);

    #[func(gd_self)]
    fn poll(this: Gd<Self>) -> i64 {
        let mut values = 0;
        loop {
            let answer = this.bind().state.state().next();
            let mut speaker = this.clone();
            match this.bind().status() {
                _ if answer == Error::OK => {
                    values += 1;
                    let value = this.bind().state.state().outcome(|outcome| outcome.data.clone());
                    speaker.emit_signal("value_received", &[value]);
                }
                Status::Rejected => {
                    speaker.emit_signal("rejected", &[error(this.bind().state.state()).to_variant()]);
                }
                _ => {
                    if this.bind().state.state().breaks_anew() {
                        speaker.emit_signal("broken", &[error(this.bind().state.state()).to_variant()]);
                    }
                    return values;
                }
            }
        }
    }

    #[func]
    fn get_stream_position(&self) -> i64 {
        saturated(self.state.state().reading(|reading| reading.frames.value_at()).unwrap_or(0))
    }

    #[func]
    fn get_depth(&self) -> i64 {
        saturated(self.state.state().reading(|reading| reading.frames.depth()).unwrap_or(0))
    }

    #[func]
    fn get_progress(&self) -> f64 {
        self.state.state().reading(|reading| reading.progress()).unwrap_or(0.0)
    }

    #[func]
    fn _iter_init(&self, _state: Variant) -> bool {
        self.advance()
    }

    #[func]
    fn _iter_next(&self, _state: Variant) -> bool {
        self.advance()
    }

    #[func]
    fn _iter_get(&self, _state: Variant) -> Variant {
        self.state.state().outcome(|outcome| outcome.data.clone())
    }

    #[func]
    fn get_codec(&self) -> Gd<VariantCodec> {
        self.state.state().codec.object()
    }

    #[func]
    fn set_codec(&self, codec: PropertyArgument<Option<Gd<VariantCodec>>>) {
        codec.put("VariantReader.codec", |codec| self.state.state().codec.set(codec));
    }
}

properties! {
    VariantReader;
    options, options {
        get_framing, set_framing, "framing": EnumNumber<ReadFraming> = ReadFraming,
            |options| EnumNumber(options.framing), |options, value| options.framing = value;
    }
    reader, reader {
        get_time_budget_usec, set_time_budget_usec, "time_budget_usec": i64 = i64,
            |reader| saturated(reader.budget.load(Ordering::Relaxed)),
            |reader, budget| reader.budget.store(u64::try_from(budget).unwrap_or(0), Ordering::Relaxed);
    }
}

impl VariantReader {
    fn options<R>(&self, change: impl FnOnce(&mut Options) -> R) -> R {
        self.reader(|reader| reader.options(change))
    }

    fn reader<R>(&self, call: impl FnOnce(&ReaderState) -> R) -> R {
        call(self.state.state())
    }

    /// Returns a reader of a file of values, or one that says why there is none.
    pub(super) fn of_file_of_values(
        file: &Variant,
        schema: Option<Gd<VariantSchema>>,
        classes: Option<Gd<VariantClassSet>>,
        dialect: Dialect,
    ) -> Gd<Self> {
        let reader = Self::new_gd();
        let codec = reader.bind().state.state().codec.state();
        codec.set_schema(schema);
        codec.set_classes(classes);
        codec.options(|options| options.dialect = dialect);
        reader.bind().state.state().open_values(file);
        reader.bind().note();
        reader
    }

    fn status(&self) -> Status {
        self.state.state().outcome(|outcome| outcome.status)
    }

    /// Takes a step of a `for` loop. A loop cannot be told of an error, so the thread's last one is set as
    /// well.
    fn advance(&self) -> bool {
        // A loop cannot wait for the next frame: the budget does not count.
        let has_value = self.state.state().next_at_once() == Error::OK;
        if !has_value {
            self.note();
        }
        has_value
    }

    fn note(&self) {
        note_problem(self.state.state().outcome(|outcome| outcome.problem.clone()));
    }
}

/// The properties, with what gdext cannot say of them.
pub(super) fn register_properties() {
    let class = VariantReader::class_id();
    let read_only = |name| PropertyInfo { usage: PropertyUsageFlags::NIL_IS_VARIANT, ..variant_info(name) };
    property(class, &read_only("data"), "", "get_data");
    property(class, &read_only("key"), "", "get_key");
    VariantReader::register_table();
    property(class, &codec_info(), "set_codec", "get_codec");
}
