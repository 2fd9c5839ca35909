//! `protocol csharp`: classes that pack and unpack the messages of a protocol.

use super::{load, written};
use crate::arguments::CSharp;
use crate::csharp::file;
use crate::failure::Failure;
use crate::save::OutPath;
use crate::{save, source};

pub(super) fn run(given: &CSharp) -> Result<String, Failure> {
    let words: Vec<&str> = given.namespace.split('.').collect();
    let is_word = |word: &&str| {
        word.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_')
            && word.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
    };
    if !words.iter().all(is_word) {
        return Err(Failure::misuse("--namespace: expected letters, digits and _, and dots between words"));
    }
    let out = OutPath::new(&given.out, [&*given.of.file])?;
    let loaded = load(&given.of.file)?;
    let messages = loaded.messages()?;
    let hello = loaded.table.hello(0, 0);
    let text = file(&messages, &loaded.table, &hello, &given.namespace).map_err(Failure::data)?;
    save::write(&out, text.as_bytes())?;
    Ok(written(&given.of, &messages, &source::shown(&given.out)))
}
