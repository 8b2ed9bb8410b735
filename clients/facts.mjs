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

// Verifies that the newest twenty rows begin with those that one statement inserted last.
export function verifyNewest(newest, more) {
  assert.equal(newest.length, 20);
  assert.deepEqual(keys(newest).slice(0, 3), keys(more).reverse());
  console.log("page");
}

// Verifies that generated keys ascend, and that both children were found by their keys and the name of their parent.
export function verifyAhead(parent, children, found) {
  assert(parent < children[0] && children[0] < children[1]);
  assert.equal(found, 2);
  console.log("ahead");
}

// Verifies what a feed returned after the parent.
export function verifyFeed(rows, children) {
  assert.deepEqual(keys(rows), children);
  console.log("feed");
}
