//! References to the structures of PostgreSQL's planner, and PostgreSQL's lists and memory.

use std::marker::PhantomData;
use std::ops::Deref;
use std::ptr::NonNull;

use pgrx::{PgList, is_a, pg_sys};

use crate::error::OrRaise;

/// A structure of PostgreSQL's planner. The structure, and everything that it points to, stays valid while the query is planned or,
/// for the expression of a function's call, during that call.
#[derive(Debug)]
#[repr(transparent)]
pub struct Planned<'plan, T> {
    pointer: NonNull<T>,
    plan: PhantomData<&'plan T>,
}

impl<T> Clone for Planned<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Planned<'_, T> {}

impl<T> PartialEq for Planned<'_, T> {
    fn eq(&self, other: &Self) -> bool {
        self.pointer == other.pointer
    }
}

impl<T> Deref for Planned<'_, T> {
    type Target = T;

    #[allow(unsafe_code)]
    fn deref(&self) -> &T {
        // SAFETY: every constructor requires a structure of this type that stays valid.
        unsafe { self.pointer.as_ref() }
    }
}

#[allow(unsafe_code)]
impl<'plan, T> Planned<'plan, T> {
    /// # Safety
    /// The pointer must be null, or point to a structure of this type that stays valid while the query is planned, or during the
    /// call whose expression it is, and whose fields are as PostgreSQL's headers specify.
    pub unsafe fn from_ptr(pointer: *mut T) -> Option<Self> {
        NonNull::new(pointer).map(|pointer| Planned { pointer, plan: PhantomData })
    }

    pub fn as_ptr(self) -> *mut T {
        self.pointer.as_ptr()
    }

    /// # Safety
    /// After the change, the structure's fields must still be as PostgreSQL's headers specify, and no reference to a changed field
    /// may be used.
    pub unsafe fn change<R>(self, change: impl FnOnce(&mut T) -> R) -> R {
        // SAFETY: nothing else uses the structure during the change, and no reference to a field is kept across it.
        change(unsafe { &mut *self.pointer.as_ptr() })
    }
}

/// A node during planning, usually an expression; its tag determines its type. PostgreSQL neither changes nor frees the node
/// and its parts while the extension's code runs.
pub type Expression<'plan> = Planned<'plan, pg_sys::Node>;

/// A structure of PostgreSQL that begins with a node tag.
///
/// # Safety
/// `TAG` must be the tag that PostgreSQL gives to this structure and to no other.
#[allow(unsafe_code)]
pub unsafe trait Tagged: Copy + 'static {
    const TAG: pg_sys::NodeTag;
}

macro_rules! tagged {
    ($($structure:ident $tag:ident,)*) => {
        $(
            // SAFETY: in PostgreSQL, the name of a structure's tag is `T_` followed by the name of the structure.
            #[allow(unsafe_code)]
            unsafe impl Tagged for pg_sys::$structure {
                const TAG: pg_sys::NodeTag = pg_sys::NodeTag::$tag;
            }
        )*
    };
}

tagged! {
    AppendPath T_AppendPath,
    ArrayCoerceExpr T_ArrayCoerceExpr,
    BoolExpr T_BoolExpr,
    CaseExpr T_CaseExpr,
    CaseTestExpr T_CaseTestExpr,
    CaseWhen T_CaseWhen,
    CoerceViaIO T_CoerceViaIO,
    Const T_Const,
    FromExpr T_FromExpr,
    FuncExpr T_FuncExpr,
    IndexClause T_IndexClause,
    IndexOptInfo T_IndexOptInfo,
    IndexPath T_IndexPath,
    JoinExpr T_JoinExpr,
    MinMaxAggPath T_MinMaxAggPath,
    NullTest T_NullTest,
    OpExpr T_OpExpr,
    PlaceHolderVar T_PlaceHolderVar,
    RelabelType T_RelabelType,
    RowCompareExpr T_RowCompareExpr,
    ScalarArrayOpExpr T_ScalarArrayOpExpr,
    SupportRequestIndexCondition T_SupportRequestIndexCondition,
    SupportRequestSelectivity T_SupportRequestSelectivity,
    SupportRequestSimplify T_SupportRequestSimplify,
    TargetEntry T_TargetEntry,
    Var T_Var,
}

