import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, test } from 'node:test';
import sharp from 'sharp';
import { clamd } from '../../../../shared/platform/intake/clamd.ts';
import { openScanner } from '../../../../shared/platform/intake/open-scanner.ts';
import { scanPendingFiles } from '../../../../shared/platform/intake/scan-pending.ts';
import { filesFromOutside } from '../../../../shared/platform/intake/verified-files.ts';
import { scanUnscannedFiles, verifyFiles } from '../../../../shared/platform/intake/verify.ts';
import { startApp } from '../../../support/app.ts';
import { EICAR, startClamd } from '../../../support/clamd.ts';
import { looseFiles, storedFiles } from '../../../support/stored.ts';
import { formWith, uploading } from '../../../support/uploads.ts';

const MIB = 1024 * 1024;
const MINUTES = 60_000;
const scanner = await startClamd({ most_bytes: MIB });
const app = await startApp({
  endpoints: [uploading({ file: { limit: 5 * MIB } }), uploading({ path: 'looks', file: { keep: false } })],
  environment: { CLAMD_URL: scanner.url, CLAMD_MAX_BYTES: String(MIB) },
});
const client = await app.actor();
const never = new AbortController().signal;

type Row = { storage_key: string; scan: string; finding: string | null };

async function rowsOf(organization_id = client.actor.organization_id): Promise<Row[]> {
  return app.database.withConnection(organization_id, ({ query }) =>
    query<Row>(
      'SELECT storage_key, scan, finding FROM files WHERE organization_id = $1 ORDER BY storage_key',
      [organization_id],
    ),
  );
}

const scanOf = async (key: string) => (await rowsOf()).find(({ storage_key }) => storage_key === key);

async function taken(content: string | Uint8Array): Promise<Record<string, string>> {
  const reply = await client.post('/mail/files', formWith(content));
  assert.equal(reply.status, 202, reply.text);
  return reply.body.taken;
}

function scanPending(now: Date): Promise<number> {
  return scanPendingFiles(app.context, openScanner(app.context.settings)!, now, never);
}

afterEach(async () => assert.deepEqual(await looseFiles(app), []));

describe('a file from outside is scanned while it arrives', () => {
  test('one without a finding is clean', async () => {
    const { scan, storage_key } = await taken('a,b\n');
    assert.equal(scan, 'clean');
    assert.deepEqual(await scanOf(storage_key!), { storage_key, scan: 'clean', finding: null });
  });

  test('malware is refused at its field, and nothing of it is stored', async () => {
    const before = storedFiles(app);
    const rows = await rowsOf();
    const reply = await client.post('/mail/files', formWith(EICAR, { name: '請求書.pdf' }));
    assert.equal(reply.status, 422, reply.text);
    assert.deepEqual(
      reply.body.errors.map(({ path, code }: { path: string; code: string }) => [path, code]),
      [['/file', 'malware']],
    );
    assert.match(reply.body.errors[0].message, /Eicar-Test-Signature/);
    assert.deepEqual([storedFiles(app), await rowsOf()], [before, rows]);
  });

  test('one that the scanner does not read whole is taken and marked', async () => {
    for (const bytes of [MIB + 1, 3 * MIB])
      assert.equal((await taken(Buffer.alloc(bytes, 'a'))).scan, 'unscanned');
    assert.equal((await taken(Buffer.alloc(MIB, 'a'))).scan, 'clean');
  });

  test('one that is only looked at is not', async () => {
    const reply = await client.post('/mail/looks', formWith('a'));
    assert.equal(reply.body.taken.scan, 'off');
  });

  test('many at once have a verdict each', async () => {
    const contents = Array.from({ length: 12 }, (_, place) => (place % 3 === 0 ? EICAR : `file ${place}`));
    const replies = await Promise.all(
      contents.map((content) => client.post('/mail/files', formWith(content))),
    );
    assert.deepEqual(
      replies.map(({ status }) => status),
      contents.map((content) => (content === EICAR ? 422 : 202)),
    );
  });
});

