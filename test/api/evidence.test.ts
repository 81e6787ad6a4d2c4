import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import pg from 'pg';
import { sealAllEvidence } from '../../shared/platform/evidence/seal.ts';
import { startApp } from '../support/app.ts';
import { type Books, newBooks } from '../support/books.ts';
import { pdfBytes, sendEvidence } from '../support/evidence.ts';
import { documentIn, resultOf } from '../support/kept-evidence.ts';
import { startWorkers } from '../support/workers.ts';

/** Its types are of another kind of module than it is. */
const canonicalize: (value: unknown) => string = createRequire(import.meta.url)('canonicalize');

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
type Shown = any;

const app = await startApp();
const { dataDir } = app.context.settings;
await startWorkers({ DATABASE_URL: app.database_url, DATA_DIR: dataDir }, ['--queues', 'report-export']);

const document = (books: Books, fields?: object) => documentIn(app, books, fields);

/** The change history, the oldest first, sealed. */
async function history(books: Books): Promise<Shown[]> {
  await sealAllEvidence(app.database);
  const { body } = await books.get('/accounting/audit-logs?limit=200');
  return body.items.toReversed();
}

const chainOf = async (books: Books) =>
  (await history(books))
    .filter(({ sequence }) => sequence !== null)
    .toSorted((one, other) => one.sequence - other.sequence);

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');

async function verified(books: Books): Promise<Shown> {
  const { job_id, ...result } = await resultOf(books, '/evidence/verify');
  return result;
}

describe('the chain of evidence', () => {
  test('has every change of a document in the order of its seals, as anybody can recompute', async () => {
    const books = await newBooks(app);
    const made = await document(books, { note: '改行\n"引用" \u2028 é ①' });
    await books.patch(`/accounting/documents/${made.id}`, { amount: 12_000, metadata: { b: '2', a: '1' } });
    await sendEvidence(app, books, { bytes: pdfBytes(2) }, {}, `/accounting/documents/${made.id}/versions`);
    await books.post(`/accounting/documents/${made.id}/discard`, { reason: '誤り' });
    const chain = await chainOf(books);
    assert.deepEqual(
      chain.map(({ sequence, action, entity_id, hash_format }) => [sequence, action, entity_id, hash_format]),
      ['create', 'update', 'update', 'update'].map((action, n) => [n + 1, action, made.id, 1]),
    );
    let previous = '0'.repeat(64);
    for (const { canonical, hash, ...entry } of chain) {
      assert.equal(entry.previous_hash, previous);
      assert.equal(canonical, canonicalize(entry));
      assert.equal(hash, sha256(canonical));
      previous = hash;
    }
    assert.ok(chain[0].canonical.includes(`"sha256":"${made.file.sha256}"`));
    const others = (await history(books)).filter(({ entity_type }) => entity_type !== 'document');
    assert.ok(others.length > 0);
    assert.ok(
      others.every(
        ({ sequence, hash, canonical }) => sequence === null && hash === null && canonical === null,
      ),
    );
  });

  test('has no hole and no fork, however many write and seal at once', async () => {
    const books = await newBooks(app);
    let isOver = false;
    const sealing = Array.from({ length: 4 }, async () => {
      while (!isOver) await sealAllEvidence(app.database);
    });
    await Promise.all(Array.from({ length: 40 }, () => document(books)));
    isOver = true;
    await Promise.all(sealing);
    const chain = await chainOf(books);
    assert.deepEqual(
      chain.map(({ sequence }) => sequence),
      Array.from({ length: 40 }, (_, n) => n + 1),
    );
    for (const [n, { previous_hash }] of chain.entries())
      assert.equal(previous_hash, n === 0 ? '0'.repeat(64) : chain[n - 1].hash);
    assert.equal(new Set(chain.map(({ id }) => id)).size, 40);
  });

  test('takes inserts alone', async () => {
    const books = await newBooks(app);
    await document(books);
    await chainOf(books);
    await app.database.withConnection(books.organization_id, async ({ query }) => {
      for (const text of ['UPDATE evidence_chain SET hash = hash', 'DELETE FROM evidence_chain'])
        await assert.rejects(
          () => query(`${text} WHERE organization_id = $1 AND sequence = 1`, [books.organization_id]),
          /takes inserts only/,
        );
    });
  });
});

/** Changes the tables as nobody but who holds the database could: past all triggers. */
async function tamper(text: string, values: unknown[]): Promise<void> {
  const client = new pg.Client({ connectionString: app.database_url });
  await client.connect();
  await client.query('SET session_replication_role = replica');
  const { rowCount } = await client.query(text, values);
  await client.end();
  assert.equal(rowCount, 1, text);
}

