//! Reads the texts that engines print of vectors, colors and packed arrays: `str()`, `var_to_str()` and
//! `JSON.stringify()` of Godot 4, and `str()` and `var2str()` of Godot 3. It builds no value.

use variant_core::VariantType;

/// A number as it stood in a text or in JSON.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Num {
    Int(i64),
    Real(f64),
}

/// The forms of one type with a fixed count of numbers.
struct Forms {
    /// Its names in `var_to_str()`, where the numbers stand in the order of the bytes.
    names: &'static [&'static str],
    count: usize,
    /// Its other forms, with `#` for each number; `true` where a basis stands there by columns.
    others: &'static [(&'static str, bool)],
}

const XYZ_BY_COLUMNS: &str = "[X:(#,#,#),Y:(#,#,#),Z:(#,#,#)]";
const XYZO_BY_COLUMNS: &str = "[X:(#,#,#),Y:(#,#,#),Z:(#,#,#),O:(#,#,#)]";

#[rustfmt::skip]
fn forms(ty: VariantType) -> Option<Forms> {
    use VariantType as T;
    let (names, count, others): (&[&str], usize, &[(&str, bool)]) = match ty {
        T::Vector2 => (&["Vector2"], 2, &[("(#,#)", false)]),
        T::Vector2i => (&["Vector2i"], 2, &[("(#,#)", false)]),
        T::Rect2 => (&["Rect2"], 4, &[("[P:(#,#),S:(#,#)]", false), ("(#,#,#,#)", false)]),
        T::Rect2i => (&["Rect2i"], 4, &[("[P:(#,#),S:(#,#)]", false)]),
        T::Vector3 => (&["Vector3"], 3, &[("(#,#,#)", false)]),
        T::Vector3i => (&["Vector3i"], 3, &[("(#,#,#)", false)]),
        T::Transform2D => (&["Transform2D"], 6, &[("[X:(#,#),Y:(#,#),O:(#,#)]", false), ("((#,#),(#,#),(#,#))", false)]),
        T::Vector4 => (&["Vector4"], 4, &[("(#,#,#,#)", false)]),
        T::Vector4i => (&["Vector4i"], 4, &[("(#,#,#,#)", false)]),
        T::Plane => (&["Plane"], 4, &[("[N:(#,#,#),D:#]", false), ("#,#,#,#", false)]),
        T::Quaternion => (&["Quaternion", "Quat"], 4, &[("(#,#,#,#)", false), ("#,#,#,#", false)]),
        T::Aabb => (&["AABB"], 6, &[("[P:(#,#,#),S:(#,#,#)]", false), ("#,#,#-#,#,#", false)]),
        T::Basis => (&["Basis"], 9, &[(XYZ_BY_COLUMNS, true), ("((#,#,#),(#,#,#),(#,#,#))", false), ("#,#,#,#,#,#,#,#,#", false)]),
        T::Transform3D => (&["Transform3D", "Transform"], 12, &[(XYZO_BY_COLUMNS, true), ("#,#,#,#,#,#,#,#,#-#,#,#", false)]),
        T::Projection => (&["Projection"], 16, &[("[X:(#,#,#,#),Y:(#,#,#,#),Z:(#,#,#,#),W:(#,#,#,#)]", false)]),
        T::Color => (&["Color"], 4, &[("(#,#,#,#)", false), ("#,#,#,#", false)]),
        _ => return None,
    };
    Some(Forms { names, count, others })
}

/// The names of a packed array in `var_to_str()`, and how many numbers an element has; 0 for texts.
fn packed(ty: VariantType) -> Option<(&'static [&'static str], usize)> {
    use VariantType as T;
    Some(match ty {
        T::PackedByteArray => (&["PackedByteArray", "PoolByteArray"], 1),
        T::PackedInt32Array => (&["PackedInt32Array", "PoolIntArray"], 1),
        T::PackedInt64Array => (&["PackedInt64Array"], 1),
        T::PackedFloat32Array => (&["PackedFloat32Array", "PoolRealArray"], 1),
        T::PackedFloat64Array => (&["PackedFloat64Array"], 1),
        T::PackedStringArray => (&["PackedStringArray", "PoolStringArray"], 0),
        T::PackedVector2Array => (&["PackedVector2Array", "PoolVector2Array"], 2),
        T::PackedVector3Array => (&["PackedVector3Array", "PoolVector3Array"], 3),
        T::PackedColorArray => (&["PackedColorArray", "PoolColorArray"], 4),
        T::PackedVector4Array => (&["PackedVector4Array"], 4),
        _ => return None,
    })
}

