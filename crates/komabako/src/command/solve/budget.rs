//! [`Budget`]: the limits of one problem, which all its searches share.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use komabako::tsume::Limits;

/// The rest of a problem's limits.
pub struct Budget<'a> {
    begun: Instant,
    time: Option<Duration>,
    nodes: Option<u64>,
    depth: Option<u16>,
    cancel: &'a AtomicBool,
}

impl<'a> Budget<'a> {
    /// The limits of a problem whose searches begin now.
    pub fn new(
        time: Option<Duration>,
        nodes: Option<u64>,
        depth: Option<u16>,
        cancel: &'a AtomicBool,
    ) -> Self {
        Budget { begun: Instant::now(), time, nodes, depth, cancel }
    }

    /// The limits of the next search: the rest of the time and of the nodes.
    pub fn limits(&self) -> Limits<'a> {
        Limits {
            nodes: self.nodes,
            // An analysis of several searches would otherwise take the nodes again for each of them.
            report_nodes: self.nodes,
            depth: self.depth,
            time: self.time.map(|time| time.saturating_sub(self.begun.elapsed())),
            cancel: Some(self.cancel),
        }
    }

    /// Subtracts the nodes of a search.
    pub fn spend(&mut self, nodes: u64) {
        self.nodes = self.nodes.map(|left| left.saturating_sub(nodes));
    }

    /// The time since the problem's searches began.
    pub fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_searches_get_what_is_left() {
        let cancel = AtomicBool::new(false);
        let minute = Duration::from_secs(60);
        let mut budget = Budget::new(Some(2 * minute), Some(100), None, &cancel);
        budget.begun -= minute;
        budget.spend(30);
        let limits = budget.limits();
        assert!(limits.time.is_some_and(|time| time <= minute && time > Duration::ZERO));
        assert_eq!((limits.nodes, limits.report_nodes), (Some(70), Some(70)));
        budget.begun -= 2 * minute;
        // The line of a mate that a limit left inexact may take more nodes than the limit.
        budget.spend(1000);
        let limits = budget.limits();
        assert_eq!((limits.time, limits.nodes), (Some(Duration::ZERO), Some(0)));
        let unlimited = Budget::new(None, None, None, &cancel).limits();
        assert_eq!((unlimited.time, unlimited.nodes, unlimited.report_nodes), (None, None, None));
    }
}
