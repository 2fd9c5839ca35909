//! Tests `.github/workflows`: every command parses for every row of a matrix, and downloads match uploads.
//!
//! The tests read lines, not YAML; actionlint checks the rest.

use std::collections::BTreeSet;
use std::fs;

use super::blocks;
use crate::arguments::Task;
use crate::cross::rows::{ROWS, Row};
use crate::workspace::Workspace;

const FILES: [&str; 3] = ["ci.yml", "nightly.yml", "release.yml"];

/// Returns the jobs of a workflow with their lines.
fn jobs(file: &str) -> Vec<(String, String)> {
    let path = Workspace::find().unwrap().root().join(".github/workflows").join(file);
    let text = fs::read_to_string(path).unwrap();
    let (_, text) = text.split_once("\njobs:\n").unwrap();
    let mut jobs: Vec<(String, String)> = Vec::new();
    for line in text.lines() {
        let name = line.strip_prefix("  ").and_then(|line| line.strip_suffix(':'));
        match name.filter(|name| !name.starts_with([' ', '#'])) {
            Some(name) => jobs.push((name.to_owned(), String::new())),
            None => jobs.last_mut().unwrap().1 += &format!("{line}\n"),
        }
    }
    jobs
}

/// Returns all values of a name in the matrix of a job: `name: [a, b]`, or `{ name: a, ... }` line by line.
fn matrix(job: &str, name: &str) -> Vec<String> {
    let mut values = Vec::new();
    let (_, job) = job.split_once("matrix:\n").unwrap_or_default();
    for line in job.lines().take_while(|line| !line.trim().starts_with("steps:")) {
        let Some((_, rest)) = line.split_once(&format!("{name}: ")) else { continue };
        let list = rest.strip_prefix('[').and_then(|rest| rest.split(']').next());
        let list = list.unwrap_or_else(|| rest.split([',', ' ']).next().unwrap());
        values.extend(list.split(',').map(|value| value.trim().trim_matches('"').to_owned()));
    }
    values
}

/// Returns a command once for every value of the matrix that it uses, with the tag of some release.
fn spelled_out(task: &str, job: &str) -> Vec<String> {
    let task = task.replace("${TAG:+--tag \"$TAG\"}", "--tag v1.2.3");
    let Some((before, rest)) = task.split_once("${{ matrix.") else { return vec![task] };
    let (name, after) = rest.split_once(" }}").unwrap();
    matrix(job, name).iter().map(|value| format!("{before}{value}{after}")).collect()
}

/// Returns the values of `key: ` in the steps that use an action.
fn fields<'a>(job: &'a str, action: &str, key: &str) -> Vec<&'a str> {
    let steps = job.split("\n      - ").filter(|step| step.contains(action));
    steps
        .filter_map(|step| step.lines().find_map(|line| line.trim().strip_prefix(&format!("{key}: "))))
        .collect()
}

#[test]
fn every_command_parses_for_every_row() {
    let mut count = 0;
    for (file, (name, job)) in
        FILES.iter().flat_map(|file| jobs(file).into_iter().map(move |job| (file, job)))
    {
        for task in blocks::tasks(&job).iter().flat_map(|task| spelled_out(task, &job)) {
            count += 1;
            match Task::of(&task).unwrap_or_else(|error| panic!("{file}, {name}: {error}")) {
                Task::Cross(cross) => {
                    let key = cross.target.unwrap();
                    let row = Row::of(&key).unwrap_or_else(|| panic!("{file}, {name}: no target {key}"));
                    assert!(
                        !cross.libraries || row.library().is_some(),
                        "{file}, {name}: no library for {key}"
                    );
                    assert!(!cross.tests || row.runner().is_some(), "{file}, {name}: nothing runs {key}");
                }
                Task::Mutants(mutants) => {
                    // cargo-mutants counts shards from 0.
                    let shard = mutants.shard.unwrap_or_else(|| "0/1".to_owned());
                    let (shard, of) = shard.split_once('/').unwrap();
                    assert!(shard.parse::<u32>().unwrap() < of.parse().unwrap(), "{file}, {name}: {task}");
                }
                _ => {}
            }
        }
    }
    assert!(count > 40, "{count} commands");
}

