import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { type OutsideCall, openAddressCheck, openOutside } from '../../../../shared/platform/outside/call.ts';
import { OutsideFailure } from '../../../../shared/platform/outside/failure.ts';
import { until } from '../../../support/until.ts';

type Heard = Pick<IncomingMessage, 'method' | 'url' | 'headers'> & { body: string };

const heard: Heard[] = [];
const answers: Record<string, (answer: ServerResponse, request: IncomingMessage) => void> = {
  '/moved': (answer) => void answer.writeHead(302, { Location: '/end' }).end(),
  '/away': (answer) => void answer.writeHead(302, { Location: `http://other.test:${port}/end` }).end(),
  '/inside': (answer) => void answer.writeHead(302, { Location: `http://127.0.0.1:${port}/end` }).end(),
  '/long': (answer) => void answer.end('x'.repeat(10_000)),
  '/silent': () => undefined,
  '/reset': (_, request) => void request.socket.destroy(),
  '/switched': (_, { socket }) =>
    void socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n'),
  '/refused': (answer) => void answer.writeHead(429, { 'Retry-After': '7' }).end('later'),
  '/end': (answer) => void answer.end('here'),
};

const server = createServer(async (request, answer) => {
  let body = '';
  for await (const part of request) body += part;
  const { method, url, headers } = request;
  heard.push({ method, url, headers, body });
  answers[url!]!(answer, request);
});
let port = 0;

before(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});
after(() => {
  server.closeAllConnections();
  server.close();
});

/** Names of the tests lead to the server of the tests; others to the addresses that a case gives. */
function outside(trusted: string[], asked: string[] = [], addresses = ['127.0.0.1']) {
  return openOutside({
    trusted_hosts: trusted,
    resolve: async (host) => {
      asked.push(host);
      return addresses.map((address) => ({ address, family: 4 }));
    },
  });
}

function call(path: string, more: Partial<OutsideCall> = {}): OutsideCall {
  return {
    url: `http://named.test:${port}${path}`,
    method: 'GET',
    time_limit: 60_000,
    most_bytes: 1_000,
    ...more,
  };
}

async function refused(promise: Promise<unknown>): Promise<OutsideFailure> {
  const error = await promise.then(
    () => assert.fail('it was answered'),
    (thrown: unknown) => thrown,
  );
  assert(error instanceof OutsideFailure, String(error));
  return error;
}

describe('an answer', () => {
  it('is what the other side said, of any status', async () => {
    const answer = await outside(['named.test'])(
      call('/refused', { method: 'POST', body: '{"a":1}', headers: { 'X-Own': 'yes' } }),
    );
    assert.equal(answer.status, 429);
    assert.equal(answer.headers['retry-after'], '7');
    assert.equal(answer.body.toString(), 'later');
    const request = heard.at(-1)!;
    assert.deepEqual([request.method, request.body, request.headers['x-own']], ['POST', '{"a":1}', 'yes']);
    assert.equal(request.headers.host, `named.test:${port}`);
  });

  it('comes from the addresses that were checked: the name is resolved once', async () => {
    const asked: string[] = [];
    await outside(['named.test'], asked)(call('/end'));
    assert.deepEqual(asked, ['named.test']);
  });
});

describe('addresses that are not public', () => {
  it('are refused before a connection, as soon as one of several is', async () => {
    const before = heard.length;
    const error = await refused(outside([], [], ['8.8.8.8', '127.0.0.1'])(call('/end')));
    assert.deepEqual([error.reason, error.may_have_arrived], ['address_refused', false]);
    assert.equal(heard.length, before);
  });

  it('are refused where the address itself is named, in each notation', async () => {
    for (const host of ['127.0.0.1', '2130706433', '0x7f.1', '[::1]', '[::ffff:127.0.0.1]']) {
      const error = await refused(outside([])(call('', { url: `http://${host}:${port}/end` })));
      assert.equal(error.reason, 'address_refused', host);
    }
  });

  it('are called where the settings name the host, alone or with its port', async () => {
    for (const trusted of ['named.test', `named.test:${port}`]) {
      assert.equal((await outside([trusted])(call('/end'))).status, 200);
    }
    assert.equal((await refused(outside(['named.test:1'])(call('/end')))).reason, 'address_refused');
  });
});

