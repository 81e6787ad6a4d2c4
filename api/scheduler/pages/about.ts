import { html } from 'ghtml';
import type { Language } from '../../../shared/kernel/language.ts';
import { icons } from '../../pages/kit/icons.ts';
import type { Visit } from '../../pages/kit/page.ts';
import { type Asked, address } from './address.ts';
import type { Formats } from './format.ts';
import { words } from './words.ts';

export type PlaceType = keyof (typeof words)['en']['places'];

/** A place as a page shows it: its label, else what its type is called. */
export function placeName(
  language: Language,
  { type, label }: { type: PlaceType; label: string | null },
): string {
  return label ?? words[language].places[type];
}

/** What the pages show of an event type before it is booked. */
export type TypeShown = {
  title: string;
  description: string | null;
  duration_minutes: number;
  duration_options: readonly number[];
  needs_confirmation: boolean;
  locations: readonly { type: PlaceType; label: string | null }[];
  hosts: readonly { name: string }[];
};

type Telling = {
  visit: Visit;
  language: Language;
  formats: Formats;
  type: TypeShown;
  /** The length that is shown. */
  duration_minutes: number;
  kept: Partial<Asked>;
  cancel_policy: string | null;
};

/** What is booked: with whom, how long, where, and what has to be known before. */
export function about(telling: Telling): string {
  const { language, formats, type, duration_minutes, cancel_policy } = telling;
  const say = words[language];
  const names = type.hosts.map(({ name }) => name).join(language === 'ja' ? '、' : ', ');
  const places = type.locations.map((location) => placeName(language, location)).join(' / ');
  const fact = (icon: string, label: string, text: string) =>
    html`<li>!${icon}<span><span class="unseen">${label}: </span>${text}</span></li>`;
  return html`<section class="about">
<h1>${type.title}</h1>
<ul class="facts">
!${names ? fact(icons.person, say.hosts, names) : ''}
!${fact(icons.clock, say.length, formats.duration(duration_minutes))}
!${places ? fact(icons.place, say.place, places) : ''}
!${type.needs_confirmation ? html`<li>!${icons.waiting}<span>${say.waits_for_confirmation}</span></li>` : ''}
</ul>
!${lengths(telling)}
!${type.description ? paragraphs(type.description) : ''}
!${cancel_policy ? html`<details class="policy"><summary>${say.policy}</summary>!${paragraphs(cancel_policy)}</details>` : ''}
</section>`;
}

/** The lengths to choose from, where there are several. */
function lengths({ visit, language, formats, type, duration_minutes, kept }: Telling): string {
  const all = [...new Set([type.duration_minutes, ...type.duration_options])].toSorted((a, b) => a - b);
  if (all.length === 1) return '';
  const { duration_minutes: _, start: __, ...others } = kept;
  const items = all.map((minutes) => {
    const current = minutes === duration_minutes ? ' aria-current="true"' : '';
    const href = address(visit, { ...others, duration_minutes: minutes });
    return html`<li><a href="${href}"!${current}>${formats.duration(minutes)}</a></li>`;
  });
  return html`<ul class="lengths" aria-label="${words[language].length}">!${items.join('')}</ul>`;
}

/** A text of several lines, its lines kept; HTML. */
export function paragraphs(text: string): string {
  return text
    .split(/\n{2,}/)
    .map((part) => html`<p class="lines">${part}</p>`)
    .join('');
}
