import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, describe, test } from 'node:test';
import { connectionLimits } from '../../api/http/connection-limit.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { until } from '../support/until.ts';

const app = await startApp({ time_limits: { unread: 1_000 } });
const crowded = await startApp({ connections: { address: 3, isExempt: () => false } });
const full = await startApp({ connections: { all: 2 } });
const sockets: Socket[] = [];
after(() => {
  for (const socket of sockets) socket.destroy();
});

type Talk = { socket: Socket; heard: () => string; closed: () => boolean };

function talk(to: TestApp, said: string): Talk {
  const { hostname, port } = new URL(to.base_url);
  const socket = connect(Number(port), hostname, () => socket.write(said));
  sockets.push(socket);
  let heard = '';
  let closed = false;
  socket.on('data', (chunk) => {
    heard += chunk;
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    closed = true;
  });
  return { socket, heard: () => heard, closed: () => closed };
}

const openConnections = (to: TestApp) =>
  new Promise<number>((resolve, reject) =>
    to.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );

const HEALTH = 'GET /healthz HTTP/1.1\r\nHost: test\r\n\r\n';

describe('an answer that is not read', () => {
  test('is cut with its connection', async () => {
    const asked = 'GET /openapi.json HTTP/1.1\r\nHost: test\r\n\r\n'.repeat(20);
    const { hostname, port } = new URL(app.base_url);
    const idle = connect(Number(port), hostname, () => idle.write(asked)).pause();
    sockets.push(idle);
    idle.on('error', () => undefined);
    await until('the service has it', async () => (await openConnections(app)) > 0);
    await until('the service holds it no more', async () => (await openConnections(app)) === 0);
  });

  test('takes no other with it: who reads a little at a time gets all of it', async () => {
    const asked = 'GET /openapi.json HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n';
    const slow = talk(app, asked);
    slow.socket.on('data', () => {
      slow.socket.pause();
      setTimeout(() => slow.socket.resume(), 20);
    });
    await until('all is read', slow.closed);
    const whole = await (await fetch(`${app.base_url}/openapi.json`)).text();
    assert.ok(slow.heard().endsWith(whole.slice(-1_000)));
  });
});

describe('connections of one address', () => {
  test('beyond those that it may hold are refused, until one of the others ends', async () => {
    const held = Array.from({ length: 3 }, () => talk(crowded, HEALTH));
    for (const each of held) await until('it is answered', () => each.heard().includes(' 200 '));
    const refused = talk(crowded, '');
    await until('it is closed', refused.closed);
    assert.match(refused.heard(), /^HTTP\/1\.1 429 [\s\S]*Retry-After: 1\r\n[\s\S]*"code":"rate_limited"/);
    held[0]!.socket.destroy();
    await until('another is taken', async () => {
      const next = talk(crowded, HEALTH);
      await until('it is answered', () => next.heard().startsWith('HTTP/1.1 '));
      next.socket.destroy();
      return next.heard().startsWith('HTTP/1.1 200 ');
    });
  });

  test('are not counted for proxies and for this machine', () => {
    const { isExempt, address, all } = connectionLimits(['10.0.0.0/8', '2001:db8::1']);
    const exempt = ['127.0.0.1', '127.9.9.9', '::1', '10.1.2.3', '2001:db8::1'];
    assert.deepEqual(
      exempt.filter((each) => !isExempt(each)),
      [],
    );
    assert.deepEqual(['192.0.2.1', '2001:db8::2', '11.0.0.1', ''].filter(isExempt), []);
    assert.ok(address >= 100 && all > address);
  });
});

test('connections beyond those that the process holds are closed', async () => {
  const held = [talk(full, HEALTH), talk(full, HEALTH)];
  for (const each of held) await until('it is answered', () => each.heard().includes(' 200 '));
  const third = talk(full, HEALTH);
  await until('it is closed', third.closed);
  assert.equal(third.heard(), '');
});

describe('a request that says twice, or not clearly, for which host it is', () => {
  const asked: [string, string, number][] = [
    ['two hosts', 'GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 400],
    ['the same host twice', 'GET /healthz HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n', 400],
    ['two hosts in HTTP/1.0', 'GET /healthz HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n', 400],
    ['another host in its URI', 'GET http://a/healthz HTTP/1.1\r\nHost: b\r\n\r\n', 400],
    ['another port in its URI', 'GET http://a:81/healthz HTTP/1.1\r\nHost: a:80\r\n\r\n', 400],
  ];
  for (const [name, said, status] of asked) {
    test(`${name}: ${status}, and the connection ends`, async () => {
      const { heard, closed } = talk(app, said);
      await until('it is closed', closed);
      assert.match(heard(), new RegExp(`^HTTP/1\\.1 ${status} [\\s\\S]*"code":"malformed_request"`));
    });
  }

  test('is answered when both are the same', async () => {
    const same = talk(app, 'GET http://A:80/healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    await until('it is answered', same.closed);
    assert.match(same.heard(), /^HTTP\/1\.1 (200|404) /);
  });
});
