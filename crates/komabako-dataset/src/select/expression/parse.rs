//! From text to tree. The syntax is that of Rust, and so is its parser.

use syn::spanned::Spanned;
use syn::{BinOp, Expr, ExprBinary, Lit, UnOp};

use super::name::{NAMES, Name, Value};
use super::tree::{Comparison, NumberTree, Operation, TruthTree};
use super::{Expression, ExpressionError, ExpressionFault};
use crate::Field;

/// Reads an expression.
pub(super) fn parse(text: &str) -> Result<Expression, ExpressionError> {
    if text.len() > ExpressionFault::LONGEST {
        let column = text.floor_char_boundary(ExpressionFault::LONGEST);
        let column = text[..column].chars().count() + 1;
        return Err(ExpressionError { column, fault: ExpressionFault::TooLong });
    }
    let expression: Expr = syn::parse_str(text).map_err(|error| ExpressionError {
        // At the end of the text the parser names no place.
        column: if error.to_string().starts_with("unexpected end") {
            text.chars().count()
        } else {
            column(&error.span())
        } + 1,
        fault: ExpressionFault::Syntax(error.to_string()),
    })?;
    let mut compiler = Compiler::default();
    let tree = compiler.truth(&expression)?;
    Ok(Expression { tree, fields: compiler.fields })
}

/// Gives names and operators their meanings.
#[derive(Default)]
struct Compiler {
    /// The fields that are needed.
    fields: Vec<Field>,
}

/// A tree of either type.
enum Tree {
    Number(NumberTree),
    Truth(TruthTree),
}

impl Compiler {
    fn truth(&mut self, expression: &Expr) -> Result<TruthTree, ExpressionError> {
        match self.tree(expression)? {
            Tree::Truth(tree) => Ok(tree),
            Tree::Number(_) => Err(at(expression, ExpressionFault::NotATruth)),
        }
    }

    fn number(&mut self, expression: &Expr) -> Result<NumberTree, ExpressionError> {
        match self.tree(expression)? {
            Tree::Number(tree) => Ok(tree),
            Tree::Truth(_) => Err(at(expression, ExpressionFault::NotANumber)),
        }
    }

    fn tree(&mut self, expression: &Expr) -> Result<Tree, ExpressionError> {
        match expression {
            Expr::Paren(paren) => self.tree(&paren.expr),
            Expr::Lit(literal) => match &literal.lit {
                Lit::Bool(truth) => Ok(Tree::Truth(TruthTree::Constant(truth.value))),
                Lit::Int(number) if number.suffix().is_empty() => number
                    .base10_parse()
                    .map(|value| Tree::Number(NumberTree::Constant(value)))
                    .map_err(|_| at(expression, ExpressionFault::Range)),
                _ => Err(at(expression, ExpressionFault::Range)),
            },
            Expr::Path(path) => match path.path.get_ident() {
                Some(name) => self.name(&name.to_string(), expression),
                None => Err(at(expression, ExpressionFault::Unsupported)),
            },
            Expr::Unary(unary) => match unary.op {
                UnOp::Not(_) => Ok(Tree::Truth(TruthTree::Not(self.truth(&unary.expr)?.into()))),
                UnOp::Neg(_) => Ok(Tree::Number(NumberTree::Negative(self.number(&unary.expr)?.into()))),
                _ => Err(at(expression, ExpressionFault::Unsupported)),
            },
            Expr::Binary(binary) => self.binary(binary, expression),
            Expr::Call(call) => match &*call.func {
                Expr::Path(path) if path.path.get_ident().is_some() => {
                    let name = path.path.require_ident().map(ToString::to_string).unwrap_or_default();
                    self.call(&name, call.args.iter(), expression)
                }
                _ => Err(at(expression, ExpressionFault::Unsupported)),
            },
            Expr::MethodCall(call) => {
                let arguments = [&*call.receiver].into_iter().chain(&call.args);
                self.call(&call.method.to_string(), arguments, expression)
            }
            _ => Err(at(expression, ExpressionFault::Unsupported)),
        }
    }

