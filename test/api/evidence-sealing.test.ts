import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import pg from 'pg';
import { evidenceSources } from '../../shared/domains.ts';
import type { Connection } from '../../shared/kernel/connection.ts';
import { newId } from '../../shared/kernel/id.ts';
import { systemActor } from '../../shared/kernel/reader.ts';
import { headOf } from '../../shared/platform/evidence/head.ts';
import { verifyChain } from '../../shared/platform/evidence/verify.ts';
import { startApp } from '../support/app.ts';
import { type Books, newBooks } from '../support/books.ts';
import { whileHeld } from '../support/held.ts';
import { documentIn, resultOf } from '../support/kept-evidence.ts';
import { until } from '../support/until.ts';
import { startWorkers } from '../support/workers.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
type Shown = any;

const app = await startApp();
const environment = { DATABASE_URL: app.database_url, DATA_DIR: app.context.settings.dataDir };

/** What verifies, as a worker does. */
const systemReader = { actor: systemActor, now: new Date(), request_id: null, ip_address: null };

/** What the change history says of documents, in the order of their seals. */
async function chainOf(books: Books): Promise<Shown[]> {
  const { body } = await books.get('/accounting/audit-logs?entity_type=document&limit=200');
  return body.items.toSorted((one: Shown, other: Shown) => one.sequence - other.sequence);
}

/** A connection past the service: it runs what the service never sends. */
async function outside<T>(run: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: app.database_url });
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}

/** Waits until a session of the workers waits for a lock: only the owner of the server sees what others wait for. */
function somebodyWaits(): Promise<unknown> {
  return outside((client) =>
    until('somebody waits', async () => {
      const { rowCount } = await client.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rowCount! > 0;
    }),
  );
}

describe('an entry of the history', () => {
  test('is sealed for whoever reads the history before the workers come by', async () => {
    const books = await newBooks(app);
    await documentIn(app, books);
    assert.deepEqual(
      (await chainOf(books)).map(({ sequence }) => sequence),
      [1],
    );
  });

  test('that was written before others and committed after them is sealed behind them', async () => {
    const books = await newBooks(app);
    await outside(async (client) => {
      const id = newId('aud', new Date());
      await client.query('BEGIN');
      await client.query(
        `INSERT INTO audit_logs
           (organization_id, id, domain, entity_type, entity_id, action, actor_type, actor_id, changes, created_at)
         VALUES ($1, $2, 'accounting', 'document', $3, 'update', 'user', 'usr_1', '{}', now())`,
        [books.organization_id, id, newId('adoc', new Date())],
      );
      for (let n = 0; n < 2; n += 1) await documentIn(app, books);
      assert.equal((await chainOf(books)).length, 2);
      await client.query('COMMIT');
      const chain = await chainOf(books);
      assert.deepEqual(
        chain.map(({ sequence, previous_hash }) => [sequence, previous_hash]),
        [1, 2, 3].map((sequence) => [sequence, chain[sequence - 2]?.hash ?? '0'.repeat(64)]),
      );
      assert.equal(chain[2].id, id);
    });
  });

  test('is sealed once where the process that was sealing it is killed', async () => {
    const books = await newBooks(app);
    const workers = await startWorkers(environment, ['--queues', 'report-export']);
    await whileHeld(app.database, 'evidence_chain', async () => {
      for (let n = 0; n < 3; n += 1) await documentIn(app, books);
      await somebodyWaits();
      await workers.kill();
    });
    await documentIn(app, books);
    const chain = await chainOf(books);
    assert.deepEqual(
      chain.map(({ sequence, previous_hash }) => [sequence, previous_hash]),
      [1, 2, 3, 4].map((sequence) => [sequence, chain[sequence - 2]?.hash ?? '0'.repeat(64)]),
    );
  });

  test('that was removed before its seal is found', async () => {
    const books = await newBooks(app);
    const { id: document_id } = await documentIn(app, books);
    assert.equal((await chainOf(books)).length, 1);
    await books.patch(`/accounting/documents/${document_id}`, { amount: 12_000 });
    const id = await outside(async (client) => {
      await client.query('SET session_replication_role = replica');
      const { rows } = await client.query<{ id: string }>(
        `DELETE FROM audit_logs WHERE organization_id = $1 AND entity_id = $2 AND action = 'update' RETURNING id`,
        [books.organization_id, document_id],
      );
      return rows[0]!.id;
    });
    await startWorkers(environment, ['--queues', 'report-export']);
    const { ok, first_bad } = await resultOf(books, '/evidence/verify');
    assert.deepEqual([ok, first_bad.reason, first_bad.audit_log_id], [false, 'entry_missing', id]);
  });
});

describe('the verification of a record that was changed a thousand times', () => {
  test('reads its history a part at a time', async () => {
    const books = await newBooks(app);
    const { id } = await documentIn(app, books);
    await chainOf(books);
    await outside((client) =>
      client.query(
        `INSERT INTO audit_logs
           (organization_id, id, domain, entity_type, entity_id, action, actor_type, actor_id, changes, created_at)
         SELECT $1, 'aud_' || n, 'accounting', 'document', $2, 'update', 'user', 'usr_1', '{}', now()
           FROM generate_series(1, 1000) AS made (n)`,
        [books.organization_id, id],
      ),
    );
    const answers: number[] = [];
    const found = await app.database.withConnection(books.organization_id, async (connection) => {
      const counting: Connection = {
        ...connection,
        query: async (...words) => {
          const rows = await connection.query(...words);
          answers.push(rows.length);
          return rows as never;
        },
      };
      const reader = { ...systemReader, connection: counting, organization_id: books.organization_id };
      const head = await headOf(reader);
      const hashed: string[] = [];
      const hashFile = async (storage_key: string) => {
        hashed.push(storage_key);
        return null;
      };
      const parts = await Array.fromAsync(verifyChain(reader, { sources: evidenceSources, head, hashFile }));
      assert.equal(hashed.length, 1);
      return parts;
    });
    assert.deepEqual(
      found.map(({ files, bad }) => [files, bad.map(({ reason }) => reason)]),
      [[1, ['file_missing']]],
    );
    assert.ok(Math.max(...answers) <= 100, `a statement answered ${Math.max(...answers)} rows`);
    assert.ok(answers.reduce((sum, count) => sum + count) > 1_000, 'the whole history was read');
  });
});
