import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApi } from '../../support/api.ts';
import { startApp } from '../../support/app.ts';
import type { Workplace } from '../../support/attendance.ts';
import { clientOf } from '../../support/client.ts';
import { newClosingOffice, SUBMISSIONS, submitted } from '../../support/closing.ts';
import { freePort } from '../../support/free-port.ts';
import { isAwaited, whileHeld } from '../../support/held.ts';
import { until } from '../../support/until.ts';

const app = await startApp();

/** How far each month is in all the tables that a confirmation writes: the same in each of them where it is whole. */
function stateOf({ organization_id }: Workplace, ids: readonly string[]): Promise<string[]> {
  return app.database.withConnection(organization_id, async ({ query }) => {
    const rows = await query<{ status: string; revision: number; kept: number; told: number; mails: number }>(
      `SELECT submission.status, submission.revision,
              (SELECT count(*)::integer FROM attendance_period_revisions AS kept
                WHERE kept.organization_id = $1 AND kept.submission_id = submission.id AND confirmed_at IS NOT NULL) AS kept,
              (SELECT count(*)::integer FROM audit_logs
                WHERE audit_logs.organization_id = $1 AND entity_id = submission.id AND action = 'update') AS told,
              (SELECT count(*)::integer FROM mails
                WHERE mails.organization_id = $1 AND about ->> 'submission_id' = submission.id) AS mails
         FROM attendance_submissions AS submission WHERE organization_id = $1 AND id = ANY ($2)`,
      [organization_id, ids],
    );
    return [...new Set(rows.map((row) => Object.values(row).join(' ')))];
  });
}

test('an API that is killed while it confirms many leaves each month whole, and the call can be sent again', async () => {
  const port = await freePort();
  for (const table of ['attendance_period_revisions', 'mails']) {
    const { owner, member } = await newClosingOffice(app);
    const ids: string[] = [];
    for (const one of [member, await owner.colleague(), await owner.colleague()]) {
      ids.push((await submitted(one, '2026-10')).id);
    }
    const killed = await startApi(port, { DATABASE_URL: app.database_url });
    const client = clientOf(`http://127.0.0.1:${port}`, { Authorization: `Bearer ${owner.actor.secret}` });
    await whileHeld(app.database, table, async () => {
      const cut = client.post(`${SUBMISSIONS}/confirm-many`, { ids }).catch(() => 'cut');
      await until('the confirmation waits', () => isAwaited(app.database, table));
      await killed.kill();
      assert.equal(await cut, 'cut');
    });
    // The database may still have had all that the process sent: it is done with it by then.
    await until('nobody waits any more', async () => !(await isAwaited(app.database, table)));
    const items = (await owner.done('POST', '/submissions/confirm-many', { ids })).items as {
      status: number;
    }[];
    assert.equal(new Set(items.map(({ status }) => status)).size, 1, JSON.stringify(items));
    assert.deepEqual(await stateOf(owner, ids), ['confirmed 1 1 1 1'], table);
  }
});
