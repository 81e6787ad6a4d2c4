import type Router from '@koa/router';
import { html } from 'ghtml';
import { EVERY_ORGANIZATION } from '../../../shared/db/database.ts';
import { notFound } from '../../../shared/kernel/failure.ts';
import { sendMailAgain } from '../../../shared/platform/mailer/send-again.ts';
import {
  type MailTrouble,
  mailCounts,
  type TroubleStatus,
  troubledMail,
  troubledMails,
} from '../../../shared/platform/mailer/troubled.ts';
import type { ApiContext } from '../../context.ts';
import { pageNumber, queryOf } from '../form.ts';
import { ago, count, when } from '../format.ts';
import { goTo, sendPage } from '../page.ts';
import { badge, facts, type Html, nothing, pager, section, type Tone, table } from '../parts.ts';
import { mailsAgainPages } from './again.ts';

const PER_PAGE = 50;

type Words = { word: string; tone: Tone; sentence: string };

const STATUSES: Record<TroubleStatus, Words> = {
  failed: {
    word: 'Failed',
    tone: 'bad',
    sentence: 'The mail server refused it for good, or there was nothing to send. It did not arrive.',
  },
  unknown: {
    word: 'Unknown',
    tone: 'warn',
    sentence:
      'The mail server took the text and never said what became of it. It may have arrived, so it is not sent again by itself: ask the one it was for, or look into the log of the mail server.',
  },
  queued: {
    word: 'Waiting',
    tone: 'calm',
    sentence: 'The mail server refused it for now. It is tried again by itself, after growing pauses.',
  },
};

const isTrouble = (word: string | null): word is TroubleStatus => word !== null && word in STATUSES;

/** One sentence after a change. */
function whatWasDone(query: URLSearchParams): Html {
  const number = Number(query.get('count') ?? 1) || 0;
  const sentences: Record<string, string> = {
    again: number === 1 ? 'The mail is sent again.' : `${count(number)} mails are sent again.`,
    none: 'No mail was chosen that can be sent again.',
  };
  const sentence = sentences[query.get('done') ?? ''];
  return sentence ? html`<p role="status" class="told">${sentence}</p>` : '';
}

/** The mails that did not simply leave: refused for good, of unknown fate, or waiting after a refusal. */
export function mailPages(router: Router, apiContext: ApiContext): void {
  const { database, log, now } = apiContext;
  mailsAgainPages(router, apiContext);

  router.get('/ops/mails', async (context) => {
    const query = queryOf(context);
    const asked = query.get('status');
    const status = isTrouble(asked) ? asked : undefined;
    const page = pageNumber(query);
    const window = { status, limit: PER_PAGE, offset: (page - 1) * PER_PAGE };
    const [{ rows, total }, counts] = await database.withConnection(EVERY_ORGANIZATION, (connection) =>
      Promise.all([troubledMails(connection, window), mailCounts(connection)]),
    );
    const list =
      rows.length === 0
        ? nothing(status ? 'No mail is in this state.' : 'Every mail has left.')
        : choiceOf(rows, counts.failed, now());
    const pages = pager('/ops/mails', new URLSearchParams(status && { status }), {
      page,
      per_page: PER_PAGE,
      total,
    });
    const sent = whatWasDone(query);
    const note = html`<span class="quiet">${count(counts.queued)} queued, ${count(counts.sending)} being sent</span>`;
    const body = html`!${sent}!${tabs(status)}!${status ? html`<p>${STATUSES[status].sentence}</p>` : ''}
!${section(`Mails: ${count(total)}`, html`!${list}!${pages}`, note)}`;
    sendPage(context, { title: 'Mails in trouble', body });
  });

  router.get('/ops/mails/:organization_id/:id', async (context) => {
    const { organization_id = '', id = '' } = context.params;
    const mail = await database.withConnection(EVERY_ORGANIZATION, (connection) =>
      troubledMail(connection, { organization_id, id }),
    );
    if (!mail) throw notFound();
    const within = { path: '/ops/mails', label: 'Mails in trouble' };
    sendPage(context, {
      title: `Mail ${mail.purpose}`,
      body: detail(mail, now()),
      aside: stateOf(mail),
      within,
    });
  });

  router.post('/ops/mails/:organization_id/:id/send-again', async (context) => {
    const { organization_id = '', id = '' } = context.params;
    const { request_id } = context.state;
    await database.withConnection(EVERY_ORGANIZATION, (connection) =>
      sendMailAgain(connection, { organization_id, id }, { now: now(), request_id, ip_address: context.ip }),
    );
    log.warn({ request_id, mail_id: id }, 'An operator queued a mail again');
    goTo(context, '/ops/mails?done=again');
  });
}

