import type Router from '@koa/router';
import { html } from 'ghtml';
import { EVERY_ORGANIZATION } from '../../../shared/db/database.ts';
import type { Connection } from '../../../shared/kernel/connection.ts';
import { sendMailsAgain } from '../../../shared/platform/mailer/send-again.ts';
import { failedMailIds, lostMails, type MailTrouble } from '../../../shared/platform/mailer/troubled.ts';
import type { ApiContext } from '../../context.ts';
import { MOST_CHOSEN, readChosen, readForm } from '../form.ts';
import { count } from '../format.ts';
import { goTo, sendPage } from '../page.ts';
import { badge, type Html, section, table } from '../parts.ts';

/** Mails that the question shows one by one. */
const NAMED = 20;

/** Sending many mails again: chosen ones, or all that failed. What may have arrived is only sent where it was chosen. */
export function mailsAgainPages(router: Router, { database, log, now }: ApiContext): void {
  const read = <T>(run: (connection: Connection) => Promise<T>) =>
    database.withConnection(EVERY_ORGANIZATION, run);

  router.post('/ops/mails/confirm', async (context) => {
    const form = await readForm(context);
    const isAll = form.get('action') === 'send_failed';
    const mails = await read(async (connection) =>
      lostMails(connection, isAll ? await failedMailIds(connection, MOST_CHOSEN) : form.getAll('chosen')),
    );
    if (mails.length === 0) return goTo(context, '/ops/mails?done=none');
    const within = { path: '/ops/mails', label: 'Mails in trouble' };
    sendPage(context, { title: `Send ${counted(mails.length)} again?`, body: question(mails), within });
  });

  router.post('/ops/mails/send-again', async (context) => {
    const chosen = await readChosen(context);
    const { request_id } = context.state;
    const when = { now: now(), request_id, ip_address: context.ip };
    const sent = await read((connection) => sendMailsAgain(connection, chosen, when));
    log.warn({ request_id, count: sent }, 'An operator queued mails again');
    goTo(context, `/ops/mails?done=again&count=${sent}`);
  });
}

const counted = (number: number) => (number === 1 ? 'this mail' : `${count(number)} mails`);

function question(mails: readonly MailTrouble[]): Html {
  const unknown = mails.filter(({ status }) => status === 'unknown').length;
  const rest = mails.length - NAMED;
  const whose = mails.length === 1 ? 'It' : unknown === mails.length ? 'They' : `${count(unknown)} of them`;
  const warning = html`<p><strong>${whose} may have arrived:</strong> who it is for then has it twice. Ask them, or look into the log of the mail server, if that matters.</p>`;
  return section(
    'Have them sent again',
    html`<p>Address, text and link of each are made anew.</p>
!${unknown > 0 ? warning : ''}
!${named(mails.slice(0, NAMED))}
!${rest > 0 ? html`<p class="quiet">and ${count(rest)} more</p>` : ''}
<form method="post" action="/ops/mails/send-again" class="actions">
<input type="hidden" name="chosen" value="${mails.map(({ id }) => id).join(' ')}">
<button class="${unknown > 0 ? 'danger' : 'main'}">Send ${counted(mails.length)} again</button>
<a class="button" href="/ops/mails">Leave them</a>
</form>`,
  );
}

function named(mails: readonly MailTrouble[]): Html {
  return table({
    caption: 'The mails in question',
    columns: [{ label: 'Mail', kind: 'term' }, { label: 'State' }, { label: 'Reason', kind: 'wide' }],
    rows: mails.map(({ organization_id, id, purpose, status, error }) => [
      html`<a href="/ops/mails/${organization_id}/${id}">${purpose}</a> <span class="under">${id}</span>`,
      status === 'unknown' ? badge('May have arrived', 'warn') : badge('Failed', 'bad'),
      html`${error ?? '–'}`,
    ]),
  });
}
