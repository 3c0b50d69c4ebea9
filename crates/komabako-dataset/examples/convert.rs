//! Converts files of records to another format: `cargo run --release -p komabako-dataset --example convert IN… OUT`.

use std::env;
use std::path::PathBuf;

use komabako_dataset::convert::Job;
use komabako_dataset::{Input, Output};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let paths: Vec<PathBuf> = env::args_os().skip(1).map(PathBuf::from).collect();
    let Some((output, inputs @ [_, ..])) = paths.split_last() else {
        return Err("usage: convert IN... OUT".into());
    };
    let inputs = inputs.iter().map(Input::path).collect();
    let summary = Job::new(inputs, Output::path(output)).plan()?.run(&mut ())?;
    println!("{summary:#?}");
    Ok(())
}
