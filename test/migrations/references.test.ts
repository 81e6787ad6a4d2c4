import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { domains, references } from '../../shared/domains.ts';
import { freshDatabase } from '../support/database.ts';

const { database, drop } = await freshDatabase();
after(drop);

/** The tables whose records users remove and merge. */
const REFERRED = ['crm_companies', 'crm_contacts'];

type Key = { to: string; table: string; column: string };

const keys = await database.withConnection('*', (connection) =>
  connection.query<Key>(
    `SELECT target.relname AS to, source.relname AS table, attribute.attname AS column
       FROM pg_constraint AS constraint_
       JOIN pg_class AS target ON target.oid = constraint_.confrelid
       JOIN pg_class AS source ON source.oid = constraint_.conrelid
       JOIN pg_attribute AS attribute
         ON attribute.attrelid = constraint_.conrelid AND attribute.attnum = ANY (constraint_.conkey)
      WHERE constraint_.contype = 'f' AND target.relname = ANY ($1) AND attribute.attname <> 'organization_id'`,
    [REFERRED],
  ),
);

const sentence = ({ table, column, to }: Key) => `${table}.${column} refers to ${to}`;
const ownerOf = (table: string) => domains.find(({ name }) => table.startsWith(`${name}_`))?.name;

describe('references to companies and contacts', () => {
  test('are declared by the domains, every foreign key of the database once', () => {
    assert.ok(keys.length > 8);
    const followed = references.filter(({ keeps_id }) => !keeps_id);
    assert.deepEqual(followed.map(sentence).toSorted(), keys.map(sentence).toSorted());
  });

  test('are declared by the domain of the table', () => {
    for (const { name, references: own = [] } of domains)
      for (const { table } of own) assert.equal(ownerOf(table), name);
  });

  test('from another domain say how their rows follow', () => {
    const silent = references.filter(
      ({ to, table, follows }) => ownerOf(to) !== ownerOf(table) && follows === undefined,
    );
    assert.deepEqual(silent.map(sentence), []);
  });

  test('have an index for each look-up by organization and record', async () => {
    const indexes = await database.withConnection('*', ({ query }) =>
      query<{ table: string; columns: string[] }>(
        `SELECT class.relname AS table, array_agg(attribute.attname::text ORDER BY place.nth) AS columns
           FROM pg_index AS index_
           JOIN pg_class AS class ON class.oid = index_.indrelid
           CROSS JOIN unnest(index_.indkey::int2[]) WITH ORDINALITY AS place (attnum, nth)
           JOIN pg_attribute AS attribute
             ON attribute.attrelid = index_.indrelid AND attribute.attnum = place.attnum
          GROUP BY class.relname, index_.indexrelid`,
      ),
    );
    const without = references.filter(
      ({ table, column }) =>
        !indexes.some(
          (index) =>
            index.table === table && index.columns[0] === 'organization_id' && index.columns[1] === column,
        ),
    );
    assert.deepEqual(without.map(sentence), []);
  });
});
