import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { mailboxFolder, mailboxIds } from '../../shared/platform/mailer/mailbox.ts';
import { mailboxMessage } from '../../shared/platform/mailer/mailbox-message.ts';
import { patientClientOf, type Reply } from '../support/client.ts';
import { assertLines, type ReadEvent, readByIcalJs, readByPython } from '../support/icalendar.ts';
import { libfaketime } from '../support/moved-clock.ts';
import { founded, type MovedPrograms, movedPrograms, tokyo } from '../support/moved-programs.ts';
import { until } from '../support/until.ts';

const EVERY_DAY = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** A start on the Tuesday that all is about. */
const tuesday = (time: string) => new Date(tokyo(`2026-12-01T${time}`)).toISOString();

/** An organization on that service, and what its guests do. */
async function booked(service: MovedPrograms) {
  const staff = await founded(service);
  const guests = patientClientOf(service.base_url, {});
  const succeeded = (reply: Reply) => {
    assert.ok(reply.status < 300, reply.text);
    return reply.body;
  };
  const done = async (method: string, path: string, body?: unknown) =>
    succeeded(await staff.send(method, `/scheduler${path}`, body));
  const { slug } = (await staff.get('/organization')).body.organization;
  await done('POST', '/availability', {
    name: '毎日',
    time_zone: 'Asia/Tokyo',
    weekly: [{ days: EVERY_DAY, start: '09:00', end: '18:00' }],
  });
  const reminders = [{ minutes_before: 60, to: 'both' }];
  const common = { title: '面談', duration_minutes: 30, min_notice_minutes: 0, reminders };
  const types = {
    talk: {},
    asked: { confirmation: { mode: 'manual', expires_after_minutes: 120 } },
    class: { seats_per_slot: 3 },
    quiet: { reminders: [] },
  };
  for (const [type, fields] of Object.entries(types)) {
    await done('POST', '/event-types', { ...common, slug: type, ...fields });
  }
  const tryToBook = (type: keyof typeof types, name: string, time: string) =>
    guests.post(`/scheduler/p/${slug}/${type}/book`, {
      start: tuesday(time),
      guest: { name, email: `${name}@example.com` },
    });
  return {
    done,
    host: staff.email,
    book: async (type: keyof typeof types, name: string, time: string) => {
      const { booking, token } = succeeded(await tryToBook(type, name, time));
      const path = `/scheduler/b/${token}`;
      return {
        id: booking.id as string,
        path,
        act: async (action: string, body = {}) => succeeded(await guests.post(`${path}/${action}`, body)),
      };
    },
    /** What a guest hears who wants a time that others may have. */
    want: async (name: string, time: string) => (await tryToBook('quiet', name, time)).status,
    hold: async (time: string) =>
      succeeded(await guests.post(`/scheduler/p/${slug}/quiet/hold`, { start: tuesday(time) })),
    propose: async (name: string, times: string[], expires_at: string) => {
      const { proposal, guest_url } = await done('POST', '/proposals', {
        title: 'お打ち合わせ',
        duration_minutes: 30,
        user_ids: [(await staff.get('/members')).body.items[0].user_id],
        candidates: times.map((time) => ({ start: tuesday(time) })),
        guest: { name, email: `${name}@example.com` },
        expires_at,
      });
      return { id: proposal.id as string, path: `/scheduler${new URL(guest_url).pathname}` };
    },
    see: (path: string) => guests.get(path),
    tryTo: (path: string, body: object) => guests.post(path, body),
  };
}

/** Waits until the workers have done whatever is due at a time, and every mail has gone. */
function quietAt({ database }: MovedPrograms, time: string) {
  return until(`all that is due at ${time} is done`, async () => {
    const left = await database.withConnection('*', ({ query }) =>
      query(
        `SELECT FROM scheduler_reminders WHERE mail_id IS NULL AND due_at <= $1
         UNION ALL SELECT FROM scheduler_bookings WHERE status = 'pending' AND pending_expires_at <= $1
         UNION ALL SELECT FROM scheduler_proposals WHERE status = 'open' AND expires_at <= $1
         UNION ALL SELECT FROM scheduler_occupancies WHERE expires_at <= $1
         UNION ALL SELECT FROM mails WHERE status IN ('queued', 'sending')`,
        [tokyo(time)],
      ),
    );
    return left.length === 0;
  });
}

