import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import sharp from 'sharp';
import { startApp } from '../../../support/app.ts';
import { textOf } from '../../../support/booking-site.ts';
import { visitor } from '../../../support/forms.ts';
import { CONTRACT_FIELDS, hiddenIn, inputsIn, sentDocument } from '../../../support/signing-pages.ts';

let now = new Date('2026-12-01T01:00:00.000Z');
const app = await startApp({ now: () => now });

const open = { name: '佐藤 花子', email: 'hanako@example.jp', auth: 'none' };

/** A guest who has opened a document by its page. */
async function opened(path: string) {
  const guest = visitor(app);
  const reply = await guest.send(path, { action: 'open' });
  assert.equal(reply.status, 303, reply.html);
  const { html } = await guest.get(path);
  return { guest, html, hidden: hiddenIn(html), inputs: inputsIn(html) };
}

const statusOf = async ({ sender, id }: Awaited<ReturnType<typeof sentDocument>>) =>
  (await sender.get(`/sign/documents/${id}`)).body.document;

describe('GET', () => {
  test('200: before access it tells who asks, and changes nothing', async () => {
    const sent = await sentDocument(app, { message: '秘密の本文', signers: [open] });
    const reply = await visitor(app).get(sent.pages['s1']!);
    assert.equal(reply.status, 200);
    const text = textOf(reply);
    assert.match(text, /業務委託契約書/);
    assert.match(text, /h\*\*\*@example\.jp/);
    assert.match(text, /期限\s*2027年3月1日\(月\) 24:00（日本標準時）/);
    assert.doesNotMatch(reply.html, /秘密の本文|hanako@|document_sha256/);
    assert.equal((await statusOf(sent)).signers[0].status, 'notified');
  });

  test('404: an unknown link, as a page', async () => {
    const reply = await visitor(app).get(`/sign/${'x'.repeat(43)}`);
    assert.equal(reply.status, 404);
    assert.match(reply.headers.get('content-type')!, /html/);
  });

  test('200: after the expiry nothing can be opened any more', async () => {
    const sent = await sentDocument(app, { signers: [open], expires_at: '2026-12-02T00:00:00.000Z' });
    now = new Date('2026-12-02T00:00:00.000Z');
    const guest = visitor(app);
    assert.match(textOf(await guest.get(sent.pages['s1']!)), /期限が過ぎました/);
    const reply = await guest.send(sent.pages['s1']!, { action: 'open' });
    now = new Date('2026-12-01T01:00:00.000Z');
    assert.equal(reply.status, 409);
  });
});

describe('the language', () => {
  test('is that which is asked for, also of the consent', async () => {
    const { pages } = await sentDocument(app, { signers: [open] });
    const { guest } = await opened(pages['s1']!);
    const consentIn = async (language: string) =>
      /class="consent"><p>([^<]*)</.exec((await guest.get(`${pages['s1']}?lang=${language}`)).html)?.[1];
    assert.match((await consentIn('en')) ?? '', /^I have read the document/);
    assert.match((await consentIn('ja')) ?? '', /電子署名により同意します/);
  });
});

