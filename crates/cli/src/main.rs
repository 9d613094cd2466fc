//! `quadrille`: the one binary. Subcommands, nothing else.

fn main() {
    println!("quadrille {}", env!("CARGO_PKG_VERSION"));
}
