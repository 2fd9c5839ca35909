//! Packs states in parts: each fits a packet in full, and those that are told from the same states go as one difference.

use std::sync::Arc;

use variant_pack::{CodeBases, Codes, Deal, Layout, MOST_PARTS, Packer, PartSet};

use crate::form::{Answer, Form};
use crate::pieces::{Piece, ReadPieces};
use crate::table::within;
use crate::wire::{put_id, put_parts};

/// Says what is kept of a state, for deltas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct History {
    /// The states that are kept for each peer, from 1 to 32.
    pub entries: u8,
    /// The largest packet that may carry it.
    pub most_packet_bytes: usize,
    /// The parts that it is sent in, so that each fits a packet: entries of keyed arrays and maps right below the root by
    /// their keys, all else in the first. `None`: as few as it takes.
    pub parts: Option<u8>,
}

/// Holds the form of a state's values, and how those are dealt out.
#[derive(Clone, Debug)]
pub(crate) struct StateForm {
    pub(crate) form: Arc<Form>,
    pub(crate) history: History,
    /// `None`: all states fit a packet.
    pub(crate) deal: Option<Arc<Deal>>,
}

impl StateForm {
    /// Finds the number of parts, or says what can never be sent, and how it can be.
    pub(crate) fn new(form: &Arc<Form>, history: History, id: u16, name: &str) -> Result<StateForm, String> {
        let layout = form.layout();
        let size = PacketSize { layout, id, most: history.most_packet_bytes };
        let count = match history.parts {
            Some(count) if !size.fits(count) => return Err(size.too_large(count, name)),
            Some(count) => count,
            None => {
                let fitting = (1..=MOST_PARTS).find(|count| size.fits(*count));
                fitting.ok_or_else(|| size.too_large(MOST_PARTS, name))?
            }
        };
        let deal = match count {
            1 => None,
            count => Some(Arc::new(Deal::new(layout.program(), count).map_err(|error| error.to_string())?)),
        };
        Ok(StateForm { form: Arc::clone(form), history, deal })
    }

    pub(crate) fn count(&self) -> u8 {
        self.deal.as_ref().map_or(1, |deal| deal.count())
    }

    /// Packs a state, and deals it out.
    pub(crate) fn pack(
        &self,
        packer: &mut Packer,
        read: &mut ReadPieces,
        value: &[u8],
    ) -> Answer<Arc<[Piece]>> {
        let (layout, rules) = (self.form.layout(), self.form.rules());
        let Some(deal) = &self.deal else {
            return Ok([Piece::from(packer.pack(layout, value, rules)?)].into());
        };
        let codes = packer.pack_codes(layout, value, rules)?;
        let dealt = packer.deal(deal, PartSet::all(deal.count()), &codes, rules)?;
        Ok(dealt.into_iter().map(|(packed, codes)| read.keep(packed.into(), codes).0).collect())
    }

    pub(crate) fn layout(&self, parts: PartSet) -> &Layout {
        self.deal.as_ref().map_or(self.form.layout(), |deal| deal.layout(parts))
    }

    /// Reads some parts, which are given in their order, and puts them together.
    pub(crate) fn together(
        &self,
        packer: &mut Packer,
        read: &mut ReadPieces,
        parts: &[(u8, &Piece)],
    ) -> Answer<Arc<Codes>> {
        let mut all = PartSet::default();
        let mut codes = Vec::with_capacity(parts.len());
        for (part, piece) in parts {
            let own = PartSet::one(*part);
            codes.push(read.codes(packer, self.layout(own), piece, self.form.rules())?);
            all = all.with(own);
        }
        match (&self.deal, codes.as_slice()) {
            (Some(deal), codes) => Ok(deal.join(all, codes)),
            (None, [only]) => Ok(Arc::clone(only)),
            (None, _) => Ok(Arc::default()),
        }
    }

