//! Recognizes files and texts that hold no values as they are, by their first bytes. The callers decide what
//! to do with one: a game has other means than a command line.

/// The bytes that are read of a text.
const LOOKED_AT: usize = 64;

/// The header of a file that Godot 3 encrypted: its mark and mode, the MD5 of the content, its length.
const GODOT_3_HEADER: u64 = 32;
/// The bytes of a block of such a file.
const BLOCK: u64 = 16;

/// Defines the kinds, with a sentence for each.
macro_rules! file_kinds {
    ($($(#[$doc:meta])+ $name:ident: $words:literal,)+) => {
        /// Names the kind of a file or text.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum FileKind {
            $($(#[$doc])+ $name,)+
        }

        impl FileKind {
            /// Describes it in a sentence.
            #[must_use]
            pub const fn words(self) -> &'static str {
                match self {
                    $(FileKind::$name => $words,)+
                }
            }
        }
    };
}

file_kinds! {
    /// A file of `VariantSave`.
    Save: "VariantSave wrote this",
    /// A file of `FileAccess.open_compressed()`.
    Compressed: "FileAccess.open_compressed() wrote this",
    /// A file of `FileAccess.open_encrypted()` or `open_encrypted_with_pass()` of Godot 4.
    Encrypted: "FileAccess.open_encrypted() or open_encrypted_with_pass() wrote this",
    /// An encrypted file of Godot 3, whose form Godot 4 does not open.
    EncryptedByGodot3: "Godot 3 encrypted this, in a form that Godot 4 does not open",
    /// A resource or scene, `.res` or `.scn`.
    Resource: "a resource of Godot begins so",
    /// A resource or scene as text, `.tres` or `.tscn`.
    ResourceText: "a scene or resource of Godot as text begins so",
    /// A compiled script, `.gdc`.
    Script: "a compiled script of Godot (.gdc) begins so, which holds no values",
    /// An exported project, `.pck`.
    Pack: "a pack of files (.pck) begins so",
    /// An imported texture, `.ctex`; of Godot 3 `.stex`.
    Texture: "a texture that Godot imported (.ctex, .stex) begins so",
    /// A zip archive.
    Zip: "a zip archive begins so",
    /// Bytes that gzip or `COMPRESSION_GZIP` wrote.
    Gzip: "gzip writes this",
    /// Bytes that zstd or `COMPRESSION_ZSTD` wrote.
    Zstandard: "Zstandard writes this",
    /// Bytes that zlib or `COMPRESSION_DEFLATE` wrote.
    Deflate: "this may be compressed by PackedByteArray.compress() with COMPRESSION_DEFLATE",
    /// Bytes that xz wrote.
    Xz: "xz writes this",
    /// Bytes that bzip2 wrote.
    Bzip2: "bzip2 writes this",
    /// A 7z archive.
    SevenZip: "a 7z archive begins so",
    /// A database of SQLite.
    Database: "a database of SQLite begins so",
    /// A picture, PNG.
    Picture: "a picture (PNG) begins so",
    /// Text in UTF-16.
    Utf16: "text in UTF-16 begins so",
    /// JSON.
    Json: "this looks like JSON",
    /// A dictionary or an array as `var_to_str()` writes it, with values that JSON has not.
    Literal: "this looks like a text of var_to_str()",
    /// XML.
    Xml: "this is XML",
    /// A page of the web.
    Page: "a page of the web begins so: was an error downloaded in place of the file?",
    /// Nothing but hexadecimal digits: bytes written as text.
    Digits: "this is text: hexadecimal digits, which bytes may be written as",
    /// Nothing but the letters of Base64: bytes written as text.
    Base64: "this is text: letters of Base64, which bytes may be written as",
    /// Any other text.
    Text: "this is text",
}

/// The first bytes of files, and their kinds.
const MARKS: [(&[u8], FileKind); 19] = [
    (b"\x89VSAV\r\n", FileKind::Save),
    (b"GCPF", FileKind::Compressed),
    (b"RSRC", FileKind::Resource),
    (b"RSCC", FileKind::Resource),
    (b"GDSC", FileKind::Script),
    (b"GDPC", FileKind::Pack),
    (b"GST2", FileKind::Texture),
    (b"GDST", FileKind::Texture),
    (b"PK\x03\x04", FileKind::Zip),
    (b"PK\x05\x06", FileKind::Zip),
    (b"\x1F\x8B", FileKind::Gzip),
    (b"\x28\xB5\x2F\xFD", FileKind::Zstandard),
    (b"\xFD7zXZ\0", FileKind::Xz),
    (b"BZh", FileKind::Bzip2),
    (b"7z\xBC\xAF\x27\x1C", FileKind::SevenZip),
    (b"SQLite format 3\0", FileKind::Database),
    (b"\x89PNG\r\n", FileKind::Picture),
    (b"\xFF\xFE", FileKind::Utf16),
    (b"\xEF\xBB\xBF", FileKind::Text),
];

/// The first bytes of texts, and their kinds. White space may stand before them.
const TEXTS: [(&[u8], FileKind); 4] = [
    (b"{", FileKind::Json),
    (b"[gd_", FileKind::ResourceText),
    (b"<?xml", FileKind::Xml),
    (b"<!DOCTYPE", FileKind::Page),
];

impl FileKind {
    /// Recognizes the kind of an input of this size that begins so, where that is possible.
    #[must_use]
    pub fn of(first: &[u8], size: u64) -> Option<FileKind> {
        if first.starts_with(b"GDEC") {
            let is_old = is_encrypted_by_godot_3(first, size);
            return Some(if is_old { FileKind::EncryptedByGodot3 } else { FileKind::Encrypted });
        }
        begun_by(&MARKS, first)
            .or_else(|| is_deflated(first).then_some(FileKind::Deflate))
            .or_else(|| of_text(first.get(..LOOKED_AT).unwrap_or(first)))
    }
}

fn begun_by(marks: &[(&[u8], FileKind)], bytes: &[u8]) -> Option<FileKind> {
    marks.iter().find(|(mark, _)| bytes.starts_with(mark)).map(|(_, kind)| *kind)
}

/// Tells whether a file with the mark of encryption has Godot 3's form: its one mode, and behind its header
/// the blocks for the length that it declares. Godot 4 has an MD5 where the mode is.
fn is_encrypted_by_godot_3(first: &[u8], size: u64) -> bool {
    let is_mode = first.get(4..8) == Some(&[1, 0, 0, 0]);
    let length =
        first.get(24..).and_then(|rest| rest.first_chunk()).map(|length| u64::from_le_bytes(*length));
    let blocks = length.and_then(|length| length.checked_next_multiple_of(BLOCK));
    is_mode && blocks.and_then(|blocks| blocks.checked_add(GODOT_3_HEADER)) == Some(size)
}

/// Tells whether it begins with the header of zlib. Bytes of Deflate follow it, and no zeros as behind a
/// small length.
fn is_deflated(first: &[u8]) -> bool {
    matches!(first, [0x78, 0x01 | 0x5E | 0x9C | 0xDA, behind, ..] if *behind > 0)
}

fn of_text(text: &[u8]) -> Option<FileKind> {
    let is_text = |byte: &u8| matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\r' | 0x80..);
    if !text.iter().any(u8::is_ascii_graphic) || !text.iter().all(is_text) {
        return None;
    }
    let kind = begun_by(&TEXTS, text.trim_ascii_start()).unwrap_or_else(|| of_plain_text(text));
    Some(if kind == FileKind::Json && has_literal(text) { FileKind::Literal } else { kind })
}

/// Tells whether there is a value that JSON has not, outside of quotes: `Vector2(`, `&"`, `^"`.
fn has_literal(text: &[u8]) -> bool {
    let (mut is_quoted, mut before) = (false, b' ');
    for byte in text {
        match byte {
            b'"' if is_quoted => is_quoted = before == b'\\',
            b'"' if matches!(before, b'&' | b'^') => return true,
            b'"' => is_quoted = true,
            b'(' if !is_quoted && before.is_ascii_alphanumeric() => return true,
            _ => {}
        }
        // Of two in a row the second is no mark of what follows.
        before = if *byte == b'\\' && before == b'\\' { b' ' } else { *byte };
    }
    false
}

/// Recognizes a text with no mark of its own: an array of JSON, digits, letters.
fn of_plain_text(text: &[u8]) -> FileKind {
    let mut graphic = text.iter().filter(|byte| byte.is_ascii_graphic());
    let is_array = graphic.next() == Some(&b'[')
        && graphic.next().is_some_and(|byte| b"[{]\"-".contains(byte) || byte.is_ascii_digit());
    let is_only = |is_letter: fn(&u8) -> bool| {
        let is_or_blank = |byte: &u8| byte.is_ascii_whitespace() || is_letter(byte);
        text.len() >= 8 && text.iter().all(is_or_blank)
    };
    let of_base64 = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/-_=".contains(byte);
    match () {
        () if is_array => FileKind::Json,
        () if is_only(u8::is_ascii_hexdigit) => FileKind::Digits,
        // A sentence of letters has blanks in it.
        () if !text.contains(&b' ') && is_only(of_base64) => FileKind::Base64,
        () => FileKind::Text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(first: &[u8]) -> Option<FileKind> {
        FileKind::of(first, first.len() as u64)
    }

    #[test]
    fn files_are_known_by_their_heads() {
        for (first, expected) in [
            (&b"RSRC\x01\0\0\0"[..], FileKind::Resource),
            (b"GDSC\x64\0\0\0", FileKind::Script),
            (b"GDPC\x02\0\0\0", FileKind::Pack),
            (b"GCPF\x02\0\0\0", FileKind::Compressed),
            (b"GDEC", FileKind::Encrypted),
            (b"PK\x03\x04\x14\0", FileKind::Zip),
            (b"\x1F\x8B\x08\0", FileKind::Gzip),
            (b"\x28\xB5\x2F\xFD\x24", FileKind::Zstandard),
            (b"\x78\x9C\xED\xC1", FileKind::Deflate),
            (b"\x89PNG\r\n\x1A\n", FileKind::Picture),
            (b"  {\"hp\": 80}", FileKind::Json),
            (b"[\n 1, 2]", FileKind::Json),
            (b"[{\"hp\": 80}]", FileKind::Json),
            (b"{\n\"at\": Vector2(1, 2)\n}", FileKind::Literal),
            (b"{\"at\": \"f(x) &\\\"\", \"n\": 1}", FileKind::Json),
            (b"[1, &\"name\"]", FileKind::Literal),
            (b"\x89VSAV\r\n\x1A\x01", FileKind::Save),
            (b"[gd_scene format=3]", FileKind::ResourceText),
            (b"[player]\nhp=80\n", FileKind::Text),
            ("na\u{ef}ve".as_bytes(), FileKind::Text),
            (b"<!DOCTYPE html>", FileKind::Page),
            (b"1b000000 01000000\n04", FileKind::Digits),
            (b"AgAAAAcAAAA=\n", FileKind::Base64),
            (b"hello world", FileKind::Text),
            (b"hi", FileKind::Text),
        ] {
            assert_eq!(kind(first), Some(expected), "{first:?}");
        }
    }

    #[test]
    fn nothing_is_said_of_others() {
        for first in [
            &b""[..],
            &[0; 64],
            &[99, 0, 0, 0],
            &[0x78, 0, 0, 0],
            &[0x78, 0x7C, 0, 0],
            b"\n\n\n\n",
            &[0x80; 64],
        ] {
            assert_eq!(kind(first), None, "{first:?}");
        }
    }

    #[test]
    fn godot_3_is_told_by_its_mode_and_length() {
        let file = |mode: u8, length: u64| {
            [b"GDEC".as_slice(), &[mode, 0, 0, 0], &[7; 16], &length.to_le_bytes(), &[9; 32]].concat()
        };
        assert_eq!(kind(&file(1, 20)), Some(FileKind::EncryptedByGodot3));
        assert_eq!(FileKind::of(&file(1, 20)[..40], 64), Some(FileKind::EncryptedByGodot3));
        for other in [file(2, 20), file(1, 33), file(1, u64::MAX)] {
            assert_eq!(kind(&other), Some(FileKind::Encrypted));
        }
    }
}
