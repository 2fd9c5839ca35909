//! Holds a run of little-endian numbers of one width in a payload, checked once and read as any type that
//! fits.

use crate::wire::Lane;

/// Holds the numbers of a vector, matrix, color or packed array, still as bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lanes<'a> {
    /// INVARIANT: the length is a whole number of lanes.
    bytes: &'a [u8],
    lane: Lane,
}

macro_rules! read_as {
    ($($(#[doc = $doc:literal])+ $name:ident $copy:ident $lane:pat, $ty:ty;)*) => {
        $(
            $(#[doc = $doc])+
            pub fn $name(&self) -> impl Iterator<Item = $ty> + use<'a> {
                debug_assert!(matches!(self.lane, $lane), "{:?} read as {}", self.lane, stringify!($ty));
                self.bytes.as_chunks().0.iter().map(|bytes| <$ty>::from_le_bytes(*bytes))
            }

            /// Copies these numbers into a slice; numbers beyond either end are left alone.
            pub fn $copy(&self, target: &mut [$ty]) {
                for (slot, number) in target.iter_mut().zip(self.$name()) {
                    *slot = number;
                }
            }
        )*
    };
}

impl<'a> Lanes<'a> {
    /// Makes lanes of bytes. Returns `None` unless the bytes are a whole number of lanes. A `Real` lane has
    /// to be given by its width.
    #[must_use]
    pub fn new(bytes: &'a [u8], lane: Lane) -> Option<Lanes<'a>> {
        // The test uses masks: a division costs more than everything else that is done for a vector.
        let whole = match lane {
            Lane::I64 | Lane::F64 => bytes.len() & 7 == 0,
            Lane::I32 | Lane::F32 => bytes.len() & 3 == 0,
            Lane::U8 | Lane::Real => true,
        };
        (whole && lane != Lane::Real).then_some(Lanes { bytes, lane })
    }

    /// Returns the type of each number, which is never [`Lane::Real`].
    #[must_use]
    pub const fn lane(&self) -> Lane {
        self.lane
    }

    /// Tells whether the numbers are 64 bits wide.
    #[must_use]
    pub const fn is_wide(&self) -> bool {
        matches!(self.lane, Lane::F64 | Lane::I64)
    }

    /// Returns how many numbers there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.bytes.len().checked_div(self.lane.size()).unwrap_or(0)
    }

    /// Returns the bytes themselves, little-endian.
    #[must_use]
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    read_as! {
        /// Reads the numbers of an [`Lane::I32`] run.
        i32s copy_to_i32s Lane::I32, i32;
        /// Reads the numbers of an [`Lane::I64`] run.
        i64s copy_to_i64s Lane::I64, i64;
        /// Reads the numbers of an [`Lane::F32`] run.
        f32s copy_to_f32s Lane::F32, f32;
        /// Reads the numbers of an [`Lane::F64`] run.
        f64s copy_to_f64s Lane::F64, f64;
    }

    /// Reads a real-valued run in single precision: doubles are narrowed, as a single-precision engine does.
    pub fn narrowed(&self) -> impl Iterator<Item = f32> + use<'a> {
        let (narrow, wide) = self.split();
        narrow.iter().map(|bytes| f32::from_le_bytes(*bytes)).chain(wide.iter().map(|bytes| {
            #[expect(
                clippy::as_conversions,
                clippy::cast_possible_truncation,
                reason = "narrowing is the point"
            )]
            let narrow = f64::from_le_bytes(*bytes) as f32;
            narrow
        }))
    }

    /// Reads a real-valued run in double precision.
    pub fn widened(&self) -> impl Iterator<Item = f64> + use<'a> {
        let (narrow, wide) = self.split();
        narrow
            .iter()
            .map(|bytes| f64::from(f32::from_le_bytes(*bytes)))
            .chain(wide.iter().map(|bytes| f64::from_le_bytes(*bytes)))
    }

    /// Returns the run as singles or as doubles; the other half is empty.
    fn split(&self) -> (&'a [[u8; 4]], &'a [[u8; 8]]) {
        match self.lane {
            Lane::F64 => (&[], self.bytes.as_chunks().0),
            _ => (self.bytes.as_chunks().0, &[]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;

    #[test]
    fn reals_narrow_and_widen() {
        let wide: Vec<u8> = [0.1f64, -2.0].iter().flat_map(|n| n.to_le_bytes()).collect();
        let lanes = Lanes::new(&wide, Lane::F64).unwrap();
        assert_eq!((lanes.count(), lanes.is_wide()), (2, true));
        assert_relative_eq!(lanes.narrowed().collect::<Vec<_>>()[..], [0.1f32, -2.0][..]);
        assert_eq!(lanes.widened().collect::<Vec<_>>(), [0.1, -2.0]);
        let narrow: Vec<u8> = 0.1f32.to_le_bytes().to_vec();
        let lanes = Lanes::new(&narrow, Lane::F32).unwrap();
        assert_relative_eq!(lanes.widened().next().unwrap(), 0.1, epsilon = 1e-7);
    }

    #[test]
    fn a_ragged_run_is_no_run() {
        assert!(Lanes::new(&[0; 7], Lane::F32).is_none());
        assert!(Lanes::new(&[0; 8], Lane::Real).is_none());
        let mut target = [9; 3];
        Lanes::new(&[1, 0, 0, 0], Lane::I32).unwrap().copy_to_i32s(&mut target);
        assert_eq!(target, [1, 9, 9]);
    }
}
