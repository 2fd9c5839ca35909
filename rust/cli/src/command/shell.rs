//! `completions` and `man`: made from the arguments' own definition.

use std::io::{self, Write};

use clap::CommandFactory;
use clap_complete::Shell;

use crate::arguments::Cli;
use crate::failure::{Failure, Verdict};

pub(crate) fn completions(shell: Shell) -> Result<Verdict, Failure> {
    io::stdout().lock().write_all(&script(shell))?;
    Ok(Verdict::Good)
}

fn script(shell: Shell) -> Vec<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "gdvar", &mut script);
    script
}

pub(crate) fn man(of: Option<&str>) -> Result<Verdict, Failure> {
    let pages = match of {
        None => pages()?,
        Some(name) => page(name)?.ok_or_else(|| {
            let name = crate::paint::shown(name);
            Failure::misuse(format!("{name}: there is no such command; `gdvar --help` lists them"))
        })?,
    };
    io::stdout().lock().write_all(&pages)?;
    Ok(Verdict::Good)
}

/// The page of one command, with those of its own commands.
fn page(name: &str) -> io::Result<Option<Vec<u8>>> {
    let mut command = Cli::command();
    command.build();
    let Some(command) = command.find_subcommand(name) else { return Ok(None) };
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
        clap_mangen::Man::new(sub.clone()).render(&mut page)?;
    }
    Ok(Some(page))
}

/// The page of `gdvar`, then those of its commands.
fn pages() -> io::Result<Vec<u8>> {
    let mut command = Cli::command();
    command.build();
    let mut pages = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut pages)?;
    for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
        clap_mangen::Man::new(sub.clone()).render(&mut pages)?;
    }
    Ok(pages)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::ValueEnum;

    #[test]
    fn every_command_is_completed_and_described() {
        // clap's own checks of the definition.
        Cli::command().debug_assert();
        let names: Vec<String> =
            Cli::command().get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
        assert!(names.len() >= 14, "{names:?}");
        let pages = String::from_utf8(pages().unwrap()).unwrap();
        let scripts = Shell::value_variants().iter().map(|shell| String::from_utf8(script(*shell)).unwrap());
        for text in scripts.chain([pages]) {
            let missing: Vec<&String> = names.iter().filter(|name| !text.contains(name.as_str())).collect();
            assert!(missing.is_empty(), "{missing:?}");
            assert!(text.contains("framing"), "options are there too");
        }
    }
}
