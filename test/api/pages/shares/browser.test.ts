import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../../support/app.ts';
import { watchedPage } from '../../../support/browser.ts';
import { newOffice } from '../../../support/cloud.ts';
import { judgeAt } from '../../../support/page-judges.ts';
import { share } from '../../../support/shares.ts';

const app = await startApp();
const owner = await newOffice(app);
const LONG = `${'とても長い名前の資料'.repeat(6)}（最終版）.txt`;
const folder = await owner.folder('公開資料 2026');
const inner = await owner.folder('議事録', folder.id);
await owner.folder('図面', folder.id);
for (const name of ['見積書.txt', LONG, `${'x'.repeat(120)}.txt`])
  await owner.file(name, name.repeat(400), folder.id);
await owner.file('2026-11-24 定例会議.txt', '議事', inner.id);
const file = await owner.file('契約書（署名済み）.txt', 'abc'.repeat(20_000));
const password = 'quiet-river-42';
const ended = await share(owner, { folder_id: folder.id });
await owner.delete(`/cloud/shares/${ended.id}`);

const open = await share(owner, { folder_id: folder.id, max_downloads: 10 });
const places: Record<string, string> = {
  folder: open.page,
  'folder-below': `${open.page}${encodeURIComponent('議事録')}/`,
  file: (await share(owner, { file_id: file.id })).page,
  password: (await share(owner, { folder_id: folder.id, password })).page,
  ended: ended.page,
};

describe('accessible', () => {
  for (const [name, path] of Object.entries(places)) {
    for (const language of ['ja', 'en']) {
      test(`${name}, ${language}, light and dark, narrow and wide`, () =>
        judgeAt(`${app.base_url}${path}?lang=${language}`));
    }
  }
});

describe('without JavaScript', () => {
  test('a guest opens a folder with its password, goes down into it and up again', async () => {
    const { page, urls, complaints } = await watchedPage();
    await page.setJavaScriptEnabled(false);
    await page.goto(app.base_url + places['password']);
    const follow = (selector: string) => Promise.all([page.waitForNavigation(), page.click(selector)]);
    await page.type('[name="password"]', 'another-river');
    await follow('main button');
    assert.equal(await page.$eval('[role="alert"]', (found) => found.textContent !== ''), true);
    await page.type('[name="password"]', password);
    await follow('main button');
    assert.equal(await page.$eval('h1', (found) => found.textContent), '公開資料 2026');
    await follow('tbody a[href$="/"]');
    await follow('nav a');
    assert.equal(page.url(), app.base_url + places['password']);
    // A refused password is an answer with an error's status, which the browser mentions.
    assert.deepEqual(
      complaints.filter((complaint) => !/403/.test(complaint)),
      [],
    );
    assert.deepEqual(
      urls.filter((url) => !url.startsWith(app.base_url) && !url.startsWith('data:')),
      [],
    );
    await page.close();
  });
});
