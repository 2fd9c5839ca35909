//! Foreign: files of other kinds, known by their first bytes, and what to do with each. None is opened here.

/// Bytes that are looked at for text.
const LOOKED_AT: usize = 64;

/// First bytes, and what begins so.
const KINDS: [(&[u8], &str); 17] = [
    (b"RSRC", "a resource of Godot begins so, which ResourceLoader reads"),
    (b"RSCC", "a resource of Godot begins so, which ResourceLoader reads"),
    (b"GDSC", "a compiled script of Godot (.gdc) begins so, which holds no values"),
    (b"GDPC", "a pack of files (.pck) begins so"),
    (b"GST2", "a texture that Godot imported (.ctex) begins so"),
    (b"GDST", "a texture that Godot 3 imported (.stex) begins so"),
    (b"PK\x03\x04", "a zip archive begins so: unpack it, and check the files in it"),
    (b"PK\x05\x06", "an empty zip archive begins so"),
    (b"\x1F\x8B", "gzip writes this: unpack it first, as in `gzip -dc FILE | gdvar check -`"),
    (b"\x28\xB5\x2F\xFD", "Zstandard writes this: unpack it first, as in `zstd -dc FILE | gdvar check -`"),
    (b"\xFD7zXZ\0", "xz writes this: unpack it first, as in `xz -dc FILE | gdvar check -`"),
    (b"BZh", "bzip2 writes this: unpack it first, as in `bzip2 -dc FILE | gdvar check -`"),
    (b"7z\xBC\xAF\x27\x1C", "a 7z archive begins so: unpack it, and check the files in it"),
    (b"SQLite format 3\0", "a database of SQLite begins so"),
    (b"\x89PNG\r\n", "a picture (PNG) begins so"),
    (b"\xFF\xFE", "text in UTF-16 begins so"),
    (b"\xEF\xBB\xBF", TEXT),
];

/// First bytes of texts. White space may stand before them.
const TEXTS: [(&[u8], &str); 4] = [
    (b"{", JSON),
    (b"[gd_", "a scene or resource of Godot as text begins so, which ResourceLoader reads"),
    (b"<?xml", "this is XML"),
    (b"<!DOCTYPE", "a page of the web begins so: was an error downloaded in place of the file?"),
];

const JSON: &str = "this looks like JSON, which `gdvar encode` makes bytes of";
const TEXT: &str = "this is text: --hex and --base64 read bytes written as text, `gdvar encode` reads JSON";

/// What a file is that begins so, where that can be told, and what to do with it.
pub(crate) fn kind(first: &[u8]) -> Option<&'static str> {
    let of = |kinds: &[(&[u8], &'static str)], bytes: &[u8]| {
        kinds.iter().find(|(magic, _)| bytes.starts_with(magic)).map(|(_, what)| *what)
    };
    of(&KINDS, first).or_else(|| is_deflated(first).then_some(DEFLATED)).or_else(|| {
        let text = first.get(..LOOKED_AT).unwrap_or(first);
        let is_text = |byte: &u8| matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\r' | 0x80..);
        let is_some = text.iter().any(u8::is_ascii_graphic) && text.iter().all(is_text);
        is_some.then(|| of(&TEXTS, text.trim_ascii_start()).unwrap_or_else(|| of_text(text)))
    })
}

const DEFLATED: &str = "this may be compressed by PackedByteArray.compress() with COMPRESSION_DEFLATE: decompress() it in the game, and \
                        save what comes out";

/// The header of zlib. Bytes of Deflate follow it, and no zeros as behind a small length.
fn is_deflated(first: &[u8]) -> bool {
    matches!(first, [0x78, 0x01 | 0x5E | 0x9C | 0xDA, behind, ..] if *behind > 0)
}

/// A text that begins like no other: an array of JSON, digits, letters.
fn of_text(text: &[u8]) -> &'static str {
    let mut graphic = text.iter().filter(|byte| byte.is_ascii_graphic());
    let is_array = graphic.next() == Some(&b'[')
        && graphic.next().is_some_and(|byte| b"[{]\"-".contains(byte) || byte.is_ascii_digit());
    if is_array { JSON } else { TEXT }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_known_by_their_heads() {
        for (first, word) in [
            (&b"RSRC\x01\0\0\0"[..], "ResourceLoader"),
            (b"GDSC\x64\0\0\0", ".gdc"),
            (b"GDPC\x02\0\0\0", ".pck"),
            (b"PK\x03\x04\x14\0", "zip"),
            (b"\x1F\x8B\x08\0", "gzip -dc"),
            (b"\x28\xB5\x2F\xFD\x24", "zstd -dc"),
            (b"\x78\x9C\xED\xC1", "decompress()"),
            (b"\x89PNG\r\n\x1A\n", "PNG"),
            (b"  {\"hp\": 80}", "JSON"),
            (b"[\n 1, 2]", "JSON"),
            (b"[{\"hp\": 80}]", "JSON"),
            (b"[gd_scene format=3]", "ResourceLoader"),
            (b"[player]\nhp=80\n", "this is text"),
            ("na\u{ef}ve".as_bytes(), "this is text"),
            (b"<!DOCTYPE html>", "downloaded"),
        ] {
            let told = kind(first).unwrap_or_default();
            assert!(told.contains(word), "{first:?}: {told}");
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
}
