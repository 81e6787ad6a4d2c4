import { resolve } from 'node:path';
import { test } from 'node:test';
import { startApp } from '../support/app.ts';
import { watchedPage } from '../support/browser.ts';
import { formPagesOf } from '../support/form-pages.ts';
import { useJapaneseFonts } from '../support/japanese-fonts.ts';
import { ENQUIRY_IN_PICTURES } from '../support/pictured-form.ts';

/** npm run pictures: takes the pictures of the pages of forms that the documentation shows. */
const app = await startApp({ now: () => new Date('2026-11-26T00:00:00.000Z') });
const owner = await app.actor();
const { guest, go, open, query } = await formPagesOf(app, owner.actor);
await query('UPDATE organizations SET name = $2 WHERE id = $1', [
  owner.actor.organization_id,
  '株式会社あおば',
]);

const { path } = await open(ENQUIRY_IN_PICTURES, { allow_edit_hours: 24 });
const first = {
  'f-who.last_name': '佐藤',
  'f-who.first_name': '花子',
  'f-who.last_name_kana': 'サトウ',
  'f-who.first_name_kana': 'ハナコ',
  'f-mail': 'hanako@example.jp',
  'f-kind': 'visit',
};
const second = {
  'f-day': '2026-12-03',
  'f-people': '4',
  'f-text': '新しい事務所の家具について、相談したいです。',
};
const follow = (reply: { headers: Headers }) => reply.headers.get('location')!;
const step = await go(path, await guest.get(path), first);
const saved = follow(await go(path, step, { ...second, 'f-people': '' }, 'save'));
const receipt = follow(await go(path, await go(path, await guest.get(path), first), second));

const pictures = [
  { name: 'page', path, width: 900, language: 'ja' },
  { name: 'faults', path, width: 420, language: 'ja', wrong: true },
  { name: 'page-en', path, width: 420, language: 'en' },
  { name: 'saved', path: saved, width: 420, language: 'ja' },
  { name: 'resume', path: saved.split('?')[0]!, width: 900, language: 'en' },
  { name: 'receipt', path: receipt, width: 900, language: 'ja' },
];

await useJapaneseFonts();

for (const { name, path, width, language, wrong = false } of pictures) {
  test(`docs/pictures/forms-${name}.png`, async () => {
    const { page: shown } = await watchedPage();
    await shown.setViewport({ width, height: 640, deviceScaleFactor: 1.25 });
    await shown.goto(`${app.base_url}${path}${path.includes('?') ? '&' : '?'}lang=${language}`);
    if (wrong) {
      await shown.type('#f-mail', 'hanako@');
      await Promise.all([shown.waitForNavigation(), shown.click('button[value="next"]')]);
    }
    const file = resolve(import.meta.dirname, `../../docs/pictures/forms-${name}.png`);
    await shown.screenshot({ path: file, fullPage: true });
    await shown.close();
  });
}
