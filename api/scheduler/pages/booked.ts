import { html } from 'ghtml';
import type { Language } from '../../../shared/kernel/language.ts';
import { alert, form, hidden } from '../../pages/kit/fields.ts';
import { icons } from '../../pages/kit/icons.ts';
import type { Refused, Visit } from '../../pages/kit/page.ts';
import { type PlaceType, paragraphs, placeName } from './about.ts';
import { address } from './address.ts';
import type { Formats } from './format.ts';
import type { Question } from './questions.ts';
import { words } from './words.ts';

/** A booking as its guest sees it. */
export type BookingShown = {
  title: string;
  status: 'pending' | 'confirmed' | 'completed' | 'declined' | 'expired' | 'cancelled' | 'no_show';
  start: string;
  end: string;
  guest: { name: string; email: string; phone: string | null };
  additional_guests: readonly string[];
  answers: Readonly<Record<string, string | number | boolean | readonly string[]>>;
  hosts: readonly { name: string }[];
  location: { type: PlaceType; label: string | null; value: string | null } | null;
  cancelled_by: 'guest' | 'staff' | null;
  cancel_reason: string | null;
  available_actions: readonly ('reschedule' | 'cancel')[];
};

type Showing = {
  visit: Visit;
  language: Language;
  formats: Formats;
  booking: BookingShown;
  /** The questions of its event type as they are now. */
  questions: readonly Question[];
  cancel_policy: string | null;
  /** Where its iCalendar is answered; null where it has none. */
  calendar_file: string | null;
  /** The page of its event type; null where nobody can book that any more. */
  type_page: string | null;
  refused: Refused | undefined;
};

const MARKS = {
  pending: icons.waiting,
  confirmed: icons.done,
  completed: icons.done,
  declined: icons.ended,
  expired: icons.ended,
  cancelled: icons.ended,
  no_show: icons.done,
} as const;

/** A booking: how it stands, when and where it is, and what its guest can do. */
export function booked(showing: Showing): string {
  const { visit, language, booking, refused, calendar_file, type_page } = showing;
  const say = words[language];
  const { status, available_actions } = booking;
  const can = (action: 'reschedule' | 'cancel') => available_actions.includes(action);
  const isOver = !['pending', 'confirmed'].includes(status);
  return html`<section class="booked">
<div class="status ${status}">!${MARKS[status]}<div><h1>${say.statuses[status]}</h1>
!${explained(language, booking)}</div></div>
!${alert(refused, language, refused && say.refused[refused.failure.code])}
<h2>${booking.title}</h2>
!${facts(showing)}
<ul class="ways">
!${calendar_file === null ? '' : html`<li><a class="button plain" href="${calendar_file}">${say.to_calendar}</a></li>`}
!${can('reschedule') ? html`<li><a class="button plain" href="${address(visit, { move: 1 })}">${say.move}</a></li>` : ''}
!${isOver && type_page !== null ? html`<li><a class="button plain" href="${type_page}">${say.book_again}</a></li>` : ''}
</ul>
!${can('cancel') ? cancelForm(showing) : ''}
</section>`;
}

function explained(language: Language, { status, guest, cancelled_by }: BookingShown): string {
  const { explained: sentences } = words[language];
  const sentence = {
    pending: sentences.pending,
    confirmed: sentences.confirmed(guest.email),
    declined: sentences.declined,
    expired: sentences.expired,
    cancelled: cancelled_by === 'guest' ? sentences.cancelled_by_guest : sentences.cancelled_by_staff,
    completed: '',
    no_show: '',
  }[status];
  return sentence ? html`<p>${sentence}</p>` : '';
}

function facts({ language, formats, booking, questions }: Showing): string {
  const say = words[language];
  const { start, end, hosts, location, guest, additional_guests, cancel_reason } = booking;
  const row = (label: string, content: string) =>
    content === '' ? '' : html`<dt>${label}</dt><dd>!${content}</dd>`;
  const span = html`!${formats.span(Date.parse(start), Date.parse(end))}<br><span class="quiet">${formats.zone_name} (${formats.time_zone})</span>`;
  const between = language === 'ja' ? '、' : ', ';
  const who = [guest.name, guest.email, guest.phone].filter((each) => each !== null);
  return html`<dl class="facts-of">
!${row(say.when, span)}
!${row(say.place, location === null ? '' : place(language, location))}
!${row(say.hosts, html`${hosts.map(({ name }) => name).join(between)}`)}
!${row(say.guest, who.map((each) => html`${each}`).join('<br>'))}
!${row(say.additional, additional_guests.map((each) => html`${each}`).join('<br>'))}
!${questions.map(({ id, label }) => row(label, answerText(language, booking.answers[id]))).join('\n')}
!${row(say.reason, cancel_reason === null ? '' : paragraphs(cancel_reason))}
</dl>`;
}

/** A place with what only who has booked is told: an address of the web is a link. */
function place(language: Language, location: NonNullable<BookingShown['location']>): string {
  const { value } = location;
  const name = html`${placeName(language, location)}`;
  if (value === null) return name;
  const isLink = /^https?:\/\//i.test(value) && URL.canParse(value);
  const shown = isLink
    ? html`<a href="${value}" rel="noreferrer">${value}</a>`
    : html`<span class="lines">${value}</span>`;
  return `${name}<br>${shown}`;
}

function answerText(language: Language, answer: BookingShown['answers'][string] | undefined): string {
  const { yes, no } = words[language];
  if (answer === undefined) return '';
  if (typeof answer === 'boolean') return html`${answer ? yes : no}`;
  return html`<span class="lines">${Array.isArray(answer) ? answer.join('\n') : String(answer)}</span>`;
}

function cancelForm({ visit, language, cancel_policy }: Showing): string {
  const say = words[language];
  const note = html`!${hidden('action', 'cancel')}!${cancel_policy === null ? '' : paragraphs(cancel_policy)}<p>${say.cancel_sure}</p>`;
  const reason = {
    name: 'reason',
    label: say.optional(say.cancel_reason),
    type: 'long',
    autocomplete: 'off',
    optional: true,
  } as const;
  return html`<details class="cancel"><summary>${say.cancel}</summary>
!${form(visit, { fields: [reason], button: say.cancel_now, note })}
</details>`;
}
