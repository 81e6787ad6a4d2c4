import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { kinds, writtenKinds } from '../../../shared/invoicing/documents/kinds.ts';
import { startApp } from '../../support/app.ts';
import { newSeller } from '../../support/documents.ts';
import { download, downloadPdf, renderings, startRenderers } from '../../support/pdf-documents.ts';
import { readPdf } from '../../support/rendering.ts';
import { storedFiles } from '../../support/stored.ts';

const app = await startApp();
const seller = await newSeller(app);
await startRenderers(app);

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const issuing = {
  quotation: 'send',
  invoice: 'approve',
  delivery_note: 'deliver',
  purchase_order: 'send',
} as const;
const letters = '髙﨑①㈱〜―纊ⅷ';
const half = 'ﾊﾝｶｸｶﾅﾀﾞ';

describe('an issued document', () => {
  test('has one PDF, with the hash that the document tells, and is served as any file is', async () => {
    const { id, number } = await seller.after('invoice', ['approve']);
    const path = `/invoices/${id}/pdf`;
    const { status, headers, bytes } = await download(app, seller, path);
    assert.equal(status, 200, bytes.toString());
    const { pdf } = await seller.read('invoice', id);
    assert.deepEqual([pdf.status, pdf.sha256, pdf.size], ['ready', sha256(bytes), bytes.length]);
    assert.match(pdf.rendered_at, /^20\d\d-/);
    assert.equal(headers.get('content-type'), 'application/pdf');
    const name = encodeURIComponent(`請求書_${number}_株式会社山田商店.pdf`);
    assert.ok(headers.get('content-disposition')!.endsWith(`filename*=UTF-8''${name}`));
    const etag = headers.get('etag')!;
    assert.equal((await download(app, seller, path, { 'If-None-Match': etag })).status, 304);
    const part = await download(app, seller, path, { Range: 'bytes=0-7' });
    assert.deepEqual([part.status, part.bytes.toString()], [206, '%PDF-1.4']);
    const again = await download(app, seller, path, { Prefer: 'respond-async' });
    assert.deepEqual([again.status, again.bytes.equals(bytes)], [200, true]);
  });

  test('has a number with / where the pattern says so, and a file name with - for it', async () => {
    const other = await newSeller(app);
    const numbering = { invoice: { pattern: '{YYYY}/{SEQ:4}' } };
    assert.equal((await other.patch('/invoice-settings', { numbering })).status, 200);
    const { id, number } = await other.after('invoice', ['approve']);
    assert.match(number, /^20\d\d\/0001$/);
    const { status, headers, bytes } = await download(app, other, `/invoices/${id}/pdf`);
    assert.equal(status, 200);
    const name = encodeURIComponent(`請求書_${number.replace('/', '-')}_株式会社山田商店.pdf`);
    assert.ok(headers.get('content-disposition')!.endsWith(`filename*=UTF-8''${name}`));
    assert.ok(readPdf(bytes).text().includes(number));
  });

  test('gives every text back, with its fonts, whole and described', async () => {
    const latin = ['Ünïcode čš', 'Łódź Škoda Đà Nẵng', 'Ελληνικά', 'Ё≒₹'];
    const neighbours = ['주식회사 서울', '深圳华为们鱼风', 'ไทย', '𠮷野家', '😀', 'شركة'];
    const line_items = [letters, half, ...latin, ...neighbours].map((description) => ({
      description,
      unit_price: '100',
    }));
    const { id, number } = await seller.after('invoice', ['approve'], { line_items, subject: half });
    const pdf = readPdf(await downloadPdf(app, seller, `/invoices/${id}/pdf`));
    const text = pdf.text();
    // poppler tells what is written from right to left with marks between.
    for (const { description } of line_items.slice(0, -1))
      assert.ok(text.includes(description), `${description}: ${text}`);
    assert.deepEqual(
      pdf.fonts().filter(({ embedded }) => embedded !== 'yes'),
      [],
    );
    const fonts = new Set(pdf.fonts().map(({ name }) => name.replace(/^[A-Z]+\+NotoSans|-Regular$/g, '')));
    const missing = ['JP', '', 'KR', 'SC', 'Thai', 'Arabic', 'Math'].filter((name) => !fonts.has(name));
    assert.deepEqual(missing, []);
    pdf.check();
    const { Title, Author, Pages } = pdf.info();
    const { issuer_name } = await seller.read('invoice', id);
    assert.deepEqual([Title, Author, Pages], [`請求書 ${number}`, issuer_name, '1']);
    assert.match(JSON.stringify(pdf.json()), /"\/Lang":"u:ja"/);
  });

  test('keeps its bytes whatever is changed after, also the template', async () => {
    const { id } = await seller.after('invoice', ['approve', 'send']);
    const bytes = await downloadPdf(app, seller, `/invoices/${id}/pdf`);
    const changes = [
      await seller.patch('/invoice-settings', {
        issuer_name: '新しい名前',
        issuer_detail: '大阪',
        locale: 'en',
      }),
      await seller.patch(`/crm/companies/${seller.company.id}`, { name: '改名した会社' }),
      await seller.patch(`/invoices/${id}`, { internal_memo: '内部' }),
      await seller.act('invoice', id, 'mark-paid', { amount: 1 }),
    ];
    for (const { status, text } of changes) assert.ok(status < 300, text);
    await app.database.withConnection(seller.organization_id, ({ query }) =>
      query(`UPDATE invoicing_prints SET template_version = 'an older one' WHERE document_id = $1`, [id]),
    );
    assert.ok((await downloadPdf(app, seller, `/invoices/${id}/pdf`)).equals(bytes));
    const { pdf } = await seller.read('invoice', id);
    assert.deepEqual([pdf.status, pdf.sha256], ['ready', sha256(bytes)]);
    assert.equal(await renderings(app, seller), 0);
  });

  for (const kind of writtenKinds) {
    test(`of the kind ${kind} has its title`, async () => {
      const one = await newSeller(app);
      const { id, number } = await one.after(kind, [issuing[kind]]);
      const pdf = readPdf(await downloadPdf(app, one, `/${kinds[kind].path}/${id}/pdf`));
      const title = {
        quotation: '見積書',
        invoice: '請求書',
        delivery_note: '納品書',
        purchase_order: '発注書',
      };
      assert.equal(pdf.info()['Title'], `${title[kind]} ${number}`);
      assert.match(pdf.text(), /株式会社山田商店/);
    });
  }

  test('of the kind credit_note tells which invoice it takes back', async () => {
    const one = await newSeller(app);
    const { id, number } = await one.after('invoice', ['approve']);
    const { body } = await one.act('invoice', id, 'credit-notes', { reason: '返品のため' });
    const pdf = readPdf(await downloadPdf(app, one, `/credit-notes/${body.credit_note.id}/pdf`));
    assert.ok(pdf.text().includes(number) && pdf.text().includes(body.credit_note.number), pdf.text());
  });

  test('is asked for without waiting: the job first, then its file, which is the document’s', async () => {
    const { id } = await seller.after('quotation', ['send']);
    const asked = await download(app, seller, `/quotations/${id}/pdf`, { Prefer: 'respond-async' });
    const bytes = await downloadPdf(app, seller, `/quotations/${id}/pdf`);
    if (asked.status === 200) return assert.ok(asked.bytes.equals(bytes));
    const { job } = JSON.parse(asked.bytes.toString());
    assert.equal(job.kind, 'invoicing.document.pdf');
    assert.ok((await downloadPdf(app, seller, `/jobs/${job.id}/file`)).equals(bytes));
    const ended = (await seller.get(`/jobs/${job.id}`)).body.job;
    assert.deepEqual([ended.status, ended.result.sha256], ['succeeded', sha256(bytes)]);
    assert.ok(ended.created_at < ended.started_at && ended.started_at < ended.finished_at);
  });

  test('of 1,000 lines is made in time, every line on it', async () => {
    const line_items = Array.from({ length: 1000 }, (_, at) => ({
      description: `品目${at + 1}号 ${letters}`,
      quantity: `${(at % 90) + 1}`,
      unit_price: `${at}`,
    }));
    const { id } = await seller.after('invoice', ['approve'], { line_items });
    const pdf = readPdf(await downloadPdf(app, seller, `/invoices/${id}/pdf`));
    const text = pdf.text();
    const missing = line_items.filter(({ description }) => !text.includes(description.split(' ')[0]!));
    assert.deepEqual(missing, []);
    assert.ok(Number(pdf.info()['Pages']) > 20);
    pdf.check();
  });
});

