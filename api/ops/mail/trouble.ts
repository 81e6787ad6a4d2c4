import type Router from '@koa/router';
import { html } from 'ghtml';
import { EVERY_ORGANIZATION } from '../../../shared/db/database.ts';
import { notFound } from '../../../shared/kernel/failure.ts';
import type { Text } from '../../../shared/kernel/language.ts';
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
import { jobWords } from '../jobs/words.ts';
import { goTo, places, sendPage, speechOf } from '../page.ts';
import { badge, facts, type Html, nothing, pager, section, type Tone, table, told } from '../parts.ts';
import { reasonIn } from '../reasons.ts';
import { count, type Speech } from '../speech.ts';
import { mailsAgainPages } from './again.ts';
import { campaignPanels, readCampaigns } from './campaigns.ts';
import { mailLink, whatMail } from './words.ts';

const PER_PAGE = 50;

type Words = { word: Text; tone: Tone; sentence: Text };

const STATUSES: Record<TroubleStatus, Words> = {
  failed: {
    word: { en: 'Failed', ja: '失敗' },
    tone: 'bad',
    sentence: {
      en: 'The mail server refused it for good, or there was nothing to send. It did not arrive.',
      ja: 'メールサーバーが拒否したか、送る内容がありませんでした。届いていません。',
    },
  },
  unknown: {
    word: { en: 'Unknown', ja: '不明' },
    tone: 'warn',
    sentence: {
      en: 'The mail server took the text and never said what became of it. It may have arrived, so it is not sent again by itself: ask the one it was for, or look into the log of the mail server.',
      ja: 'メールサーバーは本文を受け取りましたが、結果の応答がありませんでした。届いている可能性があるため、自動では再送しません。宛先に確認するか、メールサーバーのログをご覧ください。',
    },
  },
  queued: {
    word: { en: 'Waiting', ja: '待機中' },
    tone: 'calm',
    sentence: {
      en: 'The mail server refused it for now. It is tried again by itself, after growing pauses.',
      ja: 'メールサーバーが一時的に拒否しました。間隔を延ばしながら、自動で再試行します。',
    },
  },
};

const isTrouble = (word: string | null): word is TroubleStatus => word !== null && word in STATUSES;

