//! Shows the progress of a job: a bar on a terminal, a line every few seconds elsewhere.

use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use komabako::dataset::{Phase, Progress, Step};

use crate::context::Context;
use crate::interrupt;
use crate::message::Lang;

/// The time between two lines if standard error is not a terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(5);

/// The time a phase must run before its speed is meaningful.
const MIN_RATE_TIME: Duration = Duration::from_millis(500);

/// The progress of one job, phase by phase. Dropping it clears the display.
pub struct Meter {
    lang: Lang,
    phase: Phase,
    /// When the phase began.
    start: Instant,
    display: Display,
}

enum Display {
    Bar(Option<ProgressBar>),
    Lines {
        last: Instant,
    },
    /// Nothing, because of `--quiet`.
    Hidden,
}

impl Meter {
    /// A meter on standard error.
    pub fn new(context: &Context) -> Self {
        let start = Instant::now();
        // Nothing is drawn before the first update, so that messages printed before the job stay undisturbed.
        let display = if context.report.quiet {
            Display::Hidden
        } else if io::stderr().is_terminal() {
            Display::Bar(None)
        } else {
            Display::Lines { last: start }
        };
        Meter { lang: context.lang, phase: Phase::Whole, start, display }
    }

    fn begin(&mut self, phase: Phase) {
        self.phase = phase;
        self.start = Instant::now();
        if let Display::Bar(bar) = &mut self.display {
            clear(bar);
        }
    }

    /// Records per second in the phase so far; `None` while that is not meaningful.
    fn rate(&self, step: &Step) -> Option<f64> {
        rate(step.records, self.start.elapsed())
    }
}

impl Progress for Meter {
    fn update(&mut self, step: &Step) -> ControlFlow<()> {
        if step.phase != self.phase {
            self.begin(step.phase);
        }
        let lang = self.lang;
        let text = lang.phase(step.phase) + &lang.progress(step.records, step.bad, self.rate(step));
        match &mut self.display {
            Display::Bar(bar) => {
                let bar = bar.get_or_insert_with(spinner);
                if let (Some(total), None) = (step.total, bar.length()) {
                    bar.set_length(total);
                    bar.set_style(style(lang));
                }
                bar.set_position(step.bytes);
                bar.set_message(text);
            }
            Display::Lines { last } if last.elapsed() >= LINE_INTERVAL => {
                *last = Instant::now();
                let left = step.total.map(|total| lang.left(step.bytes, total, self.start.elapsed()));
                // A write error of standard error cannot be reported.
                let _ = writeln!(io::stderr(), "{text}{}", left.unwrap_or_default());
            }
            Display::Lines { .. } | Display::Hidden => {}
        }
        if interrupt::requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Records per second; `None` while the time is so short that opening files took most of it: the first block of a job could
/// show a hundred million per second, or ten.
fn rate(records: u64, elapsed: Duration) -> Option<f64> {
    (elapsed >= MIN_RATE_TIME).then(|| records as f64 / elapsed.as_secs_f64())
}

impl Drop for Meter {
    fn drop(&mut self) {
        if let Display::Bar(bar) = &mut self.display {
            clear(bar);
        }
    }
}

fn clear(bar: &mut Option<ProgressBar>) {
    if let Some(bar) = bar.take() {
        bar.finish_and_clear();
    }
}

/// A bar whose length is not yet known.
fn spinner() -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    bar.enable_steady_tick(Duration::from_millis(120));
    bar
}

/// The style of a bar whose length is known, with the time left in the words of a language.
fn style(lang: Lang) -> ProgressStyle {
    let style = ProgressStyle::with_template("[{bar:24}] {percent:>3}%  {msg}  {left}")
        .expect("a template of our own");
    let left = move |state: &ProgressState, out: &mut dyn fmt::Write| {
        // A write error only loses this text.
        if state.elapsed() >= MIN_RATE_TIME {
            let _ = out.write_str(&lang.time_left(lang.time(state.eta())));
        }
    };
    style.with_key("left", left).progress_chars("=> ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_block_has_no_rate() {
        assert_eq!(rate(50_000, Duration::from_micros(300)), None);
        assert_eq!(rate(50_000, MIN_RATE_TIME), Some(100_000.0));
        assert_eq!(Lang::En.progress(50_000, 1, None), "50,000 records (1 bad)");
        assert_eq!(Lang::Ja.progress(50_000, 0, Some(1e6)), "50,000 レコード、1.0 M レコード/秒");
    }
}
