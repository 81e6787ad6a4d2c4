import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { Overtaken } from '../../workers/kernel/handler.ts';
import { openOutbox } from '../../workers/kernel/outbox.ts';
import { freshDatabase } from '../support/database.ts';
import { askForDelivery, release, standing, type Taken, takeDelivery } from '../support/deliveries.ts';
import { somebodyWaits } from '../support/held.ts';

const { database, drop } = await freshDatabase({ pool_size: 5 });
after(drop);

const asked = { organization_id: 'org_x', queue: 'signing-reminder', name: 'test.try' } as const;

/** A try that was taken for dead, and the one that was begun in its place. */
async function overtaken(): Promise<{ older: Taken; newer: Taken }> {
  const id = await askForDelivery(database, asked);
  const older = await takeDelivery({ database }, id);
  await release(database, older);
  return { older, newer: await takeDelivery({ database }, id) };
}

/** A try that its process handed back, and the next one, which has the same number of starts and hand-overs. */
async function handedBack(): Promise<{ older: Taken; newer: Taken }> {
  const id = await askForDelivery(database, asked);
  const older = await takeDelivery({ database }, id);
  assert.equal(await outboxOf(older).uncount(older.start), true);
  const [row] = await database.withConnection('*', ({ query }) =>
    query<{ hand_overs: number }>('SELECT hand_overs FROM outbox WHERE id = $1', [id]),
  );
  await database.withConnection('*', ({ query }) =>
    query('UPDATE outbox SET hand_overs = hand_overs - 1 WHERE id = $1', [id]),
  );
  const newer = await takeDelivery({ database }, id);
  assert.equal(newer.start.hand_overs, row!.hand_overs);
  assert.equal(newer.start.starts, older.start.starts);
  return { older, newer };
}

const outboxOf = ({ start }: Taken) => openOutbox(database, start.process_number);
const now = new Date();

for (const [what, begin] of [
  ['a try that was taken for dead', overtaken],
  ['a try that was handed back', handedBack],
] as const) {
  describe(`${what} writes nothing more`, () => {
    const outcomes = {
      'settling without writes': async (older: Taken) =>
        assert.equal(await outboxOf(older).settle({ ...older.start, now }), 'overtaken'),
      'settling with writes': async (older: Taken) => {
        let called = false;
        const settling = older.settle(async () => {
          called = true;
        });
        await assert.rejects(settling, Overtaken);
        assert.equal(called, false);
      },
      'a part': async (older: Taken) => {
        await assert.rejects(
          older.part(async (work) => void work.run("INSERT INTO queue_engine (mark) VALUES ('older')", [])),
          Overtaken,
        );
        const written = await database.withConnection('*', ({ query }) => query('SELECT FROM queue_engine'));
        assert.equal(written.length, 0);
      },
      'a postponement': async (older: Taken) =>
        assert.equal(
          await outboxOf(older).postpone(older.start, { due_at: now, error: 'older', counts: true }),
          false,
        ),
      'handing back': async (older: Taken) => assert.equal(await outboxOf(older).uncount(older.start), false),
    };
    for (const [outcome, write] of Object.entries(outcomes)) {
      test(outcome, async () => {
        const { older, newer } = await begin();
        await write(older);
        assert.deepEqual(await standing(database, newer.delivery_id), { rows: 1, receipts: 0 });
        assert.equal(await outboxOf(newer).settle({ ...newer.start, now }), 'settled');
        assert.deepEqual(await standing(database, newer.delivery_id), { rows: 0, receipts: 1 });
        await write(older);
        assert.deepEqual(await standing(database, newer.delivery_id), { rows: 0, receipts: 1 });
      });
    }
  });
}

test('the newer try waits again when the older one, which hears of it late, has ended', async () => {
  const { older, newer } = await overtaken();
  assert.equal(await outboxOf(older).settle({ ...older.start, now }), 'overtaken');
  assert.equal(
    await outboxOf(newer).postpone(newer.start, { due_at: now, error: 'greylisted', counts: true }),
    true,
  );
  const rows = await database.withConnection('*', ({ query }) =>
    query('SELECT attempts, error, taken_by FROM outbox WHERE id = $1', [newer.delivery_id]),
  );
  assert.deepEqual(rows, [{ attempts: 1, error: 'greylisted', taken_by: null }]);
});

test('a try that is committing is not released meanwhile, nor does the release wait for it', async () => {
  const id = await askForDelivery(database, asked);
  const taken = await takeDelivery({ database }, id);
  await taken.settle(async () => {
    await release(database, taken);
  });
  assert.deepEqual(await standing(database, id), { rows: 0, receipts: 1 });
});

test('of two tries that settle at the same time the one that was claimed last is written', async () => {
  const { older, newer } = await overtaken();
  const ran: string[] = [];
  const results = await Promise.allSettled([
    older.settle(async () => void ran.push('older')),
    newer.settle(async () => void ran.push('newer')),
  ]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'fulfilled'],
  );
  assert.deepEqual(ran, ['newer']);
});

test('whoever claims a delivery while its try commits a part waits for it, and the part stands', async () => {
  const id = await askForDelivery(database, asked);
  const taken = await takeDelivery({ database }, id);
  const { organization_id, hand_overs: hand_over } = taken.start;
  const other = openOutbox(database, 1);
  const handed = { organization_id, delivery_id: id, hand_over, again: true };
  let claiming: ReturnType<typeof other.claim> | undefined;
  await taken.part(async (work) => {
    await work.connection.query('SELECT 1');
    claiming = other.claim(handed);
    await somebodyWaits(database);
  });
  assert.equal((await claiming)?.starts, 2);
  await assert.rejects(
    taken.part(async () => {}),
    Overtaken,
  );
});
