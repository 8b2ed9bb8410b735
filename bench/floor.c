/*
 * A function with the minimum cost of generating a time-based uuid: it reads the clock and returns an allocated uuid, which is
 * not valid. The benchmark compares generators with it.
 */
#include "postgres.h"

#include <time.h>

#include "fmgr.h"
#include "utils/uuid.h"

PG_MODULE_MAGIC;

PG_FUNCTION_INFO_V1(floor_uuid);

Datum
floor_uuid(PG_FUNCTION_ARGS)
{
	struct timespec now;
	pg_uuid_t  *uuid = palloc(sizeof(pg_uuid_t));
	uint64		nanos;

	clock_gettime(CLOCK_REALTIME, &now);
	nanos = (uint64) now.tv_sec * 1000000000 + now.tv_nsec;
	memcpy(uuid->data, &nanos, sizeof(nanos));
	memcpy(uuid->data + sizeof(nanos), &nanos, sizeof(nanos));
	PG_RETURN_POINTER(uuid);
}
