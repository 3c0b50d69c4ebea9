//! The words, numbers, texts and signs in an expression.

use super::{ExpressionError, ExpressionFault};

/// A word, number, text in quotation marks or sign, and its column from 1.
#[derive(Clone, Copy)]
pub(super) struct Token<'t> {
    pub column: usize,
    pub text: &'t str,
    pub kind: TokenKind,
}

/// The kind of a token.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenKind {
    Word,
    Number,
    Text,
    Sign,
}

/// Longer signs first.
const SIGNS: [&str; 18] =
    ["&&", "||", "==", "!=", "<=", ">=", "!", "<", ">", "+", "-", "*", "/", "%", "^", "(", ")", ","];

/// Divides a text into tokens.
pub(super) fn tokens(text: &str) -> Result<Vec<Token<'_>>, ExpressionError> {
    let mut tokens = Vec::new();
    let mut rest = text;
    let mut column = 1;
    while let Some(first) = rest.chars().next() {
        let is_in_word = |letter: char| letter.is_alphanumeric() || letter == '_';
        let end = |text: &str| text.find(|letter| !is_in_word(letter)).unwrap_or(text.len());
        let (length, kind) = if first.is_whitespace() {
            (first.len_utf8(), None)
        } else if first.is_ascii_digit() {
            // `1.5` is one token, so that it is refused as a whole.
            let whole = end(rest);
            let fraction = rest[whole..].strip_prefix('.');
            let fraction = fraction.filter(|rest| rest.starts_with(|next: char| next.is_ascii_digit()));
            (whole + fraction.map_or(0, |rest| 1 + end(rest)), Some(TokenKind::Number))
        } else if is_in_word(first) {
            (end(rest), Some(TokenKind::Word))
        } else if matches!(first, '"' | '\'') {
            let end = rest[1..].find(first);
            let end = end.ok_or(ExpressionError { column, fault: ExpressionFault::Quote })?;
            (end + 2, Some(TokenKind::Text))
        } else if first == '.' {
            (1, Some(TokenKind::Sign))
        } else {
            let sign = SIGNS.into_iter().find(|sign| rest.starts_with(sign));
            let sign = sign.ok_or(ExpressionError { column, fault: ExpressionFault::Letter(first) })?;
            (sign.len(), Some(TokenKind::Sign))
        };
        tokens.extend(kind.map(|kind| Token { column, text: &rest[..length], kind }));
        column += rest[..length].chars().count();
        rest = &rest[length..];
    }
    Ok(tokens)
}
