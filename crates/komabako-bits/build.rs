//! Passes the name in `--cfg komabako_backend="NAME"` to the crate, which refuses unknown names. (A `cfg` can only be
//! tested for known names.)

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if let Ok(name) = std::env::var("CARGO_CFG_KOMABAKO_BACKEND") {
        println!("cargo::rustc-env=KOMABAKO_FORCED_BACKEND={name}");
    }
}
