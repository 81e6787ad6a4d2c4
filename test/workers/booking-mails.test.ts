import assert from 'node:assert/strict';
import { test } from 'node:test';
import PostalMime from 'postal-mime';
import { newActor } from '../support/actors.ts';
import { onEachEngine } from '../support/engines.ts';
import { assertLines, readByIcalJs } from '../support/icalendar.ts';
import { outboxCount } from '../support/mail-states.ts';
import { smtpSink, type Taken } from '../support/smtp-sink.ts';
import { changeBooking } from '../support/stored-bookings.ts';
import { until } from '../support/until.ts';
import { startWorkers } from '../support/workers.ts';

onEachEngine((engine) => {
  test('mails of a booking leave in the order of its changes, and one that ended otherwise holds up none', async () => {
    const { database } = engine.test_database;
    const { organization_id, user_id } = await newActor(database);
    const sink = await smtpSink();
    const environment = {
      ...engine.environment,
      SMTP_URL: sink.url,
      MAIL_FROM: 'Service <no-reply@example.com>',
      BASE_URL: 'https://service.example',
    };
    const seen = new Set<string>();
    let silenced = 0;
    sink.verdict = (to, at) => {
      const isFirst = !seen.has(`${to} ${at}`);
      seen.add(`${to} ${at}`);
      if (to.startsWith('later') && at === 'recipient' && isFirst)
        return { kind: 'refuse', code: 451, words: 'greylisted' };
      if (to.startsWith('bad') && at === 'recipient' && isFirst)
        return { kind: 'refuse', code: 550, words: 'no such user' };
      if (!to.startsWith('silent') || at !== 'text' || !isFirst) return { kind: 'take' };
      silenced += 1;
      return { kind: 'silence' };
    };
    const lives = (name: string) => lifeOf(database, { organization_id, user_id, name });
    const ids = [await lives('later'), await lives('bad'), await lives('silent')];
    const first = await startWorkers(environment, ['--queues', 'email']);
    const isHeard = (address: string) => sink.taken.some(({ to }) => to === address);
    await until('a text is under way, and a refusal noted', () => silenced > 0 && isHeard('bad@example.com'));
    await first.kill();
    const second = await startWorkers(environment, ['--queues', 'email']);
    await until('the outbox is empty', async () => (await outboxCount(database)) === 0, 120_000);
    const heard = (name: string, id = '') => heardBy(sink.taken, `${name}@example.com`, id);
    const [later, bad, silent] = ids as [string, string, string];
    assert.equal((await endsOf(database, bad, 'guest'))[0], 'failed');
    assert.equal((await endsOf(database, silent, 'guest'))[0], 'unknown');
    for (const [name, id] of [
      ['later', later],
      ['bad', bad],
      ['silent', silent],
    ] as const) {
      assertInOrder(await heard(name), await endsOf(database, id, 'guest'));
      assertInOrder(await heard(user_id, id), await endsOf(database, id, user_id));
    }
    assert.equal(await second.stop(), 0);
  });
});

const SAID = ['REQUEST 0', 'REQUEST 1', 'CANCEL 2'];

/** How the mails of a booking to one recipient ended, in the order of its changes. */
async function endsOf(
  database: Parameters<typeof changeBooking>[0]['database'],
  record_id: string,
  recipient: string,
): Promise<string[]> {
  const rows = await database.withConnection('*', ({ query }) =>
    query<{ status: string }>(
      `SELECT mail.status FROM scheduler_mails AS said
         JOIN mails AS mail ON mail.organization_id = said.organization_id AND mail.id = said.mail_id
        WHERE said.record_id = $1 AND said.recipient = $2 ORDER BY said.position`,
      [record_id, recipient],
    ),
  );
  return rows.map(({ status }) => status);
}

/**
 * What was sent was heard once, in its order. Whichever texts were under way when the worker was killed are unknown, and may
 * have been heard or not; none that failed was.
 */
function assertInOrder(heard: readonly string[], ends: readonly string[]): void {
  assert.equal(ends.length, SAID.length);
  const lost = SAID.filter((said, place) => ends[place] === 'unknown' && !heard.includes(said));
  const expected = SAID.filter((said, place) => ends[place] !== 'failed' && !lost.includes(said));
  assert.deepEqual(heard, expected, ends.join(', '));
}

type Whose = { organization_id: string; user_id: string; name: string };

/** A booking that was made, moved and cancelled. Answers its ID. */
async function lifeOf(
  database: Parameters<typeof changeBooking>[0]['database'],
  { organization_id, user_id, name }: Whose,
): Promise<string> {
  const where = { organization_id };
  const guest = {
    name,
    email: `${name}@example.com`,
    time_zone: 'Asia/Tokyo',
    locale: 'ja' as const,
    phone: null,
  };
  const made = await changeBooking({ database }, where, 'created', [null, { user_ids: [user_id], guest }]);
  const later = (time: string) => new Date(Date.parse(time) + 86_400_000).toISOString();
  const moved = await changeBooking({ database }, where, 'rescheduled', [
    made,
    { start: later(made.start), end: later(made.end), revision: 1 },
  ]);
  await changeBooking({ database }, where, 'cancelled', [moved, { status: 'cancelled', revision: 2 }]);
  return made.id;
}

/** What the calendar of an address heard, in the order in which it came, of all bookings or one of them. */
async function heardBy(taken: readonly Taken[], address: string, id = ''): Promise<string[]> {
  const heard: string[] = [];
  for (const { raw } of taken.filter(({ to }) => to === address)) {
    const { attachments } = await PostalMime.parse(raw);
    const invite = attachments.find(({ filename }) => filename === 'invite.ics');
    const text = Buffer.from(invite!.content as ArrayBuffer)
      .toString()
      .replaceAll('\n', '\r\n');
    assertLines(text);
    const { method, events } = readByIcalJs(text);
    if (events[0]!.uid.startsWith(id)) heard.push(`${method} ${events[0]!.sequence}`);
  }
  return heard;
}
