import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import type { SealSettings } from '../../shared/platform/settings/settings.ts';
import { diskStorage } from '../../shared/platform/storage/disk.ts';
import type { DocumentRow } from '../../shared/sign/documents/rows.ts';
import { sha256Of } from '../../shared/sign/pki/certificates.ts';
import { enqueueSeal } from '../../shared/sign/sealing/jobs.ts';
import { firstBadSeq } from '../../shared/sign/trail/chain.ts';
import { TryLater } from '../../workers/kernel/handler.ts';
import { sealDocument, sealHooks } from '../../workers/sign/seal.ts';
import { newActor, type TestActor } from '../support/actors.ts';
import { freshDatabase, type TestDatabase } from '../support/database.ts';
import { takeDelivery } from '../support/deliveries.ts';
import { pdfOfPages } from '../support/made-pdfs.ts';
import { signatureJudges } from '../support/pdf-signatures.ts';
import { inOrganization, type PendingOptions, pendingSeal } from '../support/pending-seals.ts';
import { readPdf, testRenderer } from '../support/rendering.ts';
import { testSealKey } from '../support/seal-keys.ts';
import { startStampAuthority } from '../support/stamp-authority.ts';

const judges = signatureJudges();
const renderer = testRenderer();
const folder = mkdtempSync(join(tmpdir(), 'sealed-'));
const storage = diskStorage(folder);
const base_url = 'https://ops.example.jp';
let own: TestDatabase;
const key = await testSealKey();
let actor: TestActor;

before(async () => {
  own = await freshDatabase();
  actor = await newActor(own.database);
});

after(async () => {
  await own.drop();
  rmSync(folder, { recursive: true, force: true });
});

const pending = (options?: PendingOptions) =>
  pendingSeal({ database: own.database, storage }, actor, options);

/** One try to seal, as a process of workers makes it that was asked for it just now. */
async function tries(document_id: string, settings: SealSettings = key.settings): Promise<void> {
  await inOrganization(own, actor, async (work) => enqueueSeal(work, { id: document_id }));
  const delivery = await takeDelivery({ database: own.database }, await lastAsked(document_id));
  const seal = sealDocument({ storage, renderer, settings, base_url });
  await seal({ document_id, job_id: null }, delivery);
}

/** The delivery that was asked for last and that nobody has taken. */
async function lastAsked(document_id: string): Promise<string> {
  const [{ id }] = await query<{ id: string }>(
    `SELECT id FROM outbox WHERE name = 'sign.seal' AND payload ->> 'document_id' = $1 AND handed_over_at IS NULL
      ORDER BY id DESC LIMIT 1`,
    document_id,
  );
  return id;
}

async function query<Found>(text: string, ...values: unknown[]): Promise<[Found, ...Found[]]> {
  const rows = await own.database.withConnection('*', (connection) => connection.query(text, values));
  return rows as [Found, ...Found[]];
}

const rowOf = async (id: string) =>
  (await query<DocumentRow>('SELECT * FROM sign_documents WHERE id = $1', id))[0];

async function filesOf(id: string) {
  const rows = await query<{ kind: string; storage_key: string; sha256: string; seal_digest: string | null }>(
    `SELECT kind, storage_key, sha256, seal_digest FROM sign_files WHERE document_id = $1 AND is_present ORDER BY kind`,
    id,
  );
  const bytes = async (kind: string) =>
    buffer(await storage.read(rows.find((row) => row.kind === kind)!.storage_key));
  return { rows, bytes };
}

