import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { startApp } from '../support/app.ts';
import type { Reply } from '../support/client.ts';
import { until } from '../support/until.ts';
import { startWorkers } from '../support/workers.ts';

const folder = mkdtempSync(join(tmpdir(), 'mail-imports-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const app = await startApp({ environment: { DATA_DIR: folder } });
const office = await app.actor();
const other = await app.actor();

function send(
  path: string,
  content: string | Buffer,
  fields: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<Reply> {
  const form = new FormData();
  form.set('file', new Blob([Buffer.from(content)]), '名簿.csv');
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return office.post(`/mail/contacts/${path}`, form, headers);
}

const FILE = 'メールアドレス,氏名,会社\nhanako@example.jp,山田 花子,A\nno address,佐藤,=1+1\n';

describe('a file of mail contacts', () => {
  test('is previewed with the mapping that its header means', async () => {
    const { status, body } = await send('import/preview', FILE);
    assert.equal(status, 200);
    assert.deepEqual(body.preview.mapping, { メールアドレス: 'email', 氏名: 'full_name' });
    assert.deepEqual(body.preview.ignored_columns, ['会社']);
    const kept = await send('import/preview', FILE, { keep_unmapped: 'true' });
    assert.deepEqual(kept.body.preview.ignored_columns, []);
    const form = { on_conflict: 'skip', keep_unmapped: 'true', mapping: '{"会社":"email"}' };
    const wide = await send('import/preview', 'メール,姓\nｉｎｆｏ＠x.jp,ﾔﾏﾀﾞ\n');
    assert.deepEqual(wide.body.preview.normalized, [
      { row: 2, column: 'メール', before: 'ｉｎｆｏ＠x.jp', after: 'info@x.jp' },
      { row: 2, column: '姓', before: 'ﾔﾏﾀﾞ', after: 'ヤマダ' },
    ]);
    const again = await send('import/preview', FILE, form);
    assert.deepEqual([again.status, again.body.preview?.mapping], [200, { 会社: 'email' }]);
    assert.equal((await send('import/preview', FILE, { on_conflict: 'replace' })).status, 422);
  });

  test('is taken once with one Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': 'the-same-file' };
    const first = await send('import', FILE, {}, headers);
    const again = await send('import', FILE, {}, headers);
    assert.equal(first.status, 202);
    assert.deepEqual(again.body, first.body);
    assert.equal((await office.get('/mail/imports')).body.total, 1);
  });

  test('of which no column is known is refused with the columns that it has, and previewed all the same', async () => {
    const goods = '品番,数量\nA-1,2\n';
    const { status, body } = await send('import', goods);
    assert.equal(status, 422);
    assert.deepEqual([body.errors[0].path, body.errors[0].code], ['/file', 'no_known_columns']);
    assert.match(body.errors[0].message, /品番, 数量/);
    const { preview } = (await send('import/preview', goods)).body;
    assert.deepEqual([preview.mapping, preview.ignored_columns], [{}, ['品番', '数量']]);
  });

  test('is refused at once, at its place, for what its beginning shows', async () => {
    const placed = async (fields: Record<string, string>) => {
      const { status, body } = await send('import', FILE, fields);
      return [status, body.errors[0].path];
    };
    assert.deepEqual(await placed({ mapping: '{"氏名":"full_name"}' }), [422, '/mapping']);
    assert.deepEqual(await placed({ mapping: '{"住所":"email"}' }), [422, '/mapping/住所']);
    const colour = '{"メールアドレス":"email","会社":"colour"}';
    assert.deepEqual(await placed({ mapping: colour }), [422, '/mapping/会社']);
    assert.deepEqual(await placed({ list_id: 'mlist_01kaj2n5w5fq8b4m0g3v7x9rtc' }), [422, '/list_id']);
    const consent = JSON.stringify({ basis: 'consent', source: '展示会', at: '9999-01-01T00:00:00Z' });
    assert.deepEqual(await placed({ consent }), [422, '/consent/at']);
    const workbook = await send('import', Buffer.from('504b0304', 'hex'));
    assert.deepEqual([workbook.status, workbook.body.code], [415, 'unsupported_media_type']);
  });

  test('is imported by a worker, and its faulty rows come back as a file for a spreadsheet', async () => {
    const environment = { DATABASE_URL: app.database_url, DATA_DIR: folder };
    const workers = await startWorkers(environment, ['--queues', 'csv-import,report-export']);
    const { body } = await send('import', FILE, { options: '{"keep_unmapped":true}' });
    assert.deepEqual(body.import.ignored_columns, []);
    const path = `/mail/imports/${body.import.id}`;
    const present = async () => (await office.get(path)).body.import;
    const ended = (each: string) =>
      until('the import ends', async () => {
        const found = (await office.get(each)).body.import;
        return found.finished_at !== null && found;
      });
    const done = await ended(path);
    assert.deepEqual([done.status, done.total_rows, done.error_count], ['completed', 2, 1]);
    const told = await ended(`/mail/imports/${(await send('import', FILE)).body.import.id}`);
    const { result } = (await office.get(`/jobs/${told.job_id}`)).body.job;
    assert.deepEqual([told.ignored_columns, result.ignored_columns], [['会社'], ['会社']]);

    const [error] = (await office.get(`${path}/errors`)).body.items;
    assert.deepEqual([error.row, error.code, error.column], [3, 'invalid_email', 'メールアドレス']);
    const report = await office.get(`${path}/errors?format=csv`);
    assert.equal(report.status, 200);
    assert.equal(
      report.text.replace(/^\ufeff/, ''),
      "メールアドレス,氏名,会社,row,code,message\r\nno address,佐藤,'=1+1,3,invalid_email,メールアドレス: This is not an e-mail address: correct it\r\n",
    );
    const asked = { 'Accept-Language': 'ja' };
    const [spoken] = (await office.get(`${path}/errors`, asked)).body.items;
    assert.match(spoken.message, /^メールアドレスの形になっていません/);
    assert.equal((await office.get(`${path}/errors?lang=en`, asked)).body.items[0].message, error.message);
    // Badly mended, the report comes back as it was: its remarks are not doubled.
    const badly = await send('import', report.text.replace('佐藤', '佐藤 健'));
    const still = await ended(`/mail/imports/${badly.body.import.id}`);
    assert.deepEqual([still.error_count, still.ignored_columns], [1, ['会社']]);
    const second = await office.get(`/mail/imports/${still.id}/errors?format=csv`);
    assert.equal(second.text, report.text.replace('佐藤', '佐藤 健').replace(',3,inv', ',2,inv'));
    const japanese = await office.get(`${path}/errors?format=csv&lang=ja`);
    assert.equal(
      japanese.text.replace(/^\ufeff/, ''),
      "メールアドレス,氏名,会社,行,コード,内容\r\nno address,佐藤,'=1+1,3,invalid_email,メールアドレス: メールアドレスの形になっていません。直してください\r\n",
    );
    for (const [file, address] of [
      [report, 'ken@example.jp'],
      [japanese, 'mie@example.jp'],
      // Mended badly, told a second time, and some of the remarks emptied.
      [
        {
          text: report.text
            .replace('message', 'message,行,コード,内容')
            .replace('3,inv', '3,too_long,a,,inv'),
        },
        'jun@example.jp',
      ],
    ] as const) {
      const mended = file.text.replace('no address', address);
      const again = await send('import', mended, { options: '{"keep_unmapped":true}' });
      assert.equal((await ended(`/mail/imports/${again.body.import.id}`)).created_count, 1);
      const [contact] = (await office.get(`/mail/contacts?search=${address}`)).body.items;
      assert.deepEqual(contact.attributes, { 会社: '=1+1' }, 'the remarks of the report are no attributes');
    }
    assert.equal((await other.get(path)).status, 404);
    assert.equal((await other.get(`${path}/errors`)).status, 404);
    assert.equal((await office.post(`${path}/pause`)).status, 409);
    assert.equal((await office.post(`${path}/revert`)).status, 202);
    await until('the revert ends', async () => (await present()).status === 'reverted');
    await workers.stop();
  });
});
