import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/app.ts';
import { newSeller } from '../support/documents.ts';
import { opened } from '../support/opened-signing.ts';
import { startRenderers } from '../support/pdf-documents.ts';
import { seenWords } from '../support/poppler.ts';
import { newSender, oneSigner } from '../support/signing.ts';
import { SIGNATURE, type TestGuest } from '../support/signing-guests.ts';
import { until } from '../support/until.ts';

const app = await startApp();
app.context.settings.embeddedDatabase = true;

const box = { page: 1, x: 0.1, w: 0.5, h: 0.05 };

/** Two signers, the second after the first, each with a name and a signature. */
const IN_TURN = {
  signers: [1, 2].map((order_group) => ({
    key: `s${order_group}`,
    name: `署名者${order_group}`,
    email: `s${order_group}@example.jp`,
    auth: 'none',
    order_group,
  })),
  fields: [1, 2].flatMap((turn) => [
    { ...box, y: turn / 10, signer: `s${turn}`, type: 'name', key: `name${turn}` },
    { ...box, y: turn / 10 + 0.3, signer: `s${turn}`, type: 'signature', key: `sign${turn}` },
  ]),
};

/** What a guest gets as the document, of the API or of its page. */
async function pdfAt(guest: TestGuest, path: string): Promise<Response> {
  return fetch(`${app.base_url}${path}`, { headers: { Cookie: guest.cookie } });
}

const paths = ({ token }: TestGuest) => ({ api: `/api/v1/sign/s/${token}/pdf`, page: `/sign/${token}/pdf` });

/** The cookie of the page's path, which opening it there sets. */
async function openedPage({ token }: TestGuest): Promise<string> {
  const reply = await fetch(`${app.base_url}/sign/${token}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ action: 'open' }),
  });
  assert.equal(reply.status, 303, await reply.text());
  return reply.headers
    .getSetCookie()
    .map((one) => one.slice(0, one.indexOf(';')))
    .join('; ');
}

test('who signs second is shown what the first one wrote: at once it is refused to answer without, then it is waited for', async () => {
  const { guests } = await opened(app, IN_TURN);
  const [first, second] = guests as [TestGuest, TestGuest];
  assert.equal((await pdfAt(first, paths(first).api)).status, 200);
  const signed = await first.sign({ name1: '佐藤花子', sign1: SIGNATURE });
  assert.equal(signed.status, 200, signed.text);
  assert.equal((await second.open()).status, 200);
  const { api, page } = paths(second);
  const cookie = await openedPage(second);

  // Nobody draws: a moment is enough to see that.
  const { generating } = app.context.time_limits;
  app.context.time_limits.generating = 50;
  const refused = await pdfAt(second, api);
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '5']);
  assert.equal(((await refused.json()) as { code: string }).code, 'unavailable');
  const shown = await fetch(`${app.base_url}${page}`, { headers: { Cookie: cookie } });
  assert.deepEqual([shown.status, shown.headers.get('retry-after')], [503, '5']);
  app.context.time_limits.generating = generating;

  const waiting = [pdfAt(second, api), fetch(`${app.base_url}${page}`, { headers: { Cookie: cookie } })];
  await until('both wait', () => app.context.notices.watched() > 0);
  const workers = await startRenderers(app);
  for (const reply of await Promise.all(waiting)) {
    assert.equal(reply.status, 200);
    const words = seenWords(Buffer.from(await reply.arrayBuffer())).map(({ text }) => text);
    assert.ok(words.includes('佐藤花子'), words.join(' '));
  }
  assert.equal(await workers.stop(), 0);
});

test('an issued invoice is the file of a document: a worker renders it; a draft is not', async () => {
  const seller = await newSeller(app);
  const draft = await seller.draft('invoice');
  const from = (id: string) =>
    seller.post('/sign/documents', { title: '請求書の確認', ...oneSigner, source: { type: 'invoice', id } });
  const early = await from(draft.id);
  assert.deepEqual([early.status, early.body.code], [409, 'not_issued']);
  const issued = await seller.after('invoice', ['approve']);
  const workers = await startRenderers(app);
  const reply = await from(issued.id);
  assert.equal(reply.status, 201, reply.text);
  const { id, file } = reply.body.document;
  assert.equal(file.page_count, 1);
  const pdf = await fetch(`${app.base_url}/api/v1/sign/documents/${id}/pdf`, {
    headers: { Authorization: `Bearer ${seller.actor.secret}` },
  });
  const words = seenWords(Buffer.from(await pdf.arrayBuffer())).map(({ text }) => text);
  assert.ok(
    words.some((word) => word.includes(issued.number)),
    words.join(' '),
  );
  // Who may not read invoices makes nothing of one.
  const { organization_id } = seller;
  const other = await newSender(app, { organization_id, scopes: ['sign:read', 'sign:write'] });
  const refused = await other.post('/sign/documents', {
    title: 'x',
    source: { type: 'invoice', id: issued.id },
  });
  assert.deepEqual([refused.status, refused.body.required_scope], [403, 'invoicing:read']);
  assert.equal(await workers.stop(), 0);
});
