//! Reading `option` lines, in any order of keys and with keywords inside names
//! and values.

use crate::diagnostic::Code;
use crate::dialect::Dialect;
use crate::number::{self, Reading};
use crate::options::{OptionItem, OptionLine, OptionType};
use crate::parser::Parser;
use crate::text::Text;
use crate::token::{Cursor, Token, keywords, trim};

mod key {
    super::keywords! {
        NAME = "name", TYPE = "type", DEFAULT = "default", MIN = "min", MAX = "max", VAR = "var",
        VALUE = "value", CHECK = "check", SPIN = "spin", COMBO = "combo", BUTTON = "button",
        STRING = "string", FILENAME = "filename",
    }
}

/// Reads everything after the word `option`.
pub(crate) fn parse_option<'a>(p: &mut Parser<'a, '_>, option: Token<'a>) -> OptionLine<'a> {
    let mut line = OptionLine::default();
    let start = p.cursor.position();
    let Some(first) = p.cursor.peek() else {
        p.report_at(Code::OptionWithoutName, option);
        return line;
    };
    let type_at = find_type(&p.cursor);
    // UGI sends the name and nothing else.
    if type_at.is_none() && p.cursor.key(first) != key::NAME {
        let name = p
            .cursor
            .trimmed_rest()
            .map_or(&b""[..], |token| token.bytes);
        line.items.push(OptionItem::Name(Text::from_bytes(name)));
        if p.dialect != Dialect::Ugi {
            p.report_at(Code::MissingKeyword, first);
            p.report_at(Code::OptionWithoutType, option);
        }
        return line;
    }
    if p.dialect == Dialect::Ugi {
        p.report_at(Code::ForeignWord, first);
    }
    p.cursor.seek(start);
    let kind = type_at.map(|token| {
        let mut after = p.cursor.clone();
        after.seek(token.end());
        after.next().map_or(OptionType::Other(Text::EMPTY), |word| {
            OptionType::from_word(word.bytes)
        })
    });
    let mut reader = Reader {
        kind,
        type_at: type_at.map(|token| token.start),
        has_name: false,
    };
    while let Some(token) = p.cursor.next() {
        match reader.item(p, token) {
            Some(item) => {
                if let Some(words) = p.take_unknown() {
                    line.items.push(OptionItem::Unknown(words));
                }
                line.items.push(item);
            }
            None => p.unknown_word(token),
        }
    }
    if let Some(words) = p.take_unknown() {
        line.items.push(OptionItem::Unknown(words));
    }
    check(p, option, &line);
    line
}

/// The word `type` that really introduces the type: the first one followed by
/// a known type, or else the first one at all. A name such as "Piece type" may
/// hold the word too.
fn find_type<'a>(cursor: &Cursor<'a>) -> Option<Token<'a>> {
    let mut ahead = cursor.clone();
    let mut fallback = None;
    while let Some(token) = ahead.next() {
        if ahead.key(token) != key::TYPE {
            continue;
        }
        let known = ahead.peek().is_some_and(|word| {
            use key::{BUTTON, CHECK, COMBO, FILENAME, SPIN, STRING};
            matches!(
                ahead.key(word),
                CHECK | SPIN | COMBO | BUTTON | STRING | FILENAME
            )
        });
        if known {
            return Some(token);
        }
        fallback = fallback.or(Some(token));
    }
    fallback
}

struct Reader<'a> {
    kind: Option<OptionType<'a>>,
    /// Where the word `type` stands.
    type_at: Option<usize>,
    has_name: bool,
}

