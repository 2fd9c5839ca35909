//! Says what packing by a schema costs: how exact numbers stay, where the bits go, and which of them nothing uses.

use godot::builtin::{
    AnyArray, PackedByteArray, PackedInt64Array, PackedStringArray, VarDictionary, Variant, vdict,
};
use godot::obj::Gd;
use godot::register::godot_api;
use variant_pack::{Layout, Measurement, Packer, Tagging};

use super::VariantSchema;
use super::packs::noted;
use crate::api::limits::VariantLimits;
use crate::api::number::{EnumNumber, saturated};
use crate::api::stream::with_room;
use crate::call::codec::{Limits, Rules, append};
use crate::call::problem::Problem;
use crate::call::schema::BoundSchema;
use crate::call::settings::Settings;
use crate::raw::optional::Optional;

/// The outermost value, in reports.
const ROOT: &str = "(root)";

#[godot_api(secondary)]
impl VariantSchema {
    #[func]
    fn get_precision(&self) -> VarDictionary {
        self.held().layout().map(promised).unwrap_or_default()
    }

    #[func]
    fn measure_precision(&self, samples: AnyArray) -> VarDictionary {
        noted(measured(&self.held(), &samples)).unwrap_or_default()
    }

    #[func]
    fn get_packed_places(
        &self,
        bytes: PackedByteArray,
        #[opt(default = Optional(EnumNumber(Tagging::Short)))] tagging: Optional<EnumNumber<Tagging>>,
        #[opt(default = Optional::none())] limits: Optional<Option<Gd<VariantLimits>>>,
    ) -> VarDictionary {
        let EnumNumber(tagging) = tagging.0;
        noted(places(&self.held(), &bytes, tagging, numbers(limits))).unwrap_or_default()
    }

    #[func]
    fn pack_report(
        &self,
        value: Variant,
        #[opt(default = Optional::none())] limits: Optional<Option<Gd<VariantLimits>>>,
    ) -> VarDictionary {
        noted(report(&self.held(), &value, numbers(limits))).unwrap_or_default()
    }
}

/// Limits that are given, or else those of a packet.
fn numbers(limits: Optional<Option<Gd<VariantLimits>>>) -> Limits {
    limits.0.map_or_else(Limits::network, |limits| limits.bind().shared().get())
}

/// Where the values of packed bytes lie, and the bytes that they are in Godot's format.
fn places(
    held: &BoundSchema,
    bytes: &PackedByteArray,
    tagging: Tagging,
    limits: Limits,
) -> Result<VarDictionary, Problem> {
    let layout = held.layout()?;
    let mut packer = Packer::tagged(tagging);
    let found = packer.spots(layout, bytes.as_slice(), settings(limits).rules());
    let (value, found) = found.map_err(|problem| Problem::of_packing(&problem))?;
    let numbers = found.iter().flat_map(|spot| [spot.byte, spot.bit, spot.bit.saturating_add(spot.bits)]);
    let numbers: PackedInt64Array = numbers.map(saturated).collect();
    Ok(vdict! { "bytes" => &PackedByteArray::from(value), "places" => &numbers })
}

/// Tells what the layout promises of each part whose numbers are rounded.
fn promised(layout: &Layout) -> VarDictionary {
    let mut parts = VarDictionary::new();
    for precision in layout.precision() {
        let mut part = VarDictionary::new();
        if let Some(bits) = precision.bits {
            part.set("bits", saturated(bits));
        }
        let told = [
            ("step", precision.step),
            ("max_error", precision.max_error),
            ("max_error_degrees", precision.max_error_degrees),
        ];
        for (name, number) in told {
            if let Some(number) = number {
                part.set(name, number);
            }
        }
        parts.set(named(&precision.path), &part);
    }
    parts
}

fn named(path: &str) -> &str {
    if path.is_empty() { ROOT } else { path }
}

fn settings(limits: Limits) -> Settings {
    Settings::new(Rules::safe(limits))
}

/// Calls with the bytes of a value that can be packed.
fn with_packed<R>(
    held: &BoundSchema,
    value: &Variant,
    limits: Limits,
    call: impl FnOnce(&Layout, &mut Packer, &[u8]) -> Result<R, Problem>,
) -> Result<R, Problem> {
    let layout = held.layout()?;
    let settings = settings(limits);
    with_room(|codec| {
        codec.with_scratch(|codec, bytes| {
            append(&settings, value, codec.room(), bytes)?;
            let mut packer = Packer::new();
            let packed = packer.pack(layout, bytes, settings.rules());
            packed.map_err(|problem| Problem::of_packing(&problem))?;
            call(layout, &mut packer, bytes)
        })
    })
}

fn measured(held: &BoundSchema, samples: &AnyArray) -> Result<VarDictionary, Problem> {
    let layout = held.layout()?;
    let mut seen = Measurement::default();
    for sample in samples.iter_shared() {
        with_packed(held, &sample, Limits::network(), |layout, _, bytes| {
            layout.measure(bytes, &mut seen);
            Ok(())
        })?;
    }
    let mut parts = promised(layout);
    for deviation in layout.deviations(&seen) {
        let path = named(&deviation.path);
        let mut part: VarDictionary = parts.get(path).and_then(|part| part.try_to().ok()).unwrap_or_default();
        part.set("count", saturated(deviation.count));
        part.set("at_ends", saturated(deviation.at_ends));
        let told = [("", deviation.error), ("_degrees", deviation.degrees)];
        for (unit, found) in told {
            if let Some((worst, mean)) = found {
                part.set(format!("worst_error{unit}").as_str(), worst);
                part.set(format!("mean_error{unit}").as_str(), mean);
            }
        }
        parts.set(path, &part);
    }
    Ok(parts)
}

fn report(held: &BoundSchema, value: &Variant, limits: Limits) -> Result<VarDictionary, Problem> {
    let rules = *settings(limits).rules();
    with_packed(held, value, limits, |layout, packer, bytes| {
        let shares = packer.report(layout, bytes, &rules).map_err(|problem| Problem::of_packing(&problem))?;
        let mut seen = Measurement::default();
        layout.measure(bytes, &mut seen);
        let all = shares.iter().map(|share| share.bits).max().unwrap_or(0);
        let mut places = VarDictionary::new();
        for share in &shares {
            let part = if all == 0 { 0.0 } else { share.bits as f64 / all as f64 };
            let told = vdict! {
                "bytes" => saturated(share.bytes),
                "bits" => saturated(share.bits),
                "share" => part,
            };
            places.set(named(&share.path), &told);
        }
        let hints: PackedStringArray =
            layout.hints(&seen).iter().map(godot::builtin::GString::from).collect();
        Ok(vdict! {
            "bytes" => saturated(bytes.len()),
            "bits" => saturated(all),
            "places" => &places,
            "hints" => &hints,
        })
    })
}
