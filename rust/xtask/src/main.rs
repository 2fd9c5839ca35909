//! Runs the project's own commands, `cargo xtask <command>`.
//!
//! They start cargo and Godot and judge the results; nothing here knows the Variant format.

mod actionlint;
mod arguments;
mod asan;
mod bench;
mod build;
mod check;
mod child;
mod conformance;
mod coverage;
mod cross;
mod deny;
mod dist;
mod engine;
mod files;
mod flags;
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
mod workspace;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;

use arguments::{Engine, Task};
use engine::release_template;
use tally::ended;
use workspace::Workspace;

fn main() -> ExitCode {
    let task = Task::parse();
    Workspace::find().and_then(|workspace| run(&workspace, task)).unwrap_or_else(|error| {
        eprintln!("xtask: {error:#}");
        // 1 says that something was compared and differs; here nothing could be compared.
        ExitCode::from(2)
    })
}

fn run(workspace: &Workspace, task: Task) -> Result<ExitCode> {
    let told = |path: PathBuf| {
        println!("{}", path.display());
        Ok(ExitCode::SUCCESS)
    };
    match task {
        Task::Engine { godot, godot3, release_template } => told(match godot.as_deref() {
            named if godot3 => engine::find_godot_3(workspace, named)?,
            named if release_template => release_template::find(workspace, named)?.executable,
            named => engine::find(workspace, named)?,
        }),
        Task::Build { debug } => told(build::run(workspace, debug.into())?),
        Task::Conformance(options) => conformance::run(workspace, &options),
        Task::Test(options) => test::run(workspace, &options),
        Task::Check { long, godot } => check::run(workspace, long, godot),
        Task::Map { folder } => map::run(workspace, folder.as_deref()),
        Task::Packages => packages::test(workspace)?.close(),
        Task::Fresh => packages::fresh(workspace)?.close(),
        Task::Tidy { count } => tidy::run(workspace, count),
        Task::Fuzz(options) => fuzz::run(workspace, &options),
        Task::Coverage => coverage::run(workspace),
        Task::Asan(Engine { godot }) => asan::run(workspace, godot.as_deref()),
        Task::Mutants(options) => mutants::run(workspace, &options),
        Task::ReleaseRun { script, godot, words } => {
            release_run::run(workspace, &script, godot.as_deref(), &words)
        }
        Task::Instructions => instructions::run(workspace),
        Task::Bench(options) => Ok(ExitCode::from(bench::run(workspace, &options)?)),
        Task::Cross(options) => cross::run(workspace, &options),
        Task::Dist(options) => dist::run(workspace, &options),
        Task::Double(compare) => foreign::run(workspace, &foreign::double(compare)),
        Task::PageRun { folder, script, words } => web::page_run(workspace, &folder, &script, &words),
        Task::Foreign(options) => foreign::run(workspace, &options),
        Task::Actionlint => ended(actionlint::lint(workspace)?.success()),
        Task::Deny { long } => ended(deny::run(workspace, long)?),
        Task::Notices => ended(dist::notices::run(workspace)?),
        Task::Screenshots(Engine { godot }) => screenshots::run(workspace, godot.as_deref()),
        Task::Golden { godot3: true, .. } => golden::run_godot_3(workspace),
        Task::Golden { godot, .. } => golden::run(workspace, godot.as_deref()),
    }
}
