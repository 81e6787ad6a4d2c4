import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Page } from 'puppeteer';
import { startApp } from '../../../support/app.ts';
import { watchedPage } from '../../../support/browser.ts';
import { formPagesOf } from '../../../support/form-pages.ts';
import { judge, judgeAt } from '../../../support/page-judges.ts';
import { REPAIR } from '../../../support/repair-form.ts';

const app = await startApp();
const owner = await app.actor();
const { open, query, stored } = await formPagesOf(app, owner.actor);

const folder = mkdtempSync(join(tmpdir(), 'filled-in-'));
after(() => rmSync(folder, { recursive: true }));
const photo = join(folder, 'fault.txt');
writeFileSync(photo, 'broken');

const press = (page: Page, selector: string) => Promise.all([page.waitForNavigation(), page.click(selector)]);
const next = (page: Page) => press(page, 'button[value="next"]');
const textOf = (page: Page, selector: string) => page.$eval(selector, (each) => each.textContent);

/** Judges the page as it is, narrow and wide. */
async function judged(page: Page): Promise<void> {
  for (const width of [320, 1280]) {
    await page.setViewport({ width, height: 800 });
    await judge(page);
  }
}

for (const { language, has_scripts, thanks } of [
  { language: 'ja', has_scripts: true, thanks: '受け付けました' },
  { language: 'en', has_scripts: false, thanks: 'Received' },
]) {
  test(`a browser ${has_scripts ? 'with' : 'without'} the scripts fills in, saves, goes on, sends and changes; each page can be used by everybody`, async () => {
    const { id, path } = await open(REPAIR, { allow_edit_hours: 1 });
    const { page, complaints } = await watchedPage();
    // The page's own policy lets no script of others in; the judge is one.
    await page.setBypassCSP(true);
    await page.setRequestInterception(true);
    page.on('request', (request) =>
      !has_scripts && /\/f\/\w+\.js$/.test(request.url()) ? request.abort() : request.continue(),
    );
    await page.goto(`${app.base_url}${path}?lang=${language}`);
    await judged(page);
    await page.click('#f-kind-1');
    if (has_scripts)
      assert.equal(
        await page.$eval('[data-field="model"]', (each) => 'hidden' in each && each.hidden),
        false,
      );
    else await next(page);
    await page.type('#f-model', 'X-1');
    await next(page);
    await next(page);
    // It gets the focus when the browser draws the page, which may be after its load.
    await page.waitForSelector('.summary:focus');
    await judged(page);
    await page.$eval('#f-since', (each) => each.setAttribute('value', '2026-04-30'));
    const papers = (await page.$('input#f-papers'))!;
    await papers.uploadFile(photo);
    await next(page);
    await page.type('#f-seats', 'three');
    await press(page, 'button[value="back"]');
    assert.equal(await page.$eval('#f-since', (each) => each.getAttribute('value')), '2026-04-30');
    await next(page);
    await press(page, 'button[value="save"]');
    await judged(page);
    await press(page, '.questions .link a');
    assert.equal(await page.$eval('#f-seats', (each) => each.getAttribute('value')), 'three');
    await judged(page);
    await page.$eval('#f-seats', (each) => each.setAttribute('value', '3'));
    await next(page);
    assert.equal(await textOf(page, 'h1'), thanks);
    await judged(page);
    await press(page, 'a[href*="edit"]');
    await judged(page);
    if (!has_scripts) await next(page);
    await page.$eval('#f-model', (each) => each.setAttribute('value', 'X-2'));
    await next(page);
    await next(page);
    await next(page);
    assert.match((await textOf(page, 'dl.answers'))!, /X-2/);
    await judged(page);
    const [response] = await stored(id);
    const { kind, model, since, seats } = response!.data;
    assert.deepEqual([kind, model, since, seats], ['repair', 'X-2', '2026-04-30', '3']);
    // Faults have a status of their own, of which the browser complains.
    const own = complaints.filter((each) => !each.includes('status of 422'));
    assert.deepEqual(has_scripts ? own : [], []);
    await page.close();
  });
}

test('so can the pages of what cannot be filled in', async () => {
  const { id, path } = await open(REPAIR);
  const recipients = [{ email: 'hanako@example.co.jp' }];
  const made = (await owner.post(`/forms/${id}/invitations`, { recipients })).body.invitations;
  const invitation = new URL(made[0].url).search;
  await query('UPDATE forms_invitations SET revoked_at = now() WHERE form_id = $1', [id]);
  const closed = await open(REPAIR);
  await query("UPDATE forms_settings SET closes_at = now() - interval '1 hour' WHERE form_id = $1", [
    closed.id,
  ]);
  for (const address of [`${path}${invitation}`, closed.path, `${path}-none`, `/f/r/${'A'.repeat(43)}`]) {
    await judgeAt(app.base_url + address);
  }
});
