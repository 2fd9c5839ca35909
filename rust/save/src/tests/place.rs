//! Tests saves and backups on a disk in memory that fails, or is killed, at every single call.

use std::io;
use std::path::{Path, PathBuf};

use crate::tests::test_disk::{TestDisk, Trouble};
use crate::{
    ChoiceError, Disk, Draft, Head, Kind, OpenOptions, PlaceError, PlaceOutcome, PlacePlan, Placing, Refusal,
    SaveFault, SaveId, Search, Standing, backup_path, choose, open, remove, write,
};

fn generation(disk: &TestDisk, path: &Path) -> Option<u64> {
    let bytes = disk.get(path)?;
    open(&bytes, &OpenOptions::default()).ok().map(|opened| opened.head.generation)
}

/// Judges a file as a game does whose version is 3.
fn accept(bytes: &[u8], opening: &OpenOptions<'_>) -> Result<Standing, (SaveFault, Refusal)> {
    let head = open(bytes, opening).map_err(|fault| (fault.clone(), fault.kind.into()))?.head;
    let keeps_as = (head.version < 3).then(|| format!("v{}", head.version));
    Ok(Standing { head: Some(head), keeps_as })
}

fn place(
    disk: &impl Disk,
    path: &Path,
    bytes: &[u8],
    plan: &PlacePlan<'_>,
) -> Result<PlaceOutcome, PlaceError<SaveFault>> {
    place_under(disk, path, bytes, plan, &OpenOptions::default())
}

fn place_under(
    disk: &impl Disk,
    path: &Path,
    bytes: &[u8],
    plan: &PlacePlan<'_>,
    opening: &OpenOptions<'_>,
) -> Result<PlaceOutcome, PlaceError<SaveFault>> {
    Placing::begin(disk, path, plan, |_: &Path, bytes: Vec<u8>| accept(&bytes, opening))?.finish(bytes)
}

const SEARCH: Search = Search { backups: 2, most_file_bytes: 1 << 20, passes_refused: false };

const SLOT: &str = "slot1.save";

fn slot() -> &'static Path {
    Path::new(SLOT)
}

/// Makes a save that continues the one before it, a minute later.
fn next(parent: Option<&Head>) -> (Vec<u8>, Head) {
    let generation = parent.map_or(0, |parent| parent.generation + 1);
    let payload = [2, 0, 0, 0, generation as u8, 0, 0, 0];
    let id = Some(SaveId(u128::from(generation) + 1));
    let draft = Draft { parent, id, time_ms: generation as i64 * 60_000, version: 3, ..Draft::new(&payload) };
    let file = write(&draft).unwrap();
    let head = open(&file, &OpenOptions::default()).unwrap().head;
    (file, head)
}

/// Makes a disk on which `count` saves were placed one after another.
fn saved(count: u32, plan: &PlacePlan<'_>) -> (TestDisk, Head) {
    let disk = TestDisk::default();
    let mut parent = None;
    for _ in 0..count {
        let (file, head) = next(parent.as_ref());
        place(&disk, slot(), &file, plan).unwrap();
        parent = Some(head);
    }
    (disk, parent.unwrap())
}

fn generations(disk: &TestDisk, backups: u32) -> Vec<Option<u64>> {
    (0..=backups).map(|number| generation(disk, &backup_path(slot(), number))).collect()
}

#[test]
fn older_saves_become_backups() {
    let plan = PlacePlan { backups: 3, ..PlacePlan::default() };
    let (disk, _) = saved(6, &plan);
    assert_eq!(generations(&disk, 4), [Some(5), Some(4), Some(3), Some(2), None]);
    assert_eq!(disk.names(), ["slot1.save", "slot1.save.bak", "slot1.save.bak2", "slot1.save.bak3"]);
    let (disk, _) = saved(3, &PlacePlan { backups: 0, ..plan });
    assert_eq!(disk.names(), [SLOT]);
}

