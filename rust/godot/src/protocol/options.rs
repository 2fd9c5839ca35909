//! Reads the Dictionaries that scripts describe messages and policies with. A key that nobody defined is a mistake,
//! so that a typing error is not silently a default. Errors are sentences about the first that is wrong.

use std::ops::RangeInclusive;
use std::time::Duration;

use godot::builtin::{AnyDictionary, VarDictionary, Variant, VariantType};
use godot::meta::ToGodot;
use variant_protocol::{Declared, History, Mode, Offence, Policy, Rate, Sender};

/// Holds the options of a call while they are read.
pub(crate) struct Options<'d> {
    options: &'d AnyDictionary,
    known: &'static [&'static str],
}

impl<'d> Options<'d> {
    /// Begins to read options of these names.
    pub(crate) fn new(
        options: &'d AnyDictionary,
        known: &'static [&'static str],
    ) -> Result<Options<'d>, String> {
        for key in options.keys_array().iter_shared() {
            let name = key_text(&key)?;
            if !known.contains(&name.as_str()) {
                return Err(format!("{name:?} is not an option; the options are {}", known.join(", ")));
            }
        }
        Ok(Options { options, known })
    }

    fn get(&self, name: &str) -> Option<Variant> {
        debug_assert!(self.known.contains(&name), "{name}");
        self.options.get(name).filter(|value| !value.is_nil())
    }

    /// Reads a number that is not negative.
    pub(crate) fn number(&self, name: &str) -> Result<Option<f64>, String> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let number = match value.get_type() {
            VariantType::INT | VariantType::FLOAT => value.try_to_relaxed::<f64>().ok(),
            _ => None,
        };
        match number {
            Some(number) if number.is_finite() && number >= 0.0 => Ok(Some(number)),
            _ => Err(format!("{name} is {value}; expected a number that is not negative")),
        }
    }

    /// Reads a whole number between two bounds.
    pub(crate) fn whole<T: TryFrom<i64>>(
        &self,
        name: &str,
        range: RangeInclusive<i64>,
    ) -> Result<Option<T>, String> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let number = (value.get_type() == VariantType::INT).then(|| value.to::<i64>());
        number
            .filter(|number| range.contains(number))
            .and_then(|number| T::try_from(number).ok())
            .map(Some)
            .ok_or_else(|| {
                format!("{name} is {value}; expected an int from {} to {}", range.start(), range.end())
            })
    }

    pub(crate) fn flag(&self, name: &str) -> Result<Option<bool>, String> {
        match self.get(name) {
            None => Ok(None),
            Some(value) if value.get_type() == VariantType::BOOL => Ok(Some(value.to())),
            Some(value) => Err(format!("{name} is {value}; expected a bool")),
        }
    }

    pub(crate) fn name(&self, name: &str, names: &[&'static str]) -> Result<Option<&'static str>, String> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let given = value.stringify().to_string();
        let found = names.iter().find(|known| **known == given);
        found
            .copied()
            .map(Some)
            .ok_or_else(|| format!("{name} is {value}; expected one of {}", names.join(", ")))
    }
}

/// Reads a key. An object is none, whatever it says of itself.
fn key_text(key: &Variant) -> Result<String, String> {
    match key.get_type() {
        VariantType::STRING | VariantType::STRING_NAME => Ok(key.stringify().to_string()),
        other => Err(format!("a key is of type {}; keys are Strings", other.godot_type_name())),
    }
}

const MESSAGE: &[&str] = &["sender", "rate", "burst", "mode", "id", "relay", "local"];
const STATE: &[&str] = &["history", "max_packet", "parts", "id", "local"];

/// Reads the options of a message into its declaration.
pub(crate) fn options_of_message(declared: &mut Declared, options: &AnyDictionary) -> Result<(), String> {
    let given = Options::new(options, MESSAGE)?;
    if let Some(sender) = given.whole::<i64>("sender", 0..=2)? {
        declared.sender = match sender {
            0 => Sender::Client,
            1 => Sender::Server,
            _ => Sender::Both,
        };
    }
    if let Some(mode) = given.whole::<i64>("mode", 0..=2)? {
        declared.mode = match mode {
            0 => Mode::Unreliable,
            1 => Mode::UnreliableOrdered,
            _ => Mode::Reliable,
        };
    }
    declared.relay = given.flag("relay")?.unwrap_or(false);
    declared.local = given.flag("local")?.unwrap_or(false);
    declared.id = given.whole("id", 1..=i64::from(variant_protocol::LARGEST_ID))?;
    declared.rate =
        variant_protocol::rate(given.number("rate")?, given.whole("burst", 1..=i64::from(u32::MAX))?)?;
    Ok(())
}

/// Reads the options of a state into its declaration.
pub(crate) fn options_of_state(declared: &mut Declared, options: &AnyDictionary) -> Result<(), String> {
    let given = Options::new(options, STATE)?;
    let most_packet_bytes = variant_protocol::DATAGRAM;
    let History { entries, most_packet_bytes, parts } =
        declared.state.unwrap_or(History { entries: 32, most_packet_bytes, parts: None });
    declared.state = Some(History {
        entries: given.whole("history", 1..=i64::from(variant_protocol::MOST_HISTORY))?.unwrap_or(entries),
        most_packet_bytes: given.whole("max_packet", 64..=65_535)?.unwrap_or(most_packet_bytes),
        parts: given.whole("parts", 1..=i64::from(variant_protocol::MOST_PARTS))?.or(parts),
    });
    declared.local = given.flag("local")?.unwrap_or(false);
    declared.id = given.whole("id", 1..=i64::from(variant_protocol::LARGEST_ID))?;
    Ok(())
}

