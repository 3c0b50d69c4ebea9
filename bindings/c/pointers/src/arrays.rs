//! What can be checked of the caller's arrays: null and misaligned pointers, sizes beyond the address space, overlap.

/// An array of the caller: its name in the header, where it is, and its number of items; none if that has overflowed.
#[derive(Clone, Copy)]
pub struct Array<P> {
    /// The name.
    pub name: &'static str,
    /// Where it is.
    pub pointer: P,
    /// The number of items.
    pub count: Option<usize>,
}

/// An array of the caller.
pub fn array<P>(name: &'static str, pointer: P, count: Option<usize>) -> Array<P> {
    Array { name, pointer, count }
}

/// The addresses of an array's bytes.
#[derive(Clone, Copy)]
pub struct Span {
    name: &'static str,
    start: usize,
    bytes: usize,
}

impl<T> Array<*const T> {
    /// Checks that the array can exist.
    pub fn span(self) -> Result<Span, String> {
        let refuse = |why: &str| Err(format!("{} {why}", self.name));
        let bytes = self.count.and_then(|count| count.checked_mul(size_of::<T>()));
        let start = self.pointer.addr();
        let possible =
            bytes.filter(|&bytes| isize::try_from(bytes).is_ok() && start.checked_add(bytes).is_some());
        let Some(bytes) = possible else { return refuse("is longer than the address space") };
        if bytes > 0 && self.pointer.is_null() {
            return refuse("is NULL, but not empty");
        }
        if !self.pointer.is_aligned() {
            return refuse("is not aligned");
        }
        Ok(Span { name: self.name, start, bytes })
    }
}

impl<T> Array<*mut T> {
    /// The same array, to be read.
    pub fn constant(self) -> Array<*const T> {
        Array { name: self.name, pointer: self.pointer.cast_const(), count: self.count }
    }
}

/// Checks that arrays do not overlap.
///
/// # Errors
/// Two that do.
pub fn separate([first, second, third]: [Span; 3]) -> Result<(), String> {
    first.separate(second)?;
    third.separate(first)?;
    third.separate(second)
}

impl Span {
    /// Whether the array has no items.
    pub fn is_empty(self) -> bool {
        self.bytes == 0
    }

    fn separate(self, other: Span) -> Result<(), String> {
        let is_apart = self.start + self.bytes <= other.start || other.start + other.bytes <= self.start;
        if is_apart || self.is_empty() || other.is_empty() {
            return Ok(());
        }
        Err(format!("{} and {} overlap", self.name, other.name))
    }
}
