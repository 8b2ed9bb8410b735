//! Parses clauses on the text of a UUID, `id::text` or `uuid_encode(id, format)`, as conditions on the UUID.
//!
//! ```text
//! id::text = '019e372a-...'                id = '019e372a-...'
//! id::text LIKE '019e372a%'                id >= '019e372a-0000-...' AND id <= '019e372a-ffff-...'
//! uuid_encode(id, 'base58') = 'x'          id = uuid_decode('x', 'base58'), or false if uuid_encode never returns x
//! ```
//!
//! Texts and formats must be constants. Planning a clause on `uuid_encode` loads the library; for `id::text`, the session must
//! already have loaded it.

use pgrx::{Array, pg_sys};
use rfc9562::Uuid;
use rfc9562::text::Format;
use rfc9562::window::Window;

use super::functions;
use super::parser::Parser;
use crate::planner::catalog::{c_symbol, is_deterministic};
use crate::planner::expression::Call;
use crate::planner::planned::{Expression, collected};

/// A comparison of the text of a UUID.
pub struct TextComparison<'plan> {
    pub uuid: Expression<'plan>,
    /// The first and the last UUID of each range of UUIDs for which the comparison is true.
    pub ranges: Vec<[Uuid; 2]>,
}

/// The text of a UUID.
pub struct TextOfUuid<'plan> {
    uuid: Expression<'plan>,
    /// `None` means PostgreSQL's own format.
    format: Option<Format>,
}

impl<'plan> TextOfUuid<'plan> {
    /// Parses a comparison of the text, which is the right argument if `is_mirrored`, with another text, a pattern or a prefix.
    pub fn parse_comparison(
        &self,
        comparison: Call<'plan>,
        other: Expression<'plan>,
        is_mirrored: bool,
    ) -> Option<TextComparison<'plan>> {
        match comparison.function.to_u32() {
            pg_sys::F_TEXTEQ if comparison.is_equality(pg_sys::TEXTOID) => {
                Some(self.equal_to_any([other.text()?.as_bytes()]))
            }
            _ if is_mirrored || !is_deterministic(comparison.collation) => None,
            pg_sys::F_TEXTLIKE => {
                let pattern = other.text()?;
                let prefix = pattern.split(['%', '_', '\\']).next()?;
                // Only patterns that consist of a literal prefix and one `%` are rewritten.
                (pattern.strip_prefix(prefix) == Some("%")).then(|| self.with_prefix(prefix)).flatten()
            }
            pg_sys::F_STARTS_WITH => self.with_prefix(&other.text()?),
            _ => None,
        }
    }

    /// Parses a comparison of the text with the elements of an array.
    pub fn parse_any(&self, comparison: Call<'plan>, array: Expression<'plan>) -> Option<TextComparison<'plan>> {
        let texts = array.value::<Array<'_, &[u8]>>().filter(|_| comparison.is_equality(pg_sys::TEXTOID))?;
        Some(self.equal_to_any(texts.iter().flatten()))
    }

    fn equal_to_any<'text>(&self, texts: impl IntoIterator<Item = &'text [u8]>) -> TextComparison<'plan> {
        let uuids = texts.into_iter().filter_map(|text| self.uuid_of(text));
        TextComparison { uuid: self.uuid, ranges: collected(uuids.map(|uuid| [uuid, uuid])) }
    }

    fn with_prefix(&self, prefix: &str) -> Option<TextComparison<'plan>> {
        let window = Some(Window::from_text_prefix(prefix.as_bytes())).filter(|window| !window.is_empty());
        let ranges = collected(window.map(|window| [window.first(), window.last()]));
        self.format.is_none().then_some(TextComparison { uuid: self.uuid, ranges })
    }

    /// Returns the UUID with exactly this text, if there is one.
    fn uuid_of(&self, text: &[u8]) -> Option<Uuid> {
        let Some(format) = self.format else {
            let window = Window::from_text_prefix(text);
            return (!window.is_empty() && window.first() == window.last()).then(|| window.first());
        };
        format.decode(text).ok().filter(|uuid| *format.encode(*uuid) == *text)
    }
}

impl<'plan> Parser<'plan> {
    pub fn text_of_uuid(&self, expression: Expression<'plan>) -> Option<TextOfUuid<'plan>> {
        let text = expression.unrelabelled();
        let (uuid, format) = match text.output_of() {
            Some(uuid) => (uuid, None),
            None => {
                let call = text.function()?;
                let &[uuid, format] = call.arguments else { return None };
                c_symbol(call.callee).filter(|symbol| &**symbol == functions::uuid_encode)?;
                (uuid, Some(format.text()?.parse().ok()?))
            }
        };
        let is_own = uuid.base_type() == pg_sys::UUIDOID && self.relation_of(uuid).is_some() && uuid.is_repeatable();
        let has_own_index = || self.own_expressions().iter().any(|own| own.unrelabelled().equals(text));
        (is_own && !has_own_index()).then_some(TextOfUuid { uuid, format })
    }
}
