//! [`spool`]: copies streams to files.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::PathBuf;

use crate::Name;
use crate::engine::progress::InPhase;
use crate::io::archive;
use crate::{DatasetError, Inputs, Phase, Progress, Step};

/// Copies streams to files, so that they can be read again.
pub(crate) fn spool(
    inputs: Inputs,
    path: impl Fn(usize) -> PathBuf,
    progress: &mut dyn Progress,
) -> Result<Inputs<'static>, DatasetError> {
    let mut progress = InPhase { progress, phase: Phase::Spool };
    let salvage = inputs.salvage();
    inputs.spool(path, |name, mut content, path| {
        let failed = |error| DatasetError::Write(Name::from(&path), error);
        let mut file = File::create(path).map_err(failed)?;
        let mut chunk = vec![0; 1 << 20];
        let mut step = Step::default();
        let mut damage = Vec::new();
        loop {
            let read = match content.read(&mut chunk) {
                Ok(0) => return Ok(damage),
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                // The passes over the copy meet it again, and report it.
                Err(error) if let Some(error) = archive::damage(&error) => {
                    damage.push((step.bytes, error));
                    if salvage && error.fault.can_be_passed() {
                        continue;
                    }
                    return Ok(damage);
                }
                Err(error) => {
                    return Err(DatasetError::Read { input: name.into(), offset: step.bytes, error });
                }
            };
            file.write_all(&chunk[..read]).map_err(failed)?;
            step.bytes += read as u64;
            if progress.update(&step).is_break() {
                return Err(DatasetError::Cancelled);
            }
        }
    })
}