/// Returns the numbers of a value of this type, in the order of its bytes.
pub(crate) fn numbers(ty: VariantType, text: &str) -> Option<Vec<Num>> {
    if ty == VariantType::Color
        && let Some(color) = html(text)
    {
        return Some(color);
    }
    let tokens = tokens(text)?;
    if let Some((names, each)) = packed(ty).filter(|(_, each)| *each > 0) {
        return elements(ty, &tokens, names, each);
    }
    let forms = forms(ty)?;
    if let [Token::Word(name), Token::Mark(b'('), numbers @ .., Token::Mark(b')')] = tokens.as_slice() {
        let found = list(numbers).filter(|found| found.len() == forms.count)?;
        return forms.names.contains(name).then_some(found);
    }
    let skeleton = skeleton(&tokens);
    let (_, by_columns) = forms.others.iter().find(|(form, _)| *form == skeleton)?;
    let found = tokens.iter().filter_map(Token::number).collect();
    Some(if *by_columns { transposed(found) } else { found })
}

/// Turns the 9 numbers of a basis that come first from columns into rows.
pub(crate) fn transposed(numbers: Vec<Num>) -> Vec<Num> {
    const ROWS: [usize; 9] = [0, 3, 6, 1, 4, 7, 2, 5, 8];
    let basis = ROWS.iter().filter_map(|at| numbers.get(*at).copied());
    basis.chain(numbers.iter().skip(ROWS.len()).copied()).collect()
}

/// Returns the value of a number alone.
pub(crate) fn number(text: &str) -> Option<Num> {
    match tokens(text)?.as_slice() {
        [Token::Number(number)] => Some(*number),
        _ => None,
    }
}

/// Returns the texts of a PackedStringArray.
pub(crate) fn texts(text: &str) -> Option<Vec<String>> {
    let (names, _) = packed(VariantType::PackedStringArray)?;
    let named = names.iter().find_map(|name| text.strip_prefix(name)?.strip_prefix('(')?.strip_suffix(')'));
    let mut rest = named.or_else(|| text.strip_prefix('[')?.strip_suffix(']'))?.trim_matches(' ');
    let mut found = Vec::new();
    while !rest.is_empty() {
        let (text, behind) = quoted(rest)?;
        found.push(text);
        rest = behind.trim_start_matches(' ');
        if let Some(next) = rest.strip_prefix(',') {
            rest = next.trim_start_matches(' ');
            if rest.is_empty() {
                return None;
            }
        } else if !rest.is_empty() {
            return None;
        }
    }
    Some(found)
}

/// Returns the bytes of base64, also as `PackedByteArray("...")` has them.
pub(crate) fn base64(text: &str) -> Option<Vec<u8>> {
    use base64::Engine;
    let named = text.strip_prefix("PackedByteArray(\"").and_then(|rest| rest.strip_suffix("\")"));
    base64::engine::general_purpose::STANDARD.decode(named.unwrap_or(text)).ok()
}

