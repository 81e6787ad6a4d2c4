import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { measures } from '../../../shared/domains.ts';
import { startApp } from '../../support/app.ts';
import { clockBefore, insertRow, MINUTE } from '../../support/lively-rows.ts';
import { fetchAsOperator, WITH_OPERATORS } from '../../support/operators.ts';

const NOW = new Date();
const { at } = clockBefore(NOW);
/** The tables of the first two hold what waits and nothing else; calendars are looked at by two tables. */
const NOT_BY_INDEX = [
  'attendance_recalculations_waiting',
  'evidence_entries_unsealed',
  'scheduler_calendars_behind',
];

const app = await startApp({ now: () => NOW, environment: WITH_OPERATORS });
const offices = [await app.actor(), await app.actor()];

before(() =>
  app.database.withConnection('*', async ({ query }) => {
    for (const [index, { actor }] of offices.entries()) {
      const { organization_id, user_id: id } = actor;
      const older = index + 1;
      await query(
        `INSERT INTO cloud_usage VALUES ($1, $2, $3)
         ON CONFLICT (organization_id) DO UPDATE SET used_bytes = $2, reserved_bytes = $3`,
        [organization_id, 3 * 1024 ** 3, 512],
      );
      for (const [scan, age] of Object.entries({
        pending: 70,
        quarantined: 90,
        unscanned: 200,
        clean: 9_000,
      }))
        await insertRow(query, 'files', {
          organization_id,
          storage_key: scan,
          file_name: 'secret.pdf',
          sha256: 'a',
          size: 1,
          scan,
          declared_type: 'application/pdf',
          content_type: 'application/pdf',
          finding: scan === 'quarantined' ? 'Eicar' : null,
          scan_due_at: scan === 'pending' ? at(0) : null,
          created_at: at(age * older * MINUTE),
        });
      for (const [status, age] of Object.entries({
        receiving: 5,
        completing: 10,
        failed: 50,
        completed: 900,
      }))
        await insertRow(query, 'cloud_uploads', {
          organization_id,
          id: `upl_${status}`,
          file_name: 'secret.pdf',
          on_conflict: 'rename',
          status,
          storage_key: status === 'completed' ? null : status,
          size_bytes: 9,
          received_bytes: 0,
          is_wanted: false,
          created_by: id,
          actor_type: 'user',
          actor_id: id,
          expires_at: at(-MINUTE),
          created_at: at(age * older * MINUTE),
          updated_at: at(age * older * MINUTE),
        });
    }
  }),
);

describe('files and uploads of all organizations', () => {
  test('stand on the page with the age of the oldest, and without a name', async () => {
    const text = await (await fetchAsOperator(`${app.base_url}/ops`)).text();
    const panel = /<h2 id="files">[\s\S]*?<\/table>/.exec(text)?.[0] ?? '';
    const rows = [...panel.matchAll(/<tr role="row">([\s\S]*?)<\/tr>/g)].map(([, row = '']) =>
      row
        .replaceAll(/<[^>]*>/g, '|')
        .split(/\|+/)
        .filter((cell) => cell.trim() !== '')
        .map((cell) => cell.trim()),
    );
    assert.deepEqual(rows.slice(1), [
      ['Files without a verdict yet', '2', '2 h ago', '(its arrival)'],
      ['Files with malware', '2', '3 h ago', '(its arrival)'],
      ['Files too large or deep to scan', '2', '6 h ago', '(its arrival)'],
      ['Bytes used', '6.0 GiB', '–'],
      ['Bytes reserved', '1.0 KiB', '–'],
      ['Uploads receiving', '2', '10 min ago', '(its last byte)'],
      ['Uploads completing', '2', '20 min ago', '(its last byte)'],
      ['Uploads failed', '2', '1 h ago', '(its failure)'],
      ['Items to purge', '0', '–'],
    ]);
    for (const { actor } of offices) assert.ok(!panel.includes(actor.organization_id));
    assert.ok(!panel.includes('secret'));
  });

  test('are numbers at /metrics', async () => {
    const told = await (await fetch(`${app.base_url}/metrics`)).text();
    const number = (name: string) =>
      Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(told)?.[1] ?? Number.NaN);
    assert.equal(number('cloud_used_bytes'), 6 * 1024 ** 3);
    assert.equal(number('cloud_reserved_bytes'), 1024);
    assert.equal(number('files_quarantined'), 2);
    assert.equal(number('cloud_uploads_completing'), 2);
    // The numbers are read by the clock of the machine, which goes on.
    assert.ok(number('files_pending_oldest_seconds') >= 140 * 60);
    assert.ok(number('cloud_uploads_completing_oldest_seconds') >= 20 * 60);
    assert.equal(number('cloud_purges_waiting'), 0);
    assert.equal(number('cloud_purges_waiting_oldest_seconds'), 0);
    assert.doesNotMatch(told, /^cloud_used_bytes_oldest_seconds/m);
  });

  test('count an item from when it was given up, not from when it went to the trash', async () => {
    const [office] = offices;
    const { body } = await office!.post('/cloud/folders', { name: 'Old' });
    const { id } = body.folder;
    assert.ok((await office!.delete(`/cloud/folders/${id}`)).status < 300);
    await app.database.withConnection('*', ({ query }) =>
      query(`UPDATE cloud_items SET trashed_at = $2, updated_at = $2 WHERE id = $1`, [
        id,
        at(20 * 1440 * MINUTE),
      ]),
    );
    const purged = await office!.delete(`/cloud/trash/${id}`);
    assert.ok(purged.status < 300, purged.text);
    const text = await (await fetchAsOperator(`${app.base_url}/ops`)).text();
    assert.match(text, /Items to purge[\s\S]*?>1<[\s\S]*?>0 s ago</);
  });

  test('are found by an index', async () => {
    for (const { query: text, unit, name } of measures) {
      if (unit === 'bytes' || NOT_BY_INDEX.includes(name)) continue;
      const plan = await app.database.withConnection('*', async ({ query }) => {
        await query('SET enable_seqscan = off');
        await query('SET enable_bitmapscan = off');
        const rows = await query<Record<string, string>>(`EXPLAIN ${text}`);
        await query('RESET enable_seqscan');
        await query('RESET enable_bitmapscan');
        return rows.map((row) => row['QUERY PLAN']).join('\n');
      });
      assert.match(
        plan,
        /Index (Only )?Scan using (files_by_verdict|cloud_uploads_by_state|cloud_items_to_purge|attendance_daily_runs_due|forms_(files_unclaimed|responses_(hashed|flagged|unlinked))|invitations_not_told|mail_(campaigns_(paused|sending|start_failed|unreachable)|campaign_(hours_by_hour|recipients_unknown)|domain_speeds_by_time|send_spans_by_time)|received_(sheets_by_age|files_unreadable|transfer_files_by_age)|scheduler_(bookings_pending|proposals_due|connections_by_status|calendars_due|calendar_entries_open|reminders_due)|sign_(documents_(failed|open|sealing)|signers_(to_remind|unknown)))/,
        name,
      );
      assert.doesNotMatch(plan, /Sort/, name);
    }
  });
});