const POLICY: &[&str] = &[
    "disconnect_at",
    "decay",
    "packets_per_second",
    "bytes_per_second",
    "reports_per_second",
    "max_packet",
    "max_strangers",
    "greet_timeout",
    "stay_out_sec",
    "forgive_stall_sec",
    "own_packets_per_second",
    "own_bytes_per_second",
    "state_bytes_per_second",
    "points",
];

/// Reads a policy: what is not named stays as it is in `base`.
pub(crate) fn policy(base: Policy, options: &VarDictionary) -> Result<Policy, String> {
    let given = Options::new(options, POLICY)?;
    let mut policy = base;
    if let Some(points) = given.number("disconnect_at")? {
        policy.disconnect_at = (points > 0.0).then_some(points);
    }
    policy.decay = given.number("decay")?.unwrap_or(policy.decay);
    policy.packets = budget(&given, "packets_per_second", policy.packets)?;
    // Every state may be acknowledged by one of them.
    let more = policy.packets.filter(|rate| rate.milli_per_second > policy.control.milli_per_second);
    policy.control = more.unwrap_or(policy.control);
    policy.bytes = budget(&given, "bytes_per_second", policy.bytes)?;
    if let Some(rate) = budget(&given, "reports_per_second", None)? {
        // At once those of one second, not of two.
        policy.reports = Rate { burst: (rate.burst / 2).max(1), ..rate };
    }
    policy.most_packet_bytes = given.whole("max_packet", 16..=1 << 24)?.unwrap_or(policy.most_packet_bytes);
    policy.most_strangers = given.whole("max_strangers", 0..=1 << 20)?.unwrap_or(policy.most_strangers);
    policy.own_packets = budget(&given, "own_packets_per_second", policy.own_packets)?;
    policy.own_bytes = budget(&given, "own_bytes_per_second", policy.own_bytes)?;
    if given.number("state_bytes_per_second")?.is_some() {
        // At once those of a tenth of a second, not of two.
        let rate = budget(&given, "state_bytes_per_second", None)?;
        policy.state_bytes = rate.map(|rate| Rate { burst: (rate.burst / 20).max(1), ..rate });
    }
    if let Some(seconds) = given.number("greet_timeout")? {
        policy.greet_timeout = (seconds > 0.0).then(|| micros(seconds));
    }
    policy.stay_out = given.number("stay_out_sec")?.map_or(policy.stay_out, micros);
    policy.forgive_stall = given.number("forgive_stall_sec")?.map_or(policy.forgive_stall, micros);
    if let Some(points) = given.get("points") {
        let points: VarDictionary =
            points.try_to().map_err(|_| format!("points is {points}; expected a Dictionary of offences"))?;
        read_points(&mut policy, &points)?;
    }
    Ok(policy)
}

/// Reads a budget of a second, of which two seconds can be saved up. 0 means any number.
fn budget(given: &Options<'_>, name: &str, base: Option<Rate>) -> Result<Option<Rate>, String> {
    match given.number(name)? {
        None => Ok(base),
        Some(0.0) => Ok(None),
        Some(number) => {
            let rate = Rate::of(number, None)
                .ok_or_else(|| format!("{name} is {number}; the largest is 1000000"))?;
            Ok(Some(Rate { burst: rate.burst.saturating_mul(2), ..rate }))
        }
    }
}

fn read_points(policy: &mut Policy, points: &VarDictionary) -> Result<(), String> {
    for (name, value) in points.iter_shared() {
        let name = key_text(&name)?;
        let offence = Offence::ALL.into_iter().find(|offence| offence.name() == name).ok_or_else(|| {
            let names = Offence::ALL.map(Offence::name);
            format!("{name:?} is not an offence; the offences are {}", names.join(", "))
        })?;
        let number = value.try_to_relaxed::<f64>().ok().filter(|number| (0.0..=1e6).contains(number));
        let number = number.ok_or_else(|| format!("points of {name} are {value}; expected 0 to 1000000"))?;
        policy.set_points(offence, number);
    }
    Ok(())
}

/// Converts seconds to microseconds, up to a day.
fn micros(seconds: f64) -> u64 {
    let time = Duration::from_secs_f64(seconds.clamp(0.0, 86_400.0));
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

fn seconds(micros: u64) -> Variant {
    Duration::from_micros(micros).as_secs_f64().to_variant()
}

pub(crate) fn policy_of(policy: &Policy) -> VarDictionary {
    let second = |rate: Option<Rate>| rate.map_or(0.0, Rate::per_second_f64).to_variant();
    let mut points = VarDictionary::new();
    for (offence, each) in Offence::ALL.into_iter().zip(policy.points) {
        points.set(offence.name(), each);
    }
    let mut told = VarDictionary::new();
    told.set("disconnect_at", policy.disconnect_at.unwrap_or(0.0));
    told.set("decay", policy.decay);
    told.set("packets_per_second", &second(policy.packets));
    told.set("bytes_per_second", &second(policy.bytes));
    told.set("reports_per_second", &second(Some(policy.reports)));
    told.set("max_packet", &count(policy.most_packet_bytes));
    told.set("max_strangers", &count(policy.most_strangers));
    told.set("greet_timeout", &seconds(policy.greet_timeout.unwrap_or(0)));
    told.set("stay_out_sec", &seconds(policy.stay_out));
    told.set("forgive_stall_sec", &seconds(policy.forgive_stall));
    told.set("own_packets_per_second", &second(policy.own_packets));
    told.set("own_bytes_per_second", &second(policy.own_bytes));
    told.set("state_bytes_per_second", &second(policy.state_bytes));
    told.set("points", &points.to_variant());
    told
}

fn count(number: usize) -> Variant {
    i64::try_from(number).unwrap_or(i64::MAX).to_variant()
}
