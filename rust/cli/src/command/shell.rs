//! `completions` and `man`: made from the arguments' own definition.

use std::io::{self, Write};

use clap::CommandFactory;
use clap_complete::Shell;

use crate::arguments::Cli;
use crate::failure::{Failure, Verdict};

pub(crate) fn completions(shell: Shell) -> Result<Verdict, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "gdvar", &mut script);
    io::stdout().lock().write_all(&script)?;
    Ok(Verdict::Good)
}

/// The page of `gdvar`, then those of its commands.
pub(crate) fn man() -> Result<Verdict, Failure> {
    let mut command = Cli::command();
    command.build();
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
        clap_mangen::Man::new(sub.clone()).render(&mut page)?;
    }
    io::stdout().lock().write_all(&page)?;
    Ok(Verdict::Good)
}
