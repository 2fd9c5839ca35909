//! Tests the words of errors: what was expected, and what was there.

use super::*;
use crate::path::Step;

#[test]
fn an_error_is_one_word() {
    assert_eq!(size_of::<Error>(), size_of::<usize>());
    assert_eq!(size_of::<Result<(), Error>>(), size_of::<usize>());
}

#[test]
fn sentences_name_path_and_byte() {
    let kind = ErrorKind::WrongElementType { expected: VariantType::Int, got: VariantType::String };
    let error = Error::new(Fault::new(kind, 148), Path(vec![Step::Key("items".into()), Step::Index(3)]));
    assert_eq!(error.to_string(), "items[3]: expected int, got String (byte 148)");
}

#[test]
fn what_is_truncated_says_how_much_there_is() {
    let said = |part, declared, left| ErrorKind::Incomplete { needed: 4, part, declared, left }.to_string();
    use VariantType as T;
    assert_eq!(said(Part::Text(T::String), 64, 12), "string is truncated: 64 bytes declared, 12 left");
    assert_eq!(
        said(Part::Text(T::String), 5, 6),
        "string is truncated: 5 bytes and padding declared, 6 left"
    );
    assert_eq!(said(Part::Field(T::Vector2), 8, 7), "Vector2 is truncated: 8 bytes needed, 7 left");
    assert_eq!(
        said(Part::Children(T::Dictionary), 3, 1),
        "Dictionary is truncated: 3 entries declared, 1 there"
    );
    assert_eq!(
        said(Part::Children(T::PackedStringArray), 1, 0),
        "PackedStringArray is truncated: 1 string declared, 0 there"
    );
    assert_eq!(
        said(Part::Numbers(T::PackedInt32Array), 400, 12),
        "PackedInt32Array is truncated: 400 bytes declared, 12 left"
    );
}

/// Tests parts, units and rules that no table of sentences causes.
#[test]
fn every_part_has_its_unit() {
    use VariantType as T;
    let said = |part, declared, left| ErrorKind::Incomplete { needed: 4, part, declared, left }.to_string();
    let expected = [
        (Part::Text(T::StringName), "StringName is truncated: 9 bytes declared, 1 left"),
        (Part::Text(T::NodePath), "name is truncated: 9 bytes declared, 1 left"),
        (Part::Text(T::Object), "name is truncated: 9 bytes declared, 1 left"),
        (Part::Text(T::Signal), "name is truncated: 9 bytes declared, 1 left"),
        (Part::Children(T::Object), "Object is truncated: 9 properties declared, 1 there"),
        (Part::Children(T::NodePath), "NodePath is truncated: 9 names declared, 1 there"),
        (Part::Children(T::Array), "Array is truncated: 9 elements declared, 1 there"),
        (Part::Header, "header is truncated: 9 bytes needed, 1 left"),
    ];
    for (part, sentence) in expected {
        assert_eq!(said(part, 9, 1), sentence);
    }
    let script = ErrorKind::NotInDialect { ty: T::Object };
    assert_eq!(script.got(), "an object with a script");
    let schema = ErrorKind::IllFormedSchema;
    let sentence = "expected a schema without contradictions, got one that contradicts itself";
    assert_eq!(schema.to_string(), sentence);
    let error = |kind| Error::new(Fault::new(kind, 0), Path::default());
    assert_eq!(error(schema).needed(), None);
    let part = Part::Header;
    assert_eq!(error(ErrorKind::Incomplete { needed: 3, part, declared: 4, left: 1 }).needed(), Some(3));
}

/// Tests the sentences of kinds that no bytes cause; the others are in `tests/tests/errors.rs`.
#[test]
fn every_kind_has_its_words() {
    use ErrorKind as K;
    let expected = [
        (K::NotInstantiable, "an object of a class that can be instantiated", "one that cannot"),
        (K::ScriptWithoutPath, "a script in a file under res://", "a script that is no file of the project"),
        (K::ChangedWhileEncoding, "a container that stays as it is while it is encoded", "one that changed"),
        (K::TooLong, "at most 2147483647 bytes or elements", "more"),
        (K::Refused, "a value that can be built", "one that cannot"),
        (K::InvalidArgument, "an argument of another type", "this one"),
        (
            K::Busy,
            "a codec, reader or writer that is free (each thread needs its own)",
            "one in use by another thread or an unfinished call",
        ),
        (K::TooDeep { limit: 2 }, "at most 2 levels (max_depth)", "more"),
        (K::TooManyValues { limit: 1, declared: 0 }, "at most 1 value (max_values)", "more"),
        (K::TooManyValues { limit: 1, declared: 1 }, "at most 1 value (max_values)", "1 more element"),
        (K::TooManyBytes { limit: 8, declared: 0 }, "at most 8 bytes (max_bytes)", "more"),
        (K::TooManyBytes { limit: 8, declared: 9 }, "at most 8 bytes (max_bytes)", "9 bytes"),
        (K::TooManyProbes { limit: 1 }, "at most 1 step to find each key or name (max_key_probes)", "more"),
        (K::TooMuchMemory { limit: 7 }, "at most 7 bytes (max_heap_bytes)", "more"),
        (K::TooManyEntries { limit: 1, declared: 2 }, "at most 1 entry (max_entries)", "2 entries"),
        (K::FileFailed, "a file that can be opened, read and written", "one that cannot"),
        (K::PeerFailed, "a peer that is connected", "one that is not"),
        (K::Cancelled, "a job that goes on to its end", "one that was cancelled"),
        (K::WrongType, "what the schema says", "something else"),
        (K::CheckFailed, "what the schema says", "something else"),
    ];
    for (kind, right, wrong) in expected {
        assert_eq!((kind.expected().as_str(), kind.got().as_str()), (right, wrong), "{kind:?}");
    }
    let kinds =
        [K::TooMuchMemory { limit: 0 }, K::WrongType, K::NotUnique, K::IllFormedSchema, K::FileFailed];
    assert_eq!(kinds.map(K::is_of_schema), [false, true, true, true, false]);
}

