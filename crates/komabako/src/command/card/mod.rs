//! `komabako card MANIFEST…`: a dataset card in Markdown, as Hugging Face shows it, from the manifests of the commands that made a set.

mod page;

use std::path::{Path, PathBuf};

use clap::Args;
use komabako::dataset::{Input, read_whole};

use self::page::Page;
use super::stats;
use crate::context::Context;
use crate::manifest::Content;
use crate::outcome::{Failure, Outcome};

#[derive(Args)]
pub struct Card {
    #[arg(value_name = "MANIFEST", required = true)]
    manifests: Vec<PathBuf>,
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    #[arg(long, value_name = "ID")]
    license: Option<String>,
    #[arg(long, value_name = "FILE")]
    stats: Option<PathBuf>,
    #[arg(long, value_name = "FILE")]
    picture: Option<String>,
    #[arg(long, short)]
    force: bool,
}

impl Card {
    pub fn run(self, context: &Context) -> Result<Outcome, Failure> {
        let lang = context.lang;
        let manifests: Result<Vec<Content>, Failure> =
            self.manifests.iter().map(|path| read(path, context)).collect();
        let statistics = match &self.stats {
            Some(path) => Some(stats::text_of_saved(path, context)?),
            None => None,
        };
        let page = Page {
            manifests: manifests?,
            title: self.title,
            license: self.license,
            picture: self.picture,
            statistics,
            lang,
        };
        let text = page.to_string();
        let output = super::job::output(self.output.unwrap_or_else(|| PathBuf::from("-")), lang);
        let read: Vec<Input> = self.manifests.iter().chain(&self.stats).map(Input::path).collect();
        output.check(&read, self.force)?;
        output.write(text.as_bytes(), self.force)?;
        Ok(Outcome::Clean)
    }
}

fn read(path: &Path, context: &Context) -> Result<Content, Failure> {
    let lang = context.lang;
    let bytes = read_whole(path)?;
    Content::read(&bytes).ok_or_else(|| Failure::CouldNotRun(lang.no_manifest(path.display())))
}
