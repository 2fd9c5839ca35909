//! Opens what stands around the values of a file: compression and encryption of the engine, and save files. It puts them
//! around changed values again.

use std::io::Cursor;
use std::path::Path;

use variant_save::container::{self, Bounds, Refusal};
use variant_save::{
    Compression, Draft, Head, Kind, OpenOptions, Protection, SIGNATURE, SaveContents, SaveFault, SaveKeys,
    Thumbnail, peek,
};

use crate::failure::{BadData, Failure};
use crate::{input_name, paint};

/// Is around the values of a file.
pub(crate) enum Layer {
    /// A container that `FileAccess` made.
    Engine(container::Layer),
    /// A save file; everything of it but the state.
    Save(Box<SaveContents>),
}

impl Layer {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Layer::Engine(layer) => layer.name(),
            Layer::Save(save) if save.head.is_encrypted => "save, encrypted",
            Layer::Save(_) => "save",
        }
    }
}

/// All that is around the values of a file, the outermost first, and what opens it.
pub(crate) struct Layers {
    pub(crate) layers: Vec<Layer>,
    pub(crate) keys: Option<SaveKeys>,
}

/// Whether the first four bytes are those of a container or a save.
pub(crate) fn is_packed(head: &[u8]) -> bool {
    container::is_container(head) || head.first_chunk::<4>() == SIGNATURE.first_chunk::<4>()
}

/// Whether a password or a key is needed to open the file.
pub(crate) fn is_encrypted(packed: &[u8]) -> bool {
    let is_encrypted = |head: Head| head.is_encrypted;
    container::is_encrypted(packed)
        || peek(&mut Cursor::new(packed), Thumbnail::Skip).is_ok_and(|peeked| is_encrypted(peeked.head))
}

/// Whether an encrypted file opens with this password or key.
pub(crate) fn opens(packed: &[u8], keys: &SaveKeys) -> bool {
    if packed.starts_with(&SIGNATURE) {
        let opening = OpenOptions { keys: Some(keys), ..OpenOptions::default() };
        return variant_save::verify(packed, &opening).is_ok();
    }
    let bounds = Bounds { most_bytes: 1 << 30, max_ratio: 1 << 12 };
    container::unpack(packed.to_vec(), Some(keys), &bounds).is_ok()
}

/// Takes all layers off; returns the bytes within and the layers that were around them.
pub(crate) fn unpack(
    packed: Vec<u8>,
    keys: Option<&SaveKeys>,
    most_bytes: u64,
    max_ratio: u64,
) -> Result<(Vec<u8>, Vec<Layer>), Failure> {
    let (bytes, layers) =
        container::unpack(packed, keys, &Bounds { most_bytes, max_ratio }).map_err(|it| refused(&it))?;
    let mut layers: Vec<Layer> = layers.into_iter().map(Layer::Engine).collect();
    if !bytes.starts_with(&SIGNATURE) {
        return Ok((bytes, layers));
    }
    let opening = OpenOptions { keys, takes_unprotected: true, most_bytes, ..OpenOptions::default() };
    let mut opened = variant_save::open(&bytes, &opening).map_err(|fault| damaged(&fault, keys))?;
    let payload = std::mem::take(&mut opened.payload);
    layers.push(Layer::Save(Box::new(opened)));
    Ok((payload, layers))
}

impl Layers {
    pub(crate) fn pack(&self, bytes: Vec<u8>) -> Result<PackedFile, Failure> {
        let keys = self.keys.as_ref();
        let mut packed = PackedFile { bytes, is_deflated: false };
        for layer in self.layers.iter().rev() {
            let was_deflated = packed.is_deflated;
            packed = match layer {
                Layer::Engine(layer) => {
                    let pack = |layer: container::Layer| {
                        container::pack(packed.bytes.clone(), &[layer], keys).map_err(|it| refused(&it))
                    };
                    smaller(pack(*layer)?, layer.deflated().map(pack).transpose()?)
                }
                Layer::Save(save) => following(save, &packed.bytes, keys)?,
            };
            packed.is_deflated |= was_deflated;
        }
        Ok(packed)
    }
}

pub(crate) struct PackedFile {
    pub(crate) bytes: Vec<u8>,
    /// Whether Deflate stands in the place of Zstandard. Our own encoder of Zstandard makes some files twice as large as the
    /// engine's does.
    pub(crate) is_deflated: bool,
}