/// Reads a text in quotes as engines escape it, and returns what stands behind it too.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut chars = text.strip_prefix('"')?.chars();
    let mut found = String::new();
    loop {
        match chars.next()? {
            '"' => return Some((found, chars.as_str())),
            '\\' => found.push(match chars.next()? {
                'a' => '\u{7}',
                'b' => '\u{8}',
                'f' => '\u{c}',
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                'v' => '\u{b}',
                other @ ('\\' | '"' | '\'') => other,
                _ => return None,
            }),
            other => found.push(other),
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Token<'t> {
    Number(Num),
    Word(&'t str),
    Mark(u8),
}

impl Token<'_> {
    const fn number(&self) -> Option<Num> {
        match self {
            Token::Number(number) => Some(*number),
            _ => None,
        }
    }
}

fn tokens(text: &str) -> Option<Vec<Token<'_>>> {
    if text.starts_with(' ') || text.ends_with(' ') {
        return None;
    }
    let (mut found, mut rest) = (Vec::new(), text);
    while let Some(first) = rest.bytes().next() {
        if first == b' ' {
            rest = rest.get(1..)?;
            continue;
        }
        let (token, length) = match real(rest) {
            Some(number) => number,
            None if first.is_ascii_alphabetic() => {
                let word = word(rest);
                (Token::Word(word), word.len())
            }
            // A digit begins a number, and what is none is no form at all.
            None if first.is_ascii_punctuation() => (Token::Mark(first), 1),
            None => return None,
        };
        found.push(token);
        rest = rest.get(length..)?;
    }
    Some(found)
}

fn word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}

/// Reads the number that a text begins with, and how long it is.
fn real(text: &str) -> Option<(Token<'_>, usize)> {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let sign = if unsigned.len() < text.len() { -1.0 } else { 1.0 };
    let length = |of: &str| text.len().saturating_sub(unsigned.len()).saturating_add(of.len());
    let named = match word(unsigned) {
        "inf" => Some(f64::INFINITY * sign),
        "inf_neg" if sign > 0.0 => Some(f64::NEG_INFINITY),
        "nan" => Some(f64::NAN),
        _ => None,
    };
    if let Some(number) = named {
        return Some((Token::Number(Num::Real(number)), length(word(unsigned))));
    }
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let mut end = Some(digits(unsigned)).filter(|count| *count > 0)?;
    let mut is_int = true;
    let after = |end: usize| unsigned.get(end..).unwrap_or_default();
    if let Some(fraction) = after(end).strip_prefix('.') {
        let count = Some(digits(fraction)).filter(|count| *count > 0)?;
        (end, is_int) = (end.saturating_add(1).saturating_add(count), false);
    }
    if let Some(exponent) = after(end).strip_prefix(['e', 'E']) {
        let unsigned = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        let count = Some(digits(unsigned)).filter(|count| *count > 0)?;
        let signs = exponent.len().saturating_sub(unsigned.len());
        (end, is_int) = (end.saturating_add(1).saturating_add(signs).saturating_add(count), false);
    }
    // What goes on as a word is no number, and neither is what has no room in one.
    if after(end).starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.') {
        return None;
    }
    let whole = text.get(..length(unsigned.get(..end)?))?;
    let int = if is_int { whole.parse().ok().map(Num::Int) } else { None };
    // Engines before 4 print a float zero as -0, which no int is.
    let number = int.filter(|number| sign > 0.0 || *number != Num::Int(0));
    let number = match number {
        Some(number) => number,
        None => Num::Real(whole.parse::<f64>().ok().filter(|number| number.is_finite())?),
    };
    Some((Token::Number(number), whole.len()))
}