describe('hosts that are called by https alone', () => {
  const options = {
    trusted_hosts: ['named.test'],
    https_alone: true,
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
  };

  it('are all but those that the settings name', async () => {
    const call_out = openOutside(options);
    assert.equal((await call_out(call('/end'))).status, 200);
    const other = call('', { url: `http://other.test:${port}/end` });
    assert.equal((await refused(call_out(other))).reason, 'insecure');
  });

  it('are told from others before anything is sent', async () => {
    const before = heard.length;
    const check = openAddressCheck(options);
    const found = await Promise.all(
      [`http://named.test:${port}/`, 'http://other.test/', 'https://other.test/', 'a'].map((url) =>
        check(url, 60_000),
      ),
    );
    assert.deepEqual(found, [null, 'insecure', 'address_refused', 'url']);
    assert.equal(heard.length, before);
  });
});

describe('redirects', () => {
  it('are not followed unless said', async () => {
    const error = await refused(outside(['named.test'])(call('/moved')));
    assert.deepEqual([error.reason, error.may_have_arrived], ['redirect', true]);
  });

  it('are followed by GET as often as said', async () => {
    const answer = await outside(['named.test'])(call('/moved', { redirects: 1 }));
    assert.equal(answer.url, `http://named.test:${port}/end`);
    const posted = outside(['named.test'])(call('/moved', { redirects: 1, method: 'POST' }));
    assert.equal((await refused(posted)).reason, 'redirect');
  });

  it('are followed with the same method by what only reads, as WebDAV does', async () => {
    const asked = call('/moved', { redirects: 1, method: 'PROPFIND', body: '<propfind/>' });
    await outside(['named.test'])(asked);
    const { method, url, body } = heard.at(-1)!;
    assert.deepEqual([method, url, body], ['PROPFIND', '/end', '<propfind/>']);
  });

  it('stay on the host where that is asked for', async () => {
    const call_out = outside(['named.test', 'other.test']);
    assert.equal((await call_out(call('/moved', { redirects: 1, keeps_host: true }))).status, 200);
    const away = call('/away', { redirects: 1, keeps_host: true });
    assert.equal((await refused(call_out(away))).reason, 'redirect');
  });

  it('lose the credentials at another host', async () => {
    const headers = { Authorization: 'Bearer secret', Accept: 'text/calendar' };
    await outside(['named.test', 'other.test'])(call('/away', { redirects: 1, headers }));
    const { authorization, accept } = heard.at(-1)!.headers;
    assert.deepEqual([authorization, accept], [undefined, 'text/calendar']);
  });

  it('are checked as the first address was', async () => {
    const error = await refused(outside(['named.test'])(call('/inside', { redirects: 5 })));
    assert.equal(error.reason, 'address_refused');
  });
});

describe('what comes to nothing', () => {
  it('says whether the request may have arrived', async () => {
    const call_out = outside(['named.test']);
    const asked = new AbortController();
    const silent = refused(call_out(call('/silent', { signal: asked.signal })));
    await until('the call has arrived', () => heard.at(-1)?.url === '/silent');
    asked.abort();
    assert.deepEqual([(await silent).reason, (await silent).may_have_arrived], ['aborted', true]);
    const reset = await refused(call_out(call('/reset')));
    assert.deepEqual([reset.reason, reset.may_have_arrived], ['reset', true]);
    const closed = await refused(call_out(call('', { url: 'http://named.test:1/' })));
    assert.deepEqual([closed.reason, closed.may_have_arrived], ['connect', false]);
    const plain = await refused(call_out(call('', { url: `https://named.test:${port}/` })));
    assert.deepEqual([plain.reason, plain.may_have_arrived], ['tls', false]);
  });

  it('is an answer that leaves HTTP', async () => {
    const failure = await refused(outside(['named.test'])(call('/switched')));
    assert.deepEqual([failure.reason, failure.may_have_arrived], ['reset', true]);
  });

  it('is an answer longer than asked for', async () => {
    assert.equal((await refused(outside(['named.test'])(call('/long')))).reason, 'too_large');
  });

  it('is an address that is not of the web', async () => {
    for (const url of [
      'file:///etc/passwd',
      'ftp://named.test/',
      'http://user:word@named.test/',
      'no address',
    ]) {
      assert.equal((await refused(outside(['named.test'])(call('', { url })))).reason, 'url', url);
    }
  });

  it('is a name that nobody knows', async () => {
    const unknown = openOutside({ trusted_hosts: [], resolve: () => Promise.reject(new Error('ENOTFOUND')) });
    assert.equal((await refused(unknown(call('/end')))).reason, 'dns');
  });

  it('is a call that is given up while its name is resolved', async () => {
    const never = openOutside({ trusted_hosts: [], resolve: () => new Promise(() => {}) });
    assert.equal((await refused(never(call('/end', { time_limit: 50 })))).reason, 'timeout');
    const asked = new AbortController();
    const given_up = refused(never(call('/end', { signal: asked.signal })));
    asked.abort();
    assert.equal((await given_up).reason, 'aborted');
  });
});
