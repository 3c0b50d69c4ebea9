//! Conditions on records, as `komabako filter --where` takes them.

use std::sync::{Arc, Mutex, PoisonError};

use komabako::dataset::select::expression::{Expression, ExpressionError, ExpressionFault, Facts};
use komabako::record::Field;
use komabako::record::record::Labels;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arguments::{OnError, Source, Threads};
use crate::arrays::{Mask, output, separate};
use crate::fault::expression_error;
use crate::records::labels;

/// Parses an expression. The last one is kept, since a call for each of many records would parse it each time.
fn parsed(text: &str) -> Result<Arc<Expression>, ExpressionError> {
    static LAST: Mutex<Option<(String, Arc<Expression>)>> = Mutex::new(None);
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((known, expression)) = &*last
        && known == text
    {
        return Ok(Arc::clone(expression));
    }
    let expression = Arc::new(text.parse::<Expression>()?);
    *last = Some((text.to_owned(), Arc::clone(&expression)));
    Ok(expression)
}

/// Whether an expression holds for each record.
#[pyfunction]
#[pyo3(signature = (records, expression, codec, out, on_error, threads, /))]
pub fn holds<'py>(
    py: Python<'py>,
    records: &Bound<'py, PyAny>,
    expression: &str,
    codec: Option<&Bound<'py, PyAny>>,
    out: Option<&Bound<'py, PyAny>>,
    on_error: OnError,
    threads: Threads,
) -> PyResult<Bound<'py, PyAny>> {
    let condition = parsed(expression).map_err(|error| {
        let names = match error.fault {
            ExpressionFault::Name(..) => Some(Expression::names().collect::<Vec<_>>().join(", ")),
            _ => None,
        };
        expression_error(py, expression, &error, names)
    })?;
    let source = Source::new(records, codec)?;
    let format = source.format();
    let is_held = |field: Field| format.is_some_and(|format| format.holds(field));
    if let Some(field) = condition.fields().iter().find(|&&field| !is_held(field)) {
        let of = format.map_or("words", |format| format.name());
        let text = format!("{expression:?} needs the field {}, which {of} do not have", field.name());
        return Err(PyValueError::new_err(text));
    }
    let mut made = output::<bool, _>(py, out, [source.len()], "out")?;
    separate(out, &[source.array()], [made.array()])?;
    let mut mask = Mask::new(py, on_error, source.len())?;
    let mut written = made.write()?;
    let positions = source.positions();
    positions.for_each(py, threads, written.table(1), mask.cells(), |row, setup, out| {
        let labels = match format {
            Some(format) => labels(&positions, format, row)?,
            None => Labels::default(),
        };
        out.cells[0] = condition.holds(&Facts { setup, labels: &labels, place: None });
        Ok(())
    })?;
    mask.with(py, made.into_array(py))
}
