import { after, describe, test } from 'node:test';
import { transaction } from '../../shared/db/transaction.ts';
import { newActor } from '../support/actors.ts';
import { startApi } from '../support/api.ts';
import { clientOf } from '../support/client.ts';
import { freshDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { until } from '../support/until.ts';
import { startWorkers } from '../support/workers.ts';

const own = await freshDatabase();
after(() => own.drop());
const { secret, organization_id } = await newActor(own.database);
const environment = { DATABASE_URL: own.url };
const ports = [await freePort(), await freePort()];
await Promise.all([...ports.map((port) => startApi(port, environment)), startWorkers(environment)]);
const [one, other] = ports.map((port) =>
  clientOf(`http://127.0.0.1:${port}`, { Authorization: `Bearer ${secret}` }),
);

/** Makes contacts through one process and sees each one's event in the list of another. Answers milliseconds. */
async function timesUntilListed(count: number): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < count; n++) {
    const made = await one!.post('/crm/contacts', { first_name: `${n}`, last_name: 'A' });
    const committed = performance.now();
    const { id } = made.body.contact;
    await until('the event is listed', async () => {
      return (await other!.get('/events?limit=1')).body.data[0]?.data.id === id;
    });
    times.push(performance.now() - committed);
  }
  return times.sort((left, right) => left - right);
}

function described(times: number[]): string {
  const at = (share: number) => times[Math.floor((times.length - 1) * share)]!.toFixed(1);
  return `${times.length} events, from the answer to the list: median ${at(0.5)} ms, longest ${at(1)} ms`;
}

describe('an event comes into the list of another process', () => {
  test('while nothing else happens', async (context) => {
    context.diagnostic(described(await timesUntilListed(50)));
  });

  test('while an unrelated transaction stays open', async (context) => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const holding = own.database.withConnection('*', (connection) =>
      transaction(connection, async () => {
        await connection.query('SELECT pg_current_xact_id()');
        held.resolve();
        await released;
      }),
    );
    await held.promise;
    context.diagnostic(described(await timesUntilListed(50)));
    release();
    await holding;
  });

  test('without anybody asking: its place is given by the workers', async (context) => {
    await one!.post('/crm/contacts', { first_name: 'x', last_name: 'A' });
    const committed = performance.now();
    await until('it has its place', async () => {
      const [row] = await own.database.withConnection(organization_id, ({ query }) =>
        query<{ waiting: boolean }>(
          'SELECT bool_or(position IS NULL) AS waiting FROM events WHERE organization_id = $1',
          [organization_id],
        ),
      );
      return !row!.waiting;
    });
    context.diagnostic(
      `its place was given ${(performance.now() - committed).toFixed(0)} ms after the answer`,
    );
  });
});
