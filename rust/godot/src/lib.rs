//! Defines the VariantStream GDExtension: the classes that GDScript sees, and the entry point for the engine.
//!
//! ```text
//!  GDScript ─┬► raw/method.rs (hot methods) ─┬► api/ (convert, call, convert) ─┬► call/decode.rs (decoding)
//!            └► #[func] of gdext (the rest) ─┘                                 └► call/encode.rs (encoding)
//! ```
//!
//! This file only tells the engine what to do when. The format itself lives in the crate `variant-core`.

#![deny(unsafe_code)]

#[cfg(feature = "ablate")]
mod ablation;
mod api;
mod call;
mod engine;
mod help;
mod objects;
mod proof;
mod protocol;
#[allow(unsafe_code)]
mod raw;
mod saves;
mod stream;

pub use api::{
    VariantClassSet, VariantCodec, VariantJob, VariantLimits, VariantOutline, VariantProtocol, VariantReader,
    VariantSave, VariantSchema, VariantStream, VariantWriter,
};

/// Holds the entry point. It is a module of its own because the attribute drops an `allow` on the impl
/// itself.
#[allow(unsafe_code)]
mod entry {
    use godot::init::{ExtensionLibrary, InitStage, gdextension};

    use crate::{api, call::readings, engine::key_hashes, help};

    struct VariantStreamExtension;

    // SAFETY: the trait's contract is the loader's: Godot loads the library through this entry point, which
    // the one in `raw/class_methods.rs` calls.
    #[gdextension(entry_symbol = variant_stream_init_by_gdext)]
    unsafe impl ExtensionLibrary for VariantStreamExtension {
        fn on_stage_init(stage: InitStage) {
            match stage {
                InitStage::Scene => {
                    key_hashes::compare();
                    api::register();
                    api::settle();
                    readings::offer();
                }
                InitStage::Editor => help::load(),
                _ => {}
            }
        }

        fn on_stage_deinit(stage: InitStage) {
            if stage == InitStage::Scene {
                readings::withdraw();
                api::release();
            }
        }
    }
}
