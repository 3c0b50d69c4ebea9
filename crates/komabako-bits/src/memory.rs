//! Hints about memory. They change no value.

use core::mem::MaybeUninit;

/// Asks the operating system to back a slice, initialised or not, with huge pages, so that random lookups in a table of gigabytes
/// miss the TLB less often; on Linux with the feature `std`. Pages become huge when they are first written. Slices smaller than
/// a huge page, systems without this request and refusals are ignored.
pub fn advise_huge_pages<T>(memory: &[MaybeUninit<T>]) {
    #[cfg(all(target_os = "linux", feature = "std", not(miri)))]
    {
        use core::ffi::{c_int, c_void};
        /// The smallest huge page of the processors that Linux runs on; a multiple of every page.
        const HUGE_PAGE: usize = 2 << 20;
        const MADV_HUGEPAGE: c_int = 14;
        unsafe extern "C" {
            fn madvise(address: *mut c_void, length: usize, advice: c_int) -> c_int;
        }
        let range = memory.as_ptr_range();
        let start = range.start as usize;
        let end = range.end as usize;
        // Only whole pages of the slice: the advice must not cover other memory.
        let first = start.next_multiple_of(HUGE_PAGE);
        let last = end / HUGE_PAGE * HUGE_PAGE;
        if first < last {
            let address = memory.as_ptr().cast_mut().wrapping_byte_add(first - start);
            // SAFETY: the range is within the slice, which is mapped as long as it is borrowed. The advice changes
            // how pages are backed, never their contents.
            let _refused = unsafe { madvise(address.cast(), last - first, MADV_HUGEPAGE) };
        }
    }
    #[cfg(not(all(target_os = "linux", feature = "std", not(miri))))]
    let _ = memory;
}

/// Prefetches a value that will be read soon. Unlike a read it does not stall. One instruction per 64 bytes on x86-64 and
/// `AArch64`, none elsewhere.
#[inline(always)]
pub fn prefetch<T: ?Sized>(value: &T) {
    const LINE: usize = 64;
    let start = core::ptr::from_ref(value).cast::<i8>();
    for offset in (0..size_of_val(value)).step_by(LINE) {
        let address = start.wrapping_add(offset);
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        {
            use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            // SAFETY: every x86-64 CPU has SSE. The address is within the value, and a hint changes no memory.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(address) };
        }
        #[cfg(all(target_arch = "aarch64", not(miri)))]
        // SAFETY: the address is within the value; a hint changes no memory, no register and no flag.
        unsafe {
            core::arch::asm!("prfm pldl1keep, [{0}]", in(reg) address, options(readonly, nostack, preserves_flags));
        }
        #[cfg(any(miri, not(any(target_arch = "x86_64", target_arch = "aarch64"))))]
        let _ = address;
    }
}

/// Prefetches a value that will be overwritten soon. Without it, stores to many consecutive values wait for memory once the
/// CPU's store buffer is full. One instruction per 64 bytes on x86-64, none elsewhere.
#[inline(always)]
pub fn prefetch_for_write<T>(value: &mut T) {
    prefetch_ahead_for_write(value, 0);
}

/// As [`prefetch_for_write`], for the value `distance` elements after this one in a slice. That element need not exist: the
/// unneeded prefetch costs less than a comparison.
#[inline(always)]
pub fn prefetch_ahead_for_write<T>(value: &mut T, distance: usize) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        use core::arch::x86_64::{_MM_HINT_ET0, _mm_prefetch};
        const LINE: usize = 64;
        let start = core::ptr::from_mut(value).wrapping_add(distance).cast::<i8>().cast_const();
        for offset in (0..size_of::<T>()).step_by(LINE) {
            // SAFETY: every x86-64 CPU has SSE. A hint reads and changes no memory, and is ignored for an address that is not
            // mapped.
            unsafe { _mm_prefetch::<_MM_HINT_ET0>(start.wrapping_add(offset)) };
        }
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = (value, distance);
}

#[cfg(test)]
mod tests {
    extern crate alloc;

    use alloc::vec::Vec;

    use super::*;

    #[test]
    fn hints_change_no_value() {
        let mut values: Vec<u64> = (0..1 << 20).collect();
        values.reserve_exact(1 << 20);
        advise_huge_pages(values.spare_capacity_mut());
        advise_huge_pages::<u64>(&[]);
        values.resize(1 << 21, 5);
        values.iter_mut().step_by(8).for_each(prefetch_for_write);
        prefetch_for_write(&mut ());
        for distance in [1, values.len(), usize::MAX] {
            prefetch_ahead_for_write(&mut values[0], distance);
        }
        prefetch(&values[1 << 20..(1 << 20) + 100]);
        prefetch::<[u64]>(&[]);
        assert!(
            values[..1 << 20].iter().copied().eq(0..1 << 20)
                && values[1 << 20..].iter().all(|&value| value == 5)
        );
    }
}
