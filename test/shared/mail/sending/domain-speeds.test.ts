import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { inWork } from '../../../../shared/db/in-work.ts';
import { newId } from '../../../../shared/kernel/id.ts';
import { systemActor } from '../../../../shared/kernel/reader.ts';
import type { Work } from '../../../../shared/kernel/work.ts';
import { CALM, SLOWEST } from '../../../../shared/mail/sending/domain-speed.ts';
import { loadSpeeds, slowDown } from '../../../../shared/mail/sending/domain-speeds.ts';
import { freshDatabase } from '../../../support/database.ts';

const { database, drop } = await freshDatabase();
after(drop);

const START = Date.parse('2026-11-27T00:00:00Z');
const organization_id = newId('org', new Date(START));

function at<T>(milliseconds: number, run: (work: Work) => Promise<T>): Promise<T> {
  const now = new Date(START + milliseconds);
  const who = { actor: systemActor, organization_id, request_id: null, ip_address: null, now };
  return database.withConnection(organization_id, (connection) =>
    inWork({ ...who, connection }, run, { may_change_nothing: true }),
  );
}

/** A process that is asked for less by a mail that was placed by a speed; `last_minute`: what it has sent to the domain. */
const asked = (domain: string, milliseconds: number, placed_by: number | null, last_minute = 600) =>
  at(milliseconds, (work) => slowDown(work, domain, { placed_by, last_minute }));

const intervalOf = async (domain: string, milliseconds: number) =>
  (await at(milliseconds, loadSpeeds)).get(domain)?.interval;

describe('a domain whose server asks for fewer mails', () => {
  test('is slowed once for all mails that were placed before it was', async () => {
    const first = await asked('once.example', 0, null);
    assert.equal(first.interval, 200);
    // Others were under way, or marked, in this process and in another one that has not heard of it yet.
    for (const later of [300, 1_500, 4_000]) {
      const known = await asked('once.example', later, null);
      assert.deepEqual([known.interval, known.changed_at], [200, START]);
    }
    const second = await asked('once.example', 5_000, first.changed_at);
    assert.equal(second.interval, 400);
    assert.equal((await asked('once.example', 7_000, first.changed_at)).interval, 400);
    assert.equal((await asked('once.example', 7_500, second.changed_at)).interval, 800);
  });

  test('is slowed once by processes that are asked at the same time, whichever is first', async () => {
    for (let round = 0; round < 5; round += 1) {
      const domain = `beside${round}.example`;
      const speeds = await Promise.all(
        [600, 300, 100, 1].map((last_minute, process) => asked(domain, process * 10, null, last_minute)),
      );
      const [{ interval, changed_at }] = speeds as [(typeof speeds)[number]];
      assert.ok(speeds.every((speed) => speed.interval === interval && speed.changed_at === changed_at));
      await Promise.all([0, 1, 2, 3].map((process) => asked(domain, 3_000 + process * 600, changed_at)));
      assert.equal(await intervalOf(domain, 6_000), Math.min(interval * 2, SLOWEST));
    }
  });

  test('keeps the speed of who was asked first, where another process has sent it a mail or two', async () => {
    await asked('few.example', 0, null, 600);
    assert.equal((await asked('few.example', 400, null, 1)).interval, 200);
    assert.equal(await intervalOf('few.example', 2_000), 200);
  });

  test('begins anew once it has doubled its speed to none', async () => {
    const first = await asked('anew.example', 0, null, 60);
    assert.equal(first.interval, 2_000);
    const hours = 12 * CALM;
    assert.equal(await intervalOf('anew.example', hours), undefined);
    assert.equal((await asked('anew.example', hours, null, 600)).interval, 200);
    assert.equal(await intervalOf('anew.example', hours), 200);
  });
});
