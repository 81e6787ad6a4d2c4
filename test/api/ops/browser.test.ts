import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import type { Page } from 'puppeteer';
import { startApp, type TestApp } from '../../support/app.ts';
import { livelyOperations } from '../../support/lively-operations.ts';
import { mailedCampaign } from '../../support/mailed-campaigns.ts';
import { operatorPage, WITH_OPERATORS } from '../../support/operators.ts';

const app = await startApp({ environment: WITH_OPERATORS });
const lively = await livelyOperations(app.database, new Date());
const stopped = await mailedCampaign(app, await app.actor(), [], { status: 'paused' });
await app.database.withConnection('*', ({ query }) =>
  query("UPDATE mail_campaigns SET pause_reason = 'sending_failed' WHERE id = $1", [stopped]),
);
/** Others, for what changes something. */
const [retrying, pausing, changing] = [await livelyApp(), await livelyApp(), await livelyApp()];

/** One whose workers and schedules have stood still for an hour. */
const stalled = await livelyApp(new Date(Date.now() - 3_600_000));

async function livelyApp(now = new Date()): Promise<TestApp> {
  const own = await startApp({ environment: WITH_OPERATORS });
  await livelyOperations(own.database, now);
  return own;
}

const job = `/ops/jobs/${lively.organization_id}/${lively.failed[0]}`;

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
/** Runs the judge with the rules of WCAG 2.2 AA; answers each that is broken with the places where it is. */
const AXE = `axe.run({ rules: { 'target-size': { enabled: true } } }).then(({ violations }) =>
  violations.map(({ id, nodes }) => [id, ...nodes.map(({ target, failureSummary }) => target + failureSummary)]))`;

const PAGES: Record<string, string> = {
  overview: '/ops',
  'the overview in Japanese': '/ops?lang=ja',
  'jobs in Japanese': '/ops/jobs?lang=ja',
  'a queue': '/ops/queues/email',
  'jobs given up': '/ops/jobs',
  'jobs that run': '/ops/jobs?state=running',
  'a job': job,
  schedules: '/ops/schedules',
  'schedules in Japanese': '/ops/schedules?lang=ja',
  imports: '/ops/imports',
  'imports in Japanese': '/ops/imports?lang=ja',
  'an import': `/ops/imports/${lively.organization_id}/${lively.import_id}`,
  'mails in trouble': '/ops/mails',
  'mails in Japanese': '/ops/mails?lang=ja',
  mailbox: '/ops/mailbox',
  'the question before the mailbox is emptied': '/ops/mailbox/empty',
  'what is not there': '/ops/queues/nothing',
};

describe('accessible', () => {
  for (const [name, path] of Object.entries(PAGES)) {
    test(`${name}, light and dark, on a phone and wide`, async () => {
      const { page } = await operatorPage();
      // The page's own policy lets no foreign script in; the judge is one.
      await page.setBypassCSP(true);
      for (const [scheme, width] of [
        ['light', 320],
        ['dark', 390],
        ['light', 1260],
        ['dark', 1360],
      ] as const) {
        await page.setViewport({ width, height: 800 });
        await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
        await judge(page, app.base_url + path, `${scheme} ${width}`);
      }
      await page.close();
    });
  }
});

async function judge(page: Page, url: string, where: string): Promise<void> {
  await page.goto(url);
  await page.addScriptTag({ path: axe });
  assert.deepEqual(await page.evaluate(AXE), [], where);
  assert.deepEqual(await page.evaluate(TOO_WIDE), [], `more than there is room for: ${where}`);
}

/** The panels with more in them than there is room for. */
const TOO_WIDE = `[document.documentElement, ...document.querySelectorAll('.panel')]
  .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
  .map(({ textContent }) => textContent.slice(0, 40))`;

test('the longest figures of queues and many alarms have room', async () => {
  const { page } = await operatorPage();
  for (const width of [320, 1240, 1260, 1360]) {
    await page.setViewport({ width, height: 800 });
    await page.goto(`${stalled.base_url}/ops`);
    await page.evaluate(`for (const cell of document.querySelectorAll('.panel:has(.chart) td.number'))
      cell.textContent = cell.dataset.label === 'Oldest' ? '23 h 59 min' : '12,345'`);
    assert.deepEqual(await page.evaluate(TOO_WIDE), [], String(width));
  }
  await page.close();
});

