//! Recognizes refused bytes and gives advice in terms of Godot's API, such as which class reads them.
//!
//! It runs when somebody asks for the message of a refusal, on the first bytes, which were kept.
//! `variant_text::sniff` recognizes the formats.

use variant_core::{Dialect, Framing};
use variant_text::sniff::{ENOUGH, FileKind, FrameStart, InputHead, Looks};

/// Holds the first bytes of refused ones.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Beginning {
    bytes: [u8; ENOUGH],
    length: usize,
    /// The number of all bytes.
    size: u64,
    dialect: Dialect,
    /// The length field that should stand first.
    framing: Framing,
}

impl Beginning {
    /// Keeps the beginning of bytes that were read in this dialect.
    pub(crate) fn of(bytes: &[u8], dialect: Dialect) -> Beginning {
        Beginning::of_part(bytes, u64::try_from(bytes.len()).unwrap_or(u64::MAX), dialect)
    }

    /// Keeps the beginning of `size` bytes, given their first ones.
    pub(crate) fn of_part(first: &[u8], size: u64, dialect: Dialect) -> Beginning {
        let length = first.len().min(ENOUGH);
        let mut bytes = [0; ENOUGH];
        bytes[..length].copy_from_slice(&first[..length]);
        Beginning { bytes, length, size, dialect, framing: Framing::None }
    }

    /// Says that a length should stand first.
    pub(crate) fn framed(self, framing: Framing) -> Beginning {
        Beginning { framing, ..self }
    }

    /// Returns the advice as the end of a message; it is empty where the bytes are not recognized.
    #[cold]
    pub(crate) fn advice(&self) -> String {
        let looks = match self.framing {
            Framing::None => Looks::of(&self.head(), self.dialect),
            framing => self.within(framing).or_else(|| self.looks_framed(framing)),
        };
        looks.map_or_else(String::new, |looks| advice(&looks, self.dialect))
    }

    /// Returns the advice for bytes whose first field is not the length of a value.
    #[cold]
    pub(crate) fn advice_on_length(&self) -> String {
        self.looks_framed(self.framing).map_or_else(String::new, |looks| advice(&looks, self.dialect))
    }

    fn head(&self) -> InputHead<'_> {
        InputHead::new(&self.bytes[..self.length], self.size)
    }

    /// Recognizes the first value, behind its length.
    fn within(&self, framing: Framing) -> Option<Looks> {
        let bytes = &self.bytes[..self.length];
        let (length, size) = framing.read_length(bytes)?;
        let value = bytes.get(size..)?;
        let value = value.get(..usize::try_from(length).unwrap_or(usize::MAX)).unwrap_or(value);
        let looks = Looks::of(&InputHead::new(value, length), self.dialect);
        looks.filter(|looks| *looks != Looks::Empty)
    }

    fn looks_framed(&self, framing: Framing) -> Option<Looks> {
        let looks = Looks::of_framed(&self.head(), framing, self.dialect);
        // The refusal itself says that a value is cut off.
        looks.filter(|looks| !matches!(looks, Looks::Framed(begun) if begun.framing == framing))
    }
}

fn advice(looks: &Looks, given: Dialect) -> String {
    match looks {
        Looks::Dialect(other) => {
            format!("; as {} they make sense: set dialect to {}", words(*other), name(*other))
        }
        Looks::Framed(begun) => of_framed(begun, given),
        Looks::Unframed(other) => {
            let dialect =
                if *other == given { String::new() } else { format!(" and dialect {}", name(*other)) };
            format!("; no length stands before the value: FRAMING_NONE{dialect} reads it")
        }
        Looks::Kind(kind) => format!("; {}{}", kind.words(), means(*kind)),
        Looks::Behind(skip) => {
            format!("; a value begins at byte {skip}, behind the header of another program")
        }
        _ => String::new(),
    }
}

