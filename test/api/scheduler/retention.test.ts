import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newId } from '../../../shared/kernel/id.ts';
import { blankGuests } from '../../../shared/scheduler/retention/sweep.ts';
import { startApp } from '../../support/app.ts';
import { changeBooking } from '../../support/stored-bookings.ts';

const app = await startApp();
const DAY = 24 * 60 * 60_000;

/** Every row of the tables that may show a guest, as text. */
async function kept(organization_id: string): Promise<string> {
  return app.database.withConnection(organization_id, async ({ query }) => {
    const texts: string[] = [];
    for (const table of [
      'scheduler_bookings',
      'scheduler_proposals',
      'scheduler_mails',
      'mails',
      'events',
      'audit_logs',
      'idempotency_keys',
    ]) {
      const rows = await query(
        `SELECT row_to_json(kept)::text AS text FROM ${table} AS kept WHERE organization_id = $1`,
        [organization_id],
      );
      texts.push(...(rows as { text: string }[]).map(({ text }) => text));
    }
    return texts.join('\n');
  });
}

const guest = {
  name: 'Secretive Guest',
  email: 'secret@example.com',
  time_zone: 'Asia/Tokyo',
  locale: 'ja' as const,
  phone: '+81 90 0000 1111',
};

const SECRETS = ['Secretive', 'secret@', '0000 1111', 'secret answer', 'secret reason', 'other@'];

async function booked(organization_id: string, user_id: string) {
  const where = { organization_id };
  const made = await changeBooking(app, where, 'created', [
    null,
    {
      user_ids: [user_id],
      guest,
      guest_email_key: guest.email,
      additional_guests: ['other@example.com'],
      answers: { topic: 'secret answer' },
      location: { type: 'phone_guest', label: null, value: guest.phone },
    },
  ]);
  return changeBooking(app, where, 'cancelled', [
    made,
    { status: 'cancelled', revision: 1, cancel_reason: 'secret reason' },
  ]);
}

describe('what is known of guests', () => {
  it('is blank so many days after the end, in bookings and all that repeats them; not a day before', async () => {
    const client = await app.actor();
    const { organization_id, user_id } = client.actor;
    await client.patch('/scheduler/settings', { retention_days: 30 });
    const other = await app.actor();
    const booking = await booked(organization_id, user_id);
    await booked(other.actor.organization_id, other.actor.user_id);
    await app.database.withConnection(organization_id, async ({ query }) => {
      await query(`UPDATE mails SET error = '550 secret@example.com is unknown' WHERE organization_id = $1`, [
        organization_id,
      ]);
      await query(`INSERT INTO idempotency_keys VALUES ($1, 'k', 'k', 'f', 201, '{}', $2, $3)`, [
        organization_id,
        JSON.stringify({ booking: { ...booking } }),
        new Date().toISOString(),
      ]);
    });
    const end = Date.parse(booking.end);
    const signal = new AbortController().signal;
    assert.equal(await blankGuests(app.database, new Date(end + 30 * DAY - 1_000), signal), 0);
    assert.ok((await kept(organization_id)).includes('Secretive'));
    assert.equal(await blankGuests(app.database, new Date(end + 30 * DAY), signal), 1);
    const after = await kept(organization_id);
    for (const secret of SECRETS) assert.ok(!after.includes(secret), secret);
    assert.ok(after.includes(booking.start.slice(0, 10)), 'times stay');
    assert.equal(
      await blankGuests(app.database, new Date(end + 31 * DAY), signal),
      0,
      'what is blank is found no more',
    );
    assert.ok(
      (await kept(other.actor.organization_id)).includes('Secretive'),
      'without retention_days all stays',
    );
  });

  it('is blank in proposals that were not accepted', async () => {
    const client = await app.actor();
    const { organization_id, user_id } = client.actor;
    await client.patch('/scheduler/settings', { retention_days: 0 });
    const start = new Date(Math.floor(Date.now() / DAY + 2) * DAY).toISOString();
    const { phone: _, ...proposed } = guest;
    const made = await client.post('/scheduler/proposals', {
      title: '打ち合わせ',
      duration_minutes: 30,
      user_ids: [user_id],
      candidates: [{ start }],
      guest: proposed,
      location: { type: 'phone_guest', label: null, value: guest.phone },
      message: 'secret answer',
    });
    assert.equal(made.status, 201, made.text);
    assert.equal((await client.post(`/scheduler/proposals/${made.body.proposal.id}/withdraw`)).status, 200);
    await app.database.withConnection(organization_id, ({ query }) =>
      query(`UPDATE mails SET error = '550 secret@example.com is unknown' WHERE organization_id = $1`, [
        organization_id,
      ]),
    );
    const signal = new AbortController().signal;
    assert.equal(await blankGuests(app.database, new Date(Date.parse(start) + DAY), signal), 1);
    const after = await kept(organization_id);
    for (const secret of SECRETS) assert.ok(!after.includes(secret), secret);
  });

  it('takes the files of exports with it', async () => {
    const client = await app.actor();
    const { organization_id, user_id } = client.actor;
    await client.patch('/scheduler/settings', { retention_days: 1 });
    const booking = await booked(organization_id, user_id);
    const ids = { bookings: newId('job', new Date()), others: newId('job', new Date()) };
    await app.database.withConnection(organization_id, async ({ query }) => {
      for (const [what, id] of Object.entries(ids)) {
        await query(
          `INSERT INTO jobs (organization_id, id, kind, status, scope, created_at, updated_at)
           VALUES ($1, $2, $3, 'succeeded', '*', now(), now())`,
          [organization_id, id, what === 'bookings' ? 'scheduler.bookings.export' : 'crm.contacts.export'],
        );
        await query(
          `INSERT INTO job_files (organization_id, job_id, storage_key, file_name, media_type, size, sha256, is_kept, created_at)
           VALUES ($1, $2, $2, 'a.csv', 'text/csv', 1, '', false, now())`,
          [organization_id, id],
        );
      }
    });
    const at = new Date(Date.parse(booking.end) + DAY);
    assert.equal(await blankGuests(app.database, at, new AbortController().signal), 1);
    const left = await app.database.withConnection(organization_id, ({ query }) =>
      query<{ job_id: string }>('SELECT job_id FROM job_files WHERE organization_id = $1', [organization_id]),
    );
    assert.deepEqual(
      left.map(({ job_id }) => job_id),
      [ids.others],
    );
  });
});
