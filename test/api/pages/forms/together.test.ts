import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { defaultSettings } from '../../../../shared/forms/settings/record.ts';
import { startApp } from '../../../support/app.ts';
import { formPagesOf } from '../../../support/form-pages.ts';
import { gatheringDatabase } from '../../../support/gathering.ts';

const own = await gatheringDatabase();
const app = await startApp({ database: own });
after(() => own.drop());
const { open, go, guest, stored } = await formPagesOf(app, (await app.actor()).actor);

const MANY = 24;
const spam = { ...defaultSettings.spam, min_seconds: 0, challenge: 'off' };
const schema = (max_length: number) => ({
  version: 1,
  locale: 'ja',
  pages: [{ id: 'one', fields: [{ id: 'text', type: 'long_text', label: '内容', max_length }] }],
});

/** Opens the page as often, and sends what is filled in: all others while the first one waits to be written. */
async function sendAll(path: string, texts: readonly string[]) {
  const pages = await Promise.all(texts.map(() => guest.get(path)));
  const sending = pages.map((page, n) => () => go(path, page, { 'f-text': texts[n]! }));
  return own.whileTheFirstWaits('forms_responses', sending);
}

test('pages that are sent at once are written together, each as its own response', async () => {
  const { id, path } = await open(schema(100), { spam });
  const first = await go(path, await guest.get(path), { 'f-text': '鍵を作る' });
  assert.equal(first.status, 303);
  const texts = Array.from({ length: MANY }, (_, n) => `回答${n}`);
  const replies = await sendAll(path, texts);
  assert.deepEqual([...new Set(replies.map(({ status }) => status))], [303]);
  const writes = own.asked().filter((text) => text.includes('forms_admit_addresses')).length;
  assert.equal(writes, 2);
  const kept = await stored(id);
  assert.deepEqual(kept.map(({ data }) => data['text']).toSorted(), ['鍵を作る', ...texts].toSorted());
  assert.deepEqual([...new Set(kept.map(({ source }) => source))], ['page']);
});

test('where an address has sent its number, its page is told so, and no more are stored', async () => {
  const { id, path } = await open(schema(100), { spam: { ...spam, per_address: 5 } });
  const replies = await sendAll(
    path,
    Array.from({ length: MANY }, (_, n) => `回答${n}`),
  );
  const refused = replies.filter(({ status }) => status !== 303);
  assert.equal(refused.length, MANY - 5);
  for (const { html } of refused) assert.ok(html.includes('短い時間に多くの送信がありました'), html);
  assert.equal((await stored(id)).length, 5);
});
