//! Engines that other people wrote, as `QUADRILLE_ENGINES` names them: the
//! program and its arguments, one engine on a line. `cargo xtask clients` looks
//! for those that Debian has.

/// Programs and their arguments.
pub(crate) fn engines() -> Vec<(String, Vec<String>)> {
    let text = std::env::var("QUADRILLE_ENGINES");
    let text = text.expect("QUADRILLE_ENGINES names engines, one on a line");
    let engine = |line: &str| {
        let mut words = line.split_whitespace().map(String::from);
        Some((words.next()?, words.collect()))
    };
    text.lines().filter_map(engine).collect()
}
