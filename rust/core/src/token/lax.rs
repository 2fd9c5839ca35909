//! Rewrites text that Godot 3 takes for UTF-8 and Godot 4 does not, in place, as real UTF-8.
//!
//! It is used only in ENGINE strictness for Godot 3. It was checked on 3.6; every rule is in FORMAT.md
//! section 6.1.

/// Rewrites the bytes of a text field (without padding) so that they are UTF-8. Returns false when Godot 3
/// refuses them as well; they are then unchanged.
///
/// The result is never longer. Where it is shorter a NUL follows it, which ends the text for every reader.
pub(crate) fn rewrite(field: &mut [u8]) -> bool {
    let body = match field {
        [0xEF, 0xBB, 0xBF, rest @ ..] => rest,
        other => other,
    };
    let end = body.iter().position(|byte| *byte == 0).unwrap_or(body.len());
    let Some((text, _)) = body.split_at_mut_checked(end) else { return false };
    let Some(units) = units(text) else { return false };
    let joined = joined(&units);
    let bytes = joined.bytes().chain(std::iter::repeat(0));
    text.iter_mut().zip(bytes).for_each(|(slot, byte)| *slot = byte);
    true
}

/// Returns the code points as Godot 3 reads them: overlong forms, surrogates and those beyond the last one
/// too.
fn units(mut text: &[u8]) -> Option<Vec<u32>> {
    let mut units = Vec::new();
    while let [lead, rest @ ..] = text {
        let (length, bits) = match lead {
            0x00..=0x7F => (0u32, u32::from(*lead)),
            // C0 and C1 begin the overlong forms that are refused at once.
            0xC2..=0xDF => (1, u32::from(lead & 0x1F)),
            0xE0..=0xEF => (2, u32::from(lead & 0x0F)),
            0xF0..=0xF7 => (3, u32::from(lead & 0x07)),
            0xF8..=0xFB => (4, u32::from(lead & 0x03)),
            0xFC..=0xFD => (5, u32::from(lead & 0x01)),
            _ => return None,
        };
        let (tail, rest) = rest.split_at_checked(usize::try_from(length).ok()?)?;
        units.push(continued(bits, length, tail)?);
        text = rest;
    }
    Some(units)
}

/// Decodes the bytes behind the first one. Godot 3 tests only the third byte for an overlong form, and only
/// when the first two bytes have no bits set.
fn continued(lead: u32, length: u32, tail: &[u8]) -> Option<u32> {
    let mut unit = lead;
    for (at, byte) in tail.iter().enumerate() {
        let bits = u32::from(*byte & 0x3F);
        let says_nothing = bits.checked_shr(6u32.saturating_sub(length)) == Some(0);
        if byte & 0xC0 != 0x80 || (at == 1 && unit == 0 && says_nothing) {
            return None;
        }
        unit = unit.wrapping_shl(6) | bits;
    }
    Some(unit)
}

/// Returns what Godot 3.6 writes for such a string: a surrogate pair is one character, half a pair is a
/// space. A character that no Godot 4 String can hold becomes U+FFFD.
fn joined(units: &[u32]) -> String {
    let mut text = String::with_capacity(units.len());
    let mut rest = units;
    while let [first, tail @ ..] = rest {
        rest = tail;
        let pair = match (first, tail) {
            (0xD800..=0xDBFF, [low @ 0xDC00..=0xDFFF, after @ ..]) => {
                rest = after;
                let high = (first & 0x3FF).wrapping_shl(10);
                (high | (low & 0x3FF)).saturating_add(0x10000)
            }
            _ => *first,
        };
        text.push(match pair {
            0xD800..=0xDFFF => ' ',
            other => char::from_u32(other).unwrap_or(char::REPLACEMENT_CHARACTER),
        });
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests the results of 3.6; characters that it keeps beyond U+10FFFF are U+FFFD here.
    #[test]
    fn rows_of_3_6() {
        let rows: &[(&[u8], Option<&str>)] = &[
            (b"\xED\xA0\x80", Some(" ")),
            (b"\xED\xA0\xBD\xED\xB8\x80", Some("\u{1F600}")),
            (b"\xED\xA0\xBD\xED\xA0\xBD\xED\xB8\x80", Some(" \u{1F600}")),
            (b"\xED\xB8\x80\xED\xA0\xBD", Some("  ")),
            (b"a\xED\xA0\xBDb", Some("a b")),
            (b"\xF0\x8D\xA0\xBD\xED\xB8\x80", Some("\u{1F600}")),
            (b"\xF4\x90\x80\x80", Some("\u{FFFD}")),
            (b"\xF8\x88\x80\x80\x80", Some("\u{FFFD}")),
            (b"\xFD\xBF\xBF\xBF\xBF\xBF", Some("\u{FFFD}")),
            (b"\xE0\x80\xA0", Some(" ")),
            (b"\xE0\x80\x90", Some("\u{10}")),
            (b"\xE0\x80\x8F", None),
            (b"\xF0\x80\x90\x80", Some("\u{400}")),
            (b"\xF0\x80\x88\x80", Some("\u{200}")),
            (b"\xF0\x80\x87\x80", None),
            (b"\xF8\x80\x80\x81\x80", None),
            (b"\xFC\x80\x80\x82\x80\x80", None),
            (b"\xEF\xBB\xBF\xED\xA0\x80", Some("\u{FEFF} ")),
            (b"\xED\xA0\xBD\0\xFF", Some(" ")),
            (b"\x80", None),
            (b"\xC0\x80", None),
            (b"\xC1\xBF", None),
            (b"\xFE", None),
            (b"\xFF", None),
            (b"\xE2\x82", None),
            (b"\xE2\x82a", None),
        ];
        for (bytes, expected) in rows {
            let mut field = bytes.to_vec();
            let taken = rewrite(&mut field);
            let text = field.split(|byte| *byte == 0).next().unwrap();
            let text = taken.then(|| std::str::from_utf8(text).unwrap());
            assert_eq!(text, *expected, "{bytes:02x?}");
            assert!(taken || field == *bytes, "{bytes:02x?}");
        }
    }

    /// Tests that valid UTF-8 beside an invalid form stays as it is.
    #[test]
    fn characters_of_every_length_stay() {
        for text in ["a", "\u{80}", "é", "\u{7FF}", "日", "\u{FFFD}", "😀"] {
            let mut field = [text.as_bytes(), b"\xED\xA0\x80"].concat();
            assert!(rewrite(&mut field), "{text}");
            let written = field.split(|byte| *byte == 0).next().unwrap();
            assert_eq!(std::str::from_utf8(written), Ok(&*format!("{text} ")));
        }
    }
}
