import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { z } from 'zod';
import { report } from '../../../api/http/reports.ts';
import { Failure } from '../../../shared/kernel/failure.ts';
import { type Reader, systemActor } from '../../../shared/kernel/reader.ts';
import type { Report } from '../../../shared/platform/reports/report.ts';
import { freshDatabase } from '../../support/database.ts';

const { database, drop } = await freshDatabase();
after(drop);
const organization_id = 'org_01kaj2n5w5fq8b4m0g3v7x9rtc';

/** A report of so many lines that counts what it reads, with how many it has read. */
function numbered(lines: number): { table: Report; read: () => number } {
  let read = 0;
  const title = { ja: '番号', en: 'Number' };
  const table: Report = {
    name: 'invoicing.ageing',
    scope: 'invoicing:read',
    title,
    counts_as_it_reads: true,
    columns: () => [{ name: 'n', kind: 'text', title, width: 100 }],
    state: () => assert.fail('the lines were counted before they were read'),
    async *rows(_reader, _asked, _language, fetch) {
      const text = 'SELECT at::text AS n FROM generate_series(1, $1::integer) AS at ORDER BY at';
      for await (const { n } of fetch<{ n: string }>(text, [lines])) {
        read += 1;
        yield { type: 'line', cells: [n] };
      }
    },
  };
  return { table, read: () => read };
}

const answered = (table: Report) =>
  database.withConnection(organization_id, (connection) => {
    const reader: Reader = {
      connection,
      organization_id,
      actor: systemActor,
      now: new Date(),
      request_id: null,
      ip_address: null,
    };
    const endpoint = report({
      id: 'numbers',
      path: '/api/v1/numbers',
      summary: 'Numbers',
      report: table,
      filters: {},
      reply: z.strictObject({ rows: z.array(z.object({ n: z.string() })) }),
      asked: async () => ({}),
      answer: { of_rows: ({ rows }) => ({ rows: rows as { n: string }[] }) },
    });
    return endpoint.handle({ params: {}, query: {}, body: undefined } as never, reader);
  });

test('a report that counts what it reads answers 20,000 lines', async () => {
  const { rows } = (await answered(numbered(20_000).table)) as { rows: { n: string }[] };
  assert.deepEqual([rows.length, rows[0]?.n, rows.at(-1)?.n], [20_000, '1', '20000']);
});

test('and refuses more, of which it reads one', async () => {
  const { table, read } = numbered(100_000);
  await assert.rejects(
    answered(table),
    (error) => error instanceof Failure && error.code === 'too_many_rows',
  );
  assert.equal(read(), 20_001);
});
