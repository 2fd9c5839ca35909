//! Cuts the power at every call of a save, an automatic save, a recovery, a removal and a writer, with every subset of what was
//! not synced lost: the state before, or the one that was being written, is loaded afterwards.

use std::path::{Path, PathBuf};

use crate::replace::{OldFile, put_over};
use crate::tests::test_disk::{TestDisk, Trouble};
use crate::{
    Disk, Draft, Head, OpenOptions, PlacePlan, Placing, Refusal, SaveFault, SaveId, Search, Standing,
    Verdict, backup_path, choose, judge, move_to, open, recover, remove, ring, write,
};

const SLOT: &str = "slot.save";

/// Makes the save of a number, of version 1 or 2 of a game.
fn file(number: u64, version: u32, parent: Option<&Head>) -> Vec<u8> {
    let payload = [&27_u32.to_le_bytes()[..], &number.to_le_bytes()].concat();
    let id = Some(SaveId(number.into()));
    write(&Draft { id, version, parent, time_ms: number as i64, ..Draft::new(&payload) }).unwrap()
}

/// Judges a file as version 2 of the game does.
fn accept(bytes: &[u8]) -> Result<(Standing, u64), (SaveFault, Refusal)> {
    let opened = open(bytes, &OpenOptions::default()).map_err(|fault| (fault.clone(), fault.kind.into()))?;
    let number = u64::from_le_bytes(opened.payload[4..12].try_into().unwrap());
    let keeps_as = (opened.head.version < 2).then(|| "v1".to_owned());
    Ok((Standing { head: Some(opened.head), keeps_as }, number))
}

fn save(disk: &TestDisk, path: &Path, number: u64, plan: &PlacePlan<'_>, parent: Option<&Head>) {
    let judged = |_: &Path, bytes: Vec<u8>| accept(&bytes).map(|(standing, _)| standing);
    if let Ok(placing) = Placing::begin(disk, path, plan, judged) {
        let bytes = file(number, 2, parent.or(placing.parent()));
        let _ = placing.finish(&bytes);
    }
}

/// Loads a name, and returns the number of the state.
fn loaded(disk: &TestDisk, path: &Path) -> Option<u64> {
    let search = Search { backups: 4, most_file_bytes: 1 << 20, passes_refused: false };
    choose(disk, path, &search, |_, bytes| accept(&bytes)).ok().map(|chosen| chosen.value.1)
}

/// Cuts the power behind each call, with each subset of the changes that were not synced, and calls `check` with the disk
/// that is left and whether the call was done. Returns the number of cuts.
fn cut_everywhere(before: &TestDisk, call: impl Fn(&TestDisk), check: impl Fn(&TestDisk, bool)) -> usize {
    let mut cuts = 0;
    for calls in 0..60 {
        let cut = before.copy();
        cut.trouble_at(calls, Trouble::Kills);
        call(&cut);
        let is_done = !cut.mend();
        let unsynced = cut.unsynced();
        assert!(unsynced < 14, "{unsynced} changes were not synced");
        for stays in 0..1_u64 << unsynced {
            let left = cut.copy();
            left.cut_power(stays);
            check(&left, is_done);
            cuts += 1;
        }
        if is_done {
            return cuts;
        }
    }
    panic!("the call does not end");
}

/// Makes a disk with so many saves under a name, all of them synced.
fn disk_of(count: u64, version: u32, plan: &PlacePlan<'_>) -> TestDisk {
    let disk = TestDisk::default();
    for number in 0..count {
        save(&disk, Path::new(SLOT), number, plan, None);
    }
    if version == 1 {
        disk.put(Path::new(SLOT), file(count - 1, 1, None));
    }
    disk.flush();
    disk
}

fn plan(backups: u32, backup_interval_ms: i64) -> PlacePlan<'static> {
    PlacePlan { backups, backup_interval_ms, ..PlacePlan::default() }
}

#[test]
fn a_save_that_is_cut_off_is_the_old_one_or_the_new_one() {
    let slot = Path::new(SLOT);
    let mut cuts = 0;
    for (backups, interval, count, version) in
        [(0, 0, 2, 2), (1, 0, 1, 2), (1, 0, 3, 2), (3, 0, 6, 2), (3, 3, 6, 2), (2, 0, 3, 1), (1, 0, 0, 2)]
    {
        let plan = plan(backups, interval);
        let before = disk_of(count, version, &plan);
        let old = count.checked_sub(1);
        cuts += cut_everywhere(
            &before,
            |disk| save(disk, slot, 99, &plan, None),
            |disk, is_done| {
                let got = loaded(disk, slot);
                assert!(got == Some(99) || got == old && !is_done, "{got:?}, done: {is_done}");
                if is_done && version == 1 {
                    assert!(disk.get(Path::new("slot.save.v1")).is_some(), "the older version is lost");
                }
                // The next save works, too.
                save(disk, slot, 100, &plan, None);
                assert_eq!(loaded(disk, slot), Some(100));
            },
        );
    }
    assert!(cuts > 300, "{cuts} cuts");
}

