//! Tables with tabs.

use super::Text;
use super::table::table;

pub(crate) const TSV: Text = table::<b'\t'>("sfen\tmove\tscore\tply\tresult\n");
