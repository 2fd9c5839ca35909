//! Lists the words of errors that no walk over bytes makes: those of saves, objects, packed bytes and protocols. Each has
//! its rule and what was there instead. The words of the format and its limits are in `error.rs`.

use crate::fault::ErrorKind;

/// Returns the words of a kind that is not the format's, a limit's or a schema's.
pub(super) const fn of_others(kind: ErrorKind) -> Option<(&'static str, &'static str)> {
    match of_saves(kind) {
        None => match of_objects(kind) {
            None => of_packets(kind),
            words => words,
        },
        words => words,
    }
}

const fn of_saves(kind: ErrorKind) -> Option<(&'static str, &'static str)> {
    Some(match kind {
        ErrorKind::NotASave => ("a save file", "another file"),
        ErrorKind::SaveDamaged => ("a save as it was written", "a part of one"),
        ErrorKind::SaveCutShort => ("a whole save", "a part of one"),
        ErrorKind::SaveNewer => ("a save of this version or an older one", "one of a newer version"),
        ErrorKind::WrongKey => ("the password or key of the save", "another one"),
        ErrorKind::NotAuthentic => ("a save that only owners of the key changed", "one that was changed"),
        ErrorKind::NoIntactSave => ("a save as it was written", "damaged ones only"),
        ErrorKind::MigrationMissing => ("a step from each version to the next", "a version without one"),
        ErrorKind::MigrationFailed => {
            ("a step that returns the data of the next version", "one that does not")
        }
        ErrorKind::SaveLocked => ("no file, or one that can be read", "one that cannot"),
        _ => return None,
    })
}

const fn of_objects(kind: ErrorKind) -> Option<(&'static str, &'static str)> {
    Some(match kind {
        ErrorKind::NotADocument => ("a document of objects, variant_objects/1", "another value"),
        ErrorKind::ClassNotAllowed => ("a class that is allowed", "another one"),
        ErrorKind::ClassNewer => ("a class of this version or an older one", "one of a newer version"),
        ErrorKind::UnknownProperty => ("a property of the class", "another one"),
        ErrorKind::WrongClass => ("an object of the declared class", "one of another class"),
        ErrorKind::BadReference => ("a reference to an object of the document", "one to nothing"),
        ErrorKind::UnusedObject => ("only objects that the value leads to", "one that nothing refers to"),
        ErrorKind::ScriptInData => {
            ("no script but those of allowed classes, by their paths", "another script")
        }
        ErrorKind::CircularReference => {
            ("no circle of objects that hold each other (circles)", "one, which a WeakRef would break")
        }
        ErrorKind::NotConstructed => ("an object that takes its values", "one that does not"),
        _ => return None,
    })
}

const fn of_packets(kind: ErrorKind) -> Option<(&'static str, &'static str)> {
    Some(match kind {
        ErrorKind::Unpackable => ("a schema that can be packed", "one with a part that cannot"),
        ErrorKind::SchemaMismatch => ("bytes packed by this schema", "bytes of another schema or format"),
        ErrorKind::BaselineMismatch => {
            ("a difference from this value", "one from another value; send the value whole")
        }
        ErrorKind::UnknownMessage => ("the id of a message", "another one"),
        ErrorKind::WrongDirection => ("a message that its sender may send", "one of the other side"),
        ErrorKind::RateLimited => ("fewer packets or messages", "more"),
        ErrorKind::ProtocolMismatch => {
            ("the messages of this version of the game", "those of another version")
        }
        ErrorKind::NotGreeted => ("a handshake first", "a message"),
        ErrorKind::BadControl => ("a control message that this version knows", "another one"),
        ErrorKind::PeerNotHeard => ("a peer that is connected", "one that is not, or that was thrown out"),
        _ => return None,
    })
}
