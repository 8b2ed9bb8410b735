//! Links the library without code that nothing refers to.
//!
//! cargo-pgrx makes the linker keep all sections, because some of them describe the SQL objects on some platforms. That
//! makes the library four times as large, and each backend relocates all of it. On Linux the linker keeps the
//! describing section anyway.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        println!("cargo::rustc-link-arg-cdylib=-Wl,--gc-sections");
    }
}
