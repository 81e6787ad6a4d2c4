import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { type Desk, newDesk } from '../../support/scheduler.ts';

/** A Thursday, 09:00 in Japan; the bookings are made four weeks before. */
const MADE = new Date('2026-10-29T00:00:00.000Z');
const NOW = new Date('2026-11-26T00:00:00.000Z');
let now = MADE;
const app = await startApp({ now: () => now });

const guest = { name: '佐藤 花子', email: 'hanako@example.co.jp' };
const noon = (date: string) => `${date}T03:00:00.000Z`;

/** Bookings of two hosts around today, with all that happens to bookings, and proposals. */
async function busyOffice() {
  now = MADE;
  const owner = await newDesk(app);
  const colleague = await owner.colleague();
  const fields = { booking_window: { type: 'none' }, min_notice_minutes: 0 };
  const single = await owner.eventType(fields);
  const manual = await owner.eventType({
    ...fields,
    title: '相談',
    confirmation: { mode: 'manual', expires_after_minutes: 525_600 },
    members: [{ user_id: colleague.user_id }],
  });
  const book = async (start: string, event_type_id = single.id) =>
    (await owner.done('POST', '/bookings', { event_type_id, start, guest, force: true })).booking
      .id as string;
  await book(noon('2026-11-02'));
  const cancelled = await book(noon('2026-11-10'));
  await owner.done('POST', `/bookings/${cancelled}/cancel`, {});
  const absent = await book(noon('2026-11-20'), manual.id);
  await book(noon('2026-11-26'));
  await book('2026-11-26T15:00:00.000Z', manual.id);
  await book(noon('2026-12-02'));
  await book(noon('2026-12-03'));
  const { organization } = (await owner.get('/organization')).body;
  const asked = { start: noon('2026-12-04'), guest };
  const pending = await app.anonymous.post(`/scheduler/p/${organization.slug}/${manual.slug}/book`, asked);
  assert.equal(pending.status, 201, pending.text);
  const proposal = { title: '打ち合わせ', duration_minutes: 30, guest, user_ids: [owner.user_id] };
  const candidates = [{ start: noon('2026-12-07') }];
  const expires_at = '2026-12-05T00:00:00.000Z';
  await owner.done('POST', '/proposals', { ...proposal, candidates, expires_at });
  await owner.done('POST', '/proposals', { ...proposal, candidates: [{ start: noon('2026-12-08') }] });
  now = NOW;
  await owner.done('POST', `/bookings/${absent}/no-show`, { no_show: true });
  return { owner, colleague, single, manual };
}

const dashboardOf = async (by: Desk, query = '') => (await by.done('GET', `/dashboard${query}`)).dashboard;

const total = async (by: Desk, path: string) => (await by.done('GET', path)).total;

describe('GET /dashboard', () => {
  test('every number is the total of the list that it stands for, of all and of one host', async () => {
    const { owner, colleague, single, manual } = await busyOffice();
    for (const user_id of [null, owner.user_id, colleague.user_id]) {
      const of = user_id === null ? '' : `&user_id=${user_id}`;
      const dashboard = await dashboardOf(owner, user_id === null ? '' : `?user_id=${user_id}`);
      const days = (from: string, to: string) =>
        `&start_from=${from}T00:00:00%2B09:00&start_to=${to}T00:00:00%2B09:00`;
      const lists = {
        today: `/bookings?status=confirmed,completed${days('2026-11-26', '2026-11-27')}${of}`,
        next_7_days: `/bookings?status=confirmed,completed${days('2026-11-26', '2026-12-03')}${of}`,
        pending: `/bookings?status=pending${of}`,
        cancelled_30d: `/bookings?status=cancelled${days('2026-10-27', '2026-11-26')}${of}`,
        no_show_30d: `/bookings?status=no_show${days('2026-10-27', '2026-11-26')}${of}`,
        proposals_open: `/proposals?status=open${of}`,
      };
      for (const [name, list] of Object.entries(lists)) {
        assert.equal(dashboard[name], await total(owner, list), `${name} of ${user_id}`);
      }
      for (const { id, bookings_30d } of dashboard.event_types) {
        const held = `/bookings?status=confirmed,completed,no_show&event_type_id=${id}`;
        assert.equal(bookings_30d, await total(owner, `${held}${days('2026-10-27', '2026-11-26')}${of}`));
      }
    }
    const { date, time_zone, next_bookings, event_types, ...numbers } = await dashboardOf(owner);
    assert.deepEqual([date, time_zone], ['2026-11-26', 'Asia/Tokyo']);
    assert.deepEqual(
      [numbers.today, numbers.next_7_days, numbers.pending, numbers.cancelled_30d, numbers.no_show_30d],
      [1, 3, 1, 1, 1],
    );
    assert.equal(numbers.proposals_open, 1);
    // 4 days and 3 hours, and 22 days and 3 hours.
    assert.equal(numbers.average_lead_hours_30d, (99 + 531) / 2);
    assert.deepEqual(
      next_bookings.map(({ start }: { start: string }) => start),
      [noon('2026-11-26'), '2026-11-26T15:00:00.000Z', noon('2026-12-02'), noon('2026-12-03')],
    );
    assert.deepEqual(
      event_types,
      [single.id, manual.id].toSorted().map((id) => ({ id, bookings_30d: 1 })),
    );
  });

  test('an organization without bookings has no average', async () => {
    const dashboard = await dashboardOf(await newDesk(app));
    assert.equal(dashboard.average_lead_hours_30d, null);
    assert.deepEqual([dashboard.next_bookings, dashboard.event_types], [[], []]);
  });

  test('calendars that do not work are told to their owner, and to admins and owners', async () => {
    const owner = await newDesk(app);
    const [member, other] = [await owner.colleague(), await owner.colleague()];
    const id = 'ccon_01kaj2n5w5fq8b4m0g3v7x9rtc';
    await app.database.withConnection(owner.organization_id, ({ query }) =>
      query(
        `INSERT INTO scheduler_connections (organization_id, id, user_id, provider, account, account_key, status,
           status_reason, created_at, updated_at)
         VALUES ($1, $2, $3, 'google', 'a@example.com', 'a', 'reauth_required', 'invalid_grant', $4, $4)`,
        [owner.organization_id, id, member.user_id, NOW],
      ),
    );
    const seenBy = async (by: Desk) =>
      (await dashboardOf(by)).connections_attention.map((one: { id: string }) => one.id);
    assert.deepEqual([await seenBy(owner), await seenBy(member), await seenBy(other)], [[id], [id], []]);
  });

  test('calendars that could never be read are shown after an hour: until then nobody can book their owner', async () => {
    const owner = await newDesk(app);
    const [young, old] = ['ccon_01kaj2n5w5fq8b4m0g3v7x9rtd', 'ccon_01kaj2n5w5fq8b4m0g3v7x9rte'] as const;
    const made = { [young]: 59, [old]: 61 };
    await app.database.withConnection(owner.organization_id, async ({ query }) => {
      for (const [id, minutes] of Object.entries(made)) {
        await query(
          `INSERT INTO scheduler_connections (organization_id, id, user_id, provider, account, account_key, status,
             created_at, updated_at)
           VALUES ($1, $2, $3, 'ics', 'a', $2, 'active', $4, $4)`,
          [owner.organization_id, id, owner.user_id, new Date(NOW.getTime() - minutes * 60_000)],
        );
      }
    });
    const shown = (await dashboardOf(owner)).connections_attention;
    assert.deepEqual(
      shown.map((one: { id: string }) => one.id),
      [old],
    );
  });
});
