import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { createDemo } from '../../start/demo.ts';
import { patientClientOf } from '../support/client.ts';
import { freshDatabase, type TestDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { cleanUp, newFolder, run, type Service } from './service.ts';

const runFile = promisify(execFile);
let folder: string;
let database: TestDatabase;
let port: number;
let base_url: string;
let environment: Record<string, string>;
let box: string;
let running: Service | undefined;

before(async () => {
  folder = newFolder();
  database = await freshDatabase();
  port = await freePort();
  base_url = `http://127.0.0.1:${port}`;
  environment = {
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    PORT: String(port),
    AUTH_SECRET: 'a secret of the tests, long enough',
    BASE_URL: base_url,
  };
});
after(async () => {
  await cleanUp(folder);
  await database.drop();
});

describe('the very first start', () => {
  it('makes nothing with --no-demo', async () => {
    const service = await begin(['--no-demo']);
    assert.doesNotMatch(service.progress(), /Sign-in|Bearer/);
    await end();
    const [count] = await database.database.withConnection('*', ({ query }) =>
      query<{ count: number }>('SELECT count(*)::int AS count FROM users'),
    );
    assert.equal(count?.count, 0);
  });

  it('makes one demo when two of them happen at the same time', async () => {
    const another = await freshDatabase();
    const both = { url: another.url, now: new Date() };
    const made = await Promise.all([createDemo(both), createDemo(both)]);
    await another.drop();
    assert.equal(made.filter((credentials) => credentials === null).length, 1);
  });

  it('shows a command that lists the contacts of the demo', async () => {
    const service = await begin();
    box = service.progress();
    const line = /^curl .*$/m.exec(box)?.[0] ?? '';
    const { stdout } = await runFile('sh', ['-c', line]);
    const { items, total } = JSON.parse(stdout);
    assert.equal(total, 8);
    assert(items.some(({ full_name }: { full_name: string }) => full_name === '佐藤 美咲'));
  });

  it('shows a password with which one signs in and acts in the organization', async () => {
    const reply = await patientClientOf(base_url, {}).post('/auth/sign-in/email', {
      email: shown('Sign-in'),
      password: shown('Password'),
    });
    assert.equal(reply.status, 200, reply.text);
    const cookie = reply.headers.getSetCookie().map((each) => each.split(';')[0]);
    const person = patientClientOf(base_url, { Cookie: cookie.join('; ') });
    assert.equal((await person.get('/organization')).body.organization.slug, 'demo');
    assert.equal((await person.get('/api-keys')).body.total, 1);
  });

  it('fills every stage of the board, and says of each record what happened', async () => {
    const client = patientClientOf(base_url, { Authorization: `Bearer ${shown('API key')}` });
    const totals = await Promise.all(
      ['companies', 'contacts', 'deals', 'activities', 'tags'].map(
        async (name) => (await client.get(`/crm/${name}`)).body.total,
      ),
    );
    assert.deepEqual(totals, [4, 8, 6, 5, 2]);
    const deals = (await client.get('/crm/deals')).body.items;
    const stages = deals.map(({ stage_slug }: { stage_slug: string }) => stage_slug);
    assert.deepEqual(stages.sort(), [
      'closed_lost',
      'closed_won',
      'lead',
      'negotiation',
      'proposal',
      'qualification',
    ]);
    const { data } = (await client.get('/events?limit=100&order=asc')).body;
    const tagged = data.filter(({ type }: { type: string }) => type.endsWith('.updated'));
    assert.equal(tagged.length, 3);
    assert.equal(data.length, 4 + 8 + 6 + 5 + tagged.length);
    const [aoba] = (await client.get('/crm/companies?search=アオバ')).body.items;
    assert.equal(aoba.open_deals, 2);
    assert.equal(aoba.open_amount, 17_300_000);
  });
});

describe('a later start', () => {
  it('makes no second demo and shows no secret', async () => {
    const service = await begin();
    assert.doesNotMatch(service.progress(), /Sign-in|Bearer/);
    const client = patientClientOf(base_url, { Authorization: `Bearer ${shown('API key')}` });
    assert.equal((await client.get('/crm/contacts')).body.total, 8);
  });
});

/** The service as npm start runs it, one at a time. */
async function begin(words: string[] = []): Promise<Service> {
  await end();
  running = run('start.ts', environment, words);
  await running.up();
  return running;
}

async function end(): Promise<void> {
  if (!running?.running()) return;
  running.signal('SIGTERM');
  assert.equal(await running.ended, 0);
}

/** What stands beside a word in the box. */
function shown(word: string): string {
  return new RegExp(`│ ${word} +(\\S+)`).exec(box)?.[1] ?? '';
}
