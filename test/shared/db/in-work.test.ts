import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { inWork } from '../../../shared/db/in-work.ts';
import { transaction } from '../../../shared/db/transaction.ts';
import type { Connection } from '../../../shared/kernel/connection.ts';
import { factsOf } from '../../../shared/kernel/fact.ts';
import { type Reader, systemActor } from '../../../shared/kernel/reader.ts';
import { Work } from '../../../shared/kernel/work.ts';
import { freshDatabase } from '../../support/database.ts';

const { database, drop } = await freshDatabase();
after(drop);

const facts = factsOf({ domain: 'platform', entity_type: 'counter' });

const on = <T>(run: (connection: Connection) => Promise<T>) => database.withConnection('org_x', run);

const readerOn = (connection: Connection): Reader => ({
  connection,
  organization_id: 'org_x',
  actor: systemActor,
  now: new Date(),
  request_id: null,
  ip_address: null,
});

/** Puts a row that has no history: a counter. */
function add(work: Work, period: string): void {
  work.insert({ tableName: 'invoicing_counters' }, { kind: 'invoice', period, next: 1 });
}

/** The rows that stand, by their period. */
async function kept(): Promise<string[]> {
  const rows = await on(({ query }) =>
    query<{ period: string }>('SELECT period FROM invoicing_counters ORDER BY period'),
  );
  return rows.map(({ period }) => period);
}

describe('what a work refuses is rolled back, also what was sent before', () => {
  const refused = {
    'a write without a fact': async (work: Work) => {
      add(work, 'refused');
      await work.flush();
    },
    'a fact that JSON cannot hold': async (work: Work) => {
      add(work, 'refused');
      await work.flush();
      work.record(facts.created, { before: null, after: { id: 'x', amount: 1n } as { id: string } });
    },
    'a value that JSON cannot hold': async (work: Work) => {
      add(work, 'refused');
      await work.flush();
      work.nothingChanged();
      work.run('SELECT $1::jsonb', [{ amount: 1n }]);
    },
    'a statement that fails': async (work: Work) => {
      add(work, 'refused');
      work.nothingChanged();
      work.run('SELECT 1 / $1::integer', [0]);
    },
    'an error of the operation': async (work: Work) => {
      add(work, 'refused');
      await work.flush();
      throw new Error('refused');
    },
  };
  for (const [what, write] of Object.entries(refused)) {
    test(what, async () => {
      await assert.rejects(on((connection) => inWork(readerOn(connection), write)));
      assert.deepEqual(await kept(), []);
    });
    test(`${what}, in a transaction whose opener commits`, async () => {
      const refusing = on((connection) =>
        transaction(connection, async (commit) => {
          const work = new Work(readerOn(connection));
          await write(work);
          await commit(work.finish());
        }),
      );
      await assert.rejects(refusing);
      assert.deepEqual(await kept(), []);
    });
  }

  test('a last statement that cannot be made from the result', async () => {
    const last = () => {
      throw new Error('refused');
    };
    const write = async (work: Work) => {
      add(work, 'refused');
      await work.flush();
      work.nothingChanged();
    };
    await assert.rejects(on((connection) => inWork(readerOn(connection), write, { last })));
    assert.deepEqual(await kept(), []);
  });
});

describe('a work that', () => {
  test('was abandoned is rolled back, and its result is answered', async () => {
    const result = await on((connection) =>
      inWork(readerOn(connection), async (work) => {
        add(work, 'abandoned');
        await work.flush();
        work.abandon();
        return 'known';
      }),
    );
    assert.equal(result, 'known');
    assert.deepEqual(await kept(), []);
  });

  test('is no request may end without a fact', async () => {
    await on((connection) =>
      inWork(readerOn(connection), async (work) => add(work, '1'), { may_change_nothing: true }),
    );
    assert.deepEqual(await kept(), ['1']);
  });

  test('lost against another transaction is run again, with nothing of before', async () => {
    let tries = 0;
    await on((connection) =>
      inWork(
        readerOn(connection),
        async (work) => {
          work.repeatOn('invoicing_counters_pkey');
          tries += 1;
          if (tries === 1) add(work, '1');
          else add(work, '2');
        },
        { may_change_nothing: true },
      ),
    );
    assert.equal(tries, 2);
    assert.deepEqual(await kept(), ['1', '2']);
  });

  test('declares so on behalf of another, or before a flush, as well', async () => {
    for (const how of ['flush', 'other']) {
      let tries = 0;
      await on((connection) =>
        inWork(
          readerOn(connection),
          async (work) => {
            const asking = how === 'other' ? work.onBehalfOf(work.actor, null) : work;
            asking.repeatOn('invoicing_counters_pkey', () => {
              tries += 1;
            });
            add(asking, tries === 0 ? '1' : how);
            if (how === 'flush') await work.flush();
          },
          { may_change_nothing: true },
        ),
      );
      assert.equal(tries, 1);
      assert.ok((await kept()).includes(how));
    }
  });

  test('writes for two organizations commits both or neither, each in its own log', async () => {
    const both = (fails: boolean) =>
      on((connection) =>
        inWork(
          readerOn(connection),
          async (work) => {
            for (const id of ['org_a', 'org_b']) {
              work
                .inOrganization(id)
                .record(facts.created, { before: null, after: { id: `${id}-${fails}` } });
            }
            if (fails) work.run('SELECT 1 / $1::integer', [0]);
          },
          { may_change_nothing: true },
        ),
      );
    await assert.rejects(both(true));
    await both(false);
    const logged = await on(({ query }) =>
      query("SELECT organization_id, entity_id FROM audit_logs WHERE entity_type = 'counter' ORDER BY 1"),
    );
    assert.deepEqual(logged, [
      { organization_id: 'org_a', entity_id: 'org_a-false' },
      { organization_id: 'org_b', entity_id: 'org_b-false' },
    ]);
  });
});

test('the rows of a work and its COMMIT are sent in one turn, without waiting between', async () => {
  const sent: string[] = [];
  const answered = Promise.withResolvers<[]>();
  const connection = {
    begin: () => sent.push('BEGIN'),
    query: (text: string) => {
      sent.push(text.split(' ', 1)[0]!);
      return answered.promise;
    },
    commit: async () => void sent.push('COMMIT'),
    rollback: async () => void sent.push('ROLLBACK'),
    tellAnnounced: () => undefined,
  } as unknown as Connection;
  const writing = inWork(readerOn(connection), async (work) => add(work, '3'), { may_change_nothing: true });
  await new Promise(setImmediate);
  assert.deepEqual(sent, ['BEGIN', 'INSERT', 'COMMIT']);
  answered.resolve([]);
  await writing;
});
