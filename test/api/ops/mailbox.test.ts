import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { newId } from '../../../shared/kernel/id.ts';
import { mailboxFolder, mailboxTransport } from '../../../shared/platform/mailer/mailbox.ts';
import { composeMessage } from '../../../shared/platform/mailer/message.ts';
import { startApp } from '../../support/app.ts';
import { freshDatabase } from '../../support/database.ts';
import { fetchAsOperator, WITH_OPERATORS } from '../../support/operators.ts';

const data_dir = mkdtempSync(join(tmpdir(), 'mailbox-'));
after(() => rmSync(data_dir, { recursive: true, force: true }));

const database = await freshDatabase();
after(() => database.drop());
const local = await startApp({ database, environment: { ...WITH_OPERATORS, DATA_DIR: data_dir } });

const now = new Date('2026-11-21T03:04:05.678Z');
const older = newId('mail', new Date(now.getTime() - 60_000));
const newer = newId('mail', now);
await keep(older, '古い知らせ', []);
await keep(newer, '<b>請求</b>', ['本文です', '<script>alert(1)</script>']);

const withFile = newId('mail', new Date(now.getTime() - 120_000));
const pdf = Buffer.from('%PDF-1.7 a small one');
const file_name = '請求書_INV-2026-0001_株式会社山田商店.pdf';
await keep(withFile, '請求書のご送付', ['本文'], [{ file_name, bytes: pdf }]);

async function keep(
  id: string,
  subject: string,
  paragraphs: string[],
  attached: { file_name: string; bytes: Buffer }[] = [],
) {
  const to = [{ name: '山田 花子', address: 'hanako@example.com' }];
  const from = 'Business Operations <no-reply@localhost>';
  const mail = await composeMessage(
    {
      to,
      locale: 'ja',
      subject,
      paragraphs,
      action: { label: '開く', url: 'https://example.com/x?a=1&b=2' },
      cc: attached.map(() => ({ address: 'keiri@example.com' })),
      attachments: attached.map((one) => ({
        file_name: one.file_name,
        media_type: 'application/pdf',
        storage_key: 'none',
      })),
    },
    {
      mail_id: id,
      from,
      base_url: 'https://service.example',
      now,
      files: attached.map(({ bytes }) => bytes),
    },
  );
  await mailboxTransport(mailboxFolder(data_dir)).deliver(
    mail,
    async () => true,
    new AbortController().signal,
  );
}

