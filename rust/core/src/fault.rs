//! Defines faults: what went wrong and where, made in the hot loop, `Copy`, without strings. Users see
//! [`Error`](crate::Error).

use std::fmt;

use crate::cursor::Shortage;
use crate::wire::VariantType;

/// Holds one fault, at one byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The kind of the fault.
    pub kind: ErrorKind,
    /// The byte offset from the start of the input (decoding) or output (encoding).
    pub at: u64,
}

impl Fault {
    /// Makes a fault of this kind at this byte.
    #[cold]
    #[must_use]
    pub const fn new(kind: ErrorKind, at: u64) -> Fault {
        Fault { kind, at }
    }

    /// Makes the fault of bytes that end too early; there are `left` of them from `at` on.
    #[cold]
    #[must_use]
    pub fn incomplete(shortage: Shortage, at: u64, left: u64) -> Fault {
        let declared = word(shortage.0.saturating_add(left));
        let kind = ErrorKind::Incomplete {
            needed: word(shortage.0),
            part: Part::Header,
            declared,
            left: word(left),
        };
        Fault { kind, at }
    }

    /// Makes the fault of more bytes than the limit, with their number where it is known.
    #[cold]
    pub(crate) fn too_many_bytes(limit: u64, there: Option<u64>) -> Fault {
        let declared = there.and_then(|there| u32::try_from(there).ok()).unwrap_or(0);
        Fault { kind: ErrorKind::TooManyBytes { limit, declared }, at: limit }
    }

    /// Adds the type of the value in which the fault is.
    #[cold]
    pub(crate) const fn within(mut self, ty: VariantType) -> Fault {
        match &mut self.kind {
            ErrorKind::Incomplete { part, .. } => {
                *part = match *part {
                    Part::Header => Part::Field(ty),
                    Part::Text(_) => Part::Text(ty),
                    other => other,
                }
            }
            ErrorKind::InvalidLength { ty: of, .. } => *of = ty,
            _ => {}
        }
        self
    }

    /// Adds the declared length of the field at fault.
    #[cold]
    pub(crate) fn declared(mut self, bytes: u64, of: Part) -> Fault {
        if let ErrorKind::Incomplete { part, declared, .. } = &mut self.kind {
            *part = of;
            *declared = word(bytes);
        }
        self
    }
}

/// A fault without its path, which the walk adds: `expected the end of the bytes, got 4 more bytes (byte 8)`.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (byte {})", self.kind, self.at)
    }
}

impl std::error::Error for Fault {}

