//! Detects what this processor has, at run time.

use variant_core::Trick;

/// Tells whether the processor has what the kernels for eight characters need.
#[inline(always)]
pub(super) fn has_avx2() -> bool {
    !Trick::Avx2.is_off()
        && std::arch::is_x86_feature_detected!("avx2")
        && std::arch::is_x86_feature_detected!("popcnt")
}
