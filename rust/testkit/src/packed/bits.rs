//! Writes and reads rows of single bits, as the format's page numbers them: slow and obvious.

/// A row of bits, and how many elements took none of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Bits(pub(super) Vec<bool>, pub(super) usize);

/// Where each bucket of a varint begins, and the bits in it.
const BUCKETS: [(u64, u32); 8] = [
    (0, 3),
    (8, 6),
    (72, 10),
    (1096, 15),
    (33864, 21),
    (2131016, 32),
    (4297098312, 48),
    (281479273808968, 64),
];

/// `bits(last)` of the page: 0 for 0, 7 for 100.
pub(super) fn bits_of(last: u128) -> u32 {
    (0..=128).find(|bits| *bits == 128 || last >> bits == 0).unwrap_or(128)
}

/// Zigzag: 0, -1, 1, -2 as 0, 1, 2, 3.
pub(super) fn zigzag(number: i128) -> u128 {
    if number < 0 { (-(number + 1)).unsigned_abs() * 2 + 1 } else { number.unsigned_abs() * 2 }
}

pub(super) fn unzigzag(code: u128) -> i128 {
    let half = i128::try_from(code / 2).unwrap_or(i128::MAX);
    if code.is_multiple_of(2) { half } else { -half - 1 }
}

impl Bits {
    pub(super) fn put(&mut self, number: u128, width: u32) {
        self.0.extend((0..width).map(|at| number >> at & 1 == 1));
    }

    /// Nothing where it has more than 64 bits.
    pub(super) fn varint(&mut self, number: u128) -> Option<()> {
        let number = u64::try_from(number).ok()?;
        let at = BUCKETS.iter().rposition(|(begin, _)| *begin <= number)?;
        let (begin, bits) = BUCKETS[at];
        self.put(at as u128, 3);
        self.put(u128::from(number - begin), bits);
        Some(())
    }

    /// Appends an element, and counts it if it takes no bits.
    pub(super) fn element(&mut self, put: impl FnOnce(&mut Bits) -> Option<()>) -> Option<()> {
        let before = self.0.len();
        put(self)?;
        self.1 += usize::from(self.0.len() == before);
        Some(())
    }

    /// Appends another row.
    pub(super) fn append(&mut self, other: Bits) {
        self.0.extend(other.0);
        self.1 += other.1;
    }

    /// Whether there are no more elements without bits than the page allows.
    pub(super) fn is_paid(&self) -> bool {
        self.1 <= 64 + 64 * self.0.len().div_ceil(8)
    }

    /// Filled with zero bits up to a whole byte.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let byte = |bits: &[bool]| bits.iter().rev().fold(0, |byte, bit| byte * 2 + u8::from(*bit));
        self.0.chunks(8).map(byte).collect()
    }
}

/// Reads a row of bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source<'b> {
    bits: &'b [bool],
    pub(super) at: usize,
    /// Values that may still come: a bound on rows of values without bits.
    pub(super) budget: u64,
    /// A value of any type stood in another form than the one that writing makes.
    pub(super) is_odd: bool,
}

impl<'b> Source<'b> {
    pub(super) fn new(bits: &'b Bits) -> Source<'b> {
        Source { bits: &bits.0, at: 0, budget: 70_000, is_odd: false }
    }

    pub(super) fn take(&mut self, width: u32) -> Option<u128> {
        let end = self.at.checked_add(width as usize)?;
        let taken = self.bits.get(self.at..end)?;
        self.at = end;
        Some(taken.iter().rev().fold(0, |number, bit| number * 2 + u128::from(*bit)))
    }

    pub(super) fn bit(&mut self) -> Option<bool> {
        Some(self.take(1)? == 1)
    }

    pub(super) fn varint(&mut self) -> Option<u128> {
        let (begin, bits) = BUCKETS[usize::try_from(self.take(3)?).ok()?];
        let number = u128::from(begin) + self.take(bits)?;
        u64::try_from(number).ok().map(u128::from)
    }

    pub(super) fn len(&self) -> usize {
        self.bits.len()
    }

    /// The bits since `start`.
    pub(super) fn since(&self, start: usize) -> &'b [bool] {
        &self.bits[start..self.at]
    }

