//! Line filters: text lines in, text lines out, and the policy for bad lines.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use komabako::dataset::detect::has_mark_of_utf16;
use komabako::dataset::{DatasetError, Name};

use crate::context::Context;
use crate::fault::Fault;
use crate::message::Report;
use crate::outcome::{Failure, Outcome, unless_closed_pipe};

/// Bytes read and written at a time.
const BUFFER: usize = 1 << 16;

/// The policy for bad lines.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OnBadLine {
    /// End with a message.
    Stop,
    /// Leave it out and warn at the end.
    Skip,
    /// Write `!NAME`, the error's name, in its place.
    Inline,
}

/// Translates every line of the inputs, or of standard input if there are none, and writes the results as lines to
/// standard output.
///
/// `translate` appends its result to the buffer, without a line end. Lines end with `\n` or `\r\n`; a blank line is translated
/// like any other.
pub fn filter(
    context: &Context,
    inputs: &[PathBuf],
    on_bad: OnBadLine,
    mut translate: impl FnMut(&[u8], &mut Vec<u8>) -> Result<(), Fault>,
) -> Result<Outcome, Failure> {
    let stdin = [PathBuf::from("-")];
    let inputs = if inputs.is_empty() { &stdin } else { inputs };
    let mut stdout = io::stdout().lock();
    let mut out = Vec::with_capacity(2 * BUFFER);
    let lang = context.lang;
    let mut bad = 0;
    let mut first_bad = None;
    let read = inputs.iter().try_for_each(|input| {
        for_each_line(context, input, |number, line| {
            let start = out.len();
            let result = translate(line, &mut out);
            if let Err(fault) = result {
                out.truncate(start);
                bad += 1;
                let what = first_bad.get_or_insert_with(|| {
                    let name = lang.path(input);
                    match fault.column() {
                        Some(column) => lang.at_column(name, number, column, lang.fault(&fault)),
                        None => lang.at_line(name, number, lang.fault(&fault)),
                    }
                });
                match on_bad {
                    OnBadLine::Stop => {
                        unless_closed_pipe(flush(&mut stdout, &mut out))?;
                        return Err(Failure::Bad(Report::new(what.clone(), lang.fault_help(&fault))));
                    }
                    OnBadLine::Skip => return Ok(()),
                    OnBadLine::Inline => {
                        out.push(b'!');
                        out.extend_from_slice(fault.name().as_bytes());
                    }
                }
            }
            out.push(b'\n');
            if out.len() >= BUFFER {
                flush(&mut stdout, &mut out)?;
            }
            Ok(())
        })
    });
    let written = read.and_then(|()| Ok(flush(&mut stdout, &mut out)?));
    if let (OnBadLine::Skip, Some(first)) = (on_bad, first_bad) {
        context.warn(&lang.lines_skipped(lang.bad_lines(bad), first));
    }
    match written {
        Ok(()) => Ok(Outcome::from_findings(bad > 0)),
        Err(failure) => failure.or_findings(bad > 0, context),
    }
}

/// Passes the lines of a file, or of standard input, with their numbers, and without a byte order mark.
fn for_each_line(
    context: &Context,
    path: &Path,
    mut handle: impl FnMut(u64, &[u8]) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let lang = context.lang;
    let mut reader: Box<dyn BufRead> = if path == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        let opened = File::open(path);
        let file = opened.map_err(|error| DatasetError::Open(path.to_owned(), error))?;
        Box::new(BufReader::with_capacity(BUFFER, file))
    };
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        let read = reader.read_until(b'\n', &mut line).map_err(|error| {
            Failure::CouldNotRun(Report::plain(lang.cannot_read(lang.path(path), lang.io(&error))))
        })?;
        if read == 0 {
            break;
        }
        if number == 1 && has_mark_of_utf16(&line) {
            return Err(DatasetError::Utf16(Name::from(lang.path(path))).into());
        }
        let text = line.strip_suffix(b"\n").unwrap_or(&line);
        let text = if number == 1 { text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text) } else { text };
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        handle(number, text)?;
    }
    Ok(())
}

fn flush(stdout: &mut impl Write, out: &mut Vec<u8>) -> io::Result<()> {
    stdout.write_all(out)?;
    stdout.flush()?;
    out.clear();
    Ok(())
}
