//! Keeps the C functions of dependencies (`shogi_core` has some) out of the shared library's symbols, and names the library by the
//! version of its interface (`KOMABAKO_ABI`), which programs that are linked with it look for.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "linux") {
        println!("cargo:rustc-cdylib-link-arg=-Wl,--exclude-libs,ALL");
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libkomabako_c.so.1");
    }
}
