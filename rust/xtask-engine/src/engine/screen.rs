//! Starts a screen where there is none: the system's Xvfb, else the one of Debian's packages.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, ensure};

use super::{debian, packages};
use crate::workspace::Workspace;

/// The size of the screen, all of which the editor's window takes.
const SIZE: &str = "1600x1000x24";
/// The folder in which Xvfb looks for the compiler of keyboard layouts: it is built in, and no option changes
/// it.
const COMPILER_FOLDER: &[u8] = b"/usr/bin\0";
const COMPILER: &str = "xkbcomp";
const SERVER: &str = "Xvfb";

/// Holds the server of a screen, which ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Screen {
    server: Child,
    display: String,
}

impl Screen {
    /// Starts Xvfb, which chooses a free display and says which.
    pub(crate) fn open(workspace: &Workspace) -> Result<Self> {
        let by_system = start(Command::new(SERVER));
        let mut server = match by_system {
            Ok(server) => server,
            Err(_) => {
                start(from_packages(workspace)?).context("the Xvfb of Debian's packages does not start")?
            }
        };
        let mut number = String::new();
        if let Some(output) = server.stdout.take() {
            BufReader::new(output).read_line(&mut number)?;
        }
        let display = format!(":{}", number.trim());
        let screen = Self { server, display };
        ensure!(number.trim().parse::<u32>().is_ok(), "Xvfb did not start");
        Ok(screen)
    }

    /// Returns the value of the variable DISPLAY for programs.
    pub(crate) fn display(&self) -> &str {
        &self.display
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

fn start(mut xvfb: Command) -> Result<Child> {
    xvfb.args(["-displayfd", "1", "-screen", "0", SIZE, "-nolisten", "tcp"]);
    xvfb.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    Ok(xvfb.spawn()?)
}

fn from_packages(workspace: &Workspace) -> Result<Command> {
    let folder = packages::folder(workspace, "screen", &debian::SCREEN, finish)?;
    let root = folder.join("root");
    let mut xvfb = debian::program(&root, &folder.join(SERVER))?;
    debian::software_graphics(&mut xvfb, &root);
    // The server was changed by `moved`: it starts the compiler in its working folder.
    xvfb.current_dir(&folder).arg("-xkbdir").arg(root.join("usr/share/X11/xkb"));
    Ok(xvfb)
}

/// Puts a server into the folder that starts the compiler beside it, and a launcher by which the compiler
/// finds its libraries.
fn finish(folder: &Path) -> Result<()> {
    let root = folder.join("root");
    let server = moved(fs::read(root.join("usr/bin").join(SERVER))?)
        .context("this Xvfb does not say where xkbcomp is: `apt-get install xvfb`")?;
    fs::write(folder.join(SERVER), server)?;
    debian::write_program(folder, COMPILER)
}

/// Changes Xvfb so that it starts the compiler in its working folder. The folder `/usr/bin` stands in the
/// text of one command only.
fn moved(mut program: Vec<u8>) -> Option<Vec<u8>> {
    let places = || program.windows(COMPILER_FOLDER.len()).enumerate();
    let mut found = places().filter(|(_, bytes)| *bytes == COMPILER_FOLDER).map(|(at, _)| at);
    let (at, None) = (found.next()?, found.next()) else { return None };
    let mut here = [0; COMPILER_FOLDER.len()];
    here[0] = b'.';
    program.get_mut(at..)?.get_mut(..here.len())?.copy_from_slice(&here);
    Some(program)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_compiler_is_looked_for_in_one_place() {
        let moved = |text: &str| moved(text.as_bytes().to_vec());
        assert_eq!(moved("a\0/usr/bin\0b"), Some(b"a\0.\0\0\0\0\0\0\0\0b".to_vec()));
        assert_eq!(moved("/usr/bin\0"), Some(b".\0\0\0\0\0\0\0\0".to_vec()));
        assert_eq!(moved("/usr/bin/x\0"), None);
        assert_eq!(moved("/usr/bin\0/usr/bin\0"), None);
    }
}
