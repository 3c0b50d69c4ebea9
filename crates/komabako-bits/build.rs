//! Hands the name in `--cfg komabako_backend="NAME"` to the crate, which refuses one that it does not know. (A `cfg`
//! can only be asked for names that are known.)

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if let Ok(name) = std::env::var("CARGO_CFG_KOMABAKO_BACKEND") {
        println!("cargo::rustc-env=KOMABAKO_FORCED_BACKEND={name}");
    }
}
