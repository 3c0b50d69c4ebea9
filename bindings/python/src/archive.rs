//! Archives whose blocks are read in any order.

use std::path::PathBuf;

use komabako::dataset::{Block, BlockFile, Input, Inputs};
use numpy::PyReadwriteArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::fault::format_error;

/// An archive in a file.
#[pyclass(frozen)]
pub struct Archive {
    path: PathBuf,
    file: BlockFile,
}

#[pymethods]
impl Archive {
    /// Opens an archive; `None` if its end is damaged, so that its blocks are not found without reading all.
    #[staticmethod]
    fn open(py: Python, path: PathBuf) -> PyResult<Option<Archive>> {
        let opened = py.detach(|| {
            let inputs = Inputs::examine(vec![Input::path(&path)], None, true)?;
            let source = &inputs.sources()[0];
            if source.detection().archive.is_none() || source.records().is_none() {
                return Ok(None);
            }
            source.block_file(1)
        });
        let file = opened.map_err(|error| format_error(py, &path, &error))?;
        Ok(file.map(|file| Archive { path, file }))
    }

    /// The format of its records.
    #[getter]
    fn format(&self) -> &'static str {
        self.file.format().name()
    }

    /// The number of the first record of each block, and of all records.
    #[getter]
    fn starts(&self) -> Vec<u64> {
        let blocks = self.file.blocks();
        (0..blocks).map(|block| self.file.first_record(block)).chain([self.file.records()]).collect()
    }

    /// The bytes of a block's records into an array, which has as many.
    fn read_block(&self, py: Python, block: u64, mut out: PyReadwriteArray1<u8>) -> PyResult<()> {
        let out = out.as_slice_mut().map_err(|error| PyValueError::new_err(error.to_string()))?;
        if block >= self.file.blocks() {
            return Err(PyValueError::new_err("no such block"));
        }
        let read = py.detach(|| {
            let mut records = Block::default();
            self.file.read_block(block, &mut Vec::new(), &mut records).map(|()| records.into_bytes())
        });
        let records = read.map_err(|error| format_error(py, &self.path, &error))?;
        if records.len() != out.len() {
            return Err(PyValueError::new_err("an array of another size than the block"));
        }
        out.copy_from_slice(&records);
        Ok(())
    }
}
