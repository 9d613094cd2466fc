//! The page's copy of the messages is that of this crate.

#[test]
fn the_file_of_the_page_is_up_to_date() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../web/ui/src/lib/wire.gen.ts");
    let kept = std::fs::read_to_string(path).unwrap_or_default();
    let fresh = quadrille_desk::typescript::file();
    // Line ends may differ where a checkout converts them.
    assert!(
        kept.lines().eq(fresh.lines()),
        "crates/web/ui/src/lib/wire.gen.ts is stale: run `cargo xtask types`"
    );
}

#[test]
fn every_number_is_one_that_a_page_can_count() {
    let file = quadrille_desk::typescript::file();
    assert!(
        !file.contains("bigint"),
        "use u32 or f64, not wider integers"
    );
}
