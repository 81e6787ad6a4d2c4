import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type ParsedMail, simpleParser } from 'mailparser';
import { readToken } from '../../../../shared/mail/campaigns/tokens.ts';
import {
  type CampaignMail,
  compileMail,
  type MailOrigin,
  type MailRecipient,
} from '../../../../shared/mail/content/compiled.ts';

const now = new Date('2026-11-27T15:30:00Z');
const origin: MailOrigin = {
  base_url: 'https://service.example',
  organization_slug: 'yamada',
  key: { serial: 1, key: Buffer.alloc(32, 7) },
};

const campaign: CampaignMail = {
  number: 12,
  subject: '{{last_name|お客様}}様へ 春の新商品のご案内を差し上げます😀 どうぞご覧ください',
  preheader: null,
  body_html: '<p>{{last_name|お客様}} 様</p>',
  body_text: null,
  locale: 'ja',
  notice_url: null,
  from_name: '山田商店 "本店"',
  from_email: 'news@yamada.example',
  reply_to: 'info@yamada.example',
  sender_name: '株式会社山田商店',
  sender_address: '東京都千代田区丸の内1-1-1',
  sender_contact: '03-1234-5678',
  bounce_address: 'bounce@yamada.example',
  track_opens: true,
  track_clicks: true,
};

const hanako: MailRecipient = {
  id: 'mrcp_01kaj2n5w5fq8b4m0g3v7x9rtc',
  number: 5,
  email: 'hanako@example.co.jp',
  first_name: '花子',
  last_name: 'A&B <x>',
  attributes: { 会社: '山田 & 子', page: '../a?b=c"d' },
  tracked: false,
};

function mailOf(changes: Partial<CampaignMail> = {}, recipient: Partial<MailRecipient> = {}) {
  return compileMail({ ...campaign, ...changes }, origin).render({ ...hanako, ...recipient }, now);
}

async function read(changes: Partial<CampaignMail> = {}, recipient: Partial<MailRecipient> = {}) {
  const { message } = mailOf(changes, recipient);
  assertSound(message);
  return simpleParser(message);
}

/** RFC 5322: ASCII, lines end with CRLF and have 998 characters at most; those of bodies 76. */
function assertSound(message: Buffer): void {
  const text = message.toString('latin1');
  assert.doesNotMatch(text, /[^\r\n\t -~]|\r(?!\n)|(?<!\r)\n/);
  assert.ok(text.endsWith('\r\n'));
  const [head, ...body] = text.split('\r\n\r\n');
  for (const line of head!.split('\r\n')) assert.ok(line.length <= 200, line);
  for (const line of body.join('\r\n\r\n').split('\r\n')) assert.ok(line.length <= 76, line);
}

const bodyOf = ({ html }: ParsedMail) => /<body>\n([\s\S]*?)\n?(?:<hr|\n<\/body>)/.exec(String(html))?.[1];

