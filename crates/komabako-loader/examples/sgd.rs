//! Trains a small network on the CPU: `sgd FILE [EPOCHS]`, for a file of any format with places of records, such as PSV.
//!
//! Inputs are `HalfKP` as seen by the side to move and by its opponent. Each side sums the rows of its active inputs (32 numbers), cuts
//! them off below 0 and above 1, and one output turns the 64 into the expected result. Plain stochastic gradient descent: of a batch,
//! position by position.

use komabako_loader::{Arrays, FeatureSet, First, Layout, LoaderError, Output, Plan, Source, Targets};

const WIDTH: usize = 32;
const SET: FeatureSet = FeatureSet::HalfKp;
/// The step along a gradient.
const RATE: f32 = 0.05;

/// A network with one hidden layer.
#[derive(Debug)]
pub struct Network {
    /// One row of weights an input.
    rows: Vec<[f32; WIDTH]>,
    biases: [f32; WIDTH],
    /// The weights of the output, for the side to move and its opponent.
    outputs: [[f32; WIDTH]; 2],
    bias: f32,
}

impl Default for Network {
    fn default() -> Network {
        Network::new()
    }
}

impl Network {
    /// A network of small weights, each from its number.
    pub fn new() -> Network {
        let weight = |number: usize| {
            // A hash of the number: weights that are alike would stay alike.
            let bits = (number as u32 + 1).wrapping_mul(0x9e37_79b9);
            ((bits ^ bits >> 15).wrapping_mul(0x85eb_ca6b) >> 8) as f32 / (1 << 24) as f32 - 0.5
        };
        let row = |number: usize| std::array::from_fn(|place| 0.1 * weight(number * WIDTH + place));
        Network {
            rows: (0..SET.inputs()).map(row).collect(),
            biases: [0.5; WIDTH],
            outputs: [row(SET.inputs()), row(SET.inputs() + 1)],
            bias: 0.0,
        }
    }

    /// The sum of the rows of a side's active inputs.
    fn hidden(&self, inputs: &[i32]) -> [f32; WIDTH] {
        let mut sums = self.biases;
        for &input in inputs.iter().take_while(|&&input| input >= 0) {
            for (sum, weight) in sums.iter_mut().zip(&self.rows[input as usize]) {
                *sum += weight;
            }
        }
        sums
    }

    /// Predicts a position, and learns from its target. Returns the square of the error before.
    fn learn(&mut self, inputs: [&[i32]; 2], target: f32, weight: f32) -> f32 {
        let sums = inputs.map(|inputs| self.hidden(inputs));
        let mut output = self.bias;
        for (sums, weights) in sums.iter().zip(&self.outputs) {
            for (sum, weight) in sums.iter().zip(weights) {
                output += sum.clamp(0.0, 1.0) * weight;
            }
        }
        let predicted = 1.0 / (1.0 + (-output).exp());
        let error = predicted - target;
        // The derivative of half the square by the output.
        let slope = RATE * weight * error * predicted * (1.0 - predicted);
        self.bias -= slope;
        for side in 0..2 {
            let mut slopes = [0.0; WIDTH];
            for place in 0..WIDTH {
                let sum = sums[side][place];
                if (0.0..=1.0).contains(&sum) {
                    slopes[place] = slope * self.outputs[side][place];
                }
                self.outputs[side][place] -= slope * sum.clamp(0.0, 1.0);
                self.biases[place] -= slopes[place];
            }
            for &input in inputs[side].iter().take_while(|&&input| input >= 0) {
                for (weight, slope) in self.rows[input as usize].iter_mut().zip(&slopes) {
                    *weight -= slope;
                }
            }
        }
        weight * error * error
    }

    /// Learns from a batch. Returns the mean square of the errors.
    pub fn learn_batch(&mut self, batch: &Arrays) -> f32 {
        let mut loss = 0.0;
        let rows = batch.stm.chunks_exact(SET.active()).zip(batch.nstm.chunks_exact(SET.active()));
        for (number, (stm, nstm)) in rows.enumerate() {
            loss += self.learn([stm, nstm], batch.targets[number], batch.weights[number]);
        }
        loss / batch.records.len().max(1) as f32
    }
}

/// The plan for a file.
pub fn plan(file: &str) -> Plan {
    let targets = Targets::logistic(600.0).lambda(0.7);
    let features = Some((SET, Layout::Padded, First::SideToMove));
    let output = Output { features, targets: Some(targets), ..Output::none() };
    Plan { sources: vec![Source::new(file)], batch: 1_024, output, ..Plan::new() }
}

/// Trains for some epochs. Returns the mean loss of each.
///
/// # Errors
/// Those of the loader.
pub fn train(plan: &Plan, epochs: u64) -> Result<Vec<f32>, LoaderError> {
    let mut loader = plan.start()?;
    let mut network = Network::new();
    let mut losses = Vec::new();
    for _ in 0..epochs {
        let mut sum = 0.0;
        let mut positions = 0;
        while let Some(batch) = loader.next()? {
            sum += network.learn_batch(&batch) * batch.len() as f32;
            positions += batch.len();
        }
        losses.push(sum / positions.max(1) as f32);
    }
    Ok(losses)
}

#[cfg_attr(test, expect(dead_code, reason = "the tests include this file as a module"))]
fn main() {
    let mut arguments = std::env::args().skip(1);
    let Some(file) = arguments.next() else {
        eprintln!("usage: sgd FILE [EPOCHS]");
        std::process::exit(2);
    };
    let epochs = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(10);
    match train(&plan(&file), epochs) {
        Ok(losses) => {
            for (epoch, loss) in losses.iter().enumerate() {
                println!("epoch {epoch}: loss {loss:.5}");
            }
        }
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(1);
        }
    }
}
