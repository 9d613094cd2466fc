//! A report for people and for programs. What engines said is made fit to be
//! shown everywhere: no escape sequence reaches a terminal, no tag a page.

mod html;
mod junit;
mod sarif;
mod text;

pub use html::html;
pub use junit::junit;
pub use sarif::sarif;
pub use text::{list, text};

use quadrille_net::sanitize::is_control;

/// `0.123`: seconds of a moment of a conversation.
fn seconds(micros: u64) -> String {
    format!("{}.{:03}", micros / 1_000_000, micros / 1000 % 1000)
}

/// Text inside XML and HTML. Characters that XML cannot hold and those that act
/// instead of being seen become a mark.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            '\n' | '\t' => out.push(c),
            c if is_control(c) || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_escapes() {
        assert_eq!(
            escaped("<b a='\"'>&\x1b\u{0}\u{202e}"),
            "&lt;b a=&#39;&quot;&#39;&gt;&amp;\u{fffd}\u{fffd}\u{fffd}"
        );
        assert_eq!(seconds(1_234_567), "1.234");
    }
}
