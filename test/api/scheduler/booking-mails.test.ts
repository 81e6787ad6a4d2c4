import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Letter } from '../../../shared/platform/mailer/letter.ts';
import { startApp } from '../../support/app.ts';
import { assertLines, readByIcalJs, readByPython } from '../../support/icalendar.ts';
import { lettersAbout } from '../../support/letters.ts';
import { changeBooking } from '../../support/stored-bookings.ts';

const app = await startApp();

/** An organization with two members, the first of whom speaks Japanese and the second English. */
async function hosting() {
  const { actor, patch } = await app.actor();
  const { organization_id, user_id: first } = actor;
  await patch('/scheduler/settings', { cancel_policy: '前日までにご連絡ください' });
  const { user_id: second } = (await app.actor({ organization_id })).actor;
  await app.database.withConnection('*', async ({ query }) => {
    await query("UPDATE users SET locale = 'en', name = 'Taro Test' WHERE id = $1", [second]);
  });
  return { organization_id, first, second };
}

type Read = {
  to: string;
  subject: string;
  link: string | null;
  method: string | null;
  sequence: number | null;
  start: string | null;
};

/** The letters about a booking as tests compare them, their calendars judged by two other programs. */
async function lettersOf(id: string): Promise<{ letters: Letter[]; read: Read[] }> {
  const letters = await lettersAbout(app, 'scheduler.booking', id);
  const texts = letters.flatMap(({ calendar }) => (calendar ? [calendar.text] : []));
  const judged = readByPython(texts);
  const read = letters.map(({ to, subject, action, calendar }) => {
    const own = calendar ? readByIcalJs(calendar.text) : null;
    if (calendar) {
      assertLines(calendar.text);
      assert.deepEqual(judged[texts.indexOf(calendar.text)], own);
      assert.equal(own?.method, calendar.method);
      assert.equal(own?.events[0]?.status, calendar.method === 'CANCEL' ? 'CANCELLED' : 'CONFIRMED');
      assert.equal(own?.events[0]?.uid, `${id}@${new URL(app.context.settings.baseUrl).hostname}`);
    }
    return {
      to: to[0]!.address,
      subject: subject.split(/[:：]/)[0]!,
      link: action?.url ?? null,
      method: own?.method ?? null,
      sequence: own?.events[0]?.sequence ?? null,
      start: own?.events[0]?.start ?? null,
    };
  });
  return { letters, read };
}

const brief = ({ to, subject, method, sequence }: Read) => [to.split('@')[0], subject, method, sequence];

describe('a booking that is made, moved to another host and cancelled', async () => {
  const { organization_id, first, second } = await hosting();
  const where = { organization_id };
  const made = await changeBooking(app, where, 'created', [
    null,
    { user_ids: [first], additional_guests: ['b@example.com'], answers: { topic: '見積もり' } },
  ]);
  const hour = (hours: number) => new Date(Date.parse(made.start) + hours * 60 * 60_000).toISOString();
  const moved = await changeBooking(app, where, 'rescheduled', [
    made,
    { start: hour(24), end: hour(25), user_ids: [second], revision: 1 },
  ]);
  await changeBooking(app, where, 'cancelled', [
    moved,
    { status: 'cancelled', revision: 2, cancelled_by: 'guest', cancel_reason: 'A meeting came up' },
  ]);
  const { letters, read } = await lettersOf(made.id);

  it('is told to guests and hosts with rising numbers, and who is replaced gives the time back', () => {
    assert.deepEqual(read.map(brief), [
      ['hanako', 'Your booking is confirmed', 'REQUEST', 0],
      ['b', 'Your booking is confirmed', 'REQUEST', 0],
      [first, '新しい予約が入りました', 'REQUEST', 0],
      ['hanako', 'Your booking was moved', 'REQUEST', 1],
      ['b', 'Your booking was moved', 'REQUEST', 1],
      [second, 'You host a booking', 'REQUEST', 1],
      [first, '予約の担当から外れました', 'CANCEL', 1],
      ['hanako', 'Your booking was cancelled', 'CANCEL', 2],
      ['b', 'Your booking was cancelled', 'CANCEL', 2],
      [second, 'A booking was cancelled', 'CANCEL', 2],
    ]);
    assert.deepEqual(
      [read[6]!.start, read[7]!.start],
      [made.start, moved.start],
      'a cancellation is about the time that was',
    );
  });

  it('gives the link, the same each time, to who booked and to nobody else', () => {
    const links = read.flatMap(({ to, link }) => (link ? [[to, link]] : []));
    assert.equal(links.length, 3);
    assert.deepEqual(new Set(links.map(([to]) => to)), new Set(['hanako@example.com']));
    assert.equal(new Set(links.map(([, link]) => link)).size, 1);
    const token = links[0]![1]!.split('/b/')[1]!;
    assert.match(token, /^[\w-]{43}$/);
    for (const letter of letters.filter(({ action }) => !action)) {
      assert.ok(!JSON.stringify(letter).includes(token));
    }
    assert.ok(letters[0]!.action?.in_brackets);
  });

  it('comes from the organization, in the zone and language of its reader, and answers go to the first host', () => {
    const [toGuest, , toHost] = letters;
    assert.deepEqual([toGuest!.from_name, toGuest!.reply_to], ['テスト株式会社', `${first}@example.com`]);
    assert.match(toGuest!.paragraphs.join('\n'), /\(America\/New_York\)/);
    assert.match(
      toHost!.paragraphs.join('\n'),
      /（Asia\/Tokyo）[\s\S]*お客様：Hanako Sato hanako@example\.com/,
    );
    assert.match(letters[7]!.paragraphs.join('\n'), /Reason: A meeting came up/);
    assert.match(letters[3]!.paragraphs.join('\n'), /Before: /);
  });

  it('tells who comes along who has booked', () => {
    const booked = letters.map(({ to, paragraphs }) => [
      to[0]!.address,
      /Booked by: Hanako Sato/.test(paragraphs.join('\n')),
    ]);
    const along = booked.filter(([, says]) => says).map(([address]) => address);
    assert.deepEqual(along, ['b@example.com', 'b@example.com', 'b@example.com']);
  });

  it('says what holds for cancelling as long as the booking can be cancelled', () => {
    const notes = letters.filter(({ action }) => action).map((letter) => letter.notes);
    assert.deepEqual(notes, [
      ['Cancellation policy: 前日までにご連絡ください'],
      ['Cancellation policy: 前日までにご連絡ください'],
      [],
    ]);
  });

  it('names the hosts and guests who attend, and the organization as the one who invites', () => {
    const [event] = readByIcalJs(letters[0]!.calendar!.text).events;
    assert.deepEqual(event!.attendees, [
      `mailto:${first}@example.com`,
      'mailto:hanako@example.com',
      'mailto:b@example.com',
    ]);
    assert.equal(event!.organizer, 'mailto:no-reply@localhost');
  });
});