fn skeleton(tokens: &[Token<'_>]) -> String {
    let mut text = String::new();
    // No form is longer.
    for token in tokens.iter().take(128) {
        match token {
            Token::Number(_) => text.push('#'),
            Token::Word(word) => text.push_str(word),
            Token::Mark(mark) => text.push(char::from(*mark)),
        }
    }
    text
}

/// Numbers with a comma between each two.
fn list(tokens: &[Token<'_>]) -> Option<Vec<Num>> {
    if tokens.is_empty() {
        return Some(Vec::new());
    }
    let pairs = tokens.chunks(2).map(|pair| match pair {
        [Token::Number(number), Token::Mark(b',')] | [Token::Number(number)] => Some(*number),
        _ => None,
    });
    // A comma at the end leaves a pair that is whole.
    let ends = tokens.last().is_some_and(|last| last.number().is_some());
    pairs.collect::<Option<Vec<_>>>().filter(|_| ends)
}

/// The numbers of all elements of a packed array, so many each.
fn elements(ty: VariantType, tokens: &[Token<'_>], names: &[&str], each: usize) -> Option<Vec<Num>> {
    let is_whole = |found: &Vec<Num>| found.len().checked_rem(each) == Some(0);
    match tokens {
        [Token::Word(name), Token::Mark(b'('), inside @ .., Token::Mark(b')')] => {
            list(inside).filter(is_whole).filter(|_| names.contains(name))
        }
        [Token::Mark(b'['), inside @ .., Token::Mark(b']')] => match inside.first() {
            Some(Token::Mark(b'(')) if each > 1 => groups(inside, each),
            // Godot 3 prints colors without parentheses.
            Some(_) if each > 1 && ty != VariantType::PackedColorArray => None,
            _ => list(inside).filter(is_whole),
        },
        _ => None,
    }
}

/// Numbers in parentheses, so many each, with a comma between each two of those.
fn groups(tokens: &[Token<'_>], each: usize) -> Option<Vec<Num>> {
    let length = each.saturating_mul(2).saturating_add(1);
    let mut found = Vec::new();
    for chunk in tokens.chunks(length.saturating_add(1)) {
        let (group, comma) = chunk.split_at_checked(length)?;
        let is_right = matches!(comma, [] | [Token::Mark(b',')]);
        let [Token::Mark(b'('), inside @ .., Token::Mark(b')')] = group else { return None };
        found.extend(list(inside).filter(|_| is_right)?);
    }
    let ends = matches!(tokens.last(), Some(Token::Mark(b')')));
    ends.then_some(found)
}

/// `#ff8000`, `#ff8000ff`, and with one digit for two.
fn html(text: &str) -> Option<Vec<Num>> {
    let digits = text.strip_prefix('#').filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()))?;
    let (size, scale) = match digits.len() {
        3 | 4 => (1, 17.0),
        6 | 8 => (2, 1.0),
        _ => return None,
    };
    let bytes = digits.as_bytes().chunks(size).map(|pair| {
        let byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
        Some(Num::Real(f64::from(byte) * scale / 255.0))
    });
    let mut color = bytes.collect::<Option<Vec<_>>>()?;
    if color.len() == 3 {
        color.push(Num::Int(1));
    }
    Some(color)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_engines_write_them() {
        use Num::{Int, Real};
        let same = |text: &str, number: Num| assert_eq!(super::number(text), Some(number), "{text}");
        for (text, number) in [
            ("5", Int(5)),
            ("-5", Int(-5)),
            ("1.5", Real(1.5)),
            ("1e+20", Real(1e20)),
            ("1.23457e+08", Real(1.23457e8)),
            ("1e-10", Real(1e-10)),
            ("100000000000000000000", Real(1e20)),
            ("inf", Real(f64::INFINITY)),
            ("-inf", Real(f64::NEG_INFINITY)),
            ("inf_neg", Real(f64::NEG_INFINITY)),
        ] {
            same(text, number);
        }
        assert!(matches!(number("-0"), Some(Real(zero)) if zero == 0.0 && zero.is_sign_negative()));
        assert!(matches!(number("nan"), Some(Real(nan)) if nan.is_nan()));
        for text in
            ["", " 5", "5 ", "+5", "5.", ".5", "1e", "0x1", "1_000", "infinity", "1e999", "5,", "1.2.3", "é"]
        {
            assert_eq!(number(text), None, "{text}");
        }
    }

    #[test]
    fn texts_are_read_with_their_escapes() {
        let read = |text| texts(text).map(|found| found.join("|"));
        assert_eq!(read("[]"), Some(String::new()));
        assert_eq!(read(r#"["a", "b, \"c\"\n"]"#), Some("a|b, \"c\"\n".to_owned()));
        assert_eq!(read(r#"PoolStringArray( "a", "b" )"#), Some("a|b".to_owned()));
        for wrong in [r#"["a""#, r#"["a" "b"]"#, r#"["a",]"#, "[a]", r#"["\q"]"#, r#"Array("a")"#] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
