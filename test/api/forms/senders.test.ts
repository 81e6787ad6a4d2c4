import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { openDatabase } from '../../../shared/db/database.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { clientOf, type Reply } from '../../support/client.ts';
import { gatheringDatabase } from '../../support/gathering.ts';
import { openForm } from '../../support/open-forms.ts';
import { until } from '../../support/until.ts';

/** Submissions of many addresses are written together, and each address gets as many as it may, however they come. */
const own = await gatheringDatabase();
const environment = { RATE_LIMIT_PER_MINUTE: '0', TRUSTED_PROXIES: '127.0.0.1,::1' };
// Two of them with pools of their own, as two processes of the API are: neither writes together with the other.
const app = await startApp({ database: own, environment });
const pool = openDatabase({ url: own.url, pool_size: 10, connection_timeout: 120_000 });
const other = await startApp({ database: { ...own, database: pool }, environment });
after(async () => {
  await pool.end();
  await own.drop();
});
const client = await app.actor();
const fields = [
  { id: 'email', type: 'email', label: 'メール' },
  { id: 'seats', type: 'number', label: '人数' },
];
const OPEN = { min_seconds: 0, max_links: 5, blocked_words: [], challenge: 'off', burst: 30 };

const open = (per_address: number, settings: Record<string, unknown> = {}) =>
  openForm(own.database, client.actor, fields, { settings: { spam: { ...OPEN, per_address }, ...settings } });

async function tokens(path: string, count: number): Promise<string[]> {
  const issued = await Promise.all(
    Array.from({ length: count }, () => app.anonymous.post(`${path}/tokens`, {})),
  );
  return issued.map(({ body }) => body.form_token);
}

const addressOf = (n: number) => `203.0.113.${n + 1}`;

/** A submission of the address of that number. */
const sent = (
  to: TestApp,
  path: string,
  from: number,
  form_token: string,
  headers: Record<string, string> = {},
) =>
  clientOf(to.base_url, { 'X-Forwarded-For': addressOf(from), ...headers }).post(`${path}/responses`, {
    form_token,
    data: {
      email: `${form_token
        .slice(-12)
        .toLowerCase()
        .replace(/[^a-z0-9]/g, 'x')}@example.com`,
    },
  });

const statusesOf = (replies: readonly Reply[]) =>
  Object.fromEntries(
    [...Map.groupBy(replies, ({ status }) => status)].map(([status, of]) => [status, of.length]),
  );

/** What of a form is kept, and the most and all of its addresses. */
async function kept(form_id: string) {
  return own.database.withConnection('*', async ({ query }) => {
    const [row] = await query<Record<string, number>>(
      `WITH stored AS (SELECT * FROM forms_responses WHERE form_id = $1)
       SELECT (SELECT count(*)::integer FROM stored) AS responses,
              (SELECT sum(response_count + spam_count)::integer FROM forms_counts WHERE form_id = $1) AS counted,
              (SELECT count(*)::integer FROM events WHERE data->>'form_id' = $1) AS events,
              (SELECT count(DISTINCT address_hash)::integer FROM stored) AS addresses`,
      [form_id],
    );
    return row!;
  });
}

const writes = () => own.asked().filter((text) => text.includes('forms_admit_addresses')).length;

