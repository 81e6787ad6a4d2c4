import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, describe, test } from 'node:test';
import { startApp } from '../../../support/app.ts';
import { NOW, newBookingSite } from '../../../support/booking-site.ts';
import { freshBrowser, watchedPage } from '../../../support/browser.ts';
import { visitor } from '../../../support/forms.ts';
import { follow, judge, judgeAt, tabTo } from '../../../support/page-judges.ts';

let now = NOW;
const app = await startApp({ now: () => now });
/** A page of another site that shows a booking page in a frame. */
const elsewhere = createServer((request, response) => {
  response.setHeader('Content-Type', 'text/html');
  response.end(
    `<iframe title="booking" src="${app.base_url}${request.url}" width="800" height="600"></iframe>`,
  );
});
await new Promise<void>((listening) => elsewhere.listen(0, '127.0.0.1', listening));
after(() => elsewhere.close());
const { port } = elsewhere.address() as { port: number };
const EMBEDDING = `http://127.0.0.1:${port}`;

const site = await newBookingSite(app, {
  color: '#ffe600',
  cancel_policy: '前日の18時まで。',
  embed_origins: [EMBEDDING],
});
const { id: talk_id } = await site.eventType({
  title: '導入相談',
  slug: 'talk',
  description: 'お困りごとをうかがいます。\n\n資料は不要です。',
  duration_options: [60],
  locations: [{ type: 'in_person', label: '本社' }, { type: 'phone_guest' }],
  questions: [
    { id: 'topic', label: 'ご相談内容', type: 'long_text', required: true },
    { id: 'size', label: '従業員数', type: 'single_choice', options: ['1〜9名', '10名以上'] },
    { id: 'want', label: '機能', type: 'multi_choice', options: ['請求書', '勤怠'] },
    { id: 'first', label: '初めてですか', type: 'yes_no' },
    { id: 'people', label: '人数', type: 'number' },
  ],
  max_additional_guests: 2,
});
await site.eventType({ title: '見学会', slug: 'seats', seats_per_slot: 5 });
await site.eventType({ title: '面談', slug: 'quick', confirmation: { mode: 'manual' } });
const talk = site.page('talk');
const quick = site.page('quick');
const answers = { 'answer-topic': '見積もり', 'answer-first': 'yes', 'answer-want': '勤怠' };
const booked = await site.booked(talk, answers);
const cancelled = await site.booked(talk, { ...answers, start: '2026-12-01T01:00:00.000Z' });
await visitor(app).send(cancelled, { action: 'cancel', reason: '急用のため' });

/** Proposes times, and answers the path of the page. */
async function propose(starts: readonly string[], more: object = {}): Promise<string> {
  const { guest_url } = await site.done('POST', '/proposals', {
    event_type_id: talk_id,
    candidates: starts.map((start) => ({ start })),
    guest: { name: '佐藤 花子', email: 'hanako@example.jp' },
    message: '次の日時はいかがでしょうか。',
    ...more,
  });
  return new URL(guest_url).pathname;
}
const openProposal = await propose(['2026-12-14T01:00:00.000Z', '2026-12-14T02:00:00.000Z']);
const accepted = await propose(['2026-12-15T01:00:00.000Z']);
const accepting = { action: 'accept', start: '2026-12-15T01:00:00.000Z', 'answer-topic': '契約' };
assert.equal((await visitor(app).send(accepted, accepting)).status, 303);
const declined = await propose(['2026-12-16T01:00:00.000Z']);
assert.equal((await visitor(app).send(declined, { action: 'decline', reason: '' })).status, 303);
const start = '2026-12-17T01:00:00.000Z';
const partlyTaken = await propose([start, '2026-12-17T05:00:00.000Z'], { hold: 'none' });
const whollyTaken = await propose([start], { hold: 'none' });
await site.booked(talk, { ...answers, start });
const expired = await propose(['2026-12-18T01:00:00.000Z'], { expires_at: '2026-11-26T00:01:00.000Z' });
now = new Date(NOW.getTime() + 120_000);

