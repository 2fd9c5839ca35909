//! What this processor has, asked for while the program runs.

/// Whether it has what the kernels for eight characters take.
#[inline(always)]
pub(super) fn has_avx2() -> bool {
    std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("popcnt")
}
