//! [`Table`]: times by job and backend.

use std::fmt;
use std::hint::black_box;
use std::time::Instant;

use komabako_bits::Backend;

/// A job to time: its name, the number of questions it answers, and its code.
pub struct Job<'a> {
    name: String,
    questions: usize,
    run: Box<dyn FnMut() + 'a>,
}

impl<'a> Job<'a> {
    /// A job whose answer is computed and discarded.
    pub fn new<T>(name: impl Into<String>, questions: usize, mut run: impl FnMut() -> T + 'a) -> Self {
        let run = Box::new(move || {
            black_box(run());
        });
        Self { name: name.into(), questions, run }
    }
}

/// A time for each job and backend, in nanoseconds per question.
pub struct Table {
    title: &'static str,
    backends: Vec<Backend>,
    rows: Vec<(String, Vec<Option<f64>>)>,
}

impl Table {
    /// An empty table.
    pub const fn new(title: &'static str) -> Self {
        Self { title, backends: Vec::new(), rows: Vec::new() }
    }

    /// Runs the jobs of a backend in turn, round after round, and keeps the minimum time of each.
    pub fn measure(&mut self, backend: Backend, rounds: usize, mut jobs: Vec<Job>) {
        let mut least = vec![f64::INFINITY; jobs.len()];
        for _ in 0..rounds {
            for (job, least) in jobs.iter_mut().zip(&mut least) {
                let start = Instant::now();
                (job.run)();
                *least = least.min(start.elapsed().as_nanos() as f64 / job.questions as f64);
            }
        }
        for (job, time) in jobs.into_iter().zip(least) {
            self.add(job.name, backend, time);
        }
    }

    /// Adds a figure at its row and column.
    pub fn add(&mut self, name: String, backend: Backend, time: f64) {
        let column = self.backends.iter().position(|&other| other == backend).unwrap_or_else(|| {
            self.backends.push(backend);
            self.backends.len() - 1
        });
        let row = self.rows.iter().position(|(other, _)| *other == name).unwrap_or_else(|| {
            self.rows.push((name, Vec::new()));
            self.rows.len() - 1
        });
        let times = &mut self.rows[row].1;
        times.resize(times.len().max(column + 1), None);
        times[column] = Some(time);
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.backends.iter().map(|backend| backend.name()).collect();
        writeln!(f, "### {}\n\n| ns | {} |", self.title, names.join(" | "))?;
        writeln!(f, "|---|{}", "---|".repeat(names.len()))?;
        for (name, times) in &self.rows {
            write!(f, "| {name} |")?;
            for column in 0..names.len() {
                match times.get(column).copied().flatten() {
                    Some(time) => write!(f, " {time:.2} |")?,
                    None => write!(f, " – |")?,
                }
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