impl PackedFile {
    /// Says that the compression is another one, if it is.
    pub(crate) fn warn(&self, file: &Path) {
        if self.is_deflated {
            warn(file, "compressed with Deflate now: that is smaller than what gdvar makes with Zstandard");
        }
    }
}

pub(crate) fn warn(file: &Path, message: &str) {
    let mut text = Vec::new();
    paint::warning(&mut text, &input_name::name(file), message);
    paint::told(&text);
}

fn smaller(bytes: Vec<u8>, deflated: Option<Vec<u8>>) -> PackedFile {
    let deflated = deflated.filter(|deflated| deflated.len() < bytes.len());
    PackedFile { is_deflated: deflated.is_some(), bytes: deflated.unwrap_or(bytes) }
}

/// Writes a save that follows another one, with its metadata, version and protection.
pub(crate) fn following(
    save: &SaveContents,
    payload: &[u8],
    keys: Option<&SaveKeys>,
) -> Result<PackedFile, Failure> {
    smallest(&Draft { protection: protection(&save.head, keys)?, ..draft(save, payload) })
}

/// Writes a save as the bytes of its file; one of Zstandard with Deflate if that is smaller.
pub(crate) fn smallest(draft: &Draft<'_>) -> Result<PackedFile, Failure> {
    let is_zstd = draft.compression == Compression::Zstd;
    let deflated =
        is_zstd.then(|| write(&Draft { compression: Compression::Deflate, ..*draft })).transpose()?;
    Ok(smaller(write(draft)?, deflated))
}

pub(crate) fn protection<'k>(head: &Head, keys: Option<&'k SaveKeys>) -> Result<Protection<'k>, Failure> {
    let needed = || Failure::misuse("protected save: it needs --password, --password-file or --key");
    Ok(match (head.is_keyed, head.is_encrypted) {
        (false, _) => Protection::None,
        (true, false) => Protection::Keyed(keys.ok_or_else(needed)?),
        (true, true) => Protection::Encrypted(keys.ok_or_else(needed)?),
    })
}

/// Makes the draft of a save that follows another one, without protection.
pub(crate) fn draft<'a>(save: &'a SaveContents, payload: &'a [u8]) -> Draft<'a> {
    let head = &save.head;
    Draft {
        is_document: head.is_document,
        version: head.version,
        schema_hash: head.schema_hash,
        class_hash: head.class_hash,
        time_ms: head.time_ms,
        parent: Some(head),
        game: &head.game,
        engine: &head.engine,
        library: concat!("gdvar ", env!("CARGO_PKG_VERSION")),
        meta: save.meta.as_deref(),
        thumbnail: save.thumbnail.as_deref(),
        schema: save.schema.as_deref(),
        slice_bytes: head.slice_bytes,
        compression: head.compression,
        ..Draft::new(payload)
    }
}

pub(crate) fn write(draft: &Draft<'_>) -> Result<Vec<u8>, Failure> {
    variant_save::write(draft).map_err(Failure::data)
}

fn refused(refusal: &Refusal) -> Failure {
    match refusal {
        Refusal::NoKey => {
            Failure::misuse("encrypted file (GDEC): it needs --password, --password-file or --key")
        }
        Refusal::GrowsTooMuch { .. } => Failure::data(format!("{refusal} (--max-ratio allows more)")),
        _ => Failure::data(refusal),
    }
}

pub(crate) fn damaged(fault: &SaveFault, keys: Option<&SaveKeys>) -> Failure {
    match fault.kind {
        Kind::WrongKey if keys.is_none() => {
            Failure::misuse(format!("{fault}: --password, --password-file or --key gives it"))
        }
        Kind::TooLarge => Failure::data(format!("{fault} (--max-bytes allows more)")),
        Kind::Damaged | Kind::CutShort => {
            // Of an empty file nothing is whole.
            let hint = (fault.kind, fault.at) != (Kind::CutShort, 0);
            let hint = hint.then(|| "gdvar save recover gets out what is whole".to_owned());
            Failure::Data(Box::new(BadData { message: fault.to_string(), hint, ..BadData::default() }))
        }
        _ => Failure::data(fault),
    }
}