#[allow(unsafe_code)]
impl<'plan> Expression<'plan> {
    pub fn tag(self) -> pg_sys::NodeTag {
        self.type_
    }

    pub fn read<T: Tagged>(self) -> Option<Planned<'plan, T>> {
        // SAFETY: the tag of a node determines its type.
        unsafe { is_a(self.as_ptr(), T::TAG).then(|| Planned { pointer: self.pointer.cast(), plan: PhantomData }) }
    }
}

#[allow(unsafe_code)]
impl<'plan, T: Tagged> Planned<'plan, T> {
    /// Copies a structure to the current memory context, and sets the tag. The structure's fields must be as PostgreSQL's headers
    /// specify.
    pub fn new(fields: T) -> Self {
        let copy = palloc_array([fields]);
        // SAFETY: the array has one element, and a tagged structure begins with its tag.
        unsafe { (*copy.cast::<pg_sys::Node>()).type_ = T::TAG };
        Planned { pointer: NonNull::new(copy).expect("palloc raises an error in place of null"), plan: PhantomData }
    }

    pub fn node(self) -> Expression<'plan> {
        Planned { pointer: self.pointer.cast(), plan: PhantomData }
    }
}

impl<'plan> Planned<'plan, pg_sys::Path> {
    pub fn node(self) -> Planned<'plan, pg_sys::Node> {
        Planned { pointer: self.pointer.cast(), plan: PhantomData }
    }
}

/// Borrows the elements of a list. They are not copied, because each of thousands of clauses may be compared with every other.
///
/// # Safety
/// The list must be PostgreSQL's or null, and must not change while it is borrowed. Its elements must be valid as values of `T`:
/// expressions as in [`Planned::from_ptr`], structures of the planner, lists, or, if `T` is an `Option`, any of these or null.
#[allow(unsafe_code)]
pub unsafe fn elements<'list, T: Copy + 'list>(list: *mut pg_sys::List) -> &'list [T] {
    const { assert!(size_of::<T>() == size_of::<*mut pg_sys::Node>()) };
    // SAFETY: the list has this many elements, each a union with a pointer, and the caller ensures that they are valid as `T`.
    unsafe {
        list.as_ref().map_or(&[], |list| {
            std::slice::from_raw_parts(list.elements.cast(), usize::try_from(list.length).unwrap_or(0))
        })
    }
}

pub fn list_of<'plan, T: 'plan>(members: impl IntoIterator<Item = Planned<'plan, T>>) -> *mut pg_sys::List {
    let mut list = PgList::new();
    for member in members {
        list.push(member.as_ptr());
    }
    list.into_pg()
}

/// Collects a vector whose length depends on a query or on statistics. If memory runs out, a PostgreSQL error is raised, whereas
/// Rust's `collect` would abort.
pub fn collected<T>(elements: impl IntoIterator<Item = T>) -> Vec<T> {
    let elements = elements.into_iter();
    let mut list = Vec::new();
    list.try_reserve_exact(elements.size_hint().0).or_raise();
    for element in elements {
        list.try_reserve(1).or_raise();
        list.push(element);
    }
    list
}

/// Copies values to the current memory context.
#[allow(unsafe_code)]
pub fn palloc_array<T: Copy>(values: impl IntoIterator<Item = T>) -> *mut T {
    let values = collected(values);
    // SAFETY: the allocated memory is as large as the values that are copied to it.
    unsafe {
        let copy = pg_sys::palloc(size_of_val(&values[..])).cast::<T>();
        copy.copy_from_nonoverlapping(values.as_ptr(), values.len());
        copy
    }
}
