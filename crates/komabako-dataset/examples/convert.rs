//! Converts files of records to another format: `cargo run --release -p komabako-dataset --example convert IN… OUT`.

use std::env;
use std::path::PathBuf;

use komabako_dataset::convert::Job;
use komabako_dataset::{Input, Output};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut paths: Vec<PathBuf> = env::args_os().skip(1).map(PathBuf::from).collect();
    let output = paths.pop().filter(|_| !paths.is_empty()).ok_or("usage: convert IN... OUT")?;
    let inputs = paths.iter().map(Input::path).collect();
    let summary = Job::new(inputs, Output::path(output)).plan()?.run(&mut ())?;
    println!("{summary:#?}");
    Ok(())
}
