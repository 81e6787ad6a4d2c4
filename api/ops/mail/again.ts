import type Router from '@koa/router';
import { html } from 'ghtml';
import { EVERY_ORGANIZATION } from '../../../shared/db/database.ts';
import type { Connection } from '../../../shared/kernel/connection.ts';
import type { Text } from '../../../shared/kernel/language.ts';
import { sendMailsAgain } from '../../../shared/platform/mailer/send-again.ts';
import { failedMailIds, lostMails, type MailTrouble } from '../../../shared/platform/mailer/troubled.ts';
import type { ApiContext } from '../../context.ts';
import { MOST_CHOSEN, readChosen, readForm } from '../form.ts';
import { jobWords } from '../jobs/words.ts';
import { goTo, places, sendPage, speechOf } from '../page.ts';
import { badge, type Html, section, table } from '../parts.ts';
import { reasonIn } from '../reasons.ts';
import { count, type Speech } from '../speech.ts';
import { mailLink } from './words.ts';

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
    const speech = speechOf(context, now());
    const { en, ja } = counted(mails.length);
    const title = speech.say({ en: `Send ${en} again?`, ja: `${ja}を再送しますか？` });
    sendPage(context, { title, body: question(speech, mails), within: places.mails });
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

function counted(number: number): Text {
  return { en: number === 1 ? 'this mail' : `${count(number)} mails`, ja: `${count(number)}通のメール` };
}

function question(speech: Speech, mails: readonly MailTrouble[]): Html {
  const { say } = speech;
  const unknown = mails.filter(({ status }) => status === 'unknown').length;
  const rest = mails.length - NAMED;
  const whose = mails.length === 1 ? 'It' : unknown === mails.length ? 'They' : `${count(unknown)} of them`;
  const may = say({
    en: `${whose} may have arrived:`,
    ja:
      mails.length === unknown
        ? 'すでに届いている可能性があります。'
        : `うち${count(unknown)}通はすでに届いている可能性があります。`,
  });
  const twice = say({
    en: 'who it is for then has it twice. Ask them, or look into the log of the mail server, if that matters.',
    ja: 'その場合は二重に届きます。問題があれば、宛先に確認するか、メールサーバーのログをご覧ください。',
  });
  const anew = say({
    en: 'Address, text and link of each are made anew.',
    ja: '宛先、本文、リンクはそれぞれ作成し直します。',
  });
  const more = say({ en: `and ${count(rest)} more`, ja: `ほか${count(rest)}通` });
  const { en, ja } = counted(mails.length);
  return section(
    speech,
    { en: 'Have them sent again', ja: '再送' },
    html`<p>${anew}</p>
!${unknown > 0 ? html`<p><strong>${may}</strong> ${twice}</p>` : ''}
!${named(speech, mails.slice(0, NAMED))}
!${rest > 0 ? html`<p class="quiet">${more}</p>` : ''}
<form method="post" action="/ops/mails/send-again" class="actions">
<input type="hidden" name="chosen" value="${mails.map(({ id }) => id).join(' ')}">
<button class="${unknown > 0 ? 'danger' : 'main'}">${say({ en: `Send ${en} again`, ja: `${ja}を再送` })}</button>
<a class="button" href="/ops/mails">${say(jobWords.leave)}</a>
</form>`,
  );
}

function named(speech: Speech, mails: readonly MailTrouble[]): Html {
  const { say } = speech;
  return table(speech, {
    caption: { en: 'The mails in question', ja: '対象のメール' },
    columns: [
      { label: { en: 'Mail', ja: 'メール' }, kind: 'term' },
      { label: { en: 'State', ja: '状態' } },
      { label: jobWords.reason, kind: 'wide' },
    ],
    rows: mails.map((mail) => [
      mailLink(speech, mail),
      mail.status === 'unknown'
        ? badge(say({ en: 'May have arrived', ja: '届いた可能性あり' }), 'warn')
        : badge(say({ en: 'Failed', ja: '失敗' }), 'bad'),
      reasonIn(speech, mail.error),
    ]),
  });
}
