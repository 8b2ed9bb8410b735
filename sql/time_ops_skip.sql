-- What uuid_time_ops has more where the server has skip scans, PostgreSQL 18.
ALTER OPERATOR FAMILY uuid_time_ops USING btree ADD FUNCTION 6 (uuid, uuid) uuid_time_skipsupport(internal);
