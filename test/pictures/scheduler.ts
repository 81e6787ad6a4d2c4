import { resolve } from 'node:path';
import { test } from 'node:test';
import { startApp } from '../support/app.ts';
import { NOW, newBookingSite } from '../support/booking-site.ts';
import { watchedPage } from '../support/browser.ts';
import { useJapaneseFonts } from '../support/japanese-fonts.ts';

/** npm run pictures: takes the pictures of the pages for guests that the documentation shows. */
const app = await startApp({ now: () => NOW });
const site = await newBookingSite(app, {
  color: '#2f6f5e',
  cancel_policy: '前日の18時までにご連絡ください。',
});
const { id: event_type_id } = await site.eventType({
  title: 'オンライン相談',
  slug: 'soudan',
  duration_options: [60],
  description: 'お困りごとをうかがい、進め方をご提案します。\n\n資料のご用意は不要です。',
  locations: [{ type: 'link', label: 'Web会議', value: 'https://meet.example/aoba' }],
});
const page = site.page('soudan');
const proposed = await site.done('POST', '/proposals', {
  event_type_id,
  candidates: ['2026-12-03T01:00:00.000Z', '2026-12-03T05:00:00.000Z', '2026-12-04T02:00:00.000Z'].map(
    (start) => ({ start }),
  ),
  guest: { name: '佐藤 花子', email: 'hanako@example.jp' },
  message: '先日はお問い合わせをありがとうございました。\n次の日時はいかがでしょうか。',
});

const pictures = [
  { name: 'booking-page', path: `${page}?date=2026-12-01`, width: 1280 },
  { name: 'booking', path: await site.booked(page), width: 760 },
  { name: 'proposal', path: new URL(proposed.guest_url).pathname, width: 420 },
];

await useJapaneseFonts();

for (const { name, path, width } of pictures) {
  test(`docs/pictures/scheduler-${name}.png`, async () => {
    const { page: shown } = await watchedPage();
    await shown.emulateTimezone('Asia/Tokyo');
    await shown.setViewport({ width, height: 640, deviceScaleFactor: 1.25 });
    await shown.goto(`${app.base_url}${path}${path.includes('?') ? '&' : '?'}lang=ja&time_zone=Asia/Tokyo`);
    const file = resolve(import.meta.dirname, `../../docs/pictures/scheduler-${name}.png`);
    await shown.screenshot({ path: file, fullPage: true });
    await shown.close();
  });
}