type Sent = { to: string; purpose: string; calendar: string | null };

/** The mails of the mailbox about the scheduler, in the order in which they left. */
async function sentMails({ database, folder }: MovedPrograms): Promise<Sent[]> {
  const mails = mailboxFolder(folder);
  const rows = await database.withConnection('*', ({ query }) =>
    query<{ id: string; purpose: string }>("SELECT id, purpose FROM mails WHERE purpose LIKE 'scheduler.%'"),
  );
  const purposes = new Map(rows.map(({ id, purpose }) => [id, purpose]));
  const ids = (await mailboxIds(mails)).filter((id) => purposes.has(id));
  const leftAt = (id: string) => statSync(join(mails, `${id}.eml`), { bigint: true }).mtimeNs;
  const ordered = ids.toSorted((one, other) => Number(leftAt(one) - leftAt(other)));
  return Promise.all(
    ordered.map(async (id) => {
      const { to, attachments } = (await mailboxMessage(mails, id))!;
      const invite = attachments.find(({ file_name }) => file_name === 'invite.ics');
      const calendar = invite ? Buffer.from(invite.content).toString() : null;
      return { to: to[0]!, purpose: purposes.get(id)!, calendar };
    }),
  );
}

describe('bookings through a month', { skip: libfaketime ? false : 'libfaketime is not installed' }, () => {
  test('are reminded of once, end on time, and their calendars follow', async () => {
    const service = await movedPrograms('2026-11-30T09:00');
    const { moveTo } = service;
    const { done, host, book, want, hold, propose, see, tryTo } = await booked(service);
    const statusAt = async (path: string) => (await see(path)).body.booking.status;
    let workers = await service.work('email');

    // On Monday morning, with workers: what stays, and what changes before anybody is reminded of it.
    await book('talk', 'begun', '09:30');
    const stays = await book('talk', 'stays', '10:00');
    const moved = await book('talk', 'moved', '10:30');
    await moved.act('reschedule', { start: tuesday('15:00') });
    const given_up = await book('talk', 'cancelled', '11:00');
    await given_up.act('cancel', { reason: '都合がつかないため' });
    const asked = await book('asked', 'confirmed', '12:30');
    await done('POST', `/bookings/${asked.id}/confirm`);
    await asked.act('reschedule', { start: tuesday('13:00') });
    await done('POST', `/bookings/${asked.id}/confirm`);
    await book('class', 'seated', '14:00');
    const left = await book('class', 'left', '14:00');
    await left.act('cancel');
    await quietAt(service, '2026-11-30T09:00');
    assert.equal(await workers.stop(), 0);

    // Nobody works from here on: what ends ends by the time alone.
    const unseen = await book('asked', 'unseen', '11:30');
    const unconfirmed = await book('asked', 'unconfirmed', '12:00');
    const untouched = await propose('untouched', ['16:30'], tokyo('2026-11-30T13:00'));
    const proposal = await propose('proposed', ['17:00', '17:30'], tokyo('2026-11-30T13:00'));
    await moveTo('2026-11-30T10:00');
    await hold('16:00');
    assert.equal(await want('early', '16:00'), 409);
    await moveTo('2026-11-30T10:06');
    assert.equal(await want('held', '16:00'), 201);
    assert.equal(await want('early', '12:00'), 409);
    assert.equal(await statusAt(unconfirmed.path), 'pending');
    await moveTo('2026-11-30T12:00');
    assert.equal(await statusAt(unconfirmed.path), 'expired');
    assert.equal(await want('freed', '12:00'), 201);
    assert.equal(await want('early', '17:00'), 409);
    await moveTo('2026-11-30T13:01');
    assert.equal((await see(proposal.path)).body.proposal.status, 'expired');
    const accepted = await tryTo(`${proposal.path}/accept`, { start: tuesday('17:30') });
    assert.deepEqual([accepted.status, accepted.body.code], [409, 'invalid_transition']);
    assert.equal(await want('chosen', '17:00'), 201);

    // The workers come back on Tuesday: too late for one, in time for the other.
    await moveTo('2026-12-01T09:45');
    workers = await service.work('email');
    await quietAt(service, '2026-12-01T09:45');
    const remindedOf = async () =>
      (await sentMails(service))
        .filter(({ purpose }) => purpose.endsWith('reminder'))
        .map(({ to }) => (to === host ? 'host' : to.split('@')[0]))
        .toSorted();
    assert.deepEqual(await remindedOf(), ['host', 'stays']);
    assert.equal(await statusAt(unseen.path), 'expired');
    assert.equal((await done('GET', `/proposals/${untouched.id}`)).proposal.status, 'expired');
    // Each of the others has its hour: 13:00 after a confirmation anew, 14:00 for who shares it, 15:00 for who was moved there.
    const hours = { '12:10': 'confirmed', '13:10': 'seated', '14:10': 'moved' };
    const reminded = ['host', 'stays'];
    for (const [time, name] of Object.entries(hours)) {
      await moveTo(`2026-12-01T${time}`);
      await quietAt(service, `2026-12-01T${time}`);
      reminded.push('host', name);
      assert.deepEqual(await remindedOf(), reminded.toSorted());
    }
    assert.equal(await workers.stop(), 0);

    await judgedMails(await sentMails(service), host);

    // Links work for 30 days.
    const statuses = () =>
      Promise.all([proposal, stays, moved, given_up].map(async ({ path }) => (await see(path)).status));
    await moveTo('2026-12-30T12:50');
    assert.deepEqual(await statuses(), [200, 200, 200, 200]);
    await moveTo('2026-12-30T13:01');
    assert.deepEqual(await statuses(), [404, 200, 200, 200]);
    await moveTo('2026-12-31T10:20');
    assert.deepEqual(await statuses(), [404, 200, 200, 200]);
    await moveTo('2026-12-31T10:31');
    assert.deepEqual(await statuses(), [404, 404, 200, 200]);
    await moveTo('2026-12-31T15:31');
    assert.deepEqual(await statuses(), [404, 404, 404, 404]);
  });
});