const places: Record<string, string> = {
  organization: site.pages,
  'event type': talk,
  'event type with seats': `${site.page('seats')}?date=2026-12-01`,
  'day without times': `${talk}?date=2026-11-28`,
  'month without times': `${talk}?month=2027-08`,
  form: `${talk}?start=2026-11-27T05:00:00.000Z`,
  booking: booked,
  'cancelled booking': cancelled,
  'booking that waits': await site.booked(quick, { start: '2026-12-02T01:00:00.000Z' }),
  'other times': `${booked}?move=1`,
  'another time': `${booked}?move=1&start=2026-11-27T05:00:00.000Z`,
  proposal: openProposal,
  'proposal with a time that was taken': partlyTaken,
  'proposal whose times were taken': whollyTaken,
  'accepted proposal': accepted,
  'declined proposal': declined,
  'expired proposal': expired,
};

function withLanguage(path: string, language: string): string {
  return `${app.base_url}${path}${path.includes('?') ? '&' : '?'}lang=${language}`;
}

describe('accessible', () => {
  for (const [name, path] of Object.entries(places)) {
    for (const language of ['ja', 'en']) {
      test(`${name}, ${language}, light and dark, narrow and wide`, () =>
        judgeAt(withLanguage(path, language)));
    }
  }

  for (const language of ['ja', 'en']) {
    test(`a refused form, ${language}`, async () => {
      const { page } = await watchedPage();
      await page.setBypassCSP(true);
      await page.setViewport({ width: 320, height: 800 });
      const start = `2026-12-0${language === 'ja' ? 3 : 4}T01:00:00.000Z`;
      await page.goto(withLanguage(`${talk}?start=${start}`, language));
      await page.type('[name="name"]', '遅い人');
      await page.type('[name="email"]', 'late@example.jp');
      await page.type('[name="answer-topic"]', '見積もり');
      await site.booked(talk, { ...answers, start });
      await Promise.all([page.waitForNavigation(), page.click('.details button')]);
      assert.equal(
        await page.$eval('[name="name"]', (field) => (field as unknown as { value: string }).value),
        '遅い人',
      );
      assert.ok((await page.$$('input[name="start"][type="radio"]')).length > 1);
      await judge(page);
      await page.close();
    });
  }
});

