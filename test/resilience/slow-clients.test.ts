import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startApp, type TestApp } from '../support/app.ts';
import { until } from '../support/until.ts';

const app = await startApp();
const client = await app.actor();
const { database_url: url, database } = app;
const shared = { database: { url, database, drop: async () => {} } };
/** Who never comes to an end cannot be too slow for these; who is to be answered before could be, and has more time. */
const hasty = await startApp({ ...shared, time_limits: { header: 500, body: 700 } });
const bounded = await startApp({ ...shared, time_limits: { header: 4_000, body: 4_000 } });
const HEAD = [
  'POST /api/v1/crm/contacts HTTP/1.1',
  'Host: test',
  `Authorization: Bearer ${client.actor.secret}`,
  'Content-Type: application/json',
].join('\r\n');

type Talk = { socket: Socket; heard: () => string; closed: () => boolean };

function connectTo({ base_url }: TestApp): Socket {
  const { hostname, port } = new URL(base_url);
  return connect(Number(port), hostname);
}

/** Says `begin`, then `more` again and again, until the other side closes the connection. */
function talk(to: TestApp, begin: string, more: string | null): Talk {
  const socket = connectTo(to);
  let heard = '';
  let closed = false;
  socket.on('data', (chunk) => {
    heard += chunk;
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    closed = true;
  });
  const say = async () => {
    socket.write(begin);
    while (more !== null && !closed) {
      await pause(20);
      socket.write(more);
    }
  };
  socket.once('connect', say);
  return { socket, heard: () => heard, closed: () => closed };
}

describe('a connection is closed when', () => {
  test('its header does not end', async () => {
    const slow = talk(hasty, 'GET /healthz HTTP/1.1\r\nHost: test\r\nX-Long: ', 'x');
    await until('it is closed', slow.closed);
    assertProblem(slow.heard(), 408, 'request_timeout');
  });

  test('it says nothing', async () => {
    const silent = talk(hasty, '', null);
    await until('it is closed', silent.closed);
  });

  test('its body does not end, with a length or in chunks', async () => {
    const long = talk(hasty, `${HEAD}\r\nContent-Length: 100000\r\n\r\n{"first_name":"`, 'x');
    const chunked = talk(hasty, `${HEAD}\r\nTransfer-Encoding: chunked\r\n\r\n`, '1\r\nx\r\n');
    await until('both are closed', () => long.closed() && chunked.closed());
    assert.doesNotMatch(long.heard() + chunked.heard(), / 201 /);
  });

  test('its body goes on after the answer', async () => {
    const head = HEAD.replace(/Bearer .*/, 'Bearer sk_wrong');
    const slow = talk(bounded, `${head}\r\nContent-Length: 100000\r\n\r\n`, 'x');
    await until('it is answered', () => slow.heard().startsWith('HTTP/1.1 401 '));
    await until('it is closed', slow.closed);
  });
});

describe('what is no request is told so like all else', () => {
  const rest = ' HTTP/1.1\r\nHost: test\r\n';
  const told: [string, string, number, string][] = [
    ['another protocol', 'HELLO\r\n\r\n', 400, 'malformed_request'],
    ['a path that is not encoded', `GET /api/v1/日本${rest}\r\n`, 400, 'malformed_request'],
    ['no Host', 'GET /healthz HTTP/1.1\r\n\r\n', 400, 'malformed_request'],
    [
      'two lengths',
      `GET /healthz${rest}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`,
      400,
      'malformed_request',
    ],
    ['a huge header', `GET /healthz${rest}X-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'header_too_large'],
  ];
  for (const [name, sent, status, code] of told) {
    test(name, async () => {
      const broken = talk(app, sent, null);
      await until('it is closed', broken.closed);
      assertProblem(broken.heard(), status, code);
    });
  }

  test('an expectation that nobody knows is passed over', async () => {
    const hoping = talk(app, `GET /healthz${rest}Expect: wonders\r\n\r\n`, null);
    await until('it is answered', () => hoping.heard().startsWith('HTTP/1.1 200 '));
    hoping.socket.destroy();
  });
});

/** The whole answer is a problem, with the headers that all answers carry. */
function assertProblem(heard: string, status: number, code: string): void {
  const [head = '', body = ''] = heard.split('\r\n\r\n');
  assert.match(head, new RegExp(`^HTTP/1\\.1 ${status} `));
  for (const name of ['Service-Version', 'X-Content-Type-Options', 'Content-Security-Policy']) {
    assert.match(head, new RegExp(`^${name}: `, 'm'));
  }
  assert.match(head, /^Content-Type: application\/problem\+json$/m);
  const problem = JSON.parse(body);
  assert.deepEqual([problem.status, problem.code], [status, code]);
  assert.equal(problem.request_id, /^Request-Id: (req_\w+)$/m.exec(head)?.[1]);
}

describe('a huge body', () => {
  test('is refused by its header, before it is sent', async () => {
    const huge = talk(app, `${HEAD}\r\nContent-Length: 5000000000\r\n\r\n`, null);
    await until('it is closed', huge.closed);
    assert.match(huge.heard(), /^HTTP\/1\.1 413 .*body_too_large/s);
  });

  test('in chunks is refused while it arrives', async () => {
    const block = 'x'.repeat(65_536);
    const huge = talk(app, `${HEAD}\r\nTransfer-Encoding: chunked\r\n\r\n`, `10000\r\n${block}\r\n`);
    await until('it is answered', () => huge.heard().includes('body_too_large'));
    assert.match(huge.heard(), /^HTTP\/1\.1 413 /);
    await until('it is closed', huge.closed);
    assert(huge.socket.bytesWritten < 20_000_000, `${huge.socket.bytesWritten} bytes were taken`);
  });
});

test('who is quick is not cut off, however long the connection stands', async () => {
  const socket = connectTo(bounded);
  let answers = 0;
  socket.on('data', (chunk) => {
    answers += String(chunk).split('HTTP/1.1 200 ').length - 1;
  });
  for (const count of [1, 2, 3, 4]) {
    socket.write('GET /healthz HTTP/1.1\r\nHost: test\r\n\r\n');
    await until('it is answered', () => answers === count);
    await pause(1_100);
  }
  socket.destroy();
});
