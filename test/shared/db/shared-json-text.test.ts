import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { transaction } from '../../../shared/db/transaction.ts';
import { factsOf } from '../../../shared/kernel/fact.ts';
import { systemActor } from '../../../shared/kernel/reader.ts';
import { Work } from '../../../shared/kernel/work.ts';
import { freshDatabase } from '../../support/database.ts';

const statements: { text: string; values: readonly unknown[] }[] = [];
const { database, drop } = await freshDatabase({
  on_statement: (text, values) => statements.push({ text, values }),
});
after(drop);

const { created } = factsOf({
  domain: 'invoicing',
  entity_type: 'invoice',
  largest: 'lines',
  events: { created: 'invoice.created' },
});

/** Texts that would tell if they were put together as SQL, JSON or a pattern. */
const LINES = [{ text: `"$1" $& \\ 'x' ${'豆'.repeat(600)}` }, { text: ' null ' }];

/** Records so many facts of records with the same lines in one work, and answers what was kept and what was sent. */
async function keptOf(count: number, lines: object) {
  statements.length = 0;
  const organization_id = `org_${count}_${statements.length}`;
  return database.withConnection(organization_id, async (connection) => {
    await transaction(connection, (commit) => {
      const work = new Work({
        connection,
        organization_id,
        actor: systemActor,
        now: new Date(),
        request_id: null,
        ip_address: null,
      });
      for (let n = 0; n < count; n++) {
        work.record(created, {
          before: null,
          after: { id: `inv_${n}`, none: null, lines, last: n } as never,
        });
      }
      return commit(work.finish());
    });
    const sent = statements.flatMap(({ values }) => values.filter((value) => String(value).includes('豆')));
    const events = await connection.query<{ data: object }>(
      'SELECT data FROM events WHERE organization_id = $1 ORDER BY id',
      [organization_id],
    );
    const audit = await connection.query<{ changes: object }>(
      'SELECT changes FROM audit_logs WHERE organization_id = $1 ORDER BY id',
      [organization_id],
    );
    return { events: events.map(({ data }) => data), audit: audit.map(({ changes }) => changes), sent };
  });
}

describe('the largest member of a new record', () => {
  for (const count of [1, 3, 20]) {
    test(`is in the event and the audit entry of ${count} as it was told`, async () => {
      const { events, audit } = await keptOf(count, LINES);
      const numbers = Array.from({ length: count }, (_, n) => n);
      assert.deepEqual(
        events,
        numbers.map((n) => ({ id: `inv_${n}`, none: null, lines: LINES, last: n })),
      );
      assert.deepEqual(
        audit,
        numbers.map((n) => ({ id: [null, `inv_${n}`], lines: [null, LINES], last: [null, n] })),
      );
    });
  }

  test('is sent once', async () => {
    assert.deepEqual((await keptOf(2, LINES)).sent, [JSON.stringify(LINES)]);
  });
});