describe('by keyboard alone', () => {
  const days: Record<string, string> = { ja: '2026-12-09', en: '2026-12-10' };
  for (const language of ['ja', 'en']) {
    for (const scripts of [true, false]) {
      test(`a guest books, ${language}, ${scripts ? 'with' : 'without'} JavaScript`, async () => {
        const { page, urls, complaints } = await watchedPage(await freshBrowser());
        await page.setJavaScriptEnabled(scripts);
        await page.emulateTimezone('Asia/Tokyo');
        await page.goto(withLanguage(site.pages, language));
        await follow(page, `a[href*="${talk}"]`);
        await follow(page, '.month a');
        await follow(page, `.days a[href*="date=${days[language]}"]`);
        await follow(page, `.times li:nth-child(${scripts ? 2 : 3}) a`);
        await tabTo(page, '[name="name"]');
        await page.keyboard.type('佐藤 花子');
        await tabTo(page, '[name="email"]');
        await page.keyboard.type(`${language}-${scripts}@example.jp`);
        await tabTo(page, '[name="answer-topic"]');
        await page.keyboard.type('見積もり');
        await tabTo(page, '[name="answer-want"]');
        await page.keyboard.press('Space');
        await follow(page, '.details button');
        assert.match(new URL(page.url()).pathname, /^\/b\//);
        const status = await page.$eval('.status', (found) => found.textContent);
        assert.match(status!, language === 'ja' ? /確定しました/ : /You are booked/);
        // The booking is cancelled from its page, again by keys.
        await tabTo(page, '.cancel summary');
        await page.keyboard.press('Enter');
        await tabTo(page, '[name="reason"]');
        await page.keyboard.type('急用');
        await follow(page, '.cancel button');
        assert.equal((await page.$$('.status.cancelled')).length, 1);
        assert.deepEqual(complaints, []);
        assert.deepEqual(await page.browserContext().cookies(), []);
        assert.deepEqual(
          urls.filter((url) => !url.startsWith(app.base_url) && !url.startsWith('data:')),
          [],
        );
        await page.browserContext().close();
      });
    }
  }
});

describe('a proposal by keyboard alone', () => {
  const days: Record<string, string> = {
    'ja-true': '21',
    'ja-false': '22',
    'en-true': '23',
    'en-false': '24',
  };
  for (const [way, day] of Object.entries(days)) {
    test(`a guest takes the second time, ${way.replace('true', 'with').replace('false', 'without')} JavaScript`, async () => {
      const starts = [`2026-12-${day}T01:00:00.000Z`, `2026-12-${day}T05:00:00.000Z`];
      const path = await propose(starts);
      const { page, complaints } = await watchedPage();
      await page.setJavaScriptEnabled(way.endsWith('true'));
      await page.goto(withLanguage(path, way.slice(0, 2)));
      await tabTo(page, 'input[name="start"]');
      await page.keyboard.press('ArrowDown');
      await tabTo(page, '[name="answer-topic"]');
      await page.keyboard.type('契約');
      await follow(page, '.accept button');
      assert.match(new URL(page.url()).pathname, /^\/b\//);
      assert.equal(
        await page.$eval('dd time', (time) => time.getAttribute('datetime')),
        `2026-12-${day}T14:00:00+09:00`,
      );
      assert.deepEqual(complaints, []);
      await page.close();
    });
  }
});

describe('the time zone', () => {
  test('is that of the browser where it has a script, unless one is chosen', async () => {
    const { page, complaints } = await watchedPage();
    await page.emulateTimezone('America/New_York');
    const shown = page.waitForNavigation();
    await page.goto(withLanguage(quick, 'en'));
    await shown;
    assert.equal(new URL(page.url()).searchParams.get('time_zone'), 'America/New_York');
    assert.match(await page.$eval('main', (main) => main.textContent!), /Eastern Time/);
    await page.goto(`${withLanguage(quick, 'en')}&time_zone=Europe/Paris`);
    assert.match(await page.$eval('main', (main) => main.textContent!), /Central European Time/);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('is chosen by a form where it has none', async () => {
    const { page } = await watchedPage();
    await page.setJavaScriptEnabled(false);
    await page.goto(withLanguage(`${quick}?date=2026-12-03`, 'en'));
    await page.click('.zone summary');
    await page.select('#time_zone', 'Europe/Paris');
    await Promise.all([page.waitForNavigation(), page.click('.zone button')]);
    assert.match(await page.$eval('main', (main) => main.textContent!), /Central European Time/);
    await page.close();
  });
});

describe('in a frame', () => {
  test('of a site that the settings name, a guest books', async () => {
    const { page, complaints } = await watchedPage();
    await page.emulateTimezone('Asia/Tokyo');
    await page.goto(`${EMBEDDING}${quick}?start=2026-12-11T01:00:00.000Z&time_zone=Asia/Tokyo`);
    const frame = page.frames()[1]!;
    await frame.type('[name="name"]', '佐藤 花子');
    await frame.type('[name="email"]', 'hanako@example.jp');
    await Promise.all([frame.waitForNavigation(), frame.click('.details button')]);
    assert.match(new URL(frame.url()).pathname, /^\/b\//);
    assert.equal((await frame.$$('.status.pending')).length, 1);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('of another site it is not shown', async () => {
    const other = await newBookingSite(app);
    await other.eventType({ slug: 'talk' });
    const { page, complaints } = await watchedPage();
    await page.goto(`${EMBEDDING}${other.page('talk')}`);
    assert.match(complaints.join(), /frame-ancestors/);
    assert.equal((await page.frames()[1]!.$$('.booking')).length, 0);
    await page.close();
  });
});
