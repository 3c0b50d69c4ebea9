//! Tables with commas.

use super::Text;
use super::table::table;

pub(crate) const CSV: Text = table::<b','>("sfen,move,score,ply,result\n");
