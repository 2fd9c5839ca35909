//! What this processor has, asked for while the program runs.

/// Whether it has what the kernels for eight characters take.
#[inline(always)]
pub(super) fn has_avx2() -> bool {
    std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("popcnt")
}

/// Whether it has what the kernels for 64 bytes take.
#[inline]
pub(super) fn has_avx512() -> bool {
    use std::arch::is_x86_feature_detected as has;
    has!("avx512vbmi2") && has!("avx512vbmi") && has!("avx512bw") && has!("avx512f") && has!("popcnt")
}
