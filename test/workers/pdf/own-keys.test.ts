import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kinds, writtenKinds } from '../../../shared/invoicing/documents/kinds.ts';
import { startApp } from '../../support/app.ts';
import { newSeller, type Seller } from '../../support/documents.ts';
import { downloadPdf, startRenderers } from '../../support/pdf-documents.ts';
import { readPdf } from '../../support/rendering.ts';

const app = await startApp();
await startRenderers(app);

const CANARY = 'zqxkanarienvogel';
const own = { external_id: `${CANARY}-1`, metadata: { [CANARY]: `${CANARY} 2` } };
const issuing = {
  quotation: 'send',
  invoice: 'approve',
  delivery_note: 'deliver',
  purchase_order: 'send',
} as const;

/** Its customer has the canary too. */
async function sellerWithKeys(): Promise<{ seller: Seller; company_id: string }> {
  const seller = await newSeller(app);
  const { id } = await seller.make('/crm/companies', { name: '山田商店', ...own });
  return { seller, company_id: id };
}

async function assertUnprinted(seller: Seller, path: string): Promise<void> {
  const pdf = readPdf(await downloadPdf(app, seller, path));
  assert.match(pdf.text(), /山田商店/);
  assert.ok(!`${pdf.text()} ${JSON.stringify(pdf.info())}`.includes(CANARY), pdf.text());
}

for (const kind of writtenKinds) {
  test(`the PDF of the kind ${kind} shows no external_id and no metadata`, async () => {
    const { seller, company_id } = await sellerWithKeys();
    const { id } = await seller.after(kind, [issuing[kind]], { company_id, ...own });
    await assertUnprinted(seller, `/${kinds[kind].path}/${id}/pdf`);
  });
}

test('the PDF of a credit note shows no external_id and no metadata', async () => {
  const { seller, company_id } = await sellerWithKeys();
  const { id } = await seller.after('invoice', ['approve'], { company_id, ...own });
  const { body } = await seller.act('invoice', id, 'credit-notes', { reason: '返品', ...own });
  await assertUnprinted(seller, `/credit-notes/${body.credit_note.id}/pdf`);
});