describe('the verification of evidence', () => {
  test('finds nothing where nothing was touched, and names the head', async () => {
    const books = await newBooks(app);
    assert.deepEqual(await verified(books), {
      ok: true,
      entries: 0,
      unsealed: [],
      files: 0,
      first_bad: null,
      head: null,
    });
    const made = await document(books);
    await sendEvidence(app, books, { bytes: pdfBytes(2) }, {}, `/accounting/documents/${made.id}/versions`);
    await document(books);
    const { head, ...found } = await verified(books);
    assert.deepEqual(found, { ok: true, entries: 3, unsealed: [], files: 3, first_bad: null });
    assert.deepEqual(head, { sequence: 3, hash: (await chainOf(books))[2].hash });
  });

  const second = '(SELECT audit_log_id FROM evidence_chain WHERE organization_id = $1 AND sequence = 2)';
  const harms: Readonly<Record<string, [harm: string, told: [reason: string, sequence: number | null]]>> = {
    'an entry that was changed': [
      `UPDATE audit_logs SET changes = replace(changes::text, '11000', '11001')::json
        WHERE organization_id = $1 AND id = ${second}`,
      ['entry_changed', 2],
    ],
    'an entry that was removed': [
      `DELETE FROM audit_logs WHERE organization_id = $1 AND id = ${second}`,
      ['entry_missing', 2],
    ],
    'a link that was removed': [
      'DELETE FROM evidence_chain WHERE organization_id = $1 AND sequence = 2',
      ['link_missing', 2],
    ],
    'a last link that was removed': [
      'DELETE FROM evidence_chain WHERE organization_id = $1 AND sequence = 3',
      ['entry_not_noted', null],
    ],
    'a link that was changed': [
      `UPDATE evidence_chain SET canonical = replace(canonical, '11000', '11001')
        WHERE organization_id = $1 AND sequence = 2`,
      ['link_changed', 2],
    ],
    'a link that was made anew over a changed entry': [
      `UPDATE evidence_chain
          SET canonical = replace(canonical, '11000', '11001'),
              hash = encode(sha256(convert_to(replace(canonical, '11000', '11001'), 'UTF8')), 'hex')
        WHERE organization_id = $1 AND sequence = 2`,
      ['entry_changed', 2],
    ],
    'a file that was forgotten': [
      `DELETE FROM accounting_document_versions WHERE organization_id = $1
          AND document_id = (SELECT entity_id FROM evidence_chain WHERE organization_id = $1 AND sequence = 2)`,
      ['file_missing', 2],
    ],
    'a file with another hash': [
      `UPDATE accounting_document_versions SET sha256 = repeat('0', 64) WHERE organization_id = $1
          AND document_id = (SELECT entity_id FROM evidence_chain WHERE organization_id = $1 AND sequence = 2)`,
      ['file_unlike_entry', 2],
    ],
    'a file that nobody has added': [
      `INSERT INTO accounting_document_versions
         (organization_id, document_id, version, storage_key, file_name, content_type, size_bytes, sha256, created_at)
       SELECT organization_id, document_id, 2, storage_key, file_name, content_type, size_bytes, sha256, created_at
         FROM accounting_document_versions WHERE organization_id = $1
          AND document_id = (SELECT entity_id FROM evidence_chain WHERE organization_id = $1 AND sequence = 2)`,
      ['file_without_entry', 2],
    ],
  };
  for (const [name, [harm, [reason, sequence]]] of Object.entries(harms)) {
    test(`finds ${name}`, async () => {
      const books = await newBooks(app);
      for (let n = 0; n < 3; n += 1) await document(books);
      await sealAllEvidence(app.database);
      await tamper(harm, [books.organization_id]);
      const { ok, first_bad } = await verified(books);
      assert.deepEqual([ok, first_bad?.reason, first_bad?.sequence], [false, reason, sequence]);
    });
  }

  test('finds one byte of a file that was changed, and a file that is gone', async () => {
    const books = await newBooks(app);
    const made = await document(books);
    const [{ storage_key }] = (await app.database.withConnection(books.organization_id, ({ query }) =>
      query<{ storage_key: string }>(
        'SELECT storage_key FROM accounting_document_versions WHERE organization_id = $1 AND document_id = $2',
        [books.organization_id, made.id],
      ),
    )) as [{ storage_key: string }];
    const path = execFileSync('find', [dataDir, '-type', 'f', '-path', `*${storage_key}*`], {
      encoding: 'utf8',
    }).trim();
    const bytes = readFileSync(path);
    bytes[10] = bytes[10]! ^ 1;
    writeFileSync(path, bytes);
    const changed = await verified(books);
    assert.deepEqual(changed.first_bad, {
      reason: 'file_changed',
      sequence: 1,
      audit_log_id: (await chainOf(books))[0].id,
      record_id: made.id,
      version: 1,
      file_id: null,
    });
    execFileSync('rm', [path]);
    assert.equal((await verified(books)).first_bad.reason, 'file_missing');
  });

  test('is for who may read the audit log and the books', async () => {
    const books = await newBooks(app);
    for (const scope of ['audit:read', 'accounting:read'] as const) {
      const other = await app.actor({ organization_id: books.organization_id, scopes: [scope] });
      assert.equal((await other.post('/evidence/verify')).status, 403);
    }
  });
});