/// Converts a length. Lengths in the format are 31 bits wide and what they lack is no more, so nothing is
/// ever cut here.
pub(crate) fn word(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Names the part in whose middle the bytes end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Part {
    /// The beginning of a value: its header, or the length of a bare text.
    Header,
    /// A field of a fixed size, in a value of this type.
    Field(VariantType),
    /// Text whose length was declared, in a value of this type.
    Text(VariantType),
    /// The numbers of a packed array, whose count was declared.
    Numbers(VariantType),
    /// A value of a stream, whose length stands before it.
    Frame,
    /// The children of a container, whose count was declared. `declared` and `left` then count children, not
    /// bytes.
    Children(VariantType),
}

macro_rules! define_error_kind {
    ($($(#[doc = $doc:literal])+ $code:literal $name:ident $constant:literal
        $(expected $rule:literal)? $(got $breach:literal)?
        $({ $($(#[doc = $fdoc:literal])+ $field:ident : $ty:ty),* })?,)*) => {
        /// Names every way to fail. The numbers in a variant have the unit that its name says.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum ErrorKind {
            $($(#[doc = $doc])+ $name $({ $($(#[doc = $fdoc])+ $field: $ty),* })?,)*
        }

        impl ErrorKind {
            /// Lists name, code and meaning of every kind, as the Godot side publishes them.
            pub const TABLE: &[(&'static str, i64, &'static str)] =
                &[$(($constant, $code, concat!($($doc),+))),*];

            /// Returns the stable number of this kind.
            #[must_use]
            pub const fn code(self) -> i64 {
                match self {
                    $(ErrorKind::$name { .. } => $code,)*
                }
            }

            /// Returns what would have been right and what was there instead, where no number or type name says it; empty
            /// where many kinds have the same words.
            pub(crate) const fn words(self) -> (&'static str, &'static str) {
                match self {
                    $(ErrorKind::$name { .. } => (concat!($($rule)?), concat!($($breach)?)),)*
                }
            }

            /// Returns the constant's name of this kind, `VariantCodec.NAME` in GDScript.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(ErrorKind::$name { .. } => $constant,)*
                }
            }
        }
    };
}

define_error_kind! {
    // The input is not what the format allows.
    /// The bytes end before the value does.
    1 Incomplete "INCOMPLETE" {
        /// Bytes missing, at least.
        needed: u32,
        /// The part that lacks them.
        part: Part,
        /// The declared length of that part, or the length by its type; bytes, or children of a container.
        declared: u32,
        /// How much of that part there is, in the same unit.
        left: u32
    },
    /// The header names a type that does not exist.
    2 UnknownType "UNKNOWN_TYPE" expected "a known type id" {
        /// The low bits of the header.
        id: u16
    },
    /// A length or count is negative or larger than the format can hold.
    3 InvalidLength "INVALID_LENGTH" expected "a possible length" {
        /// The type that has the length.
        ty: VariantType,
        /// The number as a signed 32-bit integer.
        declared: i32
    },
    /// Text is not valid UTF-8.
    4 InvalidUtf8 "INVALID_UTF8" expected "text in UTF-8" got "bytes that are not UTF-8",
    /// A NodePath in the form that engines stopped reading with 3.1, or with counts that wrap.
    5 InvalidNodePath "INVALID_NODE_PATH"
        expected "a NodePath as Godot writes it since 3.1" got "an older form, or impossible counts",
    /// A typed container is declared to hold a type that does not exist.
    6 InvalidElementType "INVALID_ELEMENT_TYPE" expected "a type id of 0 to 38" {
        /// The declared type id.
        id: i32
    },
    // The input would silently lose or change data (SAFE).
    /// Header or count bits that no engine writes.
    7 UnknownFlags "UNKNOWN_FLAGS" expected "only flag bits that engines write" {
        /// The bits.
        bits: u32
    },
    /// A bool that is neither 0 nor 1.
    8 InvalidBool "INVALID_BOOL" expected "bool 0 or 1" {
        /// The number found.
        found: u32
    },
    /// Padding that is not zero.
    9 DirtyPadding "DIRTY_PADDING" expected "padding of zeros" got "other bytes",
    /// Text begins with a byte order mark, which the engine drops.
    10 LeadingBom "LEADING_BOM"
        expected "text without a leading byte order mark" got "one, which Godot would drop",
    /// Text holds a NUL, at which the engine cuts it.
    11 EmbeddedNul "EMBEDDED_NUL" expected "text without NUL" got "one, at which Godot would cut the text",
    /// A Dictionary holds the same key twice; the engine keeps the last value.
    12 DuplicateKey "DUPLICATE_KEY" expected "each key once" got "a key that is there already",
    /// An element, key or value is not of the type its container declares; the engine converts it, drops it or looks away.
    13 WrongElementType "WRONG_ELEMENT_TYPE" {
        /// The declared type.
        expected: VariantType,
        /// The type found.
        got: VariantType
    },
    /// Bytes follow the value.
    14 TrailingBytes "TRAILING_BYTES" expected "the end of the bytes" {
        /// The number of bytes.
        count: u64
    },
    // A limit was reached.
    /// More bytes than `max_bytes`.
    15 TooManyBytes "TOO_MANY_BYTES" {
        /// The limit.
        limit: u64,
        /// The number of bytes there are, or that a frame declares; 0 where it is unknown, or does not fit 32
        /// bits.
        declared: u32
    },
    /// Nested deeper than `max_depth` levels.
    16 TooDeep "TOO_DEEP" {
        /// The limit.
        limit: u64
    },
    /// More values than `max_values`.
    17 TooManyValues "TOO_MANY_VALUES" {
        /// The limit.
        limit: u64,
        /// Elements that a container declares, or values that a schema would add to it, when those are too many; 0 when the
        /// values of the bytes were counted.
        declared: u32
    },
    /// A Dictionary with more entries than `max_entries`.
    18 TooManyEntries "TOO_MANY_ENTRIES" {
        /// The limit.
        limit: u64,
        /// Entries declared.
        declared: u32
    },
    /// A string of more bytes than `max_string_bytes`.
    19 StringTooLong "STRING_TOO_LONG" {
        /// The limit.
        limit: u64,
        /// Bytes declared.
        declared: u32
    },
    /// A NodePath of more names than `max_path_segments`.
    20 PathTooLong "PATH_TOO_LONG" {
        /// The limit.
        limit: u64,
        /// Names and sub-names declared.
        declared: u32
    },
    /// More output than `max_output_bytes`.
    21 OutputTooLarge "OUTPUT_TOO_LARGE" {
        /// The limit.
        limit: u64
    },
    /// A type that `allowed_types` leaves out.
    22 TypeNotAllowed "TYPE_NOT_ALLOWED" expected "a type that the limits allow (allowed_types)" {
        /// The type.
        ty: VariantType
    },
    /// A key of a type that `allowed_key_types` leaves out.
    23 KeyTypeNotAllowed "KEY_TYPE_NOT_ALLOWED"
        expected "a key of a type that the limits allow (allowed_key_types)" {
        /// The type.
        ty: VariantType
    },
    /// An object with class and properties where those are not read.
    24 ObjectNotAllowed "OBJECT_NOT_ALLOWED"
        expected "a plain value or the id of an object" got "an object with class and properties",
    // The value cannot be written.
    /// An object of a class that cannot be instantiated.
    25 NotInstantiable "NOT_INSTANTIABLE"
        expected "an object of a class that can be instantiated" got "one that cannot",
    /// An object whose script is not a file of the project.
    26 ScriptWithoutPath "SCRIPT_WITHOUT_PATH"
        expected "a script in a file under res://" got "a script that is no file of the project",
    /// A container changed while it was being written.
    27 ChangedWhileEncoding "CHANGED_WHILE_ENCODING"
        expected "a container that stays as it is while it is encoded" got "one that changed",
    /// A string, array or dictionary of more than 2^31-1 bytes or elements.
    28 TooLong "TOO_LONG" expected "at most 2147483647 bytes or elements",
    // The other end of the walk refused.
    /// The value could not be built or stored.
    29 Refused "REFUSED" got "one that cannot",
    /// An argument of the wrong type, or a target that cannot take the value.
    30 InvalidArgument "INVALID_ARGUMENT" expected "an argument of another type" got "this one",
    /// The codec is in use by another thread, or by a call that has not returned.
    31 Busy "BUSY" expected "a codec, reader or writer that is free (each thread needs its own)"
        got "one in use by another thread or an unfinished call",
    /// A value written otherwise than an engine that has read it writes it: wider than it needs, with an object's id, in a
    /// container declared for nil (CANONICAL).
    32 NotCanonical "NOT_CANONICAL"
        expected "the one form that engines write" got "another form of the same value",
    // The reader it is written for could not read it.
    /// A type, or an object with a script, that the dialect or the target version cannot say.
    33 NotInDialect "NOT_IN_DIALECT" expected "what the chosen Godot version can read" {
        /// The type.
        ty: VariantType
    },
    /// The value would cost more memory than `max_heap_bytes`.
    34 TooMuchMemory "TOO_MUCH_MEMORY" {
        /// The limit.
        limit: u64
    },
    /// Keys or names that would keep the engine's hash tables searching for more than `max_key_probes` steps each.
    35 TooManyProbes "TOO_MANY_PROBES" {
        /// The limit.
        limit: u64
    },
    // The value does not fit a schema. The schema's own report has the demand and the value found.
    /// A value of another type than the schema says.
    36 WrongType "WRONG_TYPE",
    /// A number, a vector's length or a point outside the range of the schema.
    37 OutOfRange "OUT_OF_RANGE",
    /// A number that is not a multiple of what the schema says.
    38 NotMultiple "NOT_MULTIPLE",
    /// Too few or too many elements, entries or characters for the schema.
    39 WrongSize "WRONG_SIZE",
    /// Text that the pattern of the schema does not match.
    40 PatternMismatch "PATTERN_MISMATCH",
    /// A number that is infinite or not a number where the schema does not allow it.
    41 NotFinite "NOT_FINITE",
    /// A vector or quaternion that is not normalized where the schema says so.
    42 NotNormalized "NOT_NORMALIZED",
    /// A value that is none of those the schema lists.
    43 NotInEnum "NOT_IN_ENUM",
    /// A key that the schema requires is not there.
    44 MissingKey "MISSING_KEY",
    /// A key that the schema does not know, in a dictionary it calls closed.
    45 UnknownKey "UNKNOWN_KEY",
    /// Two equal elements where the schema says that each is unique.
    46 NotUnique "NOT_UNIQUE",
    /// A value that no alternative of the schema accepts.
    47 NoAlternative "NO_ALTERNATIVE",
    /// A check of the game's own said no.
    48 CheckFailed "CHECK_FAILED",
    /// The schema contradicts itself, so it cannot say anything about a value.
    49 IllFormedSchema "ILL_FORMED_SCHEMA"
        expected "a schema without contradictions" got "one that contradicts itself",
    // The source or destination of the bytes failed, and not the bytes.
    /// A file could not be opened, read, written or put under its name.
    50 FileFailed "FILE_FAILED" expected "a file that can be opened, read and written" got "one that cannot",
    /// A peer is not connected, gives an error, or never takes what it is given.
    51 PeerFailed "PEER_FAILED" expected "a peer that is connected" got "one that is not",
    /// The job was cancelled before it was done.
    52 Cancelled "CANCELLED" expected "a job that goes on to its end" got "one that was cancelled",
    // A save file cannot be taken, or not by this version of the game.
    /// The file does not begin as a save does, and no version was set for such files.
    53 NotASave "NOT_A_SAVE" expected "a save file" got "another file",
    /// Bytes of the save were changed by accident.
    54 SaveDamaged "SAVE_DAMAGED" expected "a save as it was written" got "a part of one",
    /// The save ends before its end.
    55 SaveCutShort "SAVE_CUT_SHORT" expected "a whole save" got "a part of one",
    /// A newer version of the game, or of this library, wrote the save.
    56 SaveNewer "SAVE_NEWER" expected "a save of this version or an older one" got "one of a newer version",
    /// The save needs a password or a key, or another one.
    57 WrongKey "WRONG_KEY" expected "the password or key of the save" got "another one",
    /// Somebody without the key changed the save.
    58 NotAuthentic "NOT_AUTHENTIC"
        expected "a save that only owners of the key changed" got "one that was changed",
    /// The save and all its backups are damaged.
    59 NoIntactSave "NO_INTACT_SAVE" expected "a save as it was written" got "damaged ones only",
    /// No step leads from the save's version of the data to the next one.
    60 MigrationMissing "MIGRATION_MISSING"
        expected "a step from each version to the next" got "a version without one",
    /// A step from one version of the data to the next gave nothing that the schema takes.
    61 MigrationFailed "MIGRATION_FAILED"
        expected "a step that returns the data of the next version" got "one that does not",
    /// The file that is there could not be read, and is not overwritten unasked.
    62 SaveLocked "SAVE_LOCKED" expected "no file, or one that can be read" got "one that cannot",
    // The value is no document of objects, or one that the classes of a VariantClassSet do not allow.
    /// The value is not of the form in which objects of a VariantClassSet are written.
    63 NotADocument "NOT_A_DOCUMENT" expected "a document of objects, variant_objects/1" got "another value",
    /// A class that the VariantClassSet does not allow.
    64 ClassNotAllowed "CLASS_NOT_ALLOWED" expected "a class that is allowed" got "another one",
    /// A class of a newer version than the VariantClassSet has.
    65 ClassNewer "CLASS_NEWER"
        expected "a class of this version or an older one" got "one of a newer version",
    /// A property that the class does not have, and that was not renamed or forgotten.
    66 UnknownProperty "UNKNOWN_PROPERTY" expected "a property of the class" got "another one",
    /// An object of another class than the property says.
    67 WrongClass "WRONG_CLASS" expected "an object of the declared class" got "one of another class",
    /// A reference to an object that is not in the document.
    68 BadReference "BAD_REFERENCE" expected "a reference to an object of the document" got "one to nothing",
    /// An object in the document that nothing in its value leads to.
    69 UnusedObject "UNUSED_OBJECT"
        expected "only objects that the value leads to" got "one that nothing refers to",
    /// More objects than `max_objects`.
    70 TooManyObjects "TOO_MANY_OBJECTS" {
        /// The limit.
        limit: u64
    },
    /// An object could not be made, or a property of it did not take its value.
    71 NotConstructed "NOT_CONSTRUCTED" expected "an object that takes its values" got "one that does not",
    // Packed bytes cannot be taken.
    /// The schema has a part that cannot be packed.
    72 Unpackable "UNPACKABLE" expected "a schema that can be packed" got "one with a part that cannot",
    /// The bytes were packed by another schema or another format.
    73 SchemaMismatch "SCHEMA_MISMATCH"
        expected "bytes packed by this schema" got "bytes of another schema or format",
    /// The difference was made from another value than the one it is applied to.
    74 BaselineMismatch "BASELINE_MISMATCH"
        expected "a difference from this value" got "one from another value; send the value whole",
    // A packet of a protocol cannot be taken, or not from this peer.
    /// No message has this id.
    75 UnknownMessage "UNKNOWN_MESSAGE" expected "the id of a message" got "another one",
    /// Only the other side may send this message.
    76 WrongDirection "WRONG_DIRECTION"
        expected "a message that its sender may send" got "one of the other side",
    /// The peer sent more packets, bytes or messages than it may.
    77 RateLimited "RATE_LIMITED" expected "fewer packets or messages" got "more",
    /// The other side runs another version of the game: its messages differ.
    78 ProtocolMismatch "PROTOCOL_MISMATCH"
        expected "the messages of this version of the game" got "those of another version",
    /// A message came before the handshake.
    79 NotGreeted "NOT_GREETED" expected "a handshake first" got "a message",
    /// A control message of the protocol is cut off or unknown, or acknowledges what was never sent.
    80 BadControl "BAD_CONTROL" expected "a control message that this version knows" got "another one",
    /// The peer was thrown out, or nobody said that it is connected.
    81 PeerNotHeard "PEER_NOT_HEARD"
        expected "a peer that is connected" got "one that is not, or that was thrown out",
    /// A script itself, or a path that no script of an allowed class has, in bytes that the engine wrote with objects.
    82 ScriptInData "SCRIPT_IN_DATA"
        expected "no script but those of allowed classes, by their paths" got "another script",
    /// Objects of a document that hold one another in a circle, where `circles` is off.
    83 CircularReference "CIRCULAR_REFERENCE"
        expected "no circle of objects that hold each other (circles)" got "one, which a WeakRef would break",
}

impl ErrorKind {
    /// Tells whether a schema refused, and not the format or a limit.
    #[must_use]
    pub const fn is_of_schema(self) -> bool {
        self.code() >= ErrorKind::WrongType.code() && self.code() <= ErrorKind::IllFormedSchema.code()
    }

    /// Tells whether a limit of `VariantLimits` was broken.
    #[must_use]
    pub const fn is_of_limits(self) -> bool {
        matches!(
            self,
            ErrorKind::TooManyBytes { .. }
                | ErrorKind::TooDeep { .. }
                | ErrorKind::TooManyValues { .. }
                | ErrorKind::TooManyEntries { .. }
                | ErrorKind::StringTooLong { .. }
                | ErrorKind::PathTooLong { .. }
                | ErrorKind::OutputTooLarge { .. }
                | ErrorKind::TooMuchMemory { .. }
                | ErrorKind::TooManyProbes { .. }
                | ErrorKind::TooManyObjects { .. }
        )
    }

    /// Tells whether it is about the objects of a document, whose own report has the demand and what was found.
    #[must_use]
    pub const fn is_of_objects(self) -> bool {
        let is_of_documents =
            self.code() >= ErrorKind::NotADocument.code() && self.code() <= ErrorKind::NotConstructed.code();
        is_of_documents || matches!(self, ErrorKind::ScriptInData | ErrorKind::CircularReference)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_small() {
        assert!(size_of::<Fault>() <= 24, "{} bytes", size_of::<Fault>());
    }

    #[test]
    fn codes_are_dense() {
        for (at, (name, code, meaning)) in ErrorKind::TABLE.iter().enumerate() {
            assert_eq!(usize::try_from(*code), Ok(at + 1), "{name}");
            assert!(!meaning.trim().is_empty());
        }
    }
}
