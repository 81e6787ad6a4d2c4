import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { startApp } from '../../../support/app.ts';
import { newOffice } from '../../../support/cloud.ts';
import { hasCommand } from '../../../support/commands.ts';
import { share } from '../../../support/shares.ts';

const run = promisify(execFile);
const app = await startApp();
const folder = mkdtempSync(join(tmpdir(), 'rclone-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Folders, each with the same files: some names need care in an address, some contents are empty. */
const FOLDERS = ['', '2026年度', '2026年度/見積 & 請求', 'a+b (100%)'];
const FILES = 250;
const TOGETHER = 10;

const nameOf = (n: number) => (n % 10 === 0 ? `見積書 #${n} 50%?.txt` : `file-${n}.txt`);
const textOf = (n: number) => (n % 50 === 0 ? '' : `line ${n}\n`.repeat(n));

/** A share, whose first folder gets its files by the API, and the others copies of them. */
async function office() {
  const owner = await newOffice(app);
  const root = await owner.folder('公開');
  const ids = new Map([['', root.id]]);
  for (const at of FOLDERS.slice(1)) {
    const names = at.split('/');
    const made = await owner.folder(names.at(-1)!, ids.get(names.slice(0, -1).join('/'))!);
    ids.set(at, made.id);
    mkdirSync(join(folder, at), { recursive: true });
  }
  for (let n = 0; n < FILES; n += TOGETHER) {
    const numbers = Array.from({ length: TOGETHER }, (_, index) => n + index);
    await Promise.all(numbers.map((each) => owner.file(nameOf(each), textOf(each), root.id)));
    for (const at of FOLDERS)
      for (const each of numbers) writeFileSync(join(folder, at, nameOf(each)), textOf(each));
  }
  await app.database.withConnection(owner.organization_id, ({ query }) =>
    query(
      `INSERT INTO cloud_items
       SELECT (jsonb_populate_record(item, jsonb_build_object('parent_id', target, 'id',
                'file_0' || lpad((row_number() OVER ())::text, 25, '0')))).*
         FROM cloud_items AS item, unnest($2::text[]) AS target
        WHERE item.organization_id = $1 AND item.kind = 'file'`,
      [owner.organization_id, [...ids.values()].slice(1)],
    ),
  );
  return share(owner, { folder_id: root.id, password: 'quiet-river-42' });
}

const check = (page: string, ...more: string[]) =>
  run('rclone', [
    'check',
    '--download',
    '--config=/dev/null',
    '--http-url',
    app.base_url + page,
    '--http-headers',
    'Share-Password,quiet-river-42',
    ':http:',
    folder,
    ...more,
  ]);

const skip = !process.env.CI && !hasCommand('rclone') && 'rclone is not installed';

describe('rclone', { skip }, () => {
  test('finds 1,000 files of a share, byte by byte what they are', async () => {
    const { page } = await office();
    const { stderr } = await check(page);
    assert.match(stderr, /0 differences found/);
    assert.match(stderr, /1000 matching files/);
    writeFileSync(join(folder, '2026年度', 'file-7.txt'), 'LINE 7\n'.repeat(7));
    await assert.rejects(check(page, '--include', '/2026年度/file-7.txt'), /1 differences found/);
  });
});