function tabs(chosen: TroubleStatus | undefined): Html {
  const item = (path: string, words: string, isChosen: boolean) =>
    html`<li><a href="${path}"!${isChosen ? ' aria-current="page"' : ''}>${words}</a></li>`;
  const items = Object.entries(STATUSES).map(([status, { word }]) =>
    item(`/ops/mails?status=${status}`, word, status === chosen),
  );
  return html`<ul class="tabs" aria-label="States">!${item('/ops/mails', 'All', chosen === undefined)}!${items}</ul>`;
}

function stateOf({ status }: MailTrouble): Html {
  const { word, tone } = STATUSES[status as TroubleStatus];
  return badge(word, tone);
}

/** The list as a form: what does not wait by itself can be chosen. `failed` is how many failed in all. */
function choiceOf(mails: readonly MailTrouble[], failed: number, now: Date): Html {
  const list = listOf(mails, now);
  if (mails.every(({ status }) => status === 'queued')) return list;
  const all = html`<button name="action" value="send_failed">Send all ${count(failed)} failed again…</button>`;
  return html`<form method="post" action="/ops/mails/confirm">
!${list}
<div class="actions sticky">
<button name="action" value="send_chosen">Send chosen again…</button>
!${failed > 1 ? all : ''}
</div>
</form>`;
}

function choice({ id, purpose, status }: MailTrouble): Html {
  if (status === 'queued') return '';
  return html`<input type="checkbox" name="chosen" value="${id}" aria-label="Choose ${purpose} ${id}">`;
}

function listOf(mails: readonly MailTrouble[], now: Date): Html {
  return table({
    caption: 'Mails that did not simply leave, the newest first',
    columns: [
      { label: 'Choose', kind: 'select' },
      { label: 'Mail', kind: 'term' },
      { label: 'State' },
      { label: 'Tries', kind: 'number' },
      { label: 'Last change' },
      { label: 'Reason', kind: 'wide' },
    ],
    rows: mails.map((mail) => [
      choice(mail),
      html`<a href="/ops/mails/${mail.organization_id}/${mail.id}">${mail.purpose}</a> <span class="under">${mail.id}</span>`,
      stateOf(mail),
      html`${mail.attempts}`,
      ago(mail.updated_at, now),
      html`${mail.error ?? '–'}`,
    ]),
  });
}

function detail(mail: MailTrouble, now: Date): Html {
  const { id, organization_id, purpose, attempts, created_at, updated_at, error } = mail;
  const status = mail.status as TroubleStatus;
  return html`!${section(
    'State',
    html`<p>${STATUSES[status].sentence}</p>
!${facts({
      Mail: html`<code>${id}</code>`,
      Organization: html`<code>${organization_id}</code>`,
      Purpose: html`${purpose}`,
      Tries: String(attempts),
      Requested: when(created_at, now),
      'Last change': when(updated_at, now),
    })}`,
  )}
!${error === null ? '' : section('What was said', html`<pre tabindex="0">${error}</pre>`)}
!${status === 'queued' ? '' : section('Send it again', sendAgain(mail))}`;
}

function sendAgain({ organization_id, id, status }: MailTrouble): Html {
  const warning =
    status === 'unknown'
      ? 'It may have arrived: the one it is for then has it twice.'
      : 'Worth it when the reason is gone: another mail server, an address that works again.';
  return html`<p>${warning} Address, text and link are made anew.</p>
<form method="post" action="/ops/mails/${organization_id}/${id}/send-again"><button class="${status === 'unknown' ? 'danger' : 'main'}">Send again</button></form>`;
}
