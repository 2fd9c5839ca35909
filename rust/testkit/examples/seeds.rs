//! Writes the inputs that fuzzing starts from into a folder, one file each. They are golden values, malformed
//! inputs, the attack corpus, golden values as JSON and save files. `cargo xtask fuzz` calls it.

use std::path::PathBuf;
use std::{env, fs, io};

use variant_testkit::{attack, golden, malformed, saves};
use variant_text::json::{JsonForm, write};

/// The size limit of a seed in bytes: larger ones only make every execution slower.
const LONGEST: usize = 4096;

fn main() -> io::Result<()> {
    let folder = PathBuf::from(env::args_os().nth(1).expect("the folder to write to"));
    fs::create_dir_all(&folder)?;
    let malformed = malformed::rows().into_iter().map(|row| row.bytes);
    let seeds = golden::seeds()
        .into_iter()
        .chain(malformed)
        .chain(attack::seeds(LONGEST))
        .chain(jsons())
        .chain(saves::seeds());
    let mut count = 0;
    for (at, seed) in seeds.filter(|seed| seed.len() <= LONGEST).enumerate() {
        fs::write(folder.join(format!("{at:04}")), seed)?;
        count = at + 1;
    }
    println!("{count} seeds");
    Ok(())
}

/// Writes the golden values as JSON.
fn jsons() -> impl Iterator<Item = Vec<u8>> {
    golden::seeds().into_iter().filter_map(|seed| {
        let mut text = Vec::new();
        let form = JsonForm { plain: false, compact: true, tags_floats: false };
        write(&seed, &variant_text::looking(), form, &mut text).ok()?.ok()?;
        Some(text)
    })
}
