//! A [`Plan`] as JSON, for callers in other languages.

use std::fmt::{self, Display};
use std::marker::PhantomData;
use std::path::PathBuf;
use std::str::FromStr;

use komabako_dataset::FileFormat;
use komabako_dataset::move16::MoveEncoding;
use komabako_features::bucket::Buckets;
use komabako_features::nnue::{FeatureSet, First, Missing};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::Expression;
use crate::LoaderError;
use crate::error::Conflict;
use crate::output::{Layout, Output, Planes, Policy, Targets};
use crate::plan::{OnBadRecord, OnKingless, Order, Plan, Ranks, Source};
use crate::select::{Rule, RuleChance, Select};

/// The longest text of a plan, in bytes.
const LONGEST: usize = 1 << 20;

/// The scale of scores that a plan without one has.
const SCALE: f64 = 600.0;

impl Plan {
    /// Reads a plan. Members that are missing are as in [`Plan::new`]; unknown ones are refused. `docs/c.md` lists all. A table of buckets by progress is not
    /// part of it: set [`Output::progress`].
    ///
    /// ```
    /// use komabako_loader::Plan;
    /// let plan = Plan::from_json(r#"{
    ///     "sources": [{"path": "a.psv", "weight": 1}, {"path": "b.kmb", "weight": 3, "score_scale": 1.5, "entry_weight": 0.5}],
    ///     "order": "riffle", "batch": 16384, "seed": 7, "memory": 1073741824, "threads": 4,
    ///     "where": "not in_check and abs(score) < 3000",
    ///     "keep": [{"if": "capture", "chance": 0.5}, {"by": "ply", "points": [[0, 0.1], [40, 1]], "weight": 2}],
    ///     "features": "halfka_hm2", "layout": "padded", "first": "side", "buckets": "hand64z_k3k3",
    ///     "targets": {"curve": "wrm", "offset": 270, "scaling": 380, "lambda": 0.7, "wdl": true},
    ///     "rank": 0, "world": 2, "streams": 4, "drop_last": true, "on_bad_record": "skip"
    /// }"#)?;
    /// assert_eq!(plan.sources[1].weight, Some(3));
    /// # Ok::<(), komabako_loader::LoaderError>(())
    /// ```
    ///
    /// # Errors
    /// [`Conflict::Json`] with what is wrong and where.
    pub fn from_json(text: &str) -> Result<Plan, LoaderError> {
        if text.len() > LONGEST {
            return Err(Conflict::Json(format!("{} bytes, more than a mebibyte", text.len())).into());
        }
        let Object(plan): Object<JsonPlan> =
            serde_json::from_str(text).map_err(|error| Conflict::Json(error.to_string()))?;
        plan.into_plan()
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
struct JsonPlan {
    sources: Vec<JsonSource>,
    batch: usize,
    #[serde(deserialize_with = "order")]
    order: Order,
    memory: u64,
    seed: u64,
    passes: u64,
    lag: u64,
    per_tick: Option<u64>,
    block: u64,
    #[serde(rename = "where", deserialize_with = "maybe_parsed")]
    where_: Option<Expression>,
    #[serde(deserialize_with = "rules")]
    keep: Vec<Rule>,
    rank: u64,
    world: u64,
    streams: u64,
    #[serde(deserialize_with = "maybe_parsed")]
    features: Option<FeatureSet>,
    layout: Layout,
    first: JsonFirst,
    missing: Option<JsonMissing>,
    #[serde(deserialize_with = "maybe_parsed")]
    buckets: Option<Buckets>,
    #[serde(deserialize_with = "targets")]
    targets: Option<Targets>,
    policy: Option<Policy>,
    planes: Option<Planes>,
    drop_last: bool,
    epoch_records: Option<u64>,
    on_bad_record: OnBadRecord,
    on_kingless: OnKingless,
    threads: usize,
    prefetch: usize,
}

impl Default for JsonPlan {
    fn default() -> JsonPlan {
        let plan = Plan::new();
        JsonPlan {
            sources: Vec::new(),
            batch: plan.batch,
            order: plan.order,
            memory: plan.memory,
            seed: plan.seed,
            passes: plan.passes,
            lag: plan.lag,
            per_tick: plan.per_tick,
            block: plan.block,
            where_: None,
            keep: Vec::new(),
            rank: plan.ranks.rank,
            world: plan.ranks.world,
            // One for each rank.
            streams: 0,
            features: None,
            layout: Layout::Padded,
            first: JsonFirst::Side,
            missing: None,
            buckets: None,
            targets: None,
            policy: None,
            planes: None,
            drop_last: plan.drop_last,
            epoch_records: plan.epoch_records,
            on_bad_record: plan.on_bad_record,
            on_kingless: plan.on_kingless,
            threads: plan.threads,
            prefetch: plan.prefetch,
        }
    }
}

impl JsonPlan {
    fn into_plan(self) -> Result<Plan, LoaderError> {
        let without_features = [
            ("layout", self.layout != Layout::Padded),
            ("first", self.first != JsonFirst::Side),
            ("missing", self.missing.is_some()),
        ];
        if self.features.is_none()
            && let Some((option, _)) = without_features.into_iter().find(|&(_, is_given)| is_given)
        {
            return Err(Conflict::Features(option).into());
        }
        let first = match self.first {
            JsonFirst::Side => First::SideToMove,
            JsonFirst::Black => First::Black,
        };
        let missing = self.missing.map(|missing| match missing {
            JsonMissing::Omit => Missing::Omit,
            JsonMissing::Zero => Missing::Zero,
        });
        Ok(Plan {
            sources: self.sources.into_iter().map(|source| source.0).collect(),
            batch: self.batch,
            order: self.order,
            memory: self.memory,
            seed: self.seed,
            passes: self.passes,
            lag: self.lag,
            per_tick: self.per_tick,
            block: self.block,
            select: Select { where_: self.where_, keep: self.keep },
            ranks: Ranks { rank: self.rank, world: self.world, streams: self.streams },
            output: Output {
                features: self.features.map(|set| (set, self.layout, first)),
                sorted: false,
                missing,
                buckets: self.buckets,
                progress: None,
                targets: self.targets,
                policy: self.policy,
                planes: self.planes,
            },
            drop_last: self.drop_last,
            epoch_records: self.epoch_records,
            on_bad_record: self.on_bad_record,
            on_kingless: self.on_kingless,
            threads: self.threads,
            prefetch: self.prefetch,
        })
    }
}

/// An object. Derived code reads a list as well, whose items would be members without names.
struct Object<T>(T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Object<T>, D::Error> {
        deserializer.deserialize_map(ObjectVisitor(PhantomData)).map(Object)
    }
}

struct ObjectVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonFile {
    path: PathBuf,
    #[serde(default, deserialize_with = "maybe_parsed")]
    format: Option<FileFormat>,
    #[serde(default, deserialize_with = "encoding")]
    moves: Option<MoveEncoding>,
    score_scale: Option<f64>,
    weight: Option<u64>,
    entry_weight: Option<f32>,
    #[serde(default)]
    skip_repetition: bool,
}

/// A path, or a file with options.
struct JsonSource(Source);

impl<'de> Deserialize<'de> for JsonSource {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<JsonSource, D::Error> {
        deserializer.deserialize_any(SourceVisitor).map(JsonSource)
    }
}

struct SourceVisitor;

impl<'de> Visitor<'de> for SourceVisitor {
    type Value = Source;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a path or an object")
    }

    fn visit_str<E: Error>(self, path: &str) -> Result<Source, E> {
        Ok(Source::new(path))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Source, A::Error> {
        let file = JsonFile::deserialize(MapAccessDeserializer::new(map))?;
        Ok(Source {
            format: file.format,
            moves: file.moves,
            score_scale: file.score_scale,
            weight: file.weight,
            entry_weight: file.entry_weight.unwrap_or(1.0),
            skip_repetition: file.skip_repetition,
            ..Source::new(file.path)
        })
    }
}

/// The members of a rule: by an expression, or by a number.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonRule {
    #[serde(rename = "if", default, deserialize_with = "maybe_parsed")]
    condition: Option<Expression>,
    chance: Option<f64>,
    by: Option<String>,
    points: Option<Vec<(i64, f64)>>,
    weight: Option<f32>,
}

/// The rules of `keep`.
fn rules<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Rule>, D::Error> {
    let rules = Vec::<Object<JsonRule>>::deserialize(deserializer)?;
    let rules = rules.into_iter().map(|Object(rule)| {
        let chance = match (rule.condition, rule.chance, rule.by, rule.points) {
            (Some(condition), Some(chance), None, None) => RuleChance::If(condition, chance),
            (None, None, Some(by), Some(points)) => RuleChance::By(by, points),
            _ => return Err(D::Error::custom("a rule has either `if` and `chance` or `by` and `points`")),
        };
        Ok(Rule { chance, weight: rule.weight.unwrap_or(1.0) })
    });
    rules.collect()
}

#[derive(PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum JsonFirst {
    Side,
    Black,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum JsonMissing {
    Omit,
    Zero,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonTargets {
    curve: JsonCurve,
    scale: Option<f64>,
    mate: Option<i16>,
    offset: Option<f64>,
    scaling: Option<f64>,
    lambda: Option<f64>,
    #[serde(default)]
    wdl: bool,
    score_clip: Option<u16>,
    score_drop_abs: Option<u16>,
    #[serde(default)]
    drop: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum JsonCurve {
    Logistic,
    Wrm,
}

impl JsonTargets {
    /// Converts the members to targets; the error names a member of the other curve.
    fn into_targets(self) -> Result<Targets, String> {
        let others = match self.curve {
            JsonCurve::Logistic => [("offset", self.offset.is_some()), ("scaling", self.scaling.is_some())],
            JsonCurve::Wrm => [("scale", self.scale.is_some()), ("mate", self.mate.is_some())],
        };
        if let Some((name, _)) = others.iter().find(|(_, is_given)| *is_given) {
            return Err(format!("`{name}` is of the other curve"));
        }
        let mut targets = match (self.curve, self.mate) {
            (JsonCurve::Logistic, None) => Targets::logistic(self.scale.unwrap_or(SCALE)),
            (JsonCurve::Logistic, Some(mate)) => {
                Targets::logistic_with_mates(self.scale.unwrap_or(SCALE), mate)
            }
            (JsonCurve::Wrm, _) => Targets::wrm(self.offset.unwrap_or(270.0), self.scaling.unwrap_or(380.0)),
        };
        targets.wdl = self.wdl;
        targets.score_clip = self.score_clip;
        targets.score_drop_abs = self.score_drop_abs;
        targets.drop = self.drop;
        Ok(targets.lambda(self.lambda.unwrap_or(1.0)))
    }
}

fn targets<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Targets>, D::Error> {
    let targets = Option::<Object<JsonTargets>>::deserialize(deserializer)?;
    targets.map(|Object(targets)| targets.into_targets()).transpose().map_err(D::Error::custom)
}

fn order<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Order, D::Error> {
    let name = String::deserialize(deserializer)?;
    Order::from_name(&name).ok_or_else(|| {
        D::Error::custom(format!("`{name}` is not one of the orders riffle, stream, file, uniform"))
    })
}

/// A letter of an encoding of moves, or null.
fn encoding<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<MoveEncoding>, D::Error> {
    let Some(letter) = Option::<char>::deserialize(deserializer)? else { return Ok(None) };
    let known = MoveEncoding::ALL.into_iter().find(|encoding| encoding.letter() == letter);
    known.map(Some).ok_or_else(|| D::Error::custom(format!("`{letter}` is none of the encodings A, B, C")))
}

/// A text that is read by its own rules, or null. The error begins with the fault: a caller's buffer may be shorter than the text.
fn maybe_parsed<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr,
    T::Err: Display,
{
    let Some(text) = Option::<String>::deserialize(deserializer)? else { return Ok(None) };
    text.parse().map(Some).map_err(|error| D::Error::custom(format!("{error}: {text}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> String {
        Plan::from_json(text).unwrap_err().to_string()
    }

    #[test]
    fn what_is_missing_is_as_in_a_new_plan() {
        let plan = Plan::from_json("{}").unwrap();
        let new = Plan { ranks: Ranks { streams: 0, ..Ranks::default() }, ..Plan::new() };
        assert_eq!(format!("{plan:?}"), format!("{new:?}"));
    }

    #[test]
    fn every_member_reaches_the_plan() {
        let plan = Plan::from_json(
            r#"{
                "sources": ["a.psv", {"path": "b.hcpe", "format": "hcpe", "moves": "C", "score_scale": 1.5, "weight": 3,
                    "entry_weight": 0.5, "skip_repetition": true}],
                "batch": 5, "order": "file", "memory": 6, "seed": 7, "passes": 8, "lag": 9, "per_tick": 10, "block": 11,
                "where": "won", "keep": [{"if": "lost", "chance": 0.25}, {"by": "ply", "points": [[0, 0.5], [9, 1]], "weight": 2}],
                "rank": 1, "world": 2, "streams": 4, "features": "halfkp", "layout": "coo", "first": "black", "missing": "zero",
                "buckets": "k3k3", "policy": "compact_moves", "planes": "f16", "drop_last": true, "epoch_records": 12,
                "targets": {"curve": "wrm", "offset": 200, "scaling": 300, "lambda": 0.5, "wdl": true, "score_clip": 2000,
                    "score_drop_abs": 3000, "drop": true},
                "on_bad_record": "weight0", "on_kingless": "zero", "threads": 3, "prefetch": 13
            }"#,
        );
        let plan = plan.unwrap();
        let mut targets = Targets::wrm(200.0, 300.0).lambda(0.5);
        targets.wdl = true;
        targets.score_clip = Some(2000);
        targets.score_drop_abs = Some(3000);
        targets.drop = true;
        let second = Source {
            format: Some(FileFormat::Hcpe),
            moves: Some(MoveEncoding::Apery),
            score_scale: Some(1.5),
            weight: Some(3),
            entry_weight: 0.5,
            skip_repetition: true,
            ..Source::new("b.hcpe")
        };
        let keep = vec![
            Rule { chance: RuleChance::If("lost".parse().unwrap(), 0.25), weight: 1.0 },
            Rule { chance: RuleChance::By("ply".into(), vec![(0, 0.5), (9, 1.0)]), weight: 2.0 },
        ];
        let expected = Plan {
            sources: vec![Source::new("a.psv"), second],
            batch: 5,
            order: Order::File,
            memory: 6,
            seed: 7,
            passes: 8,
            lag: 9,
            per_tick: Some(10),
            block: 11,
            select: Select { where_: Some("won".parse().unwrap()), keep },
            ranks: Ranks { rank: 1, world: 2, streams: 4 },
            output: Output {
                features: Some((FeatureSet::HalfKp, Layout::Coo, First::Black)),
                sorted: false,
                missing: Some(Missing::Zero),
                buckets: Some("k3k3".parse().unwrap()),
                progress: None,
                targets: Some(targets),
                policy: Some(Policy::CompactMoves),
                planes: Some(Planes::F16),
            },
            drop_last: true,
            epoch_records: Some(12),
            on_bad_record: OnBadRecord::Weight0,
            on_kingless: OnKingless::Zero,
            threads: 3,
            prefetch: 13,
        };
        assert_eq!(format!("{plan:?}"), format!("{expected:?}"));
    }

    #[test]
    fn faults_are_named() {
        for (text, named) in [
            ("[", "line 1"),
            (r#"{"ordre": "file"}"#, "ordre"),
            (r#"{"order": "fiel"}"#, "`fiel`"),
            (r#"{"where": "scroe > 1"}"#, "`score`"),
            (r#"{"features": "halfq"}"#, "halfq"),
            (r#"{"sources": [{"path": "a", "wieght": 1}]}"#, "wieght"),
            (r#"{"sources": [{"path": "a", "moves": "D"}]}"#, "`D`"),
            (r#"{"keep": [{"by": "ply", "point": []}]}"#, "point"),
            (r#"{"keep": [{"by": "ply", "chance": 1}]}"#, "`points`"),
            (r#"{"keep": [["ply"]]}"#, "an object"),
            (r#"[["a.psv"], 77]"#, "an object"),
            (r#"{"sources": [{"path": "a", "path": "b"}]}"#, "duplicate field `path`"),
            (r#"{"sources": [["a"]]}"#, "a path or an object"),
            (r#"{"layout": "coo"}"#, "`layout` without `features`"),
            (r#"{"first": "black"}"#, "`first` without"),
            (r#"{"missing": "omit"}"#, "`missing` without"),
            (r#"{"on_bad_record": "ignore"}"#, "ignore"),
            (r#"{"targets": {"curve": "sigmoid"}}"#, "sigmoid"),
        ] {
            assert!(fault(text).contains(named), "{text}: {}", fault(text));
        }
        let long = format!(r#"{{"where": "{}ply >"}}"#, "ply > 1 and ".repeat(50));
        assert!(fault(&long).starts_with("not a plan: column 606: expected a name"), "{}", fault(&long));
        assert!(fault(&" ".repeat(LONGEST + 1)).contains("1048577"));
        assert!(fault(&"[".repeat(100_000)).contains("line 1"));
    }
}
