//! Takes the bytes of a writer to where they go: as many as can go now, and says how many. It waits for nobody.

use std::io;
use std::path::Path;

use godot::builtin::PackedByteArray;
use godot::classes::FileAccess;
use godot::global::Error;
use godot::meta::ToGodot;
use godot::obj::Gd;
use variant_core::ErrorKind;
use variant_save::{OldFile, Replacement};

use super::file_queue::Turn;
use super::job::{entangled, meanwhile};
use super::packets::Packets;
use super::peer::Peer;
use super::persist::tell_of_change;
use super::{failed, file_closed, trouble};
use crate::call::problem::Problem;
use crate::engine::names;

/// Where the bytes go.
pub(crate) enum WriterOutput {
    /// They stay where they are, to be asked for.
    Buffer,
    /// A file of the computer, put under its name at the end.
    Save(Replacement),
    /// A file that the caller opened: compressed, encrypted, or just so.
    Access(Gd<FileAccess>),
    Stream(Peer),
    /// A PacketPeerStream: the stream in it, and itself, which bounds the frames.
    Frames(Peer, Peer),
    /// Values become packets.
    Packets(Packets),
}

impl WriterOutput {
    /// Makes the output of a PacketPeer, each of whose packets is a value. Fails for a PacketPeerStream without a stream.
    pub(crate) fn of_packets(mut peer: Peer) -> Result<WriterOutput, Problem> {
        Ok(match peer.within()? {
            Some(stream) => WriterOutput::Frames(stream, peer),
            None => WriterOutput::Packets(Packets::new(peer)),
        })
    }

    /// Whether bytes that it has taken can be changed.
    pub(crate) const fn is_patchable(&self) -> bool {
        matches!(self, WriterOutput::Save(save) if save.is_patchable())
    }

    /// Whether it is put in the place of another file at the end.
    pub(crate) const fn is_saved(&self) -> bool {
        matches!(self, WriterOutput::Save(_))
    }

    /// Returns what the file is called, if it is one.
    #[cold]
    pub(crate) fn file_name(&self) -> Option<String> {
        match self {
            WriterOutput::Save(save) => Some(save.target().display().to_string()),
            WriterOutput::Access(file) => Some(file.get_path().to_string()),
            _ => None,
        }
    }

    /// Whether it is read by somebody later, and not by a peer now.
    pub(crate) const fn is_file(&self) -> bool {
        matches!(self, WriterOutput::Save(_) | WriterOutput::Access(_))
    }

    /// Whether bytes should go at once, however few.
    pub(crate) const fn is_eager(&self) -> bool {
        matches!(self, WriterOutput::Stream(_) | WriterOutput::Frames(..))
    }

    /// Whether values go out whole and by themselves.
    pub(crate) const fn is_packets(&self) -> bool {
        matches!(self, WriterOutput::Packets(_))
    }

    /// Takes bytes from the front and says how many: fewer only where a peer has no room.
    /// Passes on what the file or peer says.
    pub(crate) fn take(&mut self, bytes: &[u8]) -> Result<usize, Problem> {
        match self {
            WriterOutput::Buffer | WriterOutput::Packets(_) => Ok(0),
            WriterOutput::Save(save) => {
                let appended = save.append(bytes).map(|()| bytes.len());
                appended.map_err(|error| of_save(&error, save.target()))
            }
            WriterOutput::Access(file) => store(file, bytes).map(|()| bytes.len()),
            WriterOutput::Stream(peer) | WriterOutput::Frames(peer, _) => peer.write(bytes),
        }
    }

    /// Changes bytes that were taken before.
    /// Passes on what the file says.
    pub(crate) fn patch(&mut self, at: u64, bytes: &[u8]) -> Result<(), Problem> {
        match self {
            WriterOutput::Save(save) => save.patch(at, bytes).map_err(|error| of_save(&error, save.target())),
            _ => Err(trouble(ErrorKind::FileFailed, Error::ERR_BUG, "these bytes are gone")),
        }
    }

