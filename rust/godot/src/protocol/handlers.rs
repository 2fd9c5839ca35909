//! Looks at the handlers of messages: whether one can be called with a peer and a value, and why a call failed.

use godot::builtin::{AnyArray, Callable, VarDictionary, Variant, VariantType};
use godot::global::{push_error, push_warning};
use godot::meta::ToGodot;

use super::Host;
use crate::raw::variant::{CallTarget, NotCalled};

/// The arguments of a handler: the id of the peer, and the value.
const ARGUMENTS: usize = 2;
const WANTED: &str = "it is called with two, the id of the peer (an int) and the value";

/// `METHOD_FLAG_VARARG`.
const ANY_ARGUMENTS: i64 = 16;

/// Says why a handler cannot be called, as far as that shows without a call. A lambda does not show which of its arguments
/// may be left out, nor their types.
pub(crate) fn why_not(handler: &Callable) -> Option<String> {
    if !handler.is_valid() {
        return Some(match handler.object() {
            None => "its object is gone".to_owned(),
            Some(object) => match handler.method_name() {
                Some(method) => format!("{} has no method {:?}", object.get_class(), method.to_string()),
                None => "its method is gone".to_owned(),
            },
        });
    }
    let takes = match handler.is_custom() {
        // The method of a value, such as `emit` of a signal, shows nothing.
        true if handler.object().is_none() => return None,
        true => Takes { least: None, most: counted(handler), first: VariantType::NIL },
        false => Takes::of_method(handler)?,
    };
    takes.why_not()
}

struct Takes {
    least: Option<usize>,
    most: usize,
    first: VariantType,
}

impl Takes {
    /// `None`: it takes any.
    fn of_method(handler: &Callable) -> Option<Takes> {
        let name = handler.method_name()?;
        let methods = handler.object()?.get_method_list();
        let found = methods.iter_shared().find(|it| text(it, "name") == name.to_string());
        let Some(method) = found else {
            return Some(Takes { least: None, most: counted(handler), first: VariantType::NIL });
        };
        if number(&method, "flags").unwrap_or(0) & ANY_ARGUMENTS != 0 {
            return None;
        }
        let list = |name: &str| method.get(name).and_then(|it| it.try_to::<AnyArray>().ok());
        let count = |name: &str| list(name).map_or(0, |list| list.len());
        let first = list("args").and_then(|all| all.get(0)?.try_to::<VarDictionary>().ok());
        let first = first.and_then(|it| number(&it, "type")).and_then(|it| i32::try_from(it).ok());
        Some(Takes {
            least: Some(count("args").saturating_sub(count("default_args"))),
            most: count("args"),
            first: first.map_or(VariantType::NIL, |ord| VariantType { ord }),
        })
    }

    fn why_not(&self) -> Option<String> {
        let takes = |count: usize| match count {
            1 => Some(format!("it takes 1 argument, and {WANTED}")),
            count => Some(format!("it takes {count} arguments, and {WANTED}")),
        };
        if self.most < ARGUMENTS {
            return takes(self.most);
        }
        match self.least {
            Some(least) if least > ARGUMENTS => takes(least),
            // The engine gives an int to arguments of these types.
            _ if !matches!(
                self.first,
                VariantType::NIL | VariantType::BOOL | VariantType::INT | VariantType::FLOAT
            ) =>
            {
                Some(format!("its first argument is of type {}, and {WANTED}", self.first.godot_type_name()))
            }
            _ => None,
        }
    }
}

fn counted(handler: &Callable) -> usize {
    let count = handler.to_variant().call("get_argument_count", &[]);
    count.try_to::<i64>().ok().and_then(|count| usize::try_from(count).ok()).unwrap_or(ARGUMENTS)
}

fn number(from: &VarDictionary, key: &str) -> Option<i64> {
    from.get(key)?.try_to().ok()
}

fn text(from: &VarDictionary, key: &str) -> String {
    from.get(key).map(|it| it.stringify().to_string()).unwrap_or_default()
}

/// Calls a handler. No lock is held meanwhile.
pub(crate) fn call(handler: &CallTarget, peer: i32, value: &Variant) -> Result<(), NotCalled> {
    handler.call([&peer.to_variant(), value]).map(drop)
}

#[cold]
pub(crate) fn tell(name: &str, handler: &CallTarget, why: NotCalled) {
    let why = why_not(&handler.callable()).unwrap_or_else(|| match why {
        NotCalled::Takes(count) => format!("it takes {count} arguments, and {WANTED}"),
        NotCalled::OfType => "one of its arguments is of another type than the value".to_owned(),
        NotCalled::Otherwise => "it cannot be called".to_owned(),
    });
    let message = format!("VariantProtocol: {name:?} arrived, and its handler was not called: {why}");
    push_error(&[message.to_variant()]);
}

#[cold]
pub(crate) fn tell_of_none(name: &str) {
    let message = format!(
        "VariantProtocol: {name:?} arrived, but it has no handler: on({name:?}, function) sets one, on({name:?}, Callable()) says that you want none"
    );
    push_warning(&[message.to_variant()]);
}

impl Host {
    /// Counts a message that has no handler. Returns its name, if that was not told yet.
    #[cold]
    pub(crate) fn note_unhandled(&mut self, peer: i32, id: u16) -> Option<String> {
        let running = self.running.as_mut()?;
        let is_ignored = running.slot(id).is_some_and(|slot| slot.is_ignored);
        (!is_ignored && running.protocol.unhandled(peer, id)).then(|| self.name(id).to_owned())
    }

    /// Counts a call of a handler that failed. Returns the name of the message, if that was not told of it yet.
    #[cold]
    pub(crate) fn note_failed_call(&mut self, id: u16) -> Option<String> {
        self.failed_calls = self.failed_calls.saturating_add(1);
        let at = usize::from(id).checked_sub(1)?;
        let slot = self.running.as_mut()?.slots.get_mut(at)?.as_mut()?;
        let is_first = !std::mem::replace(&mut slot.is_failure_told, true);
        is_first.then(|| self.name(id).to_owned())
    }
}
