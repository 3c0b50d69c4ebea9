//! The functions that both libraries have. Python destroys each pointer that they return once.

/// Exports them, with a library's `Batch`.
#[macro_export]
macro_rules! export_batches {
    ($batch:ty) => {
        #[unsafe(no_mangle)]
        unsafe extern "C" fn fetch_next_sparse_batch(stream: *const $crate::stream::Stream) -> *mut $batch {
            $crate::guard(|| {
                // SAFETY: the caller's promise.
                let stream = unsafe { $crate::pointers::borrow("stream", stream) }?;
                Ok(stream.next()?.map(|arrays| $crate::pointers::give(<$batch>::new(arrays))))
            })
        }

        #[unsafe(no_mangle)]
        unsafe extern "C" fn destroy_sparse_batch(batch: *mut $batch) {
            // SAFETY: the caller's promise.
            $crate::discard(|| unsafe { $crate::pointers::take_back(batch) });
        }

        #[unsafe(no_mangle)]
        unsafe extern "C" fn destroy_sparse_batch_stream(stream: *mut $crate::stream::Stream) {
            // SAFETY: the caller's promise.
            $crate::discard(|| unsafe { $crate::pointers::take_back(stream) });
        }
    };
}
