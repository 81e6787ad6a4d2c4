import { deepEqual, equal } from 'node:assert/strict';
import { after, test } from 'node:test';
import { CompanyModel } from '../../../shared/crm/companies/record.ts';
import { ContactModel } from '../../../shared/crm/contacts/record.ts';
import { DealModel } from '../../../shared/crm/deals/record.ts';
import { columnArrays } from '../../../shared/kernel/column-arrays.ts';
import type { Row } from '../../../shared/kernel/statement.ts';
import { freshDatabase } from '../../support/database.ts';
import { type Draws, drawsOf } from '../../support/random-draws.ts';

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

/** Letters that mean something to arrays, to JSON or to nobody, and pieces that look like something else. */
const PIECES = [
  '"',
  '\\',
  '{',
  '}',
  ',',
  ' ',
  '\n',
  '\t',
  '\u0001',
  'NULL',
  'null',
  "'",
  'é',
  '株式会社',
  '💴',
  '\u2028',
];

const textFrom = ({ among, below }: Draws) => {
  const text = Array.from({ length: below(6) }, () => among(PIECES)).join('');
  return below(40) === 0 ? text.repeat(5_000) : text;
};

/** A value as a row holds one of a column of the type. */
function valueFrom(draw: Draws, type: string): unknown {
  const { among, below } = draw;
  const at = new Date(Date.UTC(1990, 0, 1) + below(2 ** 40));
  const integer = () => below(65_536) - 32_768;
  switch (type) {
    case 'smallint':
    case 'integer':
      return integer();
    case 'bigint':
      return among([0, -1, Number.MAX_SAFE_INTEGER, integer()]);
    case 'numeric':
      return among(['0', '-0.10', '123456789012.3456', 0.5, integer(), '00012']);
    case 'boolean':
      return below(2) === 0;
    case 'date':
      return at.toISOString().slice(0, 10);
    case 'timestamptz':
      return among([at, at.toISOString(), '2026-11-28T09:00:00.123456+09:00']);
    case 'integer[]':
      return Array.from({ length: below(4) }, integer);
    case 'jsonb':
      return among([
        { [textFrom(draw)]: textFrom(draw), of: [null, integer(), { deep: true }] },
        [textFrom(draw)],
        {},
      ]);
    default:
      return textFrom(draw);
  }
}

test('random rows are what they are where they travel as JSON', async () => {
  const draw = drawsOf(20);
  for (const model of [CompanyModel, ContactModel, DealModel]) {
    const { tableName, columnTypes } = model;
    await database.withConnection('*', async ({ query }) => {
      const names = await query<{ name: string }>(
        'SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped',
        [tableName],
      );
      const all = names.map(({ name }) => name);
      for (let round = 0; round < 8; round += 1) {
        const often = draw.among([0, 2, 5, 1_000]);
        const rows = Array.from(
          { length: 1 + draw.below(40) },
          (): Row =>
            Object.fromEntries(
              all.map((name) => [
                name,
                draw.below(often + 1) === 0
                  ? draw.among([null, undefined])
                  : valueFrom(draw, (columnTypes as Record<string, string>)[name] ?? 'text'),
              ]),
            ),
        );
        const { source, read, values } = columnArrays(model, all, { rows, first: 1 });
        const selected = read.map((one, index) => `${one} AS "${all[index]}"`).join(', ');
        const listed = values.length === 0 ? null : await query(`SELECT ${selected} FROM ${source}`, values);
        const sent = await query(
          `SELECT ${all.map((name) => `"${name}"`).join(', ')} FROM json_populate_recordset(null::"${tableName}", $1::json)`,
          [JSON.stringify(rows)],
        );
        equal(sent.length, rows.length);
        if (listed) deepEqual(listed, sent);
      }
    });
  }
});
