-- On a server that preloads the library, there is one order for all sessions.
\set ON_ERROR_STOP on
\connect shop
SET uuidrfc.monotonic_scope = 'server';
SELECT 1 / (shop.uuidv7() < shop.uuidv7())::integer AS in_order;
SELECT 1 / (shop.uuidv7_horizon() IS NOT NULL)::integer AS has_horizon;
