//! Reads and writes the chunk HEAD, which describes a save before anything else of it is opened.

use crate::FORMAT;
use crate::chunk::{Chunk, MOST_HEAD_BYTES};
use crate::fault::{Kind, SaveFault};

/// The number of ancestors that a save names: the last save of each writer before it, the newest first.
pub const MOST_ANCESTORS: usize = 32;
/// The length of the longest of the three texts; a longer one is cut.
const MOST_TEXT_BYTES: usize = 1024;

pub(crate) const COMPRESSED: u16 = 1;
pub(crate) const ENCRYPTED: u16 = 2;
pub(crate) const KEYED: u16 = 4;
const DOCUMENT: u16 = 8;
const CUT_AT_ENTRIES: u16 = 16;
const KNOWN: u16 = 31;
/// The only hash of format 1.
const BLAKE3: u8 = 1;

/// Names one save by its writer in the upper half, a random number, and the tick of that writer in the lower one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SaveId(pub u128);

impl SaveId {
    pub(crate) fn of(writer: u64, tick: u64) -> SaveId {
        SaveId(u128::from(writer) << 64 | u128::from(tick))
    }

    pub(crate) fn writer(self) -> u64 {
        u64::try_from(self.0 >> 64).unwrap_or_default()
    }

    pub(crate) fn tick(self) -> u64 {
        u64::try_from(self.0 & u128::from(u64::MAX)).unwrap_or_default()
    }

    /// Returns the id after this one; `None` at the last.
    pub(crate) fn next(self) -> Option<SaveId> {
        self.tick().checked_add(1).map(|tick| SaveId::of(self.writer(), tick))
    }
}

/// Selects how slices are compressed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Compression {
    /// Slices are stored as they are.
    None,
    /// Slices are compressed by Zstandard.
    #[default]
    Zstd,
    /// Slices are compressed by Deflate in the format of zlib.
    Deflate,
}

/// Holds everything that a save says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// The compression of the slices.
    pub compression: Compression,
    /// Whether the state is encrypted under a password or a key.
    pub is_encrypted: bool,
    /// Whether the last chunk's hash is keyed, so that changes are detected. It is true for every encrypted
    /// save.
    pub is_keyed: bool,
    /// Whether the key comes from a password, by Argon2id.
    pub is_of_password: bool,
    /// Whether the payload is a document of objects.
    pub is_document: bool,
    /// Whether the payload is a Dictionary that was cut between its entries.
    pub is_cut_at_entries: bool,
    /// The version of the game's data.
    pub version: u32,
    /// The hash of the schema that the state was checked against; 0 without one.
    pub schema_hash: u64,
    /// The hash of the class set that wrote it; 0 without one.
    pub class_hash: u64,
    /// The time of saving, in milliseconds since 1970.
    pub time_ms: i64,
    /// The number of bytes of the payload when it is loaded.
    pub payload_bytes: u64,
    /// The largest number of bytes of the payload in a slice.
    pub slice_bytes: u32,
    /// The number of saves that came before it, as far as it knows.
    pub generation: u64,
    /// The save's own name.
    pub id: SaveId,
    /// The last save of each other writer that it descends from, the newest first; at most [`MOST_ANCESTORS`], of which the last is
    /// the first of all.
    pub ancestors: Vec<SaveId>,
    /// The version of the game.
    pub game: String,
    /// The version of the engine.
    pub engine: String,
    /// The version of the library that wrote it.
    pub library: String,
}

impl Head {
    pub(crate) fn payload(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(256);
        out.extend(FORMAT.to_le_bytes());
        out.extend(self.flags().to_le_bytes());
        out.extend(self.version.to_le_bytes());
        out.extend(self.schema_hash.to_le_bytes());
        out.extend(self.class_hash.to_le_bytes());
        out.extend(self.time_ms.to_le_bytes());
        out.extend(self.payload_bytes.to_le_bytes());
        out.extend(self.slice_bytes.to_le_bytes());
        let compression = match self.compression {
            Compression::None => 0,
            Compression::Zstd => 1,
            Compression::Deflate => 2,
        };
        out.extend([compression, u8::from(self.is_encrypted), u8::from(self.is_of_password), BLAKE3]);
        out.extend(self.generation.to_le_bytes());
        out.extend(self.id.0.to_le_bytes());
        let ancestors = self.ancestors.iter().take(MOST_ANCESTORS);
        out.push(u8::try_from(ancestors.len()).unwrap_or_default());
        ancestors.for_each(|id| out.extend(id.0.to_le_bytes()));
        for text in [&self.game, &self.engine, &self.library] {
            // The header stays small whatever a game calls its version.
            let text = text.get(..text.floor_char_boundary(MOST_TEXT_BYTES)).unwrap_or_default();
            out.extend(u16::try_from(text.len()).unwrap_or_default().to_le_bytes());
            out.extend(text.as_bytes());
        }
        out
    }

