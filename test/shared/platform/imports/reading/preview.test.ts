import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Failure } from '../../../../../shared/kernel/failure.ts';
import {
  refuseMissingFields,
  refuseUnknownColumns,
} from '../../../../../shared/platform/imports/reading/mapping.ts';
import { type PreviewOptions, previewOf } from '../../../../../shared/platform/imports/reading/preview.ts';
import { LIMITS } from '../../../../../shared/platform/imports/reading/row.ts';
import { contactLikeFields } from '../../../../support/import-fields.ts';
import { encoded } from '../../../../support/reading.ts';

function preview(head: string | Uint8Array, some: Partial<PreviewOptions> = {}) {
  return previewOf(typeof head === 'string' ? Buffer.from(head) : head, {
    encoding: 'auto',
    delimiter: 'auto',
    has_header: 'auto',
    fields: contactLikeFields,
    ...some,
  });
}

/** The faults of a refusal, as path and code. */
async function faultsOf(answer: Promise<unknown>): Promise<[string, string][]> {
  const failure = await answer.then(
    () => assert.fail('was not refused'),
    (error) => error,
  );
  assert.ok(failure instanceof Failure);
  assert.equal(failure.code, 'validation_failed');
  return failure.details.errors!.map(({ path, code }) => [path, code]);
}

describe('a preview', () => {
  test('shows 20 rows and where the first begins', async () => {
    const shown = await preview(`\ufeffemail,氏名\r\n${'a@example.jp,A\r\n'.repeat(30)}`);
    assert.equal(shown.rows.length, 20);
    assert.deepEqual(shown.rows[0], ['a@example.jp', 'A']);
    assert.deepEqual(shown.start, { byte: 3 + 12 + 2, row: 2 });
    assert.deepEqual(shown.header, ['email', '氏名']);
  });

  test('of a head that ends inside a letter and a row shows whole rows', async () => {
    const line = '山田花子,a@example.jp\n';
    const bytes = encoded(`氏名,email\n${line.repeat(60_000)}`, 'shift_jis').subarray(0, LIMITS.head_bytes);
    const shown = await preview(bytes);
    assert.equal(shown.encoding, 'shift_jis');
    assert.deepEqual(shown.mapping, { 氏名: 'full_name', email: 'email' });
    assert.equal(shown.rows.length, 20);
  });

  test('takes separators and headers as they are named', async () => {
    const shown = await preview('a;b,c\nd;e,f\n', { delimiter: 'comma', has_header: false });
    assert.deepEqual(shown.columns, ['1', '2']);
    assert.deepEqual(shown.rows, [
      ['a;b', 'c'],
      ['d;e', 'f'],
    ]);
    assert.deepEqual(shown.start, { byte: 0, row: 1 });
  });

  test('takes the separator from a line that names it, unless the request names another', async () => {
    const named = await preview('SEP=;\nemail;a,b\nx@example.jp;1,2\n');
    assert.deepEqual(named.columns, ['email', 'a,b']);
    assert.deepEqual(named.start, { byte: 6 + 10, row: 3 });
    const other = await preview('sep=;\nemail;a,b\nx@example.jp;1,2\n', { delimiter: 'comma' });
    assert.deepEqual(other.columns, ['email;a', 'b']);
    assert.deepEqual(other.rows, [['x@example.jp;1', '2']]);
  });

  test('takes a line that only begins like that for a header', async () => {
    for (const text of ['sep=|\na@example.jp\n', 'sep=;;\na@example.jp\n', 'sep=,email\n1,a@example.jp\n'])
      assert.equal((await preview(text)).header?.[0], text.slice(0, text.search(/[;,\n]/)), text);
  });

  test('of a file that has that line alone is refused as empty', async () => {
    assert.deepEqual(await faultsOf(preview('sep=;\r\n')), [['/file', 'empty']]);
  });

  test('takes the first row for data when it holds numbers or addresses, unless a field is named there', async () => {
    const says = async (text: string) => (await preview(text)).has_header;
    assert.equal(await says('山田,2026/4/1\n鈴木,2026/4/2\n'), false);
    assert.equal(await says('a@example.jp,A\n'), false);
    assert.equal(await says('担当,メモ\n鈴木,x\n'), true);
  });

  test('counts columns by the first sound row where there is no header', async () => {
    const shown = await preview('x,"y\na@example.jp,b,c\n', { has_header: false });
    assert.equal(shown.columns.length, 3);
  });

  test('calls columns by numbers where headers are blank or repeated', async () => {
    const shown = await preview('email,,email,備考\na@example.jp,x,b@example.jp,y\n');
    assert.deepEqual(shown.columns, ['email', '2', '3', '備考']);
    assert.deepEqual(shown.fields, ['email', null, null, null]);
  });
});