describe('200', () => {
  test('the list for scripts has the newest mail first', async () => {
    const response = await fetchAsOperator(`${local.base_url}/ops/mailbox.json`);
    assert.deepEqual(await response.json(), {
      items: [
        {
          id: newer,
          date: '2026-11-21T03:04:05.000Z',
          from: 'no-reply@localhost',
          to: ['hanako@example.com'],
          subject: '<b>請求</b>',
        },
        {
          id: older,
          date: '2026-11-21T03:04:05.000Z',
          from: 'no-reply@localhost',
          to: ['hanako@example.com'],
          subject: '古い知らせ',
        },
        {
          id: withFile,
          date: '2026-11-21T03:04:05.000Z',
          from: 'no-reply@localhost',
          to: ['hanako@example.com'],
          subject: '請求書のご送付',
        },
      ],
    });
  });

  test('a single mail has text, page, headers and attachments', async () => {
    const mail = (await (
      await fetchAsOperator(`${local.base_url}/ops/mailbox/${newer}.json`)
    ).json()) as Record<string, never>;
    assert.match(mail['text'] ?? '', /本文です[\s\S]*https:\/\/example\.com\/x\?a=1&b=2/);
    assert.match(mail['html'] ?? '', /&#60;script&#62;/);
    assert.equal(mail['headers']?.['message-id'], `<${newer}@service.example>`);
    assert.deepEqual(mail['attachments'], []);
  });

  test('what is attached is listed with a url, under which it is downloaded as it was sent', async () => {
    const mail = (await (await fetchAsOperator(`${local.base_url}/ops/mailbox/${withFile}.json`)).json()) as {
      attachments: { file_name: string; content_type: string; size: number; url: string }[];
    };
    const [{ url, ...file } = { url: '' }, ...others] = mail.attachments;
    assert.deepEqual(file, { file_name, content_type: 'application/pdf', size: pdf.length });
    assert.deepEqual(others, []);
    const response = await fetchAsOperator(`${local.base_url}${url}`);
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), pdf);
    assert.equal(response.headers.get('content-type'), 'application/pdf');
    const disposition = response.headers.get('content-disposition') ?? '';
    assert.ok(disposition.endsWith(`filename*=UTF-8''${encodeURIComponent(file_name)}`), disposition);
    const page = await (await fetchAsOperator(`${local.base_url}/ops/mailbox/${withFile}`)).text();
    assert.match(page, new RegExp(`href="${url}">${file_name}<`));
    assert.match(page, /keiri@example\.com/);
  });

  test('the page finds mails by words of their subject or an address, whatever their width', async () => {
    const list = async (search: string) => {
      const found = await fetchAsOperator(
        `${local.base_url}/ops/mailbox?${new URLSearchParams({ search, lang: 'en' })}`,
      );
      return [...(await found.text()).matchAll(/href="\/ops\/mailbox\/(mail_\w+)/g)].map(([, id]) => id);
    };
    assert.deepEqual(await list('請求書'), [withFile]);
    assert.deepEqual(await list('HANAKO 古い'), [older]);
    assert.deepEqual(await list('hanako@ｅｘａｍｐｌｅ.com'), [newer, older, withFile]);
    assert.deepEqual(await list('nobody'), []);
  });

  test('pages escape what mails say and allow no script', async () => {
    const response = await fetchAsOperator(`${local.base_url}/ops/mailbox/${newer}`);
    const page = await response.text();
    assert.ok(!page.includes('<script>') && !page.includes('<b>請求'));
    assert.match(page, /<iframe[^>]+sandbox="allow-popups allow-popups-to-escape-sandbox"/);
    const policy = response.headers.get('content-security-policy') ?? '';
    assert.match(policy, /^default-src 'none'; style-src 'self'; script-src 'self';/);
    assert.ok(!policy.includes('unsafe'));
  });

  test('a mail is shown as a page of its own only in a sandbox', async () => {
    const response = await fetchAsOperator(`${local.base_url}/ops/mailbox/${newer}/html`);
    assert.match(response.headers.get('content-security-policy') ?? '', /sandbox allow-popups/);
    assert.match(await response.text(), /<base target="_blank">/);
  });

  test('the first page shows every queue', async () => {
    const page = await (await fetchAsOperator(`${local.base_url}/ops`)).text();
    for (const queue of ['email', 'csv-import', 'pdf-render']) assert.match(page, new RegExp(`>${queue}<`));
  });

  test('mails that failed, or of which nobody knows, are shown with the words of the server', async () => {
    const add = `INSERT INTO mails (organization_id, id, purpose, about, locale, status, error, created_at, updated_at)
      VALUES ('org_none', $1, 'password_reset', '{}', 'ja', $2, $3, $4, $4)`;
    await local.database.withConnection('*', async ({ query }) => {
      await query(add, [older, 'unknown', '<i>nothing was heard</i>', now.toISOString()]);
      await query(add, [newer, 'sent', null, now.toISOString()]);
    });
    const page = await (await fetchAsOperator(`${local.base_url}/ops/mails`)).text();
    assert.match(page, new RegExp(`${older}[\\s\\S]*Unknown[\\s\\S]*&#60;i&#62;nothing was heard`));
    assert.ok(!page.includes(newer));
  });
});

describe('404', () => {
  test('an ID that names no mail, or a path, finds nothing', async () => {
    for (const id of [newId('mail', now), '..%2F..%2Fetc%2Fpasswd', 'mail_x']) {
      assert.equal((await fetchAsOperator(`${local.base_url}/ops/mailbox/${id}.json`)).status, 404, id);
    }
  });
});

describe('emptying', () => {
  test('removes every mail, after a question', async () => {
    const question = await (await fetchAsOperator(`${local.base_url}/ops/mailbox/empty`)).text();
    assert.match(question, /All 3 mails are removed/);
    const emptied = await fetchAsOperator(`${local.base_url}/ops/mailbox/empty`, {
      method: 'POST',
      redirect: 'manual' as const,
      headers: { 'Sec-Fetch-Site': 'same-origin' },
    });
    assert.equal(emptied.status, 303);
    const list = await (await fetchAsOperator(`${local.base_url}/ops/mailbox.json`)).json();
    assert.deepEqual(list, { items: [] });
  });
});