/** What calendars heard, by two other programs: rising numbers under one name, and the same from both. */
async function judgedMails(mails: readonly Sent[], host: string) {
  const invites = mails.flatMap(({ to, calendar }) => (calendar === null ? [] : [{ to, calendar }]));
  for (const { calendar } of invites) assertLines(calendar);
  const judged = readByPython(invites.map(({ calendar }) => calendar));
  const heard = new Map<string, { uid: string; told: string[]; last: ReadEvent }>();
  for (const [place, { to, calendar }] of invites.entries()) {
    const read = readByIcalJs(calendar);
    assert.deepEqual(judged[place], read);
    const [event] = read.events;
    const reader = to === host ? `host ${event!.uid}` : to.split('@')[0]!;
    const { told = [], uid = event!.uid } = heard.get(reader) ?? {};
    assert.equal(event!.uid, uid, `${reader} knows one event`);
    const text = `${read.method} ${event!.sequence}`;
    heard.set(reader, { uid, told: [...told, text], last: event! });
  }
  const toldTo = (name: string) => heard.get(name)?.told;
  const toHost = (name: string) => toldTo(`host ${heard.get(name)!.uid}`);
  const once = ['REQUEST 0'];
  const lives = {
    begun: once,
    stays: once,
    moved: ['REQUEST 0', 'REQUEST 1'],
    cancelled: ['REQUEST 0', 'CANCEL 1'],
    confirmed: ['REQUEST 0', 'CANCEL 1', 'REQUEST 2'],
  };
  for (const [name, told] of Object.entries(lives)) {
    assert.deepEqual([toldTo(name), toHost(name)], [told, told], name);
  }
  assert.deepEqual([toldTo('seated'), toldTo('left')], [once, ['REQUEST 0', 'CANCEL 1']]);
  const session = [...heard.entries()].find(([reader]) => reader.startsWith('host bsess_'))!;
  assert.deepEqual(session[1].told, ['REQUEST 0', 'REQUEST 1', 'REQUEST 2']);
  assert.deepEqual([toldTo('unseen'), toldTo('unconfirmed')], [undefined, undefined]);
  assert.equal(heard.get('moved')!.last.start, tuesday('15:00'));
  assert.equal(heard.get('confirmed')!.last.start, tuesday('13:00'));
}