impl<'a> Reader<'a> {
    fn item(&mut self, p: &mut Parser<'a, '_>, token: Token<'a>) -> Option<OptionItem<'a>> {
        match p.cursor.key(token) {
            key::NAME if !self.has_name => {
                self.has_name = true;
                let name = self.name_text(p);
                if name.is_empty() {
                    p.report_at(Code::OptionWithoutName, token);
                }
                Some(OptionItem::Name(name))
            }
            key::TYPE if Some(token.start) == self.type_at => {
                let Some(word) = p.cursor.next() else {
                    p.report_at(Code::MissingValue, token);
                    return None;
                };
                let kind = OptionType::from_word(word.bytes);
                if matches!(kind, OptionType::Other(_)) {
                    p.report_at(Code::UnknownOptionType, word);
                }
                Some(OptionItem::Type(kind))
            }
            key::DEFAULT => Some(self.default(p, token)),
            key::MIN => p.signed(token).map(OptionItem::Min),
            key::MAX => p.signed(token).map(OptionItem::Max),
            key::VAR => Some(OptionItem::Var(self.value_text(p))),
            key::VALUE => {
                if p.dialect != Dialect::Leiser {
                    p.report_at(Code::ForeignWord, token);
                }
                Some(OptionItem::Value(self.value_text(p)))
            }
            _ => None,
        }
    }

    fn default(&self, p: &mut Parser<'a, '_>, keyword: Token<'a>) -> OptionItem<'a> {
        let before = p.cursor.position();
        if self.kind == Some(OptionType::Spin)
            && let Some(token) = p.cursor.peek()
            && number::read(token.bytes) != Reading::Nothing
            && let Some(value) = p.signed(keyword)
        {
            return OptionItem::DefaultNumber(value);
        }
        p.cursor.seek(before);
        // The text of a string option may hold any word, so it takes the line.
        let takes_all = matches!(self.kind, Some(OptionType::String | OptionType::Other(_)));
        if takes_all && self.type_at.is_none_or(|at| at < keyword.start) {
            let rest = p.cursor.trimmed_rest();
            return OptionItem::Default(rest.map_or(Text::EMPTY, |t| Text::from_bytes(t.bytes)));
        }
        // `default var A var B`: a combo without a default.
        if p.cursor
            .peek()
            .is_some_and(|next| p.cursor.key(next) == key::VAR)
        {
            return OptionItem::Default(Text::EMPTY);
        }
        OptionItem::Default(self.value_text(p))
    }

    /// A value: at least one word, whatever it is, up to the next keyword that
    /// makes sense for this type.
    fn value_text(&self, p: &mut Parser<'a, '_>) -> Text<'a> {
        let kind = self.kind;
        self.text(p, move |word| match word {
            key::DEFAULT | key::VAR | key::VALUE => true,
            key::MIN | key::MAX => kind != Some(OptionType::Combo),
            _ => false,
        })
    }

    /// A name runs up to the type. If that came before the name, or not at
    /// all, only the other keywords can tell where the name ends.
    fn name_text(&self, p: &mut Parser<'a, '_>) -> Text<'a> {
        let type_follows = self.type_at.is_some_and(|at| at >= p.cursor.position());
        self.text(p, move |word| {
            !type_follows && matches!(word, key::DEFAULT | key::MIN | key::MAX | key::VAR)
        })
    }

    /// Words up to the type, or a keyword; the first word is always taken.
    fn text(&self, p: &mut Parser<'a, '_>, is_end: impl Fn(u64) -> bool) -> Text<'a> {
        let begin = p.cursor.position();
        let mut end = begin;
        while let Some(token) = p.cursor.next() {
            let is_type = Some(token.start) == self.type_at;
            if is_type || (end > begin && is_end(p.cursor.key(token))) {
                p.cursor.seek(end);
                break;
            }
            end = token.end();
        }
        Text::from_bytes(trim(p.slice(begin, end)))
    }
}

fn check(p: &mut Parser<'_, '_>, option: Token<'_>, line: &OptionLine<'_>) {
    if line.name().is_none() {
        p.report_at(Code::OptionWithoutName, option);
    }
    let Some(kind) = line.kind() else {
        if p.dialect != Dialect::Ugi {
            p.report_at(Code::OptionWithoutType, option);
        }
        return;
    };
    match kind {
        OptionType::Spin => {
            let (min, max) = (
                line.min().unwrap_or(i64::MIN),
                line.max().unwrap_or(i64::MAX),
            );
            if min > max {
                p.report_at(Code::EmptyRange, option);
            } else if line.default_number().is_some_and(|n| n < min || n > max) {
                p.report_at(Code::DefaultOutOfRange, option);
            } else if line.default_text().is_some() {
                p.report_at(Code::NotANumber, option);
            }
        }
        OptionType::Combo
            if line
                .default_text()
                .is_some_and(|text| !line.vars().any(|value| value == text)) =>
        {
            p.report_at(Code::DefaultNotListed, option);
        }
        OptionType::Check
            if line
                .default_text()
                .is_some_and(|text| text != "true" && text != "false") =>
        {
            p.report_at(Code::DefaultNotABool, option);
        }
        _ => {}
    }
}
