//! `komabako man [DIRECTORY]`: the manual, a page for the program and one for each command.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use clap_mangen::Man;

use crate::cli::{self, Context};
use crate::outcome::{Failure, Outcome, Report};

#[derive(Args)]
pub struct ManPages {
    #[arg(value_name = "DIRECTORY")]
    directory: Option<PathBuf>,
}

impl ManPages {
    pub fn run(&self, context: &Context) -> Result<Outcome, Failure> {
        let command = cli::command(context.lang);
        match &self.directory {
            Some(directory) => clap_mangen::generate_to(command, directory).map_err(|error| {
                let what = context.lang.cannot_write(directory.display(), context.lang.io(&error));
                Failure::CouldNotRun(Report::new(what, context.lang.man_help()))
            })?,
            None => {
                let mut page = Vec::new();
                Man::new(command)
                    .render(&mut page)
                    .and_then(|()| io::stdout().lock().write_all(&page))
                    .map_err(|error| context.stdout_failed(&error))?;
            }
        }
        Ok(Outcome::Clean)
    }
}
