// What all programs in JavaScript verify.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

export const oldRows = readFileSync(new URL("old_rows.sql", import.meta.url), "utf8");
export const [start, end] = [new Date("2026-01-02T00:00:00Z"), new Date("2026-01-03T00:00:00Z")];

const keys = (rows) => rows.map((row) => row.id);

// Verifies the keys of an inserted row and of rows that one statement inserted after it: they are version 7 and ascend.
export function verifyInserted(row, more) {
  assert.equal(row.id[14], "7");
  const ids = keys([row, ...more]);
  assert.equal(ids.length, 4);
  assert.deepEqual(ids, ids.toSorted());
  console.log("insert");
}

// Returns the keys of all pages of rows, newest first, where pageAfter(last) reads the page that follows a key.
export async function readPages(pageAfter) {
  const seen = [];
  for (let last = "ffffffff-ffff-ffff-ffff-ffffffffffff"; last; ) {
    const page = keys(await pageAfter(last));
    seen.push(...page);
    last = page.at(-1);
  }
  assert.equal(seen.length, 10004);
  assert.deepEqual(seen, seen.toSorted().reverse());
  console.log("pages");
  return seen;
}

export function verifyNewest(newest, seen) {
  assert.deepEqual(keys(newest), seen.slice(0, 20));
  console.log("page");
}
