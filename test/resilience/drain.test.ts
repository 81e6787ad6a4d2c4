import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { connectionLimits } from '../../api/http/connection-limit.ts';
import { timeLimits } from '../../api/http/time-limits.ts';
import { serve } from '../../api/server.ts';
import { transaction } from '../../shared/db/transaction.ts';
import { newActor } from '../support/actors.ts';
import { startApi } from '../support/api.ts';
import { clientOf } from '../support/client.ts';
import { freshDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { until } from '../support/until.ts';

const own = await freshDatabase();
after(() => own.drop());
const { secret, organization_id } = await newActor(own.database);
const Authorization = `Bearer ${secret}`;
/** The whole text of an answer that says that its connection ends. */
const ANSWERED = /^HTTP\/1.1 200 .*^connection: close\r$/ims;

test('at SIGTERM what runs is answered, nothing new is taken, keep-alive ends, and the process with 0', async () => {
  const port = await freePort();
  const api = await startApi(port, { DATABASE_URL: own.url });
  const client = clientOf(`http://127.0.0.1:${port}`, { Authorization });
  const made = await client.post('/crm/contacts', { first_name: 'a', last_name: 'b' });
  const { id } = made.body.contact;
  const idle = connect(port, '127.0.0.1');
  await once(idle, 'connect');
  const agent = new Agent({ keepAlive: true });

  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const holding = own.database.withConnection(organization_id, (connection) =>
    transaction(connection, async () => {
      await connection.query('SELECT FROM crm_contacts WHERE id = $1 FOR UPDATE', [id]);
      held.resolve();
      await released;
    }),
  );
  await held.promise;
  const running = Array.from({ length: 8 }, (_, n) => patch(agent, port, id, `${n}`));
  await until('all of them wait for the row', async () => (await waiting()) === 8);

  const exit = api.stop();
  await once(idle.resume(), 'close');
  await assert.rejects(fetch(`http://127.0.0.1:${port}/healthz`), ({ cause }) => {
    return (cause as { code?: string }).code === 'ECONNREFUSED';
  });
  assert.equal(api.process.exitCode, null);
  release();
  await holding;
  for (const reply of await Promise.all(running)) {
    assert.equal(reply.statusCode, 200);
    assert.equal(reply.headers.connection, 'close');
  }
  await until('the process has ended', () => api.process.exitCode !== null);
  assert.equal(await exit, 0);
  agent.destroy();
});

test('at SIGTERM whoever connected before is answered, also where the process had not come to that yet', async () => {
  const port = await freePort();
  const api = await startApi(port, { DATABASE_URL: own.url });
  // As on a machine where others have the processor: the system connects, and takes what is sent.
  api.process.kill('SIGSTOP');
  const sockets = Array.from({ length: 20 }, () => connect(port, '127.0.0.1'));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (const socket of sockets) socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  const replies = sockets.map((socket) => text(socket));
  const exit = api.stop();
  api.process.kill('SIGCONT');
  // One that the process had read before it came to the signal is answered as always, and then its connection ends too.
  for (const reply of replies) assert.match(await reply, /^HTTP\/1.1 200 /);
  assert.equal(await exit, 0);
});

describe('a connection that has brought no request when the drain begins', () => {
  for (const [what, first_request, isInTime] of [
    ['is answered where its first one comes soon', 60_000, true],
    ['is closed where it does not', 20, false],
  ] as const) {
    test(what, async () => {
      const serving = await serve(
        async (_, response) => {
          response.end();
        },
        {
          host: '127.0.0.1',
          port: 0,
          limits: { ...timeLimits, first_request },
          connections: connectionLimits([]),
          unreadable: () => '',
        },
      );
      const socket = connect(serving.port, '127.0.0.1');
      await once(serving.server, 'connection');
      const reply = text(socket);
      const drained = serving.drain();
      if (isInTime) {
        await until('it listens no more', () => !serving.server.listening);
        socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
      }
      assert.match(await reply, isInTime ? ANSWERED : /^$/);
      await drained;
    });
  }
});

for (const [what, drain, ends] of [
  ['waits for a handler whose client has hung up', 15_000, true],
  ['waits for such a handler no longer than for an answer', 20, false],
] as const) {
  test(`the drain ${what}`, async () => {
    const { promise: handled, resolve: finish } = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const hungUp = Promise.withResolvers<void>();
    const listener = (_: IncomingMessage, response: ServerResponse) => {
      response.once('close', hungUp.resolve);
      begun.resolve();
      return handled;
    };
    const serving = await serve(listener, {
      host: '127.0.0.1',
      port: 0,
      limits: { ...timeLimits, drain },
      connections: connectionLimits([]),
      unreadable: () => '',
    });
    const socket = connect(serving.port, '127.0.0.1', () =>
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'),
    );
    await begun.promise;
    socket.destroy();
    await hungUp.promise;
    let is_over = false;
    const drained = serving.drain().then(() => {
      is_over = true;
    });
    if (ends) {
      for (let turns = 0; turns < 10; turns++) await turn();
      assert.equal(is_over, false);
      finish();
    }
    await drained;
  });
}

async function waiting(): Promise<number> {
  const [row] = await own.database.withConnection('*', ({ query }) =>
    query<{ count: number }>(
      `SELECT count(*)::int AS count FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    ),
  );
  return row!.count;
}

function patch(agent: Agent, port: number, id: string, note: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const path = `/api/v1/crm/contacts/${id}`;
    const headers = { Authorization, 'Content-Type': 'application/json' };
    const sent = request({ agent, port, host: '127.0.0.1', path, method: 'PATCH', headers }, (reply) => {
      reply.resume().once('end', () => resolve(reply));
    });
    sent.once('error', reject);
    sent.end(JSON.stringify({ note }));
  });
}
