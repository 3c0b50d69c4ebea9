//! The parser, which turns text into a tree by binding powers (Pratt) and resolves names and types as it reads.
//!
//! Pseudo-code of [`Parser::expression`]:
//!
//! ```text
//! expression(least):
//!     left = operand                      a name, a number, ( … ), or a sign before an operand
//!     while the next operator binds more tightly than `least`:
//!         right = expression(its power)   so that operators of the same power join from the left
//!         left = left operator right
//! ```
//!
//! An earlier version used a parser for Rust's grammar: its errors were in its own words, in English, and mentioned constructs
//! that these expressions do not have.

use super::token::{Token, TokenKind, tokens};
use super::tree::{Comparison, NumberTree, Operation, TextTree, TruthTree};
use super::vocabulary::{Name, Value, Vocabulary, closest_name};
use super::{ExpressionError, ExpressionFault, ValueType};
use crate::Field;

/// Binding powers, loosest first. The word `not` binds like Python's, so that `not score > 0` means what it seems to; `!` binds
/// like Rust's.
mod power {
    pub const OR: u8 = 1;
    pub const AND: u8 = 2;
    pub const NOT: u8 = 3;
    pub const COMPARISON: u8 = 4;
    pub const XOR: u8 = 5;
    pub const SUM: u8 = 6;
    pub const PRODUCT: u8 = 7;
    pub const SIGN: u8 = 8;
}

/// Parses an expression in a vocabulary: its tree, and the fields of a record that it needs, each once.
pub(crate) fn parse<V: Vocabulary>(text: &str) -> Result<(TruthTree<V>, Vec<Field>), ExpressionError> {
    if text.len() > ExpressionFault::MAX_LENGTH {
        let column = text.floor_char_boundary(ExpressionFault::MAX_LENGTH);
        let column = text[..column].chars().count() + 1;
        return Err(ExpressionError { column, fault: ExpressionFault::TooLong });
    }
    let end = text.chars().count() + 1;
    let names = V::NAMES;
    let mut parser = Parser { names, tokens: tokens(text)?, next: 0, end, fields: Vec::new(), depth: 0 };
    let part = parser.expression(0)?;
    match parser.peek() {
        // The remaining tokens do not continue the expression: an operator is missing before them.
        Some(token) => Err(fault(token.column, ExpressionFault::Operator(token.text.to_owned()))),
        None => Ok((part.truth()?, parser.fields)),
    }
}

struct Parser<'t, V: Vocabulary> {
    names: &'static [Name<V>],
    tokens: Vec<Token<'t>>,
    next: usize,
    /// The column after the last token.
    end: usize,
    /// The fields that the expression needs.
    fields: Vec<Field>,
    /// The number of open calls of [`Parser::expression`].
    depth: usize,
}

/// A part of an expression and the column at which it starts.
struct Part<V: Vocabulary> {
    column: usize,
    tree: Tree<V>,
}

/// A tree of any type.
enum Tree<V: Vocabulary> {
    Number(NumberTree<V>),
    Truth(TruthTree<V>),
    Text(TextTree<V>),
}

/// An operator between two parts.
enum Infix {
    Arithmetic(Operation),
    Compare(Comparison),
    Contains,
    And,
    Or,
    Differ,
}

impl Infix {
    /// The operator of a token, and its binding power.
    fn from_token(token: &Token) -> Option<(Infix, u8)> {
        Some(match token.text {
            "||" | "or" => (Infix::Or, power::OR),
            "&&" | "and" => (Infix::And, power::AND),
            "==" => (Infix::Compare(Comparison::Equal), power::COMPARISON),
            "!=" => (Infix::Compare(Comparison::NotEqual), power::COMPARISON),
            "<" => (Infix::Compare(Comparison::Less), power::COMPARISON),
            "<=" => (Infix::Compare(Comparison::LessOrEqual), power::COMPARISON),
            ">" => (Infix::Compare(Comparison::Greater), power::COMPARISON),
            ">=" => (Infix::Compare(Comparison::GreaterOrEqual), power::COMPARISON),
            "contains" => (Infix::Contains, power::COMPARISON),
            "^" => (Infix::Differ, power::XOR),
            "+" => (Infix::Arithmetic(Operation::Add), power::SUM),
            "-" => (Infix::Arithmetic(Operation::Subtract), power::SUM),
            "*" => (Infix::Arithmetic(Operation::Multiply), power::PRODUCT),
            "/" => (Infix::Arithmetic(Operation::Divide), power::PRODUCT),
            "%" => (Infix::Arithmetic(Operation::Remainder), power::PRODUCT),
            _ => return None,
        })
    }
}