describe('sealing a document', () => {
  it('makes it signed: one sealed file with certificate and trail, kept with what proves it', async () => {
    const id = await pending({
      signers: [{}, { role: 'cc', status: 'waiting', signed_at: null, viewed_at: null }],
    });
    await tries(id);
    const row = await rowOf(id);
    assert.deepEqual(
      [row.status, row.sealing_status, row.sealing_attempts, row.sealing_error, row.seal?.level],
      ['signed', 'done', 1, null, 'B-B'],
    );
    assert.equal(row.seal!.certificate_sha256, sha256Of(key.key.certificate));
    assert.match(row.retention_until!, /^20\d\d-/);
    const files = await filesOf(id);
    const sealed = await files.bytes('signed');
    assert.deepEqual(
      files.rows.map(({ kind }) => kind),
      ['original', 'signed'],
    );
    assert.equal(files.rows[1]!.sha256, sha256Of(sealed));
    const text = judges.pdfsig(sealed, judges.trusting(key.ca));
    assert.match(text, /Total document signed[\s\S]*Signature is Valid[\s\S]*Certificate is Trusted/);
    assert.match(judges.qpdf(sealed), /No syntax or stream encoding errors/);

    const attached = JSON.parse(judges.attached(sealed)) as {
      head: string;
      events: { hash: string; type: string }[];
    };
    assert.equal(firstBadSeq(attached.events as never), null);
    assert.equal(attached.events.at(-1)!.type, 'completed');
    assert.equal(attached.events.at(-1)!.hash, attached.head);
    assert.ok(readPdf(sealed).text().includes(attached.head), 'the certificate shows the head');
    const trail = await query<{ type: string; data: object; hash: string }>(
      'SELECT type, data, hash FROM sign_trail WHERE document_id = $1 ORDER BY seq',
      id,
    );
    assert.equal(trail.at(-2)!.hash, attached.head);
    assert.deepEqual(trail.at(-1)!.data, {
      signed_sha256: files.rows[1]!.sha256,
      certificate_file_sha256: null,
      level: 'B-B',
      certificate_sha256: row.seal!.certificate_sha256,
    });
    const mails = await query<{ kind: string }>('SELECT kind FROM sign_mails WHERE document_id = $1', id);
    assert.deepEqual(
      mails.map(({ kind }) => kind),
      ['copy', 'copy', 'copy'],
    );
    const [event] = await query<{ type: string }>(
      `SELECT type FROM events WHERE data ->> 'id' = $1 ORDER BY id DESC LIMIT 1`,
      id,
    );
    assert.equal(event.type, 'sign.document.signed');
  });

  it('keeps the signatures of an upload, and names its hash in a second sealed file', async () => {
    const first = await pending();
    await tries(first);
    const upload = await (await filesOf(first)).bytes('signed');
    const id = await pending({ pdf: upload, has_signatures: true, document: { locale: 'en' } });
    await tries(id);
    const files = await filesOf(id);
    const sealed = await files.bytes('signed');
    assert.ok(sealed.subarray(0, upload.length).equals(upload));
    assert.equal(judges.pdfsig(sealed).match(/Signature is Valid/g)?.length, 2);
    const certificate = await files.bytes('certificate');
    assert.match(judges.pdfsig(certificate), /Total document signed[\s\S]*Signature is Valid/);
    const text = readPdf(certificate).text();
    assert.match(text, /Certificate of completion/);
    assert.ok(text.includes(sha256Of(sealed)));
  });

  it('is at most the upload, its certificate and 200 KB', async () => {
    const pdf = pdfOfPages(Array.from({ length: 10 }, () => ({})));
    const id = await pending({ pdf, pages: 10 });
    await tries(id);
    const sealed = await (await filesOf(id)).bytes('signed');
    assert.ok(sealed.length < pdf.length + 200 * 1024, `${sealed.length} bytes`);
  });

  it('is done once: a second try changes nothing', async () => {
    const id = await pending();
    await tries(id);
    const before = await filesOf(id);
    await tries(id);
    assert.deepEqual((await filesOf(id)).rows, before.rows);
  });

  it('says why a try failed, and when it is given up the sender is told', async () => {
    const id = await pending();
    const nothing = { ...key.settings, embeddedDatabase: false };
    await assert.rejects(tries(id, nothing), TryLater);
    const tried = await rowOf(id);
    assert.deepEqual(
      [tried.status, tried.sealing_status, tried.sealing_attempts, tried.sealing_error],
      ['sent', 'pending', 1, 'seal_key_missing'],
    );
    await inOrganization(own, actor, (work) =>
      sealHooks.gaveUp!({ document_id: id, job_id: null }, work, { code: 'failed', message: '' }),
    );
    const failed = await rowOf(id);
    assert.deepEqual(
      [failed.status, failed.sealing_status, failed.sealing_error, failed.needs_attention],
      ['sent', 'failed', 'seal_key_missing', true],
    );
    const [last] = await query<{ type: string; data: object }>(
      'SELECT type, data FROM sign_trail WHERE document_id = $1 ORDER BY seq DESC LIMIT 1',
      id,
    );
    assert.deepEqual(last, { type: 'seal_failed', data: { error: 'seal_key_missing' } });
    const [mail] = await query<{ kind: string; signer_id: string | null }>(
      'SELECT kind, signer_id FROM sign_mails WHERE document_id = $1',
      id,
    );
    assert.deepEqual(mail, { kind: 'seal_failed', signer_id: null });
    // An operator who has the job tried again, once the cause is gone.
    await inOrganization(own, actor, (work) => sealHooks.retried!({ document_id: id, job_id: null }, work));
    await tries(id);
    assert.equal((await rowOf(id)).status, 'signed');
  });

  it('fails with a certificate that has ended', async () => {
    const old = await testSealKey(new Date('2000-01-01T00:00:00Z'));
    const id = await pending();
    await assert.rejects(tries(id, old.settings), TryLater);
    assert.equal((await rowOf(id)).sealing_error, 'seal_key_expired');
  });

  it('is stamped where there is an authority, and fails with it unless it may do without', async () => {
    const stamps = await startStampAuthority();
    const settings = { ...key.settings, signTsaUrl: stamps.url };
    const stamped = await pending();
    await tries(stamped, settings);
    const row = await rowOf(stamped);
    assert.equal(row.seal!.level, 'B-LTA');
    assert.ok(row.seal!.timestamp_at);
    assert.ok(row.seal_renew_at);

    stamps.refuses = 503;
    const id = await pending();
    await assert.rejects(tries(id, settings), { name: 'TryLater', pause: 120_000 });
    const waiting = await rowOf(id);
    assert.deepEqual([waiting.sealing_status, waiting.sealing_error], ['pending', 'stamp_failed']);
    assert.ok(waiting.sealing_next_at! > waiting.sealing_since!);
    await tries(id, { ...settings, signTsaRequired: false });
    assert.equal((await rowOf(id)).seal!.level, 'B-B');
  });
});