#[test]
fn all_shards_are_run() {
    let (_, job) = jobs("nightly.yml").into_iter().find(|(name, _)| name == "mutants").unwrap();
    let shards: BTreeSet<u32> = matrix(&job, "shard").iter().map(|shard| shard.parse().unwrap()).collect();
    assert_eq!(shards, (0..20).collect());
    assert!(job.contains("--shard ${{ matrix.shard }}/20"));
}

#[test]
fn packages_and_files_are_there() {
    let root = Workspace::find().unwrap().root();
    let folders = fs::read_dir(root.join("rust")).unwrap().map(|folder| folder.unwrap().path());
    let manifests: String = folders
        .chain([root.join("tests")])
        .filter_map(|folder| fs::read_to_string(folder.join("Cargo.toml")).ok())
        .collect();
    let mut packages = 0;
    for (_, job) in FILES.iter().flat_map(|file| jobs(file)) {
        for words in job.split("--package ").skip(1) {
            let package = words.split_whitespace().next().unwrap();
            // A loop of the shell goes over names that its own line has.
            if package.contains('$') {
                continue;
            }
            assert!(manifests.contains(&format!("name = \"{package}\"")), "no package {package}");
            packages += 1;
        }
        for script in job.split("run: .ci/").skip(1) {
            assert!(root.join(".ci").join(script.split_whitespace().next().unwrap()).is_file());
        }
    }
    assert!(packages > 0);
}

#[test]
fn every_library_of_a_release_is_built() {
    let (_, job) = jobs("release.yml").into_iter().find(|(name, _)| name == "library").unwrap();
    let built: BTreeSet<String> = matrix(&job, "key").into_iter().collect();
    let rows = ROWS.iter().filter(|row| row.library().is_some());
    assert_eq!(built, rows.map(|row| row.key.to_owned()).collect());
}

/// Tests that each download was uploaded under its name by a job that is waited for, and that both mean the
/// same folder.
#[test]
fn artefacts_go_from_job_to_job() {
    let jobs = jobs("release.yml");
    let mut uploads: Vec<(String, String)> = Vec::new();
    for (name, job) in &jobs {
        for kind in ["name", "pattern"] {
            for wanted in fields(job, "actions/download-artifact@", kind) {
                let stem = wanted.trim_end_matches('*');
                let from = uploads
                    .iter()
                    .find(|(artefact, _)| artefact == wanted || artefact.starts_with(stem) && stem != wanted);
                let (_, uploader) = from.unwrap_or_else(|| panic!("{name}: nobody uploads {wanted}"));
                assert!(
                    job.contains(&format!("    needs: {uploader}\n")),
                    "{name} does not wait for {uploader}"
                );
            }
        }
        for artefact in fields(job, "actions/upload-artifact@", "name") {
            uploads.push((artefact.to_owned(), name.clone()));
        }
    }
    assert_eq!(uploads.len(), 2);
    let job = |name: &str| jobs.iter().find(|(job, _)| job == name).map(|(_, job)| job.as_str()).unwrap();
    let folder = fields(job("archive"), "actions/download-artifact@", "path");
    assert_eq!(folder, ["addons/variant_stream/bin"]);
    assert_eq!(fields(job("library"), "actions/upload-artifact@", "path"), [format!("{}/*", folder[0])]);
    for file in ["target/dist/variant_stream-*.zip", "target/dist/variant_stream.cdx.json"] {
        assert!(job("archive").contains(&format!("            {file}\n")), "{file} is not kept");
    }
    assert!(job("publish").contains("attest-build-provenance@"));
    assert!(job("publish").contains("variant_stream-*.zip variant_stream.cdx.json SHA256SUMS"));
}

/// Tests that the workflows keep the folders in which the commands leave their reports and findings.
#[test]
fn what_is_kept_is_where_the_commands_put_it() {
    for file in ["ci.yml", "nightly.yml"] {
        for (name, job) in jobs(file) {
            for path in fields(&job, "actions/upload-artifact@", "path") {
                assert!(["reports/", "target/fuzz/artifacts/"].contains(&path), "{file}, {name}: {path}");
            }
        }
    }
}
