import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import PostalMime from 'postal-mime';
import type { Letter } from '../../shared/platform/mailer/letter.ts';
import { mailboxMessage } from '../../shared/platform/mailer/mailbox-message.ts';
import { composeMessage } from '../../shared/platform/mailer/message.ts';

const letter: Letter = {
  to: [{ name: '髙﨑 花子', address: 'hanako@example.com' }],
  locale: 'ja',
  subject: '株式会社①への招待',
  paragraphs: ['<script>alert(1)</script> & "引用"', '二つ目の段落'],
  action: { label: '開く', url: 'https://service.example/invite/abc?x=1&y=2' },
  notes: ['注'],
};
const envelope = {
  mail_id: 'mail_01kaj2n5w5fq8b4m0g3v7x9rtc',
  from: '請求係 <no-reply@example.com>',
  base_url: 'https://service.example:8443/app',
  now: new Date('2026-11-21T03:04:05.000Z'),
};

test('Japanese arrives as it was written, as text and as a page', async () => {
  const { raw, from, to } = await composeMessage(letter, envelope);
  const mail = await PostalMime.parse(raw);
  assert.deepEqual([from, to], ['no-reply@example.com', ['hanako@example.com']]);
  assert.equal(mail.subject, letter.subject);
  assert.deepEqual(mail.to, [{ name: '髙﨑 花子', address: 'hanako@example.com' }]);
  assert.equal(mail.from?.name, '請求係');
  assert.equal(mail.date, '2026-11-21T03:04:05.000Z');
  assert.match(mail.text ?? '', /二つ目の段落[\s\S]*https:\/\/service\.example\/invite\/abc\?x=1&y=2\n/);
  assert.match(
    mail.html ?? '',
    /<html lang="ja">[\s\S]*href="https:\/\/service\.example\/invite\/abc\?x&#61;1&#38;y&#61;2"/,
  );
});

test('the page shows markup as text', async () => {
  const mail = await PostalMime.parse((await composeMessage(letter, envelope)).raw);
  assert.ok(!mail.html?.includes('<script>'));
  assert.match(mail.html ?? '', /&#60;script&#62;alert\(1\)/);
});

test('the same mail has the same Message-ID at each try', async () => {
  const tries = [
    await composeMessage(letter, envelope),
    await composeMessage(letter, { ...envelope, now: new Date(0) }),
  ];
  for (const { raw } of tries) {
    assert.equal(
      (await PostalMime.parse(raw)).messageId,
      '<mail_01kaj2n5w5fq8b4m0g3v7x9rtc@service.example>',
    );
  }
});

test('a line break in a name or a subject makes no header', async () => {
  const broken = '招待\r\nBcc: everybody@example.com\r\n\r\nbody';
  const sent = { ...letter, subject: broken, to: [{ name: broken, address: 'hanako@example.com' }] };
  const { raw, to } = await composeMessage(sent, envelope);
  const mail = await PostalMime.parse(raw);
  assert.equal(mail.bcc, undefined);
  assert.equal(mail.subject, '招待 Bcc: everybody@example.com body');
  assert.deepEqual(to, ['hanako@example.com']);
});

test('a file goes along under its Japanese name, byte for byte, to all who are named', async () => {
  const bytes = Buffer.from('%PDF-1.7\r\n\0\xff.\n.\r\n', 'latin1');
  const file_name = '請求書_INV-2026-0001_株式会社山田商店.pdf';
  const sent: Letter = {
    ...letter,
    from_name: '山田商事\r\nBcc: x@example.com',
    reply_to: 'seikyu@example.co.jp',
    to: [{ address: 'a@example.com' }, { address: 'b@example.com' }],
    cc: [{ address: 'c@example.com' }],
    attachments: [{ file_name: `${file_name}\r\nX: y`, media_type: 'application/pdf', storage_key: 'k' }],
  };
  const { raw, from, to } = await composeMessage(sent, { ...envelope, files: [bytes] });
  const mail = await PostalMime.parse(raw);
  assert.deepEqual([from, to], ['no-reply@example.com', ['a@example.com', 'b@example.com', 'c@example.com']]);
  assert.deepEqual(mail.from, { name: '山田商事 Bcc: x@example.com', address: 'no-reply@example.com' });
  assert.deepEqual(
    [mail.to, mail.cc, mail.replyTo, mail.bcc].map((list) => list?.map(({ address }) => address)),
    [['a@example.com', 'b@example.com'], ['c@example.com'], ['seikyu@example.co.jp'], undefined],
  );
  const [file, ...others] = mail.attachments;
  assert.deepEqual(others, []);
  assert.deepEqual([file?.filename, file?.mimeType], [`${file_name} X: y`, 'application/pdf']);
  assert.deepEqual(Buffer.from(file!.content as ArrayBuffer), bytes);
  assert.equal(
    mail.headers.find(({ key }) => key === 'x'),
    undefined,
  );
});

test('every line ends with CRLF and none is longer than mail allows', async () => {
  const long = { ...letter, paragraphs: ['長'.repeat(5000), 'x'.repeat(5000)] };
  const text = (await composeMessage(long, envelope)).raw.toString();
  assert.ok(!/[^\r]\n/.test(text));
  assert.ok(text.split('\r\n').every((line) => Buffer.byteLength(line) <= 998));
});

test('a calendar part is one of the forms of the text, and a file, byte for byte', async () => {
  const text = `BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nSUMMARY:初回${'相談'.repeat(9)}\r\n END:VCALENDAR\r\n.\r\n`;
  const { raw } = await composeMessage({ ...letter, calendar: { method: 'REQUEST', text } }, envelope);
  const types = [...raw.toString().matchAll(/^Content-Type: ([^\r]*calendar[^\r]*)/gm)];
  assert.deepEqual(
    types.map(([, type]) => type),
    ['text/calendar; charset=utf-8; method=REQUEST'],
  );
  const [form, file, ...others] = (await PostalMime.parse(raw)).attachments;
  assert.deepEqual(others, []);
  assert.deepEqual([form?.filename, form?.mimeType], [null, 'text/calendar']);
  assert.deepEqual([file?.filename, file?.mimeType], ['invite.ics', 'application/ics']);
  assert.ok(raw.includes(Buffer.from(text).toString('base64').slice(0, 76)));
  const folder = mkdtempSync(join(tmpdir(), 'mailbox-'));
  writeFileSync(join(folder, `${envelope.mail_id}.eml`), raw);
  const kept = await mailboxMessage(folder, envelope.mail_id);
  rmSync(folder, { recursive: true });
  for (const { content } of kept!.attachments) assert.equal(Buffer.from(content).toString(), text);
});

test('a link in brackets stands between them as text alone', async () => {
  const action = { label: '開く', url: 'https://service.example/b/abc-', in_brackets: true };
  const mail = await PostalMime.parse((await composeMessage({ ...letter, action }, envelope)).raw);
  assert.match(mail.text ?? '', /開く:\n<https:\/\/service\.example\/b\/abc->\n/);
  assert.match(mail.html ?? '', /href="https:\/\/service\.example\/b\/abc-"/);
});
