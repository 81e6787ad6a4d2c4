import type Router from '@koa/router';
import { html } from 'ghtml';
import type { Context } from 'koa';
import { notFound } from '../../../shared/kernel/failure.ts';
import { keepNewest, mailboxFolder, mailboxIds } from '../../../shared/platform/mailer/mailbox.ts';
import {
  type MailHead,
  type MailMessage,
  mailboxHeads,
  mailboxMessage,
} from '../../../shared/platform/mailer/mailbox-message.ts';
import type { ApiContext } from '../../context.ts';
import { ago, bytes, count, when } from '../format.ts';
import { goTo, sendPage } from '../page.ts';
import { facts, type Html, nothing, section, table } from '../parts.ts';

/** Mails that a list shows. */
const NEWEST = 200;

/** Foreign HTML: no script, nothing loaded from anywhere, links only into new windows. */
const MESSAGE_POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "frame-ancestors 'self'",
  'sandbox allow-popups allow-popups-to-escape-sandbox',
].join('; ');

/** The local mailbox: as pages, and as JSON for scripts. */
export function mailboxPages(router: Router, { settings, log, now }: ApiContext): void {
  const folder = mailboxFolder(settings.dataDir);

  async function messageOf(id: string | undefined): Promise<MailMessage> {
    const message = await mailboxMessage(folder, id ?? '');
    if (!message) throw notFound();
    return message;
  }

  router.get('/ops/mailbox', async (context) => {
    const [heads, ids] = await Promise.all([mailboxHeads(folder, NEWEST), mailboxIds(folder)]);
    const words = settings.smtpUrl
      ? 'Mails leave through the mail server; what stands here was kept before one was set.'
      : 'No mail server is set, so mails are kept here instead of leaving.';
    const body = html`<p class="quiet">${words}</p>
!${section(`Mails: ${count(ids.length)}`, listOf(heads, now()), shownOf(heads.length, ids.length))}`;
    const aside = ids.length === 0 ? '' : '<a class="button" href="/ops/mailbox/empty">Empty…</a>';
    sendPage(context, { title: 'Mailbox', body, aside });
  });

  router.get('/ops/mailbox/empty', async (context) => {
    const { length } = await mailboxIds(folder);
    const body = html`<p>All ${count(length)} mails are removed for good, with the links in them.</p>
<form method="post" action="/ops/mailbox/empty" class="actions">
<button class="danger">Remove ${count(length)} mails</button> <a class="button" href="/ops/mailbox">Leave them</a>
</form>`;
    sendPage(context, {
      title: 'Empty the mailbox?',
      body: section('Remove every mail', body),
      within: { path: '/ops/mailbox', label: 'Mailbox' },
    });
  });

  router.post('/ops/mailbox/empty', async (context) => {
    const removed = await keepNewest(folder, 0);
    log.warn(
      { request_id: context.state.request_id, count: removed },
      'An operator emptied the local mailbox',
    );
    goTo(context, '/ops/mailbox');
  });

  router.get('/ops/mailbox.json', async (context) => {
    context.body = { items: await mailboxHeads(folder, NEWEST) };
  });

  router.get('/ops/mailbox/:id.json', async (context) => {
    const message = await messageOf(context.params.id);
    const attachments = message.attachments.map(({ content: _, ...rest }, index) => ({
      ...rest,
      url: attachmentPath(message.id, index),
    }));
    context.body = { ...message, attachments };
  });

  router.get('/ops/mailbox/:id', async (context) => {
    const message = await messageOf(context.params.id);
    sendPage(context, {
      title: message.subject || 'Mail without a subject',
      body: pageOf(message, now()),
      within: { path: '/ops/mailbox', label: 'Mailbox' },
    });
  });

  router.get('/ops/mailbox/:id/html', async (context) => {
    const message = await messageOf(context.params.id);
    if (message.html === null) throw notFound();
    context.set('Content-Security-Policy', MESSAGE_POLICY);
    context.set('X-Frame-Options', 'SAMEORIGIN');
    context.type = 'html';
    context.body = message.html.replace(/<head[^>]*>/i, '$&<base target="_blank">');
  });

  router.get('/ops/mailbox/:id/attachments/:number', async (context: Context) => {
    const { attachments } = await messageOf(context.params.id);
    const attachment = attachments[Number(context.params.number)];
    if (!attachment) throw notFound();
    context.attachment(attachment.file_name);
    context.type = attachment.content_type;
    context.body = Buffer.from(attachment.content);
  });
}

function attachmentPath(id: string, index: number): string {
  return `/ops/mailbox/${id}/attachments/${index}`;
}

function shownOf(shown: number, all: number): Html {
  return shown < all ? html`<span class="quiet">the newest ${count(shown)} are shown</span>` : '';
}

function listOf(heads: readonly MailHead[], now: Date): Html {
  if (heads.length === 0)
    return nothing(
      'No mail has been kept here yet. Ask for a new password at /sign-in, and its mail shows here.',
    );
  return table({
    caption: 'Mails, the newest first',
    columns: [{ label: 'Subject', kind: 'wide' }, { label: 'To', kind: 'wide' }, { label: 'Sent' }],
    rows: heads.map(({ id, date, to, subject }) => [
      html`<a href="/ops/mailbox/${id}">${subject || '(no subject)'}</a>`,
      html`${to.join(', ')}`,
      ago(date, now),
    ]),
  });
}

function pageOf(
  { id, date, from, to, text, html: page, headers, attachments }: MailMessage,
  now: Date,
): Html {
  const head = facts({
    Sent: when(date, now),
    From: html`${from}`,
    To: html`${to.join(', ')}`,
    ...(headers['cc'] !== undefined && { 'Copy to': html`${headers['cc']}` }),
  });
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return html`!${section('Mail', head)}
!${
    page === null
      ? ''
      : section(
          'As it looks',
          html`<iframe title="The mail as a page" sandbox="allow-popups allow-popups-to-escape-sandbox" src="/ops/mailbox/${id}/html"></iframe>`,
        )
  }
!${text === null ? '' : section('As plain text', html`<pre tabindex="0">${text}</pre>`)}
!${attachments.length === 0 ? '' : section('Attachments', attachmentList(id, attachments))}
<details><summary>Headers</summary><pre tabindex="0">${lines.join('\n')}</pre></details>`;
}

function attachmentList(id: string, attachments: MailMessage['attachments']): Html {
  return html`<ul>!${attachments.map(
    ({ file_name, content_type, size }, index) =>
      html`<li><a href="${attachmentPath(id, index)}">${file_name}</a> (${content_type}, ${bytes(size)})</li>`,
  )}</ul>`;
}
