import type Router from '@koa/router';
import { html } from 'ghtml';
import type { Context } from 'koa';
import { notFound } from '../../../shared/kernel/failure.ts';
import { keepNewest, mailboxFolder, mailboxIds } from '../../../shared/platform/mailer/mailbox.ts';
import {
  type MailMessage,
  mailboxHeads,
  mailboxMessage,
  mailboxPage,
} from '../../../shared/platform/mailer/mailbox-message.ts';
import type { ApiContext } from '../../context.ts';
import { fieldOf, pageNumber, queryOf } from '../form.ts';
import { jobWords } from '../jobs/words.ts';
import { goTo, places, sendPage, speechOf } from '../page.ts';
import { section } from '../parts.ts';
import { count } from '../speech.ts';
import { attachmentPath, mailboxList, mailView } from './mailbox-views.ts';

/** Mails that the list for scripts has, and that a page has. */
const NEWEST = 200;
const PER_PAGE = 50;

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
    const query = queryOf(context);
    const search = fieldOf(query, 'search')?.slice(0, 200) ?? '';
    const page = pageNumber(query);
    const speech = speechOf(context, now());
    const listed = await mailboxPage(folder, { search, page, per_page: PER_PAGE });
    const words = speech.say(
      settings.smtpUrl
        ? {
            en: 'Mails leave through the mail server; what stands here was kept before one was set.',
            ja: 'メールはメールサーバーから送られます。ここにあるのは、設定する前に残されたものです。',
          }
        : {
            en: 'No mail server is set, so mails are kept here instead of leaving.',
            ja: 'メールサーバーが設定されていないため、メールは送られず、ここに残ります。',
          },
    );
    const body = html`<p class="quiet">${words}</p>
!${mailboxList(speech, { ...listed, search, page, per_page: PER_PAGE })}`;
    const empty = speech.say({ en: 'Empty…', ja: '空にする…' });
    const aside = listed.total === 0 ? '' : html`<a class="button" href="/ops/mailbox/empty">${empty}</a>`;
    sendPage(context, { title: speech.say(places.mailbox.label), body, aside });
  });

  router.get('/ops/mailbox/empty', async (context) => {
    const { length } = await mailboxIds(folder);
    const speech = speechOf(context, now());
    const { say } = speech;
    const number = count(length);
    const words = say({
      en: `All ${number} mails are removed for good, with the links in them.`,
      ja: `${number}通のメールを、本文のリンクを含めてすべて完全に削除します。`,
    });
    const remove = say({ en: `Remove ${number} mails`, ja: `${number}通を削除` });
    const body = html`<p>${words}</p>
<form method="post" action="/ops/mailbox/empty" class="actions">
<button class="danger">${remove}</button> <a class="button" href="/ops/mailbox">${say(jobWords.leave)}</a>
</form>`;
    sendPage(context, {
      title: say({ en: 'Empty the mailbox?', ja: 'メールボックスを空にしますか？' }),
      body: section(speech, { en: 'Remove every mail', ja: 'すべてのメールの削除' }, body),
      within: places.mailbox,
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
    const speech = speechOf(context, now());
    const without = { en: 'Mail without a subject', ja: '件名のないメール' };
    const title = message.subject || speech.say(without);
    sendPage(context, { title, body: mailView(speech, message), within: places.mailbox });
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