    fn flags(&self) -> u16 {
        let flag = |bit: u16, is_set: bool| if is_set { bit } else { 0 };
        flag(COMPRESSED, self.compression != Compression::None)
            | flag(ENCRYPTED, self.is_encrypted)
            | flag(KEYED, self.is_keyed)
            | flag(DOCUMENT, self.is_document)
            | flag(CUT_AT_ENTRIES, self.is_cut_at_entries)
    }

    /// Reads the chunk, whose checksum is right. A header that contradicts itself was written by something
    /// else.
    pub(crate) fn read(chunk: &Chunk<'_>) -> Result<Head, SaveFault> {
        let mut fields = chunk.fields();
        let at = fields.at();
        check_format(fields.u16()?, chunk)?;
        let flags = fields.u16()?;
        if flags & !KNOWN != 0 {
            return Err(SaveFault::new(Kind::Newer, at, "it has a flag that this library does not know"));
        }
        let mut head = Head {
            is_encrypted: flags & ENCRYPTED != 0,
            is_keyed: flags & KEYED != 0,
            is_document: flags & DOCUMENT != 0,
            is_cut_at_entries: flags & CUT_AT_ENTRIES != 0,
            version: fields.u32()?,
            schema_hash: fields.u64()?,
            class_hash: fields.u64()?,
            time_ms: fields.array().map(i64::from_le_bytes)?,
            payload_bytes: fields.u64()?,
            slice_bytes: fields.u32()?,
            ..Head::default()
        };
        let methods: [u8; 4] = fields.array()?;
        head.read_methods(methods, flags, at)?;
        head.generation = fields.u64()?;
        head.id = SaveId(fields.array().map(u128::from_le_bytes)?);
        for _ in 0..fields.u8()? {
            if head.ancestors.len() == MOST_ANCESTORS {
                return Err(SaveFault::damaged(fields.at(), "it names too many ancestors"));
            }
            head.ancestors.push(SaveId(fields.array().map(u128::from_le_bytes)?));
        }
        head.game = fields.text()?.to_owned();
        head.engine = fields.text()?.to_owned();
        head.library = fields.text()?.to_owned();
        fields.end()?;
        Ok(head)
    }

    fn read_methods(
        &mut self,
        [compression, cipher, kdf, hash]: [u8; 4],
        flags: u16,
        at: u64,
    ) -> Result<(), SaveFault> {
        self.compression = match compression {
            0 => Compression::None,
            1 => Compression::Zstd,
            2 => Compression::Deflate,
            _ => return Err(SaveFault::new(Kind::Newer, at, "its compression is not known")),
        };
        if cipher > 1 || kdf > 1 || hash != BLAKE3 {
            return Err(SaveFault::new(Kind::Newer, at, "its cipher, key derivation or hash is not known"));
        }
        self.is_of_password = kdf == 1;
        let agrees = (flags & COMPRESSED != 0) == (compression != 0)
            && self.is_encrypted == (cipher == 1)
            && (self.is_keyed || !self.is_encrypted)
            && (self.is_keyed || !self.is_of_password);
        if agrees && self.slice_bytes > 0 && self.slice_bytes <= MOST_SLICE_BYTES {
            return Ok(());
        }
        Err(SaveFault::damaged(at, "its header contradicts itself"))
    }
}

fn check_format(format: u16, chunk: &Chunk<'_>) -> Result<(), SaveFault> {
    let at = chunk.payload_at();
    if format > FORMAT {
        let words = format!("its format is {format}, this library reads up to {FORMAT}");
        return Err(SaveFault::new(Kind::Newer, at, words));
    }
    if format == 0 || chunk.payload.len() > MOST_HEAD_BYTES {
        return Err(SaveFault::damaged(at, "no writer makes such a header"));
    }
    Ok(())
}

/// The largest size of a slice. A slice is opened as a whole, so its size is bounded.
pub(crate) const MOST_SLICE_BYTES: u32 = 1 << 20;
