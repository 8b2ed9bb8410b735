/*
 * Another library with a function that has the same C symbol as one of the extension's. The function returns the time inside a
 * version 7 UUID, truncated to the hour.
 */
#include "postgres.h"

#include "datatype/timestamp.h"
#include "fmgr.h"
#include "utils/timestamp.h"
#include "utils/uuid.h"

PG_MODULE_MAGIC;

PG_FUNCTION_INFO_V1(uuid_extract_timestamp_wrapper);

Datum
uuid_extract_timestamp_wrapper(PG_FUNCTION_ARGS)
{
	pg_uuid_t  *uuid = PG_GETARG_UUID_P(0);
	int64		milliseconds = 0;
	int64		hours;

	for (int i = 0; i < 6; i++)
		milliseconds = milliseconds << 8 | uuid->data[i];
	hours = milliseconds / 1000 / SECS_PER_HOUR - (POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE) * HOURS_PER_DAY;
	PG_RETURN_TIMESTAMPTZ(hours * USECS_PER_HOUR);
}
