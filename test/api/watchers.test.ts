import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Gauge } from 'prom-client';
import { watcherCheck } from '../../shared/platform/operators/watchers.ts';
import { readSettings } from '../../shared/platform/settings/settings.ts';
import { startApp } from '../support/app.ts';

const TOKEN = 'a token of the tests, which is 40 long!!';
const bearer = { Authorization: `Bearer ${TOKEN.replaceAll(' ', '_')}` };
const METRICS_TOKEN = TOKEN.replaceAll(' ', '_');
/** People reach it by another name: then nobody counts as this machine. */
const published = await startApp({ environment: { BASE_URL: 'https://office.example.jp', METRICS_TOKEN } });
const local = await startApp();

type Place = { socket?: string; client?: string; headers?: Record<string, string> };

/** Whether somebody may read with these settings. */
function mayRead(environment: Record<string, string>, { socket = '127.0.0.1', client, headers }: Place) {
  const least = { DATABASE_URL: 'postgres://localhost/x', AUTH_SECRET: 'x'.repeat(32) };
  const check = watcherCheck(readSettings({ ...least, ...environment }));
  return check({
    socket_address: socket,
    client_address: client ?? socket,
    headers: { host: 'localhost:3000', ...headers },
  });
}

describe('this machine', () => {
  test('may read where the service is reached by a local name', () => {
    for (const socket of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) assert.ok(mayRead({}, { socket }), socket);
    for (const BASE_URL of ['http://127.0.0.1:3000', 'http://[::1]:3000', 'http://office.localhost'])
      assert.ok(mayRead({ BASE_URL }, {}), BASE_URL);
    assert.ok(!mayRead({}, { socket: '192.0.2.7' }));
  });

  test('may not where a proxy stands before it, said or not', () => {
    for (const name of ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-proto', 'x-real-ip'])
      assert.ok(!mayRead({}, { headers: { [name]: '127.0.0.1' } }), name);
    assert.ok(!mayRead({ BASE_URL: 'https://office.example.jp' }, {}));
    assert.ok(!mayRead({}, { headers: { host: 'rebound.example' } }));
  });
});

describe('METRICS_NETWORKS', () => {
  const networks = { METRICS_NETWORKS: '10.0.0.0/8,127.0.0.1', BASE_URL: 'https://office.example.jp' };

  test('may read, this machine too where it is named', () => {
    assert.ok(mayRead(networks, { socket: '10.1.2.3' }));
    assert.ok(mayRead(networks, { socket: '::ffff:10.1.2.3', client: '10.1.2.3' }));
    assert.ok(mayRead(networks, { socket: '127.0.0.1' }));
    assert.ok(!mayRead(networks, { socket: '192.0.2.7' }));
  });

  test('are judged by the client, not by the proxy that hands it on', () => {
    const headers = { 'x-forwarded-for': '192.0.2.7' };
    assert.ok(!mayRead(networks, { socket: '10.0.0.1', headers }), 'a proxy that is not trusted');
    assert.ok(!mayRead(networks, { socket: '10.0.0.1', client: '192.0.2.7', headers }));
    assert.ok(mayRead(networks, { socket: '192.0.2.1', client: '10.1.2.3', headers }));
  });
});

describe('/metrics', () => {
  test('is answered to a token, and to others with what to do', async () => {
    const url = `${published.base_url}/metrics`;
    assert.match(await (await fetch(url, { headers: bearer })).text(), /http_request_duration_seconds/);
    for (const headers of [{}, { Authorization: 'Bearer wrong' }, { 'X-Forwarded-For': '127.0.0.1' }]) {
      const refused = await fetch(url, { headers });
      assert.equal(refused.status, 401);
      const { detail } = (await refused.json()) as { detail: string };
      assert.match(detail, /METRICS_NETWORKS[\s\S]*METRICS_TOKEN/);
    }
    assert.equal((await fetch(`${local.base_url}/metrics`)).status, 200);
  });

  test('is made once for all who ask at the same time', async () => {
    const own = await startApp();
    let made = 0;
    const registers = [own.context.metrics.registry];
    const collect = () => {
      made += 1;
    };
    new Gauge({ name: 'times_made', help: 'How often the text was made', registers, collect });
    await Promise.all(Array.from({ length: 40 }, () => own.anonymous.get('//metrics')));
    assert.equal(made, 1);
  });
});

describe('/readyz', () => {
  test('tells strangers its status alone', async () => {
    const url = `${published.base_url}/readyz`;
    const stranger = await fetch(url);
    assert.equal(stranger.status, 200);
    assert.deepEqual(await stranger.json(), { status: 'ok' });
    const watcher = (await (await fetch(url, { headers: bearer })).json()) as Record<string, unknown>;
    assert.ok('checks' in watcher);
  });
});
