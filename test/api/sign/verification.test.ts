import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { before, describe, it } from 'node:test';
import pg from 'pg';
import { drawForSeal } from '../../../shared/sign/pdf/draw.ts';
import { sha256Of } from '../../../shared/sign/pki/certificates.ts';
import { sealFile } from '../../../shared/sign/sealing/sealed-file.ts';
import { inCheckPlace } from '../../../shared/sign/verifying/places.ts';
import type { Verification } from '../../../shared/sign/verifying/record.ts';
import { startApp } from '../../support/app.ts';
import type { Reply } from '../../support/client.ts';
import { pdfOfPages } from '../../support/made-pdfs.ts';
import { pendingSeal } from '../../support/pending-seals.ts';
import { testSealKey } from '../../support/seal-keys.ts';
import { sealedFile } from '../../support/sealed-documents.ts';
import { until } from '../../support/until.ts';

const app = await startApp();
const { key } = await testSealKey();
const { signal } = new AbortController();
const sealer = { key, authority: null, stamp_required: true, now: new Date(), signal };
const upload = pdfOfPages([{ text: 'Agreement' }]);
const actor = await app.actor();
const { organization_id } = actor.actor;

const sealed = (id: string) => sealedFile(app, { organization_id, id, sealer });

function sent(file: Buffer): Promise<Reply> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(file)], { type: 'application/pdf' }), 'contract.pdf');
  return app.anonymous.post('/sign/verify', form);
}

const verified = async (file: Buffer): Promise<Verification> => {
  const { status, body } = await sent(file);
  assert.equal(status, 200, JSON.stringify(body));
  return body.verification;
};

const codes = ({ reasons }: Verification) => reasons.map(({ code }) => code);

