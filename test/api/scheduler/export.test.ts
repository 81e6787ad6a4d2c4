import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { exported, rowsOf, startExportWorkers } from '../../support/exports.ts';
import { deskOf } from '../../support/scheduler.ts';

const app = await startApp();
await startExportWorkers(app);

test('bookings: the status as of the export, their hosts and guests, answers as JSON', async () => {
  const owner = await app.actor();
  const desk = deskOf(app, owner, owner.actor);
  const questions = [{ id: 'topic', label: 'ご相談内容', type: 'short_text' }];
  const type = await desk.eventType({ questions, max_additional_guests: 2 });
  const hour = 3_600_000;
  const from = Math.floor(Date.now() / hour) * hour;
  const bookAt = async (start: number, more: object = {}) => {
    const guest = { name: '=佐藤 花子', email: 'hanako@example.com', phone: '+81-90-0000-0000' };
    const body = {
      event_type_id: type.id,
      start: new Date(start).toISOString(),
      guest,
      force: true,
      ...more,
    };
    return (await desk.done('POST', '/bookings', body)).booking;
  };
  const [soon, next] = [
    await bookAt(from + 48 * hour, {
      additional_guests: ['a@example.com', 'b@example.com'],
      answers: { topic: '見積もり; 納期' },
      external_id: 'B-1',
    }),
    await bookAt(from + 72 * hour),
  ];
  await desk.done('POST', `/bookings/${next.id}/cancel`, { reason: '-都合' });
  const rows = rowsOf((await exported(app, owner, '/scheduler/bookings', { sort: 'start:asc' })).bytes);
  assert.deepEqual(
    rows.map(({ id, status, cancel_reason }) => [id, status, cancel_reason]),
    [
      [soon.id, 'confirmed', ''],
      [next.id, 'cancelled', "'-都合"],
    ],
  );
  const row = rows[0]!;
  assert.deepEqual(
    [
      row['guest_name'],
      row['guest_phone'],
      row['additional_guests'],
      row['answers'],
      row['duration_minutes'],
    ],
    ["'=佐藤 花子", "'+81-90-0000-0000", 'a@example.com;b@example.com', '{"topic": "見積もり; 納期"}', '30'],
  );
  assert.deepEqual(
    [row['host_ids'], row['host_names'], row['start']],
    [desk.user_id, '試験 太郎', soon.start],
  );
  const filtered = await exported(app, owner, '/scheduler/bookings', {
    status: 'cancelled',
    user_id: desk.user_id,
    lang: 'ja',
  });
  assert.deepEqual(
    rowsOf(filtered.bytes).map((one) => [one['レコードID'], one['状態']]),
    [[next.id, 'キャンセル']],
  );
});