#[test]
fn a_hole_ends_the_shift() {
    let plan = PlacePlan { backups: 3, ..PlacePlan::default() };
    let (disk, head) = saved(6, &plan);
    disk.remove(&backup_path(slot(), 2)).unwrap();
    place(&disk, slot(), &next(Some(&head)).0, &plan).unwrap();
    assert_eq!(generations(&disk, 3), [Some(6), Some(5), Some(4), Some(2)]);
}

#[test]
fn frequent_saves_do_not_push_backups_out() {
    let plan = PlacePlan { backups: 2, backup_interval_ms: 5 * 60_000, ..PlacePlan::default() };
    let (disk, _) = saved(14, &plan);
    // A save a minute: every fifth becomes a backup.
    assert_eq!(generations(&disk, 2), [Some(13), Some(10), Some(5)]);
}

/// Tests row B5: a clock that was ahead for a while stops no backups.
#[test]
fn a_backup_from_the_future_counts_as_old() {
    for backup_interval_ms in [0, 5 * 60_000] {
        let plan = PlacePlan { backups: 2, backup_interval_ms, ..PlacePlan::default() };
        let (disk, head) = saved(2, &plan);
        let ahead = Draft { version: 3, time_ms: 1 << 50, ..Draft::new(&[0; 4]) };
        disk.put(&backup_path(slot(), 1), write(&ahead).unwrap());
        let placed = place(&disk, slot(), &next(Some(&head)).0, &plan).unwrap();
        assert_eq!(placed, PlaceOutcome::BackedUp, "interval {backup_interval_ms}");
        assert_eq!(generation(&disk, &backup_path(slot(), 1)), Some(1));
    }
}

/// Tests row B13: a backup counts where it loads; one that does not is replaced, and pushes none out.
#[test]
fn a_damaged_backup_is_none() {
    let plan = PlacePlan { backups: 3, ..PlacePlan::default() };
    for is_same in [false, true] {
        let (disk, head) = saved(4, &plan);
        let file = disk.get(if is_same { slot().to_owned() } else { backup_path(slot(), 1) }.as_path());
        let mut spoilt = file.unwrap().to_vec();
        let middle = spoilt.len() / 2;
        spoilt[middle] ^= 1;
        disk.put(&backup_path(slot(), 1), spoilt);
        assert_eq!(place(&disk, slot(), &next(Some(&head)).0, &plan).unwrap(), PlaceOutcome::BackedUp);
        assert_eq!(generations(&disk, 3), [Some(4), Some(3), Some(1), Some(0)], "{is_same}");
    }
}

/// Tests that a whole backup which the game refuses is progress as a save is: where the save itself is lost, a load would come
/// to it and be refused.
#[test]
fn a_refused_backup_locks_its_name() {
    let plan = PlacePlan { backups: 2, ..PlacePlan::default() };
    for lost in [None, Some(vec![]), Some(vec![7; 90])] {
        let (disk, head) = saved(3, &plan);
        let newer = || SaveFault::new(Kind::Newer, 0, "newer");
        match lost {
            Some(lost) => disk.put(slot(), lost),
            None => disk.remove(slot()).unwrap(),
        }
        let judged = |_: &Path, bytes: Vec<u8>| {
            accept(&bytes, &OpenOptions::default()).and_then(|_| Err((newer(), Refusal::Locked)))
        };
        let names = disk.names();
        let locked = Placing::begin(&disk, slot(), &plan, judged).err();
        assert!(matches!(locked, Some(PlaceError::Locked(..))), "{locked:?}");
        assert_eq!(disk.names(), names);
        place(&disk, slot(), &next(Some(&head)).0, &plan).unwrap();
    }
}

