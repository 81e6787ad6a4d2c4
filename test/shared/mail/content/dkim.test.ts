import assert from 'node:assert/strict';
import { createPublicKey } from 'node:crypto';
import { describe, test } from 'node:test';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { simpleParser } from 'mailparser';
import { type CampaignMail, compileMail } from '../../../../shared/mail/content/compiled.ts';
import { signingWith } from '../../../../shared/mail/content/dkim.ts';
import { newDkimPair } from '../../../../shared/mail/settings/dkim-keys.ts';

const private_key = await newDkimPair();
const record = `v=DKIM1; k=rsa; p=${createPublicKey(private_key).export({ type: 'spki', format: 'der' }).toString('base64')}`;

const source: CampaignMail = {
  number: 1,
  subject: '{{last_name|お客様}}様への春の新商品のご案内',
  preheader: null,
  body_html: `<p>${'春の新商品をご覧ください。'.repeat(50)}</p><p>.</p>`,
  body_text: '.\n plain text \n\n\n',
  locale: 'ja',
  notice_url: null,
  from_name: '山田商店',
  from_email: 'news@yamada.example',
  reply_to: 'info@yamada.example',
  sender_name: '山田商店',
  sender_address: '東京都',
  sender_contact: '03-1234-5678',
  bounce_address: 'bounce@yamada.example',
  track_opens: false,
  track_clicks: false,
};
const origin = {
  base_url: 'https://service.example',
  organization_slug: 'yamada',
  key: { serial: 1, key: Buffer.alloc(32, 7) },
};
const mail = compileMail(source, origin);
const recipient = {
  id: 'mrcp_01kaj2n5w5fq8b4m0g3v7x9rtc',
  number: 5,
  email: 'hanako@example.co.jp',
  first_name: null,
  last_name: '山田',
  attributes: {},
  tracked: false,
};
const { message } = mail.render(recipient, new Date('2026-11-27T15:30:00Z'));
const signed = await signingWith({ domain: 'yamada.example', selector: 's1', private_key })(message);

async function judged(text: string) {
  const { results } = await dkimVerify(Buffer.from(text, 'latin1'), {
    resolver: async (name, type) => {
      assert.deepEqual([name, type], ['s1._domainkey.yamada.example', 'TXT']);
      return [[record.slice(0, 255), record.slice(255)]];
    },
  });
  assert.equal(results.length, 1);
  return results[0]!;
}

describe('header lines', () => {
  const long = 'x'.repeat(1_500);
  const host = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.example`;

  test('have no more characters than RFC 5322 allows, whatever the values, also where they are signed', async () => {
    for (const value of [
      long,
      `${long} 様`,
      `"${'\\'.repeat(990)}`,
      `a${' '.repeat(1_200)}b`,
      `春${long}`,
      'あ'.repeat(900),
    ]) {
      const { message } = compileMail(
        {
          ...source,
          subject: '{{attributes.title}} {{first_name}}',
          from_name: value,
          from_email: `news@${host}`,
          reply_to: `${'r'.repeat(64)}@${host}`,
          bounce_address: `${'b'.repeat(16)}@${host}`,
        },
        { ...origin, base_url: `https://${host}/${'p'.repeat(300)}` },
      ).render(
        {
          ...recipient,
          email: `${'t'.repeat(64)}@${host}`,
          first_name: value,
          attributes: { title: value },
        },
        new Date('2026-11-27T15:30:00Z'),
      );
      const whole = await signingWith({ domain: host, selector: 's'.repeat(60), private_key })(message);
      const head = whole.toString('latin1', 0, whole.indexOf('\r\n\r\n'));
      for (const line of head.split('\r\n')) {
        assert.ok(line.length <= 998, `${line.length} characters: ${line.slice(0, 60)}`);
        assert.ok(line.trim() !== '', 'no line is blank');
      }
      const parsed = await simpleParser(whole);
      const shown = (text: string) => text.replace(/\s+/g, ' ').trim();
      assert.equal(shown(parsed.subject ?? ''), shown(`${value} ${value}`));
      assert.equal(shown(parsed.from?.value[0]?.name ?? ''), shown(value));
      const { results } = await dkimVerify(whole, {
        resolver: async () => [[record.slice(0, 255), record.slice(255)]],
      });
      assert.equal(results[0]!.status.result, 'pass');
    }
  });
});

describe('a signature as another program judges it', () => {
  test('it passes, and covers who sends, what is said and both ways to unsubscribe', async () => {
    assert.ok(signed.subarray(-message.length).equals(message));
    const { status, signingHeaders, signingDomain, modulusLength } = await judged(signed.toString('latin1'));
    assert.equal(status.result, 'pass', String(status.comment));
    assert.deepEqual([signingDomain, modulusLength], ['yamada.example', 2048]);
    assert.deepEqual(
      signingHeaders?.keys
        .split(/\s*:\s*/)
        .map((name) => name.toLowerCase())
        .toSorted(),
      [
        'content-type',
        'date',
        'from',
        'list-id',
        'list-unsubscribe',
        'list-unsubscribe-post',
        'message-id',
        'mime-version',
        'reply-to',
        'subject',
        'to',
      ],
    );
  });

  for (const [what, from, to] of [
    ['the way to unsubscribe', '/m/u/', '/m/v/'],
    ['one click', 'One-Click', 'Two-Click'],
    ['the sender', 'news@', 'mews@'],
    ['the body', 'text/html', 'text/x-html'],
  ] as const) {
    test(`it fails where ${what} was changed`, async () => {
      const text = signed.toString('latin1');
      const changed = text.replace(from, to);
      assert.notEqual(changed, text);
      assert.notEqual((await judged(changed)).status.result, 'pass');
    });
  }
});