describe('by keyboard, without JavaScript', () => {
  test('jobs are chosen, asked about and retried', async () => {
    const { page, urls, complaints } = await operatorPage();
    await page.setJavaScriptEnabled(false);
    await page.goto(`${retrying.base_url}/ops`);
    await walkTo(page, 'jobs were given up');
    await enter(page);
    assert.equal(new URL(page.url()).pathname, '/ops/jobs');
    for (const name of ['Choose mailer.send_mail', 'Choose mailer.send_mail']) {
      await walkTo(page, name);
      await page.keyboard.press('Space');
    }
    await walkTo(page, 'Retry chosen');
    await enter(page);
    assert.equal(await page.$eval('h1', ({ textContent }) => textContent), 'Retry 2 jobs?');
    await walkTo(page, 'Retry 2 jobs');
    await enter(page);
    assert.equal(
      await page.$eval('[role="status"]', ({ textContent }) => textContent),
      '2 jobs will be tried again.',
    );
    assert.equal((await page.$$('[name="chosen"]')).length, 1);
    assert.deepEqual(complaints, []);
    assert.deepEqual(strangers(urls, retrying), []);
    await page.close();
  });

  test('a queue is paused, and goes on', async () => {
    const { page } = await operatorPage();
    await page.setJavaScriptEnabled(false);
    await page.goto(`${pausing.base_url}/ops/queues/csv-import`);
    await walkTo(page, 'Pause csv-import');
    await enter(page);
    assert.match(await page.$eval('main', ({ textContent }) => textContent ?? ''), /Paused since/);
    await walkTo(page, 'Let csv-import go on');
    await enter(page);
    assert.equal((await page.$$('form[action$="/pause"]')).length, 1);
    await page.close();
  });

  test('the first key leads past the navigation, and what has the focus is seen', async () => {
    const { page } = await operatorPage();
    await page.goto(`${app.base_url}/ops`);
    await page.keyboard.press('Tab');
    assert.equal(await focused(page), 'Skip to the content');
    const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle');
    assert.equal(outline, 'solid');
    await page.close();
  });
});

describe('with JavaScript', () => {
  test('the overview takes over what has changed, and holds when it is told to', async () => {
    const { page, complaints } = await operatorPage();
    await page.goto(`${changing.base_url}/ops`);
    const given_up = '.tiles > div:nth-child(5) .figure';
    assert.equal(await page.$eval(given_up, ({ textContent }) => textContent), '3');
    await changing.database.withConnection('*', ({ query }) =>
      query('DELETE FROM outbox WHERE failed_at IS NOT NULL'),
    );
    await page.waitForFunction(`document.querySelector('${given_up}').textContent === '0'`);
    await page.click('[data-live-control] button');
    assert.match(await page.$eval('[data-live-control]', ({ textContent }) => textContent ?? ''), /Held/);
    assert.deepEqual(complaints, []);
    await page.close();
  });
});

test('the page that says that the database is away is accessible, and gives way when it answers', async () => {
  const own = await livelyApp();
  const name = new URL(own.database_url).pathname.slice(1);
  const allow = (allowed: boolean) =>
    app.database.withConnection('*', ({ query }) =>
      query(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS ${allowed}`),
    );
  await allow(false);
  await app.database.withConnection('*', ({ query }) =>
    query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]),
  );
  const { page } = await operatorPage();
  await page.setBypassCSP(true);
  for (const width of [320, 1260]) {
    await page.setViewport({ width, height: 800 });
    await judge(page, `${own.base_url}/ops`, String(width));
    assert.equal(await page.$eval('h1', ({ textContent }) => textContent), 'The database does not answer');
  }
  await allow(true);
  await page.waitForFunction('document.querySelector("h1").textContent === "Overview"');
  await page.close();
});

describe('the board', () => {
  test('loads nothing from elsewhere, breaks no policy, and leads back', async () => {
    const { page, urls, complaints } = await operatorPage();
    await page.goto(`${app.base_url}/ops/board`, { waitUntil: 'networkidle2' });
    await page.waitForSelector('a[href*="queue/csv-import"]');
    await page.goto(`${app.base_url}/ops/board/queue/csv-import`, { waitUntil: 'networkidle2' });
    assert.deepEqual(strangers(urls, app), []);
    assert.deepEqual(complaints, []);
    await page.close();
  });
});

function strangers(urls: readonly string[], { base_url }: TestApp): string[] {
  return urls.filter((url) => !url.startsWith(base_url) && !url.startsWith('data:'));
}

function focused(page: Page): Promise<string> {
  return page.evaluate(
    '(document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent).trim()',
  ) as Promise<string>;
}

/** Presses Tab until the focus is on what says these words. */
async function walkTo(page: Page, words: string): Promise<void> {
  for (let step = 0; step < 80; step++) {
    await page.keyboard.press('Tab');
    if ((await focused(page)).includes(words)) return;
  }
  assert.fail(`The keyboard does not reach ${words}`);
}

async function enter(page: Page): Promise<void> {
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
}
