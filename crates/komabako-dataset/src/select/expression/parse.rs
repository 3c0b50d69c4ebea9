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

use super::mates::NO_MATE;
use super::name::{NAMES, Name, Number, Truth, Value};
use super::token::{Token, TokenKind, tokens};
use super::tree::{Comparison, NumberTree, Operation, TruthTree};
use super::{Expression, ExpressionError, ExpressionFault};
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

/// Parses an expression.
pub(super) fn parse(text: &str) -> Result<Expression, ExpressionError> {
    if text.len() > ExpressionFault::MAX_LENGTH {
        let column = text.floor_char_boundary(ExpressionFault::MAX_LENGTH);
        let column = text[..column].chars().count() + 1;
        return Err(ExpressionError { column, fault: ExpressionFault::TooLong });
    }
    let end = text.chars().count() + 1;
    let mut parser = Parser { tokens: tokens(text)?, next: 0, end, fields: Vec::new(), depth: 0 };
    let part = parser.expression(0)?;
    match parser.peek() {
        // The remaining tokens do not continue the expression: an operator is missing before them.
        Some(token) => Err(fault(token.column, ExpressionFault::Operator(token.text.to_owned()))),
        None => {
            let [by_labels, by_position] = part.truth()?.split();
            Ok(Expression { by_labels, by_position, fields: parser.fields })
        }
    }
}

struct Parser<'t> {
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
struct Part {
    column: usize,
    tree: Tree,
}

/// A tree of either type.
enum Tree {
    Number(NumberTree),
    Truth(TruthTree),
}

/// An operator between two parts.
enum Infix {
    Arithmetic(Operation),
    Compare(Comparison),
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

impl<'t> Parser<'t> {
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
    fn expression(&mut self, least: u8) -> Result<Part, ExpressionError> {
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
    fn operand(&mut self) -> Result<Part, ExpressionError> {
        let Some(token) = self.peek() else { return Err(fault(self.end, ExpressionFault::Operand(None))) };
        let Token { column, text, kind } = token;
        self.next += 1;
        let tree = match (kind, text) {
            (TokenKind::Number, _) => Tree::Number(NumberTree::Constant(integer(text, column)?)),
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
    fn arguments(&mut self, mut arguments: Vec<Part>) -> Result<Vec<Part>, ExpressionError> {
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

    fn name(&mut self, text: &str, column: usize) -> Result<Tree, ExpressionError> {
        let Some(&Name { value, field, .. }) = NAMES.iter().find(|name| name.text == text) else {
            return Err(fault(column, ExpressionFault::Name(text.to_owned())));
        };
        self.fields.extend(field.filter(|field| !self.fields.contains(field)));
        Ok(match value {
            Value::Number(number) => Tree::Number(NumberTree::Of(number)),
            Value::Truth(truth) => Tree::Truth(TruthTree::Of(truth)),
            Value::Constant(value) => Tree::Number(NumberTree::Constant(value)),
        })
    }
}

impl Part {
    fn truth(self) -> Result<TruthTree, ExpressionError> {
        match self.tree {
            Tree::Truth(tree) => Ok(tree),
            Tree::Number(_) => Err(fault(self.column, ExpressionFault::NotATruth)),
        }
    }

    fn number(self) -> Result<NumberTree, ExpressionError> {
        match self.tree {
            Tree::Number(tree) => Ok(tree),
            Tree::Truth(_) => Err(fault(self.column, ExpressionFault::NotANumber)),
        }
    }
}

/// Joins two parts by the operator between them.
fn join(left: Part, infix: &Infix, right: Part) -> Result<Tree, ExpressionError> {
    let truths = |left: Part, right: Part| Ok(Box::new([left.truth()?, right.truth()?]));
    Ok(match *infix {
        Infix::Arithmetic(operation) => {
            Tree::Number(NumberTree::Pair(operation, Box::new([left.number()?, right.number()?])))
        }
        Infix::And => Tree::Truth(TruthTree::And(truths(left, right)?)),
        Infix::Or => Tree::Truth(TruthTree::Or(truths(left, right)?)),
        Infix::Differ => Tree::Truth(TruthTree::Not(TruthTree::Same(truths(left, right)?).into())),
        Infix::Compare(comparison) => match (left.tree, comparison) {
            (Tree::Number(a), _) => {
                let pair = [a, right.number()?];
                let within = mate_within(comparison, &pair);
                Tree::Truth(within.unwrap_or_else(|| TruthTree::Compare(comparison, Box::new(pair))))
            }
            (Tree::Truth(a), Comparison::Equal) => {
                Tree::Truth(TruthTree::Same(Box::new([a, right.truth()?])))
            }
            (Tree::Truth(a), Comparison::NotEqual) => {
                Tree::Truth(TruthTree::Not(TruthTree::Same(Box::new([a, right.truth()?])).into()))
            }
            _ => return Err(fault(left.column, ExpressionFault::NotANumber)),
        },
    })
}

/// Turns a comparison of `mate_in` with a number into a test for a mate within a number of plies, which takes
/// far fewer nodes than finding the shortest mate.
fn mate_within(comparison: Comparison, pair: &[NumberTree; 2]) -> Option<TruthTree> {
    let (comparison, plies) = match pair {
        [NumberTree::Of(Number::MateIn), NumberTree::Constant(plies)] => (comparison, *plies),
        [NumberTree::Constant(plies), NumberTree::Of(Number::MateIn)] => (comparison.mirrored(), *plies),
        _ => return None,
    };
    if plies >= NO_MATE {
        return None;
    }
    let within = |plies: i64| TruthTree::Of(Truth::MateWithin(plies.max(0) as u16));
    Some(match comparison {
        Comparison::LessOrEqual => within(plies),
        Comparison::Less => within(plies.saturating_sub(1)),
        Comparison::Greater => TruthTree::Not(within(plies).into()),
        Comparison::GreaterOrEqual => TruthTree::Not(within(plies.saturating_sub(1)).into()),
        Comparison::Equal | Comparison::NotEqual => return None,
    })
}

/// A call of a function.
fn call(name: &str, arguments: Vec<Part>, column: usize) -> Result<Tree, ExpressionError> {
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

/// Parses digits, which may be grouped by `_`.
fn integer(text: &str, column: usize) -> Result<i64, ExpressionError> {
    text.replace('_', "").parse().map_err(|_| fault(column, ExpressionFault::Range))
}

fn fault(column: usize, fault: ExpressionFault) -> ExpressionError {
    ExpressionError { column, fault }
}
