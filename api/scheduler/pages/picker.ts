import { html } from 'ghtml';
import type { Language } from '../../../shared/kernel/language.ts';
import type { Slot } from '../../../shared/scheduler/slots/types.ts';
import { icons } from '../../pages/kit/icons.ts';
import type { Visit } from '../../pages/kit/page.ts';
import { type Asked, address } from './address.ts';
import type { Formats } from './format.ts';
import { monthAfter, monthOf, weeksOf } from './month.ts';
import type { Choice, Days } from './times.ts';
import { words } from './words.ts';
import { zoneForm } from './zone.ts';

/** What a visitor picks a time from. */
export type Picking = {
  visit: Visit;
  language: Language;
  formats: Formats;
  week_starts_on: 'sunday' | 'monday';
  /** The parameters that every link of the page keeps. */
  kept: Partial<Asked> & Record<string, string | number | null>;
  /** The date of the present instant in the visitor's zone. */
  today: string;
  days: Days;
  choice: Choice;
  /** Whether several guests share a start, who are told how many seats are left. */
  has_seats: boolean;
};

/** Two years on, where every window of booking ends. */
const MOST_MONTHS = 24;

/** A month with its free days, and the times of one of them: links, so that it works without a script. */
export function picker(picking: Picking): string {
  return html`<section class="calendar" aria-labelledby="pick-day">
<h2 id="pick-day" class="unseen">${words[picking.language].pick_day}</h2>
!${monthOfDays(picking)}
!${zoneForm(picking)}
</section>
<section class="times" id="times" aria-labelledby="pick-time">
!${timesOfDay(picking)}
</section>`;
}

function monthOfDays(picking: Picking): string {
  const { visit, language, formats, kept, today, choice, week_starts_on } = picking;
  const say = words[language];
  const { month } = choice;
  const first = monthOf(today);
  const turn = (to: string, label: string, sign: string, isThere: boolean) =>
    isThere
      ? html`<a href="${address(visit, { ...kept, month: to })}" aria-label="${`${label}: ${formats.month(to)}`}">${sign}</a>`
      : html`<span aria-hidden="true">${sign}</span>`;
  const weekdays = week_starts_on === 'monday' ? [...say.weekdays.slice(1), say.weekdays[0]!] : say.weekdays;
  const heads = weekdays.map((weekday) => html`<th scope="col">${weekday}</th>`);
  const weeks = weeksOf(month, week_starts_on).map(
    (week) => html`<tr>!${week.map((date) => dayCell(picking, date)).join('')}</tr>`,
  );
  return html`<div class="month">
!${turn(monthAfter(month, -1), say.before, '‹', month > first)}
<h3>${formats.month(month)}</h3>
!${turn(monthAfter(month, 1), say.after, '›', month < monthAfter(first, MOST_MONTHS))}
</div>
<table class="days" aria-label="${formats.month(month)}"><thead><tr>!${heads.join('')}</tr></thead>
<tbody>!${weeks.join('\n')}</tbody></table>`;
}

function dayCell(
  { visit, language, formats, kept, days, choice, today }: Picking,
  date: string | null,
): string {
  if (date === null) return '<td></td>';
  const day = String(Number(date.slice(8)));
  const current = date === choice.date ? ' aria-current="date"' : '';
  const here = date === today ? ' class="today"' : '';
  const times = days.get(date);
  if (!times) return html`<td!${here}><span!${current}>${day}</span></td>`;
  const href = `${address(visit, { ...kept, date })}#times`;
  const name = words[language].day_of(formats.day(date), times.length);
  return html`<td!${here}><a href="${href}" aria-label="${name}"!${current}>${day}</a></td>`;
}

function timesOfDay(picking: Picking): string {
  const { visit, language, formats, kept, days, choice } = picking;
  const say = words[language];
  const { date, month, next_free } = choice;
  const times = date === null ? undefined : days.get(date);
  if (date !== null && times) {
    const items = times.map((slot) => timeLink(picking, slot));
    return html`<h2 id="pick-time">${formats.day(date)}</h2>
<ul>!${items.join('\n')}</ul>`;
  }
  const further = monthAfter(month, 2);
  const way =
    next_free === null
      ? html`<a href="${address(visit, { ...kept, month: further })}">${say.look_further(formats.month(further))}</a>`
      : html`<a href="${`${address(visit, { ...kept, date: next_free })}#times`}">${say.next_free(formats.day(next_free))}</a>`;
  return html`<h2 id="pick-time">${date === null ? formats.month(month) : formats.day(date)}</h2>
<p>${date === null ? say.none_in(formats.month(month)) : say.none_on(formats.day(date))}</p>
<p>!${way}</p>`;
}

function timeLink(
  { visit, language, formats, kept, has_seats }: Picking,
  { start, seats_left }: Slot,
): string {
  const seats = has_seats ? html` <span class="quiet">${words[language].seats_left(seats_left)}</span>` : '';
  return html`<li><a href="${`${address(visit, { ...kept, start })}#main`}">!${formats.start(start)}!${seats}</a></li>`;
}

/** A line with the icon of a day before a span of time; HTML. */
export function spanLine(formats: Formats, { start, end }: { start: number; end: number }): string {
  return html`<p class="span">!${icons.day}<span>!${formats.span(start, end)} <span class="quiet">(${formats.zone_name})</span></span></p>`;
}
