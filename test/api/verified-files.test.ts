import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { domains } from '../../shared/domains.ts';
import { StoreAway } from '../../shared/platform/intake/store-away.ts';
import { filesFromOutside } from '../../shared/platform/intake/verified-files.ts';
import { verifyFiles } from '../../shared/platform/intake/verify.ts';
import { startApp } from '../support/app.ts';
import { newSeller } from '../support/documents.ts';
import { pendingSeal } from '../support/pending-seals.ts';
import { testSealKey } from '../support/seal-keys.ts';
import { sealedFile } from '../support/sealed-documents.ts';

const app = await startApp();
const { storage } = app.context;
const seller = await newSeller(app);
const { organization_id } = seller;
const { key } = await testSealKey();
const { signal } = new AbortController();

const verified = domains.flatMap(({ verified_files = [] }) => verified_files);

const rowsOf = (text: string, values: unknown[] = []) =>
  app.database.withConnection(organization_id, ({ query }) => query<{ storage_key: string }>(text, values));

/** An issued invoice with a PDF of these bytes; answers the key of that. */
async function issued(pdf: string): Promise<string> {
  const { id } = await seller.after('invoice', ['approve']);
  const storage_key = `${organization_id}/prints/${id}`;
  const { sha256, size } = await storage.write(storage_key, Readable.from([Buffer.from(pdf)]), {
    limit: 100,
  });
  await rowsOf(
    `UPDATE invoicing_prints SET status = 'ready', storage_key = $2, sha256 = $3, size = $4, rendered_at = now()
      WHERE document_id = $1`,
    [id, storage_key, sha256, size],
  );
  return storage_key;
}

test('a sealed file and the PDF of an issued document are missed, and told from others by their bytes', async () => {
  const sealer = { key, authority: null, stamp_required: true, now: new Date(), signal };
  for (let count = 0; count < 2; count += 1) {
    const id = await pendingSeal({ database: app.database, storage }, seller.actor);
    await sealedFile(app, { organization_id, id, sealer });
  }
  const [whole, changed] = [await issued('whole'), await issued('changed')];
  assert.deepEqual(await verifyFiles(app.context, verified, signal), {
    checked: 4,
    bad: [],
    unreadable: [],
  });
  const [sealed] = await rowsOf(`SELECT storage_key FROM sign_files WHERE kind = 'signed'`);
  await storage.remove(sealed!.storage_key);
  await storage.remove(changed);
  await storage.write(changed, Readable.from([Buffer.from('chAnged')]), { limit: 100 });
  const { checked, bad } = await verifyFiles(app.context, verified, signal);
  assert.equal(checked, 4);
  assert.ok(!bad.some(({ storage_key }) => storage_key === whole));
  assert.deepEqual(
    bad.toSorted((left, right) => left.reason.localeCompare(right.reason)),
    [
      { storage_key: changed, reason: 'changed' },
      { storage_key: sealed!.storage_key, reason: 'missing' },
    ],
  );
});

test('a store that is away stops it, rather than have each file named', async () => {
  const keys = Array.from({ length: 25 }, (_, number) => `${organization_id}/uploads/away_${number}`);
  await rowsOf(
    `INSERT INTO files (organization_id, storage_key, file_name, declared_type, content_type, size, sha256, scan, created_at)
     SELECT $1, key, 'list.csv', 'text/csv', 'text/plain', 4, '', 'off', now() FROM unnest($2::text[]) AS key`,
    [organization_id, keys],
  );
  const refused = () => Promise.reject(new Error('connect ECONNREFUSED 127.0.0.1:9000'));
  const away = { ...storage, read: refused, check: refused };
  await assert.rejects(
    verifyFiles({ database: app.database, storage: away }, [filesFromOutside], signal),
    (error) =>
      error instanceof StoreAway && /^20 files in a row .*: connect ECONNREFUSED/.test(error.message),
  );
  const served = { ...storage, read: refused };
  const { unreadable } = await verifyFiles(
    { database: app.database, storage: served },
    [filesFromOutside],
    signal,
  );
  assert.ok(unreadable.length >= keys.length);
});