/// Tests row B6: the other files of a ring are its backups, and what must not be replaced is passed over.
#[test]
fn a_ring_orders_its_files() {
    let disk = TestDisk::default();
    let folder = Path::new("saves");
    let file = |number: u32| folder.join(format!("auto{number}.save"));
    let mut parent = None;
    for number in [2, 3, 1] {
        let (bytes, head) = next(parent.as_ref());
        disk.put(&file(number), bytes);
        parent = Some(head);
    }
    let order = |count| crate::ring(&disk, folder, "auto", count);
    assert_eq!(order(4).files, [file(4), file(2), file(3), file(1)]);
    assert_eq!(order(4).newest, parent);
    disk.put(&file(3), vec![7; 30]);
    assert_eq!(order(3).files, [file(3), file(2), file(1)], "a damaged front comes before whole files");
    let files = order(3).files;
    let plan = PlacePlan { backups: 0, others: Some(&files), ..PlacePlan::default() };
    assert_eq!(place(&disk, &files[0], &next(None).0, &plan).unwrap(), PlaceOutcome::SetAside);
    let alone = [file(9)];
    disk.put(&alone[0], vec![7; 30]);
    let plan = PlacePlan { others: Some(&alone), ..plan };
    assert!(matches!(place(&disk, &alone[0], &next(None).0, &plan), Err(PlaceError::Locked(..))));
}

/// Tests a failure of the disk, and the end of the process, at every call: the save is the old or the new
/// one, and no backup is lost but the one that would have been dropped.
#[test]
fn s1_s2_no_failure_loses_a_save() {
    let plan = PlacePlan { backups: 3, ..PlacePlan::default() };
    for is_killed in [false, true] {
        for calls in 0..40 {
            let (disk, head) = saved(5, &plan);
            disk.trouble_at(calls, if is_killed { Trouble::Kills } else { Trouble::Fails });
            let (file, new) = next(Some(&head));
            let placed = place(&disk, slot(), &file, &plan);
            disk.mend();
            let current = generation(&disk, slot()).expect("the name is there and whole");
            assert_eq!(placed.is_ok(), current == new.generation, "call {calls}");
            let mut left: Vec<u64> =
                disk.files.borrow().keys().filter_map(|path| generation(&disk, path)).collect();
            left.sort_unstable();
            left.dedup();
            assert!([4, 3, 2].iter().all(|kept| left.contains(kept)), "call {calls}: {left:?}");
            if !is_killed && placed.is_err() {
                assert!(
                    disk.names().iter().all(|name| !name.ends_with(".tmp")),
                    "call {calls}: {:?}",
                    disk.names()
                );
            }
            // The next save works, and is the newest; nothing but temporary files is left over.
            let (file, newer) = next(Some(&new));
            place(&disk, slot(), &file, &plan).unwrap_or_else(|error| panic!("call {calls}: {error}"));
            assert_eq!(generation(&disk, slot()), Some(newer.generation));
            assert!(generation(&disk, &backup_path(slot(), 1)).is_some_and(|backup| backup >= 4));
        }
    }
}

#[test]
fn s6_s7_damage_falls_back_and_is_set_aside() {
    let plan = PlacePlan { backups: 2, ..PlacePlan::default() };
    let (disk, head) = saved(4, &plan);
    let spoil = |path: &Path| {
        let mut bytes = disk.get(path).unwrap().to_vec();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        disk.put(path, bytes);
    };
    let load = || {
        choose(&disk, slot(), &SEARCH, |_, bytes| {
            open(&bytes, &OpenOptions::default()).map_err(|fault| (fault.clone(), fault.kind.into()))
        })
    };
    spoil(slot());
    let chosen = load().unwrap();
    assert_eq!((chosen.path, chosen.value.head.generation), (backup_path(slot(), 1), 2));
    assert_eq!((chosen.passed.len(), chosen.passed[0].1.kind), (1, Kind::Damaged));
    // The damaged file does not become a backup.
    let (file, new) = next(Some(&head));
    assert_eq!(place(&disk, slot(), &file, &plan).unwrap(), PlaceOutcome::SetAside);
    assert_eq!(generations(&disk, 2), [Some(new.generation), Some(2), Some(1)]);
    assert!(disk.names().contains(&"slot1.save.damaged".to_owned()));
    // Where no file is intact, none is overwritten unless the plan allows it.
    (0..=2).for_each(|number| spoil(&backup_path(slot(), number)));
    assert!(load().is_err());
    let locked = place(&disk, slot(), &file, &plan);
    assert!(matches!(locked, Err(PlaceError::Locked(fault, _)) if fault.kind == Kind::Damaged));
    let plan = PlacePlan { discards_damaged: true, ..plan };
    assert_eq!(place(&disk, slot(), &file, &plan).unwrap(), PlaceOutcome::SetAside);
}

