//! Hints about memory, which change no value.

use core::mem::MaybeUninit;

/// Asks the system for huge pages behind a slice, initialised or not, so that look-ups all over a table of gigabytes find
/// their addresses translated; on Linux with the feature `std`. A page that is written to for the first time comes huge;
/// smaller slices, systems that do not know the request and refusals change nothing.
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
        let (start, end) = (range.start as usize, range.end as usize);
        // Whole pages of the slice alone: nobody else's memory is spoken of.
        let (first, last) = (start.next_multiple_of(HUGE_PAGE), end / HUGE_PAGE * HUGE_PAGE);
        if first < last {
            let address = memory.as_ptr().cast_mut().wrapping_byte_add(first - start);
            // SAFETY: the range lies within the slice, which is mapped as long as it is borrowed. The advice changes
            // how pages are backed, never what they hold.
            let _refused = unsafe { madvise(address.cast(), last - first, MADV_HUGEPAGE) };
        }
    }
    #[cfg(not(all(target_os = "linux", feature = "std", not(miri))))]
    let _ = memory;
}

/// Asks the CPU to have a value at hand that will be read soon. Unlike a read it keeps nothing waiting. One instruction for each 64
/// bytes on x86-64 and `AArch64`, none elsewhere.
#[inline(always)]
pub fn prefetch<T: ?Sized>(value: &T) {
    const LINE: usize = 64;
    let start = core::ptr::from_ref(value).cast::<i8>();
    for offset in (0..size_of_val(value)).step_by(LINE) {
        let address = start.wrapping_add(offset);
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        {
            use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            // SAFETY: every CPU of x86-64 has SSE. The address lies within the value, and a hint changes no memory.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(address) };
        }
        #[cfg(all(target_arch = "aarch64", not(miri)))]
        // SAFETY: the address lies within the value; a hint changes no memory, no register and no flag.
        unsafe {
            core::arch::asm!("prfm pldl1keep, [{0}]", in(reg) address, options(readonly, nostack, preserves_flags));
        }
        #[cfg(any(miri, not(any(target_arch = "x86_64", target_arch = "aarch64"))))]
        let _ = address;
    }
}

/// Asks the CPU to have a value at hand that will be overwritten soon: otherwise stores to many values one after the other
/// wait for memory, when its queue of stores is full. One instruction for each 64 bytes on x86-64, none elsewhere.
#[inline(always)]
pub fn prefetch_for_write<T>(value: &mut T) {
    prefetch_ahead_for_write(value, 0);
}

/// As [`prefetch_for_write`], for the value that comes so many values after this one in a slice. There need not be one: to ask for
/// it anyway costs less than to compare.
#[inline(always)]
pub fn prefetch_ahead_for_write<T>(value: &mut T, distance: usize) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        use core::arch::x86_64::{_MM_HINT_ET0, _mm_prefetch};
        const LINE: usize = 64;
        let start = core::ptr::from_mut(value).wrapping_add(distance).cast::<i8>().cast_const();
        for offset in (0..size_of::<T>()).step_by(LINE) {
            // SAFETY: every CPU of x86-64 has SSE. A hint reads and changes no memory, and of an address where there is none it is
            // ignored.
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