/** One sentence after a change. */
function whatWasDone({ say }: Speech, query: URLSearchParams): Html {
  const number = Number(query.get('count') ?? 1) || 0;
  const sentences: Record<string, Text> = {
    again: {
      en: number === 1 ? 'The mail is sent again.' : `${count(number)} mails are sent again.`,
      ja: `${count(number)}通のメールを再送します。`,
    },
    none: {
      en: 'No mail was chosen that can be sent again.',
      ja: '再送できるメールが選択されていません。',
    },
  };
  const sentence = sentences[query.get('done') ?? ''];
  return sentence ? told(say(sentence)) : '';
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
    const [{ rows, total }, counts, campaigns] = await database.withConnection(
      EVERY_ORGANIZATION,
      (connection) =>
        Promise.all([
          troubledMails(connection, window),
          mailCounts(connection),
          readCampaigns(connection, now()),
        ]),
    );
    const speech = speechOf(context, now());
    const { say } = speech;
    const none = status
      ? { en: 'No mail is in this state.', ja: 'この状態のメールはありません。' }
      : {
          en: 'No mail failed, is unknown or waits after a refusal.',
          ja: '失敗、不明、または再試行待ちのメールはありません。',
        };
    const list = rows.length === 0 ? nothing(speech, none) : choiceOf(speech, rows, counts.failed);
    const paged = { page, per_page: PER_PAGE, total };
    const pages = pager(speech, '/ops/mails', new URLSearchParams(status && { status }), paged);
    const [queued, sending] = [count(counts.queued), count(counts.sending)];
    const words = say({
      en: `${queued} queued, ${sending} being sent`,
      ja: `順番待ち${queued}通、送信中${sending}通`,
    });
    const title = { en: `Mails: ${count(total)}`, ja: `メール：${count(total)}通` };
    const body = html`!${whatWasDone(speech, query)}!${tabs(speech, status)}!${status ? html`<p>${say(STATUSES[status].sentence)}</p>` : ''}
!${section(speech, title, html`!${list}!${pages}`, html`<span class="quiet">${words}</span>`)}
!${campaignPanels(speech, campaigns)}`;
    sendPage(context, { title: say(places.mails.label), body });
  });

  router.get('/ops/mails/:organization_id/:id', async (context) => {
    const { organization_id = '', id = '' } = context.params;
    const mail = await database.withConnection(EVERY_ORGANIZATION, (connection) =>
      troubledMail(connection, { organization_id, id }),
    );
    if (!mail) throw notFound();
    const speech = speechOf(context, now());
    sendPage(context, {
      title: whatMail(speech, mail.purpose),
      body: detail(speech, mail),
      aside: stateOf(speech, mail),
      within: places.mails,
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

function tabs({ say }: Speech, chosen: TroubleStatus | undefined): Html {
  const item = (path: string, words: Text, isChosen: boolean) =>
    html`<li><a href="${path}"!${isChosen ? ' aria-current="page"' : ''}>${say(words)}</a></li>`;
  const items = Object.entries(STATUSES).map(([status, { word }]) =>
    item(`/ops/mails?status=${status}`, word, status === chosen),
  );
  return html`<ul class="tabs" aria-label="${say({ en: 'States', ja: '状態' })}">!${item('/ops/mails', jobWords.all, chosen === undefined)}!${items}</ul>`;
}

function stateOf({ say }: Speech, { status }: MailTrouble): Html {
  const { word, tone } = STATUSES[status as TroubleStatus];
  return badge(say(word), tone);
}

/** The list as a form: what does not wait by itself can be chosen. `failed` is how many failed in all. */
function choiceOf(speech: Speech, mails: readonly MailTrouble[], failed: number): Html {
  const { say } = speech;
  const list = listOf(speech, mails);
  if (mails.every(({ status }) => status === 'queued')) return list;
  const number = count(failed);
  const all = say({ en: `Send all ${number} failed again…`, ja: `失敗した${number}通をすべて再送…` });
  return html`<form method="post" action="/ops/mails/confirm">
!${list}
<div class="actions sticky">
<button name="action" value="send_chosen">${say({ en: 'Send chosen again…', ja: '選択したものを再送…' })}</button>
!${failed > 1 ? html`<button name="action" value="send_failed">${all}</button>` : ''}
</div>
</form>`;
}

const CHOOSE: Text = { en: 'Choose', ja: '選択' };

function choice(speech: Speech, { id, purpose, status }: MailTrouble): Html {
  if (status === 'queued') return '';
  return html`<input type="checkbox" name="chosen" value="${id}" aria-label="${speech.say(CHOOSE)} ${whatMail(speech, purpose)} ${id}">`;
}

const MAIL: Text = { en: 'Mail', ja: 'メール' };
const STATE: Text = { en: 'State', ja: '状態' };
const TRIES: Text = { en: 'Tries', ja: '試行' };
const LAST_CHANGE: Text = { en: 'Last change', ja: '最後の更新' };

function listOf(speech: Speech, mails: readonly MailTrouble[]): Html {
  return table(speech, {
    caption: {
      en: 'Mails that did not simply leave, the newest first',
      ja: '送られていないメール（新しい順）',
    },
    columns: [
      { label: CHOOSE, kind: 'select' },
      { label: MAIL, kind: 'term' },
      { label: STATE },
      { label: TRIES, kind: 'number' },
      { label: LAST_CHANGE },
      { label: jobWords.reason, kind: 'wide' },
    ],
    rows: mails.map((mail) => [
      choice(speech, mail),
      mailLink(speech, mail),
      stateOf(speech, mail),
      html`${mail.attempts}`,
      speech.ago(mail.updated_at),
      reasonIn(speech, mail.error),
    ]),
  });
}

function detail(speech: Speech, mail: MailTrouble): Html {
  const { say, when } = speech;
  const { id, organization_id, purpose, attempts, created_at, updated_at, error } = mail;
  const status = mail.status as TroubleStatus;
  const own = facts(speech, [
    [MAIL, html`<code>${id}</code>`],
    [jobWords.organization, html`<code>${organization_id}</code>`],
    [{ en: 'Purpose', ja: '用途' }, html`${whatMail(speech, purpose)} <code>${purpose}</code>`],
    [TRIES, String(attempts)],
    [{ en: 'Requested', ja: '依頼' }, when(created_at)],
    [LAST_CHANGE, when(updated_at)],
  ]);
  const said = html`<pre tabindex="0">!${reasonIn(speech, error)}</pre>`;
  return html`!${section(speech, STATE, html`<p>${say(STATUSES[status].sentence)}</p>!${own}`)}
!${error === null ? '' : section(speech, { en: 'What was said', ja: '応答の内容' }, said)}
!${status === 'queued' ? '' : section(speech, { en: 'Send it again', ja: '再送' }, sendAgain(speech, mail))}`;
}

function sendAgain({ say }: Speech, { organization_id, id, status }: MailTrouble): Html {
  const isUnknown = status === 'unknown';
  const warning = say(
    isUnknown
      ? {
          en: 'It may have arrived: the one it is for then has it twice.',
          ja: '届いている可能性があり、その場合は二重に届きます。',
        }
      : {
          en: 'Worth it when the reason is gone: another mail server, an address that works again.',
          ja: 'メールサーバーの変更やアドレスの復旧など、原因がなくなってから再送してください。',
        },
  );
  const anew = say({
    en: 'Address, text and link are made anew.',
    ja: '宛先、本文、リンクは作成し直します。',
  });
  return html`<p>${warning} ${anew}</p>
<form method="post" action="/ops/mails/${organization_id}/${id}/send-again"><button class="${isUnknown ? 'danger' : 'main'}">${say({ en: 'Send again', ja: '再送する' })}</button></form>`;
}
