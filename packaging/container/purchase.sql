CREATE EXTENSION uuidrfc;
CREATE TABLE purchase (id uuid PRIMARY KEY DEFAULT uuidv7(), what text);
INSERT INTO purchase (what) VALUES ('a clock'), ('a key');
