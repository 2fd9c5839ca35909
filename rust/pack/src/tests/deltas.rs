//! Tests differences: that they give exactly the new value, how small they are, and that a wrong base is found.

use super::samples::*;
use super::*;
use crate::Tagging;

/// The delta of two values, checked both ways.
fn delta(layout: &Layout, base: &Value, new: &Value) -> Vec<u8> {
    let (base, new) = (pack(layout, base).unwrap(), pack(layout, new).unwrap());
    let mut packer = Packer::new();
    let delta = packer.delta(layout, &base, &new, &rules()).unwrap().to_vec();
    assert_eq!(packer.apply(layout, &base, &delta, &rules()).map(<[u8]>::to_vec).as_ref(), Ok(&new));
    delta
}

fn moved(crowd: &[Entity], random: &mut Random) -> Vec<Entity> {
    let mut crowd = crowd.to_vec();
    for entity in crowd.iter_mut().step_by(2) {
        for (pos, vel) in entity.pos.iter_mut().zip(entity.vel) {
            *pos = (*pos + vel * 0.15).clamp(-60.0, 60.0);
        }
        entity.vel = entity.vel.map(|n| (n + random.within(-1.0, 1.0)).clamp(-20.0, 20.0));
        entity.rot = entity.rot.map(|n| n + random.within(-0.05, 0.05));
    }
    crowd
}

#[test]
fn deltas_are_as_small_as_documents_say() {
    let mut random = Random(5);
    let layout = layout(&entities(true));
    let base: Vec<Entity> = crowd(&mut random)
        .into_iter()
        .map(|mut entity| {
            entity.pos = entity.pos.map(|n| n.clamp(-60.0, 60.0));
            entity.vel = entity.vel.map(|n| n / 4.0);
            entity
        })
        .collect();
    let same = delta(&layout, &state(5, &base), &state(5, &base));
    assert_eq!(same, [0]);
    let tick = delta(&layout, &state(5, &base), &state(8, &base));
    assert!(tick.len() <= 3, "{}", tick.len());
    let real = delta(&layout, &state(5, &base), &state(8, &moved(&base, &mut random)));
    println!("a real tick: {}", real.len());
    assert!(real.len() <= 232, "{}", real.len());
    let mut few = base.clone();
    for at in 0..5 {
        few[at * 10] = moved(&base[at * 10..], &mut random)[0].clone();
    }
    let few = delta(&layout, &state(5, &base), &state(8, &few));
    println!("a tenth of them: {}", few.len());
    assert!(few.len() <= 70, "{}", few.len());
}

#[test]
fn sets_lose_and_gain_entries() {
    let mut random = Random(6);
    let layout = layout(&entities(true));
    for _ in 0..40 {
        let base = crowd(&mut random);
        let mut new = moved(&base, &mut random);
        for _ in 0..random.below(5) {
            let at = random.below(new.len() as u64) as usize;
            new.remove(at);
        }
        for id in 0..random.below(5) as i64 {
            new.push(Entity::random(3000 + id, &mut random));
        }
        delta(&layout, &state(1, &base), &state(2, &new));
        delta(&layout, &state(1, &[]), &state(2, &new));
        delta(&layout, &state(1, &base), &state(2, &[]));
    }
}

/// The second trap: most deltas on a wrong base decode to a valid, wrong value. The tag tells.
#[test]
fn a_wrong_base_is_found() {
    let mut random = Random(8);
    let layout = layout(&entities(true));
    let states: Vec<Value> = (0..20).map(|tick| state(tick, &crowd(&mut random)[..5])).collect();
    let (mut silent, mut found) = (0, 0);
    for (base, new) in states.iter().zip(&states[1..]) {
        let new = new.encode().unwrap();
        let mut packer = Packer::tagged(Tagging::Short);
        let base = packer.pack(&layout, &base.encode().unwrap(), &rules()).unwrap().to_vec();
        let delta = packer.pack_delta(&layout, &base, &new, &rules()).unwrap().to_vec();
        for other in &states {
            let other = packer.pack(&layout, &other.encode().unwrap(), &rules()).unwrap().to_vec();
            let applied = packer.apply(&layout, &other, &delta, &rules()).map(<[u8]>::to_vec);
            if other == base {
                assert!(applied.is_ok());
                continue;
            }
            let problem = applied.unwrap_err();
            assert_eq!(problem.kind.name(), "BASELINE_MISMATCH", "{problem}");
            found += 1;
            let bare = Packer::new().apply(&layout, &other[2..], &delta[4..], &rules()).map(<[u8]>::to_vec);
            silent += usize::from(bare.is_ok());
        }
    }
    assert!(silent * 5 > found, "the tag is worth something: {silent} of {found}");
}

/// Chained deltas with losses: the receiver's bytes are the sender's, for each that it takes.
#[test]
fn nothing_drifts() {
    let mut random = Random(9);
    let layout = layout(&entities(true));
    let mut crowd = crowd(&mut random)[..8].to_vec();
    let mut packer = Packer::new();
    let mut acknowledged = pack(&layout, &state(0, &crowd)).unwrap();
    for tick in 1..1500 {
        crowd = moved(&crowd, &mut random);
        let new = pack(&layout, &state(tick, &crowd)).unwrap();
        let delta = packer.delta(&layout, &acknowledged, &new, &rules()).unwrap().to_vec();
        if random.below(5) > 0 {
            let got = packer.apply(&layout, &acknowledged, &delta, &rules()).unwrap().to_vec();
            assert_eq!(got, new);
            acknowledged = got;
        }
    }
}

#[test]
fn changed_deltas_make_nothing_that_is_not_allowed() {
    let mut random = Random(10);
    for (schema, base, new) in [
        (entities(true), state(1, &crowd(&mut random)[..6]), state(2, &crowd(&mut random)[..7])),
        (inventory(), inventory_value(&mut random), inventory_value(&mut random)),
        (chat(), chat_value(), chat_value()),
        (a_move(true), move_value(), move_value()),
    ] {
        let layout = layout(&schema);
        let base = pack(&layout, &base).unwrap();
        let new = pack(&layout, &new).unwrap();
        let mut packer = Packer::new();
        let delta = packer.delta(&layout, &base, &new, &rules()).unwrap().to_vec();
        for _ in 0..3000 {
            let mut bytes = delta.clone();
            for _ in 0..=random.below(4) {
                let at = random.below(bytes.len() as u64) as usize;
                bytes[at] ^= 1 << random.below(8);
            }
            if let Ok(made) = packer.apply(&layout, &base, &bytes, &rules()).map(<[u8]>::to_vec) {
                assert!(unpack(&layout, &made).is_ok());
            }
        }
    }
}

#[test]
fn distances_reach_every_code() {
    for width in [1, 4, 5, 7, 15, 16, 32, 63, 64] {
        let last = u64::MAX >> (64 - width);
        let mut random = Random(u64::from(width) + 1);
        for round in 0..4000 {
            let base = random.below(u64::MAX) & last;
            let code = match round % 4 {
                0 => base,
                1 => base.wrapping_add(random.below(9)).wrapping_sub(4) & last,
                2 => [0, last][round / 4 % 2],
                _ => random.below(u64::MAX) & last,
            };
            let mut bits = crate::bits::BitWriter::default();
            crate::differ::write_relative(code, base, width, &mut bits);
            let bytes = bits.finish().to_vec();
            let read = crate::apply::read_relative(base, width, &mut crate::bits::BitReader::new(&bytes, 0));
            assert_eq!(read, Ok(code), "{code} from {base} in {width} bits");
        }
    }
}
