\echo Use "ALTER EXTENSION uuidrfc UPDATE TO '0.3.0'" to load this file. \quit

-- Functions of their own names and arguments.

-- Comparisons with a time.

-- Comments.
