//! [`Element`]: a tree of HTML or SVG that is always well-formed, its texts escaped.

use std::fmt::{self, Display, Write};

use crate::escape::is_escaped;

/// An element with its attributes and content.
pub struct Element {
    name: &'static str,
    attributes: String,
    content: String,
}

impl Element {
    /// An empty element.
    pub fn new(name: &'static str) -> Self {
        Element { name, attributes: String::new(), content: String::new() }
    }

    /// An element with a class.
    pub fn of_class(name: &'static str, class: &str) -> Self {
        Element::new(name).attr("class", class)
    }

    /// Adds an attribute.
    pub fn attr(mut self, name: &str, value: impl Display) -> Self {
        write!(self.attributes, " {name}=\"{}\"", Escaped(value)).expect("writing to memory does not fail");
        self
    }

    /// Appends a text.
    pub fn text(mut self, text: impl Display) -> Self {
        write!(self.content, "{}", Escaped(text)).expect("writing to memory does not fail");
        self
    }

    /// Appends an element.
    pub fn child(mut self, child: Element) -> Self {
        write!(self.content, "{child}").expect("writing to memory does not fail");
        self
    }

    /// Appends several elements.
    pub fn children(self, children: impl IntoIterator<Item = Element>) -> Self {
        children.into_iter().fold(self, Element::child)
    }
}

/// HTML's elements without an end tag.
const VOID: [&str; 1] = ["meta"];

impl Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Element { name, attributes, content } = self;
        write!(f, "<{name}{attributes}>{content}")?;
        if VOID.contains(name) { Ok(()) } else { write!(f, "</{name}>") }
    }
}

/// A value whose text is escaped for HTML, for attributes too.
struct Escaped<T>(T);

impl<T: Display> Display for Escaped<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(Escaper(f), "{}", self.0)
    }
}

struct Escaper<'a, 'f>(&'a mut fmt::Formatter<'f>);

impl Write for Escaper<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        text.chars().try_for_each(|letter| match letter {
            '&' => self.0.write_str("&amp;"),
            '<' => self.0.write_str("&lt;"),
            '>' => self.0.write_str("&gt;"),
            '"' => self.0.write_str("&quot;"),
            // Text of a page may be pasted into a terminal.
            _ if is_escaped(letter) && letter != '\n' => write!(self.0, "{}", letter.escape_default()),
            _ => self.0.write_char(letter),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_attributes_are_escaped_and_elements_are_not() {
        let inner = Element::of_class("b", "\"x\" & y").text("1 < 2");
        let outer = Element::new("p").text("a").child(inner).children([Element::new("meta")]);
        assert_eq!(outer.to_string(), "<p>a<b class=\"&quot;x&quot; &amp; y\">1 &lt; 2</b><meta></p>");
    }
}