/// Tests the sentences of kinds that documents of objects cause.
#[test]
fn every_kind_of_objects_has_its_words() {
    use ErrorKind as K;
    let expected = [
        (K::NotADocument, "a document of objects, variant_objects/1", "another value"),
        (K::ClassNotAllowed, "a class that is allowed", "another one"),
        (K::ClassNewer, "a class of this version or an older one", "one of a newer version"),
        (K::UnknownProperty, "a property of the class", "another one"),
        (K::WrongClass, "an object of the declared class", "one of another class"),
        (K::BadReference, "a reference to an object of the document", "one to nothing"),
        (K::UnusedObject, "only objects that the value leads to", "one that nothing refers to"),
        (K::TooManyObjects { limit: 2 }, "at most 2 objects (max_objects)", "more"),
        (
            K::CircularReference,
            "no circle of objects that hold each other (circles)",
            "one, which a WeakRef would break",
        ),
        (K::ScriptInData, "no script but those of allowed classes, by their paths", "another script"),
        (K::NotConstructed, "an object that takes its values", "one that does not"),
    ];
    for (kind, right, wrong) in expected {
        assert_eq!((kind.expected().as_str(), kind.got().as_str()), (right, wrong), "{kind:?}");
        assert!(kind.is_of_objects() && !kind.is_of_schema(), "{kind:?}");
    }
    assert!(!K::SaveLocked.is_of_objects() && !K::TooManyEntries { limit: 1, declared: 2 }.is_of_objects());
}

/// Tests the sentences of kinds that packed bytes cause.
#[test]
fn every_kind_of_packing_has_its_words() {
    use ErrorKind as K;
    let expected = [
        (K::Unpackable, "a schema that can be packed", "one with a part that cannot"),
        (K::SchemaMismatch, "bytes packed by this schema", "bytes of another schema or format"),
        (K::BaselineMismatch, "a difference from this value", "one from another value; send the value whole"),
    ];
    for (kind, right, wrong) in expected {
        assert_eq!((kind.expected().as_str(), kind.got().as_str()), (right, wrong), "{kind:?}");
    }
}

/// Tests the sentences of kinds that packets of a protocol cause.
#[test]
fn every_kind_of_protocols_has_its_words() {
    use ErrorKind as K;
    let expected = [
        (K::UnknownMessage, "the id of a message", "another one"),
        (K::WrongDirection, "a message that its sender may send", "one of the other side"),
        (K::RateLimited, "fewer packets or messages", "more"),
        (K::ProtocolMismatch, "the messages of this version of the game", "those of another version"),
        (K::NotGreeted, "a handshake first", "a message"),
        (K::BadControl, "a control message that this version knows", "another one"),
        (K::PeerNotHeard, "a peer that is connected", "one that is not, or that was thrown out"),
    ];
    for (kind, right, wrong) in expected {
        assert_eq!((kind.expected().as_str(), kind.got().as_str()), (right, wrong), "{kind:?}");
    }
}

/// Tests the sentences of kinds that save files cause.
#[test]
fn every_kind_of_saves_has_its_words() {
    use ErrorKind as K;
    let expected = [
        (K::NotASave, "a save file", "another file"),
        (K::SaveDamaged, "a save as it was written", "a part of one"),
        (K::SaveCutShort, "a whole save", "a part of one"),
        (K::SaveNewer, "a save of this version or an older one", "one of a newer version"),
        (K::WrongKey, "the password or key of the save", "another one"),
        (K::NotAuthentic, "a save that only owners of the key changed", "one that was changed"),
        (K::NoIntactSave, "a save as it was written", "damaged ones only"),
        (K::MigrationMissing, "a step from each version to the next", "a version without one"),
        (K::MigrationFailed, "a step that returns the data of the next version", "one that does not"),
        (K::SaveLocked, "no file, or one that can be read", "one that cannot"),
    ];
    for (kind, right, wrong) in expected {
        assert_eq!((kind.expected().as_str(), kind.got().as_str()), (right, wrong), "{kind:?}");
    }
}
