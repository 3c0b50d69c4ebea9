//! [`Select`]: which records are kept, and with what weight.

use komabako_dataset::Field;
use komabako_dataset::select::expression::{Expression, Facts, NumberName};

use crate::LoaderError;
use crate::error::Conflict;
use crate::order::{Chance, Draws};

/// The records to keep.
#[derive(Clone, Debug, Default)]
pub struct Select {
    /// Those for which it holds.
    pub where_: Option<Expression>,
    /// And those that the first rule that applies to them keeps; all others are kept.
    pub keep: Vec<Rule>,
}

/// A rule by which records are kept by chance.
#[derive(Clone, Debug)]
pub struct Rule {
    /// To which records it applies, and how likely they are kept.
    pub chance: RuleChance,
    /// The factor of the weight of those that it keeps.
    pub weight: f32,
}

/// The chance of a rule.
#[derive(Clone, Debug)]
pub enum RuleChance {
    /// Of the records for which an expression holds.
    If(Expression, f64),
    /// Of every record, by a number of it: through points (number, chance), straight between them and constant outside.
    By(String, Vec<(i64, f64)>),
}

/// The most rules: a record's is one byte.
pub(crate) const MOST_RULES: usize = 200;

/// What a byte beside a record says.
pub(crate) mod mark {
    /// It is left out.
    pub const LEFT_OUT: u8 = 0;
    /// It is kept, without a rule; the rules follow.
    pub const KEPT: u8 = 1;
    /// It is bad, and has weight 0.
    pub const WEIGHTLESS: u8 = 252;
    /// It is bad, and stops the loader.
    pub const BAD: u8 = 253;
    /// It is bad and left out.
    pub const SKIPPED: u8 = 254;
    /// It lacks a king and is left out.
    pub const KINGLESS: u8 = 255;

    /// Whether a record is kept and not bad.
    #[inline]
    pub const fn is_usable(mark: u8) -> bool {
        mark != LEFT_OUT && mark < WEIGHTLESS
    }
}

/// A selection, ready for use.
pub(crate) struct Selector {
    condition: Option<Expression>,
    rules: Vec<(Applies, Chances)>,
    /// The least score, without its sign, of records that are left out.
    pub drop_from: Option<u16>,
}

enum Applies {
    Always,
    If(Expression),
}

enum Chances {
    Fixed(Chance),
    Curve(NumberName, Vec<(i64, f64)>),
}

impl Selector {
    /// Checks a selection.
    pub fn new(select: &Select, drop_from: Option<u16>) -> Result<Selector, LoaderError> {
        if select.keep.len() > MOST_RULES {
            let value = select.keep.len() as u64;
            return Err(Conflict::Number { option: "keep", value, least: 0, most: MOST_RULES as u64 }.into());
        }
        let mut rules = Vec::new();
        for rule in &select.keep {
            if !rule.weight.is_finite() || rule.weight < 0.0 {
                return Err(Conflict::Scale("weight").into());
            }
            rules.push(match &rule.chance {
                RuleChance::If(condition, chance) => {
                    let chance = Chance::new(*chance).ok_or(Conflict::Chance("chance"))?;
                    (Applies::If(condition.clone()), Chances::Fixed(chance))
                }
                RuleChance::By(name, points) => {
                    let name = NumberName::find(name).ok_or_else(|| Conflict::Name(name.clone()))?;
                    if points.is_empty() || !points.is_sorted_by(|one, other| one.0 < other.0) {
                        return Err(Conflict::Curve.into());
                    }
                    if points.iter().any(|&(_, chance)| Chance::new(chance).is_none()) {
                        return Err(Conflict::Chance("chance").into());
                    }
                    (Applies::Always, Chances::Curve(name, points.clone()))
                }
            });
        }
        Ok(Selector { condition: select.where_.clone(), rules, drop_from })
    }

    /// Whether it has a condition or a rule.
    pub fn asks(&self) -> bool {
        self.condition.is_some() || !self.rules.is_empty()
    }

    /// Whether these need more of a position than the side to move.
    pub fn needs_positions(&self) -> bool {
        let needs = |(applies, chances): &(Applies, Chances)| {
            matches!(applies, Applies::If(condition) if condition.needs_position())
                || matches!(chances, Chances::Curve(name, _) if name.needs_position())
        };
        self.condition.as_ref().is_some_and(Expression::needs_position) || self.rules.iter().any(needs)
    }

    /// Whether it keeps every record.
    pub fn keeps_all(&self) -> bool {
        !self.asks() && self.drop_from.is_none()
    }

    /// The fields of a record that it needs.
    pub fn fields(&self) -> Vec<Field> {
        let mut fields = Vec::new();
        if let Some(expression) = &self.condition {
            fields.extend(expression.fields());
        }
        for (applies, chances) in &self.rules {
            if let Applies::If(expression) = applies {
                fields.extend(expression.fields());
            }
            if let Chances::Curve(name, _) = chances {
                fields.extend(name.field());
            }
        }
        fields
    }

    /// The mark of a record by its score.
    #[inline]
    pub fn mark_by_score(&self, score: i16) -> u8 {
        let is_left_out = self.drop_from.is_some_and(|least| score.unsigned_abs() >= least);
        if is_left_out { mark::LEFT_OUT } else { mark::KEPT }
    }

    /// Whether the labels of a record leave it out, whatever its position is.
    #[inline]
    pub fn leaves_out(&self, facts: &Facts) -> bool {
        self.condition.as_ref().is_some_and(|condition| !condition.labels_hold(facts))
    }

    /// The mark of a record that its score and its labels do not leave out, by its number in the source.
    pub fn mark(&self, facts: &Facts, draws: Draws, record: u64) -> u8 {
        if self.condition.as_ref().is_some_and(|condition| !condition.position_holds(facts)) {
            return mark::LEFT_OUT;
        }
        for (number, (applies, chances)) in self.rules.iter().enumerate() {
            if let Applies::If(condition) = applies
                && !condition.holds(facts)
            {
                continue;
            }
            let chance = match chances {
                Chances::Fixed(chance) => *chance,
                Chances::Curve(name, points) => on_curve(points, name.value(facts)),
            };
            let rule = mark::KEPT + 1 + number as u8;
            return if draws.keeps(chance, record) { rule } else { mark::LEFT_OUT };
        }
        mark::KEPT
    }
}

/// The chance of a number on a curve.
fn on_curve(points: &[(i64, f64)], number: i64) -> Chance {
    let after = points.partition_point(|&(x, _)| x <= number);
    let chance = match (after.checked_sub(1).map(|before| points[before]), points.get(after)) {
        (Some((x0, y0)), Some(&(x1, y1))) => {
            let share = (number as f64 - x0 as f64) / (x1 as f64 - x0 as f64);
            y0 + (y1 - y0) * share
        }
        (Some((_, chance)), None) | (None, Some(&(_, chance))) => chance,
        (None, None) => 1.0,
    };
    Chance::new(chance.clamp(0.0, 1.0)).unwrap_or(Chance::CERTAIN)
}
