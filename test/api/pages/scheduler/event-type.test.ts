import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../../support/app.ts';
import {
  FRIDAY,
  FRIDAY_LATER,
  formKeyOf,
  linksOf,
  NOW,
  newBookingSite,
  textOf,
} from '../../../support/booking-site.ts';
import { visitor } from '../../../support/forms.ts';

const app = await startApp({ now: () => NOW });
const site = await newBookingSite(app, { cancel_policy: '前日の18時まで。' });
const guest = visitor(app);
const count = async () => (await site.get('/scheduler/bookings')).body.total;

await site.eventType({
  title: '相談 <script>',
  slug: 'talk',
  locations: [
    { type: 'in_person', label: '本社', value: '東京都千代田区千代田1-1' },
    { type: 'phone_guest' },
  ],
  questions: [
    { id: 'topic', label: 'ご相談内容', type: 'long_text', required: true },
    { id: 'want', label: '機能', type: 'multi_choice', options: ['請求書', '勤怠'] },
  ],
  max_additional_guests: 2,
});
await site.eventType({ slug: 'quick', duration_options: [60] });
const talk = site.page('talk');
const quick = site.page('quick');
const answers = { 'answer-topic': '見積もり' };

describe('the page of an organization', () => {
  test('lists what can be booked, and nothing that cannot', async () => {
    await site.eventType({ title: '休止中', slug: 'paused', is_active: false });
    const reply = await guest.get(site.pages);
    assert.ok(linksOf(reply).includes(talk));
    assert.match(reply.html, /相談 &#60;script&#62;/);
    assert.doesNotMatch(reply.html, /休止中/);
    assert.equal((await guest.get(site.page('paused'))).status, 404);
    assert.equal((await guest.get('/p/nobody-here')).status, 404);
  });

  test('may be listed by search engines, sets no cookie, and is shown in nobody else’s frame', async () => {
    for (const path of [site.pages, talk]) {
      const { headers } = await guest.get(path);
      assert.equal(headers.get('x-robots-tag'), null);
      assert.deepEqual(headers.getSetCookie(), []);
      assert.match(headers.get('content-security-policy')!, /frame-ancestors 'none'/);
    }
  });
});

describe('the page of an event type', () => {
  test('shows the first free day, its times, and what has to be known before', async () => {
    const reply = await guest.get(`${quick}?lang=en`);
    const text = textOf(reply);
    assert.match(text, /Thu, 26 November 2026 11:00 11:30/);
    assert.match(text, /30 minutes 1 hour/);
    assert.match(reply.html, /<time datetime="2026-11-26T11:00:00\+09:00">11:00<\/time>/);
    assert.match(text, /Times are in Japan Standard Time/);
    assert.match(textOf(await guest.get(talk)), /前日の18時まで/);
  });

  test('shows the times in another zone, and of another length', async () => {
    const reply = await guest.get(
      `${quick}?time_zone=Europe/Paris&duration_minutes=60&date=2026-11-27&lang=en`,
    );
    const { html } = reply;
    assert.match(html, /<time datetime="2026-11-27T01:00:00\+01:00">1:00<\/time>/);
    const href = `${quick}?lang=en&time_zone=Europe%2FParis&duration_minutes=60&start=2026-11-27T00%3A00%3A00.000Z#main`;
    assert.ok(linksOf(reply).includes(href));
    assert.match(html, /Central European Time/);
  });

  test('tells of a day without times the next free one', async () => {
    const text = textOf(await guest.get(`${quick}?date=2026-11-28&lang=en`));
    assert.match(text, /no free times on Sat, 28 November 2026/);
    assert.match(text, /Next free day: Mon, 30 November 2026/);
  });

  test('tells of a month without times, and leads on', async () => {
    const text = textOf(await guest.get(`${quick}?month=2027-06&lang=en`));
    assert.match(text, /no free times in June 2027/);
    assert.match(text, /Look at August 2027/);
  });

  test('ignores what it does not know', async () => {
    const reply = await guest.get(
      `${quick}?utm_source=mail&time_zone=Nowhere&date=2026-02-30&month=13&start=soon&duration_minutes=7`,
    );
    assert.equal(reply.status, 200);
    assert.match(textOf(reply), /11:00 11:30/);
  });

  test('speaks the language that is asked for, else the type’s, else the browser’s', async () => {
    await site.eventType({ title: 'Interview', slug: 'interview', locale: 'en' });
    const languageOf = async (path: string, accepted: string) =>
      (await guest.get(path, { 'Accept-Language': accepted })).headers.get('content-language');
    assert.equal(await languageOf(site.page('interview'), 'ja'), 'en');
    assert.equal(await languageOf(`${site.page('interview')}?lang=ja`, 'en'), 'ja');
    assert.equal(await languageOf(quick, 'ja'), 'ja');
    assert.equal(await languageOf(quick, 'en'), 'en');
  });

  test('keeps what was chosen when the language changes', async () => {
    const reply = await guest.get(`${quick}?time_zone=Europe/Paris&date=2026-11-27&lang=en`);
    assert.ok(linksOf(reply).includes(`${quick}?lang=ja&time_zone=Europe%2FParis&date=2026-11-27`));
  });

  test('tells the location itself to nobody who has not booked', async () => {
    const { html } = await guest.get(`${talk}?start=${FRIDAY}`);
    assert.match(html, /本社/);
    assert.doesNotMatch(html, /千代田/);
  });

  test('shows other times where the one of an old link is gone', async () => {
    const text = textOf(await guest.get(`${quick}?start=2026-11-28T01:00:00.000Z&lang=en`));
    assert.match(text, /taken just now/);
    assert.match(text, /Next free day: Mon,/);
  });

  test('is where the API sends browsers, from the paths of pages alone', async () => {
    const ask = (path: string, Accept: string) => app.anonymous.get(`/scheduler${path}`, { Accept });
    for (const path of [site.pages, quick]) {
      const sent = await ask(path, 'text/html');
      assert.deepEqual([sent.status, sent.headers.get('location')], [302, path]);
      assert.equal((await ask(path, 'application/json')).status, 200);
    }
    assert.equal((await ask(`${quick}/slots`, 'text/html')).status, 200);
  });
});

describe('the form', () => {
  test('books once, and the second submit leads to the first booking', async () => {
    const before = await count();
    const fields = await site.filled(talk, { ...answers, additional_guests: 'a@example.jp\r\nb@example.jp' });
    const first = await guest.send(talk, fields);
    assert.equal(first.status, 303, first.html);
    assert.match(first.headers.get('location')!, /^\/b\/[\w-]{43}$/);
    const second = await guest.send(talk, fields);
    assert.deepEqual([second.status, second.headers.get('location')], [303, first.headers.get('location')]);
    assert.equal(await count(), before + 1);
    const [booking] = (await site.get('/scheduler/bookings?limit=1')).body.items;
    assert.deepEqual(booking.answers, { topic: '見積もり' });
    assert.deepEqual(booking.additional_guests, ['a@example.jp', 'b@example.jp']);
    assert.deepEqual(booking.guest, {
      name: '佐藤 花子',
      email: 'hanako@example.jp',
      time_zone: 'Asia/Tokyo',
      locale: 'en',
      phone: null,
    });
  });

  test('books once when it is sent twice at the same moment', async () => {
    const before = await count();
    const fields = await site.filled(quick, { start: '2026-12-01T01:00:00.000Z' });
    const replies = await Promise.all(Array.from({ length: 6 }, () => guest.send(quick, fields)));
    assert.deepEqual([...new Set(replies.map(({ status }) => status))], [303]);
    assert.equal(new Set(replies.map(({ headers }) => headers.get('location'))).size, 1);
    assert.equal(await count(), before + 1);
  });

  test('says what is wrong beside the fields, and keeps what was entered', async () => {
    const fields = await site.filled(talk, {
      start: FRIDAY_LATER,
      name: ' ',
      email: 'no address',
      location_type: 'phone_guest',
      additional_guests: 'nobody',
      'answer-want': '請求書',
    });
    const reply = await guest.send(`${talk}?lang=en`, fields);
    assert.equal(reply.status, 422);
    const saidOf = (html: string) =>
      [...html.matchAll(/id="([\w-]+)-fault">([^<]+)</g)].map(([, name, said]) => [name, said]);
    assert.deepEqual(saidOf(reply.html), [
      ['name', 'Fill this in.'],
      ['email', 'This does not have the right form.'],
      ['phone', 'Fill this in.'],
      ['additional_guests', 'This does not have the right form.'],
      ['answer-topic', 'Fill this in.'],
    ]);
    const japanese = await guest.send(`${talk}?lang=ja`, { ...fields, email: '' });
    assert.deepEqual(saidOf(japanese.html).slice(0, 2), [
      ['name', '入力してください。'],
      ['email', '入力してください。'],
    ]);
    assert.match(reply.html, /value="no address"/);
    assert.match(reply.html, /value="請求書"\s+checked/);
    assert.match(reply.html, /value="phone_guest" required checked/);
    assert.equal(formKeyOf(reply.html), fields['form_key']);
    assert.match(reply.html, />Phone number<[\s\S]*If you are to be called\. With its country code\./);
  });

  test('offers other times where somebody was faster, and keeps what was entered', async () => {
    const start = '2026-12-02T01:00:00.000Z';
    const fields = await site.filled(talk, { ...answers, start, name: '遅い人' });
    await site.booked(talk, { ...answers, start });
    const reply = await guest.send(`${talk}?lang=ja`, fields);
    assert.equal(reply.status, 409);
    assert.match(reply.html, /ちょうど埋まりました/);
    assert.match(reply.html, /value="遅い人"/);
    const [, other] = /name="start" value="([^"]+)"/.exec(reply.html)!;
    assert.equal(other, '2026-12-02T00:00:00.000Z');
    const moved = await guest.send(talk, { ...fields, start: other! });
    assert.equal(moved.status, 303, moved.html);
  });

  test('takes no form of another site', async () => {
    const fields = await site.filled(quick, { start: '2026-12-03T01:00:00.000Z' });
    const reply = await guest.send(quick, fields, { Origin: 'https://elsewhere.example' });
    assert.equal(reply.status, 403);
  });

  test('leads to its booking wherever its key is sent again', async () => {
    const site = await newBookingSite(app);
    const [one, other] = [await site.eventType({ slug: 'one' }), await site.eventType({ slug: 'other' })];
    const fields = await site.filled(site.page(one.slug));
    const guest = visitor(app);
    const sent = async (slug: string) => (await guest.send(site.page(slug), fields)).headers.get('location');
    const first = await sent(one.slug);
    assert.match(first!, /^\/b\//);
    assert.equal(await sent(other.slug), first);
  });

  test('takes the longest answers that there are', async () => {
    const long = 'あ'.repeat(5_000);
    await site.booked(talk, { start: '2026-12-04T01:00:00.000Z', 'answer-topic': long });
    const [booking] = (await site.get('/scheduler/bookings?limit=1')).body.items;
    assert.equal(booking.answers.topic, long);
  });
});