describe('a sealing that dies on its way', () => {
  it('leaves nothing of itself, and the next one seals once', async () => {
    const id = await pending();
    const dies = async () => {
      throw new Error('The process was killed');
    };
    // After the certificate was rendered and before the file is stored, and between the store and the settling transaction.
    const failing = [
      { storage: { ...storage, write: dies as typeof storage.write }, step: async () => {} },
      { storage, step: dies },
    ];
    for (const { storage: store, step } of failing) {
      await inOrganization(own, actor, async (work) => enqueueSeal(work, { id }));
      const delivery_id = await lastAsked(id);
      const delivery = await takeDelivery({ database: own.database, step }, delivery_id);
      const seal = sealDocument({ storage: store, renderer, settings: key.settings, base_url });
      await assert.rejects(seal({ document_id: id, job_id: null }, delivery));
      assert.deepEqual(
        (await filesOf(id)).rows.map(({ kind }) => kind),
        ['original'],
      );
    }
    await tries(id);
    await tries(id);
    const files = await filesOf(id);
    assert.deepEqual(
      files.rows.map(({ kind }) => kind),
      ['original', 'signed'],
    );
    assert.equal(sha256Of(await files.bytes('signed')), files.rows[1]!.sha256);
    const sealed = await query(`SELECT FROM sign_trail WHERE document_id = $1 AND type = 'sealed'`, id);
    assert.equal(sealed.length, 1);
    // What no try has kept is removed a day later.
    const loose = await query(`SELECT FROM loose_files WHERE storage_key LIKE '%/sign/%'`);
    assert.ok(loose.length >= 1);
  });
});