#[test]
fn a_damaged_file_is_set_aside_or_there() {
    let slot = Path::new(SLOT);
    let plan = plan(2, 0);
    let before = disk_of(3, 2, &plan);
    let mut damaged = before.get(slot).unwrap().to_vec();
    damaged[80] ^= 1;
    before.put(slot, damaged.clone());
    cut_everywhere(
        &before,
        |disk| save(disk, slot, 99, &plan, None),
        |disk, is_done| {
            let got = loaded(disk, slot);
            assert!(got == Some(99) || got == Some(1) && !is_done, "{got:?}, done: {is_done}");
            let is_there = disk.files.borrow().values().any(|file| **file == damaged);
            assert!(is_there || got == Some(99), "the damaged file is lost");
            let _ = is_done;
        },
    );
}

#[test]
fn a_ring_that_is_cut_off_keeps_its_newest() {
    let disk = TestDisk::default();
    let folder = Path::new("auto");
    let save_auto = |disk: &TestDisk, number: u64| {
        let found = ring(disk, folder, "auto", 3);
        let plan = PlacePlan { backups: 0, others: Some(&found.files), ..PlacePlan::default() };
        save(disk, &found.files[0], number, &plan, found.newest.as_ref());
    };
    for number in 0..4 {
        save_auto(&disk, number);
    }
    let newest = |disk: &TestDisk| -> Option<u64> {
        (1..=3).filter_map(|at| loaded(disk, &folder.join(format!("auto{at}.save")))).max()
    };
    cut_everywhere(
        &disk,
        |disk| save_auto(disk, 99),
        |disk, is_done| {
            let got = newest(disk);
            assert!(got == Some(99) || got == Some(3) && !is_done, "{got:?}, done: {is_done}");
        },
    );
}

#[test]
fn a_removal_that_is_cut_off_brings_no_older_save_back() {
    let slot = Path::new(SLOT);
    let before = disk_of(5, 2, &plan(3, 0));
    cut_everywhere(
        &before,
        |disk| drop(remove(disk, slot)),
        |disk, is_done| {
            let got = loaded(disk, slot);
            assert!(got.is_none() || got == Some(4) && !is_done, "{got:?}, done: {is_done}");
        },
    );
}

#[test]
fn a_move_that_is_cut_off_leaves_everything_under_a_name() {
    let (slot, other) = (Path::new(SLOT), Path::new("other.save"));
    let before = disk_of(5, 2, &plan(3, 0));
    cut_everywhere(
        &before,
        |disk| drop(move_to(disk, slot, other)),
        |disk, is_done| {
            let got = [slot, other].map(|path| loaded(disk, path));
            assert!(got.contains(&Some(4)), "{got:?}");
            assert!(!is_done || got == [None, Some(4)], "{got:?}");
        },
    );
}

#[test]
fn a_recovery_changes_nothing() {
    let before = disk_of(2, 2, &plan(1, 0));
    cut_everywhere(
        &before,
        |disk| {
            let verdict = judge(disk, Path::new(SLOT), 1 << 20, |_, bytes| {
                recover(&bytes, &OpenOptions::default()).map_err(|fault| (fault.clone(), fault.kind.into()))
            });
            assert!(!matches!(verdict, Verdict::Missing));
        },
        |disk, _| assert_eq!(*disk.files.borrow(), *before.files.borrow()),
    );
}

#[test]
fn a_writer_that_is_cut_off_leaves_the_old_file_or_the_new_one() {
    let target = Path::new("file.bin");
    let write_file = |disk: &TestDisk, bytes: &[u8]| {
        let Ok(((), temporary)) = disk.create_beside(target, bytes) else { return };
        let old = disk.get(target).map_or(OldFile::Drop, |_| OldFile::Keep);
        if put_over(disk, &temporary, target, old).is_err() {
            let _ = disk.remove(&temporary);
        }
    };
    let disk = TestDisk::default();
    write_file(&disk, b"first");
    write_file(&disk, b"old");
    cut_everywhere(
        &disk,
        |disk| write_file(disk, b"new"),
        |disk, is_done| {
            let got = disk.get(target).map(|file| file.to_vec());
            assert!(
                got.as_deref() == Some(b"new") || got.as_deref() == Some(b"old") && !is_done,
                "{got:?}, done: {is_done}"
            );
            if is_done {
                assert_eq!(disk.get(&PathBuf::from("file.bin.bak")).as_deref(), Some(&b"old".to_vec()));
            }
        },
    );
    assert_eq!(backup_path(target, 1), PathBuf::from("file.bin.bak"));
}