impl<'t, V: Vocabulary> Parser<'t, V> {
    fn peek(&self) -> Option<Token<'t>> {
        self.tokens.get(self.next).copied()
    }

    /// Skips the next token if it is this sign.
    fn accept(&mut self, sign: &str) -> bool {
        let is_next = self.peek().is_some_and(|token| token.text == sign);
        self.next += usize::from(is_next);
        is_next
    }

    /// Skips `(move)`, which ends the names of what is asked of the recorded move.
    fn accept_move(&mut self) -> bool {
        let follows = self.tokens[self.next..].iter().map(|token| token.text).take(3).eq(["(", "move", ")"]);
        if follows {
            self.next += 3;
        }
        follows
    }

    /// Parses up to an operator that binds no more tightly than `least`.
    fn expression(&mut self, least: u8) -> Result<Part<V>, ExpressionError> {
        // Each level takes several kilobytes of stack in unoptimised builds, and threads may have small stacks.
        self.depth += 1;
        if self.depth > ExpressionFault::MAX_DEPTH {
            let column = self.peek().map_or(self.end, |token| token.column);
            return Err(fault(column, ExpressionFault::TooDeep));
        }
        let mut left = self.operand()?;
        let mut compared = false;
        while let Some(token) = self.peek()
            && let Some((infix, power)) = Infix::from_token(&token)
            && power > least
        {
            let compares = power == power::COMPARISON;
            if compares && compared {
                return Err(fault(token.column, ExpressionFault::Chained));
            }
            compared = compares;
            self.next += 1;
            let right = self.expression(power)?;
            left = Part { column: left.column, tree: join(left, &infix, right)? };
        }
        self.depth -= 1;
        Ok(left)
    }

    /// Parses an operand, with its signs and method calls.
    fn operand(&mut self) -> Result<Part<V>, ExpressionError> {
        let Some(token) = self.peek() else { return Err(fault(self.end, ExpressionFault::Operand(None))) };
        let Token { column, text, kind } = token;
        self.next += 1;
        let tree = match (kind, text) {
            (TokenKind::Number, _) => {
                let number = V::constant(text).map_err(|why| fault(column, why))?;
                Tree::Number(NumberTree::Constant(number))
            }
            (TokenKind::Text, _) => Tree::Text(TextTree::Constant(text[1..text.len() - 1].to_owned())),
            (_, "true" | "false") => Tree::Truth(TruthTree::Constant(text == "true")),
            (_, "not") => Tree::Truth(TruthTree::Not(self.expression(power::NOT)?.truth()?.into())),
            (_, "!") => Tree::Truth(TruthTree::Not(self.expression(power::SIGN)?.truth()?.into())),
            // A sign is an operator, so that the least 64-bit number cannot be written; no record has it.
            (_, "-") => Tree::Number(NumberTree::Negative(self.expression(power::SIGN)?.number()?.into())),
            (_, "(") => {
                let part = self.expression(0)?;
                self.close()?;
                part.tree
            }
            (TokenKind::Word, _) if Infix::from_token(&token).is_none() => {
                if self.accept_move() {
                    self.name(&format!("{text}(move)"), column)?
                } else if self.accept("(") {
                    let arguments = self.arguments(Vec::new())?;
                    call(text, arguments, column)?
                } else {
                    self.name(text, column)?
                }
            }
            _ => return Err(fault(column, ExpressionFault::Operand(Some(text.to_owned())))),
        };
        let mut part = Part { column, tree };
        // `a.abs()` is `abs(a)`.
        while self.accept(".") {
            let name = self.peek().map_or("", |token| token.text);
            self.next += 1;
            if !self.accept("(") {
                return Err(fault(column, ExpressionFault::Function(name.to_owned())));
            }
            let arguments = self.arguments(vec![part])?;
            part = Part { column, tree: call(name, arguments, column)? };
        }
        Ok(part)
    }

    /// Parses the arguments in the brackets of a function and appends them to `arguments`.
    fn arguments(&mut self, mut arguments: Vec<Part<V>>) -> Result<Vec<Part<V>>, ExpressionError> {
        if self.accept(")") {
            return Ok(arguments);
        }
        loop {
            arguments.push(self.expression(0)?);
            if !self.accept(",") {
                self.close()?;
                return Ok(arguments);
            }
        }
    }

    fn close(&mut self) -> Result<(), ExpressionError> {
        if self.accept(")") {
            return Ok(());
        }
        let found = self.peek();
        let column = found.map_or(self.end, |token| token.column);
        Err(fault(column, ExpressionFault::Bracket(found.map(|token| token.text.to_owned()))))
    }

    fn name(&mut self, text: &str, column: usize) -> Result<Tree<V>, ExpressionError> {
        let Some(&Name { value, field, .. }) = self.names.iter().find(|name| name.text == text) else {
            return Err(fault(column, ExpressionFault::Name(text.to_owned(), closest_name::<V>(text))));
        };
        self.fields.extend(field.filter(|field| !self.fields.contains(field)));
        Ok(match value {
            Value::Number(number) => Tree::Number(NumberTree::Of(number)),
            Value::Truth(truth) => Tree::Truth(TruthTree::Of(truth)),
            Value::Text(text) => Tree::Text(TextTree::Of(text)),
            Value::Constant(value) => Tree::Number(NumberTree::Constant(value)),
        })
    }
}