describe('POST', () => {
  test('303: opens with the code; a wrong one says how many are left', async () => {
    const signer = { ...open, auth: 'access_code', access_code: '4217-aoba' };
    const { pages } = await sentDocument(app, { signers: [signer] });
    const guest = visitor(app);
    const wrong = await guest.send(pages['s1']!, { action: 'open', access_code: '4217' });
    assert.equal(wrong.status, 403);
    assert.match(textOf(wrong), /コードが正しくありません。あと4回/);
    assert.equal((await guest.send(pages['s1']!, { action: 'open', access_code: '4217-aoba' })).status, 303);
    assert.match((await guest.get(pages['s1']!)).html, /name="document_sha256"/);
    assert.doesNotMatch((await visitor(app).get(pages['s1']!)).html, /name="document_sha256"/);
  });

  test('303: asks for a code by mail, and says where it went; the next one has to wait', async () => {
    const { pages } = await sentDocument(app, { signers: [{ ...open, auth: 'email_otp' }] });
    const guest = visitor(app);
    const sent = await guest.send(pages['s1']!, { action: 'send_code' });
    assert.equal(sent.status, 303, sent.html);
    const shown = await guest.get(sent.headers.get('location')!);
    assert.match(textOf(shown), /h\*\*\*@example\.jp に送信した6桁の数字/);
    const again = await guest.send(pages['s1']!, { action: 'send_code' });
    assert.equal(again.status, 429);
    assert.match(textOf(again), /30秒に1回/);
  });

  test('days stand under the labels of their fields, and hints are told as each language lists them', async () => {
    const fields = CONTRACT_FIELDS.map((field) =>
      field.key === 'day' ? { ...field, label: '契約日' } : field,
    );
    const place = { page: 1, x: 0.2, y: 0.6, w: 0.2, h: 0.025 };
    const number = { key: 'count', signer: 's1', type: 'number', ...place, validation: { min: 1, max: 9 } };
    const { pages } = await sentDocument(app, { signers: [open], fields: [...fields, number] });
    const { html, guest, hidden, inputs } = await opened(pages['s1']!);
    assert.match(html, /data-type="date" data-label="契約日"[^>]*>契約日: /);
    assert.match(html, /1以上、9以下/);
    const reply = await guest.send(pages['s1']!, { ...hidden, [inputs['数値']!]: '１０' });
    assert.match(textOf(reply), /数値\s*:?\s*大きすぎます。/);
  });

  test('422: all that is wrong at once, with what was entered', async () => {
    const { pages } = await sentDocument(app, { signers: [open], fields: CONTRACT_FIELDS });
    const { guest, hidden, inputs } = await opened(pages['s1']!);
    const reply = await guest.send(pages['s1']!, {
      ...hidden,
      [inputs['郵便番号']!]: 'まちがい',
      [inputs['住所']!]: '東京都港区芝1-2-3',
    });
    assert.equal(reply.status, 422);
    const text = textOf(reply);
    for (const label of [
      '郵便番号',
      '署名',
      '氏名',
      '個人情報の取り扱いを読みました',
      '支払い方法',
      '同意する',
    ]) {
      assert.match(reply.html, new RegExp(`<li><a href="#[^"]+">${label}</a>`), `${label}: ${text}`);
    }
    assert.match(reply.html, /value="まちがい"/);
    assert.match(reply.html, /東京都港区芝1-2-3/);
  });

  test('303: signs what was shown, a signature in all of its places', async () => {
    const sent = await sentDocument(app, { signers: [open], fields: CONTRACT_FIELDS });
    const path = sent.pages['s1']!;
    const { guest, hidden, inputs } = await opened(path);
    const reply = await guest.send(path, {
      ...hidden,
      [inputs['郵便番号']!]: '105-0014',
      [inputs['住所']!]: '東京都港区芝1-2-3',
      [inputs['氏名']!]: '佐藤 花子',
      [inputs['署名']!]: '佐藤 花子',
      [inputs['個人情報の取り扱いを読みました']!]: 'yes',
      [inputs['支払い方法']!]: '銀行振込',
      consent: 'yes',
    });
    assert.equal(reply.status, 303, textOf(reply));
    assert.match(textOf(await guest.get(path)), /署名が完了しました/);
    const { fields, signers } = await statusOf(sent);
    const values = Object.fromEntries(
      fields.map((field: Record<string, string>) => [field['key'], field['value']]),
    );
    assert.deepEqual(values['sign'], { kind: 'typed', text: '佐藤 花子' });
    assert.deepEqual(values['again'], values['sign']);
    assert.deepEqual(
      [values['day'], values['read'], values['pay'], values['term'], values['stamp']],
      ['2026-12-01', true, '銀行振込', null, null],
    );
    assert.equal(signers[0].status, 'signed');
  });

  test('303: takes a picture of a signature; one that is none is told at its field', async () => {
    const sent = await sentDocument(app, { signers: [open] });
    const { guest, hidden, inputs } = await opened(sent.pages['s1']!);
    const name = inputs['署名']!;
    const withImage = (bytes: Uint8Array<ArrayBuffer>) => {
      const form = new FormData();
      for (const [key, value] of Object.entries({ ...hidden, consent: 'yes', [`${name}-way`]: 'image' }))
        form.append(key, value);
      form.append(`${name}-image`, new Blob([bytes], { type: 'image/png' }), '署名.png');
      return form;
    };
    const none = await guest.send(sent.pages['s1']!, withImage(new TextEncoder().encode('no picture')));
    assert.equal(none.status, 422, none.html);
    assert.match(none.html, /<li><a href="#[^"]+">署名<\/a>/);
    const pixels = { width: 40, height: 20, channels: 4, background: '#1d4ed8' } as const;
    const png = await sharp({ create: pixels }).png().toBuffer();
    const reply = await guest.send(sent.pages['s1']!, withImage(new Uint8Array(png)));
    assert.equal(reply.status, 303, textOf(reply));
    const { value } = (await statusOf(sent)).fields[0];
    assert.equal(value.kind, 'image');
    const { width, height } = await sharp(Buffer.from(value.data, 'base64')).metadata();
    assert.deepEqual([width, height], [40, 20]);
  });

  test('409: another consent than the one that counts is not taken, and the box is to be ticked anew', async () => {
    const { pages } = await sentDocument(app, { signers: [open] });
    const { guest, hidden, inputs } = await opened(pages['s1']!);
    const sent = { ...hidden, consent_version: '2020-01-01', consent: 'yes', [inputs['署名']!]: '佐藤' };
    const reply = await guest.send(pages['s1']!, sent);
    assert.equal(reply.status, 409);
    assert.match(textOf(reply), /同意文が改定されました/);
    assert.match(reply.html, /value="佐藤"/);
    assert.doesNotMatch(reply.html, /id="consent"[^>]*checked/);
  });

  test('303: declines with a reason; without one it is asked for', async () => {
    const sent = await sentDocument(app, { signers: [open] });
    const { guest } = await opened(sent.pages['s1']!);
    assert.equal((await guest.send(sent.pages['s1']!, { action: 'decline', reason: ' ' })).status, 422);
    const reply = await guest.send(sent.pages['s1']!, { action: 'decline', reason: '条件が違います' });
    assert.equal(reply.status, 303, reply.html);
    assert.match(textOf(await guest.get(sent.pages['s1']!)), /辞退しました/);
    assert.equal((await statusOf(sent)).signers[0].decline_reason, '条件が違います');
  });

  test('200: passes the document on, where that is allowed; the link is dead then', async () => {
    const sent = await sentDocument(app, { signers: [open], allow_forward: true });
    const { guest } = await opened(sent.pages['s1']!);
    const person = { action: 'forward', name: '鈴木 次郎', email: 'jiro@example.jp' };
    const reply = await guest.send(sent.pages['s1']!, person);
    assert.equal(reply.status, 200, reply.html);
    assert.match(textOf(reply), /引き継ぎました/);
    assert.equal((await guest.get(sent.pages['s1']!)).status, 404);
    assert.equal((await statusOf(sent)).signers[0].name, '鈴木 次郎');
  });
});
