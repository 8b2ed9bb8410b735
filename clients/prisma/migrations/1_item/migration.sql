CREATE EXTENSION uuidrfc;

-- CreateTable
CREATE TABLE "item" (
    "id" UUID NOT NULL DEFAULT uuidv7(),
    "name" TEXT NOT NULL,

    CONSTRAINT "item_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "visit" (
    "id" uuid_v7 NOT NULL DEFAULT uuidv7(),
    "items" UUID[],

    CONSTRAINT "visit_pkey" PRIMARY KEY ("id")
);

CREATE VIEW item_v AS SELECT *, uuidv7_time(id) AS created_at FROM item WHERE uuidv7_time(id) IS NOT NULL;
