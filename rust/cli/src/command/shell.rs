//! `completions` and `man`: made from the arguments' own definition.

use std::io::{self, Write};

use clap::{Command, CommandFactory};
use clap_complete::Shell;

use crate::arguments::Cli;
use crate::failure::{Failure, Outcome};

pub(crate) fn completions(shell: Shell) -> Result<Outcome, Failure> {
    io::stdout().lock().write_all(&script(shell))?;
    Ok(Outcome::Good)
}

fn script(shell: Shell) -> Vec<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "gdvar", &mut script);
    script
}

pub(crate) fn man(words: &[String]) -> Result<Outcome, Failure> {
    let mut command = Cli::command();
    command.build();
    let named = words.iter().try_fold(&command, |command, word| command.find_subcommand(word));
    let named = named.ok_or_else(|| {
        let name = crate::paint::shown(&words.join(" "));
        Failure::misuse(format!("{name}: there is no such command; `gdvar --help` lists them"))
    })?;
    io::stdout().lock().write_all(&pages(named)?)?;
    Ok(Outcome::Good)
}

fn pages(command: &Command) -> io::Result<Vec<u8>> {
    let mut pages = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut pages)?;
    for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
        pages.extend(self::pages(sub)?);
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
        let mut command = Cli::command();
        command.build();
        let pages = String::from_utf8(pages(&command).unwrap()).unwrap();
        let scripts = Shell::value_variants().iter().map(|shell| String::from_utf8(script(*shell)).unwrap());
        for text in scripts.chain([pages]) {
            let missing: Vec<&String> = names.iter().filter(|name| !text.contains(name.as_str())).collect();
            assert!(missing.is_empty(), "{missing:?}");
            assert!(text.contains("framing"), "options are there too");
        }
    }

    /// Commands that make a file, a text or JSON, and have no report.
    const MAKERS: [&str; 14] = [
        "completions",
        "edit delete",
        "edit get",
        "edit set",
        "encode",
        "man",
        "pack",
        "protocol csharp",
        "protocol docs",
        "protocol rust",
        "protocol typescript",
        "protocol vectors",
        "schema infer",
        "unpack",
    ];

    #[test]
    fn every_command_that_reports_does_so_in_json() {
        fn leaves(command: &Command, name: &str, found: &mut Vec<(String, bool)>) {
            for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
                leaves(sub, format!("{name} {}", sub.get_name()).trim_start(), found);
            }
            if !command.has_subcommands() {
                found
                    .push((name.to_owned(), command.get_arguments().any(|it| it.get_long() == Some("json"))));
            }
        }
        let mut found = Vec::new();
        leaves(&Cli::command(), "", &mut found);
        let mut silent: Vec<&str> =
            found.iter().filter(|(_, has)| !has).map(|(name, _)| name.as_str()).collect();
        silent.sort_unstable();
        assert_eq!(silent, MAKERS);
        assert!(found.len() > 25, "{found:?}");
    }
}
