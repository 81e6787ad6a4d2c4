import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { diskStorage } from '../../shared/platform/storage/disk.ts';
import type { DocumentRow } from '../../shared/sign/documents/rows.ts';
import { signSweeps } from '../../shared/sign/life/sweeps.ts';
import { enqueueSeal } from '../../shared/sign/sealing/jobs.ts';
import { renewSeal } from '../../workers/sign/renew-seal.ts';
import { sealDocument } from '../../workers/sign/seal.ts';
import { newActor, type TestActor } from '../support/actors.ts';
import { freshDatabase, type TestDatabase } from '../support/database.ts';
import { takeDelivery } from '../support/deliveries.ts';
import { signatureJudges } from '../support/pdf-signatures.ts';
import { inOrganization, pendingSeal } from '../support/pending-seals.ts';
import { testRenderer } from '../support/rendering.ts';
import { testSealKey } from '../support/seal-keys.ts';
import { startStampAuthority } from '../support/stamp-authority.ts';

const DAY = 24 * 60 * 60_000;
const judges = signatureJudges();
const renderer = testRenderer();
const folder = mkdtempSync(join(tmpdir(), 'renewed-'));
const storage = diskStorage(folder);
const { settings: seal } = await testSealKey();
const stamps = await startStampAuthority();
const renewals = signSweeps.find(({ name }) => name === 'sign_renewals')!;
let own: TestDatabase;
let actor: TestActor;

before(async () => {
  own = await freshDatabase();
  actor = await newActor(own.database);
});

after(async () => {
  await own.drop();
  rmSync(folder, { recursive: true, force: true });
});

async function query<Found>(text: string, ...values: unknown[]): Promise<[Found, ...Found[]]> {
  const rows = await own.database.withConnection('*', (connection) => connection.query(text, values));
  return rows as [Found, ...Found[]];
}

/** What was asked for last under that name, taken as a process of workers takes it. */
async function delivery(name: string, document_id: string) {
  const [{ id }] = await query<{ id: string }>(
    `SELECT id FROM outbox WHERE name = $1 AND payload ->> 'document_id' = $2 AND handed_over_at IS NULL
      ORDER BY id DESC LIMIT 1`,
    name,
    document_id,
  );
  return takeDelivery({ database: own.database }, id);
}

const settings = () => ({ ...seal, signTsaUrl: stamps.url });

/** A document that was sealed with a stamp. */
async function stamped(): Promise<string> {
  const document_id = await pendingSeal({ database: own.database, storage }, actor);
  await inOrganization(own, actor, async (work) => enqueueSeal(work, { id: document_id }));
  const handler = sealDocument({
    storage,
    renderer,
    settings: settings(),
    base_url: 'https://ops.example.jp',
  });
  await handler({ document_id, job_id: null }, await delivery('sign.seal', document_id));
  return document_id;
}

const renews = async (document_id: string) =>
  renewSeal({ storage, settings: settings() })(
    { document_id },
    await delivery('sign.renew_seal', document_id),
  );

/** How many documents the sweep asks a renewal of, when their time has come. */
const sweeps = (at: Date) => renewals.run(own.database, at, new AbortController().signal);

async function dueOf(id: string): Promise<Date> {
  const [row] = await query<DocumentRow>('SELECT * FROM sign_documents WHERE id = $1', id);
  return new Date(row.seal_renew_at!);
}

const versionsOf = (id: string) =>
  query<{ version: number; is_present: boolean; storage_key: string; size_bytes: number }>(
    `SELECT version, is_present, storage_key, size_bytes FROM sign_files
      WHERE document_id = $1 AND kind = 'signed' ORDER BY version`,
    id,
  );

/** Days from now, one place behind the point. */
const daysUntil = (at: Date) => Math.round((at.getTime() - Date.now()) / (DAY / 10)) / 10;

describe('a stamp that ends', () => {
  it('has another one behind it a month before; the earlier version stays what it was', async () => {
    const id = await stamped();
    const due = await dueOf(id);
    assert.equal(daysUntil(due), 335);
    const [{ storage_key }] = await versionsOf(id);
    const old = await buffer(await storage.read(storage_key));
    assert.equal(await sweeps(new Date(due.getTime() - 1)), 0);
    assert.equal(await sweeps(due), 1);
    await stamps.renew(730);
    await renews(id);
    const [first, second] = await versionsOf(id);
    assert.deepEqual([first?.is_present, second?.is_present], [false, true]);
    const renewed = await buffer(await storage.read(second!.storage_key));
    assert.ok(renewed.subarray(0, old.length).equals(old));
    assert.match(judges.pdfsig(renewed), /Signature #3:[\s\S]*Total document signed/);
    assert.match(judges.qpdf(renewed), /No syntax or stream encoding errors/);
    // What its own authority revoked was not yet known of the stamp that it has.
    assert.equal(stamps.lists, 2);
    assert.equal(daysUntil(await dueOf(id)), 700);
  });

  it('is not renewed by the certificate that ends: that is asked for once a day', async () => {
    await stamps.renew(20);
    const id = await stamped();
    const due = await dueOf(id);
    assert.equal(daysUntil(due), 13.3);
    assert.equal(await sweeps(due), 1);
    await renews(id);
    assert.equal((await versionsOf(id)).length, 1);
    assert.equal(await sweeps(new Date(due.getTime() + DAY - 1)), 0);
    assert.equal(await sweeps(new Date(due.getTime() + DAY)), 1);
    await stamps.renew(365);
    await renews(id);
    assert.equal((await versionsOf(id)).length, 2);
  });

  it('is renewed within a day by no authority, however short its certificates are', async () => {
    await stamps.renew(1);
    assert.equal(daysUntil(await dueOf(await stamped())), 1);
  });

  it('is renewed over nothing but the file that was sealed', async () => {
    await stamps.renew(365);
    const id = await stamped();
    await sweeps(await dueOf(id));
    await stamps.renew(730);
    const [{ storage_key }] = await versionsOf(id);
    const file = await buffer(await storage.read(storage_key));
    const changed = Buffer.from(file);
    changed[changed.indexOf('/MediaBox') + '/MediaBox ['.length]! ^= 1;
    await storage.remove(storage_key);
    await storage.write(storage_key, Readable.from([changed]), { limit: changed.length });
    await assert.rejects(renews(id), /not the one that was sealed/);
    assert.equal((await versionsOf(id)).length, 1);
  });
});
