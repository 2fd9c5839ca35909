//! Reads values with parts for the oracle, the only place where it recurses.

use super::{CheckedDocument, Oracle, Rejection};

impl Oracle<'_> {
    /// Reads a path by rule 6.
    pub(super) fn node_path(&mut self) -> CheckedDocument {
        let first = self.u32()?;
        if first & 0x8000_0000 == 0 {
            return Err(Rejection::Malformed);
        }
        let names = first & 0x7FFF_FFFF;
        let mut subnames = self.u32()?;
        let flags = self.u32()?;
        if flags & 2 != 0 {
            subnames = subnames.wrapping_add(1);
        }
        self.say(if flags & 1 != 0 { ":/" } else { ":." });
        for at in 0..names.wrapping_add(subnames) {
            let text = self.text()?;
            let mark = if at < names { "/" } else { ":" };
            self.say(&format!("{mark}{text:?}"));
        }
        Ok(())
    }

    /// Reads an object by rule 8, as far as bytes go: only the engine knows which classes and properties
    /// exist.
    pub(super) fn object(&mut self, depth: u32) -> CheckedDocument {
        if !self.with_objects {
            return Err(Rejection::Forbidden);
        }
        let class = self.text()?;
        if class.is_empty() {
            self.say(":0000000000000000");
            return Ok(());
        }
        self.say(&format!(":{class:?}("));
        for _ in 0..self.u32()?.cast_signed() {
            let name = self.text()?;
            self.say(&format!("{name:?}="));
            self.value(depth + 1)?;
            self.say(",");
        }
        self.say(")");
        Ok(())
    }

    pub(super) fn dictionary(&mut self, header: u32, depth: u32) -> CheckedDocument {
        self.descriptor(header >> 16)?;
        self.descriptor(header >> 18)?;
        self.say("{");
        for _ in 0..self.u32()? & 0x7FFF_FFFF {
            self.value(depth + 1)?;
            self.say("=");
            self.value(depth + 1)?;
            self.say(",");
        }
        self.say("}");
        Ok(())
    }

    pub(super) fn array(&mut self, header: u32, depth: u32) -> CheckedDocument {
        self.descriptor(header >> 16)?;
        self.say("[");
        for _ in 0..self.u32()? & 0x7FFF_FFFF {
            self.value(depth + 1)?;
            self.say(",");
        }
        self.say("]");
        Ok(())
    }

    /// Reads the declaration of a typed container by section 3.6 and rule 14.
    fn descriptor(&mut self, kind: u32) -> CheckedDocument {
        match kind & 3 {
            0 => self.say("<>"),
            1 => {
                let id = self.u32()?.cast_signed();
                if !(0..39).contains(&id) {
                    return Err(Rejection::Malformed);
                }
                self.say(&format!("<{id}>"));
            }
            2 => {
                let class = self.text()?;
                self.say(&format!("<class {class:?}>"));
            }
            _ => {
                let script = self.text()?;
                self.say(&format!("<script {script:?}>"));
            }
        }
        Ok(())
    }
}
