//! Prints the TypeScript of all messages; `cargo xtask types` puts it into its place.

fn main() {
    print!("{}", quadrille_desk::typescript::file());
}