describe('a draft', () => {
  test('has a marked PDF, made once for the same content and anew for another', async () => {
    const one = await newSeller(app);
    const { id } = await one.draft('invoice', { subject: '初稿' });
    const path = `/invoices/${id}/pdf`;
    const first = await download(app, one, path);
    assert.match(readPdf(first.bytes).text(), /下書き/);
    const ascii = /^attachment; filename="invoice_draft_[0-9a-z]{6}\.pdf"; /;
    assert.match(first.headers.get('content-disposition')!, ascii);
    assert.equal((await one.read('invoice', id)).pdf.status, 'none');
    const again = await download(app, one, path);
    assert.equal(again.headers.get('etag'), first.headers.get('etag'));
    await one.patch(`/invoices/${id}`, { internal_memo: '印刷されない' });
    assert.ok((await download(app, one, path)).bytes.equals(first.bytes));
    await one.patch(`/invoices/${id}`, { subject: '改稿' });
    assert.match(readPdf(await downloadPdf(app, one, path)).text(), /改稿/);
    await one.act('invoice', id, 'approve');
    assert.doesNotMatch(readPdf(await downloadPdf(app, one, path)).text(), /下書き/);
    const kept = await app.database.withConnection(one.organization_id, ({ query }) =>
      query('SELECT 1 FROM invoicing_draft_prints WHERE organization_id = $1', [one.organization_id]),
    );
    assert.deepEqual(kept, []);
  });

  test('is asked for by many at the same time and rendered once', async () => {
    const one = await newSeller(app);
    const { id } = await one.draft('quotation');
    const before = storedFiles(app).length;
    const all = await Promise.all(
      Array.from({ length: 20 }, () => downloadPdf(app, one, `/quotations/${id}/pdf`)),
    );
    assert.ok(all.every((bytes) => bytes.equals(all[0]!)));
    assert.equal(storedFiles(app).length, before + 1);
  });

  test('of another organization is not there', async () => {
    const { id } = await seller.draft('invoice');
    assert.equal((await (await newSeller(app)).get(`/invoices/${id}/pdf`)).status, 404);
    assert.equal((await seller.get(`/quotations/${id.replace('inv', 'quo')}/pdf`)).status, 404);
  });
});