    fn name(&mut self, text: &str, expression: &Expr) -> Result<Tree, ExpressionError> {
        let Some(&Name { value, field, .. }) = NAMES.iter().find(|name| name.text == text) else {
            return Err(at(expression, ExpressionFault::Name(text.to_owned())));
        };
        self.fields.extend(field.filter(|field| !self.fields.contains(field)));
        Ok(match value {
            Value::Number(number) => Tree::Number(NumberTree::Of(number)),
            Value::Truth(truth) => Tree::Truth(TruthTree::Of(truth)),
        })
    }

    fn call<'e>(
        &mut self,
        name: &str,
        arguments: impl Iterator<Item = &'e Expr>,
        expression: &Expr,
    ) -> Result<Tree, ExpressionError> {
        let arguments: Vec<&Expr> = arguments.collect();
        Ok(Tree::Number(match (name, &arguments[..]) {
            ("abs", [argument]) => NumberTree::Absolute(self.number(argument)?.into()),
            ("min", [a, b]) => NumberTree::Pair(Operation::Lesser, self.numbers(a, b)?),
            ("max", [a, b]) => NumberTree::Pair(Operation::Greater, self.numbers(a, b)?),
            _ => return Err(at(expression, ExpressionFault::Function(name.to_owned()))),
        }))
    }

    fn binary(&mut self, binary: &ExprBinary, expression: &Expr) -> Result<Tree, ExpressionError> {
        let ExprBinary { left, op, right, .. } = binary;
        let operation = match op {
            BinOp::Add(_) => Operation::Add,
            BinOp::Sub(_) => Operation::Subtract,
            BinOp::Mul(_) => Operation::Multiply,
            BinOp::Div(_) => Operation::Divide,
            BinOp::Rem(_) => Operation::Remainder,
            _ => return self.binary_truth(binary, expression).map(Tree::Truth),
        };
        Ok(Tree::Number(NumberTree::Pair(operation, self.numbers(left, right)?)))
    }

    fn binary_truth(&mut self, binary: &ExprBinary, expression: &Expr) -> Result<TruthTree, ExpressionError> {
        let ExprBinary { left, op, right, .. } = binary;
        let comparison = match op {
            BinOp::And(_) => return Ok(TruthTree::And(self.truths(left, right)?)),
            BinOp::Or(_) => return Ok(TruthTree::Or(self.truths(left, right)?)),
            BinOp::BitXor(_) => {
                return Ok(TruthTree::Not(TruthTree::Same(self.truths(left, right)?).into()));
            }
            BinOp::Eq(_) => Comparison::Equal,
            BinOp::Ne(_) => Comparison::NotEqual,
            BinOp::Lt(_) => Comparison::Less,
            BinOp::Le(_) => Comparison::LessOrEqual,
            BinOp::Gt(_) => Comparison::Greater,
            BinOp::Ge(_) => Comparison::GreaterOrEqual,
            _ => return Err(at(expression, ExpressionFault::Unsupported)),
        };
        match (self.tree(left)?, comparison) {
            (Tree::Number(a), _) => Ok(TruthTree::Compare(comparison, Box::new([a, self.number(right)?]))),
            (Tree::Truth(a), Comparison::Equal) => Ok(TruthTree::Same(Box::new([a, self.truth(right)?]))),
            (Tree::Truth(a), Comparison::NotEqual) => {
                Ok(TruthTree::Not(TruthTree::Same(Box::new([a, self.truth(right)?])).into()))
            }
            _ => Err(at(left, ExpressionFault::NotANumber)),
        }
    }

    fn numbers(&mut self, a: &Expr, b: &Expr) -> Result<Box<[NumberTree; 2]>, ExpressionError> {
        Ok(Box::new([self.number(a)?, self.number(b)?]))
    }

    fn truths(&mut self, a: &Expr, b: &Expr) -> Result<Box<[TruthTree; 2]>, ExpressionError> {
        Ok(Box::new([self.truth(a)?, self.truth(b)?]))
    }
}

/// A fault of a part of the text.
fn at(part: &Expr, fault: ExpressionFault) -> ExpressionError {
    ExpressionError { column: column(&part.span()) + 1, fault }
}

/// The characters before a part of the text.
fn column(span: &proc_macro2::Span) -> usize {
    span.start().column
}
