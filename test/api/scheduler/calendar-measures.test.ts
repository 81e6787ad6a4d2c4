import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calendarMeasures } from '../../../shared/scheduler/calendars/measures.ts';
import { startApp } from '../../support/app.ts';
import { newDesk } from '../../support/scheduler.ts';

const app = await startApp();

test('a calendar that was never read, or not for an hour, is behind, whatever its next reading', async () => {
  const { organization_id, user_id } = await newDesk(app);
  const { query: behind } = calendarMeasures.find(({ name }) => name === 'scheduler_calendars_behind')!;
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
  const connected: [made: string, read: string | null, checks: boolean, status: string][] = [
    [ago(120), null, true, 'active'],
    [ago(500), ago(90), true, 'active'],
    [ago(500), ago(10), true, 'active'],
    [ago(10), null, true, 'active'],
    [ago(500), ago(90), false, 'active'],
    [ago(500), ago(90), true, 'error'],
  ];
  await app.database.withConnection(organization_id, async ({ query }) => {
    for (const [place, [made, read, checks, status]] of connected.entries()) {
      const id = `ccon_${place}`;
      await query(
        `INSERT INTO scheduler_connections (organization_id, id, user_id, provider, account, account_key, status,
           created_at, updated_at) VALUES ($1, $2, $3, 'ics', $2, $2, $4, $5, $5)`,
        [organization_id, id, user_id, status, made],
      );
      await query(
        `INSERT INTO scheduler_calendars (organization_id, connection_id, id, name, is_primary, checks_conflicts,
           is_write_target, position, last_synced_at, next_sync_at)
         VALUES ($1, $2, 'main', 'main', true, $3, false, 0, $4, $5)`,
        [organization_id, id, checks, read, ago(-15)],
      );
    }
  });
  const [found] = await app.database.withConnection('*', ({ query }) =>
    query<{ value: number; oldest_at: string }>(behind),
  );
  assert.deepEqual(found, { value: 2, oldest_at: connected[0]![0] });
});
