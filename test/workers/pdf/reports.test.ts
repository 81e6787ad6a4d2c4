import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import Big from 'big.js';
import { renderReport } from '../../../workers/pdf/report/render-report.ts';
import { readPdf, testRenderer, unhurried } from '../../support/rendering.ts';
import { reportPages, sheetOf } from '../../support/reports.ts';

const renderer = testRenderer();

/** `△1,234.50` as `-1234.50`. */
const exact = (shown: string) => shown.replaceAll(',', '').replace('△', '-');

const WORDS = {
  ja: { brought: '前頁繰越', forward: '次頁繰越', page_of: ' / ' },
  en: { brought: 'Brought forward', forward: 'Carried forward', page_of: ' of ' },
};

for (const [language, lines] of [
  ['ja', 3_000],
  ['en', 250],
] as const) {
  describe(`a report of ${lines} lines in ${language}`, () => {
    const sheet = sheetOf(language, lines);
    const rendering = renderReport(renderer, sheet, unhurried);

    test('shows each row once, and carries sums that add up exactly from page to page', async () => {
      const pages = reportPages(await rendering);
      const { brought, forward, page_of } = WORDS[language];
      const sums = { yen: new Big(0), amount: new Big(0) };
      const seen: string[] = [];
      const carried = () => [sums.yen.toFixed(), sums.amount.toFixed(2)];
      for (const [place, page] of pages.entries()) {
        const carriedBy = (label: string) => page.filter(([first]) => first === label);
        const cellsOf = (label: string) => carriedBy(label).map(([, ...cells]) => cells.map(exact));
        assert.deepEqual(cellsOf(brought), place === 0 ? [] : [carried()], `top of page ${place + 1}`);
        for (const cells of page) {
          const [number] = /^No\.\d+/.exec(cells[0]!) ?? [];
          if (number === undefined) continue;
          seen.push(number);
          sums.yen = sums.yen.plus(exact(cells.at(-3)!));
          sums.amount = sums.amount.plus(exact(cells.at(-1)!));
        }
        assert.deepEqual(
          cellsOf(forward),
          place === pages.length - 1 ? [] : [carried()],
          `page ${place + 1}`,
        );
        assert.ok(page.some(([only]) => only === `${place + 1}${page_of}${pages.length}`));
      }
      assert.deepEqual(
        seen,
        Array.from({ length: lines }, (_, index) => `No.${index + 1}`),
      );
      const [total] = pages.at(-1)!.filter(([first]) => first === 'Total');
      assert.deepEqual(total!.slice(1).map(exact), carried());
    });

    test('keeps the heading of a group with its first line', async () => {
      for (const page of reportPages(await rendering)) {
        const shown = page.map(([first]) => first!).filter((first) => first !== '');
        const alone = shown.filter(
          (first, place) => /^Group /.test(first) && !/^No\./.test(shown[place + 1]!),
        );
        assert.deepEqual(alone, []);
      }
    });

    test('is a whole PDF with embedded fonts, a title and an author', async () => {
      const pdf = readPdf(await rendering);
      pdf.check();
      const loose = pdf.fonts().filter(({ embedded }) => embedded !== 'yes');
      assert.deepEqual(loose, []);
      const { Title, Author } = pdf.info();
      assert.deepEqual([Title, Author], ['Ledger', '株式会社珈琲商会']);
    });
  });
}

test('a report without rows says so', async () => {
  const pdf = readPdf(await renderReport(renderer, sheetOf('ja', 0), unhurried));
  assert.match(pdf.text(), /該当なし/);
});

test('a report that is wider than the upright page is printed across', async () => {
  const sheet = sheetOf('en', 10);
  const columns = sheet.columns.map((column) => ({ ...column, width: column.width * 1.4 }));
  const pdf = readPdf(await renderReport(renderer, { ...sheet, columns }, unhurried));
  assert.match(pdf.info()['Page size']!, /^84[12][.\d]* x 59[45]/);
});

test('texts are texts, whatever they look like', async () => {
  const sheet = sheetOf('en', 1);
  const told = '<script>alert(1)</script> {{constructor}} <img src=http://example.com>';
  const rows = sheet.rows.map((row) => ({ ...row, cells: [told, ...row.cells.slice(1)] }));
  const pdf = readPdf(await renderReport(renderer, { ...sheet, rows, title: told }, unhurried));
  assert.ok(pdf.text().replaceAll(/\s/g, '').includes(told.replaceAll(' ', '')));
});
