import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const FOLDER = join(import.meta.dirname, '../../migrations');

/** Those before were written for tables that nobody had yet, or have run everywhere. */
const FIRST = '0136';

const files = readdirSync(FOLDER).filter((name) => name.endsWith('.ts') && name >= FIRST);

for (const name of files) {
  test(`${name} keeps no writes out while it builds an index`, () => {
    const text = readFileSync(join(FOLDER, name), 'utf8');
    const own = new Set(
      [...text.matchAll(/CREATE TABLE (?:IF NOT EXISTS )?(\w+)/g)].map(([, table]) => table),
    );
    const built = text.matchAll(
      /CREATE (?:UNIQUE )?INDEX (CONCURRENTLY )?(?:IF NOT EXISTS )?\S+\s+ON (\w+)/g,
    );
    const waited = [...built].filter(([, concurrently, table]) => !concurrently && !own.has(table));
    assert.deepEqual(
      waited.map(([statement]) => statement),
      [],
    );
  });
}
