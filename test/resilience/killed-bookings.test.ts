import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { newActor } from '../support/actors.ts';
import { startApi } from '../support/api.ts';
import { clientOf, patientClientOf } from '../support/client.ts';
import { freshDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { somebodyWaits, whileHeld } from '../support/held.ts';
import { until } from '../support/until.ts';

const own = await freshDatabase();
after(() => own.drop());

const STARTS = 20;
const GUESTS = 3;
const DAY = 24 * 60 * 60_000;

/** A guest who wants a start and asks until that is answered. */
type Wanted = { start: string; email: string; key: string; answer: string | null; cut: number };

test('each of 20 starts is booked once while the API is killed among 60 guests', async (context) => {
  const { secret, organization_id } = await newActor(own.database);
  const port = await freePort();
  const base_url = `http://127.0.0.1:${port}`;
  const start = () => startApi(port, { DATABASE_URL: own.url });
  let api = await start();

  const staff = patientClientOf(base_url, { Authorization: `Bearer ${secret}` });
  const days = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
  const weekly = [{ days, start: '00:00', end: '24:00' }];
  await staff.post('/scheduler/availability', { name: '毎日', weekly });
  const made = await staff.post('/scheduler/event-types', { title: '面談', duration_minutes: 30 });
  assert.equal(made.status, 201, made.text);
  const { slug } = (await staff.get('/organization')).body.organization;
  const path = `/scheduler/p/${slug}/${made.body.event_type.slug}/book`;

  const first = (Math.floor(Date.now() / DAY) + 2) * DAY;
  const wanted: Wanted[] = Array.from({ length: STARTS * GUESTS }, (_, index) => ({
    start: new Date(first + (index % STARTS) * 30 * 60_000).toISOString(),
    email: `guest${index}@example.com`,
    key: randomUUID(),
    answer: null,
    cut: 0,
  }));
  const guests = clientOf(base_url, {});
  const asking = Promise.all(
    wanted.map(async (one) => {
      while (one.answer === null) {
        try {
          const guest = { name: '佐藤', email: one.email };
          const headers = { 'Idempotency-Key': one.key };
          const { status, body } = await guests.post(path, { start: one.start, guest }, headers);
          if (status === 201) one.answer = body.booking.id;
          else if (body.code === 'slot_taken') one.answer = body.code;
          else assert.ok(['idempotency_key_in_use', 'unavailable'].includes(body.code), JSON.stringify(body));
        } catch (error) {
          if (error instanceof assert.AssertionError) throw error;
          if ((error as { code?: string }).code !== 'ECONNREFUSED') one.cut += 1;
          await pause(50);
        }
      }
    }),
  );
  await until('some are answered', () => wanted.some(({ answer }) => answer !== null));
  await api.kill();
  await whileHeld(own.database, 'scheduler_occupancies', async () => {
    const held = await start();
    await somebodyWaits(own.database);
    await held.kill();
  });
  api = await start();
  await asking;

  const booked = wanted.flatMap(({ answer }) => (answer === 'slot_taken' ? [] : [answer]));
  const rows = await own.database.withConnection(organization_id, ({ query }) =>
    query<{ id: string; start: string; events: number; occupancies: number }>(
      `SELECT id, "start",
              (SELECT count(*)::int FROM events
                WHERE organization_id = $1 AND type = 'scheduler.booking.created'
                  AND data->>'id' = booking.id) AS events,
              (SELECT count(*)::int FROM scheduler_occupancies
                WHERE organization_id = $1 AND record_id = booking.id) AS occupancies
         FROM scheduler_bookings AS booking WHERE organization_id = $1`,
      [organization_id],
    ),
  );
  assert.deepEqual(rows.map(({ id }) => id).sort(), booked.sort());
  assert.equal(new Set(rows.map((row) => row.start)).size, STARTS);
  assert.deepEqual([rows.length, new Set(rows.map(told)).size, told(rows[0]!)], [STARTS, 1, '1 1']);
  const cut = wanted.filter((one) => one.cut > 0).length;
  assert.ok(cut > 0, 'the one that waited when the API was killed');
  context.diagnostic(`${STARTS} booked, ${cut} cut at least once, no start lost or given twice`);
  assert.equal(await api.stop(), 0);
});

/** How many events and spans of time a booking has. */
function told({ events, occupancies }: { events: number; occupancies: number }): string {
  return `${events} ${occupancies}`;
}
