import type { Language } from '../../kernel/language.ts';
import { asHtml, namesIn, type PlaceholderName, type ValueName } from './placeholders.ts';
import { namesShownBy } from './shown-names.ts';

/** What the law wants in each mail: 特定電子メール法 Art. 4 and its ordinance; for mail order the notice's page, 特定商取引法. */
const told = ['sender_name', 'sender_address', 'sender_contact', 'unsubscribe_url'] as const;

type Told = Extract<PlaceholderName, (typeof told)[number]>;

const labels: Record<Language, Record<Told | 'notice', string>> = {
  ja: {
    sender_name: '送信者',
    sender_address: '住所',
    sender_contact: 'お問い合わせ・苦情の受付',
    unsubscribe_url: '配信停止',
    notice: '特定商取引法に基づく表記',
  },
  en: {
    sender_name: 'Sender',
    sender_address: 'Address',
    sender_contact: 'Questions and complaints',
    unsubscribe_url: 'Unsubscribe',
    notice: 'Notice under the Act on Specified Commercial Transactions',
  },
};

/** The footers of a mail in its language. `notice_url`: the page of mail order; null: it is none. */
export type FooterOf = { locale: Language; notice_url: string | null };

/** What a plain text does not say of that by itself, with placeholders; empty where it says all. */
export function textFooter(body: string, { locale, notice_url }: FooterOf): string {
  const say = labels[locale];
  const lines = missingFrom(namesIn([body])).map((name) =>
    name === 'unsubscribe_url' ? `${say[name]}: <{{${name}}}>` : `${say[name]}: {{${name}}}`,
  );
  if (notice_url !== null) lines.push(`${say.notice}: <${notice_url}>`);
  return lines.length === 0 ? '' : `\n\n--\n${lines.join('\n')}`;
}

/** The same for HTML that was cleaned. */
export function htmlFooter(body: string, { locale, notice_url }: FooterOf): string {
  const say = labels[locale];
  const lines = missingFrom(namesShownBy(body)).map((name) =>
    name === 'unsubscribe_url'
      ? `<a href="{{${name}}}" style="color:#595959">${say[name]}</a>`
      : `${say[name]}: {{${name}}}`,
  );
  if (notice_url !== null) {
    lines.push(`<a href="${asHtml(notice_url)}" style="color:#595959">${say.notice}</a>`);
  }
  if (lines.length === 0) return '';
  return `<hr><p style="font-size:12px;line-height:1.6;color:#595959">${lines.join('<br>')}</p>`;
}

function missingFrom(placed: readonly ValueName[]): readonly Told[] {
  return told.filter((name) => !placed.includes(name));
}