describe('a mail as another program reads it', async () => {
  const mail = await read();

  test('who it is from, whom it goes to, what it is about', () => {
    assert.deepEqual(mail.from?.value, [{ name: '山田商店 "本店"', address: 'news@yamada.example' }]);
    assert.equal(mail.replyTo?.text, 'info@yamada.example');
    assert.deepEqual(
      [mail.to].flat().map((to) => to?.text),
      ['hanako@example.co.jp'],
    );
    assert.equal(mail.subject, 'A&B <x>様へ 春の新商品のご案内を差し上げます😀 どうぞご覧ください');
    assert.equal(mail.date?.toISOString(), '2026-11-27T15:30:00.000Z');
    assert.equal(mail.messageId, '<mrcp_01kaj2n5w5fq8b4m0g3v7x9rtc@service.example>');
  });

  test('both parts, and the footer of the law in each', () => {
    assert.equal(bodyOf(mail), '<p>A&amp;B &lt;x&gt; 様</p>');
    const url = /https:\/\/service\.example\/m\/u\/[0-9a-z]{22,40}/.exec(mail.text!)![0];
    assert.equal(
      mail.text,
      `A&B <x> 様\n\n--\n送信者: 株式会社山田商店\n住所: 東京都千代田区丸の内1-1-1\nお問い合わせ・苦情の受付: 03-1234-5678\n配信停止: <${url}>\n`,
    );
    for (const part of ['送信者: 株式会社山田商店', '住所: 東京都', '03-1234-5678', `href="${url}"`]) {
      assert.ok(String(mail.html).includes(part), part);
    }
  });

  test('where one unsubscribes, by a page, by a mail and with one click; each token is its own', () => {
    const head = mailOf().message.toString('latin1').replaceAll('\r\n ', ' ');
    const [, page, address] =
      /^List-Unsubscribe: <https:\/\/service\.example\/m\/u\/([0-9a-z]+)>, <mailto:bounce\+([0-9a-z]+)@yamada\.example>\r$/m.exec(
        head,
      )!;
    assert.match(head, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
    assert.match(head, /^List-Id: <yamada\.service\.example>\r$/m);
    const { envelope } = mailOf();
    assert.equal(envelope.to, 'hanako@example.co.jp');
    assert.equal(envelope.from, `bounce+${envelope.envid}@yamada.example`);
    const tokens = [page!, address!, envelope.envid];
    assert.equal(new Set(tokens).size, 3);
    for (const token of tokens) {
      const { campaign_number, recipient_number } = readToken(token)!;
      assert.deepEqual([campaign_number, recipient_number], [12, 5]);
    }
  });

  test('without an address for bounces the sender gets them', () => {
    const { message, envelope } = mailOf({ bounce_address: null });
    assert.equal(envelope.from, 'news@yamada.example');
    assert.doesNotMatch(message.toString(), /mailto:/);
  });

  test('the same at each attempt', () => assert.deepEqual(mailOf(), mailOf()));
});

describe('bodies', () => {
  test('a footer leaves out what the body says, in the language of the campaign', async () => {
    const body_html = '<p>{{sender_name}} {{sender_address}} <a href="{{unsubscribe_url}}">x</a></p>';
    const mail = await read({ body_html, locale: 'en', notice_url: 'https://yamada.example/law?a&b' });
    assert.match(
      mail.text!,
      /--\nQuestions and complaints: 03-1234-5678\nNotice under .*: <https:\/\/yamada\.example\/law\?a&b>\n$/,
    );
    assert.match(
      String(mail.html),
      /<p style="font-size[^>]*>Questions and complaints: 03-1234-5678<br><a href="https:\/\/yamada\.example\/law\?a&amp;b"/,
    );
    assert.equal(String(mail.html).match(/\/m\/u\//g)?.length, 1);
  });

  test('a value is a part of an address, text elsewhere', async () => {
    const mail = await read({
      body_html:
        '<a href="https://x.example/?p={{attributes.page}}&amp;q=1" title="{{attributes.page}}">{{attributes.page}}</a>',
    });
    assert.equal(
      bodyOf(mail),
      '<a href="https://x.example/?p=..%2Fa%3Fb%3Dc%22d&amp;q=1" title="../a?b=c&quot;d">../a?b=c&quot;d</a>',
    );
    assert.match(mail.text!, /^\.\.\/a\?b=c"d <https:\/\/x\.example\/\?p=\.\.%2Fa%3Fb%3Dc%22d&q=1>/);
  });

  test('a text alone is shown as it is; a line that begins with a dot stays', async () => {
    const body_text = '.\n..{{last_name}}\n \nFrom x ';
    const mail = await read({ body_html: null, body_text });
    assert.match(
      String(mail.html),
      /<div style="white-space:pre-wrap">\.\n\.\.A&amp;B &lt;x&gt;\n \nFrom x <\/div>/,
    );
    assert.match(mail.text!, /^\.\n\.\.A&B <x>\n \nFrom x\n\n--\n/);
  });

  test('what stands in lists of mails comes first', async () => {
    const mail = await read({ preheader: '{{first_name}}さんへ <x>' });
    assert.match(
      String(mail.html),
      /<body>\n<div style="display:none[^"]*">花子さんへ &lt;x&gt;<\/div>\n<p>/,
    );
  });

  test('what is missing is told', () => {
    const changes = {
      subject: '{{attributes.番号}}',
      body_html: '{{first_name}}{{first_name|x}}',
      preheader: '{{view_url}}',
    };
    assert.deepEqual(compileMail({ ...campaign, ...changes }, origin).needed.toSorted(), [
      'attributes.番号',
      'first_name',
      'sender_address',
      'sender_contact',
      'sender_name',
      'unsubscribe_url',
      'view_url',
    ]);
    assert.deepEqual(mailOf(changes).missing, ['attributes.番号']);
    assert.deepEqual(mailOf(changes, { first_name: null }).missing, ['attributes.番号', 'first_name']);
  });

  test('the date is that of Japan', async () => {
    assert.match((await read({ body_html: '{{sent_date}}' })).text!, /^2026年11月28日/);
    assert.match((await read({ body_html: '{{sent_date}}', locale: 'en' })).text!, /^November 28, 2026/);
  });
});

describe('links are counted of people who agreed', () => {
  const body_html =
    '<a href="https://a.example/?e={{email}}">a</a><a href="https://b.example">b</a><a href="https://a.example/?e={{email}}">c</a><a href="mailto:x@b.example">d</a><a href="{{view_url}}">e</a>';

  test('each address has one number', () => {
    assert.deepEqual(compileMail({ ...campaign, body_html }, origin).links, [
      { index: 1, url: 'https://a.example/?e={{email}}' },
      { index: 2, url: 'https://b.example' },
    ]);
  });

  test('others have plain links and no pixel', async () => {
    const { html } = await read({ body_html });
    assert.doesNotMatch(String(html), /\/m\/[co]\//);
    assert.match(String(html), /href="https:\/\/a\.example\/\?e=hanako%40example\.co\.jp"/);
  });

  test('theirs lead by the service, but for those of the service itself', async () => {
    const { html } = await read({ body_html }, { tracked: true });
    const links = [
      ...String(html).matchAll(/href="https:\/\/service\.example\/m\/(c|v|u)\/[0-9a-z]+(\/\d+)?"/g),
    ];
    assert.deepEqual(
      links.map(([, kind, index]) => `${kind}${index ?? ''}`),
      ['c/1', 'c/2', 'c/1', 'v', 'u'],
    );
    assert.match(
      String(html),
      /<img src="https:\/\/service\.example\/m\/o\/[0-9a-z]+\.gif" alt="" width="1" height="1">\n<\/body>/,
    );
  });
});

describe('whatever the values are', () => {
  const value = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.string({
      unit: fc.constantFrom('あ', '😀', 'é', 'a', ' ', '.', '=', '\r', '\n', '<', '{{email}}', '=?'),
      maxLength: 200,
    }),
  );
  const words = [
    '春の新商品のご案内です。'.repeat(9),
    '',
    'x',
    'ab',
    '=',
    'A plain text of no length. '.repeat(9),
  ];

  // Each by itself: a carriage return that ends one value and a line feed that begins the next are two lines.
  const told = (text: string) => text.toWellFormed().replace(/\r\n|\r|\n/g, '\n');

  test('they come out as they went in, and no line or field is added', async () => {
    const { length } = mailOf()
      .message.toString()
      .split('\r\n\r\n')[0]!
      .split(/\r\n(?! )/);
    await fc.assert(
      fc.asyncProperty(
        value,
        value,
        fc.array(fc.constantFrom(...words), { minLength: 3, maxLength: 3 }),
        async (first, last, [a, b, c]) => {
          const changes = {
            subject: '{{first_name|}}/{{last_name|}}',
            body_html: null,
            body_text: `${a}[{{first_name|}}${b}{{last_name|}}]${c}`,
          };
          const recipient = { first_name: first, last_name: last };
          const { message } = mailOf(changes, recipient);
          assertSound(message);
          assert.equal(
            message
              .toString()
              .split('\r\n\r\n')[0]!
              .split(/\r\n(?! )/).length,
            length,
          );
          const parsed = await simpleParser(message);
          const sent = `${a}[${told(first)}${b}${told(last)}]${c}`;
          assert.ok(
            parsed.text!.startsWith(sent.trimEnd()),
            `${JSON.stringify(parsed.text)} ${JSON.stringify(sent)}`,
          );
        },
      ),
      { numRuns: 200 },
    );
  });
});
