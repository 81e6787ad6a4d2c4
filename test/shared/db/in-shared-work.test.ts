import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { Database } from '../../../shared/db/database.ts';
import { inSharedWork, MOST_TOGETHER, MOST_WAITING } from '../../../shared/db/in-shared-work.ts';
import { Failure } from '../../../shared/kernel/failure.ts';
import { systemActor } from '../../../shared/kernel/reader.ts';
import type { Work } from '../../../shared/kernel/work.ts';
import { freshDatabase } from '../../support/database.ts';
import { isAwaited, whileHeld } from '../../support/held.ts';
import { until } from '../../support/until.ts';

let asked: string[] = [];
const { database, drop } = await freshDatabase({ on_statement: (text) => asked.push(text) });
after(drop);

const TABLE = 'invoicing_counters';
const reader = {
  organization_id: 'org_x',
  actor: systemActor,
  now: new Date(),
  request_id: null,
  ip_address: null,
};

/** How often works of a kind were run. */
const ran = new Map<string, number>();

type Sent = { on?: Database; signal?: AbortSignal; more?: (work: Work) => void };

/** Puts a row that has no history, together with others of its kind. */
async function add(
  kind: string,
  period: string,
  { on = database, signal = new AbortController().signal, more = () => {} }: Sent = {},
): Promise<void> {
  return inSharedWork({ database: on, organization_id: 'org_x', reader, signal }, async (work) => {
    ran.set(kind, (ran.get(kind) ?? 0) + 1);
    work.shareCommit(kind);
    work.nothingChanged();
    work.insert({ tableName: TABLE }, { kind, period, next: 1 });
    more(work);
  });
}

const numbers = (count: number) => Array.from({ length: count }, (_, n) => String(n).padStart(5, '0'));

/** The rows of a kind that stand, by their period. */
async function kept(kind: string): Promise<string[]> {
  const rows = await database.withConnection('org_x', ({ query }) =>
    query<{ period: string }>(`SELECT period FROM ${TABLE} WHERE kind = $1 ORDER BY period`, [kind]),
  );
  return rows.map(({ period }) => period);
}

const writes = () => asked.filter((text) => text.startsWith(`INSERT INTO "${TABLE}"`)).length;

/** A first one waits for the table while `run` sends others, which wait for it. */
async function behindOne(kind: string, run: () => Promise<unknown>): Promise<void> {
  await whileHeld(database, TABLE, async () => {
    const first = add(kind, 'first');
    first.catch(() => undefined);
    await until('the first one waits', () => isAwaited(database, TABLE));
    await run();
  });
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Settles when so many works of a kind have run behind the first one, and wait to be written. */
async function waiting(kind: string, count: number): Promise<void> {
  while (ran.get(kind)! <= count) await turn();
  for (let turns = 0; turns < 20; turns += 1) await turn();
}

describe('works that share their commit', () => {
  test('are stored by one statement, or each alone where one of them is refused', async () => {
    let sent: Promise<PromiseSettledResult<void>[]> | undefined;
    await behindOne('some', async () => {
      const periods = [...numbers(5), '00003'];
      sent = Promise.allSettled(periods.map((period) => add('some', period)));
      await waiting('some', periods.length);
    });
    const results = await sent!;
    assert.deepEqual(
      results.map(({ status }) => status === 'fulfilled'),
      results.map((_, place) => place !== results.findIndex(({ status }) => status === 'rejected')),
    );
    assert.deepEqual(await kept('some'), [...numbers(5), 'first']);
  });

  test('are not run again where the answer of the server is lost, however the driver calls it', async () => {
    let lost = 0;
    // The server has stored it, and the connection fails before it can say so.
    const broken_off: Database = {
      ...database,
      async withConnection(organization_id, run, signal) {
        asked = [];
        const result = await database.withConnection(organization_id, run, signal);
        if (writes() === 0) return result;
        lost += 1;
        throw Object.assign(new Error('write EPROTO'), { code: 'EPROTO' });
      },
    };
    await assert.rejects(add('lost', 'once', { on: broken_off }), { code: 'EPROTO' });
    assert.equal(lost, 1);
    assert.deepEqual(await kept('lost'), ['once']);
  });

  test('are not stored later where their time was over while they waited', async () => {
    const late = new AbortController();
    let sent: Promise<PromiseSettledResult<void>[]> | undefined;
    await behindOne('late', async () => {
      sent = Promise.allSettled([add('late', 'in time'), add('late', 'too late', { signal: late.signal })]);
      await waiting('late', 2);
      late.abort(new Failure('unavailable'));
    });
    const [inTime, tooLate] = await sent!;
    assert.equal(inTime!.status, 'fulfilled');
    assert.equal(tooLate!.status, 'rejected');
    assert.deepEqual(await kept('late'), ['first', 'in time']);
  });

  test('of which one holds what JSON cannot, and a statement of its own can, are stored', async () => {
    let sent: Promise<unknown> | undefined;
    await behindOne('big', async () => {
      const big = (work: Work) => {
        work.insert({ tableName: TABLE }, { kind: 'big', period: 'beside', next: 1n });
      };
      sent = Promise.all([add('big', 'small'), add('big', 'large', { more: big })]);
      await waiting('big', 2);
    });
    await sent;
    assert.deepEqual(await kept('big'), ['beside', 'first', 'large', 'small']);
  });

  test(`are ${MOST_TOGETHER} in a statement at most`, async () => {
    const count = MOST_TOGETHER + 5;
    let sent: Promise<unknown> | undefined;
    await behindOne('many', async () => {
      sent = Promise.all(numbers(count).map((period) => add('many', period)));
      await waiting('many', count);
      asked = [];
    });
    await sent;
    assert.equal(writes(), 2);
    assert.equal((await kept('many')).length, count + 1);
  });

  test(`are refused where ${MOST_WAITING} wait already`, async () => {
    let sent: Promise<PromiseSettledResult<void>[]> | undefined;
    await behindOne('crowd', async () => {
      const count = MOST_WAITING + 3;
      sent = Promise.allSettled(numbers(count).map((period) => add('crowd', period)));
      await waiting('crowd', count);
    });
    const refused = (await sent!).filter((result) => result.status === 'rejected');
    // The first one waits too.
    assert.equal(refused.length, 4);
    for (const { reason } of refused) assert.equal(reason.code, 'unavailable');
    assert.equal((await kept('crowd')).length, MOST_WAITING);
    await add('crowd', 'later');
  });

  test('are stored alone where a statement stands for itself, on behalf of a guest too', async () => {
    const signal = new AbortController().signal;
    await inSharedWork({ database, organization_id: 'org_x', reader, signal }, async (work) => {
      work.shareCommit('guest');
      const acting = work.onBehalfOfGuest('resp_x');
      acting.nothingChanged();
      acting.insert({ tableName: TABLE }, { kind: 'guest', period: 'one', next: 1 });
      acting.run(`UPDATE ${TABLE} SET next = $1 WHERE kind = 'guest'`, [7]);
    });
    assert.deepEqual(await kept('guest'), ['one']);
  });
});