impl<V: Vocabulary> Part<V> {
    fn truth(self) -> Result<TruthTree<V>, ExpressionError> {
        match self.tree {
            Tree::Truth(tree) => Ok(tree),
            _ => Err(self.not(ValueType::Condition)),
        }
    }

    fn number(self) -> Result<NumberTree<V>, ExpressionError> {
        match self.tree {
            Tree::Number(tree) => Ok(tree),
            _ => Err(self.not(ValueType::Number)),
        }
    }

    fn text(self) -> Result<TextTree<V>, ExpressionError> {
        match self.tree {
            Tree::Text(tree) => Ok(tree),
            _ => Err(self.not(ValueType::Text)),
        }
    }

    /// The fault of a part that is not of the expected type.
    fn not(&self, expected: ValueType) -> ExpressionError {
        let found = match self.tree {
            Tree::Number(_) => ValueType::Number,
            Tree::Truth(_) => ValueType::Condition,
            Tree::Text(_) => ValueType::Text,
        };
        fault(self.column, ExpressionFault::Type { expected, found })
    }
}

/// Joins two parts by the operator between them.
fn join<V: Vocabulary>(left: Part<V>, infix: &Infix, right: Part<V>) -> Result<Tree<V>, ExpressionError> {
    let truths = |left: Part<V>, right: Part<V>| Ok(Box::new([left.truth()?, right.truth()?]));
    Ok(match *infix {
        Infix::Arithmetic(operation) => {
            Tree::Number(NumberTree::Pair(operation, Box::new([left.number()?, right.number()?])))
        }
        Infix::And => Tree::Truth(TruthTree::And(truths(left, right)?)),
        Infix::Or => Tree::Truth(TruthTree::Or(truths(left, right)?)),
        Infix::Differ => Tree::Truth(TruthTree::Not(TruthTree::Same(truths(left, right)?).into())),
        Infix::Compare(comparison) => Tree::Truth(compare(left, comparison, right)?),
        Infix::Contains => Tree::Truth(TruthTree::Contains(Box::new([left.text()?, right.text()?]))),
    })
}

/// Compares two parts of one type. Conditions are equal or not, and none is greater.
fn compare<V: Vocabulary>(
    left: Part<V>,
    comparison: Comparison,
    right: Part<V>,
) -> Result<TruthTree<V>, ExpressionError> {
    let columns = [left.column, right.column];
    match left.tree {
        Tree::Number(number) => {
            let pair = [number, right.number()?];
            let short = V::shortcut(comparison, &pair);
            Ok(short.unwrap_or_else(|| TruthTree::Compare(comparison, Box::new(pair))))
        }
        Tree::Text(text) => {
            let pair = [text, right.text()?];
            let checked = match &pair {
                [TextTree::Of(name), TextTree::Constant(text)] => (columns[1], V::check_text(*name, text)),
                [TextTree::Constant(text), TextTree::Of(name)] => (columns[0], V::check_text(*name, text)),
                _ => (columns[0], Ok(())),
            };
            checked.1.map_err(|why| fault(checked.0, why))?;
            Ok(TruthTree::CompareTexts(comparison, Box::new(pair)))
        }
        Tree::Truth(_) if !matches!(comparison, Comparison::Equal | Comparison::NotEqual) => {
            Err(left.not(ValueType::Number))
        }
        Tree::Truth(truth) => {
            let same = TruthTree::Same(Box::new([truth, right.truth()?]));
            Ok(if comparison == Comparison::Equal { same } else { TruthTree::Not(same.into()) })
        }
    }
}

/// A call of a function.
fn call<V: Vocabulary>(
    name: &str,
    arguments: Vec<Part<V>>,
    column: usize,
) -> Result<Tree<V>, ExpressionError> {
    let unknown = || fault(column, ExpressionFault::Function(name.to_owned()));
    let count = arguments.len();
    // Types are checked only if the function is known: otherwise an unknown one would be reported as a wrong type.
    let mut numbers = arguments.into_iter().map(Part::number);
    let mut number = || numbers.next().unwrap_or_else(|| Err(unknown()));
    Ok(Tree::Number(match (name, count) {
        ("abs", 1) => NumberTree::Absolute(number()?.into()),
        ("min", 2) => NumberTree::Pair(Operation::Lesser, Box::new([number()?, number()?])),
        ("max", 2) => NumberTree::Pair(Operation::Greater, Box::new([number()?, number()?])),
        _ => return Err(unknown()),
    }))
}

fn fault(column: usize, fault: ExpressionFault) -> ExpressionError {
    ExpressionError { column, fault }
}