#[test]
fn s6_what_is_not_damaged_is_not_passed_over() {
    let plan = PlacePlan { backups: 2, ..PlacePlan::default() };
    let (disk, _) = saved(3, &plan);
    let newer = || SaveFault::new(Kind::Newer, 0, "newer");
    let refused = choose(&disk, slot(), &SEARCH, |_, _| Err::<(), _>((newer(), Refusal::Locked)));
    assert!(matches!(refused, Err(ChoiceError::Refused { path, .. }) if path == slot()));
    // A file under another key is not overwritten.
    let key = crate::SaveKeys::key([1; 32]);
    let draft = Draft { protection: crate::Protection::Encrypted(&key), ..Draft::new(&[0; 4]) };
    disk.put(slot(), write(&draft).unwrap());
    let other = crate::SaveKeys::key([2; 32]);
    let opening = OpenOptions { keys: Some(&other), ..OpenOptions::default() };
    let locked = place_under(&disk, slot(), &next(None).0, &plan, &opening);
    assert!(matches!(locked, Err(PlaceError::Locked(fault, _)) if fault.kind == Kind::WrongKey));
}

#[test]
fn s12_an_older_version_is_kept_once() {
    let disk = TestDisk::default();
    let old = |version| write(&Draft { version, ..Draft::new(&[0; 4]) }).unwrap();
    let (first, second) = (old(2), old(2));
    for file in [&first, &second] {
        disk.put(slot(), file.clone());
        let (new, head) = next(None);
        place(&disk, slot(), &new, &PlacePlan::default()).unwrap();
        place(&disk, slot(), &next(Some(&head)).0, &PlacePlan::default()).unwrap();
    }
    assert_eq!(disk.get(Path::new("slot1.save.v2")).as_deref(), Some(&first));
    assert_eq!(disk.get(Path::new("slot1.save.v2-2")).as_deref(), Some(&second), "another one is lost");
    assert_eq!(disk.names(), [SLOT, "slot1.save.bak", "slot1.save.v2", "slot1.save.v2-2"]);
    // A file of another format that the game reads is kept like one.
    let disk = TestDisk::default();
    disk.put(slot(), b"GDEC and so on".to_vec());
    assert!(matches!(place(&disk, slot(), &first, &PlacePlan::default()), Err(PlaceError::Locked(..))));
    let known =
        |_: &Path, _| Ok::<_, (SaveFault, Refusal)>(Standing { head: None, keeps_as: Some("v2".to_owned()) });
    Placing::begin(&disk, slot(), &PlacePlan::default(), known).unwrap().finish(&first).unwrap();
    assert_eq!(disk.names(), [SLOT, "slot1.save.v2"]);
}

/// Tests two processes that find the same older version: both keep it, once.
#[test]
fn s12_s15_another_process_that_keeps_the_same_file_is_no_failure() {
    let disk = TestDisk::default();
    let old = write(&Draft { version: 2, ..Draft::new(&[0; 4]) }).unwrap();
    disk.put(slot(), old.clone());
    disk.race();
    place(&disk, slot(), &next(None).0, &PlacePlan::default()).unwrap();
    assert_eq!(disk.get(Path::new("slot1.save.v2")).as_deref(), Some(&old));
    assert_eq!(disk.names(), [SLOT, "slot1.save.bak", "slot1.save.v2"]);
}

#[test]
fn a_save_is_removed_with_its_backups() {
    let plan = PlacePlan { backups: 2, ..PlacePlan::default() };
    let (disk, _) = saved(4, &plan);
    disk.put(Path::new("slot1.save.v2-2"), vec![]);
    disk.put(Path::new("slot1.save.other"), vec![]);
    remove(&disk, slot()).unwrap();
    assert_eq!(disk.names(), ["slot1.save.other"]);
    assert_eq!(remove(&disk, slot()).unwrap_err().kind(), io::ErrorKind::NotFound);
}

