import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { startApp } from '../../../support/app.ts';
import { formPagesOf } from '../../../support/form-pages.ts';
import { REPAIR } from '../../../support/repair-form.ts';

const app = await startApp();
const { open, query, stored } = await formPagesOf(app, (await app.actor()).actor);

/** What the browser came to: the status and title of each page. */
async function filledIn(path: string): Promise<unknown> {
  const script = join(import.meta.dirname, 'fill_in.py');
  const { stdout } = await promisify(execFile)('/usr/bin/python3', [script, app.base_url + path]);
  return JSON.parse(stdout);
}

for (const [language, title, error, saved, end] of [
  ['ja', '修理', 'エラー：', '途中まで保存しました', '受け付けました'],
  ['en', 'Repair', 'Error: ', 'Your answers are saved', 'Received'],
] as const) {
  test(`a browser without JavaScript fills in a form that branches, takes a file and is saved (${language})`, async () => {
    const { id, path } = await open(REPAIR);
    const seen = await filledIn(`${path}?lang=${language}`);
    const [{ name }] = (await query<{ name: string }>('SELECT name FROM organizations', [])) as [
      { name: string },
    ];
    const [page, wrong] = [
      [200, `${title} – ${name}`],
      [422, `${error}${title} – ${name}`],
    ];
    const filled = [page, wrong, page, page, page, page, wrong, page];
    const expected = [...filled, [200, `${saved} – ${title} – ${name}`], page, [200, `${end} – ${name}`]];
    assert.deepEqual(seen, expected);
    const [response, ...others] = await stored(id);
    assert.deepEqual(others, []);
    const files = await query<{ id: string; file_name: string }>(
      'SELECT id, file_name FROM forms_files WHERE response_id = $1',
      [response!.id],
    );
    assert.deepEqual(
      files.map(({ file_name }) => file_name),
      ['fault.txt'],
    );
    const data = { kind: 'repair', model: 'X-1', since: '2026-04-30', papers: [files[0]!.id], seats: '3' };
    assert.deepEqual(response!.data, data);
  });
}
