import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inWork } from '../../shared/db/in-work.ts';
import { newId } from '../../shared/kernel/id.ts';
import { systemActor } from '../../shared/kernel/reader.ts';
import type { Work } from '../../shared/kernel/work.ts';
import { entryKey, wantEntries } from '../../shared/scheduler/calendars/entries/want.ts';
import { startApp } from '../support/app.ts';
import { connectGoogle, googleHost, runCalendarJobs } from '../support/calendar-jobs.ts';
import { googleFake } from '../support/google.ts';
import type { Person } from '../support/people.ts';
import { until } from '../support/until.ts';
import { startWorkers } from '../support/workers.ts';

const google = await googleFake();
const app = await startApp({ environment: google.environment });

type Owner = Person & { organization_id: string };

const host = () => googleHost(app, google);

function working<T>({ organization_id }: Owner, run: (work: Work) => Promise<T>): Promise<T> {
  const who = { actor: systemActor, organization_id, request_id: null, ip_address: null, now: new Date() };
  return app.database.withConnection(organization_id, (connection) =>
    inWork({ ...who, connection }, run, { may_change_nothing: true }),
  );
}

/** A booking as it is stored, past its operations; answers its ID. */
function book(owner: Owner, { location = null as object | null } = {}): Promise<string> {
  return working(owner, async (work) => {
    const id = newId('book', work.now);
    const at = work.now.toISOString();
    const guest = {
      name: '佐藤 花子',
      email: 'guest@example.com',
      time_zone: 'Asia/Tokyo',
      locale: 'ja',
      phone: null,
    };
    work.insert(
      { tableName: 'scheduler_bookings', jsonAttributes: ['guest', 'user_ids', 'location'] },
      {
        id,
        title: '初回相談',
        status: 'confirmed',
        is_counted: true,
        start: '2027-01-12T01:00:00Z',
        end: '2027-01-12T01:30:00Z',
        guest,
        guest_email_key: guest.email,
        user_ids: [owner.user_id],
        assigned_at: at,
        location,
        source: 'staff',
        search_text: '',
        search_grams: [],
        created_at: at,
        updated_at: at,
      },
    );
    await wantEntries(work, [
      { before: null, after: { id, session_id: null, status: 'confirmed', user_ids: [owner.user_id] } },
    ]);
    return id;
  });
}

/** Changes a booking as its operations would, and says so. */
function change(owner: Owner, id: string, changes: { status?: string; start?: string; end?: string }) {
  return working(owner, async (work) => {
    work.update({ tableName: 'scheduler_bookings' }, id, {
      ...changes,
      ...(changes.status ? { is_counted: false } : {}),
    });
    const status = changes.status ?? 'confirmed';
    const after = { id, session_id: null, status, user_ids: [owner.user_id] };
    await wantEntries(work, [{ before: after, after }]);
  });
}

async function bookingOf(id: string) {
  const [row] = await app.database.withConnection('*', ({ query }) =>
    query<{ calendar_sync: string; location: { value: string | null } | null }>(
      'SELECT calendar_sync, location FROM scheduler_bookings WHERE id = $1',
      [id],
    ),
  );
  return row!;
}

const syncOf = async (id: string) => (await bookingOf(id)).calendar_sync;

