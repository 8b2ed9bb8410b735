-- Tests an extension, in whatever way it was installed: psql -f installed.sql, as superuser.
\set ON_ERROR_STOP on
-- The extension is trusted, so the owner of a database can create it.
CREATE ROLE shop_owner;
CREATE DATABASE shop OWNER shop_owner;
\connect shop
SET SESSION AUTHORIZATION shop_owner;
CREATE SCHEMA shop;
CREATE EXTENSION uuidrfc SCHEMA shop;
CREATE TABLE shop.purchase (id uuid PRIMARY KEY DEFAULT shop.uuidv7(), number integer);
INSERT INTO shop.purchase (number) SELECT generate_series(1, 1000);
-- Each of the following queries divides by zero if its condition is false.
SELECT 1 / (count(*) = 1000)::integer AS in_order
FROM (SELECT number, row_number() OVER (ORDER BY id) AS place FROM shop.purchase) AS row WHERE number = place;
SELECT 1 / (count(*) = 1000)::integer AS of_today FROM shop.purchase WHERE id OPERATOR(shop.>=) now() - interval '1 day';
RESET SESSION AUTHORIZATION;
SELECT extversion FROM pg_extension WHERE extname = 'uuidrfc';
