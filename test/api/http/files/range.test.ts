import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { attachment } from '../../../../api/http/files/file-name.ts';
import { partAsked } from '../../../../api/http/files/range.ts';
import { exportFileName } from '../../../../shared/platform/exports/file.ts';
import { exporters } from '../../../../workers/exports/exporters.ts';

const asked = (range?: string, size = 1000) => partAsked(range, size);
const part = (start: number, end: number) => ({ start, end });

describe('Range of a file of 1000 bytes asks for', () => {
  const cases = {
    'bytes=0-0': part(0, 0),
    'bytes=0-499': part(0, 499),
    'bytes=500-': part(500, 999),
    'bytes=999-': part(999, 999),
    'bytes=900-5000': part(900, 999),
    'bytes=-1': part(999, 999),
    'bytes=-5000': part(0, 999),
    'BYTES=1-2': part(1, 2),
    'bytes= 1-2 ': part(1, 2),
    'bytes=1000-': 'unsatisfiable',
    'bytes=5000-6000': 'unsatisfiable',
    'bytes=-0': 'unsatisfiable',
    'bytes=2000-,3000-': 'whole',
    'bytes=0-1,5-6': 'whole',
    'bytes=0-1,2000-': 'whole',
    'bytes=5-4': 'whole',
    'bytes=a-b': 'whole',
    'bytes=-': 'whole',
    'bytes=': 'whole',
    'bytes=1-2-3': 'whole',
    'rows=1-2': 'whole',
    'bytes 1-2': 'whole',
  };
  for (const [range, expected] of Object.entries(cases)) {
    test(`${range}: ${JSON.stringify(expected)}`, () => assert.deepEqual(asked(range), expected));
  }

  test('nothing, without the header', () => assert.equal(asked(), 'whole'));
  test('no byte of an empty file', () => {
    assert.equal(asked('bytes=0-', 0), 'unsatisfiable');
    assert.equal(asked('bytes=-5', 0), 'unsatisfiable');
  });
});

describe('Content-Disposition', () => {
  const cases = {
    'report.csv': 'attachment; filename="report.csv"',
    '顧客.csv': `attachment; filename="file.csv"; filename*=UTF-8''%E9%A1%A7%E5%AE%A2.csv`,
    'a "b".csv': `attachment; filename="a _b.csv"; filename*=UTF-8''a%20%22b%22.csv`,
    "it's (1)*.csv": `attachment; filename="it's (1)*.csv"`,
    '100%.csv': `attachment; filename="100.csv"; filename*=UTF-8''100%25.csv`,
    'é(1).csv': `attachment; filename="file_(1).csv"; filename*=UTF-8''%C3%A9%281%29.csv`,
    'a\r\nSet-Cookie: b': `attachment; filename="a_Set-Cookie: b"; filename*=UTF-8''a%0D%0ASet-Cookie%3A%20b`,
    '請求書_INV-1_ABC商店.pdf': `attachment; filename="invoice_INV-1_ABC.pdf"; filename*=UTF-8''${encodeURIComponent('請求書_INV-1_ABC商店')}.pdf`,
    '請求書_下書き_3f9x2k_山田商店.pdf': `attachment; filename="invoice_draft_3f9x2k.pdf"; filename*=UTF-8''${encodeURIComponent('請求書_下書き_3f9x2k_山田商店')}.pdf`,
    '😀\ud800.csv': `attachment; filename="file.csv"; filename*=UTF-8''%F0%9F%98%80%EF%BF%BD.csv`,
  };
  for (const [name, header] of Object.entries(cases)) {
    test(JSON.stringify(name), () => assert.equal(attachment(name), header));
  }

  test('names every list in English too, for readers of ASCII', () => {
    for (const { name, title } of exporters.values()) {
      const file_name = exportFileName(title, new Date('2026-11-21T16:05:00Z'), 'job_01abc3f9x2k');
      assert.match(
        attachment(file_name),
        /filename="(?!file)[a-z_]+_2026-11-22_0105_3f9x2k\.csv"; filename\*=UTF-8''%E/,
        name,
      );
    }
  });
});
