//! Runs the crate's parsers under libFuzzer, which generates input that reaches new code. Run by `make fuzz`.
//!
//! No parser may panic. What the parsers of UUIDs, IDs and TypeIDs accept is compared with another implementation or the crate's
//! own output.

#![no_main]
#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

mod canonical_text;

use libfuzzer_sys::fuzz_target;
use rfc9562::Uuid;
use rfc9562::other::{System, Type};
use rfc9562::seal::Keys;
use rfc9562::text::typeid;
use rfc9562::window::Window;
use type_safe_id::{DynamicType, TypeSafeId};

fuzz_target!(|input: &[u8]| {
    if let Ok(keys) = Keys::parse(input) {
        let sealed = keys.current().seal(Uuid::from_u128(7 << 76 | 2 << 62)).unwrap();
        assert_eq!(sealed.version(), Some(4));
    }
    // Each line is an input of its own.
    for line in input.split(|byte| *byte == b'\n') {
        canonical_text::check(line);

        let typeid = typeid::decode(line).ok().map(|(prefix, uuid)| (prefix.to_owned(), uuid.to_u128()));
        let other = str::from_utf8(line).ok().and_then(|text| text.parse::<TypeSafeId<DynamicType>>().ok());
        assert_eq!(typeid, other.map(|other| (other.type_prefix().to_owned(), other.uuid().as_u128())));

        if let Some(uuid) = str::from_utf8(line).ok().and_then(|text| text.parse::<Uuid>().ok()) {
            assert!(uuid.to_string().as_bytes().eq_ignore_ascii_case(line));
        }
        let window = Window::from_text_prefix(line);
        if !window.is_empty() {
            for end in [window.first(), window.last()] {
                assert!(end.to_string().as_bytes().starts_with(line));
            }
        }

        for system in System::ALL {
            let ids = system.ids();
            for id in [ids.from_text(line), ids.from_bytes(line)].into_iter().flatten() {
                // The decimal form of a SID, unlike the other forms, has no times before 2001-09-09.
                if *system != System::Sid || id.sorted_as(Type::Text).is_ok() {
                    assert_eq!(ids.from_text(&id.to_text()), Ok(id));
                }
                if let Ok(fields) = id.fields() {
                    serde_json::from_str::<serde_json::Value>(&fields.to_string()).unwrap();
                }
                if let (true, Ok(converted)) = (system.is_lossless(), id.convert_to_uuid()) {
                    assert_eq!(ids.convert_from_uuid(converted), Ok(id));
                }
            }
        }
    }
});