describe('verifying, by anybody', () => {
  let id: string;
  let file: Buffer;
  before(async () => {
    id = await pendingSeal({ database: app.database, storage: app.context.storage }, actor.actor, {
      pdf: upload,
      pages: 1,
    });
    file = await sealed(id);
  });

  it('finds a sealed file valid, and tells no title, name or address', async () => {
    const found = await verified(file);
    assert.equal(found.result, 'valid');
    assert.equal(found.document!.id, id);
    assert.equal(found.document!.signer_count, 1);
    assert.ok(found.document!.sealed_at);
    assert.equal(found.signatures.length, 1);
    const [seal] = found.signatures;
    assert.deepEqual(
      [seal!.is_service_seal, seal!.digest_ok, seal!.covers_whole_file, seal!.level],
      [true, true, true, 'B-B'],
    );
    assert.deepEqual([found.trail!.ok, found.trail!.matches_database], [true, true]);
    assert.doesNotMatch(JSON.stringify(found), /業務委託契約書|署名者|@example/);
  });

  it('finds one with a byte changed modified, and one with a line appended', async () => {
    const changed = Buffer.from(file);
    const at = changed.indexOf('/MediaBox') + '/MediaBox ['.length;
    changed[at] = changed[at] === 0x30 ? 0x31 : 0x30;
    const first = await verified(changed);
    assert.deepEqual([first.result, codes(first), first.document?.id], ['modified', ['digest_mismatch'], id]);
    const second = await verified(Buffer.concat([file, Buffer.from('% a line\n')]));
    assert.deepEqual([second.result, codes(second), second.document?.id], ['modified', ['appended'], id]);
  });

  it('never finds a damaged seal valid', async () => {
    const at = file.lastIndexOf('/Contents <') + 200;
    for (const place of [at, at + 400]) {
      const damaged = Buffer.from(file);
      damaged[place] = damaged[place] === 0x41 ? 0x42 : 0x41;
      assert.notEqual((await verified(damaged)).result, 'valid');
    }
  });

  it('finds an upload original, a seal without a record unlisted, and all else unknown', async () => {
    assert.equal((await verified(upload)).result, 'original');
    const drawing = { pdf: upload, fields: [], values: {}, is_signed: false, append: null, attachment: null };
    const alone = await sealFile({ drawing, field: 'Seal_doc_x' }, sealer);
    const unlisted = await verified(alone.bytes);
    assert.deepEqual([unlisted.result, unlisted.document], ['unlisted', null]);
    const other = await sealFile(
      { drawing, field: 'Seal_doc_x' },
      { ...sealer, key: (await testSealKey()).key },
    );
    const unknown = await verified(other.bytes);
    assert.deepEqual([unknown.result, unknown.signatures[0]!.is_service_seal], ['unknown', false]);
    assert.equal((await verified(pdfOfPages([{ text: 'Another' }]))).result, 'unknown');
  });

  it('takes an attached trail that a stranger wrote for what it is', async () => {
    const hash = '1'.repeat(64);
    const document_id = 'doc_01kaj2n5w5fq8b4m0g3v7x9rtc';
    const event = {
      id: 'sevt_01kaj2n5w5fq8b4m0g3v7x9rtc',
      object: 'sign.event',
      document_id,
      seq: 1,
      type: 'sent',
      actor: { type: 'user', id: 'usr_x', name: '' },
      ip_address: null,
      user_agent: null,
      at: '2026-12-01T01:23:45.678Z',
      data: {},
      prev_hash: '0'.repeat(64),
      hash,
    };
    const trail = { document_id, head: hash, events: [event] };
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const late = { ...trail, events: [{ ...event, seq: Number.MAX_SAFE_INTEGER }] };
    for (const [text, is_trail] of [
      [JSON.stringify({ ...trail, document_id: 'a\0b' }), false],
      [JSON.stringify({ ...trail, head: '\0' }), false],
      [JSON.stringify(trail).replace('"data":{}', `"data":{"a":${deep}}`), false],
      [JSON.stringify(late), true],
    ] as const) {
      const name = 'audit-trail-doc_x.json';
      const content = Buffer.from(text);
      const attachment = { name, description: '', media_type: 'application/json', content, at: event.at };
      const drawing = { pdf: upload, fields: [], values: {}, is_signed: false, append: null, attachment };
      const found = await verified(await drawForSeal(drawing));
      assert.deepEqual([found.result, found.trail?.ok], ['unknown', is_trail ? false : undefined]);
      if (is_trail) assert.equal(found.trail!.matches_database, null);
    }
  });

  it('takes a hash, and a document with a hash of its trail', async () => {
    const { sha256, trail } = await verified(file);
    const ask = async (body: object) => (await app.anonymous.post('/sign/verify', body)).body.verification;
    assert.equal((await ask({ sha256 })).result, 'valid');
    assert.equal((await ask({ sha256: sha256!.toUpperCase() })).result, 'valid');
    assert.equal((await ask({ sha256: '0'.repeat(64) })).result, 'unknown');
    const { body } = await app.anonymous.post('/sign/verify', { sha256: 'zz' });
    assert.match(body.detail, /sha256 must be 64 hexadecimal digits/);
    const nothing = await app.anonymous.post('/sign/verify', {}, { 'Accept-Language': 'ja' });
    assert.match(nothing.body.detail, /sha256、または document_id と head を指定してください/);
    const found = await ask({ document_id: id, head: trail!.head });
    assert.deepEqual([found.result, found.trail.ok, found.document.id], ['valid', true, id]);
    assert.equal((await ask({ document_id: id, head: '0'.repeat(64) })).result, 'unknown');
  });

  it('refuses what is no PDF, and a third file at a time', async () => {
    assert.equal((await sent(Buffer.from('a text'))).status, 415);
    const { promise: over, resolve } = Promise.withResolvers<void>();
    const places = [inCheckPlace(() => over), inCheckPlace(() => over)];
    const { status, body, headers } = await sent(file);
    assert.deepEqual([status, body.code, headers.get('retry-after')], [503, 'unavailable', '2']);
    resolve();
    await Promise.all(places);
    assert.equal((await sent(file)).status, 200);
  });

  it('hands out the certificates of seals', async () => {
    const { status, text } = await app.anonymous.get('/sign/seal-certificate');
    assert.equal(status, 200);
    assert.equal(text.match(/BEGIN CERTIFICATE/g)?.length, 2);
    await app.database.withConnection('*', ({ query }) =>
      query(
        `INSERT INTO sign_seal_certificates (sha256, chain, created_at)
         SELECT 'old' || n, 'old ' || n || E'\n', '2001-01-01'::timestamptz + make_interval(days => n) FROM generate_series(1, 100) AS n`,
      ),
    );
    const { text: newest } = await app.anonymous.get('/sign/seal-certificate');
    assert.ok(newest.startsWith('-----BEGIN CERTIFICATE-----'));
    assert.deepEqual([newest.includes('old 2\n'), newest.includes('old 1\n')], [true, false]);
  });
});

