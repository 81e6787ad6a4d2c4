import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../support/app.ts';
import { watchedPage } from '../../../support/browser.ts';
import { EVERY_FIELD } from '../../../support/every-field.ts';
import { visitor } from '../../../support/forms.ts';
import { judge, judgeAt } from '../../../support/page-judges.ts';
import { storedForm } from '../../../support/stored-responses.ts';
import { faultsOf } from '../../../support/valid-html.ts';

const app = await startApp();
const { organization_id } = (await app.actor()).actor;
const [organization] = await app.database.withConnection(organization_id, ({ query }) =>
  query<{ slug: string }>('SELECT slug FROM organizations WHERE id = $1', [organization_id]),
);
const id = await storedForm({ database: app.database, organization_id }, { schema: EVERY_FIELD });
const path = `/f/${organization!.slug}/${id.replace('_', '-')}`;

test('a step with a field of each type, and with its faults, is valid HTML', async () => {
  const guest = visitor(app);
  const page = await guest.get(path);
  const token = /name="form_token" value="([^"]+)"/.exec(page.html)![1]!.replaceAll('&#61;', '=');
  const wrong = await guest.send(path, { form_token: token, step: 'all.0', answers: '{}', action: 'next' });
  assert.equal(wrong.status, 422);
  assert.deepEqual(faultsOf([page.html, wrong.html]), []);
});

test('it can be used by everybody, narrow and wide, with the scripts on and with its faults', async () => {
  const { page } = await watchedPage();
  await page.setBypassCSP(true);
  for (const [language, width] of [
    ['ja', 320],
    ['en', 1280],
  ] as const) {
    await page.setViewport({ width, height: 800 });
    await page.goto(`${app.base_url}${path}?lang=${language}`);
    assert.equal(await page.$eval('[data-field="more"]', (each) => each.hasAttribute('hidden')), true);
    await judge(page);
    await page.click('#f-agree-0');
    assert.equal(await page.$eval('[data-field="more"]', (each) => each.hasAttribute('hidden')), false);
    await Promise.all([page.waitForNavigation(), page.click('button[value="next"]')]);
    // It gets the focus when the browser draws the page, which may be after its load.
    await page.waitForSelector('.summary:focus');
    await judge(page);
    const wrong = await page.$$eval('[id^="f-home."][aria-invalid="true"]', (parts) =>
      parts.map(({ id }) => id.slice('f-home.'.length)),
    );
    assert.deepEqual(wrong, ['postal_code', 'prefecture', 'city', 'address_line']);
    // The whole cell of a table takes a touch.
    const cell = (await page.$('label:has([id="f-grid.x-0"])'))!;
    await cell.click({ offset: { x: 4, y: 4 } });
    assert.equal(await page.$eval('[id="f-grid.x-0"]', (each) => 'checked' in each && each.checked), true);
  }
  await page.close();
});

test('so can what was saved of it, its link and the form that goes on', async () => {
  const guest = visitor(app);
  const { html } = await guest.get(path);
  const token = /name="form_token" value="([^"]+)"/.exec(html)![1]!.replaceAll('&#61;', '=');
  const sent = { form_token: token, step: 'all.0', answers: '{}', 'f-short': 'x', action: 'save' };
  const told = (await guest.send(path, sent)).headers.get('location')!;
  const pages: string[] = [];
  for (const address of [told, told.split('?')[0]!]) {
    pages.push((await guest.get(address)).html);
    await judgeAt(app.base_url + address);
  }
  assert.deepEqual(faultsOf(pages), []);
});