    /// Sends a value as a packet. Fails if the packet was not taken over.
    pub(crate) fn post(&mut self, packet: PackedByteArray) -> Result<(), Problem> {
        match self {
            WriterOutput::Packets(packets) => packets.post(packet),
            _ => Err(trouble(ErrorKind::PeerFailed, Error::ERR_BUG, "no packets go there")),
        }
    }

    /// Sends the packets that the peer takes now.
    /// Passes on what the peer says.
    pub(crate) fn send_packets(&mut self) -> Result<(), Problem> {
        match self {
            WriterOutput::Packets(packets) => packets.send(),
            _ => Ok(()),
        }
    }

    /// # Errors
    /// A frame of so many bytes is more than is ever taken.
    pub(crate) fn check_frame(&mut self, size: usize) -> Result<(), Problem> {
        match self {
            WriterOutput::Frames(_, peer) => peer.check_size(size),
            _ => Ok(()),
        }
    }

    /// Bytes in packets that wait.
    pub(crate) const fn waiting(&self) -> usize {
        match self {
            WriterOutput::Packets(packets) => packets.waiting(),
            _ => 0,
        }
    }

    /// Everything was written.
    /// Passes on what the file says; a file of ours then does not appear.
    pub(crate) fn finish(self, old: OldFile) -> Result<(), Problem> {
        match self {
            WriterOutput::Save(save) => {
                // Jobs that were given this file before are not to put theirs over it.
                let (turn, target) = (Turn::take(save.target()), save.target().to_owned());
                let saved =
                    turn.come(meanwhile(), || save.finish(old).map_err(|error| of_save(&error, &target)));
                tell_of_change();
                saved.unwrap_or_else(|it| Err(entangled(it)))
            }
            WriterOutput::Access(mut file) => {
                check_open(&file)?;
                file.flush();
                check(&file)
            }
            _ => Ok(()),
        }
    }
}

/// Stores bytes by the method's name: it answers from 4.4 on only. Before, it is seen by the position whether they were stored; a
/// file that is open for reading says nothing else.
fn store(file: &mut Gd<FileAccess>, bytes: &[u8]) -> Result<(), Problem> {
    check_open(file)?;
    let end = file.get_position().saturating_add(bytes.len() as u64);
    let stored = file.try_call(&*names::STORE_BUFFER, &[PackedByteArray::from(bytes).to_variant()]);
    match stored {
        Ok(stored) if (stored.is_nil() && file.get_position() == end) || stored.booleanize() => check(file),
        _ => Err(of_access(Error::ERR_FILE_CANT_WRITE, file)),
    }
}

/// Asked of a closed file, the engine prints.
fn check_open(file: &Gd<FileAccess>) -> Result<(), Problem> {
    if file.is_open() { Ok(()) } else { Err(file_closed()) }
}

fn check(file: &Gd<FileAccess>) -> Result<(), Problem> {
    match file.get_error() {
        Error::OK | Error::ERR_FILE_EOF => Ok(()),
        other => Err(of_access(other, file)),
    }
}

#[cold]
fn of_access(error: Error, file: &Gd<FileAccess>) -> Problem {
    failed(ErrorKind::FileFailed, error, "writing the file").in_file(&file.get_path().to_string())
}

#[cold]
fn of_save(error: &io::Error, target: &Path) -> Problem {
    of_io(error).in_file(&target.display().to_string())
}

/// Turns an error of the system about a file into the engine's.
#[cold]
pub(crate) fn of_io(error: &io::Error) -> Problem {
    let code = match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory | io::ErrorKind::InvalidFilename => {
            Error::ERR_FILE_BAD_PATH
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => Error::ERR_FILE_NO_PERMISSION,
        _ => Error::ERR_FILE_CANT_WRITE,
    };
    trouble(ErrorKind::FileFailed, code, &format!("writing the file: {error}"))
}
