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