#[test]
fn a_real_disk_does_the_same() {
    let folder = std::env::temp_dir().join(format!("variant-save-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(SLOT);
    let mut parent = None;
    for _ in 0..4 {
        let (file, head) = next(parent.as_ref());
        place(&crate::RealDisk, &path, &file, &PlacePlan { backups: 2, ..PlacePlan::default() }).unwrap();
        parent = Some(head);
    }
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 3);
    let chosen = choose(&crate::RealDisk, &path, &SEARCH, |_, bytes| {
        open(&bytes, &OpenOptions::default()).map_err(|fault| (fault, Refusal::Rule))
    });
    assert_eq!(chosen.unwrap().value.head.generation, 3);
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Tests a failure, and the end of the process, at every call of saves that keep an older version or set a damaged file
/// aside.
#[test]
fn s1_s2_s12_no_failure_loses_what_is_kept() {
    let keeps = PlacePlan { backups: 2, ..PlacePlan::default() };
    for (is_damaged, is_killed, calls) in [false, true].into_iter().flat_map(|damaged| {
        [false, true].into_iter().flat_map(move |killed| (0..40).map(move |calls| (damaged, killed, calls)))
    }) {
        let (disk, head) = saved(4, &PlacePlan { backups: 2, ..PlacePlan::default() });
        let (id, time_ms) = (Some(head.id), head.time_ms);
        let mut old = write(&Draft { version: 2, id, time_ms, ..Draft::new(&[0; 4]) }).unwrap();
        if is_damaged {
            old[80] ^= 1;
        }
        disk.put(slot(), old);
        let old = disk.get(slot()).unwrap();
        disk.trouble_at(calls, if is_killed { Trouble::Kills } else { Trouble::Fails });
        let placed = place(&disk, slot(), &next(Some(&head)).0, &keeps);
        disk.mend();
        let kept = if is_damaged { "slot1.save.damaged" } else { "slot1.save.v2" };
        let current = disk.get(slot()).expect("the name is always there");
        assert!(placed.is_ok() || current == old, "call {calls}");
        if placed.is_ok() || current != old {
            assert_eq!(disk.get(Path::new(kept)).as_ref(), Some(&old), "call {calls}");
        }
        let backups: Vec<u64> =
            disk.files.borrow().keys().filter_map(|path| generation(&disk, path)).collect();
        assert!(backups.contains(&2), "call {calls}: {backups:?}");
        place(&disk, slot(), &next(Some(&head)).0, &keeps)
            .unwrap_or_else(|error| panic!("call {calls}: {error}"));
        assert_eq!(disk.get(Path::new(kept)).as_ref(), Some(&old), "call {calls}, after the next save");
    }
}

/// Makes an empty folder for a test on the real disk.
fn real_folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("variant-save-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn s1_what_dead_writers_left_behind_is_removed() {
    let folder = real_folder("leftovers");
    let path = folder.join(SLOT);
    for leftover in ["slot1.save.4711-0.tmp", "slot1.save.4711-0.tmp.bak"] {
        std::fs::write(folder.join(leftover), b"half of it").unwrap();
    }
    std::fs::write(folder.join("slot2.save.4711-0.tmp"), b"of another save").unwrap();
    place(&crate::RealDisk, &path, &next(None).0, &PlacePlan::default()).unwrap();
    let mut names: Vec<_> =
        std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["slot1.save", "slot2.save.4711-0.tmp"]);
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Tests a backup that is a link to the file already, as after a kill between both: a rename then changes nothing.
#[cfg(unix)]
#[test]
fn s1_a_backup_that_is_there_already_leaves_nothing_behind() {
    let folder = real_folder("linked");
    let path = folder.join(SLOT);
    std::fs::write(&path, b"old").unwrap();
    std::fs::hard_link(&path, backup_path(&path, 1)).unwrap();
    let mut new = crate::Replacement::begin(&path).unwrap();
    new.append(b"new").unwrap();
    new.finish(crate::OldFile::Keep).unwrap();
    assert_eq!(std::fs::read(backup_path(&path, 1)).unwrap(), b"old");
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 2);
    std::fs::remove_dir_all(&folder).unwrap();
}

/// The variable that makes a process of this test one of the two writers: its id.
const WRITER: &str = "VARIANT_SAVE_WRITER";
/// The variable that names the file to both.
const WRITTEN: &str = "VARIANT_SAVE_WRITTEN";

fn file_of_writer(id: u128) -> Vec<u8> {
    write(&Draft { id: Some(SaveId(id)), time_ms: 1, ..Draft::new(&[0; 4]) }).unwrap()
}

/// Tests two processes that save one name at a time: at every moment the file is one of both, whole.
#[test]
fn s15_two_processes_leave_one_of_both() {
    let rounds = if std::env::var_os("VARIANT_LONG").is_some() { 1000 } else { 50 };
    let plan = PlacePlan { backups: 2, ..PlacePlan::default() };
    if let (Ok(id), Some(path)) = (std::env::var(WRITER), std::env::var_os(WRITTEN)) {
        let file = file_of_writer(id.parse().unwrap());
        let placed: Vec<_> =
            (0..rounds).map(|_| place(&crate::RealDisk, Path::new(&path), &file, &plan)).collect();
        for refused in placed.iter().filter_map(|placed| placed.as_ref().err()) {
            assert!(matches!(refused, PlaceError::Busy), "{refused}");
        }
        assert!(placed.iter().any(Result::is_ok));
        return;
    }
    let folder = real_folder("processes");
    let path = folder.join(SLOT);
    let files = [1, 2].map(file_of_writer);
    std::fs::write(&path, &files[0]).unwrap();
    let mut writers = ["1", "2"].map(|id| {
        let mut writer = std::process::Command::new(std::env::current_exe().unwrap());
        writer
            .args(["s15_two_processes_leave_one_of_both", "--nocapture"])
            .env(WRITER, id)
            .env(WRITTEN, &path);
        writer.stdout(std::process::Stdio::null()).spawn().unwrap()
    });
    let mut met = [false; 2];
    loop {
        let are_done = writers.iter_mut().all(|writer| writer.try_wait().unwrap().is_some());
        let file = std::fs::read(&path).unwrap();
        let at = files.iter().position(|of| *of == file).expect("the file is neither of both");
        met[at] = true;
        if are_done {
            break;
        }
    }
    assert!(writers.iter_mut().all(|writer| writer.wait().unwrap().success()));
    assert!(met[1], "the second process wrote nothing");
    let left = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name());
    let left: Vec<_> = left.filter(|name| name.to_string_lossy().contains(".tmp")).collect();
    assert!(left.is_empty(), "{left:?}");
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Tests writers that save one name at a time: after each round the file is one of both, whole.
#[test]
fn s15_two_writers_leave_one_of_both() {
    let folder = real_folder("race");
    let path = folder.join(SLOT);
    let rounds = if std::env::var_os("VARIANT_LONG").is_some() { 1000 } else { 50 };
    let plan = PlacePlan { backups: 2, ..PlacePlan::default() };
    let files: Vec<Vec<u8>> =
        (0..2).map(|id| write(&Draft { id: Some(SaveId(id)), ..Draft::new(&[0; 4]) }).unwrap()).collect();
    for round in 0..rounds {
        let placed: Vec<bool> = std::thread::scope(|scope| {
            let threads: Vec<_> = files
                .iter()
                .map(|file| scope.spawn(|| place(&crate::RealDisk, &path, file, &plan).is_ok()))
                .collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(placed.contains(&true), "round {round}");
        let file = std::fs::read(&path).unwrap();
        assert!(files.contains(&file), "round {round}");
    }
    let left = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name());
    let left: Vec<_> = left.filter(|name| name.to_string_lossy().contains(".tmp")).collect();
    assert!(left.is_empty(), "{left:?}");
    std::fs::remove_dir_all(&folder).unwrap();
}
