//! Batches for training: the loader's arrays as NumPy's, without a copy.

use std::path::PathBuf;
use std::sync::Arc;

use komabako::features::dlshogi::{FEATURES1, FEATURES1_BYTES, FEATURES2, FEATURES2_BYTES};
use komabako::features::label::LABELS;
use komabako::loader::{
    Arrays, FeatureSet, Layout, LoaderError, Plan, Planes, Policy, PolicyLayout, Progress16,
};
use numpy::{Element, PyArray1, PyArrayMethods, PyReadonlyArray1, PyUntypedArray};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::load_numpy;
use crate::fault::{loader_error, source_error};
use crate::own::Own;
use crate::stream::SIGNAL_INTERVAL;

/// Merges the states of ranks after one step.
#[pyfunction]
pub fn merge_states(py: Python, states: Vec<String>) -> PyResult<String> {
    let merged = komabako::loader::merge_states(states.iter().map(String::as_str));
    merged.map_err(|error| raised(py, &error))
}

/// A loader, whose plan is JSON.
#[pyclass(frozen)]
pub struct Loader {
    loader: Own<komabako::loader::Loader>,
    features: Option<(FeatureSet, Layout)>,
    planes: Option<Planes>,
    /// Whether it has the probabilities of candidates, and whether in rows of all classes.
    has_visits: bool,
    is_dense: bool,
}

#[pymethods]
impl Loader {
    /// Opens the files. `paths`: those of the sources, since names in JSON are Unicode text. `arrays`: the records of sources in memory,
    /// by the source's number; they are copied. `progress`: the weights and the bias of buckets by progress.
    #[new]
    #[pyo3(signature = (plan, paths, arrays, progress=None))]
    fn new(
        py: Python,
        plan: &str,
        paths: Vec<PathBuf>,
        arrays: Vec<(usize, PyReadonlyArray1<u8>)>,
        progress: Option<(PyReadonlyArray1<i32>, i32)>,
    ) -> PyResult<Loader> {
        load_numpy(py);
        let mut plan = Plan::from_json(plan).map_err(|error| raised(py, &error))?;
        for (source, path) in plan.sources.iter_mut().zip(paths) {
            source.path = path;
        }
        for (number, records) in arrays {
            if let Some(source) = plan.sources.get_mut(number) {
                source.records = Some(records.as_slice()?.into());
            }
        }
        if let Some((weights, bias)) = progress {
            let weights: Arc<[i32]> = weights.as_array().iter().copied().collect();
            plan.output.progress = Some(Progress16 { weights, bias });
        }
        let features = plan.output.features.map(|(set, layout, _)| (set, layout));
        let planes = plan.output.planes;
        let visits = match plan.output.policy {
            Some(Policy::Visits { layout, .. }) => Some(layout),
            _ => None,
        };
        let loader = py.detach(|| plan.start()).map_err(|error| raised(py, &error))?;
        Ok(Loader {
            loader: Own::new(loader),
            features,
            planes,
            has_visits: visits.is_some(),
            is_dense: visits == Some(PolicyLayout::Dense),
        })
    }

    /// The arrays of the next batch that the plan asks for, by the names in `loader.py`; `None` at the end of the epoch.
    fn next<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        loop {
            let made = self.call(py, |loader| {
                loader.next_within(SIGNAL_INTERVAL).map(|made| Ok(made?.map(|batch| batch.into_arrays())))
            });
            match made {
                Some(Ok(Some(arrays))) => return self.dict(py, arrays).map(Some),
                Some(Ok(None)) => return Ok(None),
                Some(Err(error)) => return Err(raised(py, &error)),
                // The batch is not lost: the next call waits for it, and the state is that before it.
                None => py.check_signals()?,
            }
        }
    }

    /// The state after the batch that was returned last, as JSON.
    fn state(&self, py: Python) -> String {
        self.call(py, |loader| loader.state())
    }

    /// Goes on from a state.
    fn resume(&self, py: Python, state: &str) -> PyResult<()> {
        self.call(py, |loader| loader.resume(state)).map_err(|error| raised(py, &error))
    }

    /// Begins an epoch.
    fn set_epoch(&self, py: Python, epoch: u64) {
        self.call(py, |loader| loader.set_epoch(epoch));
    }

    /// The number of the epoch that the next batch is of.
    #[getter]
    fn epoch(&self, py: Python) -> u64 {
        self.call(py, |loader| loader.epoch())
    }

    /// The number of batches of an epoch, if it is known.
    #[getter]
    fn batches(&self, py: Python) -> Option<u64> {
        self.call(py, |loader| loader.len())
    }

    /// The records that were left out because they lack a king, and because they are bad.
    #[getter]
    fn left_out(&self, py: Python) -> (u64, u64) {
        let counts = self.call(py, |loader| loader.counts());
        (counts.kingless, counts.bad)
    }
}

