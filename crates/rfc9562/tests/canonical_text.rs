//! A property of the decoders that any text must have.

use rfc9562::text::Format;

/// Checks that each decoder accepts the text only if it is what the encoder writes for the UUID, or an alias of that.
pub fn check(text: &[u8]) {
    for &format in Format::ALL {
        let (canonical, decoded) = (canonical(format, text), format.decode(text).ok());
        let shown = String::from_utf8_lossy(text);
        assert_eq!(decoded, format.decode(&canonical).ok(), "{format:?} {shown:?}");
        assert!(decoded.is_none_or(|uuid| *format.encode(uuid) == *canonical), "{format:?} {shown:?}");
    }
}

/// Returns the text of which this is an alias, if it is one.
fn canonical(format: Format, text: &[u8]) -> Vec<u8> {
    let crockford = |byte: u8| match byte.to_ascii_uppercase() {
        b'I' | b'L' => b'1',
        b'O' => b'0',
        other => other,
    };
    match format {
        Format::Urn | Format::Braces | Format::Hex => text.to_ascii_lowercase(),
        Format::Base32 => text.iter().map(|byte| crockford(*byte)).collect(),
        Format::Base32hex if text.len() == 26 => [&text.to_ascii_uppercase(), &b"======"[..]].concat(),
        Format::Base32hex => text.to_ascii_uppercase(),
        Format::Base58 | Format::Base64url | Format::Decimal | Format::Oid => text.to_vec(),
    }
}