/// Returns the advice for a value with its length before it.
fn of_framed(begun: &FrameStart, given: Dialect) -> String {
    let order = if begun.framing == Framing::U32Be { " in big endian" } else { "" };
    let framing = if begun.framing == Framing::U32Be { "FRAMING_U32_BE" } else { "FRAMING_U32" };
    let dialect = match begun.dialect == given {
        true => String::new(),
        false => format!(" and dialect {}", name(begun.dialect)),
    };
    let FrameStart { declared, there, .. } = begun;
    match begun.is_whole() {
        true => format!(
            "; they begin with the length of a value{order}, as store_var() writes it: decode what is behind its 4 bytes, or \
             read them with a VariantReader of {framing}{dialect}"
        ),
        false => format!(
            "; they begin with the length of a value{order}, as store_var() writes it, and are cut off: {declared} bytes \
             declared, {there} there"
        ),
    }
}

const fn name(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Godot3 => "GODOT_3",
        Dialect::Documented => "DOCUMENTED",
        _ => "GODOT_4",
    }
}

const fn words(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Godot3 => "bytes of Godot 3",
        Dialect::Documented => "bytes by the ids of the published pages",
        _ => "bytes of Godot 4",
    }
}

/// Returns how a game reads such a file, as the continuation of the format's name.
const fn means(kind: FileKind) -> &'static str {
    match kind {
        FileKind::Save => ", which VariantSave.load() reads",
        FileKind::Literal => {
            ", which str_to_var() reads; only of a text that you trust, since it makes objects too"
        }
        FileKind::Compressed => ": open the file with FileAccess.open_compressed()",
        FileKind::Encrypted => ": open the file with the same call, and its password or key",
        FileKind::EncryptedByGodot3 => ": `gdvar decode --password` does",
        FileKind::Resource | FileKind::ResourceText => ", which ResourceLoader reads",
        FileKind::Gzip => ": decompress_dynamic(-1, FileAccess.COMPRESSION_GZIP) unpacks it",
        FileKind::Deflate => ": decompress_dynamic(-1, FileAccess.COMPRESSION_DEFLATE) unpacks it",
        FileKind::Zstandard => ": decompress() with FileAccess.COMPRESSION_ZSTD and the size unpacks it",
        FileKind::Zip => ", which ZIPReader reads",
        FileKind::Json => {
            ", which JSON.parse_string() reads, or VariantStream.from_json() where to_json() wrote it"
        }
        FileKind::Digits => ": String.hex_decode() makes bytes of it",
        FileKind::Base64 => ": Marshalls.base64_to_raw() makes bytes of it",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &[u32]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    #[test]
    fn each_look_has_its_advice() {
        let value = words(&[27, 1, 4, 2, u32::from_le_bytes(*b"hp\0\0"), 2, 1]);
        let framed = [&words(&[28])[..], &value].concat();
        let big = [&28_u32.to_be_bytes()[..], &value].concat();
        for (bytes, told) in [
            (framed.clone(), "a VariantReader of FRAMING_U32"),
            (big, "FRAMING_U32_BE"),
            (framed[..20].to_vec(), "28 bytes declared, 16 there"),
            (words(&[18, 1, 4, 2, u32::from_le_bytes(*b"hp\0\0"), 2, 1]), "GODOT_3"),
            (b"GCPF\x02\0\0\0".to_vec(), "open_compressed()"),
            (variant_save::SIGNATURE.to_vec(), "VariantSave.load()"),
            (b"{\"at\": Vector2(1, 2)}".to_vec(), "str_to_var()"),
            (b"{\"hp\": 80}".to_vec(), "JSON.parse_string()"),
            (b"\x1F\x8B\x08\x08\0\0\0\0".to_vec(), "COMPRESSION_GZIP"),
            ([&[5][..], &words(&[2, 7])].concat(), "at byte 1"),
        ] {
            let advice = Beginning::of(&bytes, Dialect::Godot4).advice();
            assert!(advice.starts_with("; ") && advice.contains(told), "{bytes:?}: {advice}");
        }
        for nothing in [value, words(&[99; 40]), Vec::new()] {
            assert_eq!(Beginning::of(&nothing, Dialect::Godot4).advice(), "");
        }
    }
}
