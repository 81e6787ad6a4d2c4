import type Router from '@koa/router';
import { html } from 'ghtml';
import type { Context } from 'koa';
import { notFound } from '../../shared/kernel/failure.ts';
import { mailboxFolder } from '../../shared/mailer/mailbox.ts';
import {
  type MailHead,
  type MailMessage,
  mailboxHeads,
  mailboxMessage,
} from '../../shared/mailer/mailbox-message.ts';
import type { ApiContext } from '../context.ts';
import { sendPage } from './page.ts';

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
export function mailboxPages(router: Router, { settings }: ApiContext): void {
  const folder = mailboxFolder(settings.dataDir);

  async function messageOf(id: string | undefined): Promise<MailMessage> {
    const message = await mailboxMessage(folder, id ?? '');
    if (!message) throw notFound();
    return message;
  }

  router.get('/ops/mailbox', async (context) => {
    sendPage(context, 'Mailbox', listOf(await mailboxHeads(folder, NEWEST)));
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
    sendPage(context, message.subject || 'Mail without a subject', pageOf(message));
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

function listOf(heads: readonly MailHead[]): string {
  if (heads.length === 0) return '<p>No mail has been kept here yet.</p>';
  return html`<table>
<thead><tr><th scope="col">Sent</th><th scope="col">To</th><th scope="col">Subject</th></tr></thead>
<tbody>
!${heads.map(
    ({ id, date, to, subject }) => html`<tr><td>${date}</td><td>${to.join(', ')}</td>
<td><a href="/ops/mailbox/${id}">${subject || '(no subject)'}</a></td></tr>
`,
  )}</tbody>
</table>`;
}

function pageOf({ id, date, from, to, text, html: page, headers, attachments }: MailMessage): string {
  const fields = { Sent: date, From: from, To: to.join(', ') };
  return html`<table>
!${Object.entries(fields).map(([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`)}
</table>
!${
    page === null
      ? ''
      : html`<h2>Page</h2>
<iframe title="The mail as a page" sandbox="allow-popups allow-popups-to-escape-sandbox" src="/ops/mailbox/${id}/html"></iframe>`
  }
!${
    text === null
      ? ''
      : html`<h2>Text</h2>
<pre>${text}</pre>`
  }
!${attachments.length === 0 ? '' : attachmentList(id, attachments)}
<details><summary>Headers</summary><pre>${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')}</pre></details>`;
}

function attachmentList(id: string, attachments: MailMessage['attachments']): string {
  return html`<h2>Attachments</h2>
<ul>!${attachments.map(
    ({ file_name, content_type, size }, index) =>
      html`<li><a href="${attachmentPath(id, index)}">${file_name}</a> (${content_type}, ${size} bytes)</li>`,
  )}</ul>`;
}