describe('while the scanner is away', () => {
  test('files are taken and pending; they are scanned when it is there again, each once', async () => {
    await scanner.stop();
    const [one, other] = [await taken('one'), await taken(EICAR)];
    assert.deepEqual([one.scan, other.scan], ['pending', 'pending']);
    await assert.rejects(scanPending(new Date()));
    assert.equal((await scanOf(one.storage_key!))?.scan, 'pending');
    await scanner.start();
    const now = new Date();
    const counts = await Promise.all([scanPending(now), scanPending(now)]);
    assert.ok(counts.some((count) => count === 2));
    assert.deepEqual(await scanOf(one.storage_key!), {
      storage_key: one.storage_key,
      scan: 'clean',
      finding: null,
    });
    const found = await scanOf(other.storage_key!);
    assert.equal(found?.scan, 'quarantined');
    assert.match(found!.finding!, /^Eicar-Test-Signature/);
    assert.equal(await scanPending(now), 0);
  });

  test('one that gets no verdict is tried again five minutes later, and keeps no other from being scanned', async () => {
    await scanner.stop();
    const [lost, other] = [await taken('lost'), await taken('other')];
    await app.context.storage.remove(lost.storage_key!);
    await scanner.start();
    const now = new Date();
    assert.equal(await scanPending(now), 1);
    assert.equal((await scanOf(other.storage_key!))?.scan, 'clean');
    await writeFile(join(app.context.settings.dataDir, 'files', lost.storage_key!), 'lost');
    assert.equal(await scanPending(new Date(now.getTime() + 4 * MINUTES)), 0);
    assert.equal(await scanPending(new Date(now.getTime() + 5 * MINUTES)), 1);
  });

  test('files that cannot be read do not keep the others from being scanned, and are named at the end', async () => {
    await scanner.stop();
    const [broken, other] = [await taken('broken'), await taken('readable')];
    await scanner.start();
    const path = join(app.context.settings.dataDir, 'files', broken.storage_key!);
    await rm(path);
    await mkdir(path);
    const now = new Date();
    await assert.rejects(scanPending(now), (error: AggregateError) => {
      assert.equal(error.errors.length, 1);
      return /1 files could not be read/.test(error.message);
    });
    assert.equal((await scanOf(other.storage_key!))?.scan, 'clean');
    assert.equal((await scanOf(broken.storage_key!))?.scan, 'pending');
    assert.equal(await scanPending(new Date(now.getTime() + 4 * MINUTES)), 0);
    await rm(path, { recursive: true });
    await writeFile(path, 'broken');
    assert.equal(await scanPending(new Date(now.getTime() + 5 * MINUTES)), 1);
  });

  test('a scanner that never answers costs an upload its patience, and is no verdict', async (context) => {
    const silent = createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
    context.after(() => silent.close());
    await once(silent, 'listening');
    const { port } = silent.address() as { port: number };
    const scan = clamd(`tcp://127.0.0.1:${port}`, { most_bytes: MIB, patience: 50 }).begin();
    for (let sent = 0; sent < MIB; sent += 65_536) await scan.send(Buffer.alloc(65_536));
    assert.deepEqual(await scan.end(), { scan: 'pending', finding: null });
  });
});

describe('what is stored', () => {
  test('is compared with the hash that it arrived with: a changed byte and a lost file are found', async () => {
    const [whole, changed, lost] = [await taken('whole'), await taken('changed'), await taken('lost too')];
    const { checked, bad } = await verifyFiles(app.context, [filesFromOutside], never);
    assert.equal(bad.length, 0);
    assert.ok(checked >= 3);
    await writeFile(join(app.context.settings.dataDir, 'files', changed.storage_key!), 'chAnged');
    await app.context.storage.remove(lost.storage_key!);
    const again = await verifyFiles(app.context, [filesFromOutside], never);
    assert.equal(again.checked, checked);
    assert.deepEqual(
      again.bad.toSorted((left, right) => left.reason.localeCompare(right.reason)),
      [
        { storage_key: changed.storage_key, reason: 'changed' },
        { storage_key: lost.storage_key, reason: 'missing' },
      ],
    );
    assert.ok(!again.bad.some(({ storage_key }) => storage_key === whole.storage_key));
  });

  test('before there was a scanner is scanned once somebody asks for it', async () => {
    const { storage_key } = await taken('earlier');
    await app.database.withConnection('*', ({ query }) =>
      query(`UPDATE files SET scan = 'off', scanned_at = NULL WHERE storage_key = $1`, [storage_key]),
    );
    const now = new Date();
    assert.equal(await scanUnscannedFiles(app.database, now), 1);
    assert.equal(await scanPending(now), 1);
    assert.equal((await scanOf(storage_key!))?.scan, 'clean');
  });
});

describe('logos and imports', () => {
  test('with malware in them are refused', async () => {
    const service = await startApp({ environment: { CLAMD_URL: scanner.url } });
    const own = await service.actor();
    const reply = await own.post('/mail/contacts/import', formWith(EICAR, { name: 'list.csv' }));
    assert.deepEqual([reply.status, reply.body.errors[0].code], [422, 'malware'], reply.text);
    assert.deepEqual(storedFiles(service), []);
    const png = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const form = new FormData();
    form.append('file', new Blob([png as Uint8Array<ArrayBuffer>]), 'logo.png');
    const logo = await own.put('/invoice-settings/logo', form);
    assert.equal(logo.status, 200, logo.text);
    const [row] = await service.database.withConnection(own.actor.organization_id, ({ query }) =>
      query<Row & { sha256: string; content_type: string }>(
        'SELECT sha256, content_type, scan FROM files WHERE organization_id = $1',
        [own.actor.organization_id],
      ),
    );
    const { sha256 } = logo.body.invoice_settings.logo;
    assert.deepEqual({ ...row }, { sha256, content_type: 'image/png', scan: 'clean' });
    const raw = await fetch(`${service.base_url}/api/v1/invoice-settings/seal`, {
      method: 'PUT',
      body: png as Uint8Array<ArrayBuffer>,
      headers: { Authorization: `Bearer ${own.actor.secret}`, 'Content-Type': 'image/png' },
    });
    assert.equal(raw.status, 200);
    const { seal } = ((await raw.json()) as { invoice_settings: { seal: { sha256: string } } })
      .invoice_settings;
    assert.equal(seal.sha256, sha256);
  });
});
