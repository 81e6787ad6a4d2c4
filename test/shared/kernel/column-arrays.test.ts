import { deepEqual } from 'node:assert/strict';
import { after, test } from 'node:test';
import { CompanyModel } from '../../../shared/crm/companies/record.ts';
import { ContactModel } from '../../../shared/crm/contacts/record.ts';
import { DealModel } from '../../../shared/crm/deals/record.ts';
import { columnArrays } from '../../../shared/kernel/column-arrays.ts';
import { freshDatabase } from '../../support/database.ts';

const { database, drop } = await freshDatabase();
after(drop);

const table = {
  tableName: 'some',
  jsonAttributes: ['told', 'maybe'],
  columnTypes: {
    told: 'jsonb',
    maybe: 'jsonb',
    count: 'integer',
    letters: 'integer[]',
    at: 'timestamptz',
    is: 'boolean',
  },
};
const columns = ['text', 'count', 'letters', 'told', 'maybe', 'at', 'is', 'never'];

test('a row arrives as it was sent, whatever letters it has', async () => {
  const texts = [
    '',
    'NULL',
    'null',
    '{}',
    ',',
    '"',
    '\\',
    '\\"',
    ' a ',
    '\n',
    '株式会社',
    '{"a":"\\\\"}',
    '💴',
    "'",
    'a,b',
  ];
  const rows = texts.map((text, at) => ({
    text: at % 5 === 4 ? null : text,
    count: at % 2 ? at : null,
    letters: at % 3 ? [at, -at] : [],
    told: { text, list: [text, null], at },
    maybe: at % 2 ? null : [text],
    at: at % 2 ? '2026-11-28T01:02:03.004Z' : new Date('2026-11-28T01:02:03.004Z'),
    is: at % 2 === 0,
  }));
  const { source, read, values } = columnArrays(table, columns, { rows, first: 1 });
  const selected = read.map((one, index) => `${one} AS "${columns[index]}"`).join(', ');
  const found = await database.withConnection('*', ({ query }) =>
    query(`SELECT ${selected} FROM ${source}`, values),
  );
  deepEqual(
    found.map((row) => JSON.parse(JSON.stringify(row))),
    rows.map((row) => JSON.parse(JSON.stringify({ ...row, never: null }))),
  );
});

test('all columns that are not text are told as the catalogue has them', async () => {
  const TYPES: Record<string, string> = { 'timestamp with time zone': 'timestamptz' };
  for (const { tableName, columnTypes } of [CompanyModel, ContactModel, DealModel]) {
    const found = await database.withConnection('*', ({ query }) =>
      query<{ name: string; type: string }>(
        `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
          WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND atttypid <> 'text'::regtype`,
        [tableName],
      ),
    );
    deepEqual(
      columnTypes,
      Object.fromEntries(found.map(({ name, type }) => [name, TYPES[type] ?? type])),
      tableName,
    );
  }
});
