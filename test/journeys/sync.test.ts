import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { newActor } from '../support/actors.ts';
import { startApi } from '../support/api.ts';
import { freshDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { until } from '../support/until.ts';

const COUNT = 240;

const own = await freshDatabase();
after(() => own.drop());
const { secret } = await newActor(own.database);
const port = await freePort();
const start = () => startApi(port, { DATABASE_URL: own.url });

// biome-ignore lint/suspicious/noExplicitAny: any answer is read here.
type Body = any;

/** Sends a request until it is answered, as a program does that meets an API which is being started again. */
async function send(method: string, path: string, body?: object): Promise<{ status: number; body: Body }> {
  for (;;) {
    try {
      const response = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
        method,
        headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (response.status < 500) return { status: response.status, body: JSON.parse(text) };
    } catch {
      // The connection was refused or cut: whether the write was taken is not known, and it is sent again.
    }
    await pause(20);
  }
}

/** What the other system knows of its customers. */
type Customer = { code: string; name: string; rank: string };

/** Writes every customer by its own code, several at a time. */
async function push(customers: readonly Customer[], done: () => void): Promise<number[]> {
  const waiting = [...customers];
  const statuses: number[] = [];
  const worker = async () => {
    for (let customer = waiting.shift(); customer; customer = waiting.shift()) {
      const { code, name, rank } = customer;
      const place = `/crm/companies/by-external-id/${encodeURIComponent(code)}`;
      const { status } = await send('PUT', place, { name, metadata: { rank } });
      statuses.push(status);
      done();
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  return statuses;
}

/** Takes the events after the last one that was dealt with, and answers the last one now. */
async function follow(mirror: Map<string, Body>, from: string): Promise<string> {
  for (let last = from; ; ) {
    const { body } = await send('GET', `/events?order=asc&limit=100${last && `&starting_after=${last}`}`);
    for (const { type, data } of body.data) {
      if (type === 'crm.company.deleted') mirror.delete(data.id);
      else if (type.startsWith('crm.company.')) mirror.set(data.id, data);
    }
    last = body.data.at(-1)?.id ?? last;
    if (!body.has_more) return last;
  }
}

async function listed(): Promise<Body[]> {
  const { body } = await send('GET', '/crm/companies?cursor_mode=true&limit=200');
  const rest = await send('GET', `/crm/companies?starting_after=${body.data.at(-1).id}&limit=200`);
  assert.equal(rest.body.has_more, false);
  return [...body.data, ...rest.body.data];
}

test('a sync by own codes makes each customer once and its mirror equals the lists, while the API is killed', async () => {
  let api = await start();
  let done = 0;
  const count = () => {
    done += 1;
  };
  const customers = Array.from({ length: COUNT }, (_, n) => ({
    code: `顧客 ${n}/A`,
    name: `株式会社${n}`,
    rank: 'B',
  }));
  const mirror = new Map<string, Body>();
  let last = '';
  for (const [round, sent] of [
    customers,
    // The second night: every third has changed.
    customers.map((each, n) => (n % 3 === 0 ? { ...each, name: `${each.name}新社`, rank: 'A' } : each)),
  ].entries()) {
    done = 0;
    const pushed = push(sent, count);
    for (const share of [0.3, 0.6]) {
      await until('a part is written', () => done >= COUNT * share);
      await api.kill();
      api = await start();
      last = await follow(mirror, last);
    }
    const statuses = await pushed;
    last = await follow(mirror, last);
    if (round === 1) assert.deepEqual([...new Set(statuses)], [200]);
    const companies = await listed();
    assert.deepEqual(
      companies.map(({ external_id, name, metadata }) => [external_id, name, metadata.rank]).toSorted(),
      sent.map(({ code, name, rank }) => [code, name, rank]).toSorted(),
    );
    for (const { customer_since, open_deals, open_amount, open_amounts, ...company } of companies) {
      assert.deepEqual(mirror.get(company.id), company);
    }
    assert.equal(mirror.size, COUNT);
  }
  assert.equal(await api.stop(), 0);
});
