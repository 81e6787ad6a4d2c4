import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withInfo, withoutInfo } from '../../../workers/pdf/info.ts';
import { joinPdfs } from '../../../workers/pdf/join.ts';
import { printPage } from '../../../workers/pdf/print-page.ts';
import { readPdf, testRenderer, unhurried } from '../../support/rendering.ts';

const renderer = testRenderer();

function printed(...pages: string[]): Promise<Buffer> {
  return renderer.render(async (page) => {
    await page.setContent(
      `<title>(a) \\ 7 0 R</title>${pages.map((text) => `<p style="break-after:page">${text}</p>`).join('')}`,
    );
    return printPage(page, false);
  }, unhurried);
}

test('files are joined page by page, each with its texts and fonts', async () => {
  const texts = Array.from({ length: 12 }, (_, number) => `頁${number} 7 0 R endobj`);
  const parts = [await printed(...texts), await printed('other', '𠮷野家'), await printed('last')];
  const pdf = readPdf(withInfo(joinPdfs(parts), { title: '帳簿', author: '珈琲' }));
  pdf.check();
  const found = pdf.layout().map((page) => page.trim());
  assert.deepEqual(found, [...texts, 'other', '𠮷野家', 'last']);
  const { Title, Author, Pages } = pdf.info();
  assert.deepEqual([Title, Author, Pages], ['帳簿', '珈琲', '15']);
  assert.deepEqual(
    pdf.fonts().filter(({ embedded }) => embedded !== 'yes'),
    [],
  );
});

test('one file is answered as it is, and what is no PDF is refused', async () => {
  const alone = await printed('alone');
  assert.ok(joinPdfs([alone]).equals(alone));
  assert.throws(() => joinPdfs([alone, Buffer.from('%PDF-1.4\n%%EOF\n')]), /no table/);
});

test('joins files that were given a title of their own', async () => {
  const parts = [await printed('一'), await printed('二')];
  const named = parts.map((part, place) => withInfo(part, { title: `${place}`, author: '珈琲' }));
  assert.ok(withoutInfo(named[0]!).equals(parts[0]!));
  assert.ok(joinPdfs(named.map(withoutInfo)).equals(joinPdfs(parts)));
});
