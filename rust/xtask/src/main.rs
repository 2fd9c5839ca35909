//! Runs the project's own commands, `cargo xtask <command>`.
//!
//! They start cargo and Godot and judge the results; nothing here knows the Variant format.

mod actionlint;
mod arguments;
mod asan;
mod bench;
mod build;
mod check;
mod conformance;
mod coverage;
mod cross;
mod deny;
mod dist;
mod double;
mod foreign;
mod fuzz;
mod golden;
mod instructions;
mod map;
mod mutants;
mod packages;
mod release_run;
mod screenshots;
mod self_check;
mod shown;
mod tally;
mod test;
mod tidy;
mod web;

use std::process::ExitCode;

use anyhow::Result;
use xtask_engine::{child, engine, files, flags, workspace};

use arguments::{Arguments, Task, USAGE};
use workspace::Workspace;

fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            // 1 says that something was compared and differs; here nothing could be compared.
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<ExitCode> {
    let arguments = Arguments::parse()?;
    let workspace = Workspace::find()?;
    match arguments.task {
        Task::Help => println!("{USAGE}"),
        Task::Engine => println!("{}", found_engine(&workspace, &arguments)?.display()),
        Task::Build => println!("{}", build::run(&workspace, arguments.profile())?.display()),
        Task::Conformance => return conformance::run(&workspace, &arguments),
        Task::Test => return test::run(&workspace, &arguments),
        Task::Check => return check::run(&workspace, &arguments),
        Task::Map => return map::run(&workspace, &arguments),
        Task::Packages => return packages::run(&workspace),
        Task::Fresh => return packages::run_fresh(&workspace),
        Task::Tidy => return tidy::run(&workspace, arguments.count),
        Task::Fuzz => return fuzz::run(&workspace, &arguments),
        Task::Coverage => return coverage::run(&workspace),
        Task::Asan => return asan::run(&workspace, &arguments),
        Task::Mutants => return mutants::run(&workspace, &arguments),
        Task::ReleaseRun => return release_run::run(&workspace, &arguments),
        Task::Instructions => return instructions::run(&workspace),
        Task::Bench => return bench::run(&workspace, &arguments),
        Task::Cross => return cross::run(&workspace, &arguments),
        Task::Dist => return dist::run(&workspace, &arguments),
        Task::Double => return double::run(&workspace, &arguments),
        Task::PageRun => return web::page_run(&workspace, &arguments),
        Task::Foreign => return foreign::run(&workspace, &arguments),
        Task::Actionlint if !actionlint::run(&workspace)? => return Ok(ExitCode::FAILURE),
        Task::Actionlint => {}
        Task::Deny => return deny::run(&workspace, &arguments),
        Task::Notices if !dist::notices::run(&workspace)? => return Ok(ExitCode::FAILURE),
        Task::Notices => {}
        Task::Screenshots => return screenshots::run(&workspace, &arguments),
        Task::Golden if arguments.godot3 => return golden::run_godot_3(&workspace),
        Task::Golden => return golden::run(&workspace, arguments.godot.as_deref()),
    }
    Ok(ExitCode::SUCCESS)
}

/// Finds the engine that the options of `cargo xtask engine` ask for.
fn found_engine(workspace: &Workspace, arguments: &Arguments) -> Result<std::path::PathBuf> {
    let named = arguments.godot.as_deref();
    if arguments.godot3 {
        engine::godot_3::find(workspace, named)
    } else if arguments.release_template {
        engine::release_template::find(workspace, named).map(|template| template.executable)
    } else {
        engine::find(workspace, named)
    }
}
