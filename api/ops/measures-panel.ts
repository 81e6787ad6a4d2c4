import { html } from 'ghtml';
import type { Text } from '../../shared/kernel/language.ts';
import { type Measured, MOST_COUNTED } from '../../shared/platform/operators/measure.ts';
import { type Html, section, table } from './parts.ts';
import type { Overview } from './read-overview.ts';
import { bytes, count, type Speech } from './speech.ts';

/**
 * The domains that have a panel of their own, of all organizations together: what of each waits, failed or needs a look. `also` is
 * what stands in it besides.
 */
const DOMAINS: Readonly<Record<string, { title: Text; also?: string }>> = {
  attendance: { title: { en: 'Attendance', ja: '勤怠' } },
  forms: { title: { en: 'Forms', ja: 'フォーム' } },
  mail: { title: { en: 'Campaigns', ja: 'キャンペーン' } },
  received: { title: { en: 'Received documents', ja: '受領書類' }, also: 'evidence' },
  scheduler: { title: { en: 'Scheduler', ja: '予約' } },
  sign: { title: { en: 'Sign', ja: '電子署名' } },
};

const OF_DOMAINS = new RegExp(
  `^(${Object.entries(DOMAINS)
    .flatMap(([name, { also }]) => [name, ...(also ? [also] : [])])
    .join('|')})_`,
);

/** Files and uploads of the whole installation, with the age of the oldest; never whose they are. */
export function filesPanel(speech: Speech, { measured }: Overview): Html {
  const own = measured.filter(({ measure }) => !OF_DOMAINS.test(measure.name));
  const caption = { en: 'Files and uploads of all organizations', ja: '全組織のファイルとアップロード' };
  return section(speech, { en: 'Files', ja: 'ファイル' }, measuresTable(speech, caption, own));
}

/** The panel of each domain, by its name. */
export function domainPanels(speech: Speech, { measured }: Overview): [name: string, panel: Html][] {
  return Object.keys(DOMAINS).map((name) => [name, domainPanel(speech, name, measured)]);
}

/** The panel of one domain that has one, by its name. */
export function domainPanel(speech: Speech, name: string, measured: readonly Measured[]): Html {
  const { title, also = name } = DOMAINS[name]!;
  const own = measured.filter(({ measure }) =>
    [`${name}_`, `${also}_`].some((start) => measure.name.startsWith(start)),
  );
  const caption = { en: `${title.en} of all organizations`, ja: `全組織の${title.ja}` };
  return section(speech, title, measuresTable(speech, caption, own));
}

function measuresTable(speech: Speech, caption: Text, measured: readonly Measured[]): Html {
  const { say, ago } = speech;
  const rows = measured.map(({ measure: { title, unit, age }, value, oldest_at }) => [
    html`${say(title)}`,
    unit === 'bytes' ? bytes(value) : say(numberOf(value)),
    oldest_at === null || age === undefined
      ? '–'
      : html`!${ago(oldest_at)} <span class="quiet">(${say(age)})</span>`,
  ]);
  const columns = [
    { label: { en: 'What', ja: '項目' }, kind: 'term' },
    { label: { en: 'Now', ja: '現在' }, kind: 'number' },
    { label: { en: 'Oldest', ja: '最も古いもの' } },
  ] as const;
  return table(speech, { caption, columns, rows });
}

function numberOf(value: number): Text {
  const shown = count(value);
  return value === MOST_COUNTED ? { en: `${shown} or more`, ja: `${shown}以上` } : { en: shown, ja: shown };
}
