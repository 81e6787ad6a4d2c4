import { html } from 'ghtml';
import { type Measured, MOST_COUNTED } from '../../shared/platform/operators/measure.ts';
import { ago, bytes, count } from './format.ts';
import { type Html, section, table } from './parts.ts';
import type { Overview } from './read-overview.ts';

/** The domains that have a panel of their own. */
const OF_DOMAINS = /^(attendance|evidence|forms|mail|received|scheduler|sign)_/;

/** Files and uploads of the whole installation, with the age of the oldest; never whose they are. */
export function filesPanel({ measured, now }: Overview): Html {
  const own = measured.filter(({ measure }) => !OF_DOMAINS.test(measure.name));
  return section('Files', measuresTable('Files and uploads of all organizations', own, now));
}

/** What of attendance waits or failed, in all organizations together. */
export function attendancePanel(overview: Overview): Html {
  return domainPanel(overview, { domain: 'attendance', title: 'Attendance' });
}

/** What came in by forms, and what of it needs a look, in all organizations together. */
export function formsPanel(overview: Overview): Html {
  return domainPanel(overview, { domain: 'forms', title: 'Forms' });
}

/** Campaigns under way and standing still, and what of their mails needs a look, in all organizations together. */
export function mailPanel(overview: Overview): Html {
  return domainPanel(overview, { domain: 'mail', title: 'Campaigns' });
}

/** What of bookings and calendars waits or failed, in all organizations together. */
export function schedulerPanel(overview: Overview): Html {
  return domainPanel(overview, { domain: 'scheduler', title: 'Scheduler' });
}

/** What of documents for signing waits or failed, in all organizations together. */
export function signPanel(overview: Overview): Html {
  return domainPanel(overview, { domain: 'sign', title: 'Sign' });
}

/** What of received documents waits or failed, and of the chain over evidence, in all organizations together. */
export function receivedPanel(overview: Overview): Html {
  return domainPanel(overview, { domain: 'received', title: 'Received documents', also: 'evidence' });
}

function domainPanel(
  { measured, now }: Overview,
  { domain, title, also = domain }: { domain: string; title: string; also?: string },
): Html {
  const names = [`${domain}_`, `${also}_`];
  const own = measured.filter(({ measure }) => names.some((name) => measure.name.startsWith(name)));
  return section(title, measuresTable(`${title} of all organizations`, own, now));
}

function measuresTable(caption: string, measured: readonly Measured[], now: Date): Html {
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
  return table({ caption, columns, rows });
}
