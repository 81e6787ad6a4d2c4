import { html } from 'ghtml';
import type { Failure } from '../../../shared/kernel/failure.ts';
import { statusOf } from '../../http/failure-status.ts';
import type { Language } from './language.ts';
import type { View, WayOn } from './page.ts';
import { failureSentence } from './words.ts';

const titles: Record<Language, { by_status: Record<number, string>; other: string }> = {
  ja: {
    by_status: {
      404: '見つかりません',
      410: 'リンクは無効になりました',
      429: 'しばらくお待ちください',
      503: 'ただいまご利用いただけません',
    },
    other: 'ご利用いただけません',
  },
  en: {
    by_status: {
      404: 'Not found',
      410: 'This link has ended',
      429: 'Please wait a moment',
      503: 'Not available just now',
    },
    other: 'This did not work',
  },
};

/** Seconds from which a wait is told in minutes. */
const MINUTES = 120;

const wait: Record<Language, (seconds: number) => string> = {
  ja: (seconds) =>
    `${seconds < MINUTES ? `${seconds}秒` : `${Math.ceil(seconds / 60)}分`}後にもう一度お試しください。`,
  en: (seconds) =>
    `Try again in ${seconds < MINUTES ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`}.`,
};

/**
 * The page for what cannot be shown as asked (expired, unknown, limited, unavailable): what happened, and what to do now.
 * It has no form, so it may send none.
 */
export function trouble(
  failure: Failure,
  language: Language,
  { way_on, advice }: { way_on?: (WayOn & { href: string }) | undefined; advice?: string | undefined } = {},
): View {
  const { by_status, other } = titles[language];
  const status = statusOf(failure);
  const title = by_status[status] ?? other;
  const seconds = Number(failure.details.headers?.['Retry-After'] ?? 0);
  const body = html`<h1>${title}</h1>
<p>${failureSentence(failure, language)}</p>
!${seconds > 0 ? html`<p>${wait[language](seconds)}</p>` : ''}
!${advice ? html`<p>${advice}</p>` : ''}
!${way_on ? html`<p><a href="${way_on.href}">${way_on.label[language]}</a></p>` : ''}`;
  return { status, title, body, policy: { 'form-action': "'none'" } };
}