describe('verifying a document, by its organization', () => {
  const made = () =>
    pendingSeal({ database: app.database, storage: app.context.storage }, actor.actor, {
      pdf: upload,
      pages: 1,
    });
  const verify = async (id: string): Promise<Verification> =>
    (await actor.get(`/sign/documents/${id}/verify`)).body.verification;

  const bytesOf = async (path: string) => {
    const headers = { Authorization: `Bearer ${actor.actor.secret}` };
    return Buffer.from(await (await fetch(`${app.base_url}/api/v1${path}`, { headers })).arrayBuffer());
  };

  it('computes trail, files and seal anew', async () => {
    const id = await made();
    assert.equal((await verify(id)).result, 'original');
    const file = await sealed(id);
    const found = await verify(id);
    assert.deepEqual([found.result, codes(found), found.trail!.ok], ['valid', [], true]);
    const hashOf = async (version: string) => sha256Of(await bytesOf(`/sign/documents/${id}/pdf${version}`));
    assert.equal(await hashOf(''), sha256Of(file));
    assert.equal(await hashOf('?version=signed'), sha256Of(file));
    assert.equal(await hashOf('?version=original'), sha256Of(upload));
    assert.equal(found.signatures[0]!.digest_ok, true);
  });

  it('names the event that somebody changed past the service', async () => {
    const id = await made();
    await sealed(id);
    // The owner of the database, whom no trigger and no policy keeps away.
    const client = new pg.Client({ connectionString: app.database_url });
    await client.connect();
    await client.query('SET session_replication_role = replica');
    await client.query(`UPDATE sign_trail SET data = data || '{"x": 1}' WHERE document_id = $1 AND seq = 3`, [
      id,
    ]);
    await client.end();
    const found = await verify(id);
    assert.deepEqual([found.result, codes(found)], ['modified', ['trail_broken']]);
    assert.deepEqual([found.trail!.ok, found.trail!.first_bad_seq], [false, 3]);
  });

  it('sees that a stored file is another one, or gone', async () => {
    const id = await made();
    await sealed(id);
    const [row] = await app.database.withConnection('*', ({ query }) =>
      query<{ storage_key: string }>(
        `SELECT storage_key FROM sign_files WHERE document_id = $1 AND kind = 'signed'`,
        [id],
      ),
    );
    const { storage } = app.context;
    await storage.write(row!.storage_key, Readable.from([upload], { objectMode: false }), {
      limit: upload.length,
    });
    assert.deepEqual(codes(await verify(id)), ['digest_mismatch']);
    await storage.remove(row!.storage_key);
    assert.deepEqual(codes(await verify(id)), ['file_missing']);
  });

  it('sees that another sealed file stands in the place of its own, or another upload', async () => {
    const [id, other] = [await made(), await made()];
    await sealed(id);
    await sealed(other);
    const change = (text: string) =>
      app.database.withConnection(organization_id, ({ query }) => query(text, [id, other]));
    await change(
      `UPDATE sign_files AS file SET sha256 = of_other.sha256, storage_key = of_other.storage_key FROM sign_files AS of_other
        WHERE file.kind = 'signed' AND file.document_id = $1 AND of_other.kind = 'signed' AND of_other.document_id = $2`,
    );
    assert.deepEqual(codes(await verify(id)), ['not_identical']);
    const unsealed = await made();
    await app.database.withConnection(organization_id, ({ query }) =>
      query(
        `UPDATE sign_files AS file SET sha256 = of_other.sha256, storage_key = of_other.storage_key FROM sign_files AS of_other
          WHERE file.kind = 'original' AND file.document_id = $1 AND of_other.kind = 'signed' AND of_other.document_id = $2`,
        [unsealed, other],
      ),
    );
    assert.deepEqual(codes(await verify(unsealed)), ['not_identical']);
  });

  it('has the files of two documents in memory at a time', async () => {
    const id = await made();
    const { storage } = app.context;
    const read = storage.read.bind(storage);
    const waiting: (() => void)[] = [];
    const counts: number[] = [];
    storage.read = async (key, ...more) => {
      await new Promise<void>((go) => counts.push(waiting.push(go)));
      return read(key, ...more);
    };
    const asked = [1, 2, 3, 4].map(() => verify(id));
    await until('two documents are read', async () => waiting.length === 2);
    while (counts.length < 4 || waiting.length > 0) {
      waiting.shift()?.();
      await new Promise(setImmediate);
    }
    for (const { result } of await Promise.all(asked)) assert.equal(result, 'original');
    storage.read = read;
    assert.equal(Math.max(...counts), 2);
  });

  it('is not there for who does not see the document', async () => {
    const id = await made();
    const other = await app.actor({ organization_id, role: 'member' });
    assert.equal((await other.get(`/sign/documents/${id}/verify`)).status, 404);
  });
});