describe('a type that asks for confirmation, and one with seats', () => {
  test('says before and after that the booking waits', async () => {
    await site.eventType({ slug: 'manual', confirmation: { mode: 'manual' } });
    const page = site.page('manual');
    assert.match(textOf(await guest.get(`${page}?lang=en`)), /waits until we confirm it/);
    const path = await site.booked(page, { start: '2026-12-07T01:00:00.000Z' });
    assert.match(textOf(await guest.get(`${path}?lang=en`)), /Waits for confirmation/);
  });

  test('tells how many seats are left, and who has one already', async () => {
    await site.eventType({ slug: 'seats', seats_per_slot: 3 });
    const page = site.page('seats');
    const start = '2026-12-08T01:00:00.000Z';
    await site.booked(page, { start });
    assert.match(textOf(await guest.get(`${page}?date=2026-12-08&lang=en`)), /10:00 2 seats left/);
    const again = await guest.send(`${page}?lang=en`, await site.filled(page, { start }));
    assert.equal(again.status, 409);
    assert.match(again.html, /have a booking at this time already/);
  });
});

describe('settings', () => {
  test('give the page its colour, its clock, its first day of the week and its frames', async () => {
    const other = await newBookingSite(app, {
      color: '#FFE600',
      time_format: '12',
      week_starts_on: 'monday',
      embed_origins: ['https://www.example.co.jp'],
    });
    await other.eventType({ slug: 'talk' });
    const reply = await guest.get(`${other.page('talk')}?lang=en`);
    const policy = reply.headers.get('content-security-policy')!;
    assert.match(policy, /frame-ancestors https:\/\/www\.example\.co\.jp(;|$)/);
    assert.match(policy, /style-src 'self' 'sha256-/);
    assert.match(reply.html, /--fill:#ffe600;--on:#000000/);
    assert.match(textOf(reply), /Mon Tue Wed Thu Fri Sat Sun/);
    assert.match(textOf(reply), /11:00 am/);
  });
});
