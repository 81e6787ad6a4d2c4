import { html } from 'ghtml';
import type { Stood } from '../../shared/platform/operators/standing.ts';
import { jobWords } from './jobs/words.ts';
import { type Html, section, table } from './parts.ts';
import type { Speech } from './speech.ts';

/** The records that stand still by a trouble of the service, with what to do; nothing where none does. */
export function standingPanel(speech: Speech, { standing, records, most }: Stood): Html {
  if (records.length === 0) return '';
  const { say, ago } = speech;
  const { title, one, reasons } = standing;
  const rows = records.map(({ id, organization_id, reason, since }) => {
    const { why, what_to_do, path } = reasons[reason]!;
    const more = path
      ? html` <a href="${path}">${say({ en: 'Show what failed', ja: '失敗の詳細を表示' })}</a>`
      : '';
    return [
      html`<code>${id}</code>`,
      html`<code>${organization_id}</code>`,
      html`${say(why)}`,
      ago(since),
      html`${say(what_to_do)}!${more}`,
    ];
  });
  const list = table(speech, {
    caption: { en: `${title.en}, the oldest first`, ja: `${title.ja}（古い順）` },
    columns: [
      { label: one, kind: 'term' },
      { label: jobWords.organization },
      { label: jobWords.reason },
      { label: { en: 'Since', ja: '発生' } },
      { label: { en: 'What to do', ja: '対応' }, kind: 'wide' },
    ],
    rows,
  });
  const oldest = say({ en: `The ${most} oldest`, ja: `古い${most}件` });
  return section(
    speech,
    title,
    list,
    records.length < most ? '' : html`<span class="quiet">${oldest}</span>`,
  );
}
