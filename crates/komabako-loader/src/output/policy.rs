//! [`Policy`]: the moves that a network learns to predict.

use crate::error::PolicyFault;
use serde::Deserialize;

/// The moves that a network learns to predict.
#[derive(Clone, Copy, PartialEq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Policy {
    /// The recorded move as a class of 2,187; −1 without one.
    Moves,
    /// The recorded move as a class of 1,496; −1 without one.
    CompactMoves,
    /// The candidates of hcpe3 as probabilities of the 2,187 classes, from their visits.
    Visits {
        /// The temperature, as in [`probabilities`].
        temperature: f64,
        /// How they are laid out.
        layout: PolicyLayout,
    },
}

/// How probabilities of classes are laid out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PolicyLayout {
    /// A row of 2,187 for each record.
    Dense,
    /// The classes and probabilities of all candidates one after another, and where those of each record start.
    Csr,
}

/// The candidates of some records: two bytes of a move in Apery's encoding, and two of its visits.
#[derive(Clone, PartialEq, Default, Debug)]
pub(crate) struct Visits {
    candidates: Vec<[u8; 4]>,
    /// The end of those of each record.
    ends: Vec<u32>,
}

impl Visits {
    pub fn clear(&mut self) {
        self.candidates.clear();
        self.ends.clear();
    }

    /// Adds a record.
    pub fn push(&mut self, candidates: &[[u8; 4]]) {
        self.candidates.extend_from_slice(candidates);
        self.ends.push(self.candidates.len() as u32);
    }

    /// The candidates of a record; none if they were not noted.
    pub fn get(&self, index: usize) -> &[[u8; 4]] {
        let Some(&end) = self.ends.get(index) else { return &[] };
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.candidates[start as usize..end as usize]
    }

    /// Removes the first records.
    pub fn drop_first(&mut self, records: usize) {
        let records = records.min(self.ends.len());
        let Some(&end) = records.checked_sub(1).and_then(|last| self.ends.get(last)) else { return };
        self.candidates.drain(..end as usize);
        self.ends.drain(..records);
        for other in &mut self.ends {
            *other -= end;
        }
    }
}

/// Probabilities from visits at a temperature: 0 is the first of those with the most visits, 1 proportional to the visits, larger ones
/// more even. A single candidate is certain.
///
/// # Errors
/// [`PolicyFault::Temperature`] below 0 or not finite; [`PolicyFault::NoVisits`] if there are several and all are 0.
///
/// ```
/// use komabako_loader::probabilities;
/// let mut out = Vec::new();
/// probabilities(&[3, 1], 1.0, &mut out)?;
/// assert_eq!(out, [0.75, 0.25]);
/// # Ok::<(), komabako_loader::error::PolicyFault>(())
/// ```
pub fn probabilities(visits: &[u16], temperature: f64, out: &mut Vec<f32>) -> Result<(), PolicyFault> {
    if !temperature.is_finite() || temperature < 0.0 {
        return Err(PolicyFault::Temperature);
    }
    out.clear();
    if visits.len() == 1 {
        out.push(1.0);
        return Ok(());
    }
    let most = visits.iter().copied().max().unwrap_or(0);
    if most == 0 && !visits.is_empty() {
        return Err(PolicyFault::NoVisits);
    }
    if temperature == 0.0 {
        let first = visits.iter().position(|&count| count == most);
        out.extend((0..visits.len()).map(|place| if Some(place) == first { 1.0 } else { 0.0 }));
    } else if temperature == 1.0 {
        let sum: u32 = visits.iter().map(|&count| u32::from(count)).sum();
        out.extend(visits.iter().map(|&count| f32::from(count) / sum as f32));
    } else {
        // Relative to the most visits, so that no power overflows.
        let power = |count: u16| (f64::from(count) / f64::from(most)).powf(1.0 / temperature);
        let sum: f64 = visits.iter().map(|&count| power(count)).sum();
        out.extend(visits.iter().map(|&count| (power(count) / sum) as f32));
    }
    Ok(())
}
