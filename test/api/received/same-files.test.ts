import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import type { Reply } from '../../support/client.ts';
import { evidenceForm, RECEIPT } from '../../support/evidence.ts';
import { type Buyer, newBuyer } from '../../support/received.ts';
import { addTo, attemptWith, paper } from '../../support/received-files.ts';
import { storedFiles } from '../../support/stored.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
type Shown = any;

const app = await startApp();

/** An invoice that came with a paper. */
async function withPaper(buyer: Buyer, text: string, data: object = {}): Promise<Shown> {
  const reply = await attemptWith(buyer, 'invoice', [paper(text)], data);
  assert.equal(reply.status, 201, reply.text);
  return reply.body.received_invoice;
}

const isTaken = ({ status, body, text }: Reply, existing_id: string) =>
  assert.deepEqual([status, body.code, body.existing_id], [409, 'duplicate_file', existing_id], text);

describe('a file that another document of the kind has', () => {
  test('is not added either, unless it is allowed: the second one names the first', async () => {
    const buyer = await newBuyer(app);
    const first = await withPaper(buyer, 'same');
    const { id } = await buyer.register('invoice');
    isTaken(await addTo(buyer, 'invoice', id, [paper('own'), paper('same')]), first.id);
    assert.deepEqual((await buyer.read('invoice', id)).files, []);
    const allowed = await addTo(buyer, 'invoice', id, [paper('same')], { allow_duplicate: 'true' });
    assert.equal(allowed.status, 201, allowed.text);
    assert.equal(allowed.body.received_invoice.duplicate_of, first.id);
    const made = await withPaper(buyer, 'same', { allow_duplicate: true });
    assert.equal(made.duplicate_of, first.id);
  });

  test('is taken once of 20 forms at the same time, and nothing of the others stays in the store', async () => {
    const buyer = await newBuyer(app);
    const before = storedFiles(app).length;
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        attemptWith(buyer, 'invoice', [paper('at once')], { number: String(n) }),
      ),
    );
    const [made, ...more] = replies.filter(({ status }) => status === 201);
    assert.ok(made && more.length === 0, replies.map(({ status }) => status).join());
    for (const reply of replies) if (reply !== made) isTaken(reply, made.body.received_invoice.id);
    assert.equal(storedFiles(app).length, before + 1);
  });

  test('does not come back beside it', async () => {
    const buyer = await newBuyer(app);
    const first = await withPaper(buyer, 'same');
    assert.equal((await buyer.act('invoice', first.id, 'reject')).status, 200);
    const second = await withPaper(buyer, 'same');
    isTaken(await buyer.act('invoice', first.id, 'reopen'), second.id);
  });

  test('is warned of alone where it is a document of accounting', async () => {
    const buyer = await newBuyer(app);
    const form = evidenceForm({ bytes: paper('receipt').bytes, name: '領収書.pdf' }, RECEIPT);
    const { document } = (await buyer.post('/accounting/documents', form)).body;
    const { warnings, duplicate_of } = await withPaper(buyer, 'receipt');
    const found = warnings.filter(({ code }: Shown) => code === 'duplicate_file');
    assert.deepEqual(
      found.map(({ path, message }: Shown) => [path, message]),
      [['/files/0', `The same file is in ${document.id}`]],
    );
    assert.equal(duplicate_of, null);
  });
});

test('who may not read received documents is not told which one has the number or the file', async () => {
  const buyer = await newBuyer(app);
  const { id } = await withPaper(buyer, 'told', { number: '118', issue_date: '2026-11-02' });
  const { organization_id } = buyer;
  const writer = await app.actor({ organization_id, scopes: ['received:write'] });
  const replies = [
    await attemptWith({ ...buyer, ...writer }, 'invoice', [paper('told')]),
    await writer.post('/received-invoices', {
      company_id: buyer.company.id,
      number: '118',
      issue_date: '2026-11-02',
    }),
  ];
  assert.deepEqual(
    replies.map(({ status, body }) => [status, body.code, body.existing_id]),
    [
      [409, 'duplicate_file', null],
      [409, 'duplicate_document', null],
    ],
  );
  for (const { text } of replies) assert.ok(!text.includes(id), text);
});

test('the list finds those with a file, with its bytes, and with an entry in the books', async () => {
  const buyer = await newBuyer(app);
  const plain = await buyer.register('invoice', { number: '1' });
  const filed = await withPaper(buyer, 'filed', { number: '2' });
  await buyer.make('/accounting/fiscal-years', { start_date: '2026-01-01', end_date: '2026-12-31' });
  assert.equal((await buyer.post('/accounting/accounts/seed')).status, 200);
  assert.equal((await buyer.act('invoice', plain.id, 'approve')).status, 200);
  await buyer.make(`/received-invoices/${plain.id}/journals`, {});
  for (const [asked, id] of [
    ['has_file=true', filed.id],
    ['has_file=false', plain.id],
    [`sha256=${filed.files[0].sha256}`, filed.id],
    ['has_journal=true', plain.id],
    ['has_journal=false', filed.id],
  ]) {
    const { items } = (await buyer.get(`/received-invoices?${asked}`)).body;
    assert.deepEqual(
      items.map((item: Shown) => item.id),
      [id],
      asked,
    );
  }
});

test('a file of 51 MiB is refused, and nothing of it is stored', async () => {
  const buyer = await newBuyer(app);
  const { bytes } = paper('long');
  const before = storedFiles(app);
  const large = { name: '請求書.pdf', bytes: Buffer.concat([bytes, Buffer.alloc(51 * 1024 ** 2)]) };
  const reply = await attemptWith(buyer, 'invoice', [paper('fine'), large]);
  assert.deepEqual([reply.status, reply.body.code], [413, 'body_too_large'], reply.text);
  assert.match(reply.body.detail, /50/);
  assert.deepEqual(storedFiles(app), before);
});
