//! A tsume problem in every codec that holds it: `cargo run -p komabako-variants --example sizes`.

use komabako_board::Setup;
use komabako_codec::PositionCodec;
use komabako_variants::{C250, R238, SspfExt};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tsume: Setup = "8k/9/7S1/9/9/9/9/9/9 b 2G 1".parse()?;
    println!("sspfv1-ext  256 bits  {}", hex(&SspfExt::new().pack(&tsume)?));
    println!("c250        250 bits  {}", hex(&C250::new().pack(&tsume)?));
    println!("r238        238 bits  {}", hex(&R238::new().pack(&tsume)?[..R238::SIZE]));
    Ok(())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