describe('a time that waits for confirmation', async () => {
  const { organization_id, first } = await hosting();
  const where = { organization_id };
  const asked = await changeBooking(app, where, 'created', [null, { status: 'pending', user_ids: [first] }]);
  const confirmed = await changeBooking(app, where, 'confirmed', [asked, { status: 'confirmed' }]);
  const moved = await changeBooking(app, where, 'rescheduled', [
    confirmed,
    { status: 'pending', start: new Date(Date.parse(asked.start) + 60_000).toISOString(), revision: 1 },
  ]);
  await changeBooking(app, where, 'declined', [moved, { status: 'declined', cancel_reason: '満席のため' }]);
  const { read, letters } = await lettersOf(asked.id);

  it('is in no calendar, and leaves those that it was in', () => {
    assert.deepEqual(read.filter(({ to }) => to.startsWith('hanako')).map(brief), [
      ['hanako', 'Your request was received', null, null],
      ['hanako', 'Your booking is confirmed', 'REQUEST', 0],
      ['hanako', 'Your booking was moved', 'CANCEL', 1],
      ['hanako', 'Your request was declined', null, null],
    ]);
    assert.equal(read[4]!.start, asked.start);
    assert.match(letters[0]!.paragraphs.join('\n'), /still has to be confirmed/);
    assert.match(letters[4]!.paragraphs.join('\n'), /The new time still has to be confirmed/);
    assert.match(letters[6]!.paragraphs.join('\n'), /Reason: 満席のため/);
  });
});

describe('a host whose calendar is written', () => {
  it('gets mails without iCalendar, but for what an earlier mail brought', async () => {
    const { organization_id, first, second } = await hosting();
    const where = { organization_id };
    await writesCalendar(organization_id, second);
    const made = await changeBooking(app, where, 'created', [null, { user_ids: [first, second] }]);
    await writesCalendar(organization_id, first);
    await changeBooking(app, where, 'cancelled', [made, { status: 'cancelled', revision: 1 }]);
    const { read } = await lettersOf(made.id);
    const methodsOf = (user_id: string) =>
      read.filter(({ to }) => to.startsWith(user_id)).map(({ method }) => method);
    assert.deepEqual(
      [methodsOf(first), methodsOf(second)],
      [
        ['REQUEST', 'CANCEL'],
        [null, null],
      ],
    );
  });
});

describe('nobody is written to', () => {
  it('who has left, or whose data was blanked', async () => {
    const { organization_id, first, second } = await hosting();
    const where = { organization_id };
    const made = await changeBooking(app, where, 'created', [null, { user_ids: [first, second] }]);
    await app.database.withConnection('*', async ({ query }) => {
      await query('UPDATE members SET left_at = now() WHERE user_id = $1', [second]);
    });
    const blanked = { ...made.guest, name: '', email: '' };
    await changeBooking(app, where, 'cancelled', [
      made,
      { status: 'cancelled', revision: 1, guest: blanked },
    ]);
    assert.deepEqual((await lettersOf(made.id)).read, []);
  });
});

async function writesCalendar(organization_id: string, user_id: string): Promise<void> {
  await app.database.withConnection(organization_id, async ({ query }) => {
    await query(
      `INSERT INTO scheduler_connections (organization_id, id, user_id, provider, account, account_key, status,
         created_at, updated_at)
       VALUES ($1, $2, $2, 'google', 'a', 'a', 'active', now(), now())`,
      [organization_id, user_id],
    );
    await query(
      `INSERT INTO scheduler_calendars (organization_id, connection_id, id, name, is_primary, checks_conflicts,
         is_write_target, position)
       VALUES ($1, $2, 'primary', 'a', true, true, true, 0)`,
      [organization_id, user_id],
    );
  });
}
