//! Plots of Unicode blocks, readable without colour.

/// From nothing to a full cell, from the bottom.
const COLUMN: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// From nothing to a full cell, from the left.
const ROW: [char; 9] = [' ', '▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'];
/// From few to many.
const SHADES: [&str; 5] = ["· ", "░░", "▒▒", "▓▓", "██"];

/// A column plot: `height` lines from the top, without trailing blanks. A value above 0 shows at least an eighth of a cell.
pub fn columns(values: &[u64], height: usize, cells: usize) -> Vec<String> {
    let most = values.iter().copied().max().unwrap_or(0).max(1);
    let eighths = |value: u64| match value {
        0 => 0,
        _ => ((value as f64 / most as f64 * (8 * height) as f64).round() as usize).max(1),
    };
    (0..height)
        .rev()
        .map(|line| {
            let cell = |&value: &u64| COLUMN[eighths(value).saturating_sub(8 * line).min(8)];
            let drawn: String =
                values.iter().map(cell).flat_map(|block| std::iter::repeat_n(block, cells)).collect();
            drawn.trim_end().to_owned()
        })
        .collect()
}

/// A bar of a share from 0 to 1, at most `cells` wide.
pub fn bar(share: f64, cells: usize) -> String {
    let eighths = (share.clamp(0.0, 1.0) * (8 * cells) as f64).round() as usize;
    let mut bar: String = std::iter::repeat_n(ROW[8], eighths / 8).collect();
    if !eighths.is_multiple_of(8) {
        bar.push(ROW[eighths % 8]);
    }
    bar
}

/// Two cells for a count: a dot for 0, else a shade that is darker for larger counts, by the square root of `value / most`.
pub fn shade(value: u64, most: u64) -> &'static str {
    match value {
        0 => SHADES[0],
        _ => {
            let depth = (value as f64 / most.max(1) as f64).sqrt() * (SHADES.len() - 1) as f64;
            SHADES[(depth.ceil() as usize).clamp(1, SHADES.len() - 1)]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_reach_as_high_as_their_values() {
        assert_eq!(columns(&[16, 0, 8, 1, 0], 2, 1), ["█", "█ █▁"]);
        assert_eq!(columns(&[1, 3], 1, 2), ["▃▃██"]);
        assert_eq!(columns(&[0, 0], 1, 1), [""]);
        assert_eq!(columns(&[], 2, 1), ["", ""]);
    }

    #[test]
    fn bars_are_as_long_as_their_shares() {
        assert_eq!([0.0, 0.5, 0.5625, 1.0, 7.0].map(|share| bar(share, 2)), ["", "█", "█▏", "██", "██"]);
    }

    #[test]
    fn shades_darken() {
        assert_eq!(
            [0, 1, 25, 30, 57, 100].map(|value| shade(value, 100)),
            ["· ", "░░", "▒▒", "▓▓", "██", "██"]
        );
    }
}