    pub(crate) fn put_full(
        &self,
        packer: &mut Packer,
        part: u8,
        piece: &Piece,
        out: &mut Vec<u8>,
    ) -> Answer<()> {
        match &self.deal {
            None => out.extend(&**piece),
            Some(deal) => {
                let made = packer.part_in_full(deal, part, piece, self.form.rules());
                out.extend(made?);
            }
        }
        Ok(())
    }

    /// Reads a part that came in full. A state of one part is judged when it is unpacked.
    pub(crate) fn read_full(&self, packer: &mut Packer, part: u8, sent: &[u8]) -> Answer<Vec<u8>> {
        match &self.deal {
            None => Ok(sent.to_vec()),
            Some(deal) => {
                let read = packer.part_of_full(deal, part, sent, self.form.rules());
                read.map(<[u8]>::to_vec)
            }
        }
    }

    /// Applies the difference of some parts, whose values are judged when they are unpacked.
    pub(crate) fn apply(
        &self,
        packer: &mut Packer,
        parts: PartSet,
        bases: CodeBases<'_>,
        delta: &[u8],
    ) -> Answer<Vec<Vec<u8>>> {
        let (layout, rules) = (self.layout(parts), self.form.rules());
        let made = packer.apply_to_codes(layout, bases, delta, rules)?;
        match &self.deal {
            None => Ok(vec![packer.packed(layout, &made, rules)?.to_vec()]),
            Some(deal) => {
                Ok(packer.deal(deal, parts, &made, rules)?.into_iter().map(|(packed, _)| packed).collect())
            }
        }
    }
}

/// Compares sizes of states with what a packet carries.
struct PacketSize<'l> {
    layout: &'l Layout,
    id: u16,
    most: usize,
}

impl PacketSize<'_> {
    /// Returns the bytes in front of a full part: the id, a number, that it is full, and which it is of so many.
    fn head(&self, count: u8) -> usize {
        let mut head = Vec::new();
        put_id(&mut head, self.id);
        put_parts(&mut head, PartSet::one(0), count);
        head.len().saturating_add(3)
    }

    /// Returns the most bytes of a packet with one of so many parts in full.
    fn most_bytes(&self, count: u8) -> Option<usize> {
        let bits = self.layout.part_bits(count);
        let bytes = bits.first?.max(bits.other?).div_ceil(8);
        usize::try_from(bytes).ok()?.checked_add(self.head(count))
    }

    fn fits(&self, count: u8) -> bool {
        self.most_bytes(count).is_some_and(|bytes| bytes <= self.most)
    }

    /// Says why states do not fit packets, and what to do about it.
    #[cold]
    fn too_large(&self, count: u8, name: &str) -> String {
        let PacketSize { layout, most, .. } = self;
        let named = |path: &str| within(name, path);
        if let Some(open) = layout.unbounded().first() {
            return format!(
                "{} has no largest size, and a state has to fit packets; give it one: max_size(), max_chars()",
                named(open)
            );
        }
        let bits = layout.part_bits(count);
        let undealt = bits.first.zip(bits.other).map_or(0, |(first, other)| first.saturating_sub(other));
        let undealt =
            usize::try_from(undealt.div_ceil(8)).unwrap_or(usize::MAX).saturating_add(self.head(count));
        if let Some(largest) = layout.largest_undealt()
            && undealt > *most
        {
            return format!(
                "part 0, which has all that is in no keyed array below the root, can reach {undealt} bytes, and its packet \
                 carries {most}: {} is the largest; shorten it, make it a keyed() array, or raise max_packet",
                named(largest)
            );
        }
        let bytes = self.most_bytes(count).unwrap_or(usize::MAX);
        format!(
            "in {count} parts one can reach {bytes} bytes, and its packet carries {most}: {} is the largest; give it a \
             smaller max_size() or keys of a smaller range, or raise max_packet",
            named(layout.largest_part())
        )
    }
}
