import { html } from 'ghtml';
import { alert, form, hidden } from '../../pages/kit/fields.ts';
import type { Refused } from '../../pages/kit/page.ts';
import { address } from './address.ts';
import type { BookingShown } from './booked.ts';
import { type Picking, picker, spanLine } from './picker.ts';
import { words } from './words.ts';

type Moving = Picking & { booking: BookingShown; refused: Refused | undefined };

/** Where a guest chooses another time of a booking. */
export function move(moving: Moving): string {
  const { visit, language, refused } = moving;
  const say = words[language];
  return html`<div class="booking">
<section class="about">
<h1>${say.move_title}</h1>
!${present(moving)}
!${alert(refused, language, refused && say.refused[refused.failure.code])}
<p><a href="${address(visit, {})}">${say.back}</a></p>
</section>
!${picker(moving)}
</div>`;
}

/** Where the guest confirms the time that was chosen. */
export function moveTo(moving: Moving, start: number): string {
  const { visit, language, formats, booking, kept, refused } = moving;
  const say = words[language];
  const length = Date.parse(booking.end) - Date.parse(booking.start);
  const sent = { action: 'reschedule', start: new Date(start).toISOString(), time_zone: formats.time_zone };
  const note = Object.entries(sent).map(([name, value]) => hidden(name, value));
  return html`<section class="booked">
<h1>${say.move_title}</h1>
!${present(moving)}
<h2>${say.new_time}</h2>
!${spanLine(formats, { start, end: start + length })}
!${form(visit, {
    fields: [],
    button: say.move_to,
    refused,
    told: refused && say.refused[refused.failure.code],
    note: note.join(''),
  })}
<p><a href="${address(visit, { ...kept, date: formats.date(start) })}">${say.other_time}</a></p>
<p><a href="${address(visit, {})}">${say.back}</a></p>
</section>`;
}

function present({ language, formats, booking }: Moving): string {
  const { start, end, title } = booking;
  return html`<h2>${title}</h2>
<p class="quiet">${words[language].present_time}</p>
!${spanLine(formats, { start: Date.parse(start), end: Date.parse(end) })}`;
}
