import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { inWork } from '../../../../shared/db/in-work.ts';
import { newId } from '../../../../shared/kernel/id.ts';
import { systemActor } from '../../../../shared/kernel/reader.ts';
import { type Begins, type Sharing, takeBegins } from '../../../../shared/mail/sending/ledger.ts';
import { UNTHROTTLED } from '../../../../shared/mail/throttle.ts';
import { freshDatabase } from '../../../support/database.ts';

const { database, drop } = await freshDatabase();
after(drop);

const START = Date.parse('2026-11-27T00:00:00Z');
const organization_id = newId('org', new Date(START));

function ask(sharing: Sharing, most: number, at: number): Promise<Begins> {
  const who = { actor: systemActor, organization_id, request_id: null, ip_address: null, now: new Date(at) };
  return database.withConnection(organization_id, (connection) =>
    inWork({ ...who, connection }, (work) => takeBegins(work, sharing, most), { may_change_nothing: true }),
  );
}

let campaigns = 0;

/** A campaign of its own, in the same organization. */
function campaign(throttle: Partial<typeof UNTHROTTLED>, ofAll: Partial<typeof UNTHROTTLED> = {}): Sharing {
  campaigns += 1;
  return {
    scopes: [
      { scope: `camp_${campaigns}`, throttle: { ...UNTHROTTLED, ...throttle } },
      { scope: organization_id, throttle: { ...UNTHROTTLED, ...ofAll } },
    ],
    per_second: null,
  };
}

describe('what may begin', () => {
  test('two processes share a quota: together they get what it holds, and more when its time is over', async () => {
    const shared = campaign({ per_hour: 50 });
    // Whichever of them are first: all that begins is within one span of a tenth of a second.
    const asked = Array.from({ length: 10 }, (_, turn) => ask(shared, 8, START + 1 + turn));
    const got = (await Promise.all(asked)).flatMap(({ begins }) => begins);
    assert.equal(got.length, 50);
    const late = await ask(shared, 8, START + 1_800_000);
    assert.deepEqual([late.begins, late.free_at], [[], START + 3_600_100]);
    assert.equal((await ask(shared, 80, START + 3_600_100)).begins.length, 50);
    assert.deepEqual((await ask(shared, 80, START + 3_600_200)).begins, []);
  });

  test('two processes share a pace: nothing that they begin is nearer than its spacing', async () => {
    const shared = campaign({ per_second: 10 });
    const asked = Array.from({ length: 4 }, () => ask(shared, 5, START));
    const got = (await Promise.all(asked)).flatMap(({ begins }) => begins);
    assert.equal(got.length, 20);
    const inOrder = got.toSorted((left, right) => left - right);
    assert.deepEqual(
      inOrder,
      Array.from({ length: 20 }, (_, index) => START + index * 100),
    );
  });

  test('campaigns of an organization share its limit, and the least of all limits counts', async () => {
    const one = campaign({ per_day: 30 }, { per_hour: 20 });
    const other = campaign({}, { per_hour: 20 });
    assert.equal((await ask(one, 15, START)).begins.length, 15);
    assert.equal((await ask(other, 15, START)).begins.length, 5);
    assert.deepEqual((await ask(one, 15, START)).begins, []);
    assert.equal((await ask(one, 30, START + 3_600_100)).begins.length, 15, 'what is left of the day');
  });

  test('the rate of the installation counts for all organizations', async () => {
    const limited = { ...campaign({}), per_second: 2 };
    const begins = [...(await ask(limited, 3, START)).begins, ...(await ask(limited, 3, START)).begins];
    assert.deepEqual(begins, [START, START + 500, START + 1_000, START + 1_500, START + 2_000]);
  });

  test('without a limit everything begins at once, and nothing is read', async () => {
    const { begins, spacings, free_at } = await ask(campaign({}), 4, START);
    assert.deepEqual([begins, spacings, free_at], [[0, 0, 0, 0], {}, null]);
  });
});
