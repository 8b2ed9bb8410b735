//! The planner's lists and nodes: reading them, and making some.

use pgrx::{PgList, is_a, pg_sys};
use rfc9562::Uuid;

use crate::datum::{Timestamptz, uuid_datum};

/// The members of a list of nodes, read in place: of thousands of conditions, each is compared with each.
///
/// # Safety
/// The list must be PostgreSQL's, of pointers to this type, and must stay as it is.
#[allow(unsafe_code)]
pub unsafe fn cells<'list, Node: 'list>(list: *mut pg_sys::List) -> &'list [*mut Node] {
    // SAFETY: a list has as many elements as its length says, each a union that holds a pointer; a null pointer is the empty
    // list.
    unsafe {
        match list.as_ref() {
            Some(list) => std::slice::from_raw_parts(list.elements.cast(), usize::try_from(list.length).unwrap_or(0)),
            None => &[],
        }
    }
}

/// A list of these.
pub fn list_of(nodes: &[*mut pg_sys::Node]) -> *mut pg_sys::List {
    let mut list = PgList::new();
    for node in nodes {
        list.push(*node);
    }
    list.into_pg()
}

/// Strips RelabelType: binary-compatible casts, such as from an unconstrained domain to its base type.
///
/// # Safety
/// The node must be an expression.
#[allow(unsafe_code)]
pub unsafe fn unrelabelled(mut expression: *mut pg_sys::Node) -> *mut pg_sys::Node {
    // SAFETY: a node is read as what its tag says.
    unsafe {
        while is_a(expression, pg_sys::NodeTag::T_RelabelType) {
            expression = (*expression.cast::<pg_sys::RelabelType>()).arg.cast();
        }
    }
    expression
}

#[allow(unsafe_code)]
pub fn uuid_constant(uuid: Uuid) -> *mut pg_sys::Node {
    // SAFETY: the datum is a uuid: 16 bytes by reference.
    unsafe { pg_sys::makeConst(pg_sys::UUIDOID, -1, pg_sys::InvalidOid, 16, uuid_datum(uuid), false, false).cast() }
}

#[allow(unsafe_code)]
pub fn time_constant(time: Timestamptz) -> *mut pg_sys::Node {
    // SAFETY: the datum is a timestamptz: 8 bytes by value.
    unsafe {
        pg_sys::makeConst(pg_sys::TIMESTAMPTZOID, -1, pg_sys::InvalidOid, 8, pg_sys::Datum::from(time.0), false, true)
            .cast()
    }
}

/// Whether an expression is null, or is not.
///
/// # Safety
/// The node must be an expression of a type that is no row.
#[allow(unsafe_code)]
pub unsafe fn null_test(expression: *mut pg_sys::Node, test: pg_sys::NullTestType::Type) -> *mut pg_sys::Node {
    // SAFETY: a node of its type, of zeros but for what is set, as makeNode makes it.
    unsafe {
        let made = pg_sys::palloc0(size_of::<pg_sys::NullTest>()).cast::<pg_sys::NullTest>();
        (*made).xpr.type_ = pg_sys::NodeTag::T_NullTest;
        (*made).arg = expression.cast();
        (*made).nulltesttype = test;
        (*made).location = -1;
        made.cast()
    }
}