describe('a mapping', () => {
  test('names columns by headers, however written, or by numbers', async () => {
    const text = 'E-Mail,お名前,会社\na@example.jp,A,B\n';
    const mapping = { 'ｅ－ｍａｉｌ': 'email', 2: 'last_name', 会社: 'company' };
    assert.deepEqual((await preview(text, { mapping })).fields, ['email', 'last_name', 'company']);
    assert.deepEqual((await preview('a@example.jp,A\n', { mapping: { 1: 'email' } })).fields, [
      'email',
      null,
    ]);
  });

  test('tells headers from data', async () => {
    const shown = await preview('1,2\na,b\n', { mapping: { 2: 'email' } });
    assert.deepEqual([shown.has_header, shown.fields], [true, [null, 'email']]);
  });

  test('is refused at every fault', async () => {
    const text = 'email,a/b~c,x\na@example.jp,A,B\n';
    const faults = (mapping: Record<string, string>) => faultsOf(preview(text, { mapping }));
    assert.deepEqual(await faults({ nothing: 'email', 'a/b~c': 'colour', 4: 'last_name' }), [
      ['/mapping/4', 'unknown_column'],
      ['/mapping/nothing', 'unknown_column'],
      ['/mapping/a~1b~0c', 'unknown_field'],
    ]);
    assert.deepEqual(await faults({ email: 'email', x: 'email' }), [['/mapping/x', 'duplicate']]);
    assert.deepEqual(await faults({ email: 'email', 1: 'last_name' }), [['/mapping/email', 'duplicate']]);
  });

  test('that lacks a required field is no import', async () => {
    const { fields } = await preview('氏名,住所\nA,B\n');
    const text = {
      en: 'No column is mapped to email: name it in mapping, as {"住所":"email"}; the file has the columns 氏名, 住所',
      ja: 'email に対応する列がありません。{"住所":"email"} のように mapping で指定してください。ファイルの列：氏名, 住所',
    };
    await assert.rejects(
      async () => refuseMissingFields({ fields, columns: ['氏名', '住所'] }, contactLikeFields),
      {
        code: 'validation_failed',
        details: {
          detail: text,
          errors: [{ in: 'body', path: '/mapping', code: 'required', message: text }],
        },
      },
    );
    refuseMissingFields({ fields: ['email', null], columns: ['a', 'b'] }, contactLikeFields);
  });
});

test('a file of which no column is known is refused, and told what columns it has', () => {
  assert.throws(() => refuseUnknownColumns({ fields: [null, null], columns: ['品番', '数量'] }), {
    code: 'validation_failed',
    message: /No column of the file is known: it has 品番, 数量\./,
  });
  refuseUnknownColumns({ fields: [null, 'name'], columns: ['品番', '名称'] });
});

describe('a file is refused', () => {
  const other: Record<string, Uint8Array> = {
    'a workbook': Buffer.from([0x50, 0x4b, 0x03, 0x04, 0x14]),
    'an archive without files': Buffer.from([0x50, 0x4b, 0x05, 0x06, 0x00]),
    'an old workbook': Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0x00]),
    'a compressed file': Buffer.from([0x1f, 0x8b, 0x08]),
    'NUL in bytes': Buffer.from('email\na\0b\n'),
    'UTF-16 that nothing says to be so': encoded('email\na\n', 'utf-16le'),
  };
  for (const [name, bytes] of Object.entries(other))
    test(`that is no text: ${name}`, async () => {
      await assert.rejects(preview(bytes), { code: 'unsupported_media_type' });
    });

  test('that has no rows', async () => {
    for (const text of ['', '\ufeff', '\n\r\n'])
      assert.deepEqual(await faultsOf(preview(text)), [['/file', 'empty']]);
  });

  test('of more than 64 columns, unless it is an export of the same records', async () => {
    const head = (id: string, columns = 256) => {
      const cells = Array.from({ length: columns - 2 }, (_, n) => `a${n}`);
      return `id,email,${cells}\n${id},a@example.jp,${cells}\n`;
    };
    const exported = 'mcont';
    const own = head('mcont_01kaj2n5w5fq8b4m0g3v7x9rtc');
    assert.equal((await preview(own, { exported })).columns.length, 256);
    const others = ['comp_01kaj2n5w5fq8b4m0g3v7x9rtc', '7'].map((id) => preview(head(id), { exported }));
    const wider = preview(head('mcont_01kaj2n5w5fq8b4m0g3v7x9rtc', 257), { exported });
    for (const refused of [preview(own), ...others, wider])
      assert.deepEqual(await faultsOf(refused), [['/file', 'column_count']]);
  });

  test('whose header cannot be read', async () => {
    const wide = (columns: number) => `${new Array(columns).fill('x').join(',')}\n`;
    for (const columns of [65, 300])
      assert.deepEqual(await faultsOf(preview(wide(columns))), [['/file', 'column_count']]);
    assert.equal((await preview(wide(64))).columns.length, 64);
    assert.deepEqual(await faultsOf(preview('email,"x\na@example.jp,y\n')), [['/file', 'unclosed_quote']]);
    const endless = Buffer.alloc(LIMITS.head_bytes, 'x');
    assert.deepEqual(await faultsOf(preview(endless)), [['/file', 'too_long']]);
  });
});

describe('UTF-16', () => {
  test('may hold NUL bytes where a mark or the caller says so', async () => {
    const bytes = encoded('email\tname\na@example.jp\tA\n', 'utf-16le');
    assert.equal((await preview(bytes, { encoding: 'utf-16' })).encoding, 'utf-16le');
    assert.equal((await preview(bytes, { encoding: 'utf-16le' })).delimiter, 'tab');
    assert.equal((await preview(Buffer.concat([Buffer.from([0xff, 0xfe]), bytes]))).encoding, 'utf-16le');
  });
});