/** Numbers that look drawn and are the same each time (a linear congruence of Numerical Recipes). */
function drawing(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describe('submissions of many addresses that come together', () => {
  test('and while a statement is under way are written by the next one, as a new form has its limit', async () => {
    const { form_id, path } = await open(60);
    const issued = await tokens(path, 41);
    await sent(app, path, 0, issued.pop()!);
    const replies = await own.whileTheFirstWaits(
      'forms_responses',
      issued.map((token, n) => () => sent(app, path, n % 7, token)),
    );
    assert.deepEqual(statusesOf(replies), { 201: 40 });
    assert.equal(writes(), 2);
    assert.deepEqual(await kept(form_id), { responses: 41, counted: 41, events: 41, addresses: 7 });
  });

  for (const [seed, processes] of [
    [1, [app]],
    [2, [app]],
    [3, [app, other]],
    [4, [app, other]],
    [5, [app, other]],
  ] as const) {
    test(`are as many of each address as it may send, over ${processes.length} processes (${seed})`, async () => {
      const draw = drawing(seed);
      const limit = 1 + draw(5);
      const senders = 2 + draw(6);
      const { form_id, path } = await open(limit, draw(2) === 0 ? {} : { max_responses: 1_000 });
      const from = Array.from({ length: 48 }, () => Math.min(draw(senders), draw(senders)));
      const issued = await tokens(path, from.length);
      const replies = await Promise.all(
        from.map((sender, n) => sent(processes[n % processes.length]!, path, sender, issued[n]!)),
      );
      const all = [...Array(senders).keys()].map((sender) => {
        const mine = replies.filter((_, n) => from[n] === sender);
        const left = Math.max(0, mine.length - limit);
        const expected = {
          ...(mine.length > 0 && { 201: Math.min(mine.length, limit) }),
          ...(left > 0 && { 429: left }),
        };
        assert.deepEqual(statusesOf(mine), expected, `address ${sender}, limit ${limit}`);
        return expected[201] ?? 0;
      });
      const stored = all.reduce((sum, count) => sum + count, 0);
      const addresses = all.filter((count) => count > 0).length;
      assert.deepEqual(await kept(form_id), {
        responses: stored,
        counted: stored,
        events: stored,
        addresses,
      });
      for (const { status, headers } of replies) {
        const wait = Number(headers.get('retry-after'));
        if (status === 429) assert.ok(wait > 500 && wait <= 600, String(wait));
      }
    });
  }

  test('count together with those that are a transaction of their own', async () => {
    const { form_id, path } = await open(6);
    const issued = await tokens(path, 24);
    const replies = await Promise.all(
      issued.map((token, n) =>
        sent(n % 2 ? app : other, path, 0, token, n % 3 === 0 ? { 'Idempotency-Key': `own-${n}` } : {}),
      ),
    );
    assert.deepEqual(statusesOf(replies), { 201: 6, 429: 18 });
    assert.equal((await kept(form_id)).responses, 6);
  });

  test('of one for each person are counted by their addresses too', async () => {
    const { form_id, path } = await open(4, { one_per: 'email', one_per_field: 'email' });
    const issued = await tokens(path, 16);
    const replies = await Promise.all(
      issued.map((token, n) => sent(n % 2 ? app : other, path, n % 3, token)),
    );
    assert.deepEqual(statusesOf(replies), { 201: 12, 429: 4 });
    assert.equal((await kept(form_id)).responses, 12);
  });

  test('whose connection is ended are stored whole or not at all, and never beyond the limit', async () => {
    const LIMIT = 5;
    const { form_id, path } = await open(LIMIT, { max_responses: 1_000 });
    const issued = await tokens(path, 40);
    await sent(app, path, 9, issued.pop()!);
    const replies = await own.database.withConnection('*', async (holder) => {
      holder.begin();
      await holder.query('SELECT FROM forms_forms WHERE id = $1 FOR UPDATE', [form_id]);
      const sending = issued.map((token, n) => sent(n % 2 ? app : other, path, n % 3, token));
      const waiting = await until('a statement waits', async () => {
        const rows = await own.database.withConnection('*', ({ query }) =>
          query<{ pid: number }>(
            `SELECT pid FROM pg_stat_activity
              WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'WITH part0%'`,
          ),
        );
        return rows[0];
      });
      await holder.query('SELECT pg_terminate_backend($1)', [waiting.pid]);
      await holder.commit();
      return Promise.all(sending);
    });
    const first = statusesOf(replies);
    assert.ok((first[503] ?? 0) >= 1, JSON.stringify(first));
    const stored = (first[201] ?? 0) + 1;
    const { responses, counted, events } = await kept(form_id);
    assert.deepEqual({ responses, counted, events }, { responses: stored, counted: stored, events: stored });
    const again = await Promise.all(issued.map((token, n) => sent(app, path, n % 3, token)));
    const good = statusesOf(again.filter((_, n) => replies[n]!.status !== 201));
    assert.equal((good[201] ?? 0) + stored, 3 * LIMIT + 1, JSON.stringify([first, good]));
    assert.equal((await kept(form_id)).responses, 3 * LIMIT + 1);
  });
});
