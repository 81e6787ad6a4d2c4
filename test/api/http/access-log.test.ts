import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, describe, test } from 'node:test';
import { loggedPath } from '../../../api/http/logged-path.ts';
import { gateBefore } from '../../resilience/gate.ts';
import { newActor } from '../../support/actors.ts';
import { freshDatabase } from '../../support/database.ts';
import { type LogLine, startProgram } from '../../support/program.ts';
import { until } from '../../support/until.ts';

const own = await freshDatabase();
after(() => own.drop());
const gate = await gateBefore(own.url);
const environment = { PORT: '0', TRUSTED_PROXIES: '127.0.0.1', OPERATOR_PASSWORD: 'correct horse battery' };
const api = await startProgram('api/main.ts', { ...environment, DATABASE_URL: gate.url }, [
  '--name',
  'api-2',
]);
const { port } = await until('the API listens', () => api.lines.find(({ port }) => port !== undefined));
const base = `http://127.0.0.1:${port}`;
const from = (address: string) => ({ 'X-Forwarded-For': address });

/** The line of the request that was answered with this header. */
async function lineOf(reply: Response): Promise<LogLine> {
  const id = reply.headers.get('Request-Id');
  await reply.text();
  return until('the line is written', () =>
    api.lines.find(({ request_id, status }) => request_id === id && status !== undefined),
  );
}

describe('the line of a request', () => {
  test('has the address by the trusted proxies, the name and number of the process, and the path of the endpoint', async () => {
    const { secret } = await newActor(own.database);
    const headers = { ...from('192.0.2.7'), Authorization: `Bearer ${secret}` };
    const line = await lineOf(
      await fetch(`${base}/api/v1/crm/contacts/cont_none?email=a@b.example`, { headers }),
    );
    assert.equal(line.level, 30);
    assert.deepEqual(
      [line.address, line.process, line.pid, line.path],
      ['192.0.2.7', 'api-2', api.process.pid, '/api/v1/crm/contacts/:id'],
    );
    assert.ok(!JSON.stringify(line).includes('b.example'));
  });

  test('tells who guesses the password of the operators, and where', async () => {
    const Authorization = `Basic ${Buffer.from('any:wrong one').toString('base64')}`;
    const line = await lineOf(
      await fetch(`${base}/ops`, { headers: { ...from('192.0.2.66'), Authorization } }),
    );
    assert.deepEqual(
      [line.status, line.endpoint, line.path, line.address],
      [401, 'none', '/ops', '192.0.2.66'],
    );
    assert.ok(!JSON.stringify(line).includes('wrong one'));
  });

  test('is left out at this level for a look at the health of the process that finds nothing wrong', async () => {
    const looks = ['/healthz', '/readyz', '/metrics', '/healthz?by=proxy'];
    for (const path of looks) assert.equal((await fetch(base + path)).status, 200, path);
    const refused = await fetch(`${base}/healthz`, { method: 'DELETE' });
    assert.ok(refused.status >= 400);
    const wrong = await lineOf(refused);
    assert.equal(wrong.level, 30);
    assert.deepEqual(
      api.lines.filter(({ path, status }) => String(path).match(/healthz|readyz|metrics/) && status === 200),
      [],
    );
  });

  test('hides the token of a link', async () => {
    const token = 'a1'.repeat(32);
    for (const page of ['invite', 'reset-password', 'verify-email']) {
      const line = await lineOf(await fetch(`${base}/${page}/${token}?lang=en`));
      assert.equal(line.path, `/${page}/:token`);
      const other = await lineOf(await fetch(`${base}/${page}/short`, { method: 'DELETE' }));
      assert.deepEqual([other.status, other.path], [404, `/${page}/:token`]);
    }
    const line = await lineOf(await fetch(`${base}/reset-password/short/keys`, { method: 'POST' }));
    assert.equal(line.path, '/reset-password/:token/keys');
    assert.equal(loggedPath(`/elsewhere/${token}/x`), '/elsewhere/{hidden}/x');
    assert.equal(loggedPath('/invite/short'), '/invite/{hidden}');
    assert.ok(!JSON.stringify(api.lines).includes(token));
  });

  test('has the address of the connection where nothing could be read', async () => {
    const socket = connect(Number(port), '127.0.0.1');
    socket.end('nothing that is HTTP\r\n\r\n');
    const line = await until('the line is written', () =>
      api.lines.find(({ reason }) => String(reason).startsWith('HPE_')),
    );
    assert.deepEqual([line.status, line.address], [400, '127.0.0.1']);
    socket.destroy();
  });
});

test('a database that is away is one line with its reason, and one with the count when it is back', async () => {
  const { secret } = await newActor(own.database);
  const ask = () => fetch(`${base}/api/v1/crm/tags`, { headers: { Authorization: `Bearer ${secret}` } });
  const before = api.lines.length;
  gate.silence();
  gate.reset();
  const asking = Array.from({ length: 30 }, ask);
  await until('the outage is in the log', () =>
    api.lines.slice(before).some(({ code }) => code === 'unavailable'),
  );
  const replies = await Promise.all(asking);
  gate.open();
  const refused = replies.filter(({ status }) => status === 503).length;
  assert.ok(refused > 1, `${refused} of 30`);
  // On a busy machine the refusals may come with pauses between them, as several outages.
  const ends = () =>
    api.lines.slice(before).filter(({ level, count }) => level === 40 && count !== undefined);
  const counted = () => ends().reduce((total, { count }) => total + Number(count), 0);
  await until('every failed request is counted', () => counted() === refused);
  const faults = api.lines.slice(before).filter(({ level, code }) => level === 50 && code === 'unavailable');
  assert.equal(faults.length, ends().length);
  assert.ok(faults.length <= refused / 3, `${faults.length} lines for ${refused} requests`);
  for (const { reason, err } of faults) assert.deepEqual([typeof reason, err], ['string', undefined]);
  assert.equal((await ask()).status, 200);
});
