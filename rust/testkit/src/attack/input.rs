//! Makes the inputs that lines of the attack corpus describe. A line is hex, numbers and repetitions, so that
//! a short line can stand for many megabytes.
//!
//! | written | means |
//! |---|---|
//! | `1c00` | bytes |
//! | `=65537`, `=-1` | a number as a little-endian 32-bit word |
//! | `(...)*1000` | the part in parentheses, a thousand times |
//! | `#` | inside a repetition: the number of the turn, from 0, as a word |
//! | `#h` | the number of the turn as eight hex digits of text |
//! | `#p` | the number of the turn as a text of 24 letters, all of one hash in the engine |

/// These two are equal in base 33, in which the engine hashes text, and so are all texts of equal length that
/// are spelled with them.
const PAIRS: [&[u8; 2]; 2] = [b"b!", b"aB"];

/// Makes the bytes that `text` stands for.
///
/// # Panics
/// When it is not of the form.
pub fn bytes(text: &str) -> Vec<u8> {
    let mut output = Vec::new();
    Input { text, turn: 0 }.write(&mut output);
    output
}

struct Input<'a> {
    text: &'a str,
    turn: u32,
}

impl<'a> Input<'a> {
    fn write(mut self, output: &mut Vec<u8>) {
        loop {
            self.text = self.text.trim_start();
            let Some(first) = self.text.chars().next() else { return };
            match first {
                '(' => self.repetition(output),
                '=' => {
                    let number: i64 = self.word()[1..].parse().expect("a number after `=`");
                    output.extend(&number.to_le_bytes()[..4]);
                }
                '#' if self.text.starts_with("#h") => {
                    self.word();
                    output.extend(format!("{:08x}", self.turn).bytes());
                }
                '#' if self.text.starts_with("#p") => {
                    self.word();
                    output.extend((0..12).flat_map(|bit| PAIRS[usize::from(self.turn >> bit & 1 == 1)]));
                }
                '#' => {
                    self.word();
                    output.extend(self.turn.to_le_bytes());
                }
                _ => output.extend(crate::hex::bytes(self.word())),
            }
        }
    }

    /// Takes the text up to the next space or parenthesis.
    fn word(&mut self) -> &'a str {
        let end = self.text.find([' ', '(']).unwrap_or(self.text.len());
        let (word, rest) = self.text.split_at(end);
        self.text = rest;
        word
    }

    fn repetition(&mut self, output: &mut Vec<u8>) {
        let close = closing(self.text);
        let inside = &self.text[1..close];
        self.text = &self.text[close + 1..];
        let times = self.word().strip_prefix('*').expect("`*` after a parenthesis");
        let times: u32 = times.parse().expect("how often, after `*`");
        if inside.contains('#') {
            (0..times).for_each(|turn| Input { text: inside, turn }.write(output));
        } else {
            let once = bytes(inside);
            output.extend(once.repeat(usize::try_from(times).expect("a machine of 32 bits or more")));
        }
    }
}

/// Finds the parenthesis that closes the one at the start of `text`.
fn closing(text: &str) -> usize {
    let mut depth = 0;
    let closes = |(_, c): &(usize, char)| {
        depth += i32::from(*c == '(') - i32::from(*c == ')');
        depth == 0
    };
    text.char_indices().find(closes).unwrap_or_else(|| panic!("no closing parenthesis in `{text}`")).0
}
