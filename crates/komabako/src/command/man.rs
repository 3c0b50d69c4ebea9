//! `komabako man [DIRECTORY]`: the manual, a page for the program and one for each command.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use clap_mangen::Man;
use komabako::dataset::{DatasetError, Output};

use crate::context::Context;
use crate::message::Lang;
use crate::outcome::{Failure, Outcome};

#[derive(Args)]
pub struct ManPages {
    #[arg(value_name = "DIRECTORY")]
    directory: Option<PathBuf>,
    #[arg(short, long, requires = "directory")]
    force: bool,
}

impl ManPages {
    pub fn run(&self, context: &Context) -> Result<Outcome, Failure> {
        let lang = context.lang;
        let mut program = (context.program)(lang);
        // Gives the commands the names of their pages.
        program.build();
        let Some(directory) = &self.directory else {
            let page = page(&Man::new(program), lang)?;
            io::stdout().lock().write_all(page.as_bytes())?;
            return Ok(Outcome::Clean);
        };
        let failed = |error| Failure::with_help(&error, lang.man_help(), lang);
        fs::create_dir_all(directory)
            .map_err(|error| failed(DatasetError::Create(directory.clone(), error)))?;
        let commands: Vec<_> = program.get_subcommands().cloned().collect();
        let pages: Vec<_> = [program].into_iter().chain(commands).map(Man::new).collect();
        let output = |man: &Man| Output::path(directory.join(man.get_filename()));
        Output::check_all(&Vec::from_iter(pages.iter().map(output)), &[], self.force)?;
        for man in &pages {
            output(man).write(page(man, lang)?.as_bytes(), self.force).map_err(failed)?;
        }
        Ok(Outcome::Clean)
    }
}

/// The text of a page in a language.
fn page(man: &Man, lang: Lang) -> io::Result<String> {
    let mut page = Vec::new();
    man.render(&mut page)?;
    Ok(lang.manual(&String::from_utf8_lossy(&page)))
}
