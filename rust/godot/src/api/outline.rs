//! `VariantOutline`: a tree of bytes of any size, for views that unfold it. No value of Godot is built for it.
//!
//! The module `nodes` of the text crate says which nodes there are and finds them; here they become
//! Dictionaries.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use godot::builtin::{Array, PackedByteArray, VarDictionary, vdict};
use godot::global::Error;
use godot::register::{GodotClass, godot_api};
use variant_core::{Dialect, Framing, Rules};
use variant_text::nodes::{Nodes, TOP, TreeNode};
use variant_text::sniff::guess_framing;

use super::number::{EnumNumber, ReadFraming, saturated};
use super::text::report_of;
use crate::raw::any_thread::AnyThread;

/// The bytes that were opened, and where their nodes are.
struct OutlineBytes {
    bytes: PackedByteArray,
    nodes: Nodes,
}

/// A tree of bytes.
#[derive(GodotClass)]
#[class(tool, init, base = RefCounted)]
pub struct VariantOutline {
    opened: Mutex<AnyThread<Option<Arc<OutlineBytes>>>>,
    is_opening: AtomicBool,
    /// How often it was cancelled. A call stops when that grows, so none obeys a cancel that came before it.
    cancels: AtomicU64,
    /// Bytes that are done, and all.
    done: AtomicU64,
    whole: AtomicU64,
}

// Every method takes `&self`: while one thread opens, another asks how far it is.
#[godot_api]
impl VariantOutline {
    #[func]
    fn open(
        &self,
        bytes: PackedByteArray,
        framing: EnumNumber<ReadFraming>,
        dialect: EnumNumber<Dialect>,
    ) -> Error {
        if self.is_opening.swap(true, Ordering::AcqRel) {
            return Error::ERR_BUSY;
        }
        let opened = self.survey(bytes, framing.0, dialect.0);
        let answer = if opened.is_some() { Error::OK } else { Error::ERR_SKIP };
        self.lock_and(|slot| *slot = opened.map(Arc::new));
        self.is_opening.store(false, Ordering::Release);
        answer
    }

    #[func]
    fn cancel(&self) {
        self.cancels.fetch_add(1, Ordering::Relaxed);
    }

    #[func]
    fn get_progress(&self) -> f64 {
        let whole = self.whole.load(Ordering::Relaxed).max(1);
        self.done.load(Ordering::Relaxed) as f64 / whole as f64
    }

    #[func]
    fn get_count(&self) -> i64 {
        self.opened().map_or(0, |opened| saturated(opened.nodes.count()))
    }

    #[func]
    fn get_children(&self, at: i64, first: i64, count: i64) -> Array<VarDictionary> {
        let container = if at == -1 { Some(TOP) } else { u64::try_from(at).ok() };
        let (Some(container), Ok(first), Ok(count)) =
            (container, u64::try_from(first), usize::try_from(count))
        else {
            return Array::new();
        };
        self.nodes(|nodes, bytes| nodes.children(bytes, container, first, count))
    }

    #[func]
    fn locate(&self, byte: i64) -> Array<VarDictionary> {
        let byte = u64::try_from(byte);
        byte.map(|byte| self.nodes(|nodes, bytes| nodes.locate(bytes, byte))).unwrap_or_default()
    }

    #[func]
    fn get_broken(&self) -> Array<VarDictionary> {
        let Some(opened) = self.opened() else { return Array::new() };
        let broken = opened.nodes.broken().iter();
        broken
            .map(|broken| {
                vdict! {
                    "value" => saturated(broken.value),
                    "path" => broken.path.as_str(),
                    "byte_offset" => saturated(broken.at),
                    "message" => broken.message.as_str(),
                }
            })
            .collect()
    }

    #[func]
    fn get_size_report(&self) -> VarDictionary {
        let Some(opened) = self.opened() else { return VarDictionary::new() };
        let before = self.cancels.load(Ordering::Relaxed);
        let mut watch = || self.cancels.load(Ordering::Relaxed) == before;
        let sizes = opened.nodes.sizes(opened.bytes.as_slice(), &mut watch);
        sizes.map(|sizes| report_of(&sizes)).unwrap_or_default()
    }

    #[func]
    fn guess_framing(bytes: PackedByteArray) -> EnumNumber<Framing> {
        EnumNumber(guess_framing(bytes.as_slice()))
    }

    /// `None`: it was cancelled.
    fn survey(&self, bytes: PackedByteArray, framing: ReadFraming, dialect: Dialect) -> Option<OutlineBytes> {
        let rules = looking(dialect);
        let framing = match framing {
            ReadFraming::Auto => guess_framing(bytes.as_slice()),
            ReadFraming::As(framing) => framing,
        };
        let before = self.cancels.load(Ordering::Relaxed);
        self.done.store(0, Ordering::Relaxed);
        self.whole.store(bytes.len() as u64, Ordering::Relaxed);
        let mut watch = |done| {
            self.done.store(done, Ordering::Relaxed);
            self.cancels.load(Ordering::Relaxed) == before
        };
        let nodes = Nodes::survey(bytes.as_slice(), framing, &rules, &mut watch);
        self.done.store(bytes.len() as u64, Ordering::Relaxed);
        nodes.map(|nodes| OutlineBytes { bytes, nodes })
    }

    fn opened(&self) -> Option<Arc<OutlineBytes>> {
        self.lock_and(|slot| slot.clone())
    }

    fn lock_and<R>(&self, work: impl FnOnce(&mut Option<Arc<OutlineBytes>>) -> R) -> R {
        work(&mut self.opened.lock().unwrap_or_else(PoisonError::into_inner).0)
    }

    fn nodes(&self, list: impl FnOnce(&Nodes, &[u8]) -> Vec<TreeNode>) -> Array<VarDictionary> {
        let Some(opened) = self.opened() else { return Array::new() };
        list(&opened.nodes, opened.bytes.as_slice()).iter().map(node_of).collect()
    }
}

/// All that an engine of the dialect reads, with full objects as what they are.
fn looking(dialect: Dialect) -> Rules {
    Rules { full_objects: true, ..Rules::engine() }.of_dialect(dialect)
}

fn node_of(node: &TreeNode) -> VarDictionary {
    vdict! {
        "index" => saturated(node.index),
        "name" => node.name.as_str(),
        "type" => node.ty.map_or(-1, |ty| i64::from(ty.id())),
        "type_name" => node.type_name.as_str(),
        "value" => node.value.as_str(),
        "children" => saturated(node.children),
        "start" => saturated(node.start),
        "at" => saturated(node.at),
        "end" => saturated(node.end),
    }
}
