import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import pg from 'pg';
import { sealAllEvidence } from '../../../shared/platform/evidence/seal.ts';
import { startApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { evidenceForm, RECEIPT } from '../../support/evidence.ts';
import { ended, rowsOf } from '../../support/exports.ts';
import { type Buyer, newBuyer } from '../../support/received.ts';
import { addTo, attemptWith, paper } from '../../support/received-files.ts';
import { startWorkers } from '../../support/workers.ts';

/** Its types are of another kind of module than it is. */
const canonicalize: (value: unknown) => string = createRequire(import.meta.url)('canonicalize');

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
type Shown = any;

const app = await startApp();
const { dataDir } = app.context.settings;
await startWorkers({ DATABASE_URL: app.database_url, DATA_DIR: dataDir }, ['--queues', 'report-export']);

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');

/** An invoice whose only file was replaced by another one. */
async function replaced(buyer: Buyer): Promise<Shown> {
  const reply = await attemptWith(buyer, 'invoice', [paper('first')], {
    number: '118',
    issue_date: '2026-04-25',
  });
  assert.equal(reply.status, 201, reply.text);
  const { id, files } = reply.body.received_invoice;
  const added = await addTo(buyer, 'invoice', id, [paper('second')], { supersedes: files[0].id });
  assert.equal(added.status, 201, added.text);
  return added.body.received_invoice;
}

/** Keeps a document of accounting. */
async function receipt(buyer: Buyer): Promise<Shown> {
  const form = evidenceForm(
    { bytes: paper('receipt').bytes, name: '領収書.pdf' },
    { ...RECEIPT, transaction_date: '2026-04-25' },
  );
  const reply = await buyer.post('/accounting/documents', form);
  assert.equal(reply.status, 201, reply.text);
  return reply.body.document;
}

async function chainOf(client: Client, path: string): Promise<Shown[]> {
  await sealAllEvidence(app.database);
  const { items } = (await client.get(`${path}?limit=200`)).body;
  return items.filter(({ sequence }: Shown) => sequence !== null);
}

async function resultOf(
  client: Parameters<typeof ended>[0],
  path: string,
  body: object = {},
): Promise<Shown> {
  const reply = await client.post(path, body);
  assert.equal(reply.status, 202, reply.text);
  const job = await ended(client, reply.body.job.id);
  assert.equal(job.status, 'succeeded', JSON.stringify(job));
  return { ...(job.result as object), job_id: job.id };
}

/** Changes the tables as nobody but who holds the database could: past all triggers. */
async function tamper(text: string, values: unknown[]): Promise<void> {
  const client = new pg.Client({ connectionString: app.database_url });
  await client.connect();
  await client.query('SET session_replication_role = replica');
  const { rowCount } = await client.query(text, values);
  await client.end();
  assert.equal(rowCount, 1, text);
}

describe('the chain of evidence', () => {
  test('goes over received documents of all kinds and those of accounting, and anybody recomputes it', async () => {
    const buyer = await newBuyer(app);
    const invoice = await replaced(buyer);
    const document = await receipt(buyer);
    const note = await buyer.register('delivery_note');
    const links = [
      ...(await chainOf(buyer, '/receive/audit-logs')),
      ...(await chainOf(buyer, '/accounting/audit-logs')),
    ];
    const chain = links.toSorted((one, other) => one.sequence - other.sequence);
    assert.deepEqual(
      chain.map(({ sequence, entity_type, entity_id, action }) => [sequence, entity_type, entity_id, action]),
      [
        [1, 'received_invoice', invoice.id, 'create'],
        [2, 'received_invoice', invoice.id, 'update'],
        [3, 'document', document.id, 'create'],
        [4, 'received_delivery_note', note.id, 'create'],
      ],
    );
    let previous = '0'.repeat(64);
    for (const { canonical, hash, ...entry } of chain) {
      assert.equal(entry.previous_hash, previous);
      assert.equal(canonical, canonicalize(entry));
      assert.equal(hash, sha256(canonical));
      previous = hash;
    }
    for (const { sha256: hash } of invoice.files)
      assert.ok(chain[1].canonical.includes(`"sha256":"${hash}"`));
  });
});

describe('the verification of evidence', () => {
  test('reads the files of received documents too, for who may read those', async () => {
    const buyer = await newBuyer(app);
    await replaced(buyer);
    await receipt(buyer);
    const { organization_id } = buyer;
    const reader = await app.actor({ organization_id, scopes: ['audit:read', 'received:read'] });
    const { ok, entries, files, first_bad } = await resultOf(reader, '/evidence/verify');
    assert.deepEqual({ ok, entries, files, first_bad }, { ok: true, entries: 3, files: 3, first_bad: null });
    const stranger = await app.actor({ organization_id, scopes: ['audit:read', 'cloud:read'] });
    assert.equal((await stranger.post('/evidence/verify')).status, 403);
  });

  test('names the file whose row or bytes were changed', async () => {
    const buyer = await newBuyer(app);
    const invoice = await replaced(buyer);
    const file = invoice.files[1];
    const [row] = await app.database.withConnection(buyer.organization_id, ({ query }) =>
      query<{ storage_key: string }>('SELECT storage_key FROM received_files WHERE id = $1', [file.id]),
    );
    const [path] = execFileSync('find', [dataDir, '-type', 'f', '-path', `*${row!.storage_key}*`], {
      encoding: 'utf8',
    }).split('\n');
    const bytes = readFileSync(path!);
    bytes[10] = bytes[10]! ^ 1;
    writeFileSync(path!, bytes);
    const { id: audit_log_id } = (await chainOf(buyer, '/receive/audit-logs')).at(-1);
    const place = { sequence: 1, audit_log_id, record_id: invoice.id, version: 2, file_id: file.id };
    const { first_bad } = await resultOf(buyer, '/evidence/verify');
    assert.deepEqual(first_bad, { reason: 'file_changed', ...place });
    await tamper('UPDATE received_files SET sha256 = $2 WHERE id = $1', [file.id, sha256(bytes)]);
    assert.deepEqual((await resultOf(buyer, '/evidence/verify')).first_bad, {
      reason: 'file_unlike_entry',
      ...place,
    });
    await tamper('DELETE FROM received_files WHERE id = $1', [file.id]);
    assert.equal((await resultOf(buyer, '/evidence/verify')).first_bad.reason, 'file_missing');
  });

  test('is not needed for what the database itself refuses', async () => {
    const buyer = await newBuyer(app);
    await replaced(buyer);
    for (const text of ["UPDATE received_files SET sha256 = ''", 'DELETE FROM received_files']) {
      const harm = app.database.withConnection(buyer.organization_id, ({ query }) =>
        query(`${text} WHERE organization_id = $1`, [buyer.organization_id]),
      );
      await assert.rejects(harm, /takes inserts only/);
    }
  });
});

describe('an export of evidence', () => {
  /** The rows of the index of an export, whose files are as their hashes say. */
  async function exported(
    client: Parameters<typeof ended>[0],
    body: object,
  ): Promise<Record<string, string>[]> {
    const { job_id } = await resultOf(client, '/evidence/export', body);
    const reply = await fetch(`${app.base_url}/api/v1/jobs/${job_id}/file`, {
      headers: { Authorization: `Bearer ${client.actor.secret}` },
    });
    assert.match(reply.headers.get('content-disposition')!, /filename="evidence_[\w-]+\.zip"/);
    const folder = mkdtempSync(join(tmpdir(), 'evidence-'));
    writeFileSync(join(folder, 'evidence.zip'), Buffer.from(await reply.arrayBuffer()));
    execFileSync('unzip', ['-q', join(folder, 'evidence.zip'), '-d', folder]);
    const rows = rowsOf(readFileSync(join(folder, 'index.csv'))) as Record<string, string>[];
    if (rows.length > 0) execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: folder });
    return rows;
  }

  test('has all files of received documents with their rows, and those of accounting, by the same filters', async () => {
    const buyer = await newBuyer(app);
    const invoice = await replaced(buyer);
    const document = await receipt(buyer);
    const rows = await exported(buyer, { date_from: '2026-04-01', transaction_date_to: '2026-04-30' });
    assert.deepEqual(
      rows.map(({ path, ...row }) => row),
      [
        ...invoice.files.map(({ sha256, file_name }: Shown) => ({
          kind: 'invoice',
          id: invoice.id,
          number: '118',
          transaction_date: '2026-04-25',
          company: '株式会社港文具',
          total: '0',
          registration_number: '',
          status: 'pending',
          journal_numbers: '',
          file_name,
          sha256,
        })),
        {
          kind: 'document',
          id: document.id,
          number: '',
          transaction_date: '2026-04-25',
          company: RECEIPT.partner_name,
          total: String(RECEIPT.amount),
          registration_number: '',
          status: 'active',
          journal_numbers: '',
          file_name: '領収書.pdf',
          sha256: document.file.sha256,
        },
      ],
    );
    const idsOf = async (asked: object) => [...new Set((await exported(buyer, asked)).map(({ id }) => id))];
    const narrowed: [object, string[]][] = [
      [{ kind: 'invoice' }, [invoice.id]],
      [{ kind: 'document' }, [document.id]],
      [{ status: 'pending' }, [invoice.id]],
      [{ sha256: invoice.files[0].sha256 }, [invoice.id]],
      [{ sha256: document.file.sha256 }, [document.id]],
      [{ issue_date_from: '2026-04-25' }, [invoice.id]],
      [{ document_type: 'receipt' }, [document.id]],
      [{ partner: '港文具', total_max: 0 }, [invoice.id]],
      [{ search: '118' }, [invoice.id]],
      [{ company_id: buyer.company.id, incomplete: true }, [invoice.id]],
      [{ linked: true }, []],
      [{ status: 'pending,approved' }, [invoice.id]],
      [{ status: 'approved,active' }, [document.id]],
      [{ has_journal: false, unpaid: false, overdue: false, qualified: false }, [invoice.id]],
      [{ paid_from: '2026-01-01' }, []],
      [{ transaction_date_from: '2026-04-26' }, []],
    ];
    for (const [asked, ids] of narrowed) assert.deepEqual(await idsOf(asked), ids, JSON.stringify(asked));
  });

  test('has by date what was delivered over days, by the last of them', async () => {
    const buyer = await newBuyer(app);
    const reply = await attemptWith(buyer, 'invoice', [paper('period')], {
      issue_date: '2026-05-02',
      transaction_period: { from: '2026-04-01', to: '2026-04-30' },
    });
    assert.equal(reply.status, 201, reply.text);
    const { id } = reply.body.received_invoice;
    const found = await exported(buyer, { date_from: '2026-04-30', date_to: '2026-04-30' });
    assert.deepEqual(
      found.map((row) => [row.id, row.transaction_date]),
      [[id, '2026-04-01/2026-04-30']],
    );
  });

  test('has what the caller may read, and is for holders of the same rights', async () => {
    const buyer = await newBuyer(app);
    const invoice = await replaced(buyer);
    const document = await receipt(buyer);
    const { organization_id } = buyer;
    const reader = await app.actor({ organization_id, scopes: ['received:read'] });
    const books = await app.actor({ organization_id, scopes: ['accounting:read'] });
    assert.deepEqual([...new Set((await exported(reader, {})).map(({ id }) => id))], [invoice.id]);
    assert.deepEqual(
      (await exported(books, {})).map(({ id }) => id),
      [document.id],
    );
    const { job_id } = await resultOf(buyer, '/evidence/export');
    for (const other of [reader, books]) assert.equal((await other.get(`/jobs/${job_id}`)).status, 404);
    assert.equal(
      (await (await app.actor({ organization_id, scopes: ['crm:read'] })).post('/evidence/export', {}))
        .status,
      403,
    );
  });
});
