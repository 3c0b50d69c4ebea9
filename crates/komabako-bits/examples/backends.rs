//! Prints the backends of this CPU and the chosen one: `cargo run -p komabako-bits --example backends`.

use komabako_bits::Backend;

fn main() {
    for candidate in Backend::candidates() {
        let mark = if candidate.verdict.is_chosen() { '*' } else { ' ' };
        println!("{mark} {:8} {}", candidate.name, candidate.verdict);
    }
}
