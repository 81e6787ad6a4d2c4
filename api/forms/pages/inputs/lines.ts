import { html } from 'ghtml';
import type { FieldOf } from '../../../../shared/forms/schema/schema.ts';
import { type Filling, inputName, invalidity, labelled, notesOf, say, textOf } from './filling.ts';

type LineField = FieldOf<
  'short_text' | 'long_text' | 'email' | 'phone' | 'url' | 'number' | 'date' | 'time' | 'datetime'
>;

/**
 * The attributes of the input of each type. A number is a text: what is none must come to us as it was typed, and full-width
 * digits are taken.
 */
const ATTRIBUTES: Record<Exclude<LineField['type'], 'long_text'>, string> = {
  short_text: 'type="text" autocomplete="off"',
  email: 'type="email" autocomplete="email"',
  phone: 'type="tel" autocomplete="tel"',
  url: 'type="url" autocomplete="url"',
  number: 'type="text" inputmode="decimal" autocomplete="off"',
  date: 'type="date" autocomplete="off"',
  time: 'type="time" autocomplete="off"',
  datetime: 'type="datetime-local" autocomplete="off"',
};

/** A field of one input. */
export function line(filling: Filling<LineField>): string {
  const { field, value, faults, is_required } = filling;
  const name = inputName(field.id);
  const { notes, described } = notesOf(filling);
  const hint =
    field.placeholder && !isPicked(field) ? html`placeholder="${say(filling, field.placeholder)}"` : '';
  const common = html`id="${name}" name="${name}" !${hint} !${is_required ? 'required' : ''} !${invalidity(faults)} !${described}`;
  const control =
    field.type === 'long_text'
      ? // A line end after the tag is not part of the text: the parser drops it.
        `<textarea ${common} rows="5" autocomplete="off">\n${html`${textOf(value)}`}</textarea>`
      : html`<input !${ATTRIBUTES[field.type]} !${common} value="${textOf(value)}">`;
  return html`<div class="field"><label for="${name}">!${labelled(filling)}</label>
!${notes}
!${control}</div>`;
}

function isPicked({ type }: LineField): boolean {
  return type === 'date' || type === 'time' || type === 'datetime';
}