impl Loader {
    /// Calls the loader. Waits without the GIL, so that a thread that waits for one never holds the other.
    fn call<T: Send>(&self, py: Python, call: impl FnOnce(&mut komabako::loader::Loader) -> T + Send) -> T {
        py.detach(|| self.loader.with(call))
    }

    fn dict<'py>(&self, py: Python<'py>, arrays: Arrays) -> PyResult<Bound<'py, PyDict>> {
        let made = PyDict::new(py);
        made.set_item(intern!(py, "records"), PyArray1::from_vec(py, arrays.records.into_flattened()))?;
        made.set_item(intern!(py, "weights"), PyArray1::from_vec(py, arrays.weights))?;
        if let Some((set, layout)) = self.features {
            let width: &[usize] = match layout {
                Layout::Padded => &[set.active()],
                Layout::Coo => &[2],
                Layout::Offsets => &[],
            };
            made.set_item(intern!(py, "stm"), table(py, arrays.stm, width)?)?;
            made.set_item(intern!(py, "nstm"), table(py, arrays.nstm, width)?)?;
            if layout == Layout::Offsets {
                made.set_item(intern!(py, "stm_offsets"), PyArray1::from_vec(py, arrays.stm_offsets))?;
                made.set_item(intern!(py, "nstm_offsets"), PyArray1::from_vec(py, arrays.nstm_offsets))?;
            }
        }
        // A batch has at least one record: what is empty was not asked for.
        if !arrays.buckets.is_empty() {
            made.set_item(intern!(py, "buckets"), PyArray1::from_vec(py, arrays.buckets))?;
        }
        if !arrays.targets.is_empty() {
            made.set_item(intern!(py, "targets"), PyArray1::from_vec(py, arrays.targets))?;
        }
        if !arrays.wdl.is_empty() {
            made.set_item(intern!(py, "wdl"), table(py, arrays.wdl, &[3])?)?;
        }
        if !arrays.moves.is_empty() {
            made.set_item(intern!(py, "moves"), PyArray1::from_vec(py, arrays.moves))?;
        }
        if self.has_visits {
            let classes = arrays.classes;
            let width: &[usize] = if self.is_dense { &[LABELS] } else { &[] };
            made.set_item(intern!(py, "probabilities"), table(py, arrays.probabilities, width)?)?;
            if !self.is_dense {
                made.set_item(intern!(py, "classes"), PyArray1::from_vec(py, classes))?;
                made.set_item(intern!(py, "class_offsets"), PyArray1::from_vec(py, arrays.class_offsets))?;
            }
        }
        match self.planes {
            None => {}
            Some(Planes::F32) => set_boards(&made, arrays.planes1, arrays.planes2)?,
            Some(Planes::F16) => set_boards(&made, arrays.planes1_f16, arrays.planes2_f16)?,
            Some(Planes::U8) => set_boards(&made, arrays.planes1_bytes, arrays.planes2_bytes)?,
            Some(Planes::Bits) => {
                made.set_item(
                    intern!(py, "features1"),
                    table(py, arrays.planes1_bytes, &[FEATURES1_BYTES])?,
                )?;
                made.set_item(
                    intern!(py, "features2"),
                    table(py, arrays.planes2_bytes, &[FEATURES2_BYTES])?,
                )?;
            }
        }
        made.set_item(intern!(py, "epoch"), arrays.epoch)?;
        made.set_item(intern!(py, "step"), arrays.step)?;
        Ok(made)
    }
}

/// An array whose rows have this shape.
fn table<'py, T: Element>(
    py: Python<'py>,
    values: Vec<T>,
    row: &[usize],
) -> PyResult<Bound<'py, PyUntypedArray>> {
    let rows = values.len() / row.iter().product::<usize>();
    let mut shape = vec![rows];
    shape.extend(row);
    Ok(PyArray1::from_vec(py, values).reshape(shape)?.as_untyped().clone())
}

fn set_boards<T: Element>(made: &Bound<PyDict>, first: Vec<T>, second: Vec<T>) -> PyResult<()> {
    let py = made.py();
    made.set_item(intern!(py, "features1"), table(py, first, &[FEATURES1, 9, 9])?)?;
    made.set_item(intern!(py, "features2"), table(py, second, &[FEATURES2, 9, 9])?)
}

/// The exception for an error of the loader.
fn raised(py: Python, error: &LoaderError) -> PyErr {
    match error {
        LoaderError::Source(error) => source_error(py, error),
        error => loader_error(py, error.kind(), error.to_string()),
    }
}
