/*
 * Another library that sets the same hook as uuidrfc, which is called for each table that the planner looks up. Its function
 * counts the tables, hides their indexes on request, and calls the previous hook.
 */
#include "postgres.h"

#include "fmgr.h"
#include "optimizer/pathnode.h"
#include "optimizer/plancat.h"

PG_MODULE_MAGIC;

static int32 looked_at;
static bool hides_indexes;

#if PG_VERSION_NUM >= 190000
static build_simple_rel_hook_type previous;

static void look_at_table(PlannerInfo *root, RelOptInfo *relation, RangeTblEntry *entry)
{
	if (previous)
		previous(root, relation, entry);
	/* This hook is also called for subqueries, functions and results. */
	if (entry->rtekind != RTE_RELATION)
		return;
#else
static get_relation_info_hook_type previous;

static void look_at_table(PlannerInfo *root, Oid table, bool is_parent, RelOptInfo *relation)
{
	if (previous)
		previous(root, table, is_parent, relation);
#endif
	looked_at++;
	if (hides_indexes)
		relation->indexlist = NIL;
}

void _PG_init(void);

void _PG_init(void)
{
#if PG_VERSION_NUM >= 190000
	previous = build_simple_rel_hook;
	build_simple_rel_hook = look_at_table;
#else
	previous = get_relation_info_hook;
	get_relation_info_hook = look_at_table;
#endif
}

/* Returns the number of tables looked up since the last call, and sets whether indexes are hidden from now on. */
PG_FUNCTION_INFO_V1(other_hook);

Datum other_hook(PG_FUNCTION_ARGS)
{
	int32 since = looked_at;

	looked_at = 0;
	hides_indexes = PG_GETARG_BOOL(0);
	PG_RETURN_INT32(since);
}
