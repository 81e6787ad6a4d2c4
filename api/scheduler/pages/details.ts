import { html } from 'ghtml';
import type { Language } from '../../../shared/kernel/language.ts';
import type { Slot } from '../../../shared/scheduler/slots/types.ts';
import { type Field, form, hidden, type Option } from '../../pages/kit/fields.ts';
import type { Refused, Visit } from '../../pages/kit/page.ts';
import { placeName, type TypeShown } from './about.ts';
import { type Asked, address } from './address.ts';
import type { Formats } from './format.ts';
import { spanLine } from './picker.ts';
import { type Question, questionFields } from './questions.ts';
import { words } from './words.ts';

/** The form in which a guest books a time that was chosen. */
export type Detailing = {
  visit: Visit;
  language: Language;
  formats: Formats;
  type: TypeShown & { questions: readonly Question[]; max_additional_guests: number };
  start: number;
  duration_minutes: number;
  kept: Partial<Asked>;
  /** 128 random bits in hexadecimal digits: by them a second submit finds the first booking. */
  form_key: string;
  refused: Refused | undefined;
  /** Free times to choose from in the place of one that is gone; null where the chosen one stands. */
  others: readonly Slot[] | null;
};

/** The chosen time, and who books it. */
export function details(detailing: Detailing): string {
  const { visit, language, formats, type, start, duration_minutes, kept, form_key } = detailing;
  const { refused, others } = detailing;
  const say = words[language];
  const span = { start, end: start + duration_minutes * 60_000 };
  const chosen =
    others === null
      ? html`!${spanLine(formats, span)}
<p><a href="${address(visit, { ...kept, date: formats.date(start) })}">${say.other_time}</a></p>`
      : '';
  const { time_zone } = formats;
  const sent = { form_key, time_zone, duration_minutes: String(duration_minutes) };
  const note = [
    ...Object.entries(sent).map(([name, value]) => hidden(name, value)),
    ...(others === null ? [hidden('start', new Date(start).toISOString())] : []),
  ].join('');
  const fields = [
    ...otherTimes(detailing),
    ...whoFields(detailing),
    ...questionFields(type.questions, language),
  ];
  const code = refused?.failure.code;
  return html`<section class="details" aria-labelledby="details">
<h2 id="details">${say.details}</h2>
!${chosen}
!${form(visit, {
    fields,
    button: type.needs_confirmation ? say.book_pending : say.book,
    refused,
    told: code === undefined ? undefined : say.refused[code],
    note,
  })}
</section>`;
}

/** The free times of the same length that a guest may take in the place of the one that is gone. */
function otherTimes({ language, formats, others }: Detailing): Field[] {
  if (others === null || others.length === 0) return [];
  const options = others.map(({ start, end }): Option => {
    const value = new Date(start).toISOString();
    return { value, label: value, html: formats.span(start, end) };
  });
  return [{ name: 'start', label: words[language].other_times, autocomplete: 'off', type: 'one', options }];
}

function whoFields({ language, type }: Detailing): Field[] {
  const say = words[language];
  const { locations, max_additional_guests } = type;
  const fields: Field[] = [
    { name: 'name', label: say.name, autocomplete: 'name' },
    { name: 'email', label: say.email, type: 'email', autocomplete: 'email', hint: say.email_hint },
  ];
  if (locations.length > 1) fields.push(placeField(language, locations));
  if (locations.some(({ type: place }) => place === 'phone_guest')) {
    const optional = locations.length > 1;
    // Neither optional nor required: that depends on the place that is chosen above.
    const hint = optional ? `${say.phone_by_place}${say.phone_hint}` : say.phone_hint;
    fields.push({ name: 'phone', label: say.phone, type: 'tel', autocomplete: 'tel', hint, optional });
  }
  if (max_additional_guests > 0) {
    const label = say.optional(say.others);
    const hint = say.others_hint(max_additional_guests);
    fields.push({
      name: 'additional_guests',
      label,
      type: 'long',
      autocomplete: 'off',
      hint,
      optional: true,
    });
  }
  return fields;
}

function placeField(language: Language, locations: TypeShown['locations']): Field {
  const types = [...new Map(locations.map((location) => [location.type, location])).values()];
  const options = types.map((location) => ({ value: location.type, label: placeName(language, location) }));
  const [first] = options;
  return {
    name: 'location_type',
    label: words[language].place,
    autocomplete: 'off',
    type: 'one',
    options,
    value: first!.value,
  };
}
