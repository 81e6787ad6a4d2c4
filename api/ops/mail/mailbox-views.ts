import { html } from 'ghtml';
import type { Text } from '../../../shared/kernel/language.ts';
import type { MailHead, MailMessage } from '../../../shared/platform/mailer/mailbox-message.ts';
import { jobWords } from '../jobs/words.ts';
import { facts, type Html, nothing, pager, section, table } from '../parts.ts';
import { bytes, count, type Speech } from '../speech.ts';

const SENT: Text = { en: 'Sent', ja: '送信日時' };
const TO: Text = { en: 'To', ja: '宛先' };

export type MailboxPage = {
  /** What is looked for; empty for all. */
  search: string;
  heads: readonly MailHead[];
  page: number;
  per_page: number;
  total: number;
  /** How many of the newest were looked through where that is not all; null where it is. */
  looked_through: number | null;
};

/** The mails of a page of the mailbox, with what finds one. */
export function mailboxList(speech: Speech, listed: MailboxPage): Html {
  const { say } = speech;
  const { search, heads, page, per_page, total, looked_through } = listed;
  const shown = count(total);
  const title = { en: `Mails: ${shown}`, ja: `メール：${shown}通` };
  const newest = count(looked_through ?? 0);
  const bounded =
    looked_through === null
      ? ''
      : html`<span class="quiet">${say({ en: `among the newest ${newest}`, ja: `新しい${newest}通から検索` })}</span>`;
  const query = new URLSearchParams(search === '' ? {} : { search });
  const pages = pager(speech, '/ops/mailbox', query, { page, per_page, total });
  return html`!${searchForm(speech, search)}
!${section(speech, title, html`!${listOf(speech, heads, search)}!${pages}`, bounded)}`;
}

function searchForm({ say }: Speech, search: string): Html {
  return html`<form class="filters" method="get" action="/ops/mailbox" role="search" aria-label="${say({ en: 'Mails', ja: 'メール' })}">
<label>${say({ en: 'Subject or address', ja: '件名または宛先' })} <input name="search" type="search" value="${search}" maxlength="200"></label>
<button>${say({ en: 'Search', ja: '検索' })}</button> <a href="/ops/mailbox">${say(jobWords.clear)}</a>
</form>`;
}

function listOf(speech: Speech, heads: readonly MailHead[], search: string): Html {
  const { say, ago } = speech;
  if (heads.length === 0) {
    return nothing(
      speech,
      search === ''
        ? {
            en: 'No mail has been kept here yet. Ask for a new password at /sign-in, and its mail shows here.',
            ja: 'まだメールはありません。/sign-in でパスワードの再設定を依頼すると、そのメールがここに表示されます。',
          }
        : { en: 'No mail is found.', ja: '条件に合うメールはありません。' },
    );
  }
  const without = say({ en: '(no subject)', ja: '（件名なし）' });
  return table(speech, {
    caption: { en: 'Mails, the newest first', ja: 'メール（新しい順）' },
    columns: [
      { label: { en: 'Subject', ja: '件名' }, kind: 'wide' },
      { label: TO, kind: 'wide' },
      { label: SENT },
    ],
    rows: heads.map(({ id, date, to, subject }) => [
      html`<a href="/ops/mailbox/${id}">${subject || without}</a>`,
      html`${to.join(', ')}`,
      ago(date),
    ]),
  });
}

/** A mail: its head, as it looks, as text, its attachments and headers. */
export function mailView(speech: Speech, mail: MailMessage): Html {
  const { say, when } = speech;
  const { id, date, from, to, text, html: page, headers, attachments } = mail;
  const head = facts(speech, [
    [SENT, when(date)],
    [{ en: 'From', ja: '差出人' }, html`${from}`],
    [TO, html`${to.join(', ')}`],
    headers['cc'] === undefined ? null : [{ en: 'Copy to', ja: 'CC' }, html`${headers['cc']}`],
  ]);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const title = say({ en: 'The mail as a page', ja: 'メールの表示' });
  const frame = html`<iframe title="${title}" sandbox="allow-popups allow-popups-to-escape-sandbox" src="/ops/mailbox/${id}/html"></iframe>`;
  const plain = html`<pre tabindex="0">${text ?? ''}</pre>`;
  return html`!${section(speech, { en: 'Mail', ja: 'メール' }, head)}
!${page === null ? '' : section(speech, { en: 'As it looks', ja: '表示' }, frame)}
!${text === null ? '' : section(speech, { en: 'As plain text', ja: 'テキスト' }, plain)}
!${attachments.length === 0 ? '' : section(speech, { en: 'Attachments', ja: '添付ファイル' }, attachmentList(mail))}
<details><summary>${say({ en: 'Headers', ja: 'ヘッダー' })}</summary><pre tabindex="0">${lines.join('\n')}</pre></details>`;
}

/** Where an attachment of a mail is. */
export function attachmentPath(id: string, index: number): string {
  return `/ops/mailbox/${id}/attachments/${index}`;
}

function attachmentList({ id, attachments }: MailMessage): Html {
  return html`<ul>!${attachments.map(
    ({ file_name, content_type, size }, index) =>
      html`<li><a href="${attachmentPath(id, index)}">${file_name}</a> (${content_type}, ${bytes(size)})</li>`,
  )}</ul>`;
}
