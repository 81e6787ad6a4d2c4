import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import pino from 'pino';
import type { Database } from '../../../shared/db/database.ts';
import type { Door } from '../../../workers/mail/sending/door.ts';
import type { Marked } from '../../../workers/mail/sending/lane.ts';
import { type Placed, writeLetters } from '../../../workers/mail/sending/placing.ts';
import { openSender } from '../../../workers/mail/sending/sender.ts';
import { startApp } from '../../support/app.ts';
import { type Begun, begunCampaign } from '../../support/begun-campaigns.ts';
import { rowsOf } from '../../support/sent-campaigns.ts';
import { runSlice } from '../../support/slices.ts';
import { until } from '../../support/until.ts';

const app = await startApp();

async function standing({ campaign_id }: Pick<Begun, 'campaign_id'>) {
  const rows = Object.values(await rowsOf(app, campaign_id));
  return rows.map(({ status, reason }) => (reason === null ? status : `${status}: ${reason}`));
}

describe('a slice that fails in the middle', () => {
  test('records what the server took, and queues what never reached it', async () => {
    const campaign = await begunCampaign(
      app,
      ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${name}@example.jp`),
    );
    let handed = 0;
    let fails = 0;
    const database: Database = {
      ...app.database,
      withConnection: (whose, run) => {
        if (fails > 0 && fails-- > 0) throw new Error('A fault of ours');
        return app.database.withConnection(whose, run);
      },
    };
    const sending = runSlice(app, campaign, {
      database,
      handOver: async () => {
        handed += 1;
        // The next transaction of the slice fails, while this mail is at the server.
        if (handed === 2) fails = 1;
        return { kind: 'taken', reply: '250 Ok' };
      },
    });
    await assert.rejects(sending, /A fault of ours/);
    const rows = await standing(campaign);
    assert.deepEqual(
      rows.map((row) => (row === 'sent' || row === 'queued' ? row : `wrong: ${row}`)),
      rows,
    );
    assert.equal(rows.filter((row) => row === 'sent').length, handed, 'whom the server has, and nobody else');
    assert.ok(handed < rows.length);
  });

  test('queues also what it had marked in a commit that nobody answered', async () => {
    const campaign = await begunCampaign(app, ['a@example.jp', 'b@example.jp']);
    const marks: string[] = [];
    const database: Database = {
      ...app.database,
      withConnection: async (whose, run) => {
        const done = await app.database.withConnection(whose, run);
        if (marks.length > 0 || !(await standing(campaign)).includes('sending')) return done;
        marks.push('lost');
        throw new Error('The connection broke at the commit');
      },
    };
    const handOver = async () => assert.fail('no mail of it begins');
    await assert.rejects(runSlice(app, campaign, { database, handOver }), /broke at the commit/);
    assert.deepEqual(await standing(campaign), ['queued', 'queued']);
  });
});

const letter = { id: 'mrcp_1', message: Buffer.from('x'), envelope: { from: 'a', to: 'b', envid: 'c' } };
const marked: Marked = {
  number: 1,
  message_id: '<1@x>',
  attempts: 0,
  next_attempt_at: null,
  domain: 'example.jp',
  begins_at: 0,
  placed_by: null,
  spacings: {},
  letter,
};

describe('a fault on the way of a mail ends no process, but the slice that asks next', () => {
  test('where no connection comes about: the mail has not begun', async () => {
    const openDoor = async () => {
      throw new TypeError('of ours');
    };
    const sender = openSender({ openDoor, connections: 1, clock: Date.now });
    const lane = sender.open();
    lane.add([marked]);
    const told = await until('it is told', () => {
      try {
        sender.trouble();
        return null;
      } catch (error) {
        return String(error);
      }
    });
    assert.match(told, /of ours/);
    assert.equal(lane.under_way, 0);
    assert.deepEqual(lane.withdraw(), [marked]);
    sender.end();
  });

  test('in the middle of it: nobody knows whether it arrived', async () => {
    const handOver = async () => {
      throw new TypeError('of ours');
    };
    const openDoor = async () => ({ handOver, reset: async () => true, close: () => {} });
    const sender = openSender({ openDoor, connections: 1, clock: Date.now });
    const lane = sender.open();
    lane.add([marked]);
    await until('it has ended', () => lane.answers === 1);
    assert.throws(() => sender.trouble(), /of ours/);
    assert.equal(sender.trouble(), null);
    assert.equal(lane.takeAnswers()[0]!.dialogue.kind, 'silent');
    sender.end();
  });
});

test('a campaign that somebody resumes tries the server at once, whatever pause its failed tries have come to', async () => {
  const taken: number[] = [];
  let isAway = true;
  const handOver: Door['handOver'] = async () => {
    taken.push(1);
    return { kind: 'taken', reply: '250 Ok' };
  };
  const door: Door = { handOver, reset: async () => true, close: () => {} };
  const words = 'it answered 535';
  const openDoor = async () => (isAway ? { is_sign_in_refused: true, words } : door);
  const sender = openSender({ openDoor, connections: 1, clock: () => 1_000_000 });
  assert.deepEqual(await sender.reach(true), { is_sign_in_refused: true, pause: 1_000, words });
  assert.deepEqual(await sender.reach(false), { is_sign_in_refused: false, pause: 1_000, words });
  assert.deepEqual(await sender.reach(true), { is_sign_in_refused: true, pause: 2_000, words });
  isAway = false;
  assert.equal(await sender.reach(true), null);
  const lane = sender.open();
  lane.add([marked]);
  await until('its mail leaves, though no time has passed', () => taken.length === 1);
  sender.end();
});

describe('mails are written', () => {
  const recipient = (number: number): Placed => ({
    number,
    id: `mrcp_${number}`,
    email: `p${number}@example.jp`,
    email_key: `p${number}@example.jp`,
    attempts: 0,
    next_attempt_at: null,
    tracked: false,
    first_name: null,
    last_name: null,
    attributes: {},
    begins_at: 0,
    placed_by: null,
  });

  test('one that cannot be fails alone, with its reason', async () => {
    const mail = {
      links: [],
      needed: [],
      show: () => assert.fail(),
      render: ({ number, email }: { number: number; email: string }) => {
        if (number === 2) throw new Error('a value that nobody thought of');
        const envelope = { from: 'news@example.co.jp', to: email, envid: 'x' };
        return { message: Buffer.from('x'), message_id: `<${number}@x>`, envelope, missing: [] };
      },
    };
    const { written, settled } = await writeLetters({ mail, sign: null }, [1, 2, 3].map(recipient), {
      spacings: {},
      now: new Date(),
      log: pino({ level: 'silent' }),
    });
    assert.deepEqual(
      written.map(({ number }) => number),
      [1, 3],
    );
    assert.deepEqual(
      settled.map(({ number, outcome: { status, reason, bounce } }) => [number, status, reason, bounce]),
      [[2, 'failed', 'not_composed', null]],
    );
  });
});
