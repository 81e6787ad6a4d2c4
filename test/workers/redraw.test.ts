import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { inWork } from '../../shared/db/in-work.ts';
import { systemActor } from '../../shared/kernel/reader.ts';
import type { Work } from '../../shared/kernel/work.ts';
import { storedDocument } from '../../shared/sign/documents/queries.ts';
import type { FileRow } from '../../shared/sign/documents/rows.ts';
import { cancelDocument } from '../../shared/sign/life/cancel.ts';
import { dueExpiries } from '../../shared/sign/life/expire.ts';
import { type GuestPdf, guestPdf, redrawnFiles } from '../../shared/sign/redrawn/redrawn.ts';
import type { Delivery } from '../../workers/kernel/handler.ts';
import { redrawDocument } from '../../workers/sign/redraw.ts';
import { startApp } from '../support/app.ts';
import { seenWords } from '../support/poppler.ts';
import { blankPdf, newSender } from '../support/signing.ts';

const app = await startApp();
const { database, context } = app;
const { storage } = context;
const redraw = redrawDocument({ storage });

type Sent = { organization_id: string; id: string; signer_ids: string[] };

/** A document that is out for three signers, each with a name to fill in. */
async function sent(): Promise<Sent> {
  const sender = await newSender(app);
  const keys = ['s1', 's2', 's3'];
  const fields = keys.map((signer, index) => ({
    signer,
    type: 'name',
    page: 1,
    x: 0.1,
    y: 0.1 + index / 10,
    w: 0.5,
    h: 0.05,
  }));
  const signers = keys.map((key) => ({ key, name: key, email: `${key}@example.jp` }));
  const document = await sender.draft({ signers, fields }, blankPdf(1));
  const { organization_id } = sender.actor;
  const signer_ids = document.signers.map(({ id }: { id: string }) => id);
  await run(
    organization_id,
    `UPDATE sign_documents SET status = 'sent', sent_at = created_at WHERE id = $1`,
    [document.id],
  );
  return { organization_id, id: document.id, signer_ids };
}

async function run(organization_id: string, text: string, values: unknown[]): Promise<void> {
  await database.withConnection(organization_id, ({ query }) => query(text, values));
}

/** A signer has signed with a name. */
async function sign({ organization_id, signer_ids }: Sent, signer: number, name: string): Promise<void> {
  const values = [signer_ids[signer]];
  await run(organization_id, `UPDATE sign_signers SET status = 'signed' WHERE id = $1`, values);
  await run(organization_id, 'UPDATE sign_fields SET value = $2 WHERE signer_id = $1', [
    ...values,
    JSON.stringify(name),
  ]);
}

/** Runs the job; `meanwhile` happens after the file is drawn. */
async function redrawn({ organization_id, id }: Sent, meanwhile = async () => {}): Promise<void> {
  const settle = async (write: (work: Work) => Promise<void>) => {
    await meanwhile();
    await database.withConnection(organization_id, (connection) =>
      inWork(readerOn(organization_id, connection), write, { may_change_nothing: true }),
    );
  };
  const { signal } = new AbortController();
  const delivery = { database, organization_id, signal, clock: context.now, settle } as unknown as Delivery;
  await redraw({ document_id: id }, delivery);
}

function readerOn(organization_id: string, connection: Work['connection']) {
  return {
    connection,
    organization_id,
    actor: systemActor,
    now: context.now(),
    request_id: null,
    ip_address: null,
  };
}

/** What a guest gets, and the words in it. */
async function seen({
  organization_id,
  id,
}: Sent): Promise<GuestPdf & { words: string[]; drawn: FileRow[] }> {
  const [pdf, drawn] = await database.withConnection(organization_id, async (connection) => {
    const reader = readerOn(organization_id, connection);
    const stored = await storedDocument(reader, id);
    return [(await guestPdf(reader, stored))!, await redrawnFiles(reader, id)] as const;
  });
  const content = await buffer(await storage.read(pdf.file.storage_key));
  return { ...pdf, drawn, words: seenWords(content).map(({ text }) => text) };
}

test('a guest sees the upload, then the values of those who have signed, once they are drawn', async () => {
  const document = await sent();
  const { is_current, file, words } = await seen(document);
  assert.deepEqual([is_current, file.kind, words], [true, 'original', ['Agreement']]);
  await redrawn(document);
  assert.deepEqual((await seen(document)).drawn, []);

  await sign(document, 0, '佐藤');
  const waiting = await seen(document);
  assert.deepEqual([waiting.is_current, waiting.file.kind], [false, 'original']);
  await redrawn(document);
  const first = await seen(document);
  assert.deepEqual([first.is_current, first.words.toSorted()], [true, ['Agreement', '佐藤']]);

  await sign(document, 1, '鈴木');
  assert.equal((await seen(document)).is_current, false);
  await redrawn(document);
  const second = await seen(document);
  assert.deepEqual([second.is_current, second.words.toSorted()], [true, ['Agreement', '佐藤', '鈴木']]);
  assert.deepEqual(
    second.drawn.map(({ version }) => version),
    [2],
  );
});

test('a second run draws nothing, and what was drawn of values of before is not kept', async () => {
  const document = await sent();
  await sign(document, 0, '佐藤');
  await redrawn(document, () => redrawn(document));
  await redrawn(document);
  const once = await seen(document);
  assert.deepEqual([once.is_current, once.drawn.length], [true, 1]);

  await sign(document, 1, '鈴木');
  await redrawn(document, () => sign(document, 2, '高橋'));
  const late = await seen(document);
  assert.deepEqual([late.is_current, late.file.sha256], [false, once.file.sha256]);

  await run(
    document.organization_id,
    `UPDATE sign_documents SET status = 'cancelled', cancel_reason = 'by_sender' WHERE id = $1`,
    [document.id],
  );
  await redrawn(document);
  assert.equal((await seen(document)).drawn.length, 1);
});

test('what was drawn goes with the signing: when a document is cancelled, and when its time is over', async () => {
  const endings: Record<string, (work: Work, id: string) => Promise<unknown>> = {
    cancelled: (work, id) => cancelDocument(work, id, {}),
    expired: async (work, id) => dueExpiries.act(work, await storedDocument(work, id)),
  };
  for (const [how, end] of Object.entries(endings)) {
    const document = await sent();
    const { organization_id, id } = document;
    await sign(document, 0, '佐藤');
    await redrawn(document);
    const { file } = await seen(document);
    await run(
      organization_id,
      "UPDATE sign_documents SET expires_at = '2020-01-01T00:00:00Z' WHERE id = $1",
      [id],
    );
    await database.withConnection(organization_id, (connection) =>
      inWork(readerOn(organization_id, connection), (work) => end(work, id)),
    );
    const left = await seen(document);
    assert.deepEqual([left.drawn, left.file.kind], [[], 'original'], how);
    const loose = await database.withConnection('*', ({ query }) =>
      query('SELECT FROM loose_files WHERE storage_key = $1', [file.storage_key]),
    );
    assert.equal(loose.length, 1, how);
  }
});
