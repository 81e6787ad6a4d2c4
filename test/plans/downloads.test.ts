import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { DAY } from '../../shared/kernel/days.ts';
import { idSeries } from '../../shared/kernel/id.ts';
import type { Reader } from '../../shared/kernel/reader.ts';
import { downloadPage } from '../../shared/platform/jobs/downloads.ts';
import { newActor } from '../support/actors.ts';
import { plannedDatabase } from '../support/plans.ts';

/** The files of the last days, in an organization that has had jobs for years: those before are not looked at. */
const OLD = 20_000;
const RECENT = 200;

const now = new Date('2026-11-27T03:00:00Z');
const planned = await plannedDatabase();
const { database } = planned.database;
after(() => planned.database.drop());

const owner = await newActor(database);
await planned.fill(async () => {
  for (const [count, at] of [
    [OLD, new Date(now.getTime() - 100 * DAY)],
    [RECENT, new Date(now.getTime() - DAY)],
  ] as const) {
    const next = idSeries('job', at);
    const ids = Array.from({ length: count }, next);
    await database.withConnection(owner.organization_id, ({ query }) =>
      query(
        `INSERT INTO jobs (organization_id, id, kind, scope, status, created_by, asked_by, created_at, updated_at)
         SELECT $1, id, CASE WHEN number % 2 = 0 THEN 'crm.contacts.export' ELSE 'crm.contacts.import' END,
                'crm:read', 'queued', $2, $2, $3, $3
           FROM unnest($4::text[]) WITH ORDINALITY AS made (id, number)`,
        [owner.organization_id, owner.user_id, at.toISOString(), ids],
      ),
    );
  }
  await database.withConnection(owner.organization_id, ({ query }) =>
    query(
      `INSERT INTO job_files (organization_id, job_id, storage_key, file_name, media_type, size, sha256, created_at)
       SELECT organization_id, id, 'key ' || id, 'a.csv', 'text/csv', 1, repeat('0', 64), created_at FROM jobs
        WHERE organization_id = $1`,
      [owner.organization_id],
    ),
  );
});

test('the files of the last days are found by their time, also for a member who sees a part of them', async () => {
  for (const grants of [['*'], ['crm:read', 'jobs:read']] as const) {
    let found = 0;
    const { whole, rows } = await planned.plansOf(() =>
      database.withConnection(owner.organization_id, async (connection) => {
        const { organization_id, user_id } = owner;
        const actor = { type: 'user', id: user_id, user_id, role: 'member', grants } as const;
        const reader: Reader = {
          connection,
          organization_id,
          actor,
          now,
          request_id: null,
          ip_address: null,
        };
        found = (await downloadPage(reader, { before: null, limit: 50 })).rows.length;
      }),
    );
    assert.equal(found, 50);
    assert.deepEqual([...whole], []);
    assert.ok(rows < 4 * RECENT, `${rows} rows were looked at`);
  }
});
