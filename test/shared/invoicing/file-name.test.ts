import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { attachment } from '../../../api/http/files/file-name.ts';
import { formatNumber, numberParts, patternFault } from '../../../shared/invoicing/number-pattern.ts';
import { pdfFileName } from '../../../shared/invoicing/pdf/file-name.ts';

const named = (name: string, number: string | null = 'INV-1') =>
  pdfFileName({ title: '請求書', number, recipient: { name, honorific: '', address: [], person: null } });

describe('the file of a document is called', () => {
  const table: [string, string, string | null, string][] = [
    ['by title, number and recipient', '株式会社山田商店', 'INV-1', '請求書_INV-1_株式会社山田商店.pdf'],
    ['without a number where there is none', '山田', null, '請求書_山田.pdf'],
    ['without what leads elsewhere', '../../etc/passwd', 'A:1', '請求書_A_1_.._.._etc_passwd.pdf'],
    ['with - for the / of a number', '山田', '2026/0001', '請求書_2026-0001_山田.pdf'],
    ['in one line', 'a\r\nb\tc\u2028d', '1', '請求書_1_a_b_c_d.pdf'],
    ['without what turns the direction of letters', 'gnp\u202e.exe', '1', '請求書_1_gnp_.exe.pdf'],
    ['without dots and spaces at its end', '山田商店. .', '1', '請求書_1_山田商店.pdf'],
  ];
  for (const [words, name, number, expected] of table)
    it(words, () => assert.equal(named(name, number), expected));

  it('in whole letters, short enough for any file system', () => {
    const long = named('👨‍👩‍👧‍👦'.repeat(50));
    assert.ok(Buffer.byteLength(long) <= 255);
    assert.match(long, /👨‍👩‍👧‍👦\.pdf$/u);
  });

  it('without a separator of folders, whatever pattern numbers the documents', () => {
    const literal = fc.string({
      unit: fc.constantFrom('/', '/', '-', '_', '.', '#', '請', 'Ａ', 'a', '7'),
      maxLength: 8,
    });
    const pattern = fc
      .tuple(literal, literal, literal)
      .map((parts) => parts.join('{YYYY}').replace('{YYYY}', '{SEQ:4}'));
    fc.assert(
      fc.property(pattern, fc.integer({ min: 1, max: 99_999 }), (pattern, sequence) => {
        assert.equal(patternFault(pattern, 'year'), null);
        const parts = numberParts({ pattern, reset: 'year', fiscal_year_start_month: 4 }, '2026-04-01');
        const file_name = named('山田', formatNumber(parts, sequence));
        assert.doesNotMatch(file_name, /[\\/:*?"<>|]/);
        assert.ok(file_name.startsWith('請求書_') && file_name.endsWith('_山田.pdf'));
        assert.doesNotMatch(attachment(file_name), /%2F|\//i);
      }),
    );
  });
});
