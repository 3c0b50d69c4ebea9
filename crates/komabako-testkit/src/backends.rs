//! Every backend that this machine supports.

use komabako_bits::Backend;

/// Calls `check` with every backend that this CPU supports, and prints the unsupported ones with the reason.
///
/// ```
/// komabako_testkit::backends::for_each_backend(|backend| assert_eq!(backend.name().parse(), Ok(backend)));
/// ```
pub fn for_each_backend(mut check: impl FnMut(Backend)) {
    for name in Backend::NAMES {
        match name.parse() {
            Ok(backend) => check(backend),
            Err(why) => println!("skipped backend {name}: {why}"),
        }
    }
}
