import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { transaction } from '../../shared/db/transaction.ts';
import { systemActor } from '../../shared/kernel/reader.ts';
import { Work } from '../../shared/kernel/work.ts';
import { createJob } from '../../shared/platform/jobs/operations.ts';
import { newActor } from '../support/actors.ts';
import { startApi } from '../support/api.ts';
import { freshDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { follow } from '../support/streams.ts';
import { until } from '../support/until.ts';

const own = await freshDatabase();
after(() => own.drop());
const { secret, organization_id } = await newActor(own.database);

test('at SIGTERM streams of events end in order, and do not keep the process from ending', async () => {
  const port = await freePort();
  const api = await startApi(port, { DATABASE_URL: own.url });
  const who = { organization_id, actor: systemActor, request_id: null, ip_address: null };
  const job = await own.database.withConnection(organization_id, (connection) =>
    transaction(connection, async (commit) => {
      const work = new Work({ connection, now: new Date(), ...who });
      const made = createJob(work, { kind: 'crm.export', scope: '*', unit: null });
      await commit(work.finish());
      return made;
    }),
  );
  const url = `http://127.0.0.1:${port}/api/v1/jobs/${job.id}/events`;
  const streams = await Promise.all(
    Array.from({ length: 5 }, () => follow(url, { Authorization: `Bearer ${secret}` })),
  );
  await until('all have heard the state', () => streams.every(({ events }) => events.length === 1));
  const ending = api.stop();
  await until('the process ends before its patience does', () => api.process.exitCode !== null);
  assert.equal(await ending, 0);
  // A stream that was cut off would reject here.
  await Promise.all(streams.map(({ ended }) => ended));
});