describe('the entry of a booking', () => {
  test('is made, moved and removed under one ID, without guests or mails of Google', async () => {
    const { owner, calendar } = await host();
    const id = await book(owner);
    assert.equal(await syncOf(id), 'pending');
    await runCalendarJobs(app);
    assert.equal(await syncOf(id), 'written');
    const [entry] = google.calendars.living(calendar);
    assert.equal(entry!.id, entryKey(id, owner.user_id));
    assert.match(entry!.id, /^[0-9a-v]{52}$/);
    assert.deepEqual([entry!['summary'], entry!['attendees']], ['初回相談 (佐藤 花子)', undefined]);
    assert.equal(google.calls[0]!.query['sendUpdates'], 'none');
    await change(owner, id, { start: '2027-01-12T02:00:00Z', end: '2027-01-12T02:30:00Z' });
    await runCalendarJobs(app);
    const moved = google.calendars.living(calendar);
    assert.deepEqual(
      moved.map(({ id: key, start }) => [key, start]),
      [[entry!.id, { dateTime: '2027-01-12T02:00:00.000Z' }]],
    );
    await change(owner, id, { status: 'cancelled' });
    await runCalendarJobs(app);
    assert.deepEqual(google.calendars.living(calendar), []);
    assert.equal(await syncOf(id), 'none');
  });

  test('that its host deleted is there again after the next change; one that is gone is removed', async () => {
    const { owner, calendar } = await host();
    const id = await book(owner);
    await runCalendarJobs(app);
    google.calendars.remove(calendar, entryKey(id, owner.user_id));
    await change(owner, id, { start: '2027-01-12T03:00:00Z', end: '2027-01-12T03:30:00Z' });
    await runCalendarJobs(app);
    assert.equal(google.calendars.living(calendar).length, 1);
    google.calendars.remove(calendar, entryKey(id, owner.user_id));
    await change(owner, id, { status: 'cancelled' });
    assert.deepEqual(
      (await runCalendarJobs(app)).map(({ outcome }) => outcome),
      ['done'],
    );
  });

  test('whose ID Google still knows as deleted is revived with all its fields', async () => {
    const { owner, calendar } = await host();
    const id = await book(owner);
    google.calendars.put(calendar, { id: entryKey(id, owner.user_id), status: 'cancelled', summary: 'old' });
    await runCalendarJobs(app);
    const [entry] = google.calendars.living(calendar);
    assert.deepEqual([entry!.status, entry!['summary']], ['confirmed', '初回相談 (佐藤 花子)']);
    assert.deepEqual(
      google.calls.map(({ method }) => method),
      ['POST', 'GET', 'PATCH'],
    );
  });

  test('does not occupy its host', async () => {
    const { owner, id: connection_id } = await host();
    await book(owner);
    await runCalendarJobs(app);
    await owner.post(`/scheduler/calendars/connections/${connection_id}/sync`);
    await runCalendarJobs(app);
    const rows = await app.database.withConnection('*', ({ query }) =>
      query('SELECT 1 FROM scheduler_external_events WHERE connection_id = $1', [connection_id]),
    );
    assert.deepEqual(rows, []);
  });

  test('brings the link of the meeting to the booking', async () => {
    const { owner } = await host();
    const id = await book(owner, { location: { type: 'google_meet', label: null, value: null } });
    google.calendars.meeting_link = null;
    assert.equal((await runCalendarJobs(app))[0]!.outcome, 'TryLater');
    assert.equal(await syncOf(id), 'pending');
    google.calendars.meeting_link = 'https://meet.google.example/abc';
    await runCalendarJobs(app);
    assert.equal((await bookingOf(id)).location!.value, 'https://meet.google.example/abc');
  });

  test('that Google does not take is tried again, and has failed in the end; a new connection brings it', async () => {
    const { owner, calendar } = await host();
    const id = await book(owner);
    for (const status of [429, 500]) {
      google.verdict = () => ({ status, body: {} });
      assert.equal((await runCalendarJobs(app))[0]!.outcome, 'TryLater');
    }
    await runCalendarJobs(app, { last_attempt: true });
    assert.equal(await syncOf(id), 'failed');
    google.verdict = () => undefined;
    await connectGoogle(google, owner);
    await runCalendarJobs(app);
    assert.equal(await syncOf(id), 'written');
    assert.equal(google.calendars.living(calendar).length, 1);
  });

  test('is one where its worker was killed after Google had it', async () => {
    const { owner, calendar } = await host();
    google.verdict = ({ method }) => (method === 'POST' ? 'silence' : undefined);
    const id = await book(owner);
    const environment = {
      DATABASE_URL: app.database_url,
      DATA_DIR: app.context.settings.dataDir,
      BASE_URL: app.base_url,
      ...google.environment,
    };
    const killed = await startWorkers(environment, ['--queues', 'calendar-sync']);
    await until('Google has the entry', () => google.calendars.living(calendar).length === 1);
    await killed.kill();
    google.verdict = () => undefined;
    const other = await startWorkers(environment, ['--queues', 'calendar-sync']);
    await until('it is written', async () => (await syncOf(id)) === 'written');
    assert.equal(await other.stop(), 0);
    assert.equal(google.calendars.living(calendar).length, 1);
    assert.ok(other.lines.every((line) => !/gmail\.example|eyJ|guest@/.test(JSON.stringify(line))));
  });
});
