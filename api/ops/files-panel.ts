import { html } from 'ghtml';
import { MOST_COUNTED } from '../../shared/platform/operators/measure.ts';
import { ago, bytes, count } from './format.ts';
import { type Html, section, table } from './parts.ts';
import type { Overview } from './read-overview.ts';

/** Files and uploads of the whole installation, with the age of the oldest; never whose they are. */
export function filesPanel({ measured, now }: Overview): Html {
  const rows = measured.map(({ measure: { title, unit, age }, value, oldest_at }) => [
    html`${title}`,
    unit === 'bytes' ? bytes(value) : value === MOST_COUNTED ? `${count(value)} or more` : count(value),
    oldest_at === null || age === undefined
      ? '–'
      : html`!${ago(oldest_at, now)} <span class="quiet">(${age})</span>`,
  ]);
  const columns = [
    { label: 'What', kind: 'term' },
    { label: 'Now', kind: 'number' },
    { label: 'Oldest' },
  ] as const;
  return section('Files', table({ caption: 'Files and uploads of all organizations', columns, rows }));
}