    /// Whether only the filling of a last byte is left.
    pub(super) fn is_over(&self) -> bool {
        let left = &self.bits[self.at..];
        left.len() < 8 && !left.contains(&true)
    }
}

/// All bits of these bytes.
pub(super) fn all(bytes: &[u8]) -> Bits {
    Bits(bytes.iter().flat_map(|byte| (0..8).map(move |at| byte >> at & 1 == 1)).collect(), 0)
}

/// A count between bounds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Count(pub(super) u64, pub(super) Option<u64>);

impl Count {
    fn fixed(self) -> Option<u32> {
        let Count(min, max) = self;
        let bits = bits_of(u128::from(max?.saturating_sub(min)));
        (bits <= 6).then_some(bits)
    }

    fn holds(self, count: u128) -> Option<u128> {
        let Count(min, max) = self;
        (count >= u128::from(min) && max.is_none_or(|max| count <= u128::from(max))).then_some(count)
    }

    pub(super) fn put(self, count: usize, bits: &mut Bits) -> Option<()> {
        let above = self.holds(count as u128)? - u128::from(self.0);
        match self.fixed() {
            Some(width) => {
                bits.put(above, width);
                Some(())
            }
            None => bits.varint(above),
        }
    }

    pub(super) fn take(self, source: &mut Source<'_>) -> Option<u64> {
        let above = match self.fixed() {
            Some(width) => source.take(width)?,
            None => source.varint()?,
        };
        u64::try_from(self.holds(above + u128::from(self.0))?).ok()
    }
}

/// A mask of `all` places, the shorter of its two forms.
pub(super) fn put_mask(places: &[u64], all: u64, bits: &mut Bits) -> Option<()> {
    let mut sparse = Bits::default();
    put_gaps(places, &mut sparse)?;
    let is_sparse = (sparse.0.len() as u64) < all;
    bits.put(u128::from(is_sparse), 1);
    if is_sparse {
        bits.0.extend(sparse.0);
    } else {
        bits.0.extend((0..all).map(|place| places.contains(&place)));
    }
    Some(())
}

/// A varint of how many places there are, varints of those left out before each.
pub(super) fn put_gaps(places: &[u64], bits: &mut Bits) -> Option<()> {
    bits.varint(places.len() as u128)?;
    let mut next = 0;
    for place in places {
        bits.varint(u128::from(place - next))?;
        next = place + 1;
    }
    Some(())
}

pub(super) fn take_gaps(all: u64, source: &mut Source<'_>) -> Option<Vec<u64>> {
    let count = source.varint()?;
    let mut places = Vec::new();
    let mut next = 0_u128;
    for _ in 0..count {
        let place = next + source.varint()?;
        places.push(u64::try_from(place).ok().filter(|place| *place < all)?);
        next = place + 1;
    }
    Some(places)
}

pub(super) fn take_mask(all: u64, source: &mut Source<'_>) -> Option<Vec<u64>> {
    let start = source.at;
    let places = if source.bit()? {
        take_gaps(all, source)?
    } else {
        let bits = source.take_many(all)?;
        (0..all).zip(bits).filter(|(_, bit)| **bit).map(|(place, _)| place).collect()
    };
    let mut again = Bits::default();
    put_mask(&places, all, &mut again)?;
    (again.0 == source.since(start)).then_some(places)
}

impl<'b> Source<'b> {
    fn take_many(&mut self, count: u64) -> Option<&'b [bool]> {
        let end = self.at.checked_add(usize::try_from(count).ok()?)?;
        let taken = self.bits.get(self.at..end)?;
        self.at = end;
        Some(taken)
    }
}
