//! Where the workspace is.

use std::path::PathBuf;

/// The workspace's root directory: the parent of this package's.
pub fn root() -> PathBuf {
    let mut root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    root.pop();
    root
}
